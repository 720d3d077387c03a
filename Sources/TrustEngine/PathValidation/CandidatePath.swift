/// A path that is being tried: its members from the end entity upwards, and how it ends.
package struct CandidatePath: Sendable {
    /// How a candidate path ends.
    package enum End: Hashable, Sendable {
        /// The path ends at the anchor with this index. The anchor is not among `members`.
        case anchor(Int)
        /// The end entity is itself the anchor with this index, which is of kind leaf.
        case endEntityIsAnchor(Int)
        /// The path ends at its last member, because the rule pins that certificate. A path of one
        /// member ends at the end entity itself.
        case pinned
        /// The path ends at a certificate for which no issuer was found.
        case deadEnd
        /// The path is only the end entity, under a waiver of `path`.
        case endEntityAlone
    }

    /// The certificates of the path, end entity first, without the anchor of `End.anchor`; never
    /// empty.
    package let members: ShortList<CertificatePool.Member>
    package let end: End
    /// Whether the search has found that no certificate of the path breaks a `CertificateRule` at
    /// its position. The judgement of the path then does not ask these rules again.
    package let isFlawless: Bool

    package init(members: ShortList<CertificatePool.Member>, end: End, isFlawless: Bool = false) {
        self.members = members
        self.end = end
        self.isFlawless = isFlawless
    }

    /// The index of the anchor that the path ends at; nil for another end. A pinned certificate is
    /// not in an anchor set and has no index.
    package var anchor: Int? {
        switch end {
        case .anchor(let index), .endEntityIsAnchor(let index): return index
        case .pinned, .deadEnd, .endEntityAlone: return nil
        }
    }

    /// Whether the last certificate of the path is an anchor.
    package var endsAtAnchor: Bool { anchor != nil || end == .pinned }

    /// Number of certificates between the end entity and the anchor. Where the path has no anchor,
    /// its last certificate takes the anchor's place here.
    package var intermediateCount: Int {
        end == .pinned ? max(0, members.count - 2) : members.count - 1
    }

    /// Number of certificates whose own signatures count, from the end entity upwards: every
    /// certificate but the anchor.
    package var signedCount: Int { endsAtAnchor ? count - 1 : members.count }

    /// Number of certificates of the path, the anchor included.
    package var count: Int {
        if case .anchor = end { return members.count + 1 }
        return members.count
    }

    /// The member of the pool at a position of the path; the end entity has 0.
    @inline(__always)
    package func member(at position: Int) -> CertificatePool.Member {
        switch end {
        case .anchor(let index) where position == members.count,
            .endEntityIsAnchor(let index) where position == 0:
            return .anchor(Int32(index))
        default: return members[position]
        }
    }

    /// The certificate at a position of the path; the end entity has 0.
    @inline(__always)
    package func certificate(at position: Int, in pool: CertificatePool) -> Certificate {
        pool.certificate(member(at: position))
    }

    /// The names of the signature of the certificate at a position of the path, which the next
    /// certificate issued.
    package func signatureNames(at position: Int, in pool: CertificatePool) -> SignatureNames {
        SignatureNames(
            certificate: pool.fingerprint(member(at: position)),
            issuerKey: pool.keyDigest(member(at: position + 1)))
    }

    /// The reference by which a verdict names the certificate at a position of the path.
    package func reference(at position: Int, in pool: CertificatePool) -> CertificateReference {
        pool.reference(member(at: position), position: position)
    }

    /// References to every certificate of the path, end entity first.
    package func references(in pool: CertificatePool) -> [CertificateReference] {
        (0..<count).map { reference(at: $0, in: pool) }
    }
}
