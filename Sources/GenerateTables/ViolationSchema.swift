import PolicyCompiler

/// Makes the definitions `check` and `violation` of `grammar/trace.schema.json`, and
/// `issuance-demand` of `grammar/policy.schema.json`, from `grammar/violations.yaml`.
enum ViolationSchema {
    /// The definition `check`.
    @Sendable
    static func checks(_ tree: SyntaxTree) throws(ContractProblem) -> SchemaText {
        .object([("enum", .texts(try ViolationContract(tree).checks.map(\.id)))])
    }

    /// The definition `issuance-demand`: the ids of the demands of issuance.
    @Sendable
    static func issuanceDemands(_ tree: SyntaxTree) throws(ContractProblem) -> SchemaText {
        .object([
            (
                "description",
                .text("A demand that a standard addresses to those who issue certificates.")
            ),
            ("x-hawser-noun", .text("an issuance demand")),
            (
                "enum",
                .texts(try ViolationContract(tree).demands.filter(\.isIssuance).map(\.id))
            ),
        ])
    }

    /// The definition `violation`: one shape for each violation. A violation whose fields depend on
    /// `constraint` has one shape for each entry of `shapes`.
    @Sendable
    static func violations(_ tree: SyntaxTree) throws(ContractProblem) -> SchemaText {
        let contract = try ViolationContract(tree)
        var shapes: [SchemaText] = []
        for violation in contract.violations {
            let id: SchemaText =
                violation.isStandard
                ? .object([("enum", .texts(contract.ids(of: violation)))])
                : .object([("const", .text(violation.id))])
            let common = violation.fields.map { ($0.name, schema(of: $0)) }
            guard !violation.shapes.isEmpty else {
                shapes.append(shape(id, common))
                continue
            }
            for one in violation.shapes {
                shapes.append(
                    shape(
                        id,
                        common + [("constraint", .object([("enum", .texts(one.constraint))]))]
                            + one.fields.map { ($0.name, schema(of: $0)) }))
            }
        }
        return .object([("oneOf", .list(shapes))])
    }

    private static func shape(
        _ id: SchemaText, _ fields: [(String, SchemaText)]
    ) -> SchemaText {
        object(
            [
                ("id", id), ("check", reference("check")), ("side", reference("side")),
                ("summary", string),
                ("forEndUser", string), ("citation", string), ("place", orNull("place")),
            ] + fields)
    }

    /// The schema of a map that has all of these keys and no other key.
    private static func object(_ properties: [(String, SchemaText)]) -> SchemaText {
        .object([
            ("type", .text("object")), ("properties", .object(properties)),
            ("required", .texts(properties.map(\.0))), ("additionalProperties", .flag(false)),
        ])
    }

    private static func schema(of field: ViolationField) -> SchemaText {
        guard field.words.isEmpty else { return .object([("enum", .texts(field.words))]) }
        switch field.kind {
        case .text, .demand: return string
        case .optionalText: return .object([("type", .texts(["string", "null"]))])
        case .texts, .textInList: return list(string)
        case .natural:
            return .object([("type", .text("integer")), ("minimum", .number(0))])
        case .integer: return .object([("type", .text("integer"))])
        case .instant: return reference("instant")
        case .optionalInstant: return orNull("instant")
        case .digest: return reference("digest")
        case .certificate: return reference("certificate")
        case .optionalCertificate: return orNull("certificate")
        case .tlsVersion: return reference("tlsVersion")
        case .tableBasis: return string
        case .relation: return .object([("enum", .texts(["permitted", "excluded"]))])
        case .revocationCause: return reference("revocationCause")
        case .answer: return reference("revocationAnswer")
        case .answers: return list(reference("revocationAnswer"))
        case .criteria: return list(reference("transparencyCriterion"))
        case .timestamps: return list(reference("timestamp"))
        case .wantedPins:
            let places = ["leaf", "intermediate", "anchor", "ca", "any"]
            return list(
                object([
                    ("id", string), ("backup", boolean),
                    ("at", .object([("enum", .texts(places))])),
                    ("digests", list(string)), ("matched", boolean),
                ]))
        case .foundKeys:
            return list(object([("certificate", reference("certificate")), ("spki", string)]))
        }
    }

    private static let string = SchemaText.object([("type", .text("string"))])
    private static let boolean = SchemaText.object([("type", .text("boolean"))])

    private static func list(_ item: SchemaText) -> SchemaText {
        .object([("type", .text("array")), ("items", item)])
    }

    private static func reference(_ name: String) -> SchemaText {
        .object([("$ref", .text("#/definitions/\(name)"))])
    }

    private static func orNull(_ name: String) -> SchemaText {
        .object([("oneOf", .list([reference(name), .object([("type", .text("null"))])]))])
    }
}

/// A part of a JSON schema, written in the layout of the schemas of `grammar/`: two spaces of
/// indentation, and one line for each member and each item.
indirect enum SchemaText {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([SchemaText])
    case object([(String, SchemaText)])
    /// JSON that another schema of `grammar/` has at the same indentation.
    case verbatim(String)

    /// A list of strings.
    static func texts(_ texts: [String]) -> SchemaText { .list(texts.map { .text($0) }) }

    /// The JSON text, without a line feed at the end. `indent` is the indentation of the line on
    /// which the text begins. Keys and strings are ids and names. They contain no character that
    /// JSON escapes, so this function escapes nothing.
    func written(indent: Int) -> String {
        let inner = "\n" + String(repeating: " ", count: indent + 2)
        let outer = "\n" + String(repeating: " ", count: indent)
        switch self {
        case .text(let text): return "\"\(text)\""
        case .number(let number): return "\(number)"
        case .flag(let flag): return "\(flag)"
        case .verbatim(let json): return json
        case .list(let items):
            let parts = items.map { inner + $0.written(indent: indent + 2) }
            return parts.isEmpty ? "[]" : "[\(parts.joined(separator: ","))\(outer)]"
        case .object(let members):
            let parts = members.map { name, value in
                "\(inner)\"\(name)\": \(value.written(indent: indent + 2))"
            }
            return parts.isEmpty ? "{}" : "{\(parts.joined(separator: ","))\(outer)}"
        }
    }
}
