import Foundation
import HawserYAML
import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import Testing

/// The printed findings of a unit with files that would be skipped in silence (LANGUAGE section
/// 2.4). Only a folder with `policy.yaml` can hold one, and `policies/invalid` holds none of that
/// name, so the example is copied and its first file given the name it stands for.
@Suite struct MisnamedPolicyTests {
    @Test func everyMisnamedFileIsPrintedWithTheNameItShouldHave() throws {
        let invalid = Recipe.policies.appending(path: "invalid")
        let copy = FileManager.default.temporaryDirectory
            .appending(path: "hawser-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: copy) }
        try FileManager.default.copyItem(at: invalid.appending(path: "HW013"), to: copy)
        try FileManager.default.moveItem(
            at: copy.appending(path: "unit.policy.yaml"), to: copy.appending(path: "policy.yaml"))

        let unit = try UnitLoader.load(paths: [copy.path])
        let compilation = CompilerPipeline.compile(unit, crypto: LibCryptoBackend())
        #expect(compilation.table == nil)
        #expect(
            compilation.diagnostics.map(\.code) == Array(repeating: .policyFileMisnamed, count: 3))
        let linted = try InvalidPolicyTextTests.lint(unit, "HW013").findings
        #expect(Set(linted.map(\.code)) == [.policyFileMisnamed])
        let text = LintDocument.text(
            compilation.diagnostics, files: compilation.files, colour: .plain)
        let golden = invalid.appending(path: "HW013.txt")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(text.utf8).write(to: golden)
        }
        #expect(text == (try String(contentsOf: golden, encoding: .utf8)))
    }
}
