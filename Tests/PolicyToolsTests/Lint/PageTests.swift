import Foundation
import JSONSchemaSupport
import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// The pages of the catalogue: each bad example has the page's code, and each good example has not.
@Suite("pages of the catalogue") struct PageTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Codes of policies. The pages of the others show files of allowances: `AllowanceFileTests`.
    static let ofPolicies = DiagnosticCode.allCases.filter {
        ![.diff, .base, .test, .assert, .import, .export].contains($0.finder)
    }

    @Test("bad has it", arguments: ofPolicies)
    func bad(_ code: DiagnosticCode) throws {
        // A file's name is not in its text: `MisnamedPolicyTests`.
        if code == .policyFileMisnamed { return }
        let result = PageExample(code.page.bad, of: code).lint()
        // What the compiler says of a whole set, the linter says of each certificate (HW312).
        let found =
            code == .anchorSetDeadEnd ? result.compilation.diagnostics : result.findings
        #expect(found.contains { $0.code == code }, "\(found.map { "\($0.code) \($0.message)" })")
    }

    @Test("good has not, and compiles", arguments: ofPolicies)
    func good(_ code: DiagnosticCode) throws {
        let found = PageExample(code.page.good, of: code).findings()
        let wrong = found.filter { $0.code == code || $0.severity == .error }
        #expect(wrong.isEmpty, "\(wrong.map { "\($0.code) \($0.message)" })")
    }

    /// `UPDATE_GOLDEN=1` writes it.
    @Test("the page for reading is made of them")
    func markdown() throws {
        let page = Self.root.appending(path: "grammar/diagnostics.md")
        let text = RulePage.markdown(DiagnosticCode.allCases)
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(text.utf8).write(to: page)
        }
        #expect(try String(contentsOf: page, encoding: .utf8) == text)
    }

    @Test("JSON is of its schema")
    func json() throws {
        let path = Self.root.appending(path: "grammar/rules.schema.json")
        let schema = try JSONSchema(text: String(contentsOf: path, encoding: .utf8))
        let text = RulePage.json(DiagnosticCode.allCases)
        #expect(try schema.violations(of: JSONDocument(text: text)) == [])
    }

    @Test("each rule is there once, in the order of the codes, and is the linter's own")
    func registry() {
        let codes = LintRules.all.map(\.code.rawValue)
        #expect(codes == codes.sorted())
        // HW008 is a check's; the linter adds a warning of the same thing.
        #expect(
            LintRules.all.allSatisfy {
                $0.code.isOfLint || [.encoding, .weakerThanBase, .untestedRule].contains($0.code)
            })
        let found = Set(LintRules.all.map(\.code) + LintRules.ofSuppressions)
        for code in DiagnosticCode.allCases where code.isOfLint {
            #expect(found.contains(code), "no rule finds \(code.rawValue)")
        }
    }
}

/// A part of a policy, as a page shows it, made whole: names without a definition get one.
private struct PageExample {
    let text: String
    let code: DiagnosticCode

    init(_ part: String, of code: DiagnosticCode) {
        self.code = code
        var text = part.replacing("\\xEF\\xBB\\xBF", with: "\u{FEFF}")
        if !text.hasSuffix("\n") { text += "\n" }
        let first = text.prefix { $0 != ":" && $0 != "\n" }
        if ["waivers", "note"].contains(first) {
            text = PageExample.rule + PageExample.indented(text)
        }
        if code != .noVersion, !PageExample.has("hawser", text), !text.hasPrefix("\u{FEFF}") {
            text = "hawser: 1\n" + text
        }
        if !PageExample.has("default", text) { text += "default: deny\n" }
        for (section, name, body) in PageExample.definitions
        where text.contains("\(section): [\(name)") || text.contains(", \(name)]") {
            let written = text.components(separatedBy: "\n\(section):\n").dropFirst().first
            guard written?.hasPrefix("  \(name):") != true else { continue }
            if PageExample.has(section, text) {
                text = text.replacing(
                    "\n\(section):\n", with: "\n\(section):\n  \(name): \(body)\n")
            } else {
                text += "\(section):\n  \(name): \(body)\n"
            }
        }
        self.text = text
    }

    private static let rule = """
        rules:
          api:
            hosts: ["api.acme.example"]
            anchors: [system]
            owner: web

        """

