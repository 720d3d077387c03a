import Rendering
package import TrustEngine

/// Compares two tables. `BehaviourOrder` compares, `HostClasses` says whose hosts; this type joins
/// them and groups the changes so that a reader takes them in at once.
package struct PolicyDiffer {
    private let old: PolicyBehaviours
    private let new: PolicyBehaviours
    private let oldPlaces: FieldPlaces
    private let newPlaces: FieldPlaces
    private let since: UTCInstant

    /// The rules that decide one class.
    struct Pair: Hashable {
        let old: Int
        let new: Int
    }

    /// Compares two tables.
    ///
    /// - Parameters:
    ///   - sides: the two policies as the user named them.
    ///   - since: the instant from which on they are compared.
    ///   - store: the machine's store, if its authorities are to be counted.
    /// - Throws: `AnswerFailure` where there are too many classes, or where a claim does not
    ///   reproduce.
    ///
    /// Cost: linear in the patterns of both tables and in the classes that differ.
    package static func compare(
        _ old: PolicyTable, _ new: PolicyTable, sides: (old: PolicyDiff.Side, new: PolicyDiff.Side),
        since: UTCInstant, store: StoreCertificates? = nil, crypto: any CryptoBackend
    ) throws(AnswerFailure) -> PolicyDiff {
        try PolicyDiffer(old, new, since: since)
            .run(sides.old, sides.new, store: store, crypto: crypto)
    }

    private init(
        _ old: PolicyTable, _ new: PolicyTable, since: UTCInstant
    ) {
        self.old = PolicyBehaviours(old, since: since)
        self.new = PolicyBehaviours(new, since: since)
        oldPlaces = FieldPlaces(old, self.old.contents)
        newPlaces = FieldPlaces(new, self.new.contents)
        self.since = since
    }

    private func run(
        _ oldSide: PolicyDiff.Side, _ newSide: PolicyDiff.Side, store: StoreCertificates?,
        crypto: any CryptoBackend
    ) throws(AnswerFailure) -> PolicyDiff {
        let hosts = HostClasses([old.table, new.table])
        let classes = try hosts.everyClass()
        var answers = PairAnswers(
            old, new, oldPlaces: oldPlaces, since: since, store: store, crypto: crypto)
        var counts = PolicyDiff.Counts()
        var changed: [(hosts: HostClass, pair: Pair, answer: Int)] = []
        for one in classes {
            let pair = Pair(old: one.deciders[0], new: one.deciders[1])
            let answer = answers.number(of: pair)
            counts.classes += 1
            counts.intervals += answers.answers[answer].intervals
            switch answers.answers[answer].relation {
            case .weaker: counts.weaker += 1
            case .incomparable: counts.incomparable += 1
            case .stricter: counts.stricter += 1
            case .equal: continue
            }
            changed.append((one, pair, answer))
        }
        var groups = ChangeGroups(answers.fields)
        var surfaces = SurfaceGroups(answers.surfaces)
        var approvals = ApprovalFinder(old, new, oldPlaces, newPlaces, since: since)
        for (one, pair, number) in HostOrder.sorted(changed, by: { $0.hosts }) {
            let answer = answers.answers[number]
            approvals.add(one, pair, answer.fields.lazy.map { answers.fields[$0] })
            groups.add(one, pair, answer.relation, answer.fields) {
                (oldPlaces.rule(pair.old), newPlaces.rule(pair.new))
            }
            if let surface = answer.surface { surfaces.add(one, surface) }
        }
        approvals.addOwnerChanges()
        let spellings = HostSpellings(
            hosts,
            isNeeded: changed.contains { HostSpellings.hasALabel($0.hosts.pattern) })
        let idle = IdleChanges(
            old: old.contents, new: new.contents, oldPlaces: oldPlaces, newPlaces: newPlaces,
            pairs: answers.idle)
        return PolicyDiff(
            old: oldSide, new: newSide, since: since,
            changes: try finished(
                groups.changes(), hosts, classes, spellings,
                ValueDigest(of: new.contents, crypto: crypto)),
            surfaces: spellings.added(to: surfaces.sorted),
            store: store.map { PolicyDiff.Store(digest: $0.digest, count: $0.count) },
            approvals: approvals.approvals, idle: idle.list(), counts: counts)
    }

    /// Gives a change that comes from a set the set's own place and owner.
    private func nameSet(of change: inout PolicyDiff.Change) {
        let (section, id): (String, String)
        switch change.source {
        case .rules: return
        case .anchors(let name): (section, id) = ("anchors", name)
        case .pins(let name): (section, id) = ("pins", name)
        }
        let (was, now) = (oldPlaces.set(section, id), newPlaces.set(section, id))
        change.setOwner = now.owner ?? was.owner
        let path = "\(section).\(id)"
        guard change.places[path] != nil else { return }
        change.places[path] = [
            PolicyDiff.Places(
                old: was.location.map { FieldOrigin(.named("\(section) \(id)"), $0) },
                new: now.location.map { FieldOrigin(.named("\(section) \(id)"), $0) })
        ]
    }

    /// What decided the hosts of a class before the new policy got their pattern; nil where the old
    /// policy has the pattern, and where it denied the hosts.
    private func former(_ hosts: HostClass) -> PolicyDiff.FormerPattern? {
        guard let pattern = hosts.pattern, old.table.rule(of: pattern) == nil,
            old.body(of: hosts.deciders[0]) != nil
        else { return nil }
        guard hosts.deciders[0] != HostClass.byDefault,
            let match = old.table.covering(pattern, port: hosts.port ?? pattern.port).first
        else { return PolicyDiff.FormerPattern(pattern: nil, rule: "") }
        return PolicyDiff.FormerPattern(
            pattern: old.table.pattern(at: Int(match.pattern)).canonicalText,
            rule: old.contents.rules[Int(match.rule)].id)
    }

    // MARK: Groups

    /// The groups with their hosts as patterns and a proven witness each, the gravest first.
    private func finished(
        _ changes: [PolicyDiff.Change], _ hosts: HostClasses, _ classes: [HostClass],
        _ spellings: HostSpellings, _ digests: ValueDigest
    ) throws(AnswerFailure) -> [PolicyDiff.Change] {
        var digests = digests
        var list: [PolicyDiff.Change] = []
        guard !changes.isEmpty else { return [] }
        let nesting = HostNesting(hosts, classes)
        for var change in changes {
            guard let first = change.classes.first, let witness = hosts.witness(first) else {
                throw AnswerFailure(
                    "no host of `\(change.classes.first?.text ?? "")` is decided as was found; "
                        + "this is a fault of hawser", isOurs: true)
            }
            change.witness = PolicyDiff.Witness(host: witness.host, port: witness.port)
            change.hosts = spellings.added(to: nesting.texts(of: change.classes))
            change.former = former(first)
            nameSet(of: &change)
            if !change.relation.isNoWeaker { change.digests = digests.lines(of: change) }
            list.append(change)
        }
        return ChangeOrder.sorted(list)
    }
}

extension HostClass {
    /// What a reader is told in place of a pattern. No pattern has a blank.
    package static let others = "every other host"

    /// The class for a reader: its pattern, with the port that it is about.
    package var text: String {
        guard let pattern else { return HostClass.others }
        guard let port, pattern.port == nil else { return pattern.canonicalText }
        return HostPattern(host: pattern.host, port: port).canonicalText
    }
}
