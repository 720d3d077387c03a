import TestPKI
import TrustEngine

/// What each of the hostile chains comes to, and what it costs.
public struct HostileCost: Sendable {
    /// The chain's.
    public let name: String
    /// `accept`, or the id of the first violation.
    public let outcome: String
    /// Cost units, as the trace tells them.
    public let units: Int
    /// Units that might be spent.
    public let limit: Int
    /// What `clock` measured over one evaluation.
    public let elapsed: Int64

    /// Judges every chain, each by an engine of its own. `clock` gives any count that rises: the
    /// command passes the process's CPU time, tests a constant.
    public static func all(clock: () -> Int64) throws -> [HostileCost] {
        try HostileChain.all().map { hostile in
            let engine = try EvaluationBody.engine(trusting: hostile.roots)
            let request = TrustRequest(
                host: hostile.host, port: 443, presentedChain: hostile.chain,
                time: Scenario.judgedAt, tls: .observed(TLSParameters(version: .tls13)),
                evidence: hostile.evidence)
            let start = clock()
            let verdict = engine.evaluate(request)
            let elapsed = clock() - start
            let explanation = engine.explain(request)
            require(explanation.verdict == verdict, "evaluate and explain agree")
            require(explanation.trace.replayedVerdict() == verdict, "the trace suffices")
            var units = 0
            for case .work(let work) in explanation.trace.steps { units = work.spent }
            return HostileCost(
                name: hostile.name,
                outcome: verdict.isAccept ? "accept" : verdict.violations.first?.id ?? "nothing",
                units: units, limit: engine.workLimit, elapsed: elapsed)
        }
    }
}
