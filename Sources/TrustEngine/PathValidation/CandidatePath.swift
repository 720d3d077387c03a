/// A path under trial: members from the end entity upwards, and how it ends.
package struct CandidatePath: Sendable {
    /// How a candidate path ends.
    package enum End: Hashable, Sendable {
        /// At this anchor, which is not among `members`.
        case anchor(Int)
        /// The end entity is itself this anchor (of kind leaf).
        case endEntityIsAnchor(Int)
        /// At its last member, which the rule pins: the end entity itself where there is no other.
        case pinned
        /// Nothing leads further.
        case deadEnd
        /// The end entity alone, under a waiver of `path`.
        case endEntityAlone
    }

    /// End entity first; never empty.
    package let members: [CertificatePool.Member]
    package let end: End

    /// The member of an anchor set that it ends at.
    package var anchor: Int? {
        switch end {
        case .anchor(let index), .endEntityIsAnchor(let index): return index
        case .pinned, .deadEnd, .endEntityAlone: return nil
        }
    }

    /// Whether its last certificate is an anchor.
    package var endsAtAnchor: Bool { anchor != nil || end == .pinned }

    /// Certificates between the end entity and the anchor, or the last one where there is none.
    package var intermediateCount: Int {
        end == .pinned ? max(0, members.count - 2) : members.count - 1
    }

    /// How many certificates' own signatures count, from the end entity upwards: all but the anchor's.
    package var signedCount: Int { endsAtAnchor ? count - 1 : members.count }

    /// Number of certificates, the anchor's included.
    package var count: Int {
        if case .anchor = end { return members.count + 1 }
        return members.count
    }

    /// The certificate at a place, 0 the end entity.
    package func certificate(at position: Int, in pool: CertificatePool) -> Certificate {
        switch end {
        case .anchor(let index) where position == members.count,
            .endEntityIsAnchor(let index) where position == 0:
            return pool.anchors.anchors[index].certificate
        default: return pool.certificate(members[position])
        }
    }

    /// A number that is equal for equal certificates, for remembering signatures.
    package func identity(at position: Int, in pool: CertificatePool) -> Int {
        if case .anchor(let index) = end, position == members.count {
            return -1 - pool.anchors.anchors[index].identity
        }
        return pool.identity(members[position])
    }

    /// How a verdict names the certificate at a place.
    package func reference(at position: Int, in pool: CertificatePool) -> CertificateReference {
        switch end {
        case .anchor(let index) where position == members.count:
            return pool.reference(anchor: index, position: position)
        case .endEntityIsAnchor(let index) where position == 0:
            return pool.reference(anchor: index, position: position)
        default: return pool.reference(members[position], position: position)
        }
    }

    /// References to every certificate, end entity first.
    package func references(in pool: CertificatePool) -> [CertificateReference] {
        (0..<count).map { reference(at: $0, in: pool) }
    }
}
