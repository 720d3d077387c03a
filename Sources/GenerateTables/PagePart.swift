/// A part of a page that is generated: what stands between its first and its last line.
struct PagePart: Sendable {
    let first: String
    let last: String

    /// The fields of requirements, in the page of the table format.
    static let fields = PagePart(
        first: "<!-- fields: made by `swift run generate-tables` from policy.schema.json -->\n",
        last: "<!-- end of fields -->\n")

    /// The page with the part replaced.
    ///
    /// - Throws: when the page does not have both lines, in this order.
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
