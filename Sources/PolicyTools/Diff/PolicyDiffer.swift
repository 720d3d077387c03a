import Rendering
package import TrustEngine

extension DiffQuestion {
    /// Compares the two policies. `BehaviourOrder` compares, `HostClasses` says whose hosts;
    /// `PolicyDiffer` joins them and puts what they find into groups that a reader takes in at
    /// once.
    ///
    /// - Throws: `AnswerFailure` where there are too many classes, or where a claim does not
    ///   reproduce.
    ///
    /// Cost: linear in the patterns of both tables and in the classes that differ.
    package func compare(crypto: any CryptoBackend) throws(AnswerFailure) -> PolicyDiff {
        try PolicyDiffer(self, crypto).run()
    }
}

/// Compares two tables.
private struct PolicyDiffer {
    private let question: DiffQuestion
    private let old: PolicyBehaviours
    private let new: PolicyBehaviours
    private let oldPlaces: FieldPlaces
    private let newPlaces: FieldPlaces
    private let hosts: HostClasses
    private let crypto: any CryptoBackend

    init(_ question: DiffQuestion, _ crypto: any CryptoBackend) {
        self.question = question
        self.crypto = crypto
        old = PolicyBehaviours(question.old.table, since: question.since)
        new = PolicyBehaviours(question.new.table, since: question.since)
        oldPlaces = FieldPlaces(question.old.table, old.contents)
        newPlaces = FieldPlaces(question.new.table, new.contents)
        hosts = HostClasses([question.old.table, question.new.table])
    }

    /// The classes of hosts after each was compared once.
    private struct Compared {
        /// The classes that change, with the numbers of their answers, in the order of their hosts.
        let changed: [(hosts: HostClass, pair: DecidingPair, answer: Int)]
        let answers: PairAnswers
        let counts: PolicyDiff.Counts
    }

    func run() throws(AnswerFailure) -> PolicyDiff {
        let classes = try hosts.everyClass()
        let compared = compare(classes)
        let (groups, surfaces, approvals) = group(compared)
        let spellings = HostSpellings(
            hosts,
            isNeeded: compared.changed.contains { HostSpellings.hasALabel($0.hosts.pattern) })
        let files = ChangedFiles(
            old: question.old.resources, new: question.new.resources, crypto: crypto)
        let changes =
            compared.changed.isEmpty
            ? []
            : try groups.changes(
                ChangeDetails(
                    question, old, new, oldPlaces, newPlaces, hosts, classes, spellings, files,
                    crypto: crypto))
        return PolicyDiff(
            question: question, changes: ChangeOrder.sorted(changes),
            surfaces: surfaces.list(spellings), approvals: approvals.approvals(of: question),
            idle: idle(compared.answers) + files.idle(besides: Set(changes.flatMap(\.files)))
                + gone,
            counts: compared.counts)
    }

    /// Compares the rules that decide each class.
    private func compare(_ classes: [HostClass]) -> Compared {
        var answers = PairAnswers(
            old, new, oldPlaces: oldPlaces, since: question.since, store: question.options.store,
            crypto: crypto)
        var counts = PolicyDiff.Counts()
        var changed: [(hosts: HostClass, pair: DecidingPair, answer: Int)] = []
        for one in classes {
            let pair = DecidingPair(old: one.deciders[0], new: one.deciders[1])
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
        return Compared(
            changed: HostOrder.sorted(changed, by: { $0.hosts }), answers: answers, counts: counts)
    }

    /// Groups the classes that change: by what changes, by who can vouch, and by who must approve.
    private func group(
        _ compared: Compared
    ) -> (groups: ChangeGroups, surfaces: SurfaceGroups, approvals: ApprovalFinder) {
        let answers = compared.answers
        let fields = answers.fields
        var groups = ChangeGroups(fields)
        var surfaces = SurfaceGroups(answers.surfaces)
        var approvals = ApprovalFinder(old, new, oldPlaces, newPlaces, since: question.since)
        for (one, pair, number) in compared.changed {
            let answer = answers.answers[number]
            approvals.add(one, pair, answer.fields.lazy.map { fields[$0] })
            groups.add(one, pair, answer.relation, answer.fields) {
                (oldPlaces.rule(pair.old), newPlaces.rule(pair.new))
            }
            if let surface = answer.surface { surfaces.add(one, surface) }
        }
        return (groups, surfaces, approvals)
    }

    /// The changes of policy files that decide nothing.
    private func idle(_ answers: PairAnswers) -> [PolicyDiff.IdleChange] {
        IdleChanges(
            old: old.contents, new: new.contents, oldPlaces: oldPlaces, newPlaces: newPlaces,
            pairs: answers.idle
        ).list() + LayoutChanges.list(old: question.old.files, new: question.new.files)
    }

    /// The other units that are gone.
    private var gone: [PolicyDiff.IdleChange] {
        question.options.goneUnits.map {
            PolicyDiff.IdleChange(
                sentence: "the other unit `\($0)` is gone: moved or deleted, and not compared",
                location: nil)
        }
    }
}
