import Foundation
import JSONSchemaSupport
import Testing

@Suite("hawser schema")
struct SchemaCommandTests {
    /// The words that the command takes, by the files of `grammar/`.
    static let names: [String] = {
        let all = try? FileManager.default.contentsOfDirectory(
            atPath: CommandRun.repository.appending(path: "grammar").path)
        let end = ".schema.json"
        return (all ?? []).filter { $0.hasSuffix(end) }.map { String($0.dropLast(end.count)) }
            .sorted()
    }()

    private static func text(_ name: String) throws -> String {
        try String(
            contentsOf: CommandRun.repository.appending(path: "grammar/\(name).schema.json"),
            encoding: .utf8)
    }

    @Test("prints every schema of grammar/ as it stands there", arguments: names)
    func printed(_ name: String) throws {
        let run = try Workshop().run("schema", name)
        #expect(run.status == 0 && run.error.isEmpty)
        #expect(try run.output == Self.text(name))
    }

    @Test("prints the language's without a name, and names the others")
    func language() throws {
        let workshop = try Workshop()
        #expect(Self.names.count >= 8)
        #expect(try workshop.run("schema").output == Self.text("policy"))
        let unknown = try workshop.run("schema", "policies")
        #expect(unknown.status == 2 && unknown.output.isEmpty)
        for name in Self.names { #expect(unknown.error.contains("- \(name)\n"), "\(name)") }
    }

    @Test("writes a file anew, and nothing where it cannot")
    func written() throws {
        let workshop = try Workshop()
        try workshop.write("unit/policy.schema.json", "{}\n")
        let run = try workshop.run("schema", "-o", "unit/policy.schema.json")
        #expect(run.status == 0 && run.output.isEmpty)
        let written = try String(
            contentsOf: workshop.folder.appending(path: "unit/policy.schema.json"), encoding: .utf8)
        #expect(try written == Self.text("policy"))
        #expect(try workshop.run("lint", "unit", "--select", "HW013").status == 0)
        let refused = try workshop.run("schema", "-o", "absent/policy.schema.json")
        #expect(refused.status == 2 && refused.error.contains("absent/policy.schema.json"))
    }

    @Test("prints the OpenAPI document of the server")
    func openAPI() throws {
        let run = try Workshop().run("schema", "serve")
        let file = CommandRun.repository.appending(path: "grammar/serve.openapi.json")
        #expect(run.status == 0 && run.error.isEmpty)
        #expect(try run.output == String(contentsOf: file, encoding: .utf8))
    }

    @Test("each is read by draft-07, as editors read it", arguments: names)
    func draft(_ name: String) throws {
        let document = try JSONDocument(text: Self.text(name))
        #expect(document["$schema"] == .string("http://json-schema.org/draft-07/schema#"))
        _ = try JSONSchema(text: Self.text(name))
    }
}
