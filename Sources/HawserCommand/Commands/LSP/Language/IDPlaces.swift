import PolicyCompiler

/// An id where it is defined or named.
struct IDOccurrence {
    let namespace: Namespace
    let id: String
    let isDefinition: Bool
    /// The span of the id itself.
    let span: SourceSpan
}

/// The places of policies, tests and assertions in which ids stand.
enum IDPlaces {
    /// The forms of the places that name an id, and the namespace of the id. A test file has its
    /// cases in a map, and a `request.yaml` is one case.
    private static let written: [(String, Namespace)] = [
        ("rules/*/anchors/[]", .anchors), ("default/anchors/[]", .anchors),
        ("anchors/*/include/[]", .anchors),
        ("rules/*/transparency/exempt-anchors/[]", .anchors),
        ("default/transparency/exempt-anchors/[]", .anchors),
        ("profiles/*/transparency/exempt-anchors/[]", .anchors),
        ("rules/*/pins/[]", .pins), ("default/pins/[]", .pins),
        ("rules/*/profile", .profiles), ("default/profile", .profiles),
        ("profiles/*/extends", .profiles),
        ("cases/*/expect/rule", .rules), ("expect/rule", .rules),
        ("cases/*/expect/anchors/[]", .anchors), ("expect/anchors/[]", .anchors),
        ("cases/*/expect/pins/[]", .pins), ("expect/pins/[]", .pins),
        ("cases/*/expect/profile", .profiles), ("expect/profile", .profiles),
        ("assertions/*/no-weaker-than/profile", .profiles),
        ("assertions/*/no-weaker-than/rule", .rules),
        ("assertions/*/at-least/anchors/[]", .anchors),
    ]

    private static let references: [(form: PathForm, namespace: Namespace)] = written.map {
        (form: PathForm($0.0), namespace: $0.1)
    }

    /// Words of `expect.rule` that are not ids of rules, and the words for every member.
    private static let words: Set<String> = ["default", "deny", "none", "no-system"]

    /// The namespace of the ids that may stand at a place; nil where no id is named.
    static func namespace(at path: [String]) -> Namespace? {
        references.first { $0.form.matches(path) }?.namespace
    }

    /// Every id of a tree, in no order. Cost: linear in the tree.
    static func all(in tree: SyntaxTree) -> [IDOccurrence] {
        var found: [IDOccurrence] = []
        tree.forEachPart { names, part in found += occurrences(names, part) }
        return found
    }

    /// The id at an offset.
    static func occurrence(in tree: SyntaxTree, at offset: Int) -> IDOccurrence? {
        guard let path = tree.path(at: offset) else { return nil }
        return occurrences(path.names, path.part)
            .first { Int($0.span.start) <= offset && offset <= Int($0.span.end) }
    }

    /// The ids of one entry or item.
    static func occurrences(_ names: [String], _ part: SyntaxPart) -> [IDOccurrence] {
        if names.count == 2, let key = part.key, let namespace = Namespace(rawValue: names[0]) {
            return [
                IDOccurrence(
                    namespace: namespace, id: key.text, isDefinition: true, span: key.content)
            ]
        }
        if let namespace = namespace(at: names), part.value.kind == .scalar {
            let text = part.value.text
            guard !words.contains(text) || namespace != .rules && namespace != .pins else {
                return []
            }
            return [
                IDOccurrence(
                    namespace: namespace, id: text, isDefinition: false, span: part.value.content)
            ]
        }
        // A case may expect a field of a set by its name with dots: `pins.acme.keys.issuing`.
        guard names.count >= 2, names[names.count - 2] == "expect", let key = part.key else {
            return []
        }
        let parts = key.text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 2, let namespace = Namespace(rawValue: String(parts[0])),
            namespace == .anchors || namespace == .pins
        else { return [] }
        let start = parts[0].utf8.count + 1
        return [
            IDOccurrence(
                namespace: namespace, id: String(parts[1]), isDefinition: false,
                span: key.span(ofText: start..<start + parts[1].utf8.count))
        ]
    }
}

extension SyntaxNode {
    /// The span of a scalar's text without its quotes.
    var content: SourceSpan { span(ofText: 0..<text.utf8.count) }
}

/// The places of policies, tests and assertions in which files are named.
enum FilePlaces {
    private static let keys: Set<String> = [
        "spki-file", "certificate-file", "log-list", "chain", "system", "staple", "sct-list",
        "evidence", "receipt",
    ]
    private static let lists: Set<String> = ["files", "intermediates", "ocsp", "crls", "folders"]

    /// Whether a path stands at a place.
    static func isOne(_ names: [String]) -> Bool {
        guard let last = names.last else { return false }
        return last == "[]"
            ? lists.contains(names.dropLast().last ?? "") : keys.contains(last) && names.count > 1
    }

    /// The path from the unit's root that a scalar names; nil for a text that is not a path.
    static func target(_ path: TreePath, in file: String) -> ScannedPath? {
        guard !path.isKey, isOne(path.names) else { return nil }
        return target(path.names, path.part.value, in: file)
    }

    static func target(_ names: [String], _ node: SyntaxNode, in file: String) -> ScannedPath? {
        var text = node.text
        // A receipt is a file with the number of a line.
        if names.last == "receipt", let colon = text.lastIndex(of: ":") {
            text = String(text[..<colon])
        }
        return try? RelativePathScanner.scan(text, namedIn: file)
    }
}
