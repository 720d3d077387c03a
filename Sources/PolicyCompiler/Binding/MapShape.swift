internal import TrustEngine

/// The keys that a map of the language has: the binder's view of `grammar/policy.schema.json`.
package struct MapShape: Hashable, Sendable {
    /// The definition's name in the schema; `policy` for a whole file.
    package let name: String
    /// The noun of the map in messages: `a rule`.
    package let noun: String
    /// The keys, in the order of LANGUAGE.
    package let keys: [FieldShape]
    /// The heads of the keys' names, in the same order.
    private let heads: [TextHead]

    package init(_ name: String, _ noun: String, _ keys: [FieldShape]) {
        self.name = name
        self.noun = noun
        self.keys = keys
        heads = keys.map { TextHead(Array($0.name.utf8)[...]) }
    }

    /// The key with a name; nil if the map has no such key.
    package func key(_ name: String) -> FieldShape? { keys.first { $0.name == name } }

    /// The key that a scalar names; nil if the map has no such key. No text is made of the scalar:
    /// it is read where it stands in the file.
    func key(_ scalar: Int, of tree: SyntaxTree) -> FieldShape? {
        guard let octets = tree.nodes[scalar].verbatimRange else {
            return key(SyntaxNode(tree: tree, index: scalar).text)
        }
        let head = TextHead(tree.file.bytes[octets])
        for index in heads.indices where heads[index] == head {
            let key = keys[index]
            if octets.count <= TextHead.length
                || key.name.utf8.elementsEqual(tree.file.bytes[octets])
            {
                return key
            }
        }
        return nil
    }
}

/// The first octets of a text and their number. Most texts that differ, differ here.
private struct TextHead: Hashable, Sendable, BitwiseCopyable {
    /// Octets that are held.
    static let length = 8

    private let octets: UInt64
    private let count: Int

    init(_ text: ArraySlice<UInt8>) {
        var octets: UInt64 = 0
        for index in text.startIndex..<min(text.startIndex + TextHead.length, text.endIndex) {
            octets = octets << 8 | UInt64(text[index])
        }
        self.octets = octets
        count = text.count
    }
}

/// One key of a map. A class, because each entry that is read holds its key's.
package final class FieldShape: Sendable {
    package let name: String
    /// Whether the schema requires the key.
    package let isRequired: Bool
    /// A line that the checker accepts: `anchors: [system]`.
    package let example: String
    /// The keys of the value if the value is a map of the language; nil for a scalar, a list or a
    /// map from ids.
    package let map: MapShape?
    /// Whether a field of LANGUAGE section 8, or a section of such fields, has this name in a rule.
    let isOfFields: Bool

    private static let namesOfFields = Set(
        ProfileField.allCases.map { $0.rawValue.prefix { $0 != "." } })

    package init(
        _ name: String, isRequired: Bool = false, example: String, map: MapShape? = nil
    ) {
        self.name = name
        self.isRequired = isRequired
        self.example = example
        self.map = map
        isOfFields = FieldShape.namesOfFields.contains(name[...])
    }
}

extension FieldShape: Hashable {
    package static func == (left: FieldShape, right: FieldShape) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(Swift.ObjectIdentifier(self)) }
}

/// The words that a field takes.
package struct ClosedWords: Hashable, Sendable {
    /// The noun of one word in messages, with its article: `a key type`.
    package let noun: String
    /// The words, in the order of LANGUAGE.
    package let words: [String]
    /// The words that demand less than another word, or less than a field that is not written. No
    /// message proposes these words: the field may have to demand more, and only the author can
    /// decide for less.
    package let weaker: [String]

    package init(_ noun: String, _ words: [String], weaker: [String] = []) {
        self.noun = noun
        self.words = words
        self.weaker = weaker
    }

    /// The word that was probably meant by a text that is none of the words. Nil if no word is
    /// similar, if the only similar word demands less than another word, and if several words are
    /// similar and none of them demands the most. O(words).
    package func proposal(for text: String) -> Proposal? {
        let near = DidYouMean.near(text, among: words)
        guard let first = near.first, !weaker.contains(first),
            near.dropFirst().allSatisfy(weaker.contains)
        else { return nil }
        return Proposal(word: first, isStrictest: words.count - weaker.count == 1)
    }

    /// A word that was probably meant.
    package struct Proposal: Hashable, Sendable {
        package let word: String
        /// Whether no other word demands more. Then writing this word cannot make the policy
        /// weaker.
        package let isStrictest: Bool
    }
}
