/// A generated definition of a schema: a member of `definitions`. The member's lines are indented
/// by four spaces.
struct SchemaDefinition: Sendable {
    let name: String

    /// Returns the schema with `definition` in place of the old definition.
    ///
    /// - Throws: when the schema has no definition with this name.
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
