package import PolicyReading
import TrustEngine

/// Writes every field of a rule, as blocks, as lines to compare, and as JSON.
package enum RuleFields {
    /// The text names at most this number of members of an anchor set, and counts the others.
    private static let shown = 8

    /// The text names at most this number of items of a list, and counts the others. `keys.types`
    /// has at most this number of types, so the text names every allowed type.
    private static let shownItems = 9

    /// Every field of a flattened rule, for a text.
    static func blocks(_ rule: EffectiveRule) -> [Block] {
        var lines = [headline(rule) + (rule.location.map { "  \($0.description)" } ?? "")]
        if rule.layers.count > 1 { lines.append("  " + layers(rule)) }
        lines += rule.patterns.map(pattern)
        lines += (rule.near?.sentences ?? []).map { "  " + $0 }
        var blocks = lines.map { Block.line(DocumentText($0), room: .screen) }
        let rows = rule.fields.indices.filter { index in
            memberNumber(at: index, of: rule) < shown
        }
        let fields = rows.map { rule.fields[$0] }
        let labels = min(44, fields.map { TextWrap.columns($0.name) }.max() ?? 0)
        let values = min(36, fields.map { TextWrap.columns($0.text(most: shown)) }.max() ?? 0)
        for (row, index) in rows.enumerated() {
            if index == 0 || index == rule.ruleFieldCount { blocks.append(.gap()) }
            let field = rule.fields[index]
            blocks.append(
                .fields(
                    [
                        Field(
                            field.name, .plain(field.text(most: shownItems)),
                            citation: field.origin.text)
                    ], labels: .least(labels), values: .least(values), room: .screen, indent: 2))
            let next = row + 1 < rows.count ? rows[row + 1] : rule.fields.count
            if next > index + 1 {
                let more = Cut.more(
                    next - index - 1, before: "\(field.name): ",
                    after: ", which `--format flat` lists")
                blocks.append(.line(DocumentText(more), room: .screen, indent: 2))
            }
        }
        if let digest = rule.policyDigest {
            blocks += [.gap(), .line("policy \(digest.text)", room: .screen)]
        }
        return blocks
    }

    /// One line for each field, `NAME: VALUE`, in the order of the language. Hosts, places and the
    /// rule's digests are left out, so that the lines of two hosts, or of one host under two
    /// policies, can be compared.
    package static func renderFlat(_ rule: EffectiveRule) -> String {
        let head: String
        switch rule.subject {
        case .profile(let id): head = "profile: \(id)"
        case .host, .fallback:
            head =
                rule.rule.isEmpty
                ? "default: \(rule.isDenied ? "deny" : "body")" : "rule: \(rule.rule)"
        }
        return ([head] + rule.fields.map { "\($0.name): \($0.text())" })
            .map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    /// The JSON of a flattened rule by `grammar/show.schema.json`, ended by a line feed.
    package static func renderJSON(_ rule: EffectiveRule) -> String {
        let patterns = rule.patterns.map { pattern -> JSONValue in
            .object([
                "pattern": pattern.text, "rule": pattern.rule, "outcome": pattern.outcome.rawValue,
                "location": JSONValue.location(pattern.location),
            ])
        }
        let fields = rule.fields.map { field -> JSONValue in
            .object([
                "field": field.name, "value": field.value, "remark": field.remark,
                "place": field.origin.json,
            ])
        }
        let subject: JSONMembers
        switch rule.subject {
        case .host(let host, let port):
            subject = ["host": host.text, "port": port, "rule": rule.rule, "denied": rule.isDenied]
        case .fallback: subject = ["rule": "", "denied": rule.isDenied]
        case .profile(let id): subject = ["profile": id]
        }
        var members: JSONMembers = ["schema": "hawser/show/1"]
        members += subject
        members += [
            "policyDigest": rule.policyDigest?.text.json ?? .null,
            "location": JSONValue.location(rule.location), "layers": rule.layers,
            "patterns": patterns, "near": rule.near?.json, "fields": fields,
        ]
        return JSONValue.object(members).render(pretty: true) + "\n"
    }

    static func headline(_ rule: EffectiveRule) -> String {
        switch rule.subject {
        case .profile(let id):
            return "profile `\(id)`" + (rule.location == nil ? ", part of the language" : "")
        case .fallback: return rule.isDenied ? "`default` is `deny`" : "`default`"
        case .host(let host, let port):
            let name = host.text(port: port)
            if rule.isDenied { return "\(name): no pattern matches, and `default` is `deny`" }
            if rule.rule.isEmpty { return "\(name): no pattern matches; `default` decides" }
            return "\(name): rule `\(rule.rule)` decides"
        }
    }

    /// The profile and the profiles that it extends. Where a profile itself is shown, the headline
    /// has named it already.
    private static func layers(_ rule: EffectiveRule) -> String {
        let chain = rule.layers.map { "`\($0)`" }
        let farther = chain.dropFirst().map { "which extends \($0)" }.joined(separator: ", ")
        if case .profile = rule.subject { return farther }
        return "profile \(chain[0]), \(farther)"
    }

    private static func pattern(_ pattern: EffectiveRule.Pattern) -> String {
        let place = pattern.location.map { "  \($0.description)" } ?? ""
        guard pattern.outcome != .selected else { return "  selected by `\(pattern.text)`\(place)" }
        return "  lost         `\(pattern.text)` of rule `\(pattern.rule)`: "
            + CheckSentences.reason(pattern.outcome) + place
    }

    /// How many fields directly before a field have the same name: the members of an anchor set
    /// share a name.
    private static func memberNumber(at index: Int, of rule: EffectiveRule) -> Int {
        var start = index
        while start > 0, index - start < shown,
            rule.fields[start - 1].name == rule.fields[index].name
        {
            start -= 1
        }
        return index - start
    }
}
