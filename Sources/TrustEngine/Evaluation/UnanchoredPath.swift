/// Why a candidate path reaches no anchor: the first three of the five classic failures (LANGUAGE
/// section 12.7).
enum UnanchoredPath {
    /// The violation of a path that ends nowhere.
    static func violation(
        of path: CandidatePath, pool: CertificatePool, maximumIntermediates: Int
    ) -> Violation {
        let place = path.members.count - 1
        let last = pool.certificate(path.members[place])
        // What is self-issued would be the anchor, were it trusted, and no intermediate.
        let intermediates = last.isSelfIssued ? place - 1 : place
        if intermediates > maximumIntermediates {
            return .tooManyIntermediates(limit: maximumIntermediates, actual: intermediates)
        }
        let reference = pool.reference(path.members[place], position: place)
        guard last.isSelfIssued else {
            return .issuerNotFound(last: reference, issuer: last.issuerText)
        }
        guard place > 0 else { return .selfSignedLeaf(reference) }
        return .anchorNotTrusted(
            reference, heldBy: holds(last, pool),
            anchors: Set(pool.sets.map { pool.setIDs[$0] }).sorted())
    }

    /// Ids of the policy's other sets that hold a certificate's name and key, sorted.
    private static func holds(_ certificate: Certificate, _ pool: CertificatePool) -> [String] {
        let sets = pool.anchors.holders(of: certificate).filter { !pool.isInScope(anchor: $0) }
            .map { pool.setIDs[pool.anchors.anchors[$0].set] }
            .filter { $0 != PinnedKeys.setID }
        return Set(sets).sorted()
    }
}
