/// Which keys a map of the language has: the binder's view of `grammar/policy.schema.json`.
package struct MapShape: Hashable, Sendable {
    /// The definition's name in the schema; `policy` for a whole file.
    package let name: String
    /// How a message calls such a map: `a rule`.
    package let noun: String
    /// In the order of LANGUAGE.
    package let keys: [FieldShape]

    package init(_ name: String, _ noun: String, _ keys: [FieldShape]) {
        self.name = name
        self.noun = noun
        self.keys = keys
    }

    /// The key of a name, or nil when the map has none.
    package func key(_ name: String) -> FieldShape? { keys.first { $0.name == name } }
}

/// One key of a map.
package struct FieldShape: Hashable, Sendable {
    package let name: String
    /// Whether the schema requires the key.
    package let isRequired: Bool
    /// An accepted line: `anchors: [system]`.
    package let example: String
    /// The map's own keys where the value is a map of the language; nil for a scalar, a list or a
    /// map keyed by ids.
    package let map: MapShape?

    package init(
        _ name: String, isRequired: Bool = false, example: String, map: MapShape? = nil
    ) {
        self.name = name
        self.isRequired = isRequired
        self.example = example
        self.map = map
    }
}

/// The words that a field takes.
package struct ClosedWords: Hashable, Sendable {
    /// How a message calls one of them, with its article: `a key type`.
    package let noun: String
    /// In the order of LANGUAGE.
    package let words: [String]
    /// Those that demand less than another of them, or than not being written at all. None of them is ever
    /// proposed: the field may be held to more, and whoever wants less writes it.
    package let weaker: [String]

    package init(_ noun: String, _ words: [String], weaker: [String] = []) {
        self.noun = noun
        self.words = words
        self.weaker = weaker
    }

    /// What was probably meant by a text that is none of the words. Nil where nothing is near, where the one
    /// that is near demands less than another word, and where several are near of which none demands the
    /// most. O(words).
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
        /// Whether no other word demands as much, so that writing it can make nothing weaker than it was.
        package let isStrictest: Bool
    }
}
