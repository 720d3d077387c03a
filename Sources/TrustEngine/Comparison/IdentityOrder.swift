/// The order of `identity`: a certificate must be for the requested host, for one of the listed
/// names, or for both.
enum IdentityOrder {
    private typealias List = (path: String, names: [String], isOfPatterns: Bool)

    static func relation(
        _ here: IdentityRequirement, _ there: IdentityRequirement
    ) -> Relation {
        if here == there { return .equal }
        return reference(here, there).and(lists(here, there))
    }

    /// Compares whether each side demands the host and a listed name.
    private static func reference(
        _ here: IdentityRequirement, _ there: IdentityRequirement
    ) -> Relation {
        func asksAsMuch(_ own: IdentityRequirement, _ other: IdentityRequirement) -> Bool {
            (own.reference != .listed || other.reference == .listed)
                && (own.reference != .host || other.reference == .host)
        }
        return Relation(
            isNoWeaker: asksAsMuch(here, there), isNoStricter: asksAsMuch(there, here))
    }

    /// Compares the lists. One name of any list suffices, so each list must lie in the same list of
    /// the other side. Where a side demands no listed name, the lists have no effect.
    private static func lists(
        _ here: IdentityRequirement, _ there: IdentityRequirement
    ) -> Relation {
        guard here.reference != .host, there.reference != .host else { return .equal }
        return zip(lists(of: here), lists(of: there)).reduce(.equal) {
            $0.and(relation($1.0, $1.1))
        }
    }

    private static func relation(_ own: List, _ other: List) -> Relation {
        Relation(
            isNoWeaker: lies(own, in: other), isNoStricter: lies(other, in: own))
    }

    /// Listed names and addresses stand for one name or address each. A listed URI may be a
    /// pattern; patterns are compared by the URIs that they match.
    private static func lies(_ own: List, in other: List) -> Bool {
        let unlisted = Set(own.names).subtracting(other.names)
        guard own.isOfPatterns, !unlisted.isEmpty else { return unlisted.isEmpty }
        let theirs = other.names.compactMap { try? URIPattern($0) }
        return unlisted.allSatisfy { text in
            // A text that is not a pattern matches nothing.
            guard let pattern = try? URIPattern(text) else { return true }
            return theirs.contains { $0.covers(pattern) }
        }
    }

    private static func lists(of identity: IdentityRequirement) -> [List] {
        [
            ("identity.dns", identity.dns, false),
            ("identity.ip", identity.ip.map(\.description), false),
            ("identity.email", identity.email, false), ("identity.uri", identity.uri, true),
        ]
    }

    static func compare(
        _ here: IdentityRequirement, _ there: IdentityRequirement
    ) -> [FieldComparison] {
        var found: [FieldComparison] = []
        if here.reference != there.reference {
            // A linter may call listed names in place of the host weaker, because the host is the
            // name that was requested.
            found.append(
                FieldComparison(
                    "identity.reference", reference(here, there),
                    leaning: here.reference == .listed ? .weaker : .incomparable,
                    .word(here.reference.name), .word(there.reference.name)))
        }
        guard here.reference != .host, there.reference != .host else { return found }
        for (own, other) in zip(lists(of: here), lists(of: there)) {
            let relation = relation(own, other)
            guard relation != .equal else { continue }
            found.append(
                FieldComparison(own.path, relation, .words(own.names), .words(other.names)))
        }
        return found
    }
}
