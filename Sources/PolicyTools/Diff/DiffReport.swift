import Rendering
package import TrustEngine

/// What a run of `diff` found, with what the formats need besides.
package struct DiffReport: Sendable {
    package enum Outcome: Sendable {
        /// The comparisons, at least one: several where a branch has several merge bases.
        case compared([PolicyDiff])
        /// Why there is none. It is never "no changes".
        case notCompared(DiffFailure)
    }

    package let outcome: Outcome
    /// The unit, by the name that is the same for every push of a branch.
    package let unit: String
    /// The command line that compares the same again.
    package let command: String
    /// The folders of the old and the new unit, by their paths from the folder in which the report
    /// is read; empty where they are that folder, or not known.
    package let folders: (old: String, new: String)
    /// The version of the tool, by Semantic Versioning.
    package let version: String

    package init(
        _ outcome: Outcome, unit: String, command: String, folders: (old: String, new: String),
        version: String
    ) {
        self.outcome = outcome
        self.unit = unit
        self.command = command
        self.folders = folders
        self.version = version
    }

    /// The sentence in which every format says that nothing was compared.
    package static func sentence(_ failure: DiffFailure) -> String {
        "not compared: \(failure.context)"
    }
}

/// One field of a change, from the instant of comparison to the end of time. Formats that annotate
/// lines have one entry for each.
package struct DiffFinding: Sendable {
    /// The field from an instant on.
    package struct Entry: Hashable, Sendable {
        /// When it begins; nil for the instant from which on the policies are compared.
        package let start: String?
        /// Empty where both sides are equal from then on.
        package let fields: [PolicyDiff.Field]
    }

    package let change: PolicyDiff.Change
    package let path: String
    /// The folder of the unit, where it is another one than was asked for.
    package let unit: String?
    /// The worst of all intervals, and never `equal`.
    package let relation: Relation
    package let entries: [Entry]
    /// Whether it is the first finding of its change.
    package let isFirst: Bool

    /// The findings of a comparison, in the order of its changes: what is weaker first.
    package static func all(_ diff: PolicyDiff) -> [DiffFinding] {
        diff.changes.flatMap { change in
            var paths: [String] = []
            for field in change.intervals.flatMap(\.fields) where !paths.contains(field.path) {
                paths.append(field.path)
            }
            return paths.enumerated().map { index, path in
                DiffFinding(change, path, in: diff, isFirst: index == 0)
            }
        }
    }

    private init(
        _ change: PolicyDiff.Change, _ path: String, in diff: PolicyDiff, isFirst: Bool
    ) {
        var entries: [Entry] = []
        for interval in change.intervals {
            let fields = interval.fields.filter { $0.path == path }
            guard fields != entries.last?.fields ?? [] else { continue }
            entries.append(Entry(start: DiffSentences.start(interval, diff), fields: fields))
        }
        self.change = change
        self.path = path
        unit = diff.unit
        self.entries = entries
        self.isFirst = isFirst
        relation = PolicyDiffer.worst(entries.flatMap(\.fields).map(\.relation))
    }

    /// The authorities that come and go, where this is the field of its change that says so.
    package var authorities: PolicyDiff.AuthorityChange {
        let paths = change.intervals.flatMap(\.fields).map(\.path)
        let owner = paths.first { $0.hasPrefix("anchors") } ?? paths.first
        return path == owner ? change.authorities : PolicyDiff.AuthorityChange()
    }

    /// The places of the field in the new policy, or in the old one where the new does not have it.
    package var locations: [(location: Provenance.Location, isNew: Bool)] {
        var found: [(location: Provenance.Location, isNew: Bool)] = []
        func add(_ location: Provenance.Location?, isNew: Bool) {
            guard let location,
                !found.contains(where: { $0.location == location && $0.isNew == isNew })
            else { return }
            found.append((location, isNew))
        }
        for places in change.places[path] ?? [] { add(places.new?.location, isNew: true) }
        for pair in change.rules where found.isEmpty { add(pair.new.location, isNew: true) }
        for places in change.places[path] ?? [] where found.isEmpty {
            add(places.old?.location, isNew: false)
        }
        for pair in change.rules where found.isEmpty { add(pair.old.location, isNew: false) }
        return found
    }

    /// The first class and the field: the same wherever the lines are, whatever the values.
    package var fingerprint: String {
        var hash = StableHash()
        hash.combine((change.classes.first?.text ?? "").utf8)
        hash.combine(change.source.text.utf8)
        hash.combine(path.utf8)
        // Two units may have the same class.
        if let unit { hash.combine(unit.utf8) }
        return hash.digits
    }

    // MARK: Sentences

    /// The whole finding in lines: whose, what, what follows, who comes and goes.
    package var lines: [String] {
        var lines = [
            "\(DiffSentences.relation(relation)) for \(DiffSentences.hosts(change, most: 3))"
        ]
        for entry in entries {
            let head = entry.start.map { "from \($0) on " } ?? ""
            if entry.fields.isEmpty { lines.append("\(head)equal") }
            for field in entry.fields {
                let remarks = field.remarks.map { "; \($0)" }.joined()
                lines.append("\(head)`\(path)`: \(field.from) -> \(field.to)\(remarks)")
            }
        }
        lines += DiffSentences.authorities(authorities, most: 3)
        lines += DiffSentences.answerable(change)
        lines += DiffSentences.some(DiffSentences.rules(change), most: 3)
        if let allowance = change.allowance { lines.append("allowed: \(allowance)") }
        return lines
    }
}
