import PolicyCompiler

/// One field of LANGUAGE section 8: its declaration in the schema, and the Swift source that the
/// generator writes for the field.
struct SchemaField {
    /// The dotted path: `keys.rsa-minimum`.
    let path: String
    /// The first sentence of the field's description.
    let summary: String
    /// The field's number in tables.
    let number: Int
    /// The Swift property of the engine: `rsaMinimum`, `tls.minimumVersion`,
    /// `revocation.causes[.stale]`.
    let property: String
    /// The value of `x-hawser-stricter`.
    let stricter: String
    /// The value of `x-hawser-unwritten`; empty when the schema does not have this keyword.
    let unwritten: String
    /// The value of `x-hawser-evidence`; empty when the schema does not have this keyword.
    let evidence: String
    let kind: Kind
    private let initialValue: String

    /// The kind of a field's value.
    enum Kind {
        case integer(range: String, isOptional: Bool)
        case seconds(range: String, isOptional: Bool)
        case word(SchemaWords)
        case words(SchemaWords)
        case ranking(SchemaWords)
        case purposes, objectIdentifiers, steps, digest, names, preferences, forbiddenKeys
    }

    private static let strictness = ["smaller", "larger", "subset", "superset", "together", "none"]

    /// Reads a field's declaration.
    ///
    /// - Throws: when a required keyword is missing, or no kind of value has the field's shape.
    init(
        _ path: String, _ node: SyntaxNode, target: SyntaxNode?, _ lists: [SchemaWords]
    ) throws(ContractProblem) {
        guard let number = node["x-hawser-number"].flatMap({ Int($0.text) }),
            let property = node["x-hawser-property"]?.text,
            let stricter = node["x-hawser-stricter"]?.text,
            SchemaField.strictness.contains(stricter)
        else {
            throw ContractProblem(
                message: "`\(path)` lacks `x-hawser-number`, `x-hawser-property` or a known "
                    + "`x-hawser-stricter`")
        }
        self.path = path
        self.number = number
        self.property = property
        self.stricter = stricter
        unwritten = node["x-hawser-unwritten"]?.text ?? ""
        evidence = node["x-hawser-evidence"]?.text ?? ""
        summary = node.firstSentence
        kind = try SchemaField.kind(of: node, target, lists, path)
        initialValue = try SchemaField.initial(node["default"], kind, path)
    }

    /// The part of the property before the dot; nil for a property of `Requirements` itself.
    var group: String? {
        property.contains(".") ? property.split(separator: ".").first.map(String.init) : nil
    }

    /// The part of the property after the first dot.
    var nameInGroup: String { String(property.drop { $0 != "." }.dropFirst()) }

    /// The name of the indexed property: `causes` for `revocation.causes[.stale]`; nil when the
    /// property has no index.
    var indexedProperty: String? {
        guard let bracket = nameInGroup.firstIndex(of: "[") else { return nil }
        return String(nameInGroup[..<bracket])
    }

    /// The name of the `ProfileField` case: `tlsMinimumVersion`, `revocationCausesStale`.
    var caseName: String {
        let parts = property.split { !$0.isLetter && !$0.isNumber }
        return parts.enumerated().map { index, part in
            index == 0 ? String(part) : RequirementSchema.capital(String(part))
        }.joined()
    }

    /// The Swift type of the property.
    var type: String {
        switch kind {
        case .integer(_, let isOptional): return isOptional ? "Int?" : "Int"
        case .seconds(_, let isOptional): return isOptional ? "Int64?" : "Int64"
        case .word(let list), .words(let list): return list.type
        case .ranking(let list): return "[\(list.type)]"
        case .purposes: return "KeyPurposes"
        case .objectIdentifiers: return "[[UInt8]]"
        case .steps: return "[LifetimeStep]"
        case .digest: return "Digest?"
        case .names, .preferences: return "[String]"
        case .forbiddenKeys: return "[ForbiddenKey]"
        }
    }

    /// The Swift expression of the baseline's value.
    var initial: String { initialValue }

    /// The Swift expression that reads the property as a `FieldValue`.
    var reading: String {
        switch kind {
        case .integer(_, false): return ".integer(\(property))"
        case .integer(_, true): return "\(property).map { .integer($0) } ?? .unwritten"
        case .seconds(_, false): return ".seconds(\(property))"
        case .seconds(_, true): return "\(property).map { .seconds($0) } ?? .unwritten"
        case .word(let list):
            return list.type == "Bool"
                ? ".word(\(property) ? 1 : 0)" : ".word(Int(\(property).rawValue))"
        case .words: return ".words(Int(\(property).intersection(.all).rawValue))"
        case .ranking: return ".ranking(\(property).map { Int($0.rawValue) })"
        case .purposes: return ".purposes(\(property))"
        case .objectIdentifiers: return ".objectIdentifiers(\(property))"
        case .steps: return ".steps(\(property))"
        case .digest: return "\(property).map { .digest($0) } ?? .unwritten"
        case .names: return ".names(\(property))"
        case .preferences: return ".preferences(\(property))"
        case .forbiddenKeys: return ".forbiddenKeys(\(property))"
        }
    }

