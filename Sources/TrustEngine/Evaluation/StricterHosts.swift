// The hosts that one engine may judge more strictly than another engine. When a policy changes, a
// service closes the open connections to these hosts.
//
// The answer contains every such host. It can also contain hosts that are judged as before: a host
// is left out only when the order (`BehaviourOrder`) calls the later rule equal to or weaker than
// the earlier rule.
//
// The search compares the classes of hosts (`HostClasses`), not hosts.
//
// The comparison ignores the work budget. A rule that allows more paths can use up the budget on a
// chain that was made for this purpose.

/// The hosts that an engine may judge more strictly than another engine. The value contains every
/// such host, and can contain other hosts.
public struct StricterHosts: Hashable, Sendable {
    /// The canonical text of each pattern whose hosts may be judged more strictly, sorted. A host
    /// that a more specific pattern of either table matches belongs only to that pattern.
    public let patterns: [String]
    /// Whether the hosts that no pattern of either table matches may be judged more strictly.
    public let includesDefault: Bool

    /// The value that contains no host.
    public static let none = StricterHosts(patterns: [], includesDefault: false)

    /// Whether the value contains no host.
    public var isEmpty: Bool { patterns.isEmpty && !includesDefault }

    /// Whether the later of the two engines may judge a host more strictly than the earlier one.
    ///
    /// - Parameter later: the table of the later engine. Without it the answer is true for every
    ///   host that a stricter pattern matches, though another pattern may decide it.
    ///
    /// Cost: a search among the patterns for each label of a name, and each bit of an address.
    package func mayContain(_ host: CanonicalHost, port: UInt16, of later: PolicyTable?) -> Bool {
        guard !isEmpty else { return false }
        let deciding = later.flatMap { table in
            table.lookUp(host, port: port).map { table.pattern(at: Int($0.pattern)).host }
        }
        // The host's class belongs to a pattern that is at least as specific as the deciding
        // pattern of the later table. Less specific patterns decide other hosts.
        for candidate in HostPattern.Host.covering(host) {
            for port in [nil, port] {
                let text = HostPattern(host: candidate, port: port).canonicalText
                if holds(text) { return true }
            }
            if candidate == deciding { return false }
        }
        return includesDefault
    }

    /// Whether a pattern is among the sorted patterns.
    private func holds(_ text: String) -> Bool {
        var range = patterns.startIndex..<patterns.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if patterns[middle] == text { return true }
            range =
                patterns[middle] < text
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }

    /// The hosts that either value may contain. Cost: a sort of the patterns of both.
    package func union(_ other: StricterHosts) -> StricterHosts {
        StricterHosts(
            patterns: Set(patterns).union(other.patterns).sorted(),
            includesDefault: includesDefault || other.includesDefault)
    }

    init(patterns: [String], includesDefault: Bool) {
        self.patterns = patterns
        self.includesDefault = includesDefault
    }

    /// Finds the hosts that `later` may judge more strictly than `earlier`. Two registered checks
    /// with the same name count as the same check. Cost: linear in the patterns of both tables.
    public init(from earlier: Engine, to later: Engine) {
        if earlier.table.policyDigest == later.table.policyDigest,
            earlier.systemStoreDigest == later.systemStoreDigest,
            earlier.logListDigests == later.logListDigests
        {
            self = .none
            return
        }
        var search = StricterSearch(PolicyBehaviours(earlier), PolicyBehaviours(later))
        self = search.run()
    }

    /// Finds the hosts that the policy of `later` may judge more strictly than the policy of
    /// `earlier`, from `time` on, whatever the machine's store holds. An exception that has ended
    /// before `time` is ignored. The store counts as one authority, the same in both policies.
    /// Registered checks are not needed. Cost: linear in the patterns and anchors of both tables.
    package init(from earlier: PolicyTable, to later: PolicyTable, since time: UTCInstant) {
        guard earlier.policyDigest != later.policyDigest else {
            self = .none
            return
        }
        var search = StricterSearch(
            PolicyBehaviours(earlier, since: time), PolicyBehaviours(later, since: time))
        self = search.run()
    }
}

/// One comparison of two engines, or of two tables.
private struct StricterSearch {
    private let before: PolicyBehaviours
    private let after: PolicyBehaviours
    private let order = BehaviourOrder()
    /// The answers for pairs of rules. Most classes have a pair that another class has too.
    private var known: [Pair: Bool] = [:]

    private struct Pair: Hashable {
        let before: Int
        let after: Int
    }

    init(_ earlier: PolicyBehaviours, _ later: PolicyBehaviours) {
        before = earlier
        after = later
    }

    mutating func run() -> StricterHosts {
        var found: Set<String> = []
        var includesDefault = false
        do throws(HostClasses.TooMany) {
            for hosts in try HostClasses([before.table, after.table]).all() {
                let pair = Pair(before: hosts.deciders[0], after: hosts.deciders[1])
                guard isStricter(pair) else { continue }
                if let pattern = hosts.pattern {
                    found.insert(pattern.canonicalText)
                } else {
                    includesDefault = true
                }
            }
        } catch {
            // Any host may be judged more strictly.
            for table in [before.table, after.table] {
                table.forEachPattern { pattern, _ in found.insert(pattern.canonicalText) }
            }
            includesDefault = true
        }
        return StricterHosts(patterns: found.sorted(), includesDefault: includesDefault)
    }

    private mutating func isStricter(_ pair: Pair) -> Bool {
        if let answer = known[pair] { return answer }
        // A behaviour may be stricter unless the order says that it is equal or weaker.
        let answer = !order.relation(
            after.behaviour(of: pair.after), before.behaviour(of: pair.before)
        ).isNoStricter
        known[pair] = answer
        return answer
    }
}
