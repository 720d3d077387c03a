import PolicyCompiler
import Rendering
import TrustEngine

/// One assertion on its way through all classes of hosts.
struct AssertionRun {
    /// The rules that decide a class: first the policy's, then the ones of the units that the
    /// assertion compares with.
    private typealias Deciders = [Int]

    /// The first stretch of time in which a demand does not hold.
    private struct Breach {
        let from: UTCInstant
        /// The last instant; nil where the demand never holds again.
        let until: UTCInstant?
        let shortfalls: [Shortfall]
    }

    /// What holds for the classes of some deciders.
    private struct Answer {
        var intervals = 0
        /// For each demand; nil where it holds.
        var breaches: [Breach?] = []
    }

    /// The classes of a refutation, the first by name with its hosts.
    private struct Group {
        let demand: Int
        let deciders: Deciders
        let first: HostClass
        let breach: Breach
        var count = 1
    }

    private let assertion: Assertion
    private let since: UTCInstant
    private let until: UTCInstant?
    private let crypto: any CryptoBackend
    private let mask: PolicyTable?
    /// The policy's behaviours, then the behaviours of the units.
    private let behaviours: [PolicyBehaviours]
    /// For each demand, the index in `behaviours` of the unit that it compares with.
    private let units: [Int?]
    private let hosts: HostClasses
    private var all: [HostClass] = []
    private var answers: [Deciders: Answer] = [:]
    private var groups: [Group] = []

    private(set) var classes = 0
    private(set) var intervals = 0
    /// The classes for which at least one demand does not hold.
    private(set) var refuted = 0
    /// Whether a rule decides at least one class.
    private(set) var isDecided = false

    init(
        _ assertion: Assertion, _ file: SourceFile, table: PolicyTable, since: UTCInstant,
        until: UTCInstant?, neighbours: NeighbourUnits, crypto: any CryptoBackend
    ) throws(AssertionProver.Failure) {
        self.assertion = assertion
        self.since = since
        self.until = until
        self.crypto = crypto
        switch assertion.hosts {
        case .all: mask = nil
        case .inside(let patterns): mask = HostMask.table(patterns, crypto: crypto)
        }
        var tables = [table]
        var units: [Int?] = []
        for demand in assertion.demands {
            guard case .noWeakerThan(.unit(let path)) = demand.statement else {
                units.append(nil)
                continue
            }
            units.append(tables.count)
            let folder = file.path.split(separator: "/").dropLast().joined(separator: "/")
            do throws(ResourceError) {
                tables.append(
                    try neighbours.open(folder.isEmpty ? path.value : "\(folder)/\(path.value)"))
            } catch {
                throw .unreadable(
                    Diagnostic(
                        .anchorUnreadable,
                        "the unit `\(path.value)` cannot be compared with: \(error.context)",
                        at: Diagnostic.Label(path.span)))
            }
        }
        self.units = units
        behaviours = tables.map { PolicyBehaviours($0, since: since) }
        hosts = HostClasses(tables + [mask].compactMap(\.self))
    }

    // MARK: Classes

    /// Makes the classes and answers each.
    mutating func classify() throws(AnswerFailure) {
        all = try hosts.everyClass()
        var indices: [Deciders: [Int?]] = [:]
        for one in HostOrder.sorted(all, by: { $0 }) {
            if mask != nil, one.deciders.last == HostClass.byDefault { continue }
            let deciders = Deciders(one.deciders.prefix(behaviours.count))
            if deciders[0] != HostClass.byDefault { isDecided = true }
            let answer = answer(deciders)
            classes += 1
            intervals += answer.intervals
            if answer.breaches.contains(where: { $0 != nil }) { refuted += 1 }
            for (demand, breach) in answer.breaches.enumerated() {
                guard let breach else { continue }
                if let group = indices[deciders]?[demand] {
                    groups[group].count += 1
                } else {
                    var known = indices[deciders] ?? answer.breaches.map { _ in nil }
                    known[demand] = groups.count
                    indices[deciders] = known
                    groups.append(
                        Group(demand: demand, deciders: deciders, first: one, breach: breach))
                }
            }
        }
    }

