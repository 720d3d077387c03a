/// What one case came to under `path.issuance: enforce` and under the default, `report`, and how
/// the two relate.
package struct ComparedResult: Sendable {
    package let enforced: CaseResult
    package let reported: CaseResult
    /// What the case came to under `enforce` with a waiver of the demands in the notice; nil where
    /// it is not asked, because `enforce` accepts or the default rejects.
    package let waived: CaseResult?

    package init(enforced: CaseResult, reported: CaseResult, waived: CaseResult? = nil) {
        self.enforced = enforced
        self.reported = reported
        self.waived = waived
    }

    /// Judges a case under both.
    package static func of(
        _ vector: ConformanceCase, anchors: CaseTerms.Anchors = .asInCase, clock: () -> Int
    ) -> ComparedResult {
        compare { issuance in
            .of(vector, CaseTerms(issuance: issuance, anchors: anchors), clock: clock)
        }
    }

    /// The results that `judge` gives for a case.
    package static func compare(_ judge: (CaseTerms.Issuance) -> CaseResult) -> ComparedResult {
        let enforced = judge(.enforce)
        let reported = judge(.report)
        guard enforced.verdict == .reject, reported.verdict == .accept else {
            return ComparedResult(enforced: enforced, reported: reported)
        }
        return ComparedResult(
            enforced: enforced, reported: reported,
            waived: judge(.enforceUnlessWaived(Set(reported.breaches))))
    }

    /// How the two verdicts relate.
    package enum Relation: Hashable, Sendable {
        /// The same verdict. A reject under the defaults names no demand of issuance.
        case same
        /// Rejected under `enforce`, and an accept under the defaults. A waiver of the demands in
        /// the notice of the accept makes an accept of the reject, so that nothing but these
        /// demands made the difference.
        case noticed
        /// Anything else. No expectation covers it.
        case unexplained
    }

    /// The rule that holds for every case, whatever the lists of expectations say.
    package var relation: Relation {
        switch (enforced.verdict, reported.verdict) {
        case (.accept, .accept), (.declined, .declined): return .same
        case (.reject, .reject):
            return reported.violations.contains(where: ExpectedNotices.isIssuance)
                ? .unexplained : .same
        case (.reject, .accept):
            // The violations of the reject do not show it: they may belong to another path.
            guard waived?.verdict == .accept,
                reported.breaches.allSatisfy(ExpectedNotices.isIssuance)
            else { return .unexplained }
            return .noticed
        case (.accept, _), (.reject, _), (.declined, _): return .unexplained
        }
    }

    /// Whether the suite expects a failure, and issuance alone makes an accept of it.
    package var isNoticedFailure: Bool {
        relation == .noticed && reported.divergence == .falseAccept
    }
}
