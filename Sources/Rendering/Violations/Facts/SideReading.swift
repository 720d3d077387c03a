package import TrustEngine

/// One reading of a reject: whose side it is, and why.
package struct SideReading: Hashable, Sendable {
    /// The side.
    package let side: Violation.Side
    /// The fault of that side: lower case, no full stop, raw text.
    package let words: String

    /// Makes a reading.
    package init(_ side: Violation.Side, _ words: String) {
        self.side = side
        self.words = words
    }
}

extension SideReading {
    /// The reading that somebody else answers.
    static func impostor(_ words: String) -> SideReading { SideReading(.inBetween, words) }

    /// The reading of a chain that begins with a CA in place of the server's own certificate.
    static let wrongOrder = SideReading(.server, "it sends its certificates in the wrong order")

    /// The reading of a certificate that the policy itself holds or offers.
    static func ofPolicy(_ certificate: CertificateReference, _ fault: String) -> SideReading {
        let name = Words.name(certificate)
        switch certificate.origin {
        case .anchor(let set): return .init(.policy, "anchor \(name) of `\(set)` \(fault)")
        case .offered(let set):
            return .init(.policy, "\(name) under `intermediates` of `\(set)` \(fault)")
        case .presented: return .init(.policy, "\(name) \(fault)")
        }
    }

    /// The second reading of a certificate of the policy that the rule does not accept.
    static let otherAuthority = SideReading(.server, "its certificate needs another authority")
}

extension ViolationTexts {
    /// The readings of a certificate that was issued with a fault: an anchor is the policy's.
    func ofIssuing(_ certificate: CertificateReference) -> [SideReading] {
        certificate.setOfPolicy != nil
            ? [.ofPolicy(certificate, "was issued so"), .otherAuthority]
            : [declared("whoever issued its certificates made them so")]
    }

    /// The same, but where the chain begins with a CA.
    func ofIssuing(
        _ certificate: CertificateReference, _ situation: Situation
    ) -> [SideReading] {
        situation.misplacedEndEntity != nil ? [.wrongOrder] : ofIssuing(certificate)
    }

    /// The readings of a certificate that the rule does not accept, of the policy or the server.
    func ofRule(
        _ certificate: CertificateReference, _ fault: String, otherwise: [SideReading]
    ) -> [SideReading] {
        certificate.setOfPolicy != nil
            ? [.ofPolicy(certificate, fault), .otherAuthority] : otherwise
    }

    /// The readings of a key or signature of a kind that the rule does not list.
    var notOfTheRulesKind: [SideReading] {
        [
            declared("its certificate is not of the kind that the rule demands"),
            .init(.policy, "the rule lists fewer kinds than were meant"),
        ]
    }
}

extension Violation.Side {
    /// The name of the side, for people.
    package var name: String {
        switch self {
        case .server: return "server"
        case .policy: return "policy"
        case .thisMachine: return "this machine"
        case .network: return "network"
        case .inBetween: return "in between"
        }
    }
}
