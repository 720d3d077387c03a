/// How one demand, or one whole behaviour, compares with another. A case says how the first
/// compares with the second.
package enum Relation: Hashable, Sendable, BitwiseCopyable {
    /// Each accepts exactly what the other accepts.
    case equal
    /// The first accepts nothing that the second rejects.
    case stricter
    /// The second accepts nothing that the first rejects.
    case weaker
    /// Neither `stricter` nor `weaker` is known to hold.
    case incomparable

    /// Makes a relation from the two questions that every comparison answers.
    ///
    /// - Parameters:
    ///   - isNoWeaker: whether the first accepts nothing that the second rejects.
    ///   - isNoStricter: whether the second accepts nothing that the first rejects.
    package init(isNoWeaker: Bool, isNoStricter: Bool) {
        switch (isNoWeaker, isNoStricter) {
        case (true, true): self = .equal
        case (true, false): self = .stricter
        case (false, true): self = .weaker
        case (false, false): self = .incomparable
        }
    }

    /// Whether the first accepts nothing that the second rejects.
    package var isNoWeaker: Bool { self == .equal || self == .stricter }

    /// Whether the second accepts nothing that the first rejects.
    package var isNoStricter: Bool { self == .equal || self == .weaker }

    /// The relation of the second to the first.
    package var reversed: Relation {
        Relation(isNoWeaker: isNoStricter, isNoStricter: isNoWeaker)
    }

    /// The direction of a whole from the relations of its parts: weaker where a part is weaker,
    /// whatever else got stricter; otherwise incomparable where a part is incomparable; otherwise
    /// stricter where a part is stricter. Readers are told this direction. It says less than `and`:
    /// a whole that is weaker in one part may reject more in another part.
    package static func direction(of parts: some Sequence<Relation>) -> Relation {
        let all = Set(parts)
        return [.weaker, .incomparable, .stricter].first { all.contains($0) } ?? .equal
    }

    /// The relation of two pairs of demands together, where both demands of a side must be met.
    package func and(_ other: Relation) -> Relation {
        Relation(
            isNoWeaker: isNoWeaker && other.isNoWeaker,
            isNoStricter: isNoStricter && other.isNoStricter)
    }
}
