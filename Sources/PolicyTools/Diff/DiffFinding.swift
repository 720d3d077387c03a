import Rendering
package import TrustEngine

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
    /// What the change does to its hosts.
    package let kind: ChangeKind
    package let path: String
    /// The term of a newly trusted host that this is; nil for a field.
    package let term: PolicyDiff.Term?
    /// The folder of the unit, where it is another one than was asked for.
    package let unit: String?
    /// The worst of all intervals, and never `equal`.
    package let relation: Relation
    package let entries: [Entry]
    /// Whether it is the first finding of its change.
    package let isFirst: Bool

    /// The findings of a comparison, in the order of its changes: the gravest first.
    package static func all(_ diff: PolicyDiff) -> [DiffFinding] {
        diff.changes.flatMap { change in
            let kind = change.kind
            return change.paths.enumerated().map { index, path in
                DiffFinding(change, kind, path, in: diff, isFirst: index == 0)
            }
        }
    }

    private init(
        _ change: PolicyDiff.Change, _ kind: ChangeKind, _ path: String, in diff: PolicyDiff,
        isFirst: Bool
    ) {
        var entries: [Entry] = []
        let term = change.terms.first { $0.field.path == path }
        if let term { entries.append(Entry(start: nil, fields: [term.field])) }
        for interval in change.intervals where term == nil {
            let fields = interval.fields.filter { $0.path == path }
            guard fields != entries.last?.fields ?? [] else { continue }
            entries.append(Entry(start: DiffSentences.start(interval, diff), fields: fields))
        }
        self.change = change
        self.kind = kind
        self.path = path
        self.term = term
        unit = diff.unit
        self.entries = entries
        self.isFirst = isFirst
        relation = Relation.direction(of: entries.flatMap(\.fields).map(\.relation))
    }

    /// What the field does by itself: a field may get stricter in a change that is weaker.
    package var ownKind: ChangeKind { relation.isNoWeaker ? max(kind, .stricter) : kind }

    /// The authorities that come and go, where this is the field of its change that says so.
    package var authorities: PolicyDiff.AuthorityChange {
        let paths = change.fields.map(\.path)
        let owner =
            paths.first { $0.hasPrefix("anchors") || $0 == PolicyDiff.Field.decision }
            ?? paths.first
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
        hash.combine((change.firstClass?.text ?? "").utf8)
        hash.combine(change.source.text.utf8)
        hash.combine(path.utf8)
        // Two units may have the same class.
        if let unit { hash.combine(unit.utf8) }
        return hash.digits
    }

    // MARK: Sentences

    /// Authorities that come, or go, in a message of limited size.
    private static let mostAuthorities = 25

    /// The old value of a field: with the profile that has it, where the host was denied.
    package static func from(_ field: PolicyDiff.Field, _ term: PolicyDiff.Term?) -> String {
        term?.usual.map { "\(field.from) in \($0)" } ?? field.from
    }

    /// The whole finding in lines: whose, what, what follows, who comes and goes, and last every
    /// host where the first line does not name all.
    ///
    /// - Parameters:
    ///   - octets: the octets that the list of hosts may have; `Int.max` for lists that are whole.
    ///   - command: the command that shows all hosts, where that cuts the list.
    package func lines(octets: Int, command: String) -> [String] {
        let most = 3
        var lines = [
            "\(DiffSentences.relation(relation)) for \(DiffSentences.hosts(change, most: most))"
        ]
        for entry in entries {
            let head = entry.start.map { "from \($0) on " } ?? ""
            if entry.fields.isEmpty { lines.append("\(head)equal") }
            for field in entry.fields {
                let remarks = field.remarks.map { "; \($0)" }.joined()
                lines.append(
                    "\(head)`\(path)`: \(DiffFinding.from(field, term)) -> \(field.to)\(remarks)")
            }
        }
        if relation == .weaker { lines += DiffSentences.besides(change).map { [$0] } ?? [] }
        if path == PolicyDiff.Field.decision {
            lines += change.terms.map {
                "`\($0.field.path)`: \(DiffFinding.from($0.field, $0)) -> \($0.field.to)"
            }
        } else if term != nil {
            lines.append("newly trusted: denied before")
        }
        lines += DiffSentences.authorities(
            authorities, most: octets == .max ? .max : DiffFinding.mostAuthorities)
        lines += DiffSentences.answerable(change)
        lines += DiffSentences.rules(change)
        if let allowance = change.allowance { lines.append("allowed: \(allowance)") }
        guard change.hosts.count > most else { return lines }
        return lines + DiffSentences.allHosts(change, octets: octets, command: command)
    }
}
