package import Hawser
package import PolicyCompiler

/// The kinds of YAML files that are Hawser's own (LANGUAGE section 2.4). The first key of a file
/// says which kind it is. Every command that looks for files of a kind asks here, so that none is
/// passed over in silence.
package enum OwnFileKind: Hashable, Sendable, CaseIterable {
    case policy, tests, assertions, allowances, exports

    /// The first key of every file of the kind.
    package var firstKey: String {
        switch self {
        case .policy: return "hawser"
        case .tests: return "hawser-test"
        case .assertions: return "hawser-assert"
        case .allowances: return "hawser-allow"
        case .exports: return "hawser-exports"
        }
    }

    /// The part of the names before `.yaml`, behind the dot: `test` of `NAME.test.yaml`. Nil where
    /// all files of the kind have one name.
    package var word: String? {
        switch self {
        case .policy: return "policy"
        case .tests: return "test"
        case .assertions: return "assert"
        case .allowances: return "allow"
        case .exports: return nil
        }
    }

    /// The names of the kind, for messages.
    package var pattern: String { word.map { "NAME.\($0).yaml" } ?? "exports.yaml" }

    /// The kind in words, for messages: `a test file`.
    package var words: String {
        switch self {
        case .policy: return "a policy"
        case .tests: return "a test file"
        case .assertions: return "a file of assertions"
        case .allowances: return "a file of allowances"
        case .exports: return "a file of exports"
        }
    }

    /// The kind whose name a file has; nil for other names. A name counts without folders.
    package init?(named name: String) {
        let kind = OwnFileKind.allCases.first { kind in
            guard let word = kind.word else { return name == kind.pattern }
            let ending = ".\(word).yaml"
            return name.hasSuffix(ending) && name.utf8.count > ending.utf8.count
                || kind == .policy && name == "policy.yaml"
        }
        guard let kind else { return nil }
        self = kind
    }

    /// The kind that a file's name has but for its letter case or the extension `.yml`, and the
    /// right name; nil for other names.
    package static func misspelt(_ name: String) -> (kind: OwnFileKind, right: String)? {
        guard OwnFileKind(named: name) == nil else { return nil }
        let folded = name.lowercased()
        guard folded.hasSuffix(".yaml") || folded.hasSuffix(".yml") else { return nil }
        let stem = folded.hasSuffix(".yml") ? folded.dropLast(4) : folded.dropLast(5)
        guard let kind = OwnFileKind(named: "\(stem).yaml") else { return nil }
        guard let word = kind.word, stem != "policy" else { return (kind, "\(stem).yaml") }
        return (kind, "\(name.prefix(stem.count - word.count - 1)).\(word).yaml")
    }

    /// The kind of a text, by its first key, and the octets of that key; nil for other texts. A
    /// byte order mark, comments, directives, blank lines and a leading `---` are skipped, and text
    /// in UTF-16 is read as well as is needed here.
    package static func kind(of bytes: [UInt8]) -> (kind: OwnFileKind, key: Range<Int>)? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            let narrow = bytes.dropFirst(2).filter { $0 != 0 }
            return kind(of: narrow).map { ($0.kind, 0..<0) }
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            var rest = line[...]
            if rest.starts(with: "---".utf8) { rest = rest.dropFirst(3) }
            rest = rest.drop { " \t{".utf8.contains($0) }
            guard let first = rest.first, !"#%".utf8.contains(first) else { continue }
            if "\"'".utf8.contains(first) { rest = rest.dropFirst() }
            let key = rest.prefix { !":\"' \t".utf8.contains($0) }
            guard key.endIndex < rest.endIndex,
                let kind = allCases.first(where: { key.elementsEqual($0.firstKey.utf8) })
            else { return nil }
            return (kind, key.startIndex..<key.endIndex)
        }
        return nil
    }
}

