import PolicyCompiler

/// Writes the engine's declarations of the fields of LANGUAGE section 8 from
/// `grammar/policy.schema.json`: the type `Requirements`, the types of its words, one case of
/// `ProfileField` with a descriptor for each field, and the function that reads a field's value. A
/// field is declared only in the schema.
enum RequirementSource {
    /// Makes the Swift source from the schema.
    ///
    /// - Throws: when a field lacks a required keyword, or no kind of value has the field's shape.
    @Sendable
    static func source(_ tree: SyntaxTree) throws(ContractProblem) -> String {
        let schema = try RequirementSchema(tree)
        return header + requirements(schema) + words(schema) + wordLists(schema)
            + fields(schema) + descriptors(schema) + values(schema)
    }

    private static let header = """
        // Made by `swift run generate-tables` from grammar/policy.schema.json. Do not edit.
        // swift-format-ignore-file


        """

    // MARK: The types

    private static func requirements(_ schema: RequirementSchema) -> String {
        var text =
            "/// The fields of a flattened profile (LANGUAGE section 8). `Requirements()` is the baseline.\n"
        text += "package struct Requirements: Hashable, Sendable {\n"
        var groups: [(name: String, fields: [SchemaField])] = []
        for field in schema.fields {
            guard let group = field.group else {
                text += property(field, named: field.property)
                continue
            }
            if groups.last?.name != group {
                groups.append((group, []))
                text +=
                    "    /// The fields of `\(group)`.\n    package var \(group) = \(type(ofGroup: group))()\n"
            }
            groups[groups.count - 1].fields.append(field)
        }
        text += "\n    /// Makes the baseline.\n    package init() {}\n}\n\n"
        for (name, fields) in groups {
            text += "/// The fields of `\(name)`. The value of `init()` is the baseline.\n"
            text += "package struct \(type(ofGroup: name)): Hashable, Sendable {\n"
            var indexed: Set<String> = []
            for field in fields {
                guard let list = field.indexedProperty else {
                    text += property(field, named: field.nameInGroup)
                    continue
                }
                guard indexed.insert(list).inserted else { continue }
                text += "    /// The fields of `\(name).\(list)`.\n"
                text += "    package var \(list) = \(type(ofGroup: name, list: list))()\n"
            }
            text += "\n    /// Makes the baseline.\n    package init() {}\n}\n\n"
        }
        return text
    }

    private static func property(_ field: SchemaField, named name: String) -> String {
        return "    /// `\(field.path)`: \(field.summary)\n"
            + "    package var \(name): \(field.type) = \(field.initial)\n"
    }

    private static func type(ofGroup group: String, list: String = "") -> String {
        let name = group == "tls" ? "TLS" : RequirementSchema.capital(group)
        return list.isEmpty ? name + "Requirement" : name + RequirementSchema.capital(list)
    }

    // MARK: Words

    private static func words(_ schema: RequirementSchema) -> String {
        var text = ""
        for list in schema.wordLists where list.isGenerated {
            text += "/// \(list.summary)\n"
            text +=
                "package enum \(list.type): UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {\n"
            for (word, number) in zip(list.words, list.numbers) {
                text += "    case \(RequirementSchema.camel(word)) = \(number)\n"
            }
            text +=
                "\n    /// The word as a policy writes it.\n    package var name: String {\n        switch self {\n"
            for word in list.words {
                text += "        case .\(RequirementSchema.camel(word)): return \"\(word)\"\n"
            }
            text += "        }\n    }\n}\n\n"
        }
        return text
    }

    private static func wordLists(_ schema: RequirementSchema) -> String {
        var text = "extension FieldWords {\n"
        for list in schema.wordLists {
            let members = zip(list.words, list.numbers).map { "(\"\($0)\", \($1))" }
            text += "    /// \(list.summary)\n"
            text += "    package static let \(RequirementSchema.camel(list.name)) = FieldWords(\n"
            text += "        \"\(list.name)\", [\(members.joined(separator: ", "))])\n"
        }
        return text + "}\n\n"
    }

    // MARK: Fields

    private static func fields(_ schema: RequirementSchema) -> String {
        var text =
            "/// The fields of LANGUAGE section 8, in the order of the language. The raw value is the path.\n"
        text += "package enum ProfileField: String, Hashable, Sendable, CaseIterable {\n"
        for field in schema.fields {
            text += "    case \(field.caseName) = \"\(field.path)\"\n"
        }
        return text + "}\n\n"
    }

    private static func descriptors(_ schema: RequirementSchema) -> String {
        var text = "extension ProfileField {\n    /// The declaration of the field in the schema.\n"
        text += "    package var descriptor: FieldDescriptor {\n        switch self {\n"
        for field in schema.fields {
            text += "        case .\(field.caseName):\n            return FieldDescriptor(\n"
            text += "                number: \(field.number), kind: \(field.kind.descriptor), "
            text += "isOptional: \(field.kind.isOptional), stricter: .\(field.stricter)"
            text += field.unwritten == "strictest" ? ", unwritten: .strictest" : ""
            text += field.evidence.isEmpty ? ")\n" : ", evidence: .\(field.evidence))\n"
        }
        return text + "        }\n    }\n}\n\n"
    }

    private static func values(_ schema: RequirementSchema) -> String {
        var text = "extension Requirements {\n    /// The value of a field.\n"
        text +=
            "    package func value(of field: ProfileField) -> FieldValue {\n        switch field {\n"
        for field in schema.fields {
            text += "        case .\(field.caseName): return \(field.reading)\n"
        }
        text += "        }\n    }\n\n"
        text +=
            "    /// Sets a field. A value that is not of the field's kind changes nothing.\n"
        text +=
            "    mutating func assign(_ field: ProfileField, _ value: FieldValue) {\n        switch field {\n"
        for field in schema.fields {
            text += "        case .\(field.caseName):\n"
            for line in field.assignment { text += "            \(line)\n" }
        }
        text += "        }\n    }\n\n"
        text +=
            "    /// The fields that are stored otherwise than in another value, in the order of the\n"
            + "    /// language. A field whose value differs is among them.\n"
        text +=
            "    func differences(from other: Requirements) -> [ProfileField] {\n"
            + "        var found: [ProfileField] = []\n"
        for field in schema.fields {
            text +=
                "        if \(field.property) != other.\(field.property) { found.append(.\(field.caseName)) }\n"
        }
        return text + "        return found\n    }\n}\n"
    }
}
