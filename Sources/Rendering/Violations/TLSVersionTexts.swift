import TrustEngine

extension TLSVersionTexts {
    private var allowed: String { TLSWords.range(minimum, maximum) }

    var headline: String { "the connection uses `\(version.name)`, allowed: \(allowed)" }

    var citation: String { "LANGUAGE §8" }

    func forEndUser(_ situation: Situation) -> String {
        "the connection to `\(situation.host)` uses `\(version.name)`, which \(situation.rule) "
            + "does not allow"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        version < minimum
            ? [
                declared("it speaks only an older TLS, or the program offers no newer"),
                .init(.inBetween, "a device on the way does"),
            ]
            : [.init(.policy, "the rule does not allow a TLS this new")]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        guard version < minimum else {
            return [
                Repair(
                    "ask whoever owns \(reject.ruleName) whether `\(version.name)` is kept out on "
                        + "purpose: `tls.maximum-version` says so"),
                Repair("if it is, have the server speak \(allowed)"),
            ]
        }
        return [Repair("have the server speak `\(minimum.name)` or later")]
    }

    func change(_ reject: Reject) -> PolicyChange? {
        guard version < minimum else { return nil }
        // The baseline is met, so the demand can be reported. Below the baseline it must be waived.
        guard version < .tls12 else {
            return PolicyChange(
                .reportOnly(.tls),
                cost: "`\(version.name)` passes, and every other breach of the rule's `tls`")
        }
        return PolicyChange(
            .waiver(.tls(minimumVersion: version), reason: "being upgraded"),
            cost: "`\(version.name)` protects less against whoever is on the way")
    }
}
