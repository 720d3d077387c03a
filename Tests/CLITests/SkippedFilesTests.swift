import Foundation
import Testing

/// Tests and assertions under names at which nobody looks (LANGUAGE section 2.4): an error in every
/// command, never a run that passes.
@Suite("files that would be skipped") struct SkippedFilesTests {
    private static let tests = """
        hawser-test: 1
        cases:
          - name: there is no such rule
            host: api.acme.example
            expect: { rule: other }

        """

    @Test(
        "in every command",
        arguments: [
            ("unit/b_test.yaml", "hawser-test"), ("unit/b.tests.yaml", "hawser-test"),
            ("unit/b_assert.yaml", "hawser-assert"), ("unit/allowed.yaml", "hawser-allow"),
        ])
    func everyCommand(_ name: String, _ key: String) throws {
        let workshop = try Workshop()
        try workshop.write(
            "unit/a.test.yaml", "hawser-test: 1\ncases: [{ name: a, host: a.example }]\n")
        try workshop.write(name, "\(key): 1\n")
        let file = String(name.dropFirst("unit/".count))
        let said = "`\(file)` begins with `\(key)` but its name is not that of"
        for words in [["check", "unit"], ["lint", "unit"]] {
            let run = try workshop.run(words)
            #expect(run.status == 1 && (run.output + run.error).contains(said), "\(run.transcript)")
        }
        for words in [
            ["test", "unit"], ["show", "api.acme.example", "--policy", "unit"],
            ["assert", "unit"], ["fmt", "--check", "unit"],
        ] {
            let run = try workshop.run(words)
            #expect(run.status == 2, "\(run.transcript)")
        }
        #expect(try workshop.run("test", "unit").error.contains(said))
    }

    @Test(
        "the letter case and the extension",
        arguments: ["b.test.yml", "b.Test.yaml", "b.assert.yml"])
    func names(_ name: String) throws {
        let workshop = try Workshop()
        try workshop.write("unit/\(name)", Self.tests)
        let lint = try workshop.run("lint", "unit", "--format", "json")
        #expect(lint.status == 1 && lint.output.contains("HW013"), "\(lint.transcript)")
        #expect(try workshop.run("test", "unit").status == 2)
    }
}
