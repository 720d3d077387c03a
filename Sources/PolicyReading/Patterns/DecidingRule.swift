package import TrustEngine

extension PolicyTable {
    /// The index of the rule that decides for a host, as `rule(at:)` takes it. Nil where no rule
    /// decides, and where the text is not a host.
    package func rule(decidingFor host: String, port: UInt16) -> Int? {
        guard let host = try? CanonicalHost(text: host) else { return nil }
        let match = lookUp(host, port: port)
        guard match != nil || !deniesByDefault else { return nil }
        return match.map { Int($0.rule) } ?? ruleCount
    }

    /// The id of the rule that decides for a host; empty for the body of `default`. Nil where no
    /// rule decides, and where the text is not a host.
    package func ruleID(decidingFor host: String, port: UInt16) -> String? {
        rule(decidingFor: host, port: port).map { text(rule(at: $0).id) }
    }
}
