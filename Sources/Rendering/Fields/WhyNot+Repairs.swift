package import PolicyReading
import TrustEngine

// What would let the rule decide the host.
extension WhyNot {
    /// Changes that would let the rule decide the host, each lower case and without a full stop.
    package var repairs: [String] {
        guard outcome != .decides else { return [] }
        guard !rule.isEmpty else { return repairsForDefault }
        var repairs: [String] = []
        let decides = "the anchors, pins and waivers of `\(rule)` then decide"
        if outcome == .otherPort {
            let ports = patterns.compactMap { pattern -> String? in
                guard case .port(let port)? = pattern.difference else { return nil }
                return "`\(host.text(port: port))`"
            }
            repairs.append(
                "if another port was meant, ask for " + ports.prefix(4).joined(separator: " or "))
        }
        let exact = HostPattern.Host(exactly: host)
        if let best = winner.pattern, best.host == exact {
            repairs.append(
                "move `\(best.canonicalText)` from rule `\(winner.rule)` to `\(rule)`: \(decides)")
            guard best.port == nil else { return repairs }
        } else {
            let text = HostPattern(host: exact, port: nil).canonicalText
            repairs.append(
                "for this host on every port, add \"\(text)\" to the hosts of `\(rule)`: \(decides)"
            )
        }
        let narrower = HostPattern(host: exact, port: port).canonicalText
        repairs.append(
            "for port \(port) alone, add \"\(narrower)\" to the hosts of `\(rule)`: \(decides)")
        return repairs
    }

    /// `default` decides once no pattern matches the host. The advice does not remove a pattern
    /// that covers other hosts too.
    private var repairsForDefault: [String] {
        let shown = { (patterns: [Match]) in
            Cut.line(patterns.map { "`\($0.pattern)` of rule `\($0.rule)`" }, most: 4)
        }
        guard !matchingMore.isEmpty else { return ["take out \(shown(matchingAlone))"] }
        let kept = "without \(shown(matchingMore)) other hosts would be left to `default` too"
        return [kept]
            + (deniesByDefault
                ? []
                : ["for this host, write a rule of its own that says what `default` says"])
    }
}
