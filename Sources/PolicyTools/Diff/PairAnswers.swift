import Rendering
import TrustEngine

/// How rules of two policies compare, each pair of different bodies compared once.
struct PairAnswers {
    /// The answer about a pair of rules.
    struct Answer {
        /// The relation of the pair as a whole.
        var relation = Relation.equal
        var intervals = 1
        /// The fields that differ at any time, as indices of `PairAnswers.fields`.
        var fields: [Int] = []
        /// Differences that change no verdict.
        var idle: [PolicyDiff.Field] = []
        /// The index in `PairAnswers.surfaces`; nil where no field differs.
        var surface: Int?
    }

    /// What an answer depends on: two bodies, and where one side denies, how the other one is told.
    private struct Question: Hashable {
        let old: Int
        let new: Int
        var profile = ""
        var isDefault = false
    }

    private let old: PolicyBehaviours
    private let new: PolicyBehaviours
    private let oldBodies: DistinctBodies
    private let newBodies: DistinctBodies
    private let oldPinSets: [String: PinSetContents]
    private let newPinSets: [String: PinSetContents]
    private let since: UTCInstant
    private let crypto: any CryptoBackend
    private let order = BehaviourOrder()
    private let oldPlaces: FieldPlaces
    private lazy var usual = UsualProfile(old.contents, oldPlaces)
    /// The ids of the anchor sets and of the pin sets that the two policies do not have alike.
    private let differentAnchors: Set<String>
    private let differentPins: Set<String>

    /// The answers by their numbers.
    private(set) var answers: [Answer] = []
    private var byQuestion: [Question: Int] = [:]
    private var byPair: [DecidingPair: Int] = [:]
    private var knownFields = Numbers<FieldTimeline>()
    private var knownSurfaces = Numbers<TrustSurface>()
    private var counter: SurfaceCounter

    /// Every field of every answer, each once.
    var fields: [FieldTimeline] { knownFields.values }
    /// Every trust surface of every answer, each once.
    var surfaces: [TrustSurface] { knownSurfaces.values }

    init(
        _ old: PolicyBehaviours, _ new: PolicyBehaviours, oldPlaces: FieldPlaces,
        since: UTCInstant, store: StoreCertificates?, crypto: any CryptoBackend
    ) {
        self.old = old
        self.new = new
        self.oldPlaces = oldPlaces
        oldBodies = DistinctBodies(old)
        newBodies = DistinctBodies(new)
        func byID<Item>(_ sets: [Item], _ id: (Item) -> String) -> [String: Item] {
            Dictionary(sets.map { (id($0), $0) }, uniquingKeysWith: { first, _ in first })
        }
        func different<Item: Equatable>(
            _ old: [String: Item], _ new: [String: Item]
        ) -> Set<String> {
            Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
        }
        oldPinSets = byID(old.contents.pinSets, \.id)
        newPinSets = byID(new.contents.pinSets, \.id)
        differentPins = different(oldPinSets, newPinSets)
        differentAnchors = different(
            byID(old.contents.anchorSets, \.id), byID(new.contents.anchorSets, \.id))
        self.since = since
        counter = SurfaceCounter(store: store)
        self.crypto = crypto
    }

    /// The number of the answer for a pair of rules.
    mutating func number(of pair: DecidingPair) -> Int {
        if let known = byPair[pair] { return known }
        let (before, after) = (oldBodies[pair.old], newBodies[pair.new])
        var question = Question(old: before, new: after)
        if (before == DistinctBodies.deny) != (after == DistinctBodies.deny) {
            let (side, rule) =
                before == DistinctBodies.deny ? (new, pair.new) : (old, pair.old)
            question.profile = side.body(of: rule)?.profile ?? ""
            question.isDefault = rule == HostClass.byDefault
        }
        let number = byQuestion[question] ?? answers.count
        if number == answers.count { answers.append(answer(pair)) }
        byQuestion[question] = number
        byPair[pair] = number
        return number
    }

    /// How one pair of rules compares, and the fields that differ at any time.
    mutating func whole(of pair: DecidingPair) -> (relation: Relation, fields: [FieldTimeline]) {
        let answer = answers[number(of: pair)]
        return (answer.relation, answer.fields.map { fields[$0] })
    }

    /// The rules that were asked for and have fields whose difference changes no verdict.
    var idle: [(pair: DecidingPair, fields: [PolicyDiff.Field])] {
        byPair.map { ($0.key, answers[$0.value].idle) }
    }

