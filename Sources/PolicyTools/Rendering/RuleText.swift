import TrustEngine

/// `show` as text and as JSON.
package enum RuleText {
    /// The text of a flattened rule, lines ended by line feeds.
    package static func render(_ rule: EffectiveRule) -> String {
        var lines = [headline(rule)]
        if let location = rule.location { lines[0] += "  \(location.description)" }
        for pattern in rule.patterns {
            let place = pattern.location.map { "  \($0.description)" } ?? ""
            let words =
                pattern.outcome == .selected
                ? "selected by `\(pattern.text)`"
                : "lost         `\(pattern.text)` of rule `\(pattern.rule)`: "
                    + CheckSentences.reason(pattern.outcome)
            lines.append("  \(words)\(place)")
        }
        if let owner = rule.owner { lines.append("  owner \(owner)") }
        if let note = rule.note { lines.append("  note \(note)") }
        if !rule.fields.isEmpty { lines.append("") }
        let nameWidth = min(40, rule.fields.map { $0.name.count }.max() ?? 0)
        let valueWidth = min(36, rule.fields.map { $0.value.count }.max() ?? 0)
        for field in rule.fields {
            let value = padded(field.value, valueWidth)
            lines.append(
                "  \(padded(field.name, nameWidth))  \(value)  \(field.place.text ?? "")")
        }
        lines.append("")
        lines.append("policy \(rule.policyDigest.text)")
        return lines.map { TerminalEscape.escape(trimmed($0)) + "\n" }.joined()
    }

    /// The JSON of a flattened rule, ended by a line feed.
    package static func renderJSON(_ rule: EffectiveRule) -> String {
        let patterns = rule.patterns.map { pattern -> JSONValue in
            .members([
                ("pattern", .string(pattern.text)), ("rule", .string(pattern.rule)),
                ("outcome", .string(pattern.outcome.rawValue)),
                ("location", location(pattern.location)),
            ])
        }
        let fields = rule.fields.map { field -> JSONValue in
            .members([
                ("field", .string(field.name)), ("value", .string(field.value)),
                ("place", place(field.place)),
            ])
        }
        return JSONValue.members([
            ("schema", .string("hawser/show/1")),
            ("host", .string(rule.host.text)), ("port", .whole(rule.port)),
            ("policyDigest", .string(rule.policyDigest.text)),
            ("rule", .string(rule.rule)), ("denied", .bool(rule.isDenied)),
            ("location", location(rule.location)), ("profile", .string(rule.profile)),
            ("owner", rule.owner.map { .string($0) } ?? .null),
            ("note", rule.note.map { .string($0) } ?? .null),
            ("patterns", .array(patterns)), ("fields", .array(fields)),
        ]).render(pretty: true) + "\n"
    }

    private static func headline(_ rule: EffectiveRule) -> String {
        let host = rule.host.text
        let name = "\(host.contains(":") ? "[\(host)]" : host):\(rule.port)"
        if rule.isDenied { return "\(name): no pattern matches, and `default` is `deny`" }
        if rule.rule.isEmpty { return "\(name): no pattern matches; `default` decides" }
        return "\(name): rule `\(rule.rule)` decides"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }

    private static func location(_ location: Provenance.Location?) -> JSONValue {
        guard let location else { return .null }
        return .members([
            ("file", .string(location.file)), ("line", .whole(location.line)),
            ("column", .whole(location.column)),
        ])
    }

    private static func place(_ place: PolicyPlace) -> JSONValue {
        switch place {
        case .written(let location, let layer):
            let name: String
            switch layer {
            case .rule: name = "rule"
            case .profile(let id): name = "profile \(id)"
            }
            return .members([
                ("layer", .string(name)), ("file", .string(location.file)),
                ("line", .whole(location.line)), ("column", .whole(location.column)),
            ])
        case .builtIn(let profile): return .members([("layer", .string("built-in \(profile)"))])
        case .unknown: return .members([("layer", .string("unknown"))])
        }
    }
}
