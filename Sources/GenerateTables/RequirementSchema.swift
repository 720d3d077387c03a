import PolicyCompiler

/// The fields of LANGUAGE section 8 as `grammar/policy.schema.json` declares them.
struct RequirementSchema {
    /// The fields, in the order of the language.
    private(set) var fields: [SchemaField] = []
    /// Every list of words that has a type of the engine, in the order of the schema.
    private(set) var wordLists: [SchemaWords] = []

    /// Reads the fields and the lists of words.
    ///
    /// - Throws: when a field lacks a required keyword, or no kind of value has the field's shape.
    init(_ tree: SyntaxTree) throws(ContractProblem) {
        guard let definitions = tree.root?["definitions"], let profile = definitions["profile"]
        else {
            throw ContractProblem(message: "the schema has no definition `profile`")
        }
        for (key, node) in definitions.entries {
            if let words = try SchemaWords(key.text, node) { wordLists.append(words) }
        }
        try add(profile, below: "", definitions)
    }

    /// Adds the fields of a map and of the maps inside it, depth first.
    private mutating func add(
        _ map: SyntaxNode, below path: String, _ definitions: SyntaxNode
    ) throws(ContractProblem) {
        // INVARIANT (no map of the schema contains itself): otherwise the recursion would not end.
        for (key, node) in map["properties"]?.entries ?? [] {
            let target = node["$ref"].flatMap { definitions[RequirementSchema.name($0.text)] }
            let name = path.isEmpty ? key.text : path + "." + key.text
            if node["x-hawser-number"] == nil, let target, target["properties"] != nil {
                try add(target, below: name, definitions)
            } else if let declared = [node, target].compactMap({ $0 }).first(where: {
                $0["x-hawser-number"] != nil
            }) {
                fields.append(try SchemaField(name, declared, target: target, wordLists))
            } else if path.isEmpty == false {
                throw ContractProblem(message: "`\(name)` has no `x-hawser-number`")
            }
        }
    }

    /// All words of a list except the strictest word, in the order of the schema; nil when the
    /// fields that take the list do not agree which way is stricter.
    func weakerWords(of name: String) -> [String]? {
        guard let list = wordLists.first(where: { $0.name == name }) else { return nil }
        let ways = Set(
            fields.filter { field in
                if case .word(let own) = field.kind { return own.name == name }
                return false
            }.map(\.stricter).filter { $0 != "together" })
        let numbers = list.numbers
        guard ways.count == 1, let way = ways.first, ["smaller", "larger"].contains(way),
            let strictest = way == "smaller" ? numbers.min() : numbers.max()
        else { return nil }
        return zip(list.words, numbers).filter { $0.1 != strictest }.map(\.0)
    }

    /// The last part of a reference: `duration` for `#/definitions/duration`.
    static func name(_ reference: String) -> String {
        reference.split(separator: "/").last.map(String.init) ?? reference
    }

    /// Converts a name to camel case: `leaf-and-intermediates` to `leafAndIntermediates`, `tls1.2`
    /// to `tls12`.
    static func camel(_ name: String) -> String {
        let parts = name.filter { $0 != "." }.split(separator: "-")
        return parts.enumerated().map { index, part in
            index == 0 ? String(part) : capital(String(part))
        }.joined()
    }

    static func capital(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

    /// Writes a number of more than four digits with `_` between groups of three digits.
    static func number(_ value: Int) -> String {
        let digits = Array(String(value))
        guard digits.count > 4 else { return String(value) }
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append("_") }
            text.append(digit)
        }
        return text
    }
}

/// A closed list of words in the schema that has a type of the engine.
struct SchemaWords {
    let name: String
    let summary: String
    /// The name of the engine's Swift type.
    let type: String
    /// Whether the generator makes the type from the words.
    let isGenerated: Bool
    let words: [String]
    /// The numbers of the words in tables, in the order of `words`.
    let numbers: [Int]

    /// Reads a definition; nil when the definition has no type of the engine.
    ///
    /// - Throws: when a word has no number.
    init?(_ name: String, _ node: SyntaxNode) throws(ContractProblem) {
        let generated = node["x-hawser-type"]?.text
        guard let type = generated ?? node["x-hawser-engine-type"]?.text else { return nil }
        self.name = name
        self.summary = node.firstSentence
        self.type = type
        self.isGenerated = generated != nil
        self.words = (node["enum"]?.items ?? []).map(\.text)
        self.numbers =
            node["x-hawser-numbers"]?.items.compactMap { Int($0.text) } ?? Array(words.indices)
        guard !words.isEmpty, numbers.count == words.count else {
            throw ContractProblem(message: "`\(name)` has no number for each of its words")
        }
    }
}

extension SyntaxNode {
    /// The value of a key of a map.
    subscript(name: String) -> SyntaxNode? { entries.first { $0.key.text == name }?.value }

    /// The first sentence of a map's `description`, with its full stop.
    var firstSentence: String {
        let text = self["description"]?.text ?? ""
        for index in text.indices where text[index] == "." {
            let next = text.index(after: index)
            if next == text.endIndex || text[next] == " " { return String(text[..<next]) }
        }
        return text
    }
}