    /// The Swift statements that set the property from a `FieldValue`.
    var assignment: [String] {
        func take(_ value: String, as expression: String) -> [String] {
            ["if case .\(value)(let value) = value { \(property) = \(expression) }"]
        }
        func takeOptional(_ value: String) -> [String] {
            [
                "if case .\(value)(let value) = value { \(property) = value }",
                "if value == .unwritten { \(property) = nil }",
            ]
        }
        switch kind {
        case .integer(_, let isOptional):
            return isOptional ? takeOptional("integer") : take("integer", as: "value")
        case .seconds(_, let isOptional):
            return isOptional ? takeOptional("seconds") : take("seconds", as: "value")
        case .word(let list) where list.type == "Bool": return take("word", as: "value == 1")
        case .word(let list):
            return [
                "if case .word(let value) = value, let word = \(list.type)(rawValue: .init(value)) {",
                "    \(property) = word",
                "}",
            ]
        case .words(let list): return take("words", as: "\(list.type)(rawValue: .init(value))")
        case .ranking(let list):
            return take(
                "ranking", as: "value.compactMap { \(list.type)(rawValue: .init($0)) }")
        case .purposes: return take("purposes", as: "value")
        case .objectIdentifiers: return take("objectIdentifiers", as: "value")
        case .steps: return take("steps", as: "value")
        case .digest: return takeOptional("digest")
        case .names: return take("names", as: "value")
        case .preferences: return take("preferences", as: "value")
        case .forbiddenKeys: return take("forbiddenKeys", as: "value")
        }
    }

    // MARK: Reading the declaration

    private static func kind(
        of node: SyntaxNode, _ target: SyntaxNode?, _ lists: [SchemaWords], _ path: String
    ) throws(ContractProblem) -> Kind {
        let isOptional = node["default"] == nil
        let reference = node["$ref"].map { RequirementSchema.name($0.text) }
        if let list = lists.first(where: { $0.name == reference }) { return .word(list) }
        if let range = (node["x-hawser-seconds"] ?? target?["x-hawser-seconds"])?.items {
            return .seconds(range: swiftRange(range.map(\.text)), isOptional: isOptional)
        }
        let item = node["items"]?["$ref"].map { RequirementSchema.name($0.text) }
        switch (node["type"]?.text, item) {
        case ("integer", _):
            let ends = [node["minimum"], node["maximum"]].compactMap { $0?.text }
            guard ends.count == 2 else { break }
            return .integer(range: swiftRange(ends), isOptional: isOptional)
        case ("array", "key-purpose"): return .purposes
        case ("array", "oid"): return .objectIdentifiers
        case ("array", "lifetime-step"): return .steps
        case ("array", let item?):
            let isRanked = node["uniqueItems"]?.text == "true"
            if let list = lists.first(where: { $0.name == item }) {
                return isRanked ? .ranking(list) : .words(list)
            }
            return isRanked ? .preferences : .names
        case ("string", _): return .digest
        case ("object", _): return .forbiddenKeys
        case (_, _): break
        }
        throw ContractProblem(message: "`\(path)` has a shape that no kind of value has")
    }

    private static func swiftRange(_ ends: [String]) -> String {
        ends.map { Int($0).map(RequirementSchema.number) ?? $0 }.joined(separator: "...")
    }

    private static func initial(
        _ written: SyntaxNode?, _ kind: Kind, _ path: String
    ) throws(ContractProblem) -> String {
        let words = written?.items.map(\.text) ?? []
        switch kind {
        case .integer: return written?.text ?? "nil"
        case .seconds:
            guard let text = written?.text else { return "nil" }
            guard let seconds = seconds(text) else { break }
            return RequirementSchema.number(seconds)
        case .word(let list):
            // The schema has no default for a cause. `RevocationCauses` declares the baseline.
            guard let word = written?.text else { return "" }
            guard let index = list.words.firstIndex(of: word) else { break }
            if list.type == "Bool" { return list.numbers[index] == 1 ? "true" : "false" }
            return "." + RequirementSchema.camel(word)
        case .words(let list):
            guard words.isEmpty || words == list.words else { break }
            return ".all"
        case .ranking:
            return "[\(words.map { "." + RequirementSchema.camel($0) }.joined(separator: ", "))]"
        case .purposes:
            let flags = words.map { RequirementSchema.camel($0) + ": true" }
            return "KeyPurposes(\(flags.joined(separator: ", ")))"
        case .digest: return "nil"
        case .objectIdentifiers, .steps, .names, .preferences, .forbiddenKeys:
            guard written == nil else { break }
            return "[]"
        }
        throw ContractProblem(message: "`\(path)` has a default that the generator cannot write")
    }

    private static func seconds(_ text: String) -> Int? {
        let digits = text.prefix { $0.isNumber }
        let units = ["s": 1, "min": 60, "h": 3_600, "d": 86_400]
        guard let number = Int(digits), let unit = units[String(text.dropFirst(digits.count))]
        else { return nil }
        return number * unit
    }
}

extension SchemaField.Kind {
    /// The Swift expression of the kind.
    var descriptor: String {
        func words(_ list: SchemaWords) -> String { "." + RequirementSchema.camel(list.name) }
        switch self {
        case .integer(let range, _): return ".integer(\(range))"
        case .seconds(let range, _): return ".seconds(\(range))"
        case .word(let list): return ".word(\(words(list)))"
        case .words(let list): return ".words(\(words(list)))"
        case .ranking(let list): return ".ranking(\(words(list)))"
        case .purposes: return ".purposes"
        case .objectIdentifiers: return ".objectIdentifiers"
        case .steps: return ".steps"
        case .digest: return ".digest"
        case .names: return ".names"
        case .preferences: return ".preferences"
        case .forbiddenKeys: return ".forbiddenKeys"
        }
    }

    /// Whether a field of this kind can be without a value.
    var isOptional: Bool {
        switch self {
        case .integer(_, let isOptional), .seconds(_, let isOptional): return isOptional
        case .digest: return true
        case .word, .words, .ranking, .purposes, .objectIdentifiers, .steps, .names, .preferences,
            .forbiddenKeys:
            return false
        }
    }
}
