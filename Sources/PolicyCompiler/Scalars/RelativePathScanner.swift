/// A path in a policy, resolved from the unit's root.
package struct ScannedPath: Hashable, Sendable {
    /// The path from the unit's root, with `/`, without `.`, `..` and a `/` at the end. Empty for
    /// the root folder.
    package let path: String
    /// Whether the path ended in `/`. Then it stands for the certificates directly in that folder.
    package let isFolder: Bool
}

/// Reads paths: relative to the file that names them, with `/`, inside the unit (LANGUAGE section
/// 2.5).
package enum RelativePathScanner {
    /// The path that a scalar names, from the unit's root. Only the text is checked: a symbolic
    /// link that leads out of the unit is found when the file is opened.
    ///
    /// - Parameter file: the path of the policy file that contains the scalar, from the unit's
    ///   root.
    /// - Throws: HW012 for an absolute path, a path that leaves the unit, and other ways to write a
    ///   path; HW014, HW011.
    package static func scan(
        _ text: String, namedIn file: String
    ) throws(ScalarProblem) -> ScannedPath {
        try ScalarProblem.requireText(text, of: "the path")
        try refuseForeignForms(text)
        var segments = file.split(separator: "/").dropLast().map(String.init)
        let isFolder = text.utf8.last == UInt8(ascii: "/")
        var offset = 0
        let parts = text.utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            let range = offset..<offset + part.count
            offset = range.upperBound + 1
            let name = String(part) ?? ""
            if name.isEmpty {
                guard index == parts.count - 1 else {
                    throw ScalarProblem(
                        .pathLeavesUnit, "\(ScalarProblem.quote(text)) has two `/` in a row",
                        range: range.lowerBound - 1..<range.upperBound + 1,
                        help: ["write one `/`"])
                }
            } else if name == ".." {
                guard !segments.isEmpty else {
                    throw ScalarProblem(
                        .pathLeavesUnit,
                        "\(ScalarProblem.quote(text)) leaves the unit: there is nothing above its "
                            + "root",
                        range: range,
                        help: ["keep the file below the folder of `policy.yaml` and name it there"])
                }
                segments.removeLast()
            } else if name != "." {
                segments.append(name)
            }
        }
        if let last = parts.last, String(last) == "." || String(last) == ".." {
            throw ScalarProblem(
                .pathLeavesUnit,
                "\(ScalarProblem.quote(text)) is a folder, which is written with a `/` at its end",
                help: ["write `\(text)/` for every certificate directly in it"])
        }
        return ScannedPath(path: segments.joined(separator: "/"), isFolder: isFolder)
    }

    private static func refuseForeignForms(_ text: String) throws(ScalarProblem) {
        let quoted = ScalarProblem.quote(text)
        let bytes = Array(text.utf8)
        if bytes[0] == UInt8(ascii: "/") {
            throw ScalarProblem(
                .pathLeavesUnit,
                "\(quoted) is absolute; a path is relative to the file that names it",
                range: 0..<1,
                help: ["copy the file into the unit and name it from here, without the first `/`"])
        }
        if let scheme = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes[scheme...].starts(with: "://".utf8)
        {
            throw ScalarProblem(
                .pathLeavesUnit, "\(quoted) is a URL; a path names a file of the unit",
                range: 0..<scheme + 3,
                help: ["fetch the file into the unit and name it from here"])
        }
        if let at = bytes.firstIndex(of: UInt8(ascii: "\\")) {
            let mended = String(text.map { $0 == "\\" ? "/" : $0 })
            throw ScalarProblem(
                .pathLeavesUnit, "\(quoted) has a `\\`; folders are parted by `/`",
                range: at..<at + 1, write: mended)
        }
        if let at = bytes.firstIndex(of: 0) {
            throw ScalarProblem(
                .pathLeavesUnit, "the path has a NUL, which no file name holds", range: at..<at + 1)
        }
    }
}
