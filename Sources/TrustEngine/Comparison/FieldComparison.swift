/// One field in which two behaviours differ, and how. The words for it stand in `Rendering`.
package struct FieldComparison: Hashable, Sendable {
    /// A value of one side.
    package enum Value: Hashable, Sendable {
        /// Nothing is demanded, or nothing is there.
        case absent
        case field(ProfileField, FieldValue)
        case word(String)
        case words([String])
        /// A duration; nil for no limit.
        case seconds(Int64?)
        case needs(TransparencyNeeds)
        /// The part of constraints that the path names; nil where no constraint has it.
        case constraints(AnchorConstraints?)
        case filters([AnchorFilter])
    }

    /// What else a reader should know.
    package enum Remark: Hashable, Sendable {
        case none
        /// The day of issue from which on the two values hold.
        case issuedFrom(UTCInstant)
        case anchors(AnchorChange)
        /// What is offered to the path search, which vouches for nothing and which the peer could
        /// have sent.
        case offered
        /// It is an exception, or an end of enforcement, with a date of its own.
        case exception
    }

    /// Dotted, as the language has it: `keys.rsa-minimum`, `anchors.corp.constraints.sct`.
    package let path: String
    package let relation: Relation
    /// Where the relation is `incomparable`, the way in which the field's own order points and
    /// which a linter may tell; `equal` for what is no difference to a reader, `incomparable` where
    /// there is no such way. Elsewhere the relation. No soundness is promised.
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

/// What changed of whom a behaviour trusts.
package struct AnchorChange: Hashable, Sendable {
    /// Authorities that the other side does not trust on any terms, each once.
    package let new: [TrustedMember]
    /// Whether everybody whom the other side trusts is trusted here.
    package let keepsAll: Bool
    /// Whether this side, or the other, trusts authorities that vouch for the public.
    package let newArePublic: Bool
    package let othersArePublic: Bool
    /// Whether the anchors are the keys that the rule pins, here and there.
    package let isPinnedKeys: Bool
    package let othersArePinnedKeys: Bool
    /// Whether a mismatch of some pin set rejects here, whatever the day.
    package let pinsBind: Bool
    /// Whether the pins of this side demand whatever those of the other side demand.
    package let keepsPins: Bool
}
