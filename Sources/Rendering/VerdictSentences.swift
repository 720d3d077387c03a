import TrustEngine

/// The sentence that says a verdict to a person, below its first line.
enum VerdictSentences {
    /// The sentence; nil where no rule was reached and nothing failed.
    static func lead(
        _ explanation: Explanation, _ outline: TraceOutline, _ situation: Situation
    ) -> String? {
        if let first = SideSentences.ordered(explanation.verdict.violations, situation).first {
            return ViolationSentences.forEndUser(first, situation)
        }
        guard let rule = outline.rule else { return nil }
        var reported = 0
        if case .accept(let acceptance) = explanation.verdict.outcome {
            reported = acceptance.reported.count
        }
        return accept(rule, explanation, outline)
            + (reported == 0 ? "" : "; \(reported) reported without rejecting")
    }

    private static func accept(
        _ rule: RuleStep, _ explanation: Explanation, _ outline: TraceOutline
    ) -> String {
        if outline.request?.tls == .cleartext {
            return "nobody has shown who answers, as there is no TLS; a waiver lets it pass"
        }
        if outline.decisive(for: explanation.verdict)?.path.end == .endEntityAlone {
            return "nobody that the rule trusts vouches for this certificate; a waiver lets it pass"
        }
        return "a path to \(ViolationSentences.list(rule.anchors)) meets every enforced demand"
    }
}
