/// Names why a candidate path reaches no anchor: the first three of the five classic failures
/// (LANGUAGE section 12.7).
enum UnanchoredPath {
    /// The violation of a path that ends at no anchor.
    static func violation(
        of path: CandidatePath, pool: CertificatePool, maximumIntermediates: Int,
        time: UTCInstant, budget: inout WorkBudget
    ) -> Violation {
        let position = path.members.count - 1
        let last = pool.certificate(path.members[position])
        // A self-issued certificate at the end does not count as an intermediate: it would be the
        // anchor if it were trusted.
        let intermediates = last.isSelfIssued ? position - 1 : position
        if intermediates > maximumIntermediates {
            return .tooManyIntermediates(
                limit: maximumIntermediates,
                actual: intermediates
                    + further(behind: path, pool: pool, time: time, budget: &budget))
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

    /// How many more intermediates lead on from the end of a path that the path builder left
    /// because it was too long: the most promising issuer is followed, up to an anchor, to a
    /// certificate that names itself as its issuer, or to one whose issuer nothing offers. No
    /// signature is verified.
    private static func further(
        behind path: CandidatePath, pool: CertificatePool, time: UTCInstant,
        budget: inout WorkBudget
    ) -> Int {
        var members = path.members
        var count = 0
        while count < mostCounted, let last = members.last {
            let candidates = IssuerCandidates.find(
                for: pool.certificate(last), isEndEntity: false, pool: pool,
                alsoOutsideScope: false, time: time, budget: &budget)
            guard !budget.isExhausted else { return count }
            var next: CertificatePool.Member?
            for index in 0..<candidates.count {
                switch candidates[index].step {
                case .anchor, .endEntityIsAnchor, .endEntityIsPinned, .pinned: return count
                case .through(let member):
                    let certificate = pool.certificate(member)
                    if next == nil, !certificate.isSelfIssued,
                        !members.contains(where: {
                            pool.certificate($0).hasNameAndKey(of: certificate)
                        })
                    {
                        next = member
                    }
                case .deadEnd: break
                }
            }
            guard let next else { return count }
            members.append(next)
            count += 1
        }
        return count
    }

    /// The most further intermediates that are counted: as many as a policy could ever allow.
    private static let mostCounted = Requirements.mostIntermediates

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
                "certificate \(candidate.wireIndex + 1) of the chain: \(candidate.error.context)")
        }
        return sentences
    }

    /// Ids of the anchor sets that hold a certificate's name and key, sorted: in scope, the sets of
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