    private mutating func answer(_ deciders: Deciders) -> Answer {
        if let known = answers[deciders] { return known }
        var order = BehaviourOrder()
        let own = behaviours[0].behaviour(of: deciders[0])
        let questions = assertion.demands.indices.map { question($0, own, deciders) }
        let changes = Set(
            ([own] + questions.compactMap(\.other)).flatMap { $0.changes(after: since) }
                + questions.flatMap { $0.changes(after: since) })
        let instants =
            [since] + changes.sorted().filter { instant in until.map { instant <= $0 } ?? true }
        var answer = Answer()
        answer.intervals = instants.count
        answer.breaches = questions.map { question in
            let found = instants.map { question.shortfalls(of: own, at: $0, crypto, &order) }
            guard let first = found.firstIndex(where: { !$0.isEmpty }) else { return nil }
            let end = found[first...].firstIndex { $0.isEmpty }
            return Breach(
                from: instants[first], until: end.map { instants[$0].advanced(bySeconds: -1) },
                shortfalls: found[first])
        }
        answers[deciders] = answer
        return answer
    }

    // MARK: Demands

    /// A demand with the values of the policy in place of the names.
    private func question(
        _ demand: Int, _ own: Behaviour, _ deciders: Deciders
    ) -> AssertionQuestion {
        switch assertion.demands[demand].statement {
        case .atLeast(let floor):
            return .floor(DemandFloor(floor, behaviours[0]))
        case .noWeakerThan(.profile(_, let requirements, let reportOnly, let logLists)):
            guard case .body(let body) = own else { return .against(.deny) }
            return .against(
                .body(body.held(to: requirements, reportOnly: reportOnly, logLists: logLists)))
        case .noWeakerThan(.rule(let id)):
            let index = behaviours[0].contents.rules.firstIndex { $0.id == id.value }
            // A policy that has no such rule was refused.
            return .against(index.map { behaviours[0].behaviour(of: $0) } ?? .deny)
        case .noWeakerThan(.byDefault):
            return .against(behaviours[0].behaviour(of: HostClass.byDefault))
        case .noWeakerThan(.unit):
            guard let unit = units[demand] else { return .against(.deny) }
            return .against(behaviours[unit].behaviour(of: deciders[unit]))
        case .identityHost: return .host
        case .exceptions(let allowed): return .exceptions(allowed)
        case .deny: return .denied
        case .ownedBy(let owner):
            return .owned(by: owner, found: behaviours[0].body(of: deciders[0])?.owner)
        case .neverTrusts(let keys): return .forbidden(AssertionRun.keys(keys))
        case .noAnchor(let keys): return .noAnchor(AssertionRun.keys(keys))
        }
    }

    private static func keys(_ asserted: AssertedKeys) -> [KeyIdentity] {
        asserted.identities.map {
            KeyIdentity(
                $0, ofOtherEncodings: asserted.ofOtherEncodings.intersection($0))
        }
    }

    // MARK: Refutations

    /// The refutations with a witness each, in the order of their first classes. Each is found
    /// again only from the witness.
    func refutations(_ places: FieldPlaces) throws(AnswerFailure) -> [AssertionRefutation] {
        let nesting = HostNesting(hosts, all)
        var found: [AssertionRefutation] = []
        // Nothing that the proof has remembered is used.
        let anew = PolicyBehaviours(behaviours[0].table, since: since)
        for group in groups {
            guard let witness = hosts.witness(group.first),
                reproduces(group, witness.host, witness.port, anew)
            else {
                throw AnswerFailure(
                    "the refutation of `\(assertion.id.value)` for `\(group.first.text)` does not "
                        + "reproduce; this is a fault of hawser", isOurs: true)
            }
            let rule = places.rule(group.deciders[0])
            let words = AssertionWords(assertion.demands[group.demand], rule, crypto)
            found.append(
                AssertionRefutation(
                    demand: assertion.demands[group.demand],
                    rule: rule.reference,
                    hosts: nesting.texts(of: [group.first])[0],
                    witness: PolicyDiff.Witness(host: witness.host, port: witness.port),
                    from: group.breach.from, until: group.breach.until,
                    gaps: words.gaps(group.breach.shortfalls), further: group.count - 1))
        }
        return found
    }

