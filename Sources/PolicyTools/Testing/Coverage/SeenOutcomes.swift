import TrustEngine

/// The checks that one verdict shows to pass or to reject.
struct SeenOutcomes {
    /// The checks that an accept met, of the request and of the accepted path. A failure that a
    /// waiver or `report-only` lets through is not among them, but for the waiver of `cleartext`:
    /// without TLS, the waiver is all that can be met.
    private(set) var passed: Set<Check> = []
    /// The checks that a reject failed by.
    private(set) var refused: Set<Check> = []

    init(_ explanation: Explanation) {
        switch explanation.verdict.outcome {
        case .reject(let violations):
            refused = Set(violations.map(\.check))
        case .accept(let acceptance):
            let accepted = SeenOutcomes.number(of: acceptance, explanation.trace)
            for case .check(let step) in explanation.trace.steps
            where step.path == 0 || step.path == accepted {
                switch step.outcome {
                case .passed: passed.insert(step.check)
                case .tolerated: if step.check == .cleartext { passed.insert(.cleartext) }
                case .failed, .notAsked: break
                }
            }
        }
    }

    /// The number of the accepted path; nil where no path was searched for.
    private static func number(of acceptance: Acceptance, _ trace: Trace) -> Int? {
        for case .search(let step) in trace.steps {
            if case .satisfied(let path) = step.end { return path }
        }
        for case .path(let step) in trace.steps where step.certificates == acceptance.path {
            return step.number
        }
        return nil
    }
}
