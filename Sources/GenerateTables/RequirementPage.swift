import PolicyCompiler

/// Makes the table of fields in `grammar/table-format.md`.
enum RequirementPage {
    /// The table's head and one row for each number, in ascending order.
    ///
    /// - Throws: as `RequirementSchema`.
    @Sendable
    static func rows(_ tree: SyntaxTree) throws(ContractProblem) -> String {
        let schema = try RequirementSchema(tree)
        var text = "| number | field | type and values |\n|---|---|---|\n"
        let numbers = Dictionary(grouping: schema.fields, by: \.number)
        for (number, fields) in numbers.sorted(by: { $0.key < $1.key }) {
            guard let field = fields.first else { continue }
            guard fields.count > 1 else {
                text += "| \(number) | `\(field.path)` | \(values(of: field.kind)) |\n"
                continue
            }
            let section = field.path.split(separator: ".").dropLast().joined(separator: ".")
            let keys = fields.map { $0.path.split(separator: ".").last ?? "" }
            text +=
                "| \(number) | `\(section)` | octets: one word each for "
                + "\(keys.joined(separator: ", ")); \(words(of: field.kind)) |\n"
        }
        return text
    }

    private static func values(of kind: SchemaField.Kind) -> String {
        switch kind {
        case .integer(let range, _): return "integer \(dashed(range))"
        case .seconds(let range, _): return "integer \(dashed(range)), seconds"
        case .word: return "integer: \(words(of: kind))"
        case .words: return "integer, not 0; bits: \(words(of: kind))"
        case .ranking: return "octets, in the order of preference: \(words(of: kind))"
        case .purposes:
            return "octets: flags (1: `server-auth` 1, `client-auth` 2), then each further OID's "
                + "content octets with their length (2), sorted"
        case .objectIdentifiers: return "octets: record strings, the OIDs' content octets"
        case .steps: return "octets: date (8, signed) and seconds (8, signed) each, dates ascending"
        case .digest: return "octets: SHA-256 of the file"
        case .names: return "octets: record strings, ascending"
        case .preferences: return "octets: record strings, in the order of preference"
        case .forbiddenKeys:
            return "octets: id (record string), window, key matches each; ids ascending"
        }
    }

    private static func words(of kind: SchemaField.Kind) -> String {
        switch kind {
        case .word(let list), .words(let list), .ranking(let list):
            return zip(list.words, list.numbers).map { "\($0) \($1)" }.joined(separator: ", ")
        case .integer, .seconds, .purposes, .objectIdentifiers, .steps, .digest, .names,
            .preferences, .forbiddenKeys:
            return ""
        }
    }

    private static func dashed(_ range: String) -> String {
        range.split(separator: ".").map { $0.filter { $0 != "_" } }.joined(separator: "–")
    }
}
