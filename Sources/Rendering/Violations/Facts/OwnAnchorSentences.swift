package import TrustEngine

/// The words for a server whose own certificate is an anchor of the rule, of kind `leaf`, and lacks
/// the asked name. Nobody vouches for another certificate, so a certificate that is issued anew
/// must also be put into the set.
enum OwnAnchorSentences {
    /// What the headline of the name mismatch does not hold.
    static func clause(_ anchor: OwnAnchor) -> String {
        let others =
            anchor.isOnly ? ", and the rule accepts no other certificate" : ""
        return "this certificate is itself an anchor of the rule, in \(sets(anchor))\(others)"
    }

    /// The reading besides that the certificate lacks the name.
    static func reading(_ anchor: OwnAnchor) -> SideReading {
        anchor.isOnly
            ? .init(
                .policy,
                "the rule trusts this certificate alone, which lacks the name, so it accepts "
                    + "nothing"
            )
            : .impostor(
                "another server may be answering, whose certificate the rule trusts by itself")
    }

    /// The change that lets `identity` list the certificate's own name. Only where the rule has no
    /// other anchor: another authority could issue a certificate for the listed name, and another
    /// server could present its own.
    static func change(_ anchor: OwnAnchor) -> PolicyChange? {
        guard anchor.isOnly, anchor.wantsHost, let name = anchor.name else { return nil }
        return PolicyChange(
            .listedName(name),
            cost:
                "the certificate must then present `\(name.text)` in place of the host's name, "
                + "and only whoever holds its key can answer")
    }

    /// What to do.
    static func repairs(_ anchor: OwnAnchor, _ reject: Reject) -> [Repair] {
        let name = "`\(Words.shortSubject(anchor.subject))`"
        let wanted = anchor.wanted.prefix(3).map { "`\($0)`" }.joined(separator: " or ")
        let anew = Repair(
            "have the server use a certificate for \(wanted), and put that one into anchor set "
                + "\(reject.placed(anchor.sets)): the set trusts \(name) by its bytes, and a new "
                + "certificate is another one")
        guard anchor.isOnly else {
            return [
                Repair(
                    "see whether `\(reject.host)` is the host that was meant: what answers has the "
                        + "certificate \(name), which \(reject.ruleName) trusts by itself, and "
                        + "may be another server", kind: .caution),
                anew,
            ]
        }
        guard anchor.wantsHost else { return [anew] }
        guard let listed = anchor.name else {
            return [
                anew,
                Repair(
                    "until then only a waiver of `identity`, with an end, lets it pass, "
                        + "\(reject.place): \(name) presents no name that `identity` could "
                        + "list", kind: .change),
            ]
        }
        return [
            Repair(
                "let `identity` list the name that \(name) presents, \(reject.place): `identity: "
                    + "\(listed.identityValue)`",
                kind: .change),
            anew,
        ]
    }

    private static func sets(_ anchor: OwnAnchor) -> String {
        Words.list(anchor.sets)
    }
}

extension OwnAnchor.Name {
    /// The value of `identity` by which the name is wanted in place of the host.
    package var identityValue: String {
        switch self {
        case .dns(let text): return "{ reference: listed, dns: [\"\(text)\"] }"
        case .ip(let text): return "{ reference: listed, ip: [\"\(text)\"] }"
        case .uri(let text): return "{ reference: listed, uri: [\"\(text)\"] }"
        }
    }
}