    private static let definitions = [
        ("anchors", "corporate", "{ files: [corporate.pem] }"),
        (
            "pins", "acme",
            "{ keys: { a: { spki-file: a.pem } }, backups: { b: { spki-file: b.pem } } }"
        ),
        (
            "pins", "lab",
            "{ keys: { c: { spki-file: c.pem } }, backups: { d: { spki-file: d.pem } } }"
        ),
        (
            "pins", "spare",
            "{ keys: { e: { spki-file: e.pem } }, backups: { f: { spki-file: f.pem } } }"
        ),
    ]

    private static func has(_ key: String, _ text: String) -> Bool {
        text.hasPrefix("\(key):") || text.contains("\n\(key):")
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
    }

    func findings() -> [Diagnostic] { lint().findings }

    func lint() -> LintResult {
        var files = [SourceFile(path: "a.policy.yaml", bytes: Array(text.utf8))]
        if code == .duplicateId, text.contains("likewise in b") {
            let second = text.replacing("default: deny\n", with: "")
            files.append(SourceFile(path: "b.policy.yaml", bytes: Array(second.utf8)))
        }
        let level: LintLevel = code.severity == .info ? .audit : .default
        return Linter.lint(
            PolicyUnit(files: files, resources: PageFiles(), isDirectory: false),
            MarkedLint.options(level), crypto: LibCryptoBackend())
    }
}

/// The files that pages name: a certificate of its own for each path; the name decides its kind.
private struct PageFiles: UnitResources {
    func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
        guard !path.contains("missing") else {
            throw ResourceError(code: .notFound, context: "there is no such file")
        }
        // A root that a rule knows by its key is the real one.
        if path.contains("isrg"), let real = try? Data(contentsOf: PageFiles.real(path)) {
            return [UInt8](real)
        }
        let pki = MarkedLint.pki
        if path.contains("log_list") {
            let logs = [TestLog("Alpha", of: "A"), TestLog("Beta", of: "B")]
            let issued: UTCInstant =
                path.contains("old")
                ? .at("2026-01-02")
                : path.contains("ageing") ? .at("2026-04-05") : .at("2026-05-30")
            return Array(TestLogList.json(logs, issued: issued).utf8)
        }
        let key: TestKey = path.contains("weak") ? .rsa1024("page-weak") : .p256("page-\(path)")
        let ca = pki.root("Acme Root", key: key) { recipe in
            if path.contains("expired") { recipe.notAfter = .at("2026-03-31T23:59:59Z") }
            if path.contains("ending") { recipe.notAfter = .at("2026-06-15") }
            if path.contains("code-only") {
                recipe.set(.extendedKeyUsage([OID.codeSigning]))
            }
            if path.contains("version-1") {
                recipe.version = 1
                recipe.extensions = []
            }
        }
        var text = ca.pem
        if path.contains("retired") {
            let (name, key) = ("Acme Retired Root", TestKey.p256("page-retired"))
            let issuer = pki.root("Acme Root", key: .p256("page-corporate.pem"))
            let isCross = path.contains("cross")
            text =
                (isCross
                ? issuer.issueCA(TestName(name), key: key)
                : pki.root(TestName(name), key: key)).pem
        }
        if path.contains("trusted") {
            let retired = pki.root("Acme Retired Root", key: .p256("page-retired"))
            text += PEMWriter.block(
                "TRUSTED CERTIFICATE", retired.der + TrustedUsesTests.uses(reject: [[3, 1]]))
        }
        if path.contains("issuing") {
            text = ca.issueCA("Acme Issuing", key: .p256("page-issuing")).pem
        }
        if path.contains("unmarked") {
            text =
                ca.issueCA("Acme Issuing", key: .p256("page-unmarked")) {
                    $0.extensions.append(
                        .nameConstraints(permitted: [.dns("acme.example")], critical: false))
                }.pem
        }
        if path.hasPrefix("acme-") {
            let issuing = pki.root("Acme Root", key: .p256("page-acme"))
                .issueCA("Acme Issuing", key: .p256("page-acme-issuing"))
            text =
                path.contains("issuing")
                ? issuing.pem
                : issuing.issueLeaf(dns: ["api.acme.example"], key: .p256("page-\(path)")).pem
            return Array(text.utf8)
        }
        if path.contains("server") { text = ca.issueLeaf(dns: ["www.acme.example"]).pem }
        if path.contains("with-key") {
            text += "-----BEGIN PRIVATE KEY-----\nMAoCAQAwBQYDK2Vw\n-----END PRIVATE KEY-----\n"
        }
        return Array(text.utf8)
    }

    private static func real(_ path: String) -> URL {
        PageTests.root.appending(path: "policies/generation-y/anchors/\(path)")
    }

    func list(_ folder: String) throws(ResourceError) -> [String] { ["a.pem"] }
}
