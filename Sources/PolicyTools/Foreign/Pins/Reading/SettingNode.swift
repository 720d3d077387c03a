import PolicyCompiler

/// A value of a settings file, with its place: of JSON, of a property list, or of literals in
/// source text.
struct SettingNode {
    struct Entry {
        let key: String
        let keyRange: Range<Int>
        let value: SettingNode
    }

    indirect enum Content {
        case dictionary([Entry])
        case list([SettingNode])
        case text(String)
        case flag(Bool)
        /// A value of a type that no list of pins has, in words.
        case other(String)
        /// An expression of source text whose value is not known.
        case expression
    }

    let content: Content
    let range: Range<Int>

    /// The most values inside each other.
    static let deepest = 32
    /// The most values of a file.
    static let mostValues = 200_000

    var entries: [Entry]? {
        guard case .dictionary(let entries) = content else { return nil }
        return entries
    }

    var items: [SettingNode]? {
        guard case .list(let items) = content else { return nil }
        return items
    }

    var text: String? {
        guard case .text(let text) = content else { return nil }
        return text
    }

    var flag: Bool? {
        guard case .flag(let flag) = content else { return nil }
        return flag
    }

    var isExpression: Bool {
        if case .expression = content { true } else { false }
    }

    /// The type in words.
    var kind: String {
        switch content {
        case .dictionary: "a dictionary"
        case .list: "a list"
        case .text: "a text"
        case .flag: "a boolean"
        case .other(let kind): kind
        case .expression: "an expression"
        }
    }

    /// Refuses a dictionary with a key that stands twice.
    static func refuseTwins(_ entries: [Entry]) throws(ForeignError) {
        var seen: Set<String> = []
        for entry in entries {
            guard seen.insert(entry.key).inserted else {
                throw ForeignText.fault(
                    "the key `\(entry.key)` stands twice; readers differ in which of the two they "
                        + "take", entry.keyRange)
            }
        }
    }
}

extension SettingNode {
    /// A value of a property list.
    ///
    /// - Throws: HX101 for a key that stands twice, and for values beyond the limits.
    init(_ node: PropertyListNode, depth: Int = 0) throws(ForeignError) {
        guard depth < Self.deepest else {
            throw ForeignText.fault(
                "more than \(Self.deepest) values inside each other", node.range)
        }
        range = node.range
        if let entries = try node.entries() {
            var made: [Entry] = []
            for entry in entries {
                made.append(
                    Entry(
                        key: entry.key, keyRange: entry.keyRange,
                        value: try SettingNode(entry.value, depth: depth + 1)))
            }
            content = .dictionary(made)
        } else if let items = node.items {
            var made: [SettingNode] = []
            for item in items { made.append(try SettingNode(item, depth: depth + 1)) }
            content = .list(made)
        } else if let text = node.string {
            content = .text(text)
        } else if let flag = node.boolean {
            content = .flag(flag)
        } else {
            content = .other(node.kind)
        }
    }
}
