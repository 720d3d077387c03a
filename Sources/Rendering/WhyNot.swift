package import TrustEngine

/// Why a rule does not decide a host: what `explain --why-not` answers. It asks the table that
/// evaluation asks which pattern decides, and looks at the named rule's own patterns only to say
/// what differs.
package struct WhyNot: Hashable, Sendable {
    /// What keeps the rule from deciding.
    package enum Outcome: String, Hashable, Sendable {
        /// Nothing: it does decide.
        case decides
        /// A pattern of it covers the host, and another decides.
        case loses
        /// Patterns of it cover the host on other ports.
        case otherPort = "other-port"
        /// No pattern of it covers the host.
        case noMatch = "no-match"
    }

    /// A pattern of the named rule.
    package struct Pattern: Hashable, Sendable {
        package let text: String
        package let location: Provenance.Location?
        /// What keeps it from covering the host; nil where nothing does.
        package let difference: PatternDifference?
    }

    /// What decides the host.
    package struct Winner: Hashable, Sendable {
        /// Empty for `default`.
        package let rule: String
        /// Nil for `default`.
        package let pattern: HostPattern?
        package let location: Provenance.Location?
        /// Whether that is `default: deny`.
        package let isDenied: Bool
    }

    package let host: CanonicalHost
    package let port: UInt16
    /// The rule asked about; empty for `default`.
    package let rule: String
    package let ruleLocation: Provenance.Location?
    package let outcome: Outcome
    /// The pattern that decides or loses, those for other ports, or the one that comes nearest.
    /// Empty for `default`.
    package let patterns: [Pattern]
    /// How many patterns the rule has.
    package let patternCount: Int
    /// Why the winner comes first (LANGUAGE section 11.4), where a pattern loses.
    package let clause: PatternStep.Outcome?
    package let winner: Winner
    package let policyDigest: Digest
    /// The patterns that match and are for the host alone, each with its rule.
    private let matchingAlone: [String]
    /// The patterns that match and cover other hosts too, each with its rule.
    private let matchingMore: [String]
    private let deniesByDefault: Bool

    /// The answer for a rule of the table, by id; empty for `default`. Nil when there is no such
    /// rule. Time linear in the table.
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
        var (alone, more): ([String], [String]) = ([], [])
        for match in candidates {
            let rule = table.text(table.rule(at: Int(match.rule)).id)
            let pattern = table.pattern(at: Int(match.pattern))
            let words = "`\(pattern.canonicalText)` of rule `\(rule)`"
            if pattern.host == HostPattern.Host(exactly: host) {
                alone.append(words)
            } else {
                more.append(words)
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

    /// What would let the rule decide, each lower case and without a full stop.
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

    /// `default` decides once no pattern matches; one that covers other hosts too is not to be
    /// taken out for the sake of one.
    private var repairsForDefault: [String] {
        let shown = { (patterns: [String]) in
            let more = patterns.count > 4 ? " and \(patterns.count - 4) more" : ""
            return patterns.prefix(4).joined(separator: ", ") + more
        }
        guard !matchingMore.isEmpty else { return ["take out \(shown(matchingAlone))"] }
        let kept = "without \(shown(matchingMore)) other hosts would be left to `default` too"
        return [kept]
            + (deniesByDefault
                ? []
                : ["for this host, write a rule of its own that says what `default` says"])
    }
}
