import JSONSchemaSupport
import Testing

/// What an editor shows of a key: the schema says it for every one.
@Suite("the schema says everything of every key")
struct SchemaCompletenessTests {
    /// A map of the schema.
    struct Shape {
        let name: String
        let schema: JSONDocument

        var properties: [(key: String, value: JSONDocument)] {
            guard case .object(let members)? = schema["properties"] else { return [] }
            return members.sorted { $0.key < $1.key }
        }
    }

    static func root() throws -> JSONDocument {
        try JSONDocument(text: PolicySchema.text("grammar/policy.schema.json"))
    }

    static func shapes(_ root: JSONDocument) -> [Shape] {
        var shapes = [Shape(name: "policy", schema: root)]
        if case .object(let definitions)? = root["definitions"] {
            shapes += definitions.filter { $0.value["properties"] != nil }
                .map { Shape(name: $0.key, schema: $0.value) }
        }
        return shapes.sorted { $0.name < $1.name }
    }

    /// What a property says of itself, or what its definition says.
    static func said(
        _ keyword: String, by property: JSONDocument, _ root: JSONDocument
    ) -> JSONDocument? {
        if let own = property[keyword] { return own }
        guard let target = property["$ref"]?.text?.split(separator: "/").last else { return nil }
        return root["definitions"]?[String(target)]?[keyword]
    }

    @Test("a description, a type and an example")
    func descriptions() throws {
        let root = try Self.root()
        let schema = try PolicySchema.schema()
        var seen = 0
        for shape in Self.shapes(root) {
            for (key, property) in shape.properties {
                seen += 1
                let name = "\(shape.name).\(key)"
                let description = Self.said("description", by: property, root)?.text ?? ""
                #expect(description.hasSuffix("."), "\(name): a description")
                let types = ["type", "enum", "const", "oneOf", "anyOf"].filter {
                    Self.said($0, by: property, root) != nil
                }
                #expect(!types.isEmpty, "\(name): a type")
                #expect(Self.examples(property, root).first != nil, "\(name): an example")
                for example in Self.examples(property, root) {
                    let found = schema.violations(of: example, like: property)
                    #expect(found.isEmpty, "\(name): \(example): \(found)")
                }
            }
        }
        #expect(seen > 120)
    }

    /// `examples` of a property or its definition; the words of an enum are their own examples.
    private static func examples(_ property: JSONDocument, _ root: JSONDocument) -> [JSONDocument] {
        let said = said("examples", by: property, root) ?? Self.said("enum", by: property, root)
        return said?.items ?? []
    }

    @Test("a default, or what holds where the key is not written")
    func defaults() throws {
        let root = try Self.root()
        let schema = try PolicySchema.schema()
        for shape in Self.shapes(root) {
            let required = Set(shape.schema["required"]?.items.compactMap(\.text) ?? [])
            var absent: [String: JSONDocument] = [:]
            if case .object(let table)? = shape.schema["x-hawser-absent"] { absent = table }
            for (key, property) in shape.properties {
                let name = "\(shape.name).\(key)"
                let value = Self.said("default", by: property, root)
                let words = absent.removeValue(forKey: key)?.text
                #expect(
                    [value != nil, words != nil, required.contains(key)].count { $0 } == 1,
                    """
                    \(name) is required, or has a `default`, or a line in `x-hawser-absent`: \
                    one of the three
                    """)
                #expect(words != "", "\(name)")
                if let value {
                    let found = schema.violations(of: value, like: property)
                    #expect(found.isEmpty, "\(name): \(value): \(found)")
                }
            }
            #expect(absent.isEmpty, "\(shape.name) has no such keys: \(absent.keys)")
        }
    }
}
