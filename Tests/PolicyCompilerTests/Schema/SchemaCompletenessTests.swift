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

    /// A definition such as `date` says how a scalar is written. Only its keys can say its purpose.
    @Test("a description of its own, where keys of several names are written alike")
    func ownDescriptions() throws {
        let root = try Self.root()
        var users: [String: Set<String>] = [:]
        var bare: [(name: String, definition: String)] = []
        for shape in Self.shapes(root) {
            for (key, property) in shape.properties {
                guard let target = property["$ref"]?.text?.split(separator: "/").last else {
                    continue
                }
                users[String(target), default: []].insert(key)
                if property["description"] == nil {
                    bare.append(("\(shape.name).\(key)", String(target)))
                }
            }
        }
        // The bodies of the language, such as `waiver`, say what they are for wherever they stand.
        for (name, definition) in bare where root["definitions"]?[definition]?["properties"] == nil
        {
            #expect(
                users[definition]?.count == 1,
                "\(name) is described by `\(definition)` alone, as are keys of other names")
        }
        #expect(users["date"]?.count ?? 0 >= 5)
    }

    @Test("no value is left open: maps, lists, texts and numbers have their limits")
    func limits() throws {
        var open: [String] = []
        var seen: [String: Int] = [:]
        func walk(_ schema: JSONDocument, at pointer: String) {
            for item in schema.items { walk(item, at: pointer) }
            guard case .object(let members) = schema else { return }
            let wanted: [[String]]
            switch schema["type"]?.text {
            case "object": wanted = [["additionalProperties"]]
            case "array": wanted = [["items"], ["minItems"]]
            case "string": wanted = [["pattern", "minLength", "allOf"]]
            case "integer": wanted = [["minimum"]]
            default: wanted = []
            }
            if let type = schema["type"]?.text { seen[type, default: 0] += 1 }
            for keywords in wanted where !keywords.contains(where: { schema[$0] != nil }) {
                open.append("\(pointer): \(keywords.joined(separator: " or "))")
            }
            for (key, member) in members where !["examples", "default", "enum"].contains(key) {
                walk(member, at: "\(pointer)/\(key)")
            }
        }
        let root = try Self.root()
        walk(root, at: "#")
        #expect(open == [])
        #expect(root["additionalProperties"] == .bool(false))
        for shape in Self.shapes(root) {
            #expect(shape.schema["additionalProperties"] == .bool(false), "\(shape.name)")
        }
        #expect(["object", "array", "string", "integer"].allSatisfy { (seen[$0] ?? 0) >= 5 })
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
