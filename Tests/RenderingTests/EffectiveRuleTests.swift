import Foundation
import JSONSchemaSupport
import Rendering
import Testing
import TrustEngine

@Suite("show")
struct EffectiveRuleTests {
    private static let rule = WholeLanguageSample.host("a.pay.example")

    private static func text(_ rule: EffectiveRule) -> String {
        TextWriter.write(
            RuleDocument.document(rule, isWhole: true, command: "", version: ""))
    }

    /// The lines of the text, each with its runs of blanks made one.
    private static let lines = Set(
        EffectiveRuleTests.text(rule).split(separator: "\n").map { line in
            line.split(separator: " ").joined(separator: " ")
        })

    @Test(
        "a field stands with its value, its place and the layer that wrote it",
        arguments: [
            #"hosts ["**.pay.example:8443", "*.pay.example"] p.yaml:71:3 (rule `pay`)"#,
            "anchors [corp, public] p.yaml:72:3 (rule `pay`)",
            "anchors.corp 1 certificate p.yaml:20:3",
            "anchors.corp.kind root p.yaml:20:3 (by default)",
            "anchors.corp.ignore-limits [dates] p.yaml:22:3",
            #"anchors.corp.constraints.permitted-names ["**.pay.example"] p.yaml:23:3"#,
            "anchors.corp.constraints.not-before { until: 2026-12-31T23:59:59Z } p.yaml:24:3",
            "anchors.corp.owner pki p.yaml:26:3",
            "anchors.public.include [corp, system] p.yaml:31:3",
            "anchors.public[1] 1 certificate p.yaml:20:3 (included `corp`)",
            "anchors.public[1].ignore-limits [dates] p.yaml:22:3 (included `corp`)",
            "anchors.public[1].constraints[1].maximum-lifetime 30d p.yaml:33:3",
            "anchors.public[2] the machine's trust store where the table is loaded p.yaml:31:3 (included `system`)",
            "anchors.public[2].standard web-pki p.yaml:31:3 (included `system`)",
            "anchors.public[2].exclude [sha256/CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg=] p.yaml:32:3",
            "pins.pay.match any p.yaml:40:3 (by default)",
            "pins.pay.enforce-until 2027-06-30T23:59:59Z p.yaml:43:3",
            "pins.pay.on-expiry report p.yaml:44:3",
            "profile suite p.yaml:74:3 (rule `pay`)",
            "identity.reference host-and-listed p.yaml:75:3 (rule `pay`)",
            "report-only.pins { until: 2027-02-28T23:59:59Z } p.yaml:76:3 (rule `pay`, by `report-only.all`)",
            #"waivers.expired { tolerance: 14d, reason: "vendor renews, in May", owner: payments, until: 2027-05-31T23:59:59Z, ticket: SEC-812 } p.yaml:77:3 (rule `pay`)"#,
            "path.certificate-policies [2.23.140.1.2.2] built-in profile `baseline`",
            "path.explicit-policy required built-in profile `baseline`",
            "keys.types [p256] p.yaml:51:3 (profile `suite`)",
            "keys.leaf-types [p256] p.yaml:51:3 (profile `suite`, by `keys.types`)",
            "keys.rsa-minimum 2048 built-in profile `ats`",
            "validity.maximum-lifetime 398d p.yaml:66:3 (profile `org`, which `suite` extends)",
            "validity.lifetime-steps [{ issued-from: 2026-03-15T00:00:00Z, maximum: 200d }] p.yaml:53:3 (profile `suite`)",
            // The preset of a nearer layer covers the cause that a farther layer wrote.
            "revocation.causes.unreachable fail p.yaml:54:3 (profile `suite`, by `revocation.preset`)",
            "revocation.causes.stale report p.yaml:79:3 (rule `pay`)",
            "revocation.maximum-age 26h built-in profile `baseline`",
            "transparency.minimum-scts 3 p.yaml:80:3 (rule `pay`)",
            "transparency.minimum-operators as `chrome` says p.yaml:64:3 (profile `org`, which `suite` extends, by `transparency.preset`)",
            "tls.forward-secrecy required built-in profile `ats`",
            "tls.alpn [h2] built-in profile `baseline`",
            "forbidden-keys.distrusted { spki: sha256/BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=, not-before: { from: 2026-10-01T00:00:00Z } } p.yaml:61:3 (profile `org`, which `suite` extends)",
            "checks [attestation] built-in profile `baseline`",
        ])
    func field(_ line: String) {
        #expect(Self.lines.contains(line))
    }

