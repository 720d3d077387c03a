import PolicyCompiler

/// Writes what the engine knows of the fields of LANGUAGE section 8 from
/// `grammar/policy.schema.json`: the type `Requirements` and the types of its words, one
/// `ProfileField` a field with its descriptor, and the value of each field by name. A field is
/// declared in the schema alone.
enum RequirementSource {
    /// The Swift source for a schema.
    ///
    /// - Throws: when a field lacks one of its keywords, or has a shape that no kind of value has.
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
            "/// The flattened fields of a profile (LANGUAGE section 8). `Requirements()` is the baseline.\n"
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
                    "    /// `\(group)`.\n    package var \(group) = \(type(ofGroup: group))()\n"
            }
            groups[groups.count - 1].fields.append(field)
        }
        text += "\n    /// The baseline.\n    package init() {}\n}\n\n"
        for (name, fields) in groups {
            text += "/// `\(name)`. An empty value is the baseline.\n"
            text += "package struct \(type(ofGroup: name)): Hashable, Sendable {\n"
            var indexed: Set<String> = []
            for field in fields {
                guard let list = field.indexedProperty else {
                    text += property(field, named: field.nameInGroup)
                    continue
                }
                guard indexed.insert(list).inserted else { continue }
                text += "    /// `\(name).\(list)`.\n"
                text += "    package var \(list) = \(type(ofGroup: name, list: list))()\n"
            }
            text += "\n    /// The baseline.\n    package init() {}\n}\n\n"
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
                "\n    /// The word in a policy.\n    package var name: String {\n        switch self {\n"
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
            "/// The fields of LANGUAGE section 8 by their dotted paths, in the order of the language.\n"
        text += "package enum ProfileField: String, Hashable, Sendable, CaseIterable {\n"
        for field in schema.fields {
            text += "    case \(field.caseName) = \"\(field.path)\"\n"
        }
        return text + "}\n\n"
    }

    private static func descriptors(_ schema: RequirementSchema) -> String {
        var text = "extension ProfileField {\n    /// What the schema says of the field.\n"
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
            "    /// Takes a value over that is one of the field's kind; leaves the field alone otherwise.\n"
        text +=
            "    mutating func assign(_ field: ProfileField, _ value: FieldValue) {\n        switch field {\n"
        for field in schema.fields {
            text += "        case .\(field.caseName):\n"
            for line in field.assignment { text += "            \(line)\n" }
        }
        return text + "        }\n    }\n}\n"
    }
}
