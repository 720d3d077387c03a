/// Where a path can go on from one certificate.
package enum PathExtension: Hashable, Sendable {
    /// End at this anchor.
    case anchor(Int)
    /// The end entity is this anchor.
    case endEntityIsAnchor(Int)
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
    /// presented certificates and one for each name compared.
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
                ranked.append((rank + 16, .through(CertificatePool.Member(-1 - index))))
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
                ranked.append((rank, .through(CertificatePool.Member(-1 - index))))
            }
        }
        _ = budget.spend(1 + pool.presented.count / 64)
        for (index, entry) in pool.presented.enumerated()
        where entry.certificate.layout.subjectHash == layout.issuerHash {
            guard budget.spend(1), subject.isIssued(byNameOf: entry.certificate) else { continue }
            let validity = entry.certificate.layout
            let isValid = validity.notBefore <= time && time <= validity.notAfter
            let rank =
                4 + identifierRank(entry.certificate, of: subject) + (isValid ? 0 : 4)
                + (entry.certificate.isSelfIssued ? 1 : 0)
            ranked.append((rank, .through(CertificatePool.Member(index))))
        }
        if ranked.count > 1 {
            // Equal ranks keep their order, so that the search does not depend on the sort.
            ranked = ranked.enumerated()
                .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
                .map(\.element)
        }
        return ranked.map(\.step)
    }

    /// 0 when the key identifiers match, 1 when either is absent, 2 when they differ.
    private static func identifierRank(_ issuer: Certificate, of subject: Certificate) -> Int {
        let wanted = subject.layout.extensions.authorityKeyIdentifier
        let offered = issuer.layout.extensions.subjectKeyIdentifier
        guard !wanted.isEmpty, !offered.isEmpty else { return 1 }
        return subject.der[wanted.indices] == issuer.der[offered.indices] ? 0 : 2
    }
}
