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
