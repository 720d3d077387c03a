/// A file, link or submodule of a tree or of the index. Folders are not listed: git keeps none
/// that is empty.
struct GitEntry: Hashable, Sendable {
    /// The kinds that git knows.
    enum Kind: Hashable, Sendable {
        case file
        case link
        case submodule
        /// Only in a listing that does not go into folders.
        case folder

        /// The kind of a mode, in octal digits.
        init?(mode: Substring) {
            switch mode {
            case "100644", "100755", "100664": self = .file
            case "120000": self = .link
            case "160000": self = .submodule
            case "040000", "40000": self = .folder
            default: return nil
            }
        }
    }

    let kind: Kind
    /// The object's id, 40 or 64 hexadecimal digits.
    let id: String
    /// The path below what was listed, as its octets.
    let path: [UInt8]

    /// Reads the answer of `ls-tree -z` or `ls-files -z --stage`: `MODE [TYPE] ID [STAGE]`, a tab,
    /// the path, a zero octet. It throws `failed` for another answer and `unmerged` for an entry
    /// of a merge that is not resolved.
    static func read(_ answer: [UInt8]) throws(NotCompared) -> [GitEntry] {
        var entries: [GitEntry] = []
        guard answer.isEmpty || answer.last == 0 else { throw unreadable }
        for line in answer.split(separator: 0) {
            guard let tab = line.firstIndex(of: 0x09) else { throw unreadable }
            let fields = String(decoding: line[..<tab], as: UTF8.self).split(separator: " ")
            let path = Array(line[(tab + 1)...])
            guard fields.count == 3, let kind = Kind(mode: fields[0]), !path.isEmpty else {
                throw unreadable
            }
            let isStaged = isID(fields[1])
            let id = isStaged ? fields[1] : fields[2]
            guard isID(id) else { throw unreadable }
            guard !isStaged || fields[2] == "0" else {
                throw NotCompared(
                    .unmerged,
                    "`\(String(decoding: path, as: UTF8.self))` is in a merge that is not resolved; "
                        + "resolve it and add it to the index")
            }
            entries.append(GitEntry(kind: kind, id: String(id), path: path))
        }
        return entries
    }

    private static let unreadable = NotCompared(
        .failed, "the listing of `git` cannot be read; git 2.30 or later is needed")

    /// Whether a text is the id of an object, SHA-1 or SHA-256.
    static func isID(_ text: some StringProtocol) -> Bool {
        let digits = text.utf8
        return (digits.count == 40 || digits.count == 64)
            && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
