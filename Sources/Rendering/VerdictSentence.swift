import PolicyReading
import TrustEngine

/// The reason of a verdict in one sentence: the failure of a reject, the grounds of an accept. It
/// holds text of strangers; the caller that prints it must escape it.
enum VerdictSentence {
    /// The sentence about a verdict; nil for an accept that no rule gave.
    static func text(
        _ verdict: Verdict, _ outline: TraceOutline, _ situation: Situation
    ) -> String? {
        switch verdict.outcome {
        case .reject(let violations):
            return violations.saferFirst(situation).first.map { text($0, situation) }
        case .accept(let acceptance):
            guard let rule = outline.rule else { return nil }
            let count = acceptance.reported.count
            return text(rule, verdict, outline)
                + (count == 0 ? "" : "; \(count) reported without rejecting")
        }
    }

    /// What failed, with a long host cut: the line or the record above has it whole.
    private static func text(_ violation: Violation, _ situation: Situation) -> String {
        let sentence = violation.forEndUser(situation)
        let host = situation.host
        guard host.utf8.count > 64 else { return sentence }
        return sentence.replacing("`\(host)`", with: "`\(TextWrap.shortened(host, to: 40))`")
    }

    private static func text(
        _ rule: RuleStep, _ verdict: Verdict, _ outline: TraceOutline
    ) -> String {
        if outline.request?.tls == .cleartext {
            return "nobody has shown who answers, as there is no TLS; a waiver lets it pass"
        }
        if outline.decisive(for: verdict)?.path.end == .endEntityAlone {
            return "nobody that the rule trusts vouches for this certificate; a waiver lets it pass"
        }
        return "a path to \(Words.list(rule.anchors)) meets every enforced demand"
    }
}
