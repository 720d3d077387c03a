/// A definition of a schema that is generated: a member of `definitions`, whose lines have an
/// indentation of four.
struct SchemaDefinition: Sendable {
    let name: String

    /// The schema with the definition replaced.
    ///
    /// - Throws: when the schema has no such definition.
    func schema(
        _ bytes: [UInt8], of path: String, with definition: SchemaText
    ) throws(ContractProblem) -> String {
        let lines = String(decoding: bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        let first = "    \"\(name)\": "
        guard let start = lines.firstIndex(where: { $0 == first + "{" }),
            let end = lines[start...].firstIndex(where: { $0 == "    }" || $0 == "    }," })
        else {
            throw ContractProblem(message: "\(path) has no definition `\(name)`")
        }
        let comma = lines[end].hasSuffix(",") ? "," : ""
        return
            (lines[..<start] + [first[...] + definition.written(indent: 4) + comma]
            + lines[(end + 1)...]).joined(separator: "\n")
    }
}