    private mutating func answer(_ pair: DecidingPair) -> Answer {
        if demandTheSame(old.body(of: pair.old), new.body(of: pair.new)) { return Answer() }
        let (before, after) = (old.behaviour(of: pair.old), new.behaviour(of: pair.new))
        let timeline = order.timeline(after, before, since: since)
        var answer = Answer()
        answer.intervals = timeline.count
        let directions = timeline.map(\.comparison.direction)
        answer.relation = Relation.direction(of: directions)
        guard timeline.contains(where: { !$0.comparison.fields.isEmpty }) else { return answer }
        let words = ChangeWords(
            old: RuleWords(before, old.contents, pair.old, oldPinSets),
            new: RuleWords(after, new.contents, pair.new, newPinSets), crypto: crypto)
        let (changed, idle) = words.fields(of: timeline, usual: usual)
        answer.idle = idle
        for field in changed { answer.fields.append(knownFields.number(of: field)) }
        // A set is told by itself, so it may be weaker where the sets together are incomparable.
        answer.relation = Relation.direction(
            of: directions + changed.flatMap(\.entries).compactMap { $0.field?.relation })
        answer.surface = knownSurfaces.number(
            of: TrustSurface(
                before: counter.count(before, words.old.open(at: since)),
                after: counter.count(after, words.new.open(at: since)),
                change: PolicyDiff.AuthorityChange(changed.map(\.authorities)),
                hasOtherPinnedKeys: timeline.contains {
                    $0.comparison.fields.contains(where: \.isOfPinnedKeys)
                }))
        return answer
    }

    /// Whether two bodies have the same demands, and name only sets that both policies have alike.
    /// Both deny where both are nil.
    private func demandTheSame(_ before: RuleBody?, _ after: RuleBody?) -> Bool {
        guard let before, let after else { return before == nil && after == nil }
        return before.hasDemands(of: after)
            && !before.anchors.contains(where: differentAnchors.contains)
            && !before.pins.contains(where: differentPins.contains)
    }
}

/// Values by their numbers, each value once.
private struct Numbers<Value: Hashable> {
    private(set) var values: [Value] = []
    private var known: [Value: Int] = [:]

    /// The number of a value; a new value gets the next one.
    mutating func number(of value: Value) -> Int {
        if let number = known[value] { return number }
        known[value] = values.count
        values.append(value)
        return values.count - 1
    }
}

/// Numbers the bodies of one table: rules that say the same, but for annotations, have one number.
private struct DistinctBodies {
    /// The number that stands for `deny`.
    static let deny = -1

    /// A body by the indices of its parts in the table.
    private struct Body: Hashable {
        let requirements: UInt32
        let identity: UInt32
        let anchors: [Int]
        let pins: [Int]
        let anchorsArePinnedKeys: Bool
        let exceptions: [DatedException]
    }

    private let numbers: [Int]
    private let byDefault: Int

    /// Cost: linear in the rules.
    init(_ behaviours: PolicyBehaviours) {
        let table = behaviours.table
        var bodies = Numbers<Body>()
        func indices(_ list: IndexList) -> [Int] {
            (0..<Int(list.count)).map { table.index(list, $0) }
        }
        func exceptions(_ record: RuleRecord, _ rule: Int) -> [DatedException] {
            guard record.waivers.count + record.reportModes.count > 0,
                let body = behaviours.body(of: rule)
            else { return [] }
            return DatedException.all(body.waivers, body.reportOnly)
        }
        func number(_ record: RuleRecord, _ rule: Int) -> Int {
            bodies.number(
                of: Body(
                    requirements: record.requirements, identity: record.identity,
                    anchors: indices(record.anchors), pins: indices(record.pins),
                    anchorsArePinnedKeys: record.anchorsArePinnedKeys,
                    exceptions: exceptions(record, rule)))
        }
        numbers = (0..<table.ruleCount).map { number(table.rule(at: $0), $0) }
        byDefault =
            table.deniesByDefault
            ? DistinctBodies.deny
            : number(table.rule(at: table.ruleCount), HostClass.byDefault)
    }

    /// The number of a rule's body. `HostClass.byDefault` gives the number of the body of
    /// `default`.
    subscript(rule: Int) -> Int {
        rule == HostClass.byDefault ? byDefault : numbers[rule]
    }
}
