/// The server's own certificate where it is itself an anchor of the deciding rule, of kind `leaf`,
/// and presents no name of the asked host. It serves the words of an explanation and decides
/// nothing.
package struct OwnAnchor: Hashable, Sendable {
    /// A name of the certificate that `identity` can list as it is.
    package enum Name: Hashable, Sendable {
        case dns(String)
        case ip(String)
        case uri(String)

        /// The name itself.
        package var text: String {
            switch self {
            case .dns(let text), .ip(let text), .uri(let text): return text
            }
        }
    }

    /// The names that the rule wants: the asked host, unless the rule lists others.
    package let wanted: [String]
    /// Whether the rule wants the asked host's name and no other.
    package let wantsHost: Bool
    /// The ids of the rule's anchor sets that hold the certificate; not empty.
    package let sets: [String]
    /// The subject, an RFC 4514 string. Raw text.
    package let subject: String
    /// Whether the rule has no other anchor, so that it accepts no other certificate.
    package let isOnly: Bool
    /// The first name that can be listed: a DNS name without a wildcard, otherwise an address,
    /// otherwise a URI; nil where there is none.
    package let name: Name?

    /// The most names of a certificate that are read.
    private static let mostNames = 64

    /// Finds the certificate among the rule's anchors; nil where it is none, or where the identity
    /// check has not failed. Cost: one comparison for each anchor of the policy.
    init?(
        _ violations: [Violation], _ engine: Engine, rule: RuleRecord, host: CanonicalHost,
        first: (digest: Digest, certificate: Certificate)?
    ) {
        let mismatches = violations.compactMap { violation -> [String]? in
            if case .nameMismatch(let wanted, _) = violation.reason { return wanted }
            return nil
        }
        guard let wanted = mismatches.first, let first else { return nil }
        let ofRule = Set(
            (0..<Int(rule.anchors.count)).map { engine.table.index(rule.anchors, $0) })
        var sets: [String] = []
        var hasOthers = rule.anchorsArePinnedKeys
        for anchor in engine.anchors.anchors where ofRule.contains(anchor.set) {
            guard anchor.kind == .leaf, anchor.fingerprint == first.digest else {
                hasOthers = true
                continue
            }
            let id = engine.setIDs[anchor.set]
            if !sets.contains(id) { sets.append(id) }
        }
        guard !sets.isEmpty else { return nil }
        self.wanted = wanted
        wantsHost = wanted == [host.text]
        self.sets = sets
        subject = first.certificate.subjectText
        isOnly = !hasOthers
        name = OwnAnchor.name(of: first.certificate)
    }

    /// The first name of a certificate that `identity` can list, as `name` has it.
    package static func name(of certificate: Certificate) -> Name? {
        let bytes = certificate.der.span
        var reader = GeneralNameReader(certificate.layout.extensions.subjectAltName)
        var found: [Name] = []
        var left = mostNames
        while left > 0, let name = try? reader.next(in: bytes) {
            left -= 1
            let text = ServiceIdentity.text(of: name, in: bytes)
            switch name.kind {
            case .dns:
                if case .name(let host)? = try? CanonicalHost(text: text), host == text {
                    return .dns(text)
                }
            case .ip:
                if case .address(let address)? = try? CanonicalHost(text: text),
                    address.description == text
                {
                    found.append(.ip(text))
                }
            case .uri:
                if URIPattern.isCanonical(text), !text.contains("*") { found.append(.uri(text)) }
            case .otherName, .email, .x400Address, .directory, .ediPartyName, .registeredID:
                continue
            }
        }
        for case .ip(let text) in found { return .ip(text) }
        return found.first
    }
}
