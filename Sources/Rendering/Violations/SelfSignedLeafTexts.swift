import TrustEngine

extension SelfSignedLeafTexts {
    var headline: String {
        anchorOf.isEmpty
            ? "\(Words.name(certificate)) is issued by itself and is not an anchor of this rule"
            : "\(Words.name(certificate)) stands where the server's own certificate belongs, and is "
                + "an anchor of \(Words.list(anchorOf)), which vouches for other certificates, not "
                + "for a server"
    }

    /// The headline of a CA in place of the server's certificate says so itself.
    func addition(_ situation: Situation) -> String? { nil }

    func forEndUser(_ situation: Situation) -> String {
        anchorOf.isEmpty
            ? "only the certificate of `\(situation.host)` itself vouches for it, and nobody has "
                + "said that it may be trusted"
            : AuthorityAsServer.forEndUser(situation)
    }

    func readings(_ situation: Situation) -> [SideReading] {
        guard anchorOf.isEmpty else {
            return [situation.misplacedEndEntity == nil ? AuthorityAsServer.reading : .wrongOrder]
        }
        return [
            declared("anybody can make a certificate like this"),
            .init(.server, "it was set up with a certificate of its own making"),
        ]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        guard anchorOf.isEmpty else {
            return AuthorityAsServer.repairs(Words.name(certificate), host: reject.host)
        }
        let issued = Repair(
            "if it is, have the server use a certificate that an authority of \(reject.ruleName) "
                + "issued")
        return [reject.caution("\(reject.answered) vouches for itself"), reject.ask()]
            + (reject.trustsPinnedKeys ? [] : [issued]) + [Reject.refusing]
    }
}