extension PolicyUnit {
    /// The unit without what was found wrong with the names of tests, assertions, allowances and
    /// exports. They are no part of the policy: `diff` compares them as guards, so that a file that
    /// would be skipped is a guard that is lost, and a change that renames it can be compared.
    package var ofPoliciesAlone: PolicyUnit {
        func isCompanion(_ file: SourceFile) -> Bool {
            let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
            let kind =
                OwnFileKind.kind(of: file.bytes)?.kind ?? OwnFileKind.misspelt(name)?.kind
                ?? OwnFileKind(named: name)
            return kind.map { $0 != .policy } ?? false
        }
        let all = files + mentioned
        return PolicyUnit(
            files: files, resources: resources, mentioned: mentioned,
            diagnostics: diagnostics.filter { diagnostic in
                diagnostic.code != .policyFileMisnamed
                    || !isCompanion(all[Int(diagnostic.primary.span.file)])
            }, isDirectory: isDirectory)
    }
}

/// A file of Hawser's own that every command would pass over for its name, or for what it is.
package struct MisnamedFile: Hashable, Sendable {
    /// The path from the root that was searched.
    package let path: String
    /// What is wrong. Lower case, no full stop.
    package let message: String
    /// What to do.
    package let help: String
    /// The octets of the first key in the file's text; empty where the text does not matter.
    package let key: Range<Int>

    /// A file whose name is that of a companion (`NAME.test.yaml` and its like) but for its letter
    /// case or extension, or that has the name of one and is no file of the unit. Nil for others.
    package init?(entry: RootFolder.Entry, at path: String) {
        if let (kind, right) = OwnFileKind.misspelt(entry.name), kind != .policy {
            self.init(
                path: path,
                message: "`\(path)` would be skipped: \(kind.words) is named `\(kind.pattern)`",
                help: "rename it to `\(path.dropLast(entry.name.count) + right)`", key: 0..<0)
            return
        }
        guard let kind = OwnFileKind(named: entry.name), kind != .policy, !entry.kind.isFile else {
            return nil
        }
        self.init(
            path: path,
            message: "`\(path)` has the name of \(kind.words) but is \(entry.kind.words)",
            help: MisnamedFile.filesHelp, key: 0..<0)
    }

    /// A file whose first key is that of a kind, and whose name is not. Nil for others.
    package init?(entry: RootFolder.Entry, at path: String, holding bytes: [UInt8]) {
        guard let (kind, key) = OwnFileKind.kind(of: bytes), kind != OwnFileKind(named: entry.name)
        else { return nil }
        self.init(
            path: path,
            message: "`\(path)` begins with `\(kind.firstKey)` but its name is not that of "
                + "\(kind.words), so it would be skipped",
            help: "rename it to "
                + "`\(path.dropLast(entry.name.count) + MisnamedFile.proposal(entry.name, kind))`",
            key: key)
    }

    private init(path: String, message: String, help: String, key: Range<Int>) {
        self.path = path
        self.message = message
        self.help = help
        self.key = key
    }

    /// What helps where a file of the unit is a link that leads out, or a special file.
    static let filesHelp =
        "files of a unit stand in its folder; a symbolic link may lead to a file of the unit alone"

    /// A name of a kind for a file: `b.test.yaml` for `b_test.yaml`.
    private static func proposal(_ name: String, _ kind: OwnFileKind) -> String {
        guard let word = kind.word else { return kind.pattern }
        guard kind != .policy else { return kind.pattern }
        let folded = name.lowercased()
        var stem = name.dropLast(folded.hasSuffix(".yml") ? 4 : 5)
        let plain = stem.lowercased()
        let endings = OwnFileKind.allCases.compactMap(\.word).flatMap { word in
            ["", "s", "ion", "ions", "ance", "ances"].map { word + $0 }
        }
        for ending in endings
        where ["_", "-", "."].contains(where: { plain.hasSuffix($0 + ending) }) {
            stem = stem.dropLast(ending.count + 1)
            break
        }
        return "\(stem.isEmpty ? "NAME" : stem).\(word).yaml"
    }
}
