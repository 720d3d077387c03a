import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing

/// Marks of shells and templates, which nothing expands: a finding where they are accepted, a help
/// where they are refused.
@Suite("lint: marks that nothing expands") struct NotExpandedTests {
    private static func policy(_ rule: String) -> MarkedLint {
        MarkedLint("hawser: 1\ndefault: deny\nrules:\n  api:\n\(rule)\n")
    }

    @Test("HW017: free texts, each once")
    func texts() {
        Self.policy(
            """
                hosts: ["api.acme.example"]
                anchors: [system]
                owner: «HW017:${TEAM}»
                note: «HW017:"made by {{ .chart }} for ${TEAM}"»
            """
        ).expect(says: ["`${TEAM}` is not expanded", "`{{ .chart }}` is not expanded"])
        Self.policy(
            """
                hosts: ["api.acme.example"]
                anchors: [system]
                owner: web
                note: "costs $5 {or less}, see $HOME and }}"
            """
        ).expect()
    }

    @Test("HW017: an ignore comment hides it")
    func ignored() {
        Self.policy(
            """
                hosts: ["api.acme.example"]
                anchors: [system]
                # hawser:ignore HW017 -- the note is about the template
                note: "set by ${CI}"
                owner: web
            """
        ).expect()
    }

    @Test(
        "a value that is refused gets the help, and no second finding",
        arguments: [
            ("hosts: [\"${HOST}\"]", "HW201"), ("hosts: [\"{{ .host }}\"]", "HW201"),
            ("hosts: [{{ .host }}]", "HW001"), ("hosts: ${HOSTS}", "HW102"),
            ("anchors: [\"${SET}\"]", "HW110"), ("anchors: ${SET}", "HW102"),
            ("profile: ${PROFILE}", "HW110"), ("report-only: {{ .report }}", "HW001"),
        ])
    func refused(_ field: String, _ code: String) throws {
        var fields = ["hosts: [\"api.acme.example\"]", "anchors: [system]", "owner: web"]
        let key = field.prefix { $0 != ":" }
        fields.removeAll { $0.hasPrefix(key) }
        let lines = (fields + [field]).map { "    " + $0 }.joined(separator: "\n")
        let result = Self.policy(lines).lint()
        let finding = try #require(result.findings.first { $0.help.contains(Placeholder.help) })
        #expect(finding.code.rawValue == code)
        #expect(!result.findings.contains { $0.code == .notExpanded })
        #expect(
            result.compilation.diagnostics.count { $0.help.contains(Placeholder.help) } == 1)
    }

    @Test("a file that cannot be read because of its mark")
    func files() throws {
        let result = MarkedLint(
            """
            hawser: 1
            default: deny
            anchors:
              corp: { files: ["${CA}.pem"], owner: pki }
            rules:
              api: { hosts: ["api.acme.example"], anchors: [corp], owner: web }

            """
        ).lint()
        let finding = try #require(result.findings.first { $0.help.contains(Placeholder.help) })
        #expect(finding.severity == .error)
    }

    @Test("a refused value names the space in it, and a fix writes the value without it")
    func space() throws {
        for (field, written) in [
            ("hosts: [\"api.acme.example\u{A0}\"]", "api.acme.example"),
            ("anchors: [\"system\u{202F}\"]", "system"),
        ] {
            var fields = ["hosts: [\"api.acme.example\"]", "anchors: [system]", "owner: web"]
            let key = field.prefix { $0 != ":" }
            fields.removeAll { $0.hasPrefix(key) }
            let lines = (fields + [field]).map { "    " + $0 }.joined(separator: "\n")
            let finding = try #require(Self.policy(lines).lint().findings.first)
            #expect(finding.severity == .error)
            let column =
                field.unicodeScalars.prefix { $0 != "\u{A0}" && $0 != "\u{202F}" }.count + 5
            #expect(finding.notes.contains { $0.contains("`U+") && $0.contains("7:\(column);") })
            #expect(finding.fix?.safety == .needsReview)
            #expect(finding.fix?.edits.first?.replacement == "\"\(written)\"")
        }
    }
}
