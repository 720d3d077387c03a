import Foundation
import JSONSchemaSupport
import PageSupport
import Testing

/// `hawser test` on a workshop's unit, `policy.test.yaml` beside its policy.
@Suite("hawser test")
struct TestCommandTests {
    private static func workshop(_ tests: String) throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write("unit/policy.test.yaml", tests)
        for file in ["chain.pem", "proxied.pem", "hostile.pem"] {
            try FileManager.default.copyItem(
                at: workshop.folder.appending(path: file),
                to: workshop.folder.appending(path: "unit/\(file)"))
        }
        return workshop
    }

    private static let passing = """
        hawser-test: 1
        at: 2026-06-01T12:00:00Z
        cases:
          the-api-is-pinned:
            host: api.acme.example
            expect:
              rule: api
              pattern: "api.acme.example"
              anchors: [acme]
              pins: [acme-api]
              keys.rsa-minimum: 3072
              pins.acme-api.enforce-until: 2027-06-30
          nobody-else:
            host: elsewhere.example
            expect: { rule: deny }
          its-chain:
            host: api.acme.example
            chain: chain.pem
            expect: { rule: api, verdict: accept, notices: [pin-ageing] }
          an-interceptor:
            host: api.acme.example
            chain: proxied.pem
            expect: { verdict: reject, violations: [pin-mismatch, anchor-not-trusted] }
          clear-text:
            host: api.acme.example
            tls: none
            expect: { violations: [cleartext] }

        """

    /// One wrong expectation of each kind.
    private static let failing = """
        hawser-test: 1
        at: 2026-06-01T12:00:00Z
        cases:
          wrong-rule:
            host: api.acme.example
            expect: { rule: bare }
          wrong-pattern:
            host: www.acme.example
            expect: { pattern: "**.acme.example" }
          wrong-field:
            host: api.acme.example
            expect: { keys.rsa-minimum: 2048 }
          wrong-default-field:
            host: www.acme.example
            expect: { tls.minimum-version: tls1.3 }
          wrong-anchors:
            host: api.acme.example
            expect: { anchors: [others] }
          wrong-pins:
            host: api.acme.example
            expect: { pins: none }
          wrong-date:
            host: api.acme.example
            expect: { pins.acme-api.enforce-until: 2027-12-31 }
          wrong-accept:
            host: api.acme.example
            chain: proxied.pem
            expect: { verdict: accept }
          wrong-reject:
            host: api.acme.example
            chain: chain.pem
            expect: { verdict: reject }
          wrong-violation:
            host: api.acme.example
            chain: proxied.pem
            expect: { violations: [expired] }
          wrong-notice:
            host: api.acme.example
            chain: chain.pem
            expect: { verdict: accept, notices: none }
          wrong-at-that-time:
            host: api.acme.example
            at: 2030-01-01
            chain: chain.pem
            expect: { verdict: accept }
          right:
            host: api.acme.example
            expect: { rule: api }

        """

    @Test func everyCasePasses() throws {
        let workshop = try Self.workshop(Self.passing)
        let run = try workshop.run("test", "unit")
        #expect(run.status == 0)
        try expectGolden("test/passing", run)
        let inside = try CommandRun(["test"], in: workshop.folder.appending(path: "unit"))
        #expect(inside.status == 0 && inside.output.hasSuffix("5 cases, 0 failed, 1 file\n"))
    }

    @Test func eachKindOfWrongExpectation() throws {
        let workshop = try Self.workshop(Self.failing)
        let run = try workshop.run("test", "unit")
        #expect(run.status == 1)
        try expectGolden("test/failing", run)
        for jobs in ["1", "2", "7"] {
            let other = try workshop.run("test", "unit", "--jobs", jobs)
            #expect(other.output == run.output && other.status == 1)
        }
    }

    /// Every command that a failure shows runs, and says what the case says.
    @Test func theCommandsOfFailures() throws {
        let workshop = try Self.workshop(Self.failing)
        let run = try workshop.run("test", "unit")
        let commands = run.output.split(separator: "\n").filter { $0.hasPrefix("  `hawser ") }
            .map {
                $0.dropFirst("  `hawser ".count).dropLast().split(separator: " ").map(String.init)
            }
        #expect(commands.count == 12)
        for words in commands {
            let shown = try workshop.run(words)
            #expect([0, 1].contains(shown.status), "\(shown.transcript)")
        }
    }

    @Test func formats() throws {
        let workshop = try Self.workshop(Self.failing)
        let run = try workshop.run(
            "test", "unit", "--format", "json", "--output", "junit=report.xml", "--output",
            "markdown=report.md", "--output", "text=report.txt", "--output", "sarif=report.sarif",
            "--output", "github=report.github")
        #expect(run.status == 1)
        let schema = try JSONSchema(
            text: String(
                contentsOf: CommandRun.repository.appending(
                    path: "grammar/test-report.schema.json"),
                encoding: .utf8))
        #expect(try schema.violations(of: JSONDocument(text: run.output)) == [])
        try expectGolden("test/failing-json", run)
        for (file, name) in [
            ("report.xml", "failing-junit"), ("report.md", "failing-markdown"),
            ("report.sarif", "failing-sarif"), ("report.github", "failing-github"),
        ] {
            let text = try String(
                contentsOf: workshop.folder.appending(path: file), encoding: .utf8)
            try expectGolden("test/\(name)", transcript: text)
        }
        let text = try String(
            contentsOf: workshop.folder.appending(path: "report.txt"), encoding: .utf8)
        #expect(text == (try workshop.run("test", "unit").output))
        let parser = XMLCheck()
        #expect(
            parser.isWellFormed(
                try Data(contentsOf: workshop.folder.appending(path: "report.xml"))))
    }

    // MARK: What cannot be run

    @Test func mistakesInTheFile() throws {
        let workshop = try Self.workshop(
            """
            hawser-test: 1
            at: 2026-06-01
            cases:
              misspelt:
                hots: api.acme.example
                expect: { rule: api }
              unknown-things:
                host: api.acme.example
                expect:
                  rule: appi
                  anchors: [acne]
                  pins: [acme-app]
                  keys.rsa-minimum: many
                  revocation.preset: required
                  pins.acme-api.mach: any
              rule-without-the-pattern:
                host: api.acme.example
                expect: { rule: bare, pattern: "api.acme.example" }
              pattern-of-others:
                host: api.acme.example
                expect: { pattern: "*.partner.example" }
              no-pattern:
                host: api.acme.example
                expect: { pattern: "**.nobody.example" }
              no-file:
                host: api.acme.example
                chain: fixtures/none.pem
                expect: { verdict: accept }
              default-denies:
                host: elsewhere.example
                expect: { rule: default }

            """)
        let run = try workshop.run("test", "unit")
        #expect(run.status == 2)
        try expectGolden("test/mistakes", run)
        let json = try workshop.run("test", "unit", "--format", "json")
        #expect(json.status == 2 && json.output.contains("\"filesNotRun\": 1"))
        // Every mistake is at its place, in a run that does not claim success.
        let sarif = try workshop.run("test", "unit", "--format", "sarif")
        #expect(sarif.status == 2 && !sarif.output.contains("executionSuccessful"))
        let found = try SARIFRun(sarif.output).results
        #expect(found.count == 12, "\(sarif.output)")
        let github = try workshop.run("test", "unit", "--format", "github")
        try expectGolden("test/mistakes-github", github)
        let page = try workshop.run("test", "unit", "--format", "html")
        #expect(page.status == 2 && Page(page.output).flaws.isEmpty)
        #expect(page.output.contains("<h2 id=\"failed-title\">Not run</h2>"))
    }

    @Test func nothingToRun() throws {
        let workshop = try Self.workshop(Self.passing)
        try workshop.write("lonely.test.yaml", Self.passing)
        try workshop.write("unit/wrong.test.yml", Self.passing)
        var runs = [
            try workshop.run("test", "unit/anchors"),
            try workshop.run("test", "unit/policy.yaml"),
            try workshop.run("test", "unit"),
        ]
        try FileManager.default.removeItem(
            at: workshop.folder.appending(path: "unit/wrong.test.yml"))
        runs += [
            try workshop.run("test", "nowhere"),
            try workshop.run("test", "lonely.test.yaml"),
            try workshop.run("test", "unit/policy.test.yaml", "--run", "the-apii*"),
            try workshop.run("test", "unit/policy.test.yaml", "--jobs", "0"),
            try workshop.run("test", "unit/policy.test.yaml", "--output", "pdf=a"),
        ]
        try workshop.write("unit/policy.yaml", "hawser: 1\n")
        runs.append(try workshop.run("test", "unit/policy.test.yaml"))
        for run in runs { #expect(run.status == 2, "\(run.transcript)") }
        try expectGolden("test/nothing-to-run", transcript: runs.map(\.transcript).joined())
    }

    @Test func someCases() throws {
        let workshop = try Self.workshop(Self.failing)
        let run = try workshop.run("test", "unit", "--run", "wr?ng-p*")
        #expect(run.status == 1 && run.output.hasSuffix("2 cases, 2 failed, 1 file\n"))
        let right = try workshop.run("test", "unit", "--run", "right")
        #expect(right.status == 0 && right.output.hasSuffix("1 case, 0 failed, 1 file\n"))
    }

    @Test func theClockOfACase() throws {
        let text =
            Self.passing.split(separator: "\n").filter { !$0.hasPrefix("at:") }
            .joined(separator: "\n") + "\n"
        let workshop = try Self.workshop(text)
        #expect(try workshop.run("test", "unit").status == 2)
        #expect(try workshop.run("test", "unit", "--at", "2026-06-01").status == 0)
        // An expired chain, as of then.
        #expect(try workshop.run("test", "unit", "--at", "2030-06-01").status == 1)
    }

    // MARK: Update

    @Test func updateKeepsComments() throws {
        let workshop = try Self.workshop(
            """
            # What must hold of the API.
            hawser-test: 1
            at: 2026-06-01T12:00:00Z

            cases:
              # The rule, and why.
              the-api:
                host:   api.acme.example   # odd layout
                expect:
                  owner: "platform"        # not any more
                  pins: none
                  # The pattern follows.
                  pattern: "api.acme.example"
                  keys.rsa-minimum: 2048
              an-interceptor:
                host: api.acme.example
                chain: proxied.pem
                expect: { violations: [ expired ] }   # said so in June
              flips:
                host: api.acme.example
                chain: proxied.pem
                expect: { verdict: accept, notices: [pin-ageing] }

            """)
        let run = try workshop.run("test", "unit", "--update")
        let text = try String(
            contentsOf: workshop.folder.appending(path: "unit/policy.test.yaml"), encoding: .utf8)
        try expectGolden("test/update", transcript: run.transcript + "--- the file\n" + text)
        // What no value would make right is left, and fails.
        #expect(run.status == 1)
        let again = try workshop.run("test", "unit", "--update")
        #expect(again.status == 1 && !again.error.contains("wrote"))
    }

    @Test("a value that demands less is named, and written only where it is asked for")
    func updateWeaker() throws {
        let workshop = try Self.workshop(
            """
            hawser-test: 1
            at: 2026-06-01T12:00:00Z
            cases:
              the-api:
                host: api.acme.example
                expect:
                  keys.rsa-minimum: 4096
                  owner: platform
                  pins: [acme-api]
              an-interceptor:
                host: api.acme.example
                chain: chain.pem
                expect: { verdict: reject }

            """)
        let file = workshop.folder.appending(path: "unit/policy.test.yaml")
        let run = try workshop.run("test", "unit", "--update")
        #expect(run.status == 1)
        #expect(
            run.error.contains(
                "`the-api`: `keys.rsa-minimum` is left: 4096 -> 3072 is weaker; "
                    + "`--update=weaker` writes it"), "\(run.error)")
        #expect(
            run.error.contains("`an-interceptor`: `verdict` is left: reject -> accept is weaker"))
        #expect(run.error.contains("wrote changed: `the-api`: `owner`: platform -> web"))
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("4096") && text.contains("verdict: reject"))
        let all = try workshop.run("test", "unit", "--update=weaker")
        #expect(all.status == 0, "\(all.transcript)")
        #expect(all.error.contains("wrote weaker: `the-api`: `keys.rsa-minimum`: 4096 -> 3072"))
        #expect(
            try String(contentsOf: file, encoding: .utf8).contains("keys.rsa-minimum: 3072"))
    }

    // MARK: Coverage, the linter, the layout

    @Test func whatIsNotCovered() throws {
        let workshop = try Self.workshop(Self.passing)
        let run = try workshop.run(
            "test", "unit", "--coverage", "--minimum-coverage", "90.5", "--mutate",
            "--most-survivors", "0", "--output", "lcov=trace.info", "--output", "json=report.json")
        #expect(run.status == 1)
        try expectGolden("test/coverage", run)
        let trace = try String(
            contentsOf: workshop.folder.appending(path: "trace.info"), encoding: .utf8)
        #expect(trace.hasPrefix("TN:\nSF:unit/policy.yaml\n") && trace.hasSuffix("end_of_record\n"))
        let schema = try JSONSchema(
            text: String(
                contentsOf: CommandRun.repository.appending(
                    path: "grammar/test-report.schema.json"),
                encoding: .utf8))
        let report = try String(
            contentsOf: workshop.folder.appending(path: "report.json"), encoding: .utf8)
        #expect(try schema.violations(of: JSONDocument(text: report)) == [])
        #expect(try workshop.run("test", "unit", "--minimum-coverage", "10").status == 0)
        for options in [
            ["--minimum-coverage", "101"], ["--minimum-coverage", "a"], ["--most-survivors", "1"],
            ["--run", "*", "--coverage"],
        ] {
            #expect(try workshop.run(["test", "unit"] + options).status == 2, "\(options)")
        }
    }

    @Test func theLinterReadsTests() throws {
        let workshop = try Self.workshop(
            Self.passing + "  a-mistake:\n    host: api.acme.example\n    expect: { rule: appi }\n")
        let codes = ["--level", "audit", "--select", "HW801,HW802"]
        let broken = try workshop.run(["lint", "unit"] + codes)
        #expect(broken.status == 1)
        try workshop.write("unit/policy.test.yaml", Self.passing)
        let untested = try workshop.run(["lint", "unit"] + codes)
        try expectGolden("test/lint", transcript: broken.transcript + untested.transcript)
    }

    @Test func theLayoutOfTests() throws {
        let workshop = try Self.workshop(
            Self.passing.split(separator: "\n").map { $0.replacing("  ", with: "   ") }
                .joined(separator: "\n") + "\n")
        let before = try workshop.run("test", "unit").output
        #expect(try workshop.run("fmt", "--check", "unit").status == 1)
        #expect(try workshop.run("fmt", "--sort", "unit").status == 0)
        #expect(try workshop.run("fmt", "--check", "--sort", "unit").status == 0)
        #expect(try workshop.run("test", "unit").output == before)
    }

    // MARK: Hostile text

    @Test func hostileNames() throws {
        let workshop = try Self.workshop(
            """
            hawser-test: 1
            at: 2026-06-01T12:00:00Z
            folders: ["cases"]

            """)
        let name = "a|<b>`@x`\u{1B}[2J::error::\u{202E}&"
        let folder = workshop.folder.appending(path: "unit/cases/\(name)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(
            """
            host: www.acme.example
            chain: ../../hostile.pem
            expect:
              owner: "<script>|`@all`"
              verdict: reject

            """.utf8
        ).write(to: folder.appending(path: "request.yaml"))
        var pages = ""
        for format in ["text", "json", "junit", "markdown", "sarif", "github"] {
            let run = try workshop.run("test", "unit", "--format", format)
            #expect(run.status == 1)
            #expect(!run.output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
            pages += run.transcript
        }
        try expectGolden("test/hostile", transcript: pages)
    }
}

/// Whether a document is well-formed XML.
final class XMLCheck {
    func isWellFormed(_ data: Data) -> Bool {
        // Tags open and close in order. A `<` or bare `&` does not stand in a text or an attribute.
        var open: [String] = []
        var rest = String(decoding: data, as: UTF8.self)[...]
        while let start = rest.firstIndex(of: "<") {
            guard let end = rest[start...].firstIndex(of: ">") else { return false }
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("?") { continue }
            if tag.hasPrefix("/") {
                guard open.popLast() == String(tag.dropFirst()) else { return false }
                continue
            }
            if tag.contains("<") { return false }
            if !tag.hasSuffix("/") { open.append(String(tag.prefix { $0 != " " })) }
        }
        return open.isEmpty
    }
}
