import LibCrypto
public import TestPKI
import TrustEngine

/// The outcome and the cost of a hostile chain.
public struct HostileCost: Sendable {
    /// The chain's.
    public let name: String
    /// `accept`, or the id of the first violation.
    public let outcome: String
    /// Cost units, by the trace.
    public let units: Int
    /// Units that might be spent.
    public let limit: Int
    /// The count of `clock` over one evaluation.
    public let elapsed: Int64
    /// The count of `clock` over one evaluation with a trace.
    public let elapsedExplaining: Int64
    /// Nil, or the promise that the evaluation broke.
    public let fault: String?

    /// Judges every chain, each with a new engine. `clock` gives any count that rises: the
    /// benchmark passes the process's CPU time, tests a constant.
    public static func all(
        where isWanted: (String) -> Bool = { _ in true }, clock: () -> Int64
    ) throws -> [HostileCost] {
        try HostileChain.recipes.compactMap { mint in
            let hostile = mint()
            return isWanted(hostile.name) ? try of(hostile, clock: clock) : nil
        }
    }

    /// Judges a chain, as `all` does.
    public static func of(_ hostile: HostileChain, clock: () -> Int64) throws -> HostileCost {
        let engine = try Engine(trusting: hostile.roots, crypto: LibCryptoBackend())
        let request = TrustRequest(
            host: hostile.host, port: 443, presentedChain: hostile.chain,
            time: Scenario.judgedAt, tls: .observed(TLSParameters(version: .tls13)),
            evidence: hostile.evidence)
        let start = clock()
        let verdict = engine.evaluate(request)
        let elapsed = clock() - start
        let restart = clock()
        let explanation = engine.explain(request)
        let elapsedExplaining = clock() - restart
        var units = 0
        for case .work(let work) in explanation.trace.steps { units = work.spent }
        var fault: String?
        if explanation.verdict != verdict { fault = "evaluate and explain disagree" }
        if explanation.trace.replayedVerdict() != verdict { fault = "the trace does not suffice" }
        return HostileCost(
            name: hostile.name,
            outcome: verdict.isAccept ? "accept" : verdict.violations.first?.id ?? "nothing",
            units: units, limit: engine.workLimit, elapsed: elapsed,
            elapsedExplaining: elapsedExplaining, fault: fault)
    }
}
