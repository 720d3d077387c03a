import Foundation
import PolicyCompiler
import PolicyTools
import Testing

@testable import generate_tables

/// The checked-in generated files are what the generator makes of the contracts today.
@Suite struct GeneratedFilesTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("generated files are fresh", arguments: GeneratedFile.all.map(\.name))
    func fresh(_ name: String) throws {
        let file = try #require(GeneratedFile.all.first { $0.name == name })
        let contract = try Data(contentsOf: Self.root.appending(path: file.contract))
        let target = Self.root.appending(path: file.target)
        let made = try file.make(Array(contract), over: Array(Data(contentsOf: target))) {
            path throws(ContractProblem) in
            guard let bytes = try? Data(contentsOf: Self.root.appending(path: path)) else {
                throw ContractProblem(message: "\(path) cannot be read")
            }
            return Array(bytes)
        }
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] == "1" {
            try Data(made.utf8).write(to: target)
        }
        let checkedIn = try String(contentsOf: target, encoding: .utf8)
        #expect(checkedIn == made, "`swift run generate-tables` makes it again")
    }

    private static func tree(_ path: String) throws -> SyntaxTree {
        let bytes = try Data(contentsOf: root.appending(path: path))
        return SyntaxParser.parse(SourceFile(path: path, bytes: Array(bytes)), fileIndex: 0)
    }

    @Test("the page of a code is its entry in the catalogue")
    func pages() throws {
        let codes = try Self.tree("grammar/diagnostics.yaml").root?["codes"]?.entries ?? []
        #expect(codes.map(\.key.text) == DiagnosticCode.allCases.map(\.rawValue))
        for (code, (key, entry)) in zip(DiagnosticCode.allCases, codes) {
            let page = code.page
            for (text, field) in [
                (page.explanation, "explanation"), (page.bad, "bad"), (page.good, "good"),
                (page.fix, "fix"), (page.options, "options"),
            ] {
                #expect(text.map { $0 + "\n" } == entry[field]?.text, "\(key.text) \(field)")
            }
        }
    }

    @Test("the reference and the schema have the same keys")
    func keys() throws {
        let page = try Data(contentsOf: Self.root.appending(path: "grammar/language.md"))
        let contract = try LanguageContract(
            schema: Self.tree("grammar/policy.schema.json"),
            catalogue: Self.tree("grammar/diagnostics.yaml"), page: Array(page))
        let keys = try contract.keys()
        #expect(keys.count > 100)
        for (read, made) in zip(LanguageKey.all, keys) { #expect(read == made) }
        #expect(LanguageKey.all.count == keys.count)
    }

    @Test(
        "a reference that would lack a key, or guard one that there is not, is refused",
        arguments: [
            (
                "grammar/language.md", "<!-- keys of tls-fields as tls -->", "",
                "grammar/language.md does not have the key `minimum-version` of `tls-fields`"
            ),
            (
                "grammar/language.md", "<!-- keys of tls-fields as tls -->",
                "<!-- keys of tls-demands as tls -->",
                "`<!-- keys of tls-demands as tls -->` names no map of the schema"
            ),
            (
                "grammar/diagnostics.yaml", "keys: [hawser]", "keys: [hawsre]",
                "`HW101` looks at `hawsre`, which is no key of the language"
            ),
        ])
    func reference(_ path: String, _ text: String, _ change: String, _ message: String) throws {
        let file = try #require(GeneratedFile.all.first { $0.name == "language-page" })
        let schema = try Data(contentsOf: Self.root.appending(path: file.contract))
        #expect(throws: ContractProblem(message: message)) {
            try file.make(Array(schema), over: []) { other throws(ContractProblem) in
                guard
                    let found = try? String(
                        contentsOf: Self.root.appending(path: other), encoding: .utf8)
                else { throw ContractProblem(message: "\(other) cannot be read") }
                return Array((other == path ? found.replacing(text, with: change) : found).utf8)
            }
        }
    }

    @Test("a contract without a field is refused by its code")
    func missingField() throws {
        let file = try #require(
            GeneratedFile.all.first { $0.name == "diagnostic-catalogue" })
        #expect(throws: ContractProblem(message: "`HW001` has no `severity`")) {
            try file.make(Array("codes:\n  HW001: { slug: a }\n".utf8), over: [])
        }
        #expect(
            throws: ContractProblem(message: "grammar/diagnostics.yaml:1:1: `codes` has no value")
        ) {
            try file.make(Array("codes:\n".utf8), over: [])
        }
    }
}
