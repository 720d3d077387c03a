/// Which files of a target use which other files of it: by the names of types and functions at the
/// top level, and of the members that a type has in another file than its own (`Type.member`).
///
/// The analysis reads names and resolves no types. A use of a member through a value is not seen.
struct FileUses {
    /// A file by its path from the target's folder.
    struct File {
        let path: String
        /// The path of the folder; empty for a file in the target's own folder.
        let folder: String
        fileprivate let words: [Word]
    }

    /// The files, by path.
    let files: [File]
    /// For each file the files that it uses, each with a name by which it does.
    let uses: [[Int: String]]

    /// A name in code, with the name that follows it behind a dot.
    fileprivate struct Word: Hashable {
        let name: String
        let member: String?
    }

    /// Reads the files of a target.
    ///
    /// - Parameter sources: paths from the target's folder, each with the code of its file
    ///   (`codeOnly`).
    init(_ sources: [(path: String, code: String)]) {
        var files: [File] = []
        var declared: [String: Set<Int>] = [:]
        var members: [Word: Set<Int>] = [:]
        var inner: [String: Set<String>] = [:]
        for (index, source) in sources.sorted(by: { $0.path < $1.path }).enumerated() {
            let folder = source.path.split(separator: "/").dropLast().joined(separator: "/")
            let file = File(
                path: source.path, folder: folder, words: FileUses.words(of: source.code))
            files.append(file)
            var type: String?
            for line in source.code.split(separator: "\n") {
                if line.first == "}" { type = nil }
                guard let found = Declaration(line) else { continue }
                if found.indent > 0, found.isType { inner[folder, default: []].insert(found.name) }
                if found.indent == 0 {
                    if found.kind == "extension" || found.isType { type = found.name }
                    if found.kind != "extension", !found.isPrivate {
                        declared[found.name, default: []].insert(index)
                    }
                } else if found.indent == 4, !found.isPrivate, let type {
                    members[Word(name: type, member: found.name), default: []].insert(index)
                }
            }
        }
        self.files = files
        uses = files.enumerated().map { index, file in
            var used: [Int: String] = [:]
            for word in file.words {
                // In a folder that declares `ReportOnly.Check`, `Check` means this nested type.
                if inner[file.folder]?.contains(word.name) == true { continue }
                if let homes = declared[word.name], !homes.contains(index) {
                    for home in homes { used[home] = used[home] ?? word.name }
                }
                // Members of one name in two files are overloads. The reader cannot choose among
                // them.
                if let member = word.member, let homes = members[word], homes.count == 1,
                    let home = homes.first, home != index
                {
                    used[home] = used[home] ?? "\(word.name).\(member)"
                }
            }
            return used
        }
    }

    /// The names of a text, each once with each name behind its dot. A name behind a dot is none of
    /// its own.
    private static func words(of code: String) -> [Word] {
        var words: Set<Word> = []
        var name: [UInt8] = []
        var isBehindDot = false
        var owner: String?
        func isPart(_ octet: UInt8) -> Bool {
            (0x30...0x39).contains(octet) || (0x41...0x5A).contains(octet)
                || (0x61...0x7A).contains(octet) || octet == UInt8(ascii: "_") || octet >= 0x80
        }
        for octet in Array(code.utf8) + [0] {
            if isPart(octet) {
                name.append(octet)
                continue
            }
            if !name.isEmpty {
                let text = String(decoding: name, as: UTF8.self)
                name.removeAll(keepingCapacity: true)
                if !isBehindDot {
                    words.insert(Word(name: text, member: nil))
                    owner = text
                } else if let first = owner {
                    words.insert(Word(name: first, member: text))
                    owner = nil
                }
            } else {
                owner = nil
            }
            isBehindDot = octet == UInt8(ascii: ".")
            if !isBehindDot { owner = nil }
        }
        return words.sorted { ($0.name, $0.member ?? "") < ($1.name, $1.member ?? "") }
    }

    /// The sets of files that use each other, directly or through others, the largest first:
    /// strongly connected components of two files and more.
    var knots: [[String]] {
        // Tarjan's algorithm, with a stack of its own in place of recursion.
        var order: [Int?] = Array(repeating: nil, count: files.count)
        var low = Array(repeating: 0, count: files.count)
        var isOpen = Array(repeating: false, count: files.count)
        var open: [Int] = []
        var next = 0
        var found: [[String]] = []
        for start in files.indices where order[start] == nil {
            var calls: [(file: Int, rest: [Int])] = []
            func enter(_ file: Int) {
                order[file] = next
                low[file] = next
                next += 1
                open.append(file)
                isOpen[file] = true
                calls.append((file, uses[file].keys.sorted()))
            }
            enter(start)
            while let call = calls.last {
                if let used = call.rest.first {
                    calls[calls.count - 1].rest.removeFirst()
                    if let seen = order[used] {
                        if isOpen[used] { low[call.file] = min(low[call.file], seen) }
                    } else {
                        enter(used)
                    }
                    continue
                }
                calls.removeLast()
                if let caller = calls.last?.file { low[caller] = min(low[caller], low[call.file]) }
                guard low[call.file] == order[call.file] else { continue }
                var knot: [String] = []
                while let file = open.popLast() {
                    isOpen[file] = false
                    knot.append(files[file].path)
                    if file == call.file { break }
                }
                if knot.count > 1 { found.append(knot.sorted()) }
            }
        }
        return found.sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
    }
}

/// What a line of code declares.
private struct Declaration {
    let indent: Int
    let kind: Substring
    let name: String
    let isPrivate: Bool

    var isType: Bool { Declaration.types.contains(kind) }

    private static let types: Set<Substring> = [
        "struct", "enum", "class", "protocol", "actor", "typealias",
    ]
    private static let others: Set<Substring> = ["extension", "func", "var", "let", "case"]
    private static let modifiers: Set<Substring> = [
        "package", "public", "internal", "open", "final", "static", "lazy", "mutating", "indirect",
        "nonisolated", "override", "private", "fileprivate", "weak", "unsafe",
    ]

    /// Nil for a line that declares nothing.
    init?(_ line: Substring) {
        let text = line.drop { $0 == " " }
        var isPrivate = false
        var words = text.split(separator: " ", maxSplits: 8)[...]
        while let word = words.first {
            if word == "private" || word == "fileprivate" { isPrivate = true }
            let isModifier =
                Declaration.modifiers.contains(word) || word.first == "@" || word.hasSuffix("(set)")
            guard isModifier else { break }
            words.removeFirst()
        }
        guard words.count > 1, let kind = words.first,
            Declaration.types.contains(kind) || Declaration.others.contains(kind)
        else { return nil }
        let name = words[words.startIndex + 1].prefix {
            $0.isLetter || $0.isNumber || $0 == "_"
        }
        guard !name.isEmpty else { return nil }
        indent = line.count - text.count
        self.kind = kind
        self.name = String(name)
        self.isPrivate = isPrivate
    }
}
