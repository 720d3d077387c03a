extension PolicyTable {
    /// The provenance of one rule: the places that a verdict of the rule can be cited with, without
    /// the places of other rules. It has the rule's own place and the places below it, except for
    /// its hosts; likewise for the profiles that the rule extends; and the parents of all profiles.
    /// Nil when the table has no provenance. Cost: logarithmic in all locations, and linear in the
    /// locations that it has.
    ///
    /// - Parameters:
    ///   - rule: the rule's id; empty for `default`.
    ///   - profile: the id of the profile that the rule names.
    ///   - listsAnchors: whether every place below `/anchors` is there too, which the place of a
    ///     constraint on an anchor set follows from.
    package func provenance(
        ofRule rule: String, profile: String, listsAnchors: Bool
    ) -> Provenance? {
        guard let parents = profileParents() else { return nil }
        var part = Provenance(parents: parents)
        let base = rule.isEmpty ? "/default" : "/rules/\(rule)"
        add(base, leavingOut: "\(base)/hosts/", to: &part)
        // A forged table may name profiles in a circle; each is added once.
        var next: String? = profile
        var added: Set<String> = []
        while let layer = next, added.insert(layer).inserted {
            add("/profiles/\(layer)", to: &part)
            next = parents[layer]
        }
        if listsAnchors { add("/anchors", to: &part) }
        return part
    }

    /// Adds the place of a pointer and those below it, except for those that begin with `omitted`.
    private func add(_ base: String, leavingOut omitted: String? = nil, to part: inout Provenance) {
        let list = LocationList(bytes, layout)
        if let location = location(of: base) { part.locations[base] = location }
        func end(of prefix: String) -> Int {
            // What begins with a text that ends in `/` stands before the text with the next octet.
            list.first(notBefore: Array((prefix.dropLast() + "0").utf8), bytes.span)
        }
        let below = base + "/"
        var number = list.first(notBefore: Array(below.utf8), bytes.span)
        let last = end(of: below)
        let skipped = omitted.map { omitted in
            (from: list.first(notBefore: Array(omitted.utf8), bytes.span), to: end(of: omitted))
        }
        while number < last {
            if let skipped, number == skipped.from, skipped.to > number {
                number = skipped.to
                continue
            }
            let pointer = String(
                decoding: bytes[list.pointer(number, bytes.span)], as: UTF8.self)
            part.locations[pointer] = list.location(number, bytes)
            number += 1
        }
    }
}
