import Rendering
import TrustEngine

/// Writes the classes of a policy as text, as lines to compare, and as JSON.
package struct PolicyClassesText {
    private let classes: PolicyClasses
    /// Most classes of a group that the text names; the others are counted.
    private static let most = 20

    package init(_ classes: PolicyClasses) { self.classes = classes }

    /// The text: a headline, then each group with its demands and its classes. Each line ends with
    /// a line feed.
    package func text() -> String {
        var lines = [headline]
        for group in classes.groups {
            lines += ["", PolicyClassesText.demands(group.demands)] + rows(group)
        }
        lines += ["", "policy \(classes.policyDigest.text)"]
        return lines.map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    /// One line for each class, in the order of the text but without its groups: the hosts, the
    /// rule, and its demands in short. Places and witnesses are left out, so that the lines of two
    /// policies can be compared.
    package func flat() -> String {
        var lines: [String] = []
        for (group, entry) in ordered {
            let rule = entry.rule.id.isEmpty ? "default" : "rule \(entry.rule.id)"
            lines.append(
                "\(PolicyClassesText.name(entry.hosts)): \(rule); "
                    + PolicyClassesText.demands(group.demands))
        }
        return lines.map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    /// The JSON by `grammar/classes.schema.json`, ended by a line feed.
    package func json() -> String {
        let list = ordered.map { group, entry -> JSONValue in
            .object([
                ("hosts", .string(entry.hosts.pattern ?? "default")),
                ("port", entry.hosts.port.map { .integer($0) }),
                ("except", .array(entry.hosts.exceptions.map { .string($0) })),
                ("omitted", .integer(entry.hosts.omitted)),
                ("rule", .string(entry.rule.id)), ("denied", .bool(group.isDenied)),
                ("owner", .optional(entry.rule.owner)),
                ("pattern", .optional(entry.pattern?.canonicalText)),
                ("location", .location(entry.location)),
                (
                    "witness",
                    .object([
                        ("host", .string(entry.witness.host.text)),
                        ("port", .integer(entry.witness.port)),
                    ])
                ),
                (
                    "demands",
                    .array(
                        group.demands.map {
                            .object([("field", .string($0.name)), ("value", $0.value)])
                        })
                ),
            ])
        }
        return JSONValue.object([
            ("schema", .string("hawser/classes/1")),
            ("policyDigest", .string(classes.policyDigest.text)),
            ("asked", .optional(classes.asked?.canonicalText)), ("classes", .array(list)),
        ]).render(.pretty) + "\n"
    }

    // MARK: Parts

    private var headline: String {
        let count = DiffSentences.count(classes.count, "class", "classes")
        let deciders = [
            classes.ruleCount > 0 ? DiffSentences.count(classes.ruleCount, "rule", "rules") : nil,
            classes.holdsDefault ? "`default`" : nil,
        ].compactMap { $0 }.joined(separator: " and ")
        let ways = DiffSentences.count(classes.groups.count, "way", "ways")
        let asked = classes.asked.map { "`\($0.canonicalText)`" } ?? "every host"
        return "\(asked): \(count) of hosts, decided by \(deciders) in \(ways)"
    }

    /// Every class with its group, by name from the right.
    private var ordered: [(PolicyClasses.Group, PolicyClasses.Entry)] {
        classes.groups.flatMap { group in group.entries.map { (group, $0) } }
            .sorted { $0.1.number < $1.1.number }
    }

    private func rows(_ group: PolicyClasses.Group) -> [String] {
        let shown = group.entries.prefix(PolicyClassesText.most)
        let names = shown.map { PolicyClassesText.name($0.hosts) }
        let rules = shown.map { PolicyClassesText.rule($0) }
        let (left, right) = (PolicyClassesText.width(names), PolicyClassesText.width(rules))
        var lines: [String] = []
        for (index, entry) in shown.enumerated() {
            let cells = [
                PolicyClassesText.padded(names[index], left),
                PolicyClassesText.padded(rules[index], right), "such as \(entry.witness.text)",
            ]
            lines.append("  " + cells.joined(separator: "  "))
            let hosts = entry.hosts
            guard !hosts.exceptions.isEmpty else { continue }
            let more = hosts.omitted > 0 ? " and \(hosts.omitted) more" : ""
            lines.append("      except \(hosts.exceptions.joined(separator: ", "))\(more)")
        }
        let rest = group.entries.count - shown.count
        if rest > 0 { lines.append("  and \(rest) more, which `--format flat` lists") }
        return lines
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

    private static func width(_ texts: [String]) -> Int { min(44, texts.map(\.count).max() ?? 0) }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
