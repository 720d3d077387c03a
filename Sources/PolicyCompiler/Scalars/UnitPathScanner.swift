/// Reads the path of another unit's folder: relative to the file that names it, with `/`. Unlike
/// the path of a file it may lead out of the unit, by `..`.
package enum UnitPathScanner {
    /// The path as it is written, without a `/` at its end.
    ///
    /// - Throws: HW012 for an absolute path and other ways to write a path; HW014, HW011.
    package static func scan(_ text: String) throws(ScalarProblem) -> String {
        try ScalarProblem.requireText(text, of: "the path")
        let quoted = ScalarProblem.quote(text)
        guard text.utf8.first != UInt8(ascii: "/") else {
            throw ScalarProblem(
                .pathLeavesUnit,
                "\(quoted) is absolute; a path is relative to the file that names it",
                range: 0..<1, help: ["for example `../baseline`"])
        }
        for (character, what) in [
            ("\\", "a `\\`; folders are parted by `/`"), ("\0", "a NUL, which no file name holds"),
            (":", "a `:`; a unit is a folder of the same checkout"),
        ] {
            guard !text.contains(character) else {
                throw ScalarProblem(
                    .pathLeavesUnit, "\(quoted) has \(what)", help: ["for example `../baseline`"])
            }
        }
        guard !text.contains("//") else {
            throw ScalarProblem(
                .pathLeavesUnit, "\(quoted) has two `/` in a row", help: ["write one `/`"])
        }
        var path = text[...]
        while path.utf8.count > 1, path.hasSuffix("/") { path = path.dropLast() }
        return String(path)
    }
}
