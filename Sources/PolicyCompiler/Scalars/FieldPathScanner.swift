/// Reads the path of a field in a file of allowances: keys and ids with dots between them, as
/// `diff` prints it.
package enum FieldPathScanner {
    /// The path, unchanged.
    ///
    /// - Throws: HW103 for another form; HW014, HW011.
    package static func scan(_ text: String) throws(ScalarProblem) -> String {
        try ScalarProblem.requireText(text, of: "the field")
        var start = 0
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            let end = start + part.utf8.count
            guard (try? IDScanner.scan(String(part), style: .doubleQuoted)) != nil else {
                throw ScalarProblem(
                    .unknownValue,
                    "\(ScalarProblem.quote(text)) is not a field; `hawser diff` prints a field as its "
                        + "keys with dots between them",
                    range: part.isEmpty ? nil : start..<end,
                    help: ["write for example `revocation.preset`"])
            }
            start = end + 1
        }
        return text
    }
}
