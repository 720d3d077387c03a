import PolicyReading
package import TrustEngine

/// How soon a revocation takes effect on this machine, in words.
package enum GuaranteeSentences {
    /// The sentence for a rule: it holds whatever evidence is presented.
    static func rule(_ guarantee: RevocationGuarantee) -> String {
        switch guarantee {
        case .none(let cause):
            return "a revocation takes effect here only where evidence of it is at hand: "
                + "`\(cause.name)` does not reject"
        case .within(let seconds):
            return "a revocation takes effect here within \(Words.duration(seconds))"
        case .window:
            return "a revocation takes effect here when the evidence that says `good` has ended"
        }
    }

    /// The sentence for a rule as of an instant, whose waivers and report modes come first.
    package static func rule(_ body: RuleBody, at time: UTCInstant) -> String {
        if let waiver = body.waivers.first(where: {
            $0.tolerance == .revocation && $0.isInForce(at: time)
        }) {
            return waived(until: waiver.until.description)
        }
        if let mode = body.reportOnly.first(where: {
            $0.check == .revocation && DatedTerm.isInForce(until: $0.until, at: time)
        }) {
            return reported(until: mode.until.description)
        }
        return rule(body.requirements.revocation.guarantee)
    }

    private static func waived(until last: String) -> String {
        "a revocation takes no effect here until \(last)"
    }

    private static func reported(until last: String) -> String {
        "a revocation takes effect here only where evidence of it is at hand: "
            + "`report-only` until \(last)"
    }

    /// The sentence for an accept, by the evidence that the accept rests on. Nil where revocation
    /// was not asked about.
    static func accept(_ outline: TraceOutline, _ decisive: TraceOutline.Candidate) -> String? {
        guard let guarantee = outline.rule?.guarantee,
            let check = decisive.checks.first(where: { $0.check == .revocation }),
            check.outcome != .notAsked
        else { return nil }
        for demand in outline.demands(of: .revocation) {
            switch demand.enforcement {
            case .waived(let until, _): return waived(until: "\(until)")
            case .reported(let until?): return reported(until: "\(until)")
            case .reported(nil), .enforced: break
            }
        }
        guard case .passed(.revocation(let standings)?) = check.outcome else {
            return rule(guarantee)
        }
        if let brief = standings.first(where: { $0.finding == .shortLived }) {
            return "a revocation of \(Words.name(brief.certificate)), which is "
                + "short-lived, takes effect when it ends"
        }
        guard case .window = guarantee, let last = longest(standings) else {
            return rule(guarantee)
        }
        return
            "a revocation takes effect here within \(Words.duration(last.seconds)), "
            + "when \(EvidenceSentences.name(last.answer)) has ended"
    }

    /// Among the answers that say `good`, the answer with the longest window.
    private static func longest(
        _ standings: [RevocationStanding]
    ) -> (answer: RevocationAnswer, seconds: Int64)? {
        var longest: (answer: RevocationAnswer, seconds: Int64)?
        for standing in standings {
            guard case .good(let source) = standing.finding,
                let answer = standing.answers.first(where: {
                    $0.source == source && $0.finding == .good
                }), let begin = answer.thisUpdate
            else { continue }
            let end =
                answer.nextUpdate ?? begin.advanced(bySeconds: EvidenceWindow.withoutNextUpdate)
            let seconds = end.secondsSinceEpoch - begin.secondsSinceEpoch
            if seconds > longest?.seconds ?? -1 { longest = (answer, seconds) }
        }
        return longest
    }

    /// A guarantee as JSON.
    static func fields(_ guarantee: RevocationGuarantee) -> JSONValue {
        let head: JSONMembers
        switch guarantee {
        case .none(let cause):
            head = ["kind": "none", "cause": cause.name]
        case .within(let seconds):
            head = ["kind": "within", "seconds": seconds]
        case .window: head = ["kind": "window"]
        }
        return .object(head + ["summary": rule(guarantee)])
    }
}
