import PolicyCompiler

/// Writes `Binding/PolicyFields+Generated.swift` from `grammar/policy.schema.json`: the keys of
/// every map of the language, an accepted line for each key, and the closed lists of words; and
/// likewise `Binding/AllowanceFields+Generated.swift` from `grammar/allow.schema.json` and
/// `Binding/TestFields+Generated.swift` from `grammar/test.schema.json` and
/// `Binding/AssertionFields+Generated.swift` from `grammar/assert.schema.json` and
/// `Binding/ExportFields+Generated.swift` from `grammar/exports.schema.json`. JSON is YAML, so the
/// project's own parser reads the schemas.
enum PolicyFieldsTable {
    /// Makes the Swift source from the schema.
    ///
    /// - Throws: when the schema has no `definitions`, or as `RequirementSchema`.
    @Sendable
    static func source(_ tree: SyntaxTree) throws(ContractProblem) -> String {
        let (maps, definitions) = try maps(tree, root: "policy")
        let words = definitions.entries.filter { $0.value["enum"] != nil }
        let schema = try RequirementSchema(tree)
        return try header("policy")
            + shapes("PolicyFields", "The keys of every map of the language.", maps, definitions)
            + "\n" + closedWords(words, schema)
    }

    /// Makes the Swift source from `grammar/allow.schema.json`.
    ///
    /// - Throws: when the schema has no `definitions`.
    @Sendable
    static func allowances(_ tree: SyntaxTree) throws(ContractProblem) -> String {
        try shapes(tree, "allow", "AllowanceFields", of: "a file of allowances")
    }

    /// Makes the Swift source from `grammar/assert.schema.json`.
    ///
    /// - Throws: when the schema has no `definitions`.
    @Sendable
    static func assertions(_ tree: SyntaxTree) throws(ContractProblem) -> String {
        try shapes(tree, "assert", "AssertionFields", of: "a file of assertions")
    }

    /// Makes the Swift source from `grammar/exports.schema.json`.
    ///
    /// - Throws: when the schema has no `definitions`.
    @Sendable
    static func exports(_ tree: SyntaxTree) throws(ContractProblem) -> String {
        try shapes(tree, "exports", "ExportFields", of: "a file of exports")
    }

    private static func shapes(
        _ tree: SyntaxTree, _ contract: String, _ type: String, of noun: String
    ) throws(ContractProblem) -> String {
        let (maps, definitions) = try maps(tree, root: "file")
        return header(contract)
            + shapes(type, "The keys of every map of \(noun).", maps, definitions)
    }

    /// Makes the Swift source from `grammar/test.schema.json`.
    ///
    /// - Throws: when the schema has no `definitions`.
    @Sendable
    static func tests(_ tree: SyntaxTree) throws(ContractProblem) -> String {
        try shapes(tree, "test", "TestFields", of: "a test file")
    }

    /// The maps of a schema, first the map of the whole file, and all its definitions.
    private static func maps(
        _ tree: SyntaxTree, root name: String
    ) throws(ContractProblem) -> (maps: [(name: String, node: SyntaxNode)], SyntaxNode) {
        guard let root = tree.root, let definitions = root["definitions"] else {
            throw ContractProblem(message: "the schema has no `definitions`")
        }
        let maps =
            [(name: name, node: root)]
            + definitions.entries.map { (name: $0.key.text, node: $0.value) }
            .filter { $0.node["properties"] != nil }
        return (maps, definitions)
    }

    private static func header(_ contract: String) -> String {
        """
        // Generated from grammar/\(contract).schema.json by `swift run generate-tables`. Do \
        not edit.
        // swift-format-ignore-file


        """
    }

    private static func shapes(
        _ type: String, _ summary: String, _ maps: [(name: String, node: SyntaxNode)],
        _ definitions: SyntaxNode
    ) -> String {
        var text = "/// \(summary)\npackage enum \(type) {\n"
        for (name, node) in maps {
            let noun = node["x-hawser-noun"]?.text ?? name
            text += "    /// \(node.firstSentence)\n"
            text += "    package static let \(camel(name)) = MapShape(\n"
            text += "        \(literal(name)), \(literal(noun)),\n        [\n"
            let required = Set((node["required"]?.items ?? []).map(\.text))
            for (key, value) in node["properties"]?.entries ?? [] {
                text += field(key.text, value, isRequired: required.contains(key.text), definitions)
            }
            text += "        ])\n"
        }
        text += "    /// Every map, in the order of the schema.\n"
        text += "    package static let all: [MapShape] = [\n"
        for (name, _) in maps { text += "        \(camel(name)),\n" }
        return text + "    ]\n}\n"
    }