    /// Whether the tables' own lookup of a host leads to the same breach, by behaviours that are
    /// read anew.
    private func reproduces(
        _ group: Group, _ host: CanonicalHost, _ port: UInt16, _ anew: PolicyBehaviours
    ) -> Bool {
        func decider(_ table: PolicyTable) -> Int {
            table.lookUp(host, port: port).map { Int($0.rule) } ?? HostClass.byDefault
        }
        if let mask, decider(mask) == HostClass.byDefault { return false }
        let deciders = behaviours.map { decider($0.table) }
        let own = anew.behaviour(of: deciders[0])
        var order = BehaviourOrder()
        return deciders == group.deciders
            && question(group.demand, own, deciders)
                .shortfalls(of: own, at: group.breach.from, crypto, &order)
                .map(\.path) == group.breach.shortfalls.map(\.path)
    }
}

/// A demand that can be asked of a behaviour.
enum AssertionQuestion {
    case floor(DemandFloor)
    case against(Behaviour)
    case host
    case exceptions(AllowedExceptions)
    case denied
    case owned(by: String, found: String?)
    case forbidden([KeyIdentity])
    case noAnchor([KeyIdentity])

    /// The behaviour that is compared with, if there is one.
    var other: Behaviour? {
        switch self {
        case .against(let other): return other
        case .floor, .host, .exceptions, .denied, .owned, .forbidden, .noAnchor: return nil
        }
    }

    /// The instants after `time` at which the demand itself changes.
    func changes(after time: UTCInstant) -> [UTCInstant] {
        switch self {
        case .exceptions(let allowed): return allowed.changes(after: time)
        case .floor, .against, .host, .denied, .owned, .forbidden, .noAnchor: return []
        }
    }

    /// Why the demand does not hold at an instant; empty where it holds.
    func shortfalls(
        of own: Behaviour, at time: UTCInstant, _ crypto: any CryptoBackend,
        _ order: inout BehaviourOrder
    ) -> [Shortfall] {
        switch self {
        case .floor(let floor): return order.shortfalls(of: own, below: floor, at: time)
        case .against(let other): return order.shortfalls(of: own, against: other, at: time)
        case .host: return own.shortfallsOfHost(at: time)
        case .exceptions(let allowed): return own.shortfalls(allowing: allowed, at: time)
        case .denied: return own.shortfallsOfDenial
        case .owned(let owner, let found):
            return own.shortfalls(owner: owner, found: found)
        case .forbidden(let keys): return order.shortfalls(of: own, forbidding: keys, at: time)
        case .noAnchor(let keys):
            return order.shortfalls(of: own, withoutAnchors: keys, at: time, crypto: crypto)
        }
    }
}

extension DemandFloor {
    /// The floor of an assertion, with the anchor sets of a policy.
    fileprivate init(_ floor: AssertedFloor, _ behaviours: PolicyBehaviours) {
        let anchors: Anchors
        switch floor.anchors {
        case nil: anchors = .any
        case .noSystem: anchors = .listed
        case .pinnedKeys: anchors = .pinnedKeys
        case .sets(let ids): anchors = .within(behaviours.members(of: ids), names: ids)
        }
        self.init(
            settings: floor.settings.map { ($0.field, $0.value) },
            forbiddenKeys: floor.forbiddenKeys, anchors: anchors, bindsPins: floor.bindsPins,
            logLists: floor.logLists)
    }
}
