package import TrustEngine

/// A trace sorted for reading: the same steps, grouped by the path, the rule or the request that
/// they belong to. Nothing is judged here.
package struct TraceOutline: Sendable {
    /// A candidate path with the checks that were made on it.
    package struct Candidate: Sendable {
        package let path: PathStep
        package var checks: [CheckStep]

        /// The violations of the checks that failed, without tolerated failures.
        package var failures: [Violation] {
            checks.flatMap { check -> [Violation] in
                if case .failed(let violations) = check.outcome { return violations }
                return []
            }
        }
    }

    package private(set) var engine: EngineStep?
    package private(set) var request: RequestStep?
    /// The patterns that were compared, the winner first.
    package private(set) var patterns: [PatternStep] = []
    package private(set) var rule: RuleStep?
    package private(set) var certificates: [CertificateStep] = []
    package private(set) var demands: [DemandStep] = []
    /// The checks of the request itself.
    package private(set) var requestChecks: [CheckStep] = []
    /// The candidate paths, in the order in which they were tried.
    package private(set) var candidates: [Candidate] = []
    package private(set) var search: SearchStep?
    package private(set) var work: WorkStep?

    /// Sorts the steps of a trace.
    package init(_ trace: Trace) {
        for step in trace.steps {
            switch step {
            case .engine(let step): engine = step
            case .request(let step): request = step
            case .pattern(let step): patterns.append(step)
            case .rule(let step): rule = step
            case .certificate(let step): certificates.append(step)
            case .presentedKey, .issuerAddresses, .misplacedEndEntity: continue
            case .demand(let step): demands.append(step)
            case .path(let step): candidates.append(Candidate(path: step, checks: []))
            case .check(let step): add(step)
            case .search(let step): search = step
            case .work(let step): work = step
            }
        }
    }

    /// The path that a verdict rests on. Of an accept it is the accepted path; of a reject it is
    /// the first path whose violations the verdict carries.
    package func decisive(for verdict: Verdict) -> Candidate? {
        if case .satisfied(let number) = search?.end,
            let accepted = candidates.first(where: { $0.path.number == number })
        {
            return accepted
        }
        if case .accept(let acceptance) = verdict.outcome {
            return candidates.first { $0.path.certificates == acceptance.path }
        }
        let violations = verdict.violations
        return candidates.first { candidate in
            let failures = candidate.failures
            return !failures.isEmpty && failures.allSatisfy(violations.contains)
        }
    }

    /// The demands that a check answers.
    package func demands(of check: Check) -> [DemandStep] {
        demands.filter { $0.check == check }
    }

    private mutating func add(_ check: CheckStep) {
        if check.path != 0,
            let index = candidates.lastIndex(where: { $0.path.number == check.path })
        {
            candidates[index].checks.append(check)
        } else {
            requestChecks.append(check)
        }
    }
}
