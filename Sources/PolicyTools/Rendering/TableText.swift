package import TrustEngine

/// `inspect` as text and as JSON: what a table file holds. Text of policies and certificates is
/// escaped line by line.
package enum TableText {
    /// The text of a table, lines ended by line feeds.
    package static func render(_ table: PolicyTable) -> String {
        let contents = table.contents()
        let provenance = table.provenance()
        var lines = [
            "policy digest \(table.policyDigest.text)",
            "file digest \(table.fileDigest.text)",
            "\(table.bytes.count) octets, provenance \(provenance == nil ? "dropped" : "present")",
            "",
        ]
        let places = PlaceFinder(provenance: provenance, profile: "baseline")
        switch contents.defaultRule {
        case .deny: lines.append("default: deny")
        case .body(let body): lines += rule("default", [], body, places.rule(""))
        }
        for item in contents.rules {
            lines += rule(
                "rule `\(item.id)`", item.hosts.map(\.canonicalText), item.body,
                places.rule(item.id))
        }
        for set in contents.anchorSets { lines += anchors(set, places) }
        for set in contents.pinSets { lines += pins(set, places) }
        return lines.map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    /// The JSON of a table as `grammar/inspect.schema.json` describes it, ended by a line feed.
    package static func renderJSON(_ table: PolicyTable) -> String {
        let contents = table.contents()
        let places = PlaceFinder(provenance: table.provenance(), profile: "baseline")
        let fallback: JSONValue
        switch contents.defaultRule {
        case .deny: fallback = .string("deny")
        case .body(let body): fallback = .members(ruleFields(body))
        }
        return JSONValue.members([
            ("schema", .string("hawser/inspect/1")),
            ("policyDigest", .string(table.policyDigest.text)),
            ("fileDigest", .string(table.fileDigest.text)),
            ("octets", .whole(table.bytes.count)),
            ("provenance", .bool(table.provenance() != nil)),
            ("default", fallback),
            (
                "rules",
                .array(
                    contents.rules.map { item in
                        .members(
                            [
                                ("id", .string(item.id)),
                                ("location", location(places.rule(item.id))),
                                ("hosts", .strings(item.hosts.map(\.canonicalText))),
                            ] + ruleFields(item.body))
                    })
            ),
            ("anchorSets", .array(contents.anchorSets.map { anchorsJSON($0, places) })),
            ("pinSets", .array(contents.pinSets.map { pinsJSON($0, places) })),
        ]).render(pretty: true) + "\n"
    }

    // MARK: Text

    private static func rule(
        _ title: String, _ hosts: [String], _ body: RuleBody, _ location: Provenance.Location?
    ) -> [String] {
        var lines = ["\(title)\(location.map { "  \($0.description)" } ?? "")"]
        if !hosts.isEmpty { lines.append("  hosts    \(hosts.joined(separator: ", "))") }
        lines.append("  anchors  \(body.anchors.joined(separator: ", "))")
        if !body.pins.isEmpty { lines.append("  pins     \(body.pins.joined(separator: ", "))") }
        lines.append("  profile  \(body.profile)")
        for waiver in body.waivers {
            lines.append("  waiver   \(name(of: waiver)) until \(waiver.until)")
        }
        return lines
    }

    private static func anchors(_ set: AnchorSetContents, _ places: PlaceFinder) -> [String] {
        let place = places.named("anchors", set.id).map { "  \($0.description)" } ?? ""
        var lines: [String] = []
        for group in set.groups {
            switch group.source {
            case .system:
                lines.append(
                    "anchors `\(set.id)`: the machine's trust store where the table is loaded")
            case .members(let members):
                let kind = EffectiveFields.name(of: group.kind)
                lines.append(
                    "anchors `\(set.id)`: \(kind), judged by \(group.standard.name)\(place)")
                lines += members.map { "  \(subject(of: $0))" }
            }
        }
        return lines
    }

    private static func pins(_ set: PinSetContents, _ places: PlaceFinder) -> [String] {
        let place = places.named("pins", set.id).map { "  \($0.description)" } ?? ""
        let until = set.enforceUntil.map { ", enforced until \($0)" } ?? ""
        var lines = ["pins `\(set.id)`: \(set.match) must match\(until)\(place)"]
        for (section, pins) in [("key", set.keys), ("backup", set.backups)] {
            for pin in pins {
                let digests = pin.matches.map(\.text).joined(separator: ", ")
                lines.append("  \(section) `\(pin.id)` at \(pin.position.name): \(digests)")
            }
        }
        return lines
    }

    private static func subject(of der: [UInt8]) -> String {
        do throws(CertificateError) {
            let certificate = try Certificate(der: der)
            let subject = ViolationSentences.shortened(certificate.subjectText, to: 200)
            return "\(subject), until \(certificate.notAfter)"
        } catch {
            return "unreadable: \(error.field): \(error.reason)"
        }
    }

    private static func name(of waiver: Waiver) -> String {
        waiver.tolerance.name
    }

    // MARK: JSON

    private static func ruleFields(_ body: RuleBody) -> [(String, JSONValue)] {
        let fields = EffectiveFields(
            base: "", places: PlaceFinder(provenance: nil, profile: body.profile)
        ).values(of: body)
        return [
            ("anchors", .strings(body.anchors)), ("pins", .strings(body.pins)),
            ("profile", .string(body.profile)),
            ("owner", body.owner.map { .string($0) } ?? .null),
            ("note", body.note.map { .string($0) } ?? .null),
            (
                "fields",
                .array(
                    fields.map {
                        .members([("field", .string($0.name)), ("value", .string($0.value))])
                    })
            ),
        ]
    }

    private static func anchorsJSON(_ set: AnchorSetContents, _ places: PlaceFinder) -> JSONValue {
        .members([
            ("id", .string(set.id)), ("location", location(places.named("anchors", set.id))),
            ("groups", .array(set.groups.map(groupJSON))),
        ])
    }

    private static func groupJSON(_ group: AnchorGroup) -> JSONValue {
        var members: [[UInt8]] = []
        if case .members(let list) = group.source { members = list }
        return .members([
            ("system", .bool(group.source == .system)),
            ("kind", .string(EffectiveFields.name(of: group.kind))),
            ("standard", .string(group.standard.name)),
            ("members", .strings(members.map(subject(of:)))),
        ])
    }

    private static func pinsJSON(_ set: PinSetContents, _ places: PlaceFinder) -> JSONValue {
        func entries(_ pins: [PinContents]) -> JSONValue {
            .array(
                pins.map { pin in
                    .members([
                        ("id", .string(pin.id)), ("at", .string(pin.position.name)),
                        ("digests", .strings(pin.matches.map(\.text))),
                    ])
                })
        }
        return .members([
            ("id", .string(set.id)), ("location", location(places.named("pins", set.id))),
            ("match", .whole(set.match)),
            ("warnFrom", set.warnFrom.map { .string($0.description) } ?? .null),
            ("enforceUntil", set.enforceUntil.map { .string($0.description) } ?? .null),
            ("onExpiry", .string(EffectiveFields.word(of: set.onExpiry))),
            ("keys", entries(set.keys)), ("backups", entries(set.backups)),
        ])
    }

    private static func location(_ location: Provenance.Location?) -> JSONValue {
        guard let location else { return .null }
        return .members([
            ("file", .string(location.file)), ("line", .whole(location.line)),
            ("column", .whole(location.column)),
        ])
    }
}
