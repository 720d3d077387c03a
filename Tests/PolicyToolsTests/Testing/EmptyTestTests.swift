import Foundation
import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import Testing
import TrustEngine

/// HW802: its page, its example in `policies/invalid`, and what a policy makes impossible.
@Suite("tests that cannot test what they say")
struct EmptyTestTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let policy = """
        hawser: 1
        default: deny
        rules:
          api:
            hosts: ["api.acme.example", "*.api.acme.example"]
            anchors: [system]
            owner: web
          web:
            hosts: ["**.acme.example"]
            anchors: [system]
            owner: web

        """

    private static func tester(_ text: String, name: String = "policy.test.yaml") throws
        -> PolicyTester
    {
        let crypto = LibCryptoBackend()
        let unit = PolicyUnit(
            files: [SourceFile(path: "policy.yaml", bytes: Array(policy.utf8))],
            resources: FilesInMemory(files: [:]), isDirectory: true)
        let table = try #require(CompilerPipeline.compile(unit, crypto: crypto).table)
        let suite = TestFile.read(
            SourceFile(path: name, bytes: Array(text.utf8)), resources: unit.resources,
            crypto: crypto)
        return PolicyTester(
            table, suites: [suite], resources: unit.resources, below: "", crypto: crypto)
    }

    static let codes = DiagnosticCode.allCases.filter { $0.finder == .test }

    /// What `lint` says of the policy with a test file beside it.
    private static func lint(_ text: String, name: String = "policy.test.yaml") -> LintResult {
        let unit = PolicyUnit(
            files: [SourceFile(path: "policy.yaml", bytes: Array(policy.utf8))],
            resources: FilesInMemory(files: [:]), isDirectory: true)
        var options = LintOptions(time: MarkedLint.time)
        options.level = .audit
        options.selected = Set(codes)
        options.tests = LintedTests(
            [SourceFile(path: name, bytes: Array(text.utf8))], resources: unit.resources)
        return Linter.lint(unit, options, crypto: LibCryptoBackend())
    }

    @Test("what a page calls bad is refused by its code alone, and what it calls good passes")
    func pages() throws {
        for code in Self.codes {
            let bad = Self.lint(code.page.bad)
            let found = bad.findings + bad.testFiles.flatMap(\.findings)
            let codes = found.map(\.code)
            #expect(codes == [code])
            let good = Self.lint(code.page.good)
            let clean = good.findings + good.testFiles.flatMap(\.findings)
            let again = clean.filter { $0.code == code }
            #expect(again.isEmpty)
            let tester = try Self.tester(code.page.good)
            let failed = tester.run(on: OneWorker()).filter { !$0.passes }
            #expect(failed.isEmpty)
            let isBroken = try Self.tester(code.page.bad).files[0].isBroken
            #expect(isBroken == (code.severity == .error))
        }
    }

    @Test("each example is printed as expected", arguments: codes)
    func examples(_ code: DiagnosticCode) throws {
        let folder = Self.root.appending(path: "policies/invalid")
        let path = "\(code.rawValue).yaml"
        let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        let result = Self.lint(text, name: path)
        var report = FindingReport()
        report.add(result, below: "")
        #expect(Set(report.findings.map(\.code)) == [code])
        let page = LintDocument.text(report.findings, files: report.files, colour: .plain)
        let golden = folder.appending(path: "\(code.rawValue).txt")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(page.utf8).write(to: golden)
        }
        #expect(page == (try String(contentsOf: golden, encoding: .utf8)))
    }

    @Test(
        "a name that the policy does not have is told at the name",
        arguments: [
            ("rule: appi", "no rule `appi`; did you mean `api`"),
            ("rule: default", "`default` is `deny`"),
            ("pattern: \"*.acme.example\"", "no rule of the policy has the pattern"),
            ("pattern: \"*.api.acme.example\"", "does not match `api.acme.example`"),
            ("rule: web, pattern: \"api.acme.example\"", "does not have the pattern"),
            ("anchors: [sistem]", "no anchor set `sistem`; did you mean `system`"),
            ("pins: [a]", "no pin set `a`"),
            ("anchors.corp.kind: root", "no anchor set `corp`"),
            ("anchors.system.kinds: root", "has no field `anchors.system.kinds`"),
            ("pins.pay.match: any", "no pin set `pay`"),
            ("report-only.attested: none", "no check `attested`"),
            ("forbidden-keys.old: none", "no forbidden key `old`"),
            ("revocation.preset: often", "takes one of"),
            ("keys.rsa-minimum: 10", "takes a number from"),
            ("validity.maximum-lifetime: soon", "takes a duration"),
            ("keys.types: rsa", "takes a list of"),
            ("keys.types: [dsa]", "takes a list of"),
            ("waivers.expired: yes-please", "takes a map"),
            ("identity.reference: nobody", "takes one of"),
        ])
    func impossible(_ expectation: String, _ words: String) throws {
        let file = try Self.tester(
            """
            hawser-test: 1
            at: 2026-06-01
            cases:
              one:
                host: api.acme.example
                expect: { \(expectation) }

            """
        ).files[0]
        #expect(file.isBroken && file.cases.isEmpty)
        #expect(
            file.diagnostics.contains { $0.code == .emptyTest && $0.message.contains(words) },
            "\(file.diagnostics.map(\.message))")
    }

    @Test("a case without a clock, and a chain without a store, are refused")
    func missing() throws {
        let file = try Self.tester(
            """
            hawser-test: 1
            cases:
              no-clock:
                host: api.acme.example
                expect: { rule: api }
              no-store:
                host: api.acme.example
                at: 2026-06-01
                tls: none
                expect: { violations: [cleartext] }

            """
        ).files[0]
        #expect(
            file.diagnostics.map(\.message).map { $0.prefix(30) } == [
                "case `no-clock` has no clock, ", "the policy names `system`, but",
            ])
    }

    /// The same outcomes on one thread or several, and only the cases that hold to what a mutant
    /// changes notice it.
    @Test func noticing() throws {
        let tester = try Self.tester(
            """
            hawser-test: 1
            at: 2026-06-01
            cases:
              the-owner:
                host: api.acme.example
                expect: { owner: web }
              the-rule:
                host: api.acme.example
                expect: { rule: api }
              another:
                host: www.acme.example
                expect: { rule: web, pattern: "**.acme.example" }

            """)
        let outcomes = tester.run(on: OneWorker())
        #expect(outcomes.map(\.passes) == [true, true, true])
        #expect(tester.noticing(tester.table, outcomes: outcomes) == [])
        var contents = tester.table.contents()
        contents.rules.removeAll { $0.id == "api" }
        let mutant = PolicyTable.encode(contents, provenance: nil, crypto: LibCryptoBackend())
        #expect(tester.noticing(mutant, outcomes: outcomes) == ["the-rule"])
    }

    @Test(
        "names match globs",
        arguments: [
            ("*", "any", true), ("a*c", "abc", true), ("a*c", "abcd", false), ("a?c", "abc", true),
            ("a?c", "ac", false), ("*-pin-*", "a-pin-b", true), ("**", "", true), ("", "", true),
            ("", "a", false), ("a*b*c", "aXbYbZc", true), ("[a]", "a", false),
        ])
    func globs(_ glob: String, _ name: String, _ matches: Bool) {
        #expect(TestGlob(glob).matches(name) == matches)
    }
}
