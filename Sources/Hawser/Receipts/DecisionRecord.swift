public import TrustEngine

/// The kinds of records that a decision can leave.
public enum DecisionRecord: Hashable, Sendable {
    /// A receipt (`DecisionReceipt`).
    case receipt(DecisionReceipt.Weight)
    /// A report (`ViolationReport`).
    case report(ViolationReport.BestEffort)
}

extension PolicyInForce {
    /// The record of a verdict that this policy gave, as one line of JSON without a line end. The
    /// request is explained, so the call costs an evaluation with its trace; no sampling and no
    /// limit is asked.
    ///
    /// Returns nil for a report where there is nothing to report, and for a verdict that this
    /// policy does not give on the request.
    ///
    /// - Parameters:
    ///   - kind: the kind of record.
    ///   - verdict: the verdict.
    ///   - request: the request that the verdict is about.
    ///   - redaction: the parts of the request that the record leaves out.
    public func record(
        _ kind: DecisionRecord, of verdict: Verdict, on request: TrustRequest,
        redaction: Redaction = Redaction()
    ) -> String? {
        let explanation = engine.explain(request)
        guard explanation.verdict == verdict else { return nil }
        switch kind {
        case .receipt(let weight):
            return DecisionReceipt(
                explanation, of: request, by: self, weight: weight, redaction: redaction
            ).json
        case .report(let bestEffort):
            let report = ViolationReport(
                explanation, of: request, by: self, redaction: redaction, bestEffort: bestEffort)
            guard !report.violations.isEmpty || !report.reported.isEmpty else { return nil }
            return report.json
        }
    }
}
