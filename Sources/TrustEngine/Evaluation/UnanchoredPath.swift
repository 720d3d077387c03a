/// Names why a candidate path reaches no anchor: the first three of the five classic failures
/// (LANGUAGE section 12.7).
enum UnanchoredPath {
    /// The violation of a path that ends at no anchor.
    static func violation(
        of path: CandidatePath, pool: CertificatePool, maximumIntermediates: Int,
        budget: inout WorkBudget
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
                last: reference, issuer: last.issuerText,
                unreadable: unreadable(last, pool, &budget))
        }
        guard position > 0 else {
            return .selfSignedLeaf(reference, anchorOf: holders(of: last, pool, inScope: true))
        }
        return .anchorNotTrusted(
            reference, heldBy: holders(of: last, pool, inScope: false),
            anchors: Set(pool.sets.map { pool.setIDs[$0] }).sorted())
    }

    /// One sentence for each presented certificate that cannot be read and has the name of the
    /// missing issuer. Cost of each comparison: one unit, and one unit for each kilobyte of the two
    /// names.
    private static func unreadable(
        _ last: Certificate, _ pool: CertificatePool, _ budget: inout WorkBudget
    ) -> [String] {
        var sentences: [String] = []
        let issuer = last.layout.issuer
        for candidate in pool.unreadable {
            guard let subject = candidate.subject,
                budget.spend(1 + (Int(issuer.count) + subject.count) / 1_024),
                (try? DistinguishedName.isEqual(
                    last.der.span.extracting(issuer.indices), subject.span, budget: &budget))
                    == true
            else { continue }
            sentences.append(
                "certificate \(candidate.wireIndex) of the chain: \(candidate.error.details)")
        }
        return sentences
    }

    /// Ids of the anchor sets that hold a certificate's name and key, sorted: in scope, those of
    /// the rule that hold it as a CA; otherwise the policy's other sets.
    private static func holders(
        of certificate: Certificate, _ pool: CertificatePool, inScope: Bool
    ) -> [String] {
        let sets = pool.anchors.holders(of: certificate)
            .filter {
                pool.isInScope(anchor: $0) == inScope
                    && !(inScope && pool.anchors.anchors[$0].kind == .leaf)
            }
            .map { pool.setIDs[pool.anchors.anchors[$0].set] }
            .filter { $0 != PinnedKeys.setID }
        return Set(sets).sorted()
    }
}
