package import TrustEngine

/// Chooses which differences between two rule bodies are reported as weaker.
/// `BehaviourOrder` compares; this type does not.
package struct Weakening {
    /// Which differences are reported where neither value implies the other, as with two lists that
    /// each have a member that the other lacks.
    package enum Sense: Hashable, Sendable {
        /// None. Of anchors: that public authorities are trusted where the other body trusts none.
        case weaker
        /// Lists whose members say how strong a connection or a certificate is, and lists of
        /// demands: with another list, something is accepted that the other body refuses. Other
        /// values are a matter of the body itself: which keys are pinned, which names are listed,
        /// which types of keys are used, whose timestamps count, which sources of evidence are
        /// asked, which protocol is spoken.
        /// Of anchors: as `weaker`.
        case weakerOrOtherLists
        /// None. Of anchors: every authority that the other body does not trust.
        case weakerOrOtherAnchors
        /// Every field, exceptions included. Of anchors: every authority that the other body does
        /// not trust, except private authorities in place of public ones.
        case notAsStrict
    }

    private let sets: TrustedSets
    private let sense: Sense

    /// Compares bodies of one policy.
    package init(_ sets: TrustedSets, _ sense: Sense) {
        self.sets = sets
        self.sense = sense
    }

    /// The fields in which `body` is weaker than `other`, in the order of the language.
    package func differences(
        of body: RuleBody, against other: RuleBody
    ) -> [FieldComparison] {
        let comparison = sets.order.compare(
            .body(sets.behaviour(of: body)), .body(sets.behaviour(of: other)))
        return comparison.fields.filter { sense.tells($0) }
    }

    /// The same for the fields that profiles write, where anchor sets and pin sets are not at hand.
    package static func differences(
        of own: Requirements, against other: Requirements, _ sense: Sense = .weaker
    ) -> [FieldComparison] {
        RequirementOrder(own, other).fields().filter { sense.tells($0) }
    }
}

extension Weakening.Sense {
    /// Whether a difference is reported.
    fileprivate func tells(_ field: FieldComparison) -> Bool {
        guard !field.relation.isNoWeaker else { return false }
        switch field.remark {
        case .offered: return false
        case .exception: return self == .notAsStrict
        // The fields that do it are told.
        case .evidence: return false
        case .anchors(let change): return tells(change)
        case .pins(let change): return change.isDated ? self == .notAsStrict : leans(field)
        case .none, .issuedFrom, .reissued, .logList: return leans(field)
        }
    }

    private func leans(_ field: FieldComparison) -> Bool {
        switch field.leaning {
        case .weaker: return true
        case .equal, .stricter: return false
        case .incomparable:
            return self == .notAsStrict || (self == .weakerOrOtherLists && field.isListOfDemand)
        }
    }

    private func tells(_ change: AnchorChange) -> Bool {
        // Where the pinned keys are the anchors, the anchors are whatever is pinned. They cannot be
        // compared with other anchors.
        if change.isPinnedKeys { return self == .notAsStrict && !change.othersArePublic }
        guard !change.new.isEmpty else { return false }
        if change.keepsAll { return true }
        // Every CA of the machine's store in place of chosen ones, and be they public.
        if change.newHoldStore, !change.pinsBind { return true }
        switch self {
        case .weakerOrOtherAnchors: return true
        case .notAsStrict: return !change.othersArePublic || change.newArePublic
        case .weaker, .weakerOrOtherLists:
            guard change.newArePublic, !change.othersArePublic else { return false }
            // Public authorities issue certificates to strangers. Where pins bind, they do so only
            // for keys that the rule names.
            return !change.pinsBind || (change.othersArePinnedKeys && !change.keepsPins)
        }
    }
}

extension FieldComparison {
    /// Whether the values are lists that allow or demand, so that another list lets something
    /// through. Application protocols and types of keys are not of that kind: no member is stronger
    /// than another, and how large an RSA key must be is a field of its own.
    package var isListOfDemand: Bool {
        guard case .field(let field, _) = here,
            ![.tlsAlpn, .keyTypes, .leafKeyTypes].contains(field)
        else { return false }
        switch field.descriptor.stricter {
        case .subset, .superset: return true
        case .smaller, .larger, .together, .none: return false
        }
    }
}

extension AnchorChange {
    /// Whether the machine's store is among the new authorities, as a whole or without a few.
    fileprivate var newHoldStore: Bool {
        new.contains { $0.certificate == nil && $0.filters.allSatisfy { $0.only == nil } }
    }
}
