/// Where a path can go on from one certificate.
package enum PathExtension: Hashable, Sendable {
    /// End at this anchor.
    case anchor(Int)
    /// The end entity is this anchor.
    case endEntityIsAnchor(Int)
    /// The end entity is an anchor because the rule pins it.
    case endEntityIsPinned
    /// End at this certificate, which the rule pins.
    case pinned(CertificatePool.Member)
    /// Go on through this certificate.
    case through(CertificatePool.Member)
    /// End here, at a self-issued certificate that is no anchor or where nothing leads further.
    case deadEnd
}

/// Finds the issuers that a certificate may have, most promising first (RFC 4158 section 3.5): by
/// name, then by matching key identifiers, then valid at the time, anchors before intermediates so
/// that shorter paths come first. Key identifiers only order; a mismatch never excludes.
package enum IssuerCandidates {
    /// The extensions of a path whose last certificate is `subject`. Cost: one unit for every 64
    /// presented certificates and one for each name compared; an offered certificate costs both.
    ///
    /// `alsoOutsideScope` offers members of the policy's other anchor sets as certificates to go on
    /// through: they are no anchors here, but tell which authority a chain without its root is from.
    package static func find(
        for subject: Certificate, isEndEntity: Bool, pool: CertificatePool,
        alsoOutsideScope: Bool, time: UTCInstant, budget: inout WorkBudget
    ) -> [PathExtension] {
        var ranked: [(rank: Int, step: PathExtension)] = []
        let layout = subject.layout
        if isEndEntity {
            if pool.presentedAnchors.endEntity { ranked.append((-1, .endEntityIsPinned)) }
            for index in pool.anchors.candidates(subjectHash: layout.subjectHash)
            where pool.isInScope(anchor: index) {
                let anchor = pool.anchors.anchors[index]
                guard anchor.kind == .leaf, budget.spend(1), anchor.certificate == subject else {
                    continue
                }
                ranked.append((-1, .endEntityIsAnchor(index)))
            }
        }
        // A certificate in several sets is an anchor in each, but goes on from here only once.
        var goneThrough: [Int] = []
        for index in pool.anchors.candidates(subjectHash: layout.issuerHash)
        where pool.isInScope(anchor: index) {
            let anchor = pool.anchors.anchors[index]
            guard anchor.kind != .leaf, budget.spend(1),
                subject.isIssued(byNameOf: anchor.certificate)
            else { continue }
            let rank = identifierRank(anchor.certificate, of: subject)
            ranked.append((rank, .anchor(index)))
            if !anchor.certificate.isSelfIssued, !goneThrough.contains(anchor.identity) {
                goneThrough.append(anchor.identity)
                ranked.append((rank + 16, .through(.anchor(Int32(index)))))
            }
        }
        if alsoOutsideScope {
            for index in pool.anchors.candidates(subjectHash: layout.issuerHash) {
                let anchor = pool.anchors.anchors[index]
                guard anchor.identity == index, anchor.kind != .leaf,
                    !pool.holdsInScope(anchor.certificate), budget.spend(1),
                    !pool.presented.contains(where: { $0.fingerprint == anchor.fingerprint }),
                    subject.isIssued(byNameOf: anchor.certificate)
                else { continue }
                let rank = 32 + identifierRank(anchor.certificate, of: subject)
                ranked.append((rank, .through(.anchor(Int32(index)))))
            }
        }
        let look = 1 + pool.presented.count / 64
        _ = budget.spend(look)
        for (index, entry) in pool.presented.enumerated()
        where entry.certificate.layout.subjectHash == layout.issuerHash {
            guard budget.spend(1), subject.isIssued(byNameOf: entry.certificate) else { continue }
            let member = CertificatePool.Member.presented(Int32(index))
            if pool.isPinnedAuthority(member) {
                ranked.append((identifierRank(entry.certificate, of: subject), .pinned(member)))
            }
            ranked.append((rank(entry.certificate, of: subject, at: time), .through(member)))
        }
        for index in pool.offered.candidates(subjectHash: layout.issuerHash)
        where pool.set(offering: index) != nil {
            let entry = pool.offered.entries[index]
            guard budget.spend(look), subject.isIssued(byNameOf: entry.certificate),
                !pool.presented.contains(where: { $0.fingerprint == entry.fingerprint })
            else { continue }
            ranked.append(
                (
                    rank(entry.certificate, of: subject, at: time),
                    .through(.offered(Int32(index)))
                ))
        }
        if ranked.count > 1 {
            // Equal ranks keep their order, so that the search does not depend on the sort.
            ranked = ranked.enumerated()
                .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
                .map(\.element)
        }
        return ranked.map(\.step)
    }

    /// The rank of a certificate to go on through: after the anchors, the likeliest first.
    private static func rank(
        _ issuer: Certificate, of subject: Certificate, at time: UTCInstant
    ) -> Int {
        let isValid = issuer.notBefore <= time && time <= issuer.notAfter
        return 4 + identifierRank(issuer, of: subject) + (isValid ? 0 : 4)
            + (issuer.isSelfIssued ? 1 : 0)
    }

    /// 0 when the key identifiers match, 1 when either is absent, 2 when they differ.
    private static func identifierRank(_ issuer: Certificate, of subject: Certificate) -> Int {
        let wanted = subject.layout.extensions.authorityKeyIdentifier
        let offered = issuer.layout.extensions.subjectKeyIdentifier
        guard !wanted.isEmpty, !offered.isEmpty else { return 1 }
        return subject.der[wanted.indices] == issuer.der[offered.indices] ? 0 : 2
    }
}
