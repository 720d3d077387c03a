import PolicyCompiler

/// Makes the Swift source of an answer's JSON from its schema: a type for each object. The
/// initialiser takes a value for each property, with the property's type, and writes the members in
/// the schema's order. So a writer that leaves out a property does not compile, and a property has
/// one name. An object with a `oneOf` has an initialiser for each branch; a property that only
/// another branch requires is left out.
struct AnswerSource: Sendable {
    /// The schema's name: `test-report`.
    let schema: String
    /// The enumeration that holds the types: `TestReportJSON`.
    let namespace: String
    /// Definitions and properties that other types write. A `JSONValue` is taken for each.
    let foreign: [String]
    /// Whether other targets write the answer.
    let isShared: Bool

    /// The text of the generated file.
    ///
    /// - Throws: when a reference names no definition.
    @Sendable
    func source(_ tree: SyntaxTree) throws(ContractProblem) -> String {
        guard let root = tree.root else { throw ContractProblem(message: "the schema is empty") }
        let definitions = root["definitions"]
        var text = """
            // Generated from grammar/\(schema).schema.json by `swift run generate-tables`. Do not \
            edit.
            // swift-format-ignore-file
            import Rendering

            /// The objects of `grammar/\(schema).schema.json`; `Document` is the whole.
            \(isShared ? "package " : "")enum \(namespace) {

            """
        text += try object("Document", root, definitions, "    ")
        for (key, node) in definitions?.entries ?? []
        where node["properties"] != nil && !foreign.contains(key.text) {
            text += "\n"
            text += try object(AnswerSource.typeName(key.text), node, definitions, "    ")
        }
        return text + "}\n"
    }

    // MARK: Objects

    private struct Member {
        let key: String
        let type: MemberType
        let isRequired: Bool
        /// The expression of a property that always has one value; nil for any other.
        let constant: String?

        var name: String { AnswerSource.camel(key) }
    }

    private func object(
        _ name: String, _ node: SyntaxNode, _ definitions: SyntaxNode?, _ indent: String
    ) throws(ContractProblem) -> String {
        let properties = node["properties"]?.entries ?? []
        let branches = (node["oneOf"]?.items ?? []).map { SyntaxNode?.some($0) }
        var text = "\(indent)struct \(name): JSONObject {\n\(indent)    let json: JSONValue\n"
        for branch in branches.isEmpty ? [nil] : branches {
            let required = AnswerSource.required(node) + AnswerSource.required(branch)
            let forbidden =
                AnswerSource.required(below: branch?["not"])
                + branches.flatMap { AnswerSource.required($0) }.filter { !required.contains($0) }
            var members: [Member] = []
            for (key, value) in properties where !forbidden.contains(key.text) {
                let constant = branch?["properties"]?[key.text]?["const"] ?? value["const"]
                members.append(
                    Member(
                        key: key.text, type: try type(value, key.text, definitions),
                        isRequired: required.contains(key.text),
                        constant: constant.map(AnswerSource.literal)))
            }
            text += "\n" + initialiser(members, indent + "    ", isBranch: branch != nil)
        }
        for (key, value) in properties {
            guard let inline = try type(value, key.text, definitions).inline else { continue }
            text += "\n"
            text += try object(
                AnswerSource.typeName(key.text), inline, definitions, indent + "    ")
        }
        return text + "\(indent)}\n"
    }

    private func initialiser(_ members: [Member], _ indent: String, isBranch: Bool) -> String {
        let parameters = members.filter { $0.constant == nil }.map { member in
            let isOptional = !member.isRequired || member.type.isNullable
            var type = member.type.swift
            if type == "Int", !isOptional { type = "some BinaryInteger" }
            if isOptional { type += "?" }
            return "\(member.name): \(type)" + (isBranch && !member.isRequired ? " = nil" : "")
        }
        var text = "\(indent)init(\(parameters.joined(separator: ", "))) {\n"
        text += "\(indent)    json = .object([\n"
        for member in members {
            var name = member.name
            if AnswerSource.keywords.contains(name) { name = "`\(name)`" }
            var value = member.constant ?? "\(name).json"
            if member.constant == nil, !member.isRequired { value = "\(name)?.json" }
            if member.constant == nil, member.isRequired, member.type.isNullable {
                value = "\(name)?.json ?? .null"
            }
            text += "\(indent)        (\"\(member.key)\", \(value)),\n"
        }
        return text + "\(indent)    ])\n\(indent)}\n"
    }

    /// The keys that a schema requires.
    private static func required(_ node: SyntaxNode?) -> [String] {
        (node?["required"]?.items ?? []).map(\.text)
    }

    /// The keys that a schema, or an alternative of it, requires.
    private static func required(below node: SyntaxNode?) -> [String] {
        required(node) + (node?["anyOf"]?.items ?? []).flatMap { required($0) }
    }

    // MARK: Types

    private struct MemberType {
        var swift: String
        var isNullable = false
        /// The object that stands in place of a reference; nil where none does.
        var inline: SyntaxNode?
    }

    private func type(
        _ node: SyntaxNode, _ key: String, _ definitions: SyntaxNode?
    ) throws(ContractProblem) -> MemberType {
        if foreign.contains(key) {
            return MemberType(swift: node["items"] == nil ? "JSONValue" : "[JSONValue]")
        }
        if let reference = node["$ref"]?.text {
            let name = RequirementSchema.name(reference)
            if foreign.contains(name) { return MemberType(swift: "JSONValue") }
            guard let target = definitions?[name] else {
                throw ContractProblem(message: "the schema has no definition `\(name)`")
            }
            return target["properties"] == nil
                ? try type(target, key, definitions)
                : MemberType(swift: AnswerSource.typeName(name))
        }
        if node["properties"] != nil {
            return MemberType(swift: AnswerSource.typeName(key), inline: node)
        }
        if node["enum"] != nil { return MemberType(swift: "String") }
        if let choices = (node["oneOf"] ?? node["allOf"])?.items {
            let other = choices.filter { $0["type"]?.text != "null" }
            guard other.count == 1 else { return MemberType(swift: "JSONValue") }
            var found = try type(other[0], key, definitions)
            if other.count < choices.count { found.isNullable = true }
            return found
        }
        let words = node["type"].map { $0.items.isEmpty ? [$0.text] : $0.items.map(\.text) } ?? []
        let isNullable = words.contains("null")
        switch words.first {
        case "string": return MemberType(swift: "String", isNullable: isNullable)
        case "integer": return MemberType(swift: "Int", isNullable: isNullable)
        case "boolean": return MemberType(swift: "Bool", isNullable: isNullable)
        case "array":
            guard let items = node["items"] else { return MemberType(swift: "[JSONValue]") }
            var found = try type(items, key, definitions)
            found.swift = found.isNullable ? "[\(found.swift)?]" : "[\(found.swift)]"
            found.isNullable = false
            return found
        default: return MemberType(swift: "JSONValue")
        }
    }

    private static func literal(_ node: SyntaxNode) -> String {
        if node.style == .doubleQuoted { return ".string(\"\(node.text)\")" }
        return ["true", "false"].contains(node.text)
            ? ".bool(\(node.text))" : ".integer(\(node.text))"
    }

    // MARK: Names

    private static let keywords: Set = ["class", "default", "extension", "in", "is", "operator"]

    private static func camel(_ key: String) -> String {
        let name = typeName(key)
        return name.prefix(1).lowercased() + name.dropFirst()
    }

    private static func typeName(_ key: String) -> String {
        key.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
