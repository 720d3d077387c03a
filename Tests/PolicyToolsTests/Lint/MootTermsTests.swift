import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// HW319 and HW320: terms of a set that another set of the rule undoes.
@Suite("lint: terms that another set undoes") struct MootTermsTests {
    private static let bundle: [UInt8] = Array(
        (MarkedLint.root.pem + MarkedLint.otherRoot.pem).utf8)
    private static let window = "constraints: { not-before: { until: 2026-04-15 } }"

    private static func expect(
        _ sets: [String], anchors: String, rule: String = "", level: LintLevel = .default,
        says phrases: [String] = [], without codes: Set<DiagnosticCode> = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let text = """
            hawser: 1
            default: deny
            anchors:
            \(sets.map { "  \($0)\n" }.joined())rules:
              api:
                hosts: ["api.acme.example"]
                anchors: \(anchors)
                owner: web
            \(rule)
            """
        let codes = codes.union([.untestedRule, .duplicateAnchor, .notFormatted])
        MarkedLint(text).expect(
            MarkedLint.options(level), files: ["all.pem": bundle], says: phrases, without: codes,
            sourceLocation: sourceLocation)
    }

    @Test(
        "HW319: constraints and a standard beside the same CA without them",
        arguments: [
            window, "constraints: { permitted-names: [\"**.corp.example\"] }",
            "constraints: { maximum-lifetime: 30d }", "standard: web-pki",
        ])
    func terms(_ terms: String) {
        let sets = ["all: { files: [all.pem] }", "limited: { files: [corp.pem], \(terms) }"]
        let key = terms.hasPrefix("standard") ? "standard: web-pki" : "constraints."
        for anchors in ["[all, «HW319:limited»]", "[«HW319:limited», all]"] {
            Self.expect(
                sets, anchors: anchors,
                says: [
                    key, "decides nothing in `api`: `all` holds `CN=Acme Root` without it",
                    "`include: [all]` and `exclude: { apart: { spki: sha256/",
                ], without: [.nameConstraintsExclude])
        }
        Self.expect(
            sets, anchors: "[limited]", without: [.nameConstraintsExclude, .unusedDefinition])
    }

    @Test("HW319: wider constraints undo narrower ones; others beside them do not")
    func widerConstraints() {
        let limited = "limited: { files: [corp.pem], \(Self.window) }"
        Self.expect(
            [
                "all: { files: [all.pem], constraints: { not-before: { until: 2027-04-15 } } }",
                limited,
            ],
            anchors: "[all, «HW319:limited»]")
        Self.expect(
            ["all: { files: [all.pem], constraints: { maximum-lifetime: 90d } }", limited],
            anchors: "[all, limited]")
        // Equal terms, and another CA.
        Self.expect(
            ["all: { files: [all.pem], \(Self.window) }", limited], anchors: "[all, limited]")
        Self.expect(["all: { files: [other.pem] }", limited], anchors: "[all, limited]")
    }

    @Test("HW319: an exclusion beside the same CA; not one that gives the CA terms of its own")
    func exclusion() {
        let rest = "rest: { include: [all], exclude: { corp: { certificate-file: corp.pem } } }"
        Self.expect(
            ["all: { files: [all.pem] }", rest], anchors: "[all, «HW319:rest»]",
            says: ["`exclude` of `corp` of `rest` decides nothing in `api`: `all` holds"])
        Self.expect(
            [
                "all: { files: [all.pem] }", rest,
                "limited: { files: [corp.pem], \(Self.window) }",
            ], anchors: "[rest, limited]")
    }

    @Test("HW320: the machine's store may hold the CA, unless it is excluded there")
    func system() {
        let limited = "limited: { files: [corp.pem], \(Self.window) }"
        Self.expect([limited], anchors: "[system, limited]")
        Self.expect(
            [limited], anchors: "[system, «HW320:limited»]", level: .audit,
            says: [
                "if the machine's store holds `CN=Acme Root`, `constraints.not-before` of `limited`"
            ])
        let store =
            "store: { include: [system], exclude: { apart: { certificate-file: corp.pem } } }"
        Self.expect([limited, store], anchors: "[store, limited]", level: .audit)
    }
}
