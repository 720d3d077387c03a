// Which hosts may be judged more strictly by one engine than by another: what a service looks at to
// close connections that would not be opened any more.
//
// The answer never misses a host and may name some that are judged as before: those of rules of
// which the order (`BehaviourOrder`) does not say that the later one demands no more.
//
// Patterns stand for hosts. Take every pattern of both tables: each host falls to the most specific
// one of all of them that matches it, and under that pattern one rule decides before and one after.
// Which one is the same for all hosts of a pattern, but for the port: the other patterns that match
// such a host are less specific, and a less specific name or network that covers one host of a
// pattern covers them all (LANGUAGE section 11.4). So it is enough to look once for each pattern,
// and for those without a port once more for each port that a less specific pattern names.
//
// The work budget is left out: a rule that lets more paths be tried may run out of it on a chain
// made for that.

/// Hosts that an engine may judge more strictly than another one did. Never misses one; may name
/// others.
public struct StricterHosts: Hashable, Sendable {
    /// Canonical text of each pattern whose hosts may be, as far as no more specific pattern takes
    /// them from it; sorted.
    public let patterns: [String]
    /// Whether hosts that no pattern matches, before or after, may be.
    public let includesDefault: Bool

    /// No host.
    public static let none = StricterHosts(patterns: [], includesDefault: false)

    /// Whether there is no such host.
    public var isEmpty: Bool { patterns.isEmpty && !includesDefault }

    init(patterns: [String], includesDefault: Bool) {
        self.patterns = patterns
        self.includesDefault = includesDefault
    }

    /// The hosts that `later` may judge more strictly than `earlier`. Registered checks count as
    /// the same where they have the same name. Cost: linear in the patterns of both tables.
    public init(from earlier: Engine, to later: Engine) {
        if earlier.table.policyDigest == later.table.policyDigest,
            earlier.systemStoreDigest == later.systemStoreDigest,
            earlier.logListDigests == later.logListDigests
        {
            self = .none
            return
        }
        var search = StricterSearch(earlier, later)
        self = search.run()
    }
}

/// One comparison of two engines.
private struct StricterSearch {
    private var before: DecidingBehaviours
    private var after: DecidingBehaviours
    private let order = BehaviourOrder()
    /// Answers by the rules' places, which repeat for most patterns.
    private var known: [Pair: Bool] = [:]
    private var found: [String] = []

    private struct Pair: Hashable {
        let before: Int
        let after: Int
    }

    init(_ earlier: Engine, _ later: Engine) {
        before = DecidingBehaviours(earlier)
        after = DecidingBehaviours(later)
    }

    mutating func run() -> StricterHosts {
        let (earlier, later) = (before.table, after.table)
        later.forEachPattern { pattern, rule in look(at: pattern, rule, isLater: true) }
        earlier.forEachPattern { pattern, rule in look(at: pattern, rule, isLater: false) }
        let includesDefault = isStricter(
            Pair(before: DecidingBehaviours.byDefault, after: DecidingBehaviours.byDefault))
        return StricterHosts(patterns: found.sorted(), includesDefault: includesDefault)
    }

    /// Lists a pattern of one table where it must be. What both tables have is looked at once.
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
        // A behaviour that the order does not know to be equal or weaker may be stricter.
        let answer = !order.relation(
            after.behaviour(of: pair.after), before.behaviour(of: pair.before)
        ).isNoStricter
        known[pair] = answer
        return answer
    }
}
