import Foundation
import HawserYAML
import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import Testing
import TrustEngine

/// The printed findings of the policies in `policies/invalid` that binding and the checks report.
/// `UPDATE_GOLDEN=1` rewrites the expected text.
@Suite("text of invalid policies")
struct InvalidPolicyTextTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "policies/invalid")

    /// Codes of policies. The examples of the others are files of allowances: `AllowanceFileTests`.
    static let ofPolicies = DiagnosticCode.allCases.filter {
        ![.diff, .base, .test, .assert, .import, .export].contains($0.finder)
    }

    /// Codes whose finding is not the parser's and not the unit loader's.
    static let codes = ofPolicies.map(\.rawValue).filter { code in
        ["HW004", "HW005", "HW012", "HW017"].contains(code) || code >= "HW101"
    }

    @Test("each is printed as expected", arguments: codes)
    func text(_ code: String) throws {
        let unit = try UnitLoader.load(paths: try InvalidPolicyTextTests.paths(code))
        let (found, files) = try InvalidPolicyTextTests.findings(unit, code)
        #expect(found.contains { $0.code.rawValue == code })
        let text = LintDocument.text(found, files: files, colour: .plain)
        let golden = InvalidPolicyTextTests.folder.appending(path: "\(code).txt")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(text.utf8).write(to: golden)
        }
        #expect(text == (try String(contentsOf: golden, encoding: .utf8)))
    }

    /// What the command that a code belongs to finds, and the files of it.
    private static func findings(
        _ unit: PolicyUnit, _ code: String
    ) throws -> ([Diagnostic], [SourceFile]) {
        guard try #require(DiagnosticCode(rawValue: code)).isOfLint else {
            let compilation = CompilerPipeline.compile(unit, crypto: LibCryptoBackend())
            return (compilation.diagnostics, compilation.files)
        }
        let result = try lint(unit, code)
        return (result.findings, result.compilation.files)
    }

    /// What the linter says of an example; remarks are asked for.
    static func lint(_ unit: PolicyUnit, _ code: String) throws -> LintResult {
        var options = LintOptions(time: try #require(UTCInstant(text: "2026-06-01T12:00:00Z")))
        let code = try #require(DiagnosticCode(rawValue: code))
        if code.severity == .info { options.level = .audit }
        return Linter.lint(unit, options, crypto: LibCryptoBackend())
    }

    @Test("the linter finds its code in each, and no other", arguments: ofPolicies)
    func alone(_ code: DiagnosticCode) throws {
        // Names of files are a matter of a folder with `policy.yaml`: `MisnamedPolicyTests`.
        if code == .policyFileMisnamed { return }
        let unit = try UnitLoader.load(paths: InvalidPolicyTextTests.paths(code.rawValue))
        let found = try InvalidPolicyTextTests.lint(unit, code.rawValue).findings
        #expect(!found.isEmpty)
        // What the compiler says of a whole set, the linter says of each certificate (HW312).
        let told = code == .anchorSetDeadEnd ? DiagnosticCode.anchorDeadEnd : code
        #expect(Set(found.map(\.code)) == [told], "\(found.map(\.message))")
    }

    /// One file, or all of a folder where a diagnostic takes several.
    static func paths(_ code: String) throws -> [String] {
        let several = folder.appending(path: code)
        guard FileManager.default.fileExists(atPath: several.path()) else {
            return [folder.appending(path: "\(code).yaml").path()]
        }
        return try FileManager.default.contentsOfDirectory(atPath: several.path())
            .filter { $0.hasSuffix(".yaml") }.sorted().map { several.appending(path: $0).path() }
    }
}
