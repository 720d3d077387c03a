import PolicyReading
package import TrustEngine

/// Writes `inspect` as text and as JSON: the contents of a table file. Text from policies and
/// certificates is escaped line by line.
package struct TableText {
    private let table: PolicyTable
    private let envelope: TableEnvelope?
    private let contents: PolicyContents
    private let hasProvenance: Bool
    private let places: PlaceFinder
    private let sets: EffectiveSets
    /// The fields of a rule that writes nothing itself.
    private let usual: Set<Value>

    /// The text of a table; each line ends with a line feed. Of each rule, the text names only the
    /// fields that differ from the baseline.
    package static func render(
        _ table: PolicyTable, _ envelope: TableEnvelope? = nil, crypto: any CryptoBackend
    ) -> String {
        TableText(table, envelope, crypto).text().map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    /// The JSON of a table by `grammar/inspect.schema.json`, ended by a line feed.
    package static func renderJSON(
        _ table: PolicyTable, _ envelope: TableEnvelope? = nil, crypto: any CryptoBackend
    ) -> String {
        TableText(table, envelope, crypto).json().render(pretty: true) + "\n"
    }

    private init(
        _ table: PolicyTable, _ envelope: TableEnvelope?, _ crypto: any CryptoBackend
    ) {
        let provenance = table.provenance()
        self.table = table
        self.envelope = envelope
        self.contents = table.contents()
        self.hasProvenance = provenance != nil
        self.places = PlaceFinder(provenance: provenance, profile: "baseline")
        // JSON names a place once for each thing, not for each field.
        self.sets = EffectiveSets(
            contents, places: PlaceFinder(provenance: nil, profile: "baseline"),
            crypto: crypto)
        let baseline = RuleBody(
            anchors: [], pins: [], profile: "baseline", requirements: Requirements(),
            identity: IdentityRequirement(), waivers: [], owner: nil, note: nil)
        self.usual = Set(TableText.fields(of: baseline).map { Value($0) })
    }

    // MARK: Text

    private func text() -> [String] {
        var lines = [
            "policy digest \(table.policyDigest.text)",
            "file digest \(table.fileDigest.text)",
            "\(table.bytes.count) octets, provenance \(hasProvenance ? "present" : "dropped")",
        ]
        if let envelope {
            lines.append("revision \(envelope.revision)")
            lines += TableEnvelope.lines(of: envelope.terms)
            lines += envelope.signatures.map {
                "signature of key \($0.keyID.text), "
                    + (envelope.verified.contains($0.keyID) ? "verified" : "not verified")
            }
        }
        lines.append("")
        switch contents.defaultRule {
        case .deny: lines.append("default: deny")
        case .body(let body): lines += rule("default", [], body, places.rule(""))
        }
        for item in contents.rules {
            lines += rule("rule `\(item.id)`", item.hosts, item.body, places.rule(item.id))
        }
        for set in contents.anchorSets {
            lines += named("anchors", set.id, sets.anchors(set.id))
        }
        for set in contents.pinSets { lines += named("pins", set.id, sets.pins(set.id)) }
        for list in contents.logLists {
            lines.append("log list \(list.digest.text), \(list.bytes.count) octets")
        }
        return lines
    }

    private func rule(
        _ title: String, _ hosts: [HostPattern], _ body: RuleBody,
        _ location: Provenance.Location?
    ) -> [String] {
        var rows: [(String, String)] = []
        if !hosts.isEmpty {
            rows.append(("hosts", FlowText.render(.strings(hosts.map(\.canonicalText)))))
        }
        rows.append(("anchors", FlowText.render(.strings(EffectiveFields.anchors(of: body)))))
        if !body.pins.isEmpty { rows.append(("pins", FlowText.render(.strings(body.pins)))) }
        rows.append(("profile", body.profile))
        let fields = TableText.fields(of: body)
        let unusual = Set(
            fields.filter { !usual.contains(TableText.Value($0)) }.map(TableText.topic(of:)))
        rows += fields.filter { unusual.contains(TableText.topic(of: $0)) }.map {
            ($0.name, $0.text())
        }
        return TableText.block(title, location, rows)
    }

    private func named(
        _ section: String, _ id: String, _ fields: [EffectiveRule.Field]
    ) -> [String] {
        let prefix = "\(section).\(id)"
        let rows = fields.map { field in
            let name = field.name.dropFirst(prefix.count)
            let key = name.isEmpty ? "source" : String(name.first == "." ? name.dropFirst() : name)
            return (key, field.text())
        }
        return TableText.block("\(section) `\(id)`", places.named(section, id), rows)
    }

    private static func block(
        _ title: String, _ location: Provenance.Location?, _ rows: [(String, String)]
    ) -> [String] {
        let width = min(40, rows.map { $0.0.count }.max() ?? 0)
        let head = title + (location.map { "  \($0.description)" } ?? "")
        return [head]
            + rows.map { name, value in
                "  \(name)\(String(repeating: " ", count: max(0, width - name.count)))  \(value)"
            }
    }

    /// The group that a field is shown with. Fields of one group are shown together or not at all:
    /// a preset means little without the causes that refine it.
    private static func topic(of field: EffectiveRule.Field) -> String {
        field.name.hasPrefix("revocation.causes.") ? "revocation.preset" : field.name
    }

    /// A field without its place.
    private struct Value: Hashable {
        let name: String
        let value: JSONValue

        init(_ field: EffectiveRule.Field) {
            name = field.name
            value = field.value
        }
    }

    private static func fields(of body: RuleBody) -> [EffectiveRule.Field] {
        let fields = EffectiveFields(
            base: "", own: .rule(""), places: PlaceFinder(provenance: nil, profile: body.profile))
        return fields.ownFields(of: body)
            + fields.profileFields(of: body.requirements, waivers: body.waivers)
    }

    // MARK: JSON

    private func json() -> JSONValue {
        let fallback: JSONValue
        switch contents.defaultRule {
        case .deny: fallback = .string("deny")
        case .body(let body): fallback = .object(ruleMembers(body))
        }
        let rules = contents.rules.map { item -> JSONValue in
            .object(
                [
                    "id": item.id, "location": JSONValue.location(places.rule(item.id)),
                    "hosts": item.hosts.map(\.canonicalText),
                ] + ruleMembers(item.body))
        }
        let logLists = contents.logLists.map { list -> JSONValue in
            .object(["digest": list.digest.text, "octets": list.bytes.count])
        }
        return .object([
            "schema": "hawser/inspect/1", "policyDigest": table.policyDigest.text,
            "fileDigest": table.fileDigest.text, "octets": table.bytes.count,
            "provenance": hasProvenance,
            "revision": TableText.text(envelope.map { String($0.revision) }),
            "issued": TableText.text(envelope?.terms?.issued.description),
            "expires": TableText.text(envelope?.terms?.expires?.description),
            "signatures": (envelope?.signatures ?? []).map { signature in
                JSONValue.object([
                    "key": signature.keyID.text,
                    "verified": envelope?.verified.contains(signature.keyID) == true,
                ])
            }, "default": fallback, "rules": rules,
            "anchorSets": contents.anchorSets.map(anchorSet),
            "pinSets": contents.pinSets.map(pinSet), "logLists": logLists,
        ])
    }

    private func ruleMembers(_ body: RuleBody) -> JSONMembers {
        [
            "anchors": EffectiveFields.anchors(of: body), "pins": body.pins,
            "profile": body.profile, "owner": TableText.text(body.owner),
            "note": TableText.text(body.note),
            "fields": TableText.fields(of: body).filter { $0.name != "owner" && $0.name != "note" }
                .map { JSONValue.object(["field": $0.name, "value": $0.value]) },
        ]
    }

    private func anchorSet(_ set: AnchorSetContents) -> JSONValue {
        .object([
            "id": set.id, "location": JSONValue.location(places.named("anchors", set.id)),
            "owner": TableText.text(set.owner), "note": TableText.text(set.note),
            "groups": set.groups.map(group),
            "intermediates": set.intermediates.map(sets.certificate),
        ])
    }

    private func group(_ group: AnchorGroup) -> JSONValue {
        var members: [[UInt8]] = []
        if case .members(let list) = group.source { members = list }
        return .object([
            "system": group.source == .system, "kind": group.kind.name,
            "standard": group.standard.name, "ignoreLimits": group.ignoredLimits.names,
            "constraints": group.constraints.map { JSONValue.members(EffectiveSets.parts(of: $0)) },
            "filters": group.filters.map { JSONValue.members(EffectiveSets.parts(of: [$0])) },
            "members": members.map(sets.certificate),
        ])
    }

    private func pinSet(_ set: PinSetContents) -> JSONValue {
        func entries(_ pins: [PinContents]) -> JSONValue {
            .array(
                pins.map { pin in
                    .object([
                        "id": pin.id, "at": pin.position.name, "digests": pin.matches.map(\.text),
                        "certificates": pin.certificates.map(sets.certificate),
                        "note": TableText.text(pin.note),
                    ])
                })
        }
        return .object([
            "id": set.id, "location": JSONValue.location(places.named("pins", set.id)),
            "owner": TableText.text(set.owner), "note": TableText.text(set.note),
            "match": set.match, "warnFrom": TableText.text(set.warnFrom?.description),
            "enforceUntil": TableText.text(set.enforceUntil?.description),
            "onExpiry": set.onExpiry.name, "keys": entries(set.keys),
            "backups": entries(set.backups),
        ])
    }

    /// A string, or null.
    private static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

/// The envelope of a table file, for `inspect`.
package struct TableEnvelope: Hashable, Sendable {
    /// The revision of the table.
    package let revision: UInt64
    /// When the table was issued and until when it may be used; nil where the envelope states
    /// neither.
    package let terms: TableTerms?
    /// All signatures in the envelope.
    package let signatures: [TableSignature]
    /// Ids of the keys whose signatures were verified.
    package let verified: Set<Digest>

    /// Makes the description of an envelope.
    package init(
        revision: UInt64, terms: TableTerms?, signatures: [TableSignature], verified: Set<Digest>
    ) {
        self.revision = revision
        self.terms = terms
        self.signatures = signatures
        self.verified = verified
    }

    /// The lines about the terms of a table; none where it states none.
    package static func lines(of terms: TableTerms?) -> [String] {
        guard let terms else { return [] }
        return ["issued \(terms.issued)"] + (terms.expires.map { ["expires \($0)"] } ?? [])
    }
}
