import Rendering
package import TrustEngine

/// The classes of hosts by which the flips between two policies are grouped: the classes of
/// `hawser diff`, with the changes in each.
package struct FlipClasses: Sendable {
    /// One change of the comparison, as far as a summary tells it.
    private struct Change: Sendable {
        let source: String
        let relation: Relation
        let fields: [String]
        let hosts: [String]
    }

    private let hosts: HostClasses
    private let changes: [Change]
    /// The changes of each class, by the class's text.
    private let changesOfClass: [String: [Int]]
    /// The hosts of each class as `diff` writes them, by the class's text.
    private let names: [String: String]

    /// Compares two policies at every instant from `since` on.
    package init(
        _ old: PolicyTable, _ new: PolicyTable, since: UTCInstant, crypto: any CryptoBackend
    ) throws(AnswerFailure) {
        let question = DiffQuestion(DiffSide("OLD", old), DiffSide("NEW", new), since: since)
        let diff = try question.compare(crypto: crypto)
        hosts = HostClasses([old, new])
        changes = diff.changes.map { change in
            Change(
                source: change.source.text, relation: change.relation,
                fields: change.fields.map(\.path).unrepeated,
                hosts: change.hosts.map { DiffSentences.text($0) })
        }
        var found: [String: [Int]] = [:]
        for (index, change) in diff.changes.enumerated() {
            for one in change.classes { found[one.text, default: []].append(index) }
        }
        changesOfClass = found
        var names: [String: String] = [:]
        for change in diff.changes {
            for (one, hosts) in zip(change.classes, change.hosts) where names[one.text] == nil {
                names[one.text] = DiffSentences.text(hosts)
            }
        }
        self.names = names
    }

    /// A class as `diff` names it, with the patterns inside that change otherwise; nil stands for a
    /// text that is not a host.
    package func name(of hosts: HostClass?) -> String { name(of: hosts?.text ?? HostClass.others) }

    private func name(of text: String) -> String { names[text] ?? text }

    /// The class that a host and a port belong to; nil for a text that is not a host.
    package func hosts(of host: String, port: UInt16) -> HostClass? {
        guard let host = try? CanonicalHost(text: host) else { return nil }
        return hosts.hosts(of: host, port: port)
    }

    /// The flips as the summary has them: by class, the most flips first, with the changes of each.
    func value(_ flips: [String: AuditTally.Flips]) -> JSONValue {
        .array(
            FlipClasses.sorted(flips).map { name, count in
                .object([
                    "class": self.name(of: name), "toAccept": count.toAccept,
                    "toReject": count.toReject,
                    "first": JSONValue.object([
                        "input": count.input?.json ?? .null, "row": count.line,
                    ]), "changes": (changesOfClass[name] ?? []).map { value(of: changes[$0]) },
                ])
            })
    }

    private func value(of change: Change) -> JSONValue {
        .object([
            "source": change.source, "relation": DiffSentences.relation(change.relation),
            "fields": change.fields, "hosts": change.hosts,
        ])
    }

    /// A line for each of the first classes.
    func lines(_ flips: [String: AuditTally.Flips]) -> [String] {
        let order = FlipClasses.sorted(flips)
        var lines: [String] = []
        for (name, count) in order.prefix(FlipClasses.mostShown) {
            let told: [String] = (changesOfClass[name] ?? []).map { index in
                let change = changes[index]
                let fields = change.fields.prefix(3).joined(separator: ", ")
                return "\(DiffSentences.relation(change.relation)): \(fields)"
            }
            let what = told.isEmpty ? "" : " (\(told.joined(separator: "; ")))"
            lines.append(
                "flips in `\(self.name(of: name))`: \(count.toAccept) to accept, \(count.toReject) to reject"
                    + what)
        }
        return lines + Cut.others(order.count - lines.count, after: " classes of hosts")
    }

    /// A row for each class, for a page.
    func table(_ flips: [String: AuditTally.Flips]) -> Block {
        .table(
            "changed verdicts by class of hosts",
            ["hosts", "to accept", "to reject", "changes of the policy", "first row"],
            FlipClasses.sorted(flips).map { name, count in
                Row([
                    [.code(self.name(of: name))], [.plain("\(count.toAccept)")],
                    [.plain("\(count.toReject)")],
                    (changesOfClass[name] ?? []).map { told(changes[$0]) },
                    [AuditDocument.row(count.input, count.line)],
                ])
            }, noun: Noun("class", "classes"))
    }

    private func told(_ change: Change) -> DocumentText {
        let fields = change.fields.map { DocumentText.code($0) }
        return .plain("\(DiffSentences.relation(change.relation)): ") + .joined(fields)
    }

    /// The most classes on a screen; the JSON has all.
    private static let mostShown = 20

    private static func sorted(
        _ flips: [String: AuditTally.Flips]
    ) -> [(String, AuditTally.Flips)] {
        flips.sorted {
            ($1.value.toAccept + $1.value.toReject, $0.key)
                < ($0.value.toAccept + $0.value.toReject, $1.key)
        }.map { ($0.key, $0.value) }
    }
}
