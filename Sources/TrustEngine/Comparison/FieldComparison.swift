/// One field in which two behaviours differ, and how. `Rendering` has the words for it.
package struct FieldComparison: Hashable, Sendable {
    /// The value of one side.
    package enum Value: Hashable, Sendable {
        /// No demand, or no value.
        case absent
        case field(ProfileField, FieldValue)
        case word(String)
        case words([String])
        case instant(UTCInstant)
        /// A duration; nil for no limit.
        case seconds(Int64?)
        case needs(TransparencyNeeds)
        /// The part of the constraints that the path names; nil where no constraint writes it.
        case constraints(AnchorConstraints?)
        case filters([AnchorFilter])
    }

    /// A fact for readers, in addition to the two values.
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
        /// Other fields that differ also decide which revocation evidence counts, or where it comes
        /// from. The causes of missing evidence say which way that works (`EvidenceOrder`).
        case evidence
    }

    /// The path with dots, as the language has it: `keys.rsa-minimum`,
    /// `anchors.corp.constraints.sct`.
    package let path: String
    package let relation: Relation
    /// The direction in which a reader would say that the field changed; a linter may report it,
    /// but it promises no soundness. It equals `relation` unless `relation` is `incomparable`. Then
    /// it is the direction of the field's own order, `equal` where a reader sees no difference, or
    /// `incomparable` where the field has no direction. One field differs from this: where the
    /// causes of missing evidence say that other sources of revocation evidence work both ways, the
    /// field leans no way.
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

    /// A field that leans otherwise than its relation.
    private init(_ field: FieldComparison, leaning: Relation) {
        path = field.path
        relation = field.relation
        self.leaning = leaning
        here = field.here
        there = field.there
        remark = field.remark
    }

    /// Whether the field compares pinned keys that are the anchors of both sides.
    package var isOfPinnedKeys: Bool {
        guard case .anchors(let change) = remark else { return false }
        return change.isPinnedKeys && change.othersArePinnedKeys
    }

    /// The direction that readers are told. Where both sides name the same anchor sets or the same
    /// pin sets, each set is told by itself: the field is weaker where a set is, whatever another
    /// set gained. Otherwise it is `relation`.
    package var direction: Relation {
        guard relation == .incomparable, here == there else { return relation }
        let sets: Relation
        switch remark {
        case .anchors(let change):
            sets = .direction(of: change.sets.map { change.relation(of: $0) })
        case .pins(let change): sets = .direction(of: change.sets.map(\.relation))
        case .none, .issuedFrom, .reissued, .logList, .offered, .exception, .evidence:
            return relation
        }
        return sets.isNoWeaker ? relation : sets
    }

    /// The same difference, which leans no way.
    var withoutLeaning: FieldComparison { FieldComparison(self, leaning: .incomparable) }
}

/// The differences between the anchors of a behaviour and of the other side.
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

    /// The ids of the anchor sets that authorities come from or are gone from, sorted.
    package var sets: [String] { Set((new + removed).map(\.set)).sorted() }

    /// How one anchor set compares with the set of the same id on the other side, by the
    /// authorities of it that are new and removed.
    package func relation(of set: String) -> Relation {
        Relation(
            isNoWeaker: !new.contains { $0.set == set },
            isNoStricter: !removed.contains { $0.set == set })
    }
}

/// An authority that both sides trust by its name and key, each side by another certificate.
package struct ReissuedMember: Hashable, Sendable {
    package let here: TrustedMember
    package let there: TrustedMember
}
