import Foundation
import HawserYAML
import LibCrypto
import PolicyCompiler
import PolicyTools
import Testing

/// What is printed of the policies in `policies/invalid` whose findings binding and the checks make.
/// `UPDATE_GOLDEN=1` rewrites the expected text.
@Suite("text of invalid policies")
struct InvalidPolicyTextTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "policies/invalid")

    /// Codes whose finding is not the parser's and not the unit loader's.
    static let codes = DiagnosticCode.allCases.map(\.rawValue).filter { code in
        ["HW004", "HW005", "HW012"].contains(code) || code >= "HW101"
    }

    @Test("each is printed as expected", arguments: codes)
    func text(_ code: String) throws {
        let unit = try UnitLoader.load(paths: try InvalidPolicyTextTests.paths(code))
        let compilation = CompilerPipeline.compile(unit, crypto: LibCryptoBackend())
        #expect(compilation.diagnostics.contains { $0.code.rawValue == code })
        let text = DiagnosticText.render(
            compilation.diagnostics, files: compilation.files, colour: .plain)
        let golden = InvalidPolicyTextTests.folder.appending(path: "\(code).txt")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(text.utf8).write(to: golden)
        }
        #expect(text == (try String(contentsOf: golden, encoding: .utf8)))
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
