import Foundation
import PolicyCompiler
import Testing

/// The generated tables say what `grammar/policy.schema.json` says.
@Suite("fields and the schema")
struct PolicyFieldsTests {
    /// The schema as Foundation reads it: a reader that is not the one the generator uses.
    static func schema(_ name: String = "policy") throws -> [String: Any] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: root.appending(path: "grammar/\(name).schema.json"))
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test(
        "every map of a schema has its shape, key by key",
        arguments: [("policy", "policy", PolicyFields.all), ("allow", "file", AllowanceFields.all)])
    func shapes(_ name: String, _ root: String, _ all: [MapShape]) throws {
        let schema = try PolicyFieldsTests.schema(name)
        let definitions = try #require(schema["definitions"] as? [String: [String: Any]])
        var maps = definitions.filter { $0.value["properties"] != nil }
        maps[root] = schema
        #expect(Set(all.map(\.name)) == Set(maps.keys))
        for shape in all {
            let map = try #require(maps[shape.name])
            let properties = try #require(map["properties"] as? [String: [String: Any]])
            let required = Set(map["required"] as? [String] ?? [])
            #expect(Set(shape.keys.map(\.name)) == Set(properties.keys), "\(shape.name)")
            #expect(map["x-hawser-noun"] as? String == shape.noun)
            #expect(map["additionalProperties"] as? Bool == false, "\(shape.name)")
            for key in shape.keys {
                let property = try #require(properties[key.name])
                #expect(key.isRequired == required.contains(key.name), "\(shape.name).\(key.name)")
                let target = (property["$ref"] as? String)?.split(separator: "/").last.map(
                    String.init)
                let inner = target.flatMap { definitions[$0]?["properties"] == nil ? nil : $0 }
                #expect(key.map?.name == inner, "\(shape.name).\(key.name)")
            }
        }
    }

    @Test("every enum of the schema has its words in order")
    func words() throws {
        let schema = try PolicyFieldsTests.schema()
        let definitions = try #require(schema["definitions"] as? [String: [String: Any]])
        let enums = definitions.filter { $0.value["enum"] != nil }
        #expect(Set(PolicyWords.all.keys) == Set(enums.keys))
        for (name, words) in PolicyWords.all {
            #expect(enums[name]?["enum"] as? [String] == words.words, "\(name)")
            #expect(enums[name]?["x-hawser-noun"] as? String == words.noun, "\(name)")
        }
    }

    @Test("the examples of fields are accepted")
    func examples() {
        for key in PolicyFields.rule.keys where key.name != "pins" {
            let others = ["hosts: [\"a.example\"]", "anchors: [system]"]
                .filter { !$0.hasPrefix(key.name + ":") }
            let body = (others + [key.example]).joined(separator: ", ")
            let text = """
                hawser: 1
                default: deny
                profiles: { strict: { keys: { rsa-minimum: 3072 } } }
                rules: { a: { \(body) } }
                """
            let (_, diagnostics) = MemoryUnit.check(
                MemoryUnit.unit(
                    ["policy.yaml": Array(text.utf8)], resources: FieldTests.resources))
            let errors = diagnostics.filter { $0.severity == .error }
            #expect(errors.isEmpty, "\(key.example): \(errors.map(\.message))")
        }
    }
}
