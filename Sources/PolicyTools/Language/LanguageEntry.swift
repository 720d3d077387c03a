import CSchemas

/// The entry of a key in `grammar/language.md`, which `KeyPage` wrote for `swift run
/// generate-tables`: a heading, paragraphs, a list of facts, and an example.
struct LanguageEntry: Sendable {
    /// As in `LanguageKey`.
    let path: String
    private let section: String
    private let part: EmbeddedFile.Part

    /// The entry of every key, in the order of the reference.
    static let all: [LanguageEntry] = {
        var entries: [LanguageEntry] = []
        var section = ""
        for part in EmbeddedFile.Part.all(of: UInt32(HAWSER_LANGUAGE), from: "##") {
            let head = part.head
            if head.hasPrefix("#### `") {
                let path = String(head.dropFirst(6).dropLast())
                entries.append(LanguageEntry(path: path, section: section, part: part))
            } else if let number = LanguageKey.section(ofHeading: head) {
                section = number
            }
        }
        return entries
    }()

    /// The key as the entry describes it.
    var key: LanguageKey {
        LanguageKey(path, in: section, part.lines.map { Substring(decoding: $0, as: UTF8.self) })
    }

    /// The names on the path.
    var parts: [Substring] { path.split(separator: ".") }

    /// Whether the key's parts stand in a longer path in their order, the last part at its end. The
    /// first part is the path's first, unless the path begins with a map that ids stand in.
    func isSpelt(within longer: [Substring]) -> Bool {
        let holders: [Substring] = ["rules", "profiles", "anchors", "pins", "forbidden-keys"]
        guard parts.last == longer.last, let first = longer.first,
            parts.first == first || holders.contains(first)
        else { return false }
        var rest = parts[...]
        for part in longer where part == rest.first { rest.removeFirst() }
        return rest.isEmpty
    }
}

extension LanguageKey {
    /// The number of a heading of the page: `8.5` for `### 8.5 Revocation`; nil for other lines.
    package static func section(ofHeading line: Substring) -> String? {
        guard line.hasPrefix("## ") || line.hasPrefix("### ") else { return nil }
        let word = line.drop { $0 == "#" || $0 == " " }.prefix { $0.isNumber || $0 == "." }
        let number = word.hasSuffix(".") ? word.dropLast() : word
        return number.isEmpty ? nil : String(number)
    }

    /// Reads the lines below a heading: paragraphs, a list of facts, and the example.
    fileprivate init(_ path: String, in section: String, _ entry: [Substring]) {
        var paragraphs: [String] = []
        var facts: [(name: Substring, value: String)] = []
        let example = entry.firstIndex(of: "```yaml") ?? entry.endIndex
        let end = entry[example...].firstIndex(of: "```") ?? entry.endIndex
        var isNew = true
        for line in entry[..<example] {
            if line.hasPrefix("- "), let colon = line.firstIndex(of: ":") {
                let value = line[colon...].dropFirst(2)
                facts.append((line[..<colon].dropFirst(2), String(value)))
            } else if line.hasPrefix("  "), let last = facts.indices.last {
                facts[last].value += line.dropFirst()
            } else if isNew, !line.isEmpty {
                paragraphs.append(String(line))
            } else if let last = paragraphs.indices.last, !line.isEmpty {
                paragraphs[last] += " " + line
            }
            isNew = line.isEmpty
        }
        func fact(_ name: Substring) -> String? { facts.first { $0.name == name }?.value }
        self.init(
            path: path, section: section, type: fact("type") ?? "",
            isRequired: fact("required") != nil, absent: fact("when not written"),
            meaning: paragraphs.first ?? "",
            notes: paragraphs.count > 1 ? paragraphs[1] : nil,
            example: entry[example..<end].dropFirst().map { $0 + "\n" }.joined(),
            guards: (fact("guarded by") ?? "").split(separator: ",").map { entry in
                let words = entry.split(separator: " ")
                return Guard(String(words[0]), String(words[1].dropFirst().dropLast()))
            })
    }
}
