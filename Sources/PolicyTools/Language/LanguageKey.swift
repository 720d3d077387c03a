/// One key of the policy language, as the reference `grammar/language.md` describes it. The
/// generator makes every value from the schema, the catalogue of diagnostics and that page.
package struct LanguageKey: Hashable, Sendable {
    /// The dotted path, without the ids that an author chooses: `rules.hosts`,
    /// `revocation.causes.stale`.
    package let path: String
    /// The number of the section of `grammar/language.md` that describes the key: `8.5`.
    package let section: String
    /// The type and the values, in words.
    package let type: String
    /// Whether the map that holds the key must have it.
    package let isRequired: Bool
    /// What holds when the key is not written; nil when nothing can be said of it, as of a required
    /// key.
    package let absent: String?
    /// What the key does. One or more sentences.
    package let meaning: String
    /// What else an author must know; nil when the meaning says it all.
    package let notes: String?
    /// Policy text with the key, with a line end at its end.
    package let example: String
    /// The diagnostics that look at the key, in the order of the catalogue.
    package let guards: [Guard]

    /// A diagnostic that looks at a key.
    package struct Guard: Hashable, Sendable {
        /// The code: `HW211`.
        package let code: String
        /// The code's name in words: `weaker-inside`.
        package let name: String

        package init(_ code: String, _ name: String) {
            self.code = code
            self.name = name
        }
    }

    package init(
        path: String, section: String, type: String, isRequired: Bool, absent: String?,
        meaning: String, notes: String?, example: String, guards: [Guard]
    ) {
        self.path = path
        self.section = section
        self.type = type
        self.isRequired = isRequired
        self.absent = absent
        self.meaning = meaning
        self.notes = notes
        self.example = example
        self.guards = guards
    }
}

extension LanguageKey {
    /// The keys that a person means by a word. The word is a path (`rules.hosts`), the end of one
    /// (`hosts`), or a path with ids as it stands in a policy (`rules.payments.hosts`,
    /// `default.anchors`). The key that is spelt exactly so stands first. Empty if there is none.
    package static func named(_ word: String) -> [LanguageKey] {
        var parts = word.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count > 1, parts[0] == "default" { parts[0] = "rules" }
        if parts.count > 3, parts[0] == "pins", parts[2] == "backups" { parts[2] = "keys" }
        let ends = all.filter { $0.parts.suffix(parts.count).elementsEqual(parts) }
        if !ends.isEmpty {
            return ends.filter { $0.parts.count == parts.count }
                + ends.filter { $0.parts.count > parts.count }
        }
        let inside = all.filter { $0.isSpelt(within: parts) }
        let longest = inside.map(\.parts.count).max()
        return inside.filter { $0.parts.count == longest }
    }

    /// What a mistyped word may have been: every path, and the last part of each.
    package static var words: [String] {
        var seen: Set<String> = []
        return (all.map(\.path) + all.compactMap { $0.parts.last.map(String.init) })
            .filter { seen.insert($0).inserted }
    }

    private var parts: [Substring] { path.split(separator: ".") }

    /// Whether the key's parts stand in a longer path in their order, the last part at its end. The
    /// first part is the path's first, unless the path begins with a map that ids stand in.
    private func isSpelt(within longer: [Substring]) -> Bool {
        let holders: [Substring] = ["rules", "profiles", "anchors", "pins", "forbidden-keys"]
        guard parts.last == longer.last, let first = longer.first,
            parts.first == first || holders.contains(first)
        else { return false }
        var rest = parts[...]
        for part in longer where part == rest.first { rest.removeFirst() }
        return rest.isEmpty
    }
}
