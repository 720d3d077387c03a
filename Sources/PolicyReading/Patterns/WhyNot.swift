package import TrustEngine

/// Why a rule does not decide a host: the answer to `explain --why-not`. The deciding pattern is
/// looked up in the table, exactly as evaluation does. The named rule's own patterns are compared
/// only to say how they differ from the host.
package struct WhyNot: Hashable, Sendable {
    /// Why the rule does not decide the host.
    package enum Outcome: String, Hashable, Sendable {
        /// The rule does decide the host.
        case decides
        /// A pattern of the rule covers the host, and another pattern decides.
        case loses
        /// Patterns of the rule cover the host, but only on other ports.
        case otherPort = "other-port"
        /// No pattern of the rule covers the host.
        case noMatch = "no-match"
    }

    /// A pattern of the named rule.
    package struct Pattern: Hashable, Sendable {
        package let text: String
        package let location: Provenance.Location?
        /// Why the pattern does not cover the host; nil where it does.
        package let difference: PatternDifference?
    }

    /// A pattern that matches the host, with the id of its rule.
    package struct Match: Hashable, Sendable {
        package let pattern: String
        package let rule: String
    }

    /// The rule and the pattern that decide the host.
    package struct Winner: Hashable, Sendable {
        /// Id of the rule; empty for `default`.
        package let rule: String
        /// The pattern that decides; nil for `default`.
        package let pattern: HostPattern?
        package let location: Provenance.Location?
        /// Whether `default: deny` decides.
        package let isDenied: Bool
    }

    package let host: CanonicalHost
    package let port: UInt16
    /// The rule that the caller asked about; empty for `default`.
    package let rule: String
    package let ruleLocation: Provenance.Location?
    package let outcome: Outcome
    /// Patterns of the rule, by the outcome: the pattern that decides or loses, the patterns for
    /// other ports, or the nearest pattern. Empty for `default`.
    package let patterns: [Pattern]
    /// How many patterns the rule has.
    package let patternCount: Int
    /// Why the winner goes before a pattern that loses (LANGUAGE section 11.4); nil for every other
    /// outcome.
    package let clause: PatternStep.Outcome?
    package let winner: Winner
    package let policyDigest: Digest
    /// The patterns that match the host and cover no other host.
    package let matchingAlone: [Match]
    /// The patterns that match the host and cover other hosts too.
    package let matchingMore: [Match]
    /// Whether the table's `default` is `deny`.
    package let deniesByDefault: Bool

    /// The answer for a rule of the table, by its id; the id is empty for `default`. Nil when the
    /// table has no such rule. Time is linear in the table.
    package init?(rule id: String, table: PolicyTable, host: CanonicalHost, port: UInt16) {
        let contents = table.contents()
        var hosts: [HostPattern] = []
        if !id.isEmpty {
            guard let found = contents.rules.first(where: { $0.id == id }) else { return nil }
            hosts = found.hosts
        }
        let places = PlaceFinder(provenance: table.provenance(), profile: "baseline")
        let candidates = table.candidates(host, port: port)
        let winner = WhyNot.winner(candidates.first, table: table, places: places)
        let pattern = { (pattern: HostPattern, difference: PatternDifference?) in
            let text = pattern.canonicalText
            return Pattern(
                text: text, location: places.pattern(text, rule: id), difference: difference)
        }
        let covering = candidates.first { table.text(table.rule(at: Int($0.rule)).id) == id }
            .map { table.pattern(at: Int($0.pattern)) }
        self.host = host
        self.port = port
        self.rule = id
        self.ruleLocation = places.rule(id)
        self.patternCount = hosts.count
        self.winner = winner
        var (alone, more): ([Match], [Match]) = ([], [])
        for match in candidates {
            let rule = table.text(table.rule(at: Int(match.rule)).id)
            let pattern = table.pattern(at: Int(match.pattern))
            let found = Match(pattern: pattern.canonicalText, rule: rule)
            if pattern.host == HostPattern.Host(exactly: host) {
                alone.append(found)
            } else {
                more.append(found)
            }
        }
        self.matchingAlone = alone
        self.matchingMore = more
        self.deniesByDefault = table.deniesByDefault
        self.policyDigest = table.policyDigest
        if winner.rule == id {
            outcome = .decides
            patterns = covering.map { [pattern($0, nil)] } ?? []
            clause = nil
        } else if let covering, let best = winner.pattern {
            outcome = .loses
            patterns = [pattern(covering, nil)]
            clause = best.precedence(over: covering)
        } else if id.isEmpty {
            (outcome, patterns, clause) = (.loses, [], nil)
        } else {
            let misses = hosts.compactMap { PatternMiss($0, host, port: port) }
            let onOtherPorts = misses.filter {
                if case .port = $0.difference { return true }
                return false
            }
            let nearest = misses.min { $0.isNearer(than: $1) }
            outcome = onOtherPorts.isEmpty ? .noMatch : .otherPort
            let shown = onOtherPorts.isEmpty ? nearest.map { [$0] } ?? [] : onOtherPorts
            patterns = shown.map { pattern($0.pattern, $0.difference) }
            clause = nil
        }
    }

    private static func winner(
        _ match: PatternMatch?, table: PolicyTable, places: PlaceFinder
    ) -> Winner {
        guard let match else {
            return Winner(
                rule: "", pattern: nil, location: places.rule(""),
                isDenied: table.deniesByDefault)
        }
        let rule = table.text(table.rule(at: Int(match.rule)).id)
        let pattern = table.pattern(at: Int(match.pattern))
        return Winner(
            rule: rule, pattern: pattern,
            location: places.pattern(pattern.canonicalText, rule: rule), isDenied: false)
    }
}