    @Test("a waived revocation is disabled, to its last second")
    func waivedRevocation() {
        #expect(
            Self.lines.contains(
                "revocation.preset disabled (until 2027-01-31T23:59:59Z, then require) "
                    + "p.yaml:78:3 (rule `pay`, by `waivers.revocation`)"))
    }

    @Test("report-only of a profile is covered by the rule's `all`")
    func reportOnly() {
        let origin = Self.rule.fields.first { $0.name == "report-only.lifetime" }?.origin
        #expect(origin?.by == "report-only.all")
    }

    @Test("every field of section 8 stands once, in the order of the language")
    func order() {
        let names = Self.rule.fields.dropFirst(Self.rule.ruleFieldCount).map(\.name)
        #expect(Set(names).count == names.count)
        // Each entry of `forbidden-keys` is a field of its own.
        let entries = names.filter { $0.hasPrefix("forbidden-keys.") }
        let fields = ProfileField.allCases.filter { $0 != .forbiddenKeys }.map(\.rawValue)
        #expect(names.filter { !entries.contains($0) } == fields)
        #expect(entries.count == 2)
    }

    @Test("the flat form has a line for each field and neither places nor hosts")
    func flat() {
        let flat = RuleFields.renderFlat(Self.rule)
        let lines = flat.split(separator: "\n")
        #expect(lines.count == Self.rule.fields.count + 1)
        #expect(lines.first == "rule: pay")
        #expect(!flat.contains("p.yaml"))
        #expect(!flat.contains("a.pay.example"))
        #expect(flat == RuleFields.renderFlat(WholeLanguageSample.host("b.pay.example")))
        #expect(flat != RuleFields.renderFlat(WholeLanguageSample.host("c.example")))
    }

    @Test("pinned keys as anchors, and free text that must not break a line")
    func fallback() {
        let rule = EffectiveRule(
            defaultOf: WholeLanguageSample.table, crypto: WholeLanguageSample.crypto)
        let flat = RuleFields.renderFlat(rule)
        #expect(flat.hasPrefix("default: body\nanchors: [pinned-keys]\npins: [pay]\n"))
        #expect(flat.contains("\nnote: line one\\nline two\n"))
        #expect(
            EffectiveRuleTests.text(rule).contains("p.yaml:3:3 (`default`)"))
    }

    @Test("JSON is as the schema says", arguments: ["a.pay.example", "elsewhere.example"])
    func json(_ host: String) throws {
        let document = try JSONDocument(
            text: RuleFields.renderJSON(WholeLanguageSample.host(host)))
        #expect(try Self.schema("show").violations(of: document) == [])
        #expect(document["layers"]?.items.last == .string("baseline"))
    }

    @Test("without provenance every layer is unknown and every value stays")
    func dropped() throws {
        let table = WholeLanguageSample.table.withoutProvenance(crypto: WholeLanguageSample.crypto)
        let rule = EffectiveRule(
            table: table, host: .name("a.pay.example"), port: 443,
            crypto: WholeLanguageSample.crypto)
        #expect(rule.fields.allSatisfy { $0.origin.layer == .unknown })
        #expect(rule.fields.contains { $0.name == "keys.types" && $0.text() == "[p256]" })
        let document = try JSONDocument(text: RuleFields.renderJSON(rule))
        #expect(try Self.schema("show").violations(of: document) == [])
    }

    @Test("inspect holds everything, as text and as its schema says")
    func inspect() throws {
        let table = WholeLanguageSample.table
        let text = TableText.render(table, crypto: WholeLanguageSample.crypto)
        for part in [
            "waivers.revocation", "report-only.pins", "revocation.causes.stale", "[2].exclude",
            "constraints.permitted-names", "intermediates", "forbidden-keys.stolen",
            "log list sha256:0909", "certificates: [sha256:", "[pinned-keys]",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        // Values of the baseline are not repeated.
        #expect(!text.contains("path.any-policy"))
        let document = try JSONDocument(
            text: TableText.renderJSON(table, crypto: WholeLanguageSample.crypto))
        #expect(try Self.schema("inspect").violations(of: document) == [])
        #expect(document["logLists"]?.items.count == 1)
    }

    private static func schema(_ name: String) throws -> JSONSchema {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let path = root.appending(path: "grammar/\(name).schema.json")
        return try JSONSchema(text: String(contentsOf: path, encoding: .utf8))
    }
}
