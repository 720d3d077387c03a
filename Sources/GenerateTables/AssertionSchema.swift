import PolicyCompiler

/// Makes the parts of `grammar/assert.schema.json` that follow from the policy's schema.
enum AssertionSchema {
    /// The definition `at-least`: every field of LANGUAGE section 8 by its dotted path, with the
    /// values that a profile writes, and the demands on anchors and pins.
    @Sendable
    static func atLeast(_ tree: SyntaxTree) throws(ContractProblem) -> SchemaText {
        guard let definitions = tree.root?["definitions"], let profile = definitions["profile"]
        else {
            throw ContractProblem(message: "the schema has no definition `profile`")
        }
        let fields = fields(
            of: profile, below: "", definitions, Set(try RequirementSchema(tree).fields.map(\.path))
        )
        return .object([
            (
                "description",
                .text(
                    "Demands that every host meets: fields by their dotted paths with values as "
                        + "profiles write them. Each is met by a value that is equal or stricter "
                        + "and that is enforced.")
            ),
            ("x-hawser-noun", .text("`at-least`")), ("type", .text("object")),
            ("additionalProperties", .flag(false)), ("minProperties", .number(1)),
            ("properties", .object(own + fields)),
            (
                "examples",
                .list([
                    .object([
                        ("tls.minimum-version", .text("tls1.3")),
                        ("revocation.preset", .text("require")), ("pins", .text("bound")),
                    ])
                ])
            ),
        ])
    }

    /// The keys that are not fields of a profile. `grammar/assert.schema.json` has the definitions.
    private static var own: [(String, SchemaText)] {
        ["anchors", "pins"].map {
            ($0, .object([("$ref", .text("#/definitions/\($0)-demand"))]))
        }
    }

    private static func fields(
        of map: SyntaxNode, below path: String, _ definitions: SyntaxNode, _ wanted: Set<String>
    ) -> [(String, SchemaText)] {
        // INVARIANT (no map of the schema contains itself): `RequirementSchema` relies on it too.
        (map["properties"]?.entries ?? []).flatMap { key, node -> [(String, SchemaText)] in
            let name = path.isEmpty ? key.text : path + "." + key.text
            if wanted.contains(name) { return [(name, inlined(node, definitions))] }
            guard let target = target(of: node, definitions) else { return [] }
            return fields(of: target, below: name, definitions, wanted)
        }
    }

    private static func target(of node: SyntaxNode, _ definitions: SyntaxNode) -> SyntaxNode? {
        node["$ref"].flatMap { definitions[RequirementSchema.name($0.text)] }
    }

    /// Members of a declaration that are about a policy's tables and layers, or say what holds
    /// where the field is absent.
    private static func isLeftOut(_ name: String) -> Bool {
        (name.hasPrefix("x-hawser-") && name != "x-hawser-noun") || name == "default"
            || name == "$ref"
    }

    /// A declaration with the definition that it names in place of its name. Members of the
    /// declaration come before members of the definition.
    private static func inlined(_ node: SyntaxNode, _ definitions: SyntaxNode) -> SchemaText {
        switch node.kind {
        case .map:
            var members: [(String, SchemaText)] = []
            for (key, value) in node.entries where !isLeftOut(key.text) {
                members.append((key.text, inlined(value, definitions)))
            }
            if let target = target(of: node, definitions),
                case .object(let others) = inlined(target, definitions)
            {
                members += others.filter { other in !members.contains { $0.0 == other.0 } }
            }
            return .object(members)
        case .list: return .list(node.items.map { inlined($0, definitions) })
        case .scalar, .error:
            let range = Int(node.span.start)..<Int(node.span.end)
            return .verbatim(String(decoding: node.tree.file.bytes[range], as: UTF8.self))
        }
    }
}
