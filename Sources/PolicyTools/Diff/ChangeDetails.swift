import Rendering
import TrustEngine

/// Finds what stands beside the fields of a change: its hosts as a reader writes them, a proven
/// host, where a set is written, the files, the digests and the allowances.
struct ChangeDetails {
    private let question: DiffQuestion
    private let old: PolicyBehaviours
    private let oldPlaces: FieldPlaces
    private let newPlaces: FieldPlaces
    private let classes: HostClasses
    private let nesting: HostNesting
    private let spellings: HostSpellings
    /// The files that the policies name and that differ.
    let files: ChangedFiles
    private var digests: ValueDigest

    /// - Parameter all: every class of `classes`.
    ///
    /// Cost: linear in the patterns of both tables.
    init(
        _ question: DiffQuestion, _ old: PolicyBehaviours, _ new: PolicyBehaviours,
        _ oldPlaces: FieldPlaces, _ newPlaces: FieldPlaces, _ classes: HostClasses,
        _ all: [HostClass], _ spellings: HostSpellings, _ files: ChangedFiles,
        crypto: any CryptoBackend
    ) {
        self.question = question
        self.old = old
        self.oldPlaces = oldPlaces
        self.newPlaces = newPlaces
        self.classes = classes
        nesting = HostNesting(classes, all)
        self.spellings = spellings
        self.files = files
        digests = ValueDigest(of: new.contents, crypto: crypto)
    }

    /// The hosts of classes in patterns.
    func hosts(of classes: [HostClass]) -> [PolicyDiff.HostText] {
        nesting.texts(of: classes).map(spellings.spelled)
    }

    /// One host of the first of some classes.
    func witness(of classes: [HostClass]) throws(AnswerFailure) -> PolicyDiff.Witness {
        guard let first = classes.first, let witness = self.classes.witness(first) else {
            throw AnswerFailure(
                "no host of `\(classes.first?.text ?? "")` is decided as was found; "
                    + "this is a fault of hawser", isOurs: true)
        }
        return PolicyDiff.Witness(host: witness.host, port: witness.port)
    }

    /// What decided the hosts of a class before the new policy got their pattern; nil where the old
    /// policy has the pattern, and where it denied the hosts.
    func former(_ hosts: HostClass) -> PolicyDiff.FormerPattern? {
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

    /// The set that a change comes from: its owner, and the path and the places of its contents;
    /// nil where the change comes from rules.
    func set(
        of source: PolicyDiff.Source
    ) -> (owner: String?, places: (path: String, places: PolicyDiff.Places))? {
        let (section, id): (String, String)
        switch source {
        case .rules: return nil
        case .anchors(let name): (section, id) = ("anchors", name)
        case .pins(let name): (section, id) = ("pins", name)
        }
        let (was, now) = (oldPlaces.set(section, id), newPlaces.set(section, id))
        let places = PolicyDiff.Places(
            old: was.location.map { FieldOrigin(.named("\(section) \(id)"), $0) },
            new: now.location.map { FieldOrigin(.named("\(section) \(id)"), $0) })
        return (now.owner ?? was.owner, ("\(section).\(id)", places))
    }

    /// The digests that an allowance must hold for the fields of a change.
    mutating func digests(
        _ intervals: [PolicyDiff.Interval], _ source: PolicyDiff.Source,
        _ rules: [PolicyDiff.RulePair]
    ) -> [String: [String]] {
        digests.lines(intervals, of: source, by: rules)
    }

    /// What the file of allowances makes of weakened fields; nil if no file is given.
    func allowed(_ fields: [WeakenedField], _ classes: [HostClass]) -> AllowedChange? {
        question.options.allowances?.judge(fields, of: classes, since: question.since)
    }
}
