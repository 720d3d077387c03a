import Foundation
import JSONSchemaSupport
import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import Testing

/// The examples of `policies/invalid` whose findings the syntax makes, with their printed text, and
/// the catalogue's pages. `UPDATE_GOLDEN=1` rewrites the expected text.
@Suite struct InvalidPolicyTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "policies/invalid")

    /// The codes that reading a text can give.
    static let syntaxCodes = [
        "HW001", "HW002", "HW003", "HW006", "HW007", "HW008", "HW009", "HW010", "HW011", "HW014",
        "HW015", "HW016",
    ]

    @Test("each example is printed as expected, and nothing but the syntax speaks of it")
    func syntax() throws {
        let path = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "grammar/diagnostics.schema.json")
        let schema = try JSONSchema(text: String(contentsOf: path, encoding: .utf8))
        for code in Self.syntaxCodes {
            let bytes = try Array(Data(contentsOf: Self.folder.appending(path: "\(code).yaml")))
            let file = SourceFile(path: "\(code).yaml", bytes: bytes)
            let unit = PolicyUnit(
                files: [file], resources: Beside(folder: Self.folder), isDirectory: false)
            let all = CompilerPipeline.compile(unit, crypto: LibCryptoBackend()).diagnostics
            #expect(
                all.map(\.withoutHelp)
                    == SyntaxParser.parse(file, fileIndex: 0).diagnostics.map(\.withoutHelp),
                "\(code)")
            #expect(all.contains { $0.code.rawValue == code })
            let text = LintDocument.text(all, files: [file], colour: .plain)
            let golden = Self.folder.appending(path: "\(code).txt")
            if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
                try Data(text.utf8).write(to: golden)
            }
            #expect(text == (try String(contentsOf: golden, encoding: .utf8)), "\(code)")
            let json = DiagnosticJSON.render(all, files: [file])
            #expect(try schema.violations(of: JSONDocument(text: json)) == [], "\(code)")
        }
    }

    @Test("the catalogue's pages show what they say", arguments: syntaxCodes)
    func page(_ code: String) throws {
        let page = try #require(DiagnosticCode(rawValue: code)).page
        let file = SourceFile(path: "bad.yaml", bytes: Array(page.bad.utf8))
        let found = SyntaxParser.parse(file, fileIndex: 0).diagnostics.map(\.code.rawValue)
        // A byte order mark cannot stand in a text that may have none: the page writes it out.
        #expect(found.contains(code) == (code != "HW008"))
    }

    @Test("what the catalogue calls good has no finding of the syntax")
    func good() {
        for code in DiagnosticCode.allCases where code.finder != .import {
            let file = SourceFile(path: "good.yaml", bytes: Array(code.page.good.utf8))
            #expect(SyntaxParser.parse(file, fileIndex: 0).diagnostics.isEmpty, "\(code.rawValue)")
        }
    }
}

/// The files beside the examples.
private struct Beside: UnitResources {
    let folder: URL

    func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
        guard let data = try? Data(contentsOf: folder.appending(path: path)) else {
            throw ResourceError(code: .notFound, context: "`\(path)` is not there")
        }
        guard data.count <= limit else {
            throw ResourceError(code: .tooLarge, context: "more than \(limit) bytes")
        }
        return Array(data)
    }

    func list(_ folder: String) throws(ResourceError) -> [String] {
        let path = self.folder.appending(path: folder).path
        return (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
    }
}

extension Diagnostic {
    /// The diagnostic without what binding adds to it: what to write in place of an empty value.
    fileprivate var withoutHelp: Diagnostic {
        var diagnostic = self
        if code == .emptyValue { diagnostic.help = [] }
        return diagnostic
    }
}
