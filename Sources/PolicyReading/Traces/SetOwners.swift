package import TrustEngine

/// An anchor set or a pin set that a reject is about, with its owner. The owner is free text of the
/// policy and no part of the trace or of the policy digest, so the table is asked.
package struct SetOwner: Hashable, Sendable {
    /// The section of the policy that defines the set.
    package enum Section: String, Hashable, Sendable {
        case anchors, pins
    }

    package let section: Section
    /// The id of the set.
    package let id: String
    /// The owner; nil where the set names none.
    package let owner: String?

    /// Makes a set with its owner.
    package init(section: Section, id: String, owner: String?) {
        self.section = section
        self.id = id
        self.owner = owner
    }
}

/// Finds the sets that a reject is about.
package struct SetOwners: Sendable {
    private let outline: TraceOutline
    private let table: PolicyTable?
    private let facts: RequestFacts

    /// A finder for the sets of one reject. Without the table that judged, no set has an owner.
    package init(_ outline: TraceOutline, _ table: PolicyTable?, _ facts: RequestFacts) {
        self.outline = outline
        self.table = table?.policyDigest == outline.engine?.policyDigest ? table : nil
        self.facts = facts
    }

    /// Whether the owners of sets are known, so that a missing one means that none is written.
    package var isKnown: Bool { table != nil }

    /// The sets that a list of violations is about, each once, in the order of the violations.
    package func sets(of violations: [Violation]) -> [SetOwner] {
        violations.flatMap { sets(of: $0) }.unrepeated
    }

    /// The sets that a violation is about: the set of a certificate that fails, or the sets that
    /// lack an authority or a key. The machine's store has no owner and is left out.
    package func sets(of violation: Violation) -> [SetOwner] {
        if case .pinMismatch(let mismatch) = violation.reason { return [pins(mismatch.set)] }
        if case .anchorConstraintNotMet(let failure) = violation.reason {
            return SetOwners.own([failure.set]).map(anchors)
        }
        if case .issuerNotFound = violation.reason { return lacking([]) }
        if case .anchorNotTrusted(_, let heldBy, _) = violation.reason { return lacking(heldBy) }
        return SetOwners.own(violation.fields.compactMap { $0.certificate?.setOfPolicy })
            .map(anchors)
    }

    /// The anchor set with an id.
    package func anchors(_ id: String) -> SetOwner {
        var owner: String?
        if let table {
            let index = (0..<table.anchorSetCount).first { table.anchorSetID(at: $0) == id }
            owner = index.flatMap(table.owner(ofAnchorSet:))
        }
        return SetOwner(section: .anchors, id: id, owner: owner)
    }

    /// The pin set with an id.
    package func pins(_ id: String) -> SetOwner {
        var owner: String?
        if let table {
            let index = (0..<table.pinSetCount).first {
                table.text(table.pinSet(at: $0).id) == id
            }
            owner = index.flatMap(table.owner(ofPinSet:))
        }
        return SetOwner(section: .pins, id: id, owner: owner)
    }

    /// The sets that may lack an unknown authority: the set of the CA with the nearest name, then
    /// the sets that hold the authority, then every set of the rule.
    private func lacking(_ heldBy: [String]) -> [SetOwner] {
        if outline.rule?.anchors == [PinnedKeys.setID] {
            return (outline.rule?.pins ?? []).map(pins)
        }
        let holders = SetOwners.own(heldBy)
        if !holders.isEmpty { return holders.map(anchors) }
        if let relative = facts.authority?.relative { return [anchors(relative.set)] }
        return SetOwners.own(outline.rule?.anchors ?? []).map(anchors)
    }

    /// Ids of sets that the policy defines.
    private static func own(_ ids: [String]) -> [String] {
        ids.filter { $0 != AnchorSetContents.system.id && $0 != PinnedKeys.setID }
    }
}

extension CertificateReference {
    /// The anchor set of the policy that a certificate above the server's own one comes from; nil
    /// where the peer presented it. The server neither chose the certificate nor can replace it.
    package var setOfPolicy: String? {
        guard position > 0 else { return nil }
        switch origin {
        case .anchor(let set), .offered(let set): return set
        case .presented: return nil
        }
    }
}
