/// Names why a candidate path reaches no anchor: the first three of the five classic failures
/// (LANGUAGE section 12.7).
enum UnanchoredPath {
    /// The violation of a path that ends at no anchor.
    static func violation(
        of path: CandidatePath, pool: CertificatePool, maximumIntermediates: Int
    ) -> Violation {
        let position = path.members.count - 1
        let last = pool.certificate(path.members[position])
        // A self-issued certificate at the end is no intermediate: it would be the anchor if it
        // were trusted.
        let intermediates = last.isSelfIssued ? position - 1 : position
        if intermediates > maximumIntermediates {
            return .tooManyIntermediates(limit: maximumIntermediates, actual: intermediates)
        }
        let reference = pool.reference(path.members[position], position: position)
        guard last.isSelfIssued else {
            return .issuerNotFound(
                last: reference, issuer: last.issuerText, unreadable: unreadable(last, pool))
        }
        guard position > 0 else { return .selfSignedLeaf(reference) }
        return .anchorNotTrusted(
            reference, heldBy: holds(last, pool),
            anchors: Set(pool.sets.map { pool.setIDs[$0] }).sorted())
    }

    /// What the peer sent under the name of the missing issuer and nobody can read: a sentence for
    /// each certificate.
    private static func unreadable(_ last: Certificate, _ pool: CertificatePool) -> [String] {
        pool.unreadable.filter { candidate in
            guard let subject = candidate.subject else { return false }
            return DistinguishedName.isEqual(
                last.der.span.extracting(last.layout.issuer.indices), subject.span)
        }.map {
            "certificate \($0.wireIndex) of the chain: `\($0.error.field)` at octet "
                + "\($0.error.offset): \($0.error.reason)"
        }
    }

    /// Ids of the policy's other anchor sets that hold a certificate's name and key, sorted.
    private static func holds(_ certificate: Certificate, _ pool: CertificatePool) -> [String] {
        let sets = pool.anchors.holders(of: certificate).filter { !pool.isInScope(anchor: $0) }
            .map { pool.setIDs[pool.anchors.anchors[$0].set] }
            .filter { $0 != PinnedKeys.setID }
        return Set(sets).sorted()
    }
}