    private static func field(
        _ name: String, _ node: SyntaxNode, isRequired: Bool, _ definitions: SyntaxNode
    ) -> String {
        let reference = node["$ref"]?.text.split(separator: "/").last.map(String.init)
        let target = reference.flatMap { definitions[$0] } ?? node
        let value =
            node["examples"]?.items.first ?? target["examples"]?.items.first
            ?? target["enum"]?.items.first
        let example = "\(name): \(value.map { flow($0, key: name) } ?? "…")"
        var parts = [literal(name)]
        if isRequired { parts.append("isRequired: true") }
        parts.append("example: \(literal(example))")
        if let reference, target["properties"] != nil { parts.append("map: \(camel(reference))") }
        let line = "            FieldShape(" + parts.joined(separator: ", ") + "),\n"
        if line.count <= 101 { return line }
        return "            FieldShape(\n                "
            + parts.joined(separator: ",\n                ") + "),\n"
    }

    private static func closedWords(
        _ definitions: [(key: SyntaxNode, value: SyntaxNode)], _ schema: RequirementSchema
    ) throws(ContractProblem) -> String {
        var text = "/// The closed lists of words of the language.\npackage enum PolicyWords {\n"
        for (key, node) in definitions {
            let noun = node["x-hawser-noun"]?.text ?? key.text
            text += "    /// \(node.firstSentence)\n"
            text += "    package static let \(camel(key.text)) = ClosedWords(\n"
            text += "        \(literal(noun)), \(list(node["enum"]))"
            let weaker = try weakerWords(of: key.text, node, schema)
            if !weaker.isEmpty {
                text += ",\n        weaker: [\(weaker.map(literal).joined(separator: ", "))]"
            }
            text += ")\n"
        }
        text += "    /// Every list of words, by the name of its definition in the schema.\n"
        text += "    package static let all: [String: ClosedWords] = [\n"
        for (key, _) in definitions {
            text += "        \(literal(key.text)): \(camel(key.text)),\n"
        }
        return text + "    ]\n}\n"
    }

    /// The words of a list that are not the strictest. When the fields that take the list say which
    /// way is stricter, these are all words except the strictest one. Otherwise these are the words
    /// of `x-hawser-weaker`.
    private static func weakerWords(
        of name: String, _ node: SyntaxNode, _ schema: RequirementSchema
    ) throws(ContractProblem) -> [String] {
        let written = node["x-hawser-weaker"]?.items.map(\.text)
        guard let ordered = schema.weakerWords(of: name) else { return written ?? [] }
        guard written == nil else {
            throw ContractProblem(
                message: "`x-hawser-weaker` of `\(name)` follows from `x-hawser-stricter`")
        }
        return ordered
    }

    /// Writes the texts of a list as a Swift array literal.
    private static func list(_ node: SyntaxNode?) -> String {
        "[\((node?.items ?? []).map { literal($0.text) }.joined(separator: ", "))]"
    }

    /// Writes a value in YAML's flow form, with quotes where the language demands or recommends
    /// them.
    private static func flow(_ node: SyntaxNode, key: String) -> String {
        switch node.kind {
        case .map:
            let entries = node.entries.map { "\($0.key.text): \(flow($0.value, key: $0.key.text))" }
            return "{ \(entries.joined(separator: ", ")) }"
        case .list:
            return "[\(node.items.map { flow($0, key: key) }.joined(separator: ", "))]"
        case .scalar, .error:
            let text = node.text
            let isQuoted =
                key == "hosts" || key.hasSuffix("-names") || text.contains(", ")
                || text.contains("*") || text.contains(" ")
            return isQuoted ? "\"\(text)\"" : text
        }
    }

    private static func camel(_ name: String) -> String {
        let parts = name.split(separator: "-")
        return parts.enumerated().map { index, part in
            index == 0 ? String(part) : part.prefix(1).uppercased() + part.dropFirst()
        }.joined()
    }

    private static func literal(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if character == "\"" || character == "\\" { escaped.append("\\") }
            escaped.append(character)
        }
        return "\"\(escaped)\""
    }
}
