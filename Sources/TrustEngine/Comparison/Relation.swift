/// How one demand, or one whole behaviour, compares with another.
package enum Relation: Hashable, Sendable, BitwiseCopyable {
    /// Each accepts what the other accepts.
    case equal
    /// It accepts nothing that the other rejects.
    case stricter
    /// The other accepts nothing that it rejects.
    case weaker
    /// Neither of the two is known.
    case incomparable

    /// From the two questions that every entry of the order answers.
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

    /// The relation of two demands beside each other, both of which must be met.
    package func and(_ other: Relation) -> Relation {
        Relation(
            isNoWeaker: isNoWeaker && other.isNoWeaker,
            isNoStricter: isNoStricter && other.isNoStricter)
    }
}
