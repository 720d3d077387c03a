package import Rendering
import TrustEngine

/// Writes the classes of a policy, as a document, as lines to compare, and as JSON.
package struct PolicyClassesDocument {
    private let classes: PolicyClasses
    /// A text names at most this number of classes of a group, and counts the others.
    private static let most = 20

    package init(_ classes: PolicyClasses) { self.classes = classes }

    /// A headline, then each group with its demands and its classes. `command` shows all classes.
    package func document(command: String, version: String) -> Document {
        var document = Document(kind: "show", version: version)
        document.headline = Headline(headline)
        document.command = command
        document.footer = [Field("policy", .code(classes.policyDigest.text))]
        document.blocks = [.line(DocumentText(headline), room: .screen)]
        for (number, group) in classes.groups.enumerated() {
            let demands = PolicyClassesDocument.demands(group.demands)
            let shown = Array(group.entries.prefix(PolicyClassesDocument.most))
            document.blocks += [
                .gap(), .line(DocumentText(demands), room: .screen),
                PolicyClassesDocument.table(shown, room: .screen),
            ]
            if group.entries.count > shown.count {
                let more = Cut.more(
                    group.entries.count - shown.count, before: "and ",
                    after: ", which `--format flat` lists")
                document.blocks.append(.line(DocumentText(more), room: .screen, indent: 2))
            }
            document.blocks.append(
                .section(
                    "way-\(number + 1)", Cut.text(demands, most: 120),
                    (demands.unicodeScalars.count > 120 ? [Block.line(DocumentText(demands))] : [])
                        + [PolicyClassesDocument.table(group.entries, room: .page)],
                    room: .page))
        }
        document.blocks += [
            .gap(), .line("policy \(classes.policyDigest.text)", room: .screen),
        ]
        return document
    }

    private static func table(_ entries: [PolicyClasses.Entry], room: Room) -> Block {
        .table(
            "classes of hosts", ["hosts", "decided by", "an example"],
            entries.map { entry in
                let (hosts, witness) = (entry.hosts, entry.witness.text)
                let more = hosts.omitted > 0 ? " " + Cut.more(hosts.omitted, before: "and ") : ""
                return Row(
                    [
                        [.plain(name(hosts))], [DocumentText(rule(entry))],
                        [.plain(room == .page ? witness : "such as \(witness)")],
                    ],
                    notes: hosts.exceptions.isEmpty
                        ? []
                        : [.plain("except \(hosts.exceptions.joined(separator: ", "))\(more)")])
            }, noun: Noun("class", "classes"), widest: 44, room: room)
    }

    /// One line for each class, in the order of the text but without its groups: the hosts, the
    /// rule, and its demands in short. Places and witnesses are left out, so that the lines of two
    /// policies can be compared.
    package func flat() -> String {
        var lines: [String] = []
        for (group, entry) in ordered {
            let rule = entry.rule.id.isEmpty ? "default" : "rule \(entry.rule.id)"
            lines.append(
                "\(PolicyClassesDocument.name(entry.hosts)): \(rule); "
                    + PolicyClassesDocument.demands(group.demands))
        }
        return lines.map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    /// The JSON by `grammar/classes.schema.json`, ended by a line feed.
    package func json() -> String {
        let list = ordered.map { group, entry -> JSONValue in
            .object([
                "hosts": entry.hosts.pattern ?? "default", "port": entry.hosts.port,
                "except": entry.hosts.exceptions, "omitted": entry.hosts.omitted,
                "rule": entry.rule.id, "denied": group.isDenied, "owner": entry.rule.owner,
                "pattern": entry.pattern?.canonicalText,
                "location": JSONValue.location(entry.location),
                "witness": JSONValue.object([
                    "host": entry.witness.host.text, "port": entry.witness.port,
                ]),
                "demands": group.demands.map {
                    JSONValue.object(["field": $0.name, "value": $0.value])
                },
            ])
        }
        return JSONValue.object([
            "schema": "hawser/classes/1", "policyDigest": classes.policyDigest.text,
            "asked": classes.asked?.canonicalText, "classes": list,
        ]).render(.pretty) + "\n"
    }

    // MARK: Parts

    private var headline: String {
        let count = Words.count(classes.count, "class", "classes")
        let deciders = [
            classes.ruleCount > 0 ? Words.count(classes.ruleCount, "rule", "rules") : nil,
            classes.holdsDefault ? "`default`" : nil,
        ].compactMap { $0 }.joined(separator: " and ")
        let ways = Words.count(classes.groups.count, "way", "ways")
        let asked = classes.asked.map { "`\($0.canonicalText)`" } ?? "every host"
        return "\(asked): \(count) of hosts, decided by \(deciders) in \(ways)"
    }

    /// Every class with its group, by name from the right.
    private var ordered: [(PolicyClasses.Group, PolicyClasses.Entry)] {
        classes.groups.flatMap { group in group.entries.map { (group, $0) } }
            .sorted { $0.1.number < $1.1.number }
    }

    /// The hosts without their exceptions.
    private static func name(_ hosts: PolicyDiff.HostText) -> String {
        DiffSentences.text(hosts, exceptions: false)
    }

    /// The rule with the place of the pattern that decides, and that pattern where it is not the
    /// class's own.
    private static func rule(_ entry: PolicyClasses.Entry) -> String {
        let place = entry.location.map { "  \($0.description)" } ?? ""
        guard let pattern = entry.pattern else { return "`default`\(place)" }
        let own = pattern.canonicalText
        let by = own == entry.hosts.pattern ? "" : " by `\(own)`"
        return "rule `\(entry.rule.id)`\(by)\(place)"
    }

    private static func demands(_ fields: [EffectiveRule.Field]) -> String {
        guard !fields.isEmpty else { return "deny" }
        return fields.map { "\($0.name) \($0.text())" }.joined(separator: "; ")
    }
}
