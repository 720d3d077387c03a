import TrustEngine

extension TLSParameterTexts {
    /// The parameter with the value found: "group `x25519`".
    private var used: String {
        "\(TLSWords.parameter(parameter)) `\(Words.shortened(found, to: 100))`"
    }

    var headline: String {
        "the connection uses the \(used), not among those that the rule allows: "
            + Words.list(allowed)
    }

    var citation: String { "LANGUAGE §8" }

    func forEndUser(_ situation: Situation) -> String {
        "the connection to `\(situation.host)` uses the \(used), which is not among those that "
            + "\(situation.rule) allows"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        [
            declared("it chose what the rule does not list"),
            .init(.policy, "the rule lists less than was meant"),
        ]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        [
            Repair(
                "have the server use a \(TLSWords.parameter(parameter)) of \(Words.list(allowed))")
        ]
    }

    func change(_ reject: Reject) -> PolicyChange? {
        PolicyChange(
            .reportOnly(.tls),
            cost: "the \(used) passes, and every other breach of the rule's `tls`")
    }
}
