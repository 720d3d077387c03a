import PolicyCompiler
import PolicyTools

/// What the reference of the language is made from: the schema says what each key takes and means,
/// the catalogue says which codes look at it, and the page `grammar/language.md` says in which
/// section each key stands.
///
/// A line of the page `<!-- keys of MAP as PREFIX at PLACE only KEY… -->` stands where entries do;
/// `<!-- end of keys -->` stands behind them. `MAP` is a definition of the schema, or `policy`. The
/// paths of its keys begin with `PREFIX`; without `as` they begin with nothing. Their examples are
/// written at `PLACE`, a path with ids; without `at` they are written at `PREFIX`. Without `only`
/// the map's keys are all there.
struct LanguageContract {
    private let root: SyntaxNode
    private let definitions: SyntaxNode
    private let codes: [DiagnosticCatalogueSource.Entry]
    private let page: [Substring]

    /// - Throws: when the schema has no `definitions`, or the catalogue lacks a required part.
    init(
        schema: SyntaxTree, catalogue: SyntaxTree, page: [UInt8]
    ) throws(ContractProblem) {
        guard let root = schema.root, let definitions = root["definitions"] else {
            throw ContractProblem(message: "the schema has no `definitions`")
        }
        self.root = root
        self.definitions = definitions
        codes = try DiagnosticCatalogueSource.entries(catalogue)
        self.page = String(decoding: page, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
    }

    // MARK: Writing

    /// The page with its entries made again.
    ///
    /// - Throws: as `parts`.
    func text() throws(ContractProblem) -> String {
        var lines: [String] = []
        var parts = try parts()[...]
        var isInside = false
        for line in page {
            if line == LanguageMarker.end { isInside = false }
            if !isInside { lines.append(String(line)) }
            if line.hasPrefix(LanguageMarker.start), let part = parts.popFirst() {
                lines += ["", KeyPage.markdown(part.keys), ""]
                isInside = true
            }
        }
        return lines.joined(separator: "\n")
    }

    // MARK: Keys

    /// Every key, in the order of the page.
    ///
    /// - Throws: as `parts`.
    func keys() throws(ContractProblem) -> [LanguageKey] { try parts().flatMap(\.keys) }

    /// The entries of one marker.
    private struct Part {
        var keys: [LanguageKey]
    }

    /// The entries of every marker of the page, in the page's order.
    ///
    /// - Throws: when a marker names what the schema does not have, a key of the schema stands
    ///   nowhere or twice, or a code looks at a key that does not exist.
    private func parts() throws(ContractProblem) -> [Part] {
        var parts: [Part] = []
        var section = ""
        var told: Set<String> = []
        for line in page {
            if let number = LanguageKey.section(ofHeading: line) { section = number }
            guard line.hasPrefix(LanguageMarker.start) else { continue }
            let marker = try LanguageMarker(line)
            guard let map = map(marker.map) else {
                throw ContractProblem(message: "`\(line)` names no map of the schema")
            }
            let all = map["properties"]?.entries ?? []
            var keys: [LanguageKey] = []
            for name in marker.only ?? all.map(\.key.text) {
                guard let node = all.first(where: { $0.key.text == name })?.value else {
                    throw ContractProblem(message: "`\(marker.map)` has no key `\(name)`")
                }
                told.insert(identity(name, node))
                keys.append(try key(name, node, of: map, marker, section))
            }
            parts.append(Part(keys: keys))
        }
        let paths = parts.flatMap(\.keys).map(\.path)
        guard Set(paths).count == paths.count else {
            let twice = Dictionary(grouping: paths) { $0 }.filter { $0.value.count > 1 }.keys
            throw ContractProblem(message: "keys stand twice in the page: \(twice.sorted())")
        }
        for (name, map) in [("policy", root)] + definitions.entries.map({ ($0.key.text, $0.value) })
        {
            for (key, node) in map["properties"]?.entries ?? []
            where !told.contains(identity(key.text, node)) {
                throw ContractProblem(
                    message: "grammar/language.md does not have the key `\(key.text)` of `\(name)`")
            }
        }
        for entry in codes {
            for path in entry.keys
            where !paths.contains(where: { LanguageContract.isMeant($0, by: path) }) {
                throw ContractProblem(
                    message: "`\(entry.code)` looks at `\(path)`, which is no key of the language")
            }
        }
        return parts
    }

    /// Whether a code that looks at `word` looks at the key with this path. A word that ends in
    /// `.*` is every key below.
    private static func isMeant(_ path: String, by word: String) -> Bool {
        word.hasSuffix(".*") ? path.hasPrefix(word.dropLast()) : path == word
    }

    /// What tells a key from others of its name. Keys that several maps share, such as `reason` of
    /// each waiver, are one.
    private func identity(_ name: String, _ node: SyntaxNode) -> String {
        "\(name) \(node["$ref"]?.text ?? "") \(node["description"]?.text ?? "")"
    }

    private func map(_ name: String) -> SyntaxNode? { name == "policy" ? root : definitions[name] }

    private func key(
        _ name: String, _ node: SyntaxNode, of map: SyntaxNode, _ marker: LanguageMarker,
        _ section: String
    ) throws(ContractProblem) -> LanguageKey {
        let path = marker.prefix.map { "\($0).\(name)" } ?? name
        let target = target(of: node)
        guard let meaning = (node["description"] ?? target?["description"])?.text else {
            throw ContractProblem(message: "`\(path)` has no description")
        }
        let isRequired = (map["required"]?.items ?? []).contains { $0.text == name }
        let own = node["default"] ?? target?["default"]
        return LanguageKey(
            path: path, section: section, type: type(of: node), isRequired: isRequired,
            absent: own.map { $0.items.isEmpty ? "`\($0.text)`" : list($0.items, "and") }
                ?? map["x-hawser-absent"]?[name]?.text,
            meaning: meaning,
            notes: (node["x-hawser-notes"] ?? target?["x-hawser-notes"])?.text,
            example: example(name, node, of: map, marker),
            guards: codes.filter { $0.keys.contains { LanguageContract.isMeant(path, by: $0) } }
                .map { LanguageKey.Guard($0.code, $0.slug) })
    }

    private func target(of node: SyntaxNode) -> SyntaxNode? {
        node["$ref"].flatMap { definitions[RequirementSchema.name($0.text)] }
    }

    // MARK: Types

    /// The type of a key's value in words.
    private func type(of node: SyntaxNode) -> String {
        if let reference = node["$ref"] {
            let name = RequirementSchema.name(reference.text)
            guard let target = definitions[name] else { return name }
            if target["properties"] != nil {
                let noun = noun(name)
                // Some maps are named by their key, which the entry has as its heading.
                guard noun.contains("`"), let section = noun.firstIndex(of: "(") else {
                    return noun
                }
                let keys = list((target["properties"]?.entries ?? []).map(\.key), "and")
                return "a map of \(keys) \(noun[section...])"
            }
            return target["pattern"] == nil && target["minLength"] == nil && target["allOf"] == nil
                ? type(of: target) : noun(name)
        }
        if let word = node["const"] { return "`\(word.text)`" }
        if let words = node["enum"]?.items {
            guard words.count > LanguageContract.mostWords else { return list(words, "or") }
            let noun = node["x-hawser-noun"]?.text ?? "a word"
            return "\(noun); `hawser schema` lists all \(words.count)"
        }
        if let choices = (node["anyOf"] ?? node["oneOf"])?.items, node["type"] == nil {
            return choices.map(type).joined(separator: ", or ")
        }
        switch node["type"]?.text {
        case "integer":
            let most = node["maximum"].map { " to \($0.text)" } ?? " up"
            return "a whole number from \(node["minimum"]?.text ?? "0")\(most)"
        case "array": return "a list; each entry: \(node["items"].map(type) ?? "text")"
        case "object":
            return
                "a map from ids; each value: \(node["additionalProperties"].map(type) ?? "a map")"
        default:
            if let seconds = node["x-hawser-seconds"]?.items.map(\.text), seconds.count == 2 {
                return "\(noun("duration")), from \(seconds[0]) to \(seconds[1]) seconds"
            }
            return noun(
                node["allOf"]?.items.first.flatMap { $0["$ref"] }
                    .map { RequirementSchema.name($0.text) } ?? "text")
        }
    }

    /// The noun of a definition, with the section of the page that describes it.
    private func noun(_ name: String) -> String {
        let noun = definitions[name]?["x-hawser-noun"]?.text ?? name
        var section = ""
        for line in page {
            if let number = LanguageKey.section(ofHeading: line) {
                section = number
                if line.contains("`\(name)`") { return "\(noun) (§\(number))" }
            }
            if line.hasPrefix(LanguageMarker.start),
                let marker = try? LanguageMarker(line), marker.map == name
            {
                return "\(noun) (§\(section))"
            }
        }
        return noun
    }

    private func list(_ items: [SyntaxNode], _ last: String) -> String {
        let words = items.map { "`\($0.text)`" }
        guard let final = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(last) \(final)"
    }

    /// How many words of a list are written out.
    private static let mostWords = 12

    // MARK: Examples

    /// Policy text with the key at the marker's place, beside what must stand there with it.
    private func example(
        _ name: String, _ node: SyntaxNode, of map: SyntaxNode, _ marker: LanguageMarker
    ) -> String {
        let whole = map["examples"]?.items.first
        let beside = (map["x-hawser-beside"] ?? map["required"])?.items.map(\.text) ?? []
        var members: [(String, SyntaxNode?)] = []
        if marker.place != nil || marker.prefix != nil {
            members = (whole?.entries ?? []).map { ($0.key.text, $0.value) }
                .filter { beside.contains($0.0) && $0.0 != name }
        }
        let order = (map["properties"]?.entries ?? []).map(\.key.text)
        members.append((name, value(of: node)))
        members.sort { (order.firstIndex(of: $0.0) ?? 0) < (order.firstIndex(of: $1.0) ?? 0) }
        var lines: [String] = []
        var indent = ""
        for part in (marker.place ?? marker.prefix ?? "").split(separator: ".") where part != "[]" {
            lines.append("\(indent)\(part):")
            indent += "  "
        }
        let isItem = marker.place?.hasSuffix(".[]") == true
        for (index, (key, value)) in members.enumerated() {
            var written = LanguageContract.written(key, value, indent + (isItem ? "  " : ""))
            if isItem, index == 0 {
                written[0] = indent + "- " + written[0].dropFirst(indent.count + 2)
            }
            lines += written
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// A value that a key takes: its first example, its definition's, or the first of its words.
    private func value(of node: SyntaxNode) -> SyntaxNode? {
        let target = target(of: node)
        return node["examples"]?.items.first ?? target?["examples"]?.items.first
            ?? target?["enum"]?.items.first ?? node["enum"]?.items.first
    }

    /// A key with its value, in the layout of `hawser fmt`.
    private static func written(_ key: String, _ value: SyntaxNode?, _ indent: String) -> [String] {
        guard let value else { return ["\(indent)\(key): …"] }
        switch value.kind {
        case .map:
            var lines = ["\(indent)\(key):"]
            for (name, inner) in value.entries { lines += written(name.text, inner, indent + "  ") }
            return lines
        case .list:
            let items = value.items
            if items.contains(where: { $0.kind == .map }) {
                return ["\(indent)\(key):"]
                    + items.map { item in
                        let parts = item.entries.map { "\($0.key.text): \($0.value.text)" }
                        return "\(indent)  - { \(parts.joined(separator: ", ")) }"
                    }
            }
            guard items.contains(where: { $0.text.contains(".") || $0.text.contains("/") }) else {
                return ["\(indent)\(key): [\(items.map(\.text).joined(separator: ", "))]"]
            }
            return ["\(indent)\(key):"] + items.map { "\(indent)  - \(quoted($0.text, in: key))" }
        case .scalar, .error:
            if value.text == "|" {
                return ["\(indent)\(key): |"]
                    + ["-----BEGIN CERTIFICATE-----", "…", "-----END CERTIFICATE-----"]
                    .map { "\(indent)  \($0)" }
            }
            return ["\(indent)\(key): \(quoted(value.text, in: key))"]
        }
    }

    /// A scalar, in quotes where the language or YAML wants them.
    private static func quoted(_ text: String, in key: String) -> String {
        let isQuoted =
            key == "hosts" || key.hasSuffix("-names") || text.contains("*") || text.contains(", ")
        return isQuoted ? "\"\(text)\"" : text
    }
}

/// A line of the page behind which entries stand.
struct LanguageMarker {
    static let start = "<!-- keys of "
    static let end = "<!-- end of keys -->"

    /// The name of the map in the schema.
    let map: String
    /// What the paths begin with; nil for nothing.
    private(set) var prefix: String?
    /// Where examples are written; nil for the prefix.
    private(set) var place: String?
    /// The keys that stand there; nil for every key of the map.
    private(set) var only: [String]?

    /// - Throws: when the line is not a marker.
    init(_ line: Substring) throws(ContractProblem) {
        guard line.hasPrefix(LanguageMarker.start), line.hasSuffix(" -->") else {
            throw ContractProblem(message: "`\(line)` is no marker")
        }
        var words = line.dropFirst(LanguageMarker.start.count).dropLast(4)
            .split(separator: " ").map(String.init)[...]
        guard let map = words.popFirst() else {
            throw ContractProblem(message: "`\(line)` names no map")
        }
        self.map = map
        while let word = words.popFirst() {
            switch word {
            case "as": prefix = words.popFirst()
            case "at": place = words.popFirst()
            case "only":
                only = Array(words)
                words = []
            default: throw ContractProblem(message: "`\(line)` has an unknown word `\(word)`")
            }
        }
    }
}
