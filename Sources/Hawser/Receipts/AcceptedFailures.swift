import TrustEngine

/// The failures that an accept reports, told apart from those that nearly every accept has where a
/// service gets no revocation evidence.
struct AcceptedFailures {
    /// All failures, in the verdict's order.
    private let all: [Reported]
    /// For each failure, whether the preset `best-effort` lets it through.
    private let isBestEffort: [Bool]

    /// Sorts the failures of a verdict that the engine gave on the request; there are none of a
    /// reject.
    ///
    /// Cost: one look-up of the rule, where an accept has an unknown revocation status.
    init(_ verdict: Verdict, of request: TrustRequest, by engine: Engine) {
        guard case .accept(let acceptance) = verdict.outcome else {
            all = []
            isBestEffort = []
            return
        }
        all = acceptance.reported
        let neverReject = all.map { failure in
            guard case .revocationUndetermined = failure.violation.reason else { return false }
            return failure.reason == .reportOnly(until: nil)
        }
        // Under `require` the author of the policy chose an action `report`, so its failures are
        // reported.
        isBestEffort =
            neverReject.contains(true) && engine.isBestEffort(request)
            ? neverReject : all.map { _ in false }
    }

    /// The failures that a report has.
    func told(_ bestEffort: ViolationReport.BestEffort) -> [Reported] {
        switch bestEffort {
        case .reported: return all
        case .counted: return zip(all, isBestEffort).filter { !$0.1 }.map(\.0)
        }
    }

    /// The causes of the failures that `best-effort` lets through, each once.
    var undetermined: [RevocationCause] {
        var causes: [RevocationCause] = []
        for (failure, isBestEffort) in zip(all, isBestEffort) where isBestEffort {
            guard case .revocationUndetermined(_, let cause, _) = failure.violation.reason,
                !causes.contains(cause)
            else { continue }
            causes.append(cause)
        }
        return causes
    }
}

extension Engine {
    /// Whether the rule that decides a request has the revocation preset `best-effort`.
    fileprivate func isBestEffort(_ request: TrustRequest) -> Bool {
        guard let host = try? CanonicalHost(text: request.host) else { return false }
        let index =
            table.lookUp(host, port: request.port).map { Int($0.rule) } ?? table.ruleCount
        let rule = table.rule(at: index)
        return requirements(of: rule).revocation.preset == .bestEffort
    }
}
