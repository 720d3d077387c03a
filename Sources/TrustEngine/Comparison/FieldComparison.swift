/// One field in which two behaviours differ, and how. `Rendering` has the words for it.
package struct FieldComparison: Hashable, Sendable {
    /// The value of one side.
    package enum Value: Hashable, Sendable {
        /// Nothing is demanded, or there is no value.
        case absent
        case field(ProfileField, FieldValue)
        case word(String)
        case words([String])
        /// A duration; nil for no limit.
        case seconds(Int64?)
        case needs(TransparencyNeeds)
        /// The part of the constraints that the path names; nil where no constraint writes it.
        case constraints(AnchorConstraints?)
        case filters([AnchorFilter])
    }

    /// What a reader should know besides the two values.
    package enum Remark: Hashable, Sendable {
        case none
        /// The two values hold for certificates that were issued on this day or later.
        case issuedFrom(UTCInstant)
        case anchors(AnchorChange)
        /// The two sides trust the same authorities by other certificates.
        case reissued([ReissuedMember])
        case pins(PinChange)
        case logList(LogListChange)
        /// The field holds certificates that are offered to the path search. They vouch for
        /// nothing, and the peer could have sent them. The DER of the certificates that only one
        /// side offers, sorted.
        case offered(new: [[UInt8]], removed: [[UInt8]])
        /// The difference is an exception, or an end of enforcement, with a date of its own.
        case exception
    }

    /// The path with dots, as the language has it: `keys.rsa-minimum`,
    /// `anchors.corp.constraints.sct`.
    package let path: String
    package let relation: Relation
    /// The direction in which a reader would say that the field changed; a linter may report it,
    /// but it promises no soundness. It equals `relation` unless `relation` is `incomparable`. Then
    /// it is the direction of the field's own order, `equal` where a reader sees no difference, or
    /// `incomparable` where the field has no direction.
    package let leaning: Relation
    package let here: Value
    package let there: Value
    package let remark: Remark

    init(
        _ path: String, _ relation: Relation, leaning: Relation? = nil, _ here: Value,
        _ there: Value, remark: Remark = .none
    ) {
        self.path = path
        self.relation = relation
        self.leaning = relation == .incomparable ? leaning ?? .incomparable : relation
        self.here = here
        self.there = there
        self.remark = remark
    }
}

/// How the anchors of a behaviour differ from those of the other side.
package struct AnchorChange: Hashable, Sendable {
    /// Authorities that the other side does not trust on any terms, each once.
    package let new: [TrustedMember]
    /// Authorities of the other side that this side does not trust on any terms, each once.
    package let removed: [TrustedMember]
    /// The number of authorities that each side trusts; the machine's store counts as one authority
    /// where it is not loaded.
    package let count: Int
    package let othersCount: Int
    /// Whether this side trusts every authority that the other side trusts.
    package let keepsAll: Bool
    /// Whether certificates are issued to the public by at least one authority in `new`, and by at
    /// least one that the other side trusts (`TrustedMember.isPublic`).
    package let newArePublic: Bool
    package let othersArePublic: Bool
    /// Whether the anchors are the keys that the rule pins, on this side and on the other.
    package let isPinnedKeys: Bool
    package let othersArePinnedKeys: Bool
    /// Whether a mismatch of at least one pin set of this side rejects on every day.
    package let pinsBind: Bool
    /// Whether the pins of this side demand everything that the pins of the other side demand.
    package let keepsPins: Bool
}

/// An authority that both sides trust by its name and key, each side by another certificate.
package struct ReissuedMember: Hashable, Sendable {
    package let here: TrustedMember
    package let there: TrustedMember
}
