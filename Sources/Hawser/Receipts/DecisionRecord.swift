/// The kinds of records that a decision can leave.
public enum DecisionRecord: Hashable, Sendable {
    /// A receipt (`DecisionReceipt`).
    case receipt(DecisionReceipt.InputDetail)
    /// A report (`ViolationReport`).
    case report(ViolationReport.BestEffort)
}

extension Decision {
    /// The record of this decision, as one line of JSON without a line end. The request is
    /// explained, so the call costs an evaluation with its trace; no sampling and no limit is
    /// asked.
    ///
    /// Returns nil for a report where there is nothing to report, and where a check of the program
    /// answers otherwise when it is asked again.
    ///
    /// - Parameters:
    ///   - kind: the kind of record.
    ///   - redaction: the parts of the request that the record leaves out.
    public func record(_ kind: DecisionRecord, redaction: Redaction = Redaction()) -> String? {
        let explanation = explain()
        guard explanation.verdict == verdict else { return nil }
        let decision = withExplanation(explanation)
        switch kind {
        case .receipt(let inputs):
            return DecisionReceipt(decision, inputs: inputs, redaction: redaction).json
        case .report(let bestEffort):
            let report = ViolationReport(decision, redaction: redaction, bestEffort: bestEffort)
            guard !report.violations.isEmpty || !report.reported.isEmpty else { return nil }
            return report.json
        }
    }
}
