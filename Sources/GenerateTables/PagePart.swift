/// A generated part of a page: the lines between a first and a last marker line.
struct PagePart: Sendable {
    let first: String
    let last: String

    /// The table of the fields of requirements in `grammar/table-format.md`.
    static let fields = PagePart(
        first: "<!-- fields: made by `swift run generate-tables` from policy.schema.json -->\n",
        last: "<!-- end of fields -->\n")

    /// Returns the page with `text` in place of the part.
    ///
    /// - Throws: when the page does not have both marker lines in this order.
    func page(
        _ bytes: [UInt8], of path: String, with text: String
    ) throws(ContractProblem) -> String {
        let lines = String(decoding: bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: first.dropLast()),
            let end = lines[start...].firstIndex(of: last.dropLast())
        else {
            throw ContractProblem(message: "\(path) has no lines `\(first)` and `\(last)`")
        }
        return lines[...start].joined(separator: "\n") + "\n" + text
            + lines[end...].joined(separator: "\n")
    }
}
