// The hosts that one engine may judge more strictly than another engine. When a policy changes, a
// service closes the open connections to these hosts.
//
// The answer contains every such host. It can also contain hosts that are judged as before: a host
// is left out only when the order (`BehaviourOrder`) says that the later rule is no stricter than
// the earlier rule.
//
// The search compares patterns, not hosts. Take the patterns of both tables together. Each host
// belongs to the most specific pattern that matches it. For the hosts of one pattern and one port,
// the same rule decides in the earlier table, and the same rule decides in the later table. The
// reason: the other patterns that match such a host are less specific, and a less specific name or
// network that covers one host of a pattern covers all of them (LANGUAGE section 11.4). So the
// search compares two rules for each pattern. For a pattern without a port it also compares two
// rules for each port that a less specific pattern names.
//
// The comparison ignores the work budget. A rule that allows more paths can use up the budget on a
// chain that was made for this purpose.

/// The hosts that an engine may judge more strictly than another engine. The value contains every
/// such host, and can contain other hosts.
public struct StricterHosts: Hashable, Sendable {
    /// The canonical text of each pattern whose hosts may be judged more strictly, sorted. A host
    /// that a more specific pattern of either table matches belongs to that pattern alone.
    public let patterns: [String]
    /// Whether the hosts that no pattern of either table matches may be judged more strictly.
    public let includesDefault: Bool

    /// The value that contains no host.
    public static let none = StricterHosts(patterns: [], includesDefault: false)

    /// Whether the value contains no host.
    public var isEmpty: Bool { patterns.isEmpty && !includesDefault }

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
        var search = StricterSearch(DecidingBehaviours(earlier), DecidingBehaviours(later))
        self = search.run()
    }

    /// Finds the hosts that the policy of `later` may judge more strictly than the policy of
    /// `earlier`, from `time` on, whatever the machine's store holds. An exception that has ended
    /// before `time` is ignored. The store counts as one authority, the same in both policies, and
    /// no registered check is needed. Cost: linear in the patterns and anchors of both tables.
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

/// The behaviours of a table's rules, by the indices of the rules.
protocol RuleBehaviours {
    var table: PolicyTable { get }
    /// The behaviour of a rule; that of `default` at the index `DecidingBehaviours.byDefault`.
    mutating func behaviour(of index: Int) -> Behaviour
}

/// One comparison of two engines, or of two tables.
private struct StricterSearch<Rules: RuleBehaviours> {
    private var before: Rules
    private var after: Rules
    private let order = BehaviourOrder()
    /// The answers for pairs of rules. Most patterns have a pair that another pattern has too.
    private var known: [Pair: Bool] = [:]
    private var found: [String] = []

    private struct Pair: Hashable {
        let before: Int
        let after: Int
    }

    init(_ earlier: Rules, _ later: Rules) {
        before = earlier
        after = later
    }

    mutating func run() -> StricterHosts {
        let (earlier, later) = (before.table, after.table)
        later.forEachPattern { pattern, rule in look(at: pattern, rule, isLater: true) }
        earlier.forEachPattern { pattern, rule in look(at: pattern, rule, isLater: false) }
        let includesDefault = isStricter(
            Pair(before: DecidingBehaviours.byDefault, after: DecidingBehaviours.byDefault))
        return StricterHosts(patterns: found.sorted(), includesDefault: includesDefault)
    }

    /// Adds a pattern of one table to `found` when its hosts may be judged more strictly. A pattern
    /// that both tables have is compared only when `isLater` is true.
    private mutating func look(at pattern: HostPattern, _ rule: UInt32, isLater: Bool) {
        let other = isLater ? before.table : after.table
        let rule = Int(rule)
        if let own = other.rule(of: pattern) {
            if isLater, isStricter(Pair(before: Int(own), after: rule)) {
                found.append(pattern.canonicalText)
            }
            return
        }
        func pair(at port: UInt16?) -> Pair {
            let decider = other.covering(pattern, port: port).first
            let deciding = decider.map { Int($0.rule) } ?? DecidingBehaviours.byDefault
            return isLater
                ? Pair(before: deciding, after: rule) : Pair(before: rule, after: deciding)
        }
        var pairs: Set = [pair(at: pattern.port)]
        if pattern.port == nil {
            guard let ports = other.ports(covering: pattern) else {
                return found.append(pattern.canonicalText)
            }
            for port in ports { pairs.insert(pair(at: port)) }
        }
        if pairs.contains(where: { isStricter($0) }) { found.append(pattern.canonicalText) }
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
