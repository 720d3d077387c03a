import Hawser
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// A request, and what was assumed for it.
struct AskedRequest {
    var request: TrustRequest
    let engine: Engine
    /// The requirements of the rule that decides the host; nil if none does.
    let rule: Requirements?
    /// Sentences for the reader.
    var assumptions: [String]
    /// The policy's text, for proving repairs; nil where a table was given.
    let rewriting: Rewriting?

    /// Explains the verdict on the request, which gets the replies of filters that the verdict
    /// rests on.
    mutating func explain() -> Explanation {
        let explanation: Explanation
        (explanation, request) = engine.explainRecording(request)
        return explanation
    }

    /// Reports that the verdict rests on CRLs that were prepared; nil where a program that prepares
    /// none gets the same verdict. Cost: an evaluation, where CRLs are prepared.
    func preparation(of verdict: Verdict) -> String? {
        guard let unprepared = request.withCRLsUnprepared else { return nil }
        let other = engine.evaluate(unprepared)
        guard other.isAccept != verdict.isAccept,
            let reason = other.violations.first(where: \.isOfWork)
        else { return nil }
        return
            "prepared the CRLs before the verdict (`PreparedEvidence`, `hawser_evidence_prepare`); "
            + "a program that hands over their octets with each request gets `\(reason.id)`"
    }
}

/// A policy whose text is at hand, and a way to judge by the same policy with other text.
struct Rewriting {
    let unit: PolicyUnit
    /// Makes an engine for another table, with the inputs of the engine that judges.
    let load: (PolicyTable) -> Engine?

    /// The repairs for the explanation of a reject, those that were proven among them.
    func repairs(
        _ explanation: Explanation, _ asked: AskedRequest, isPresent: Bool
    ) -> [Repair] {
        RepairProof(unit, asked.engine, asked.request, load: load)
            .repairs(explanation, isPresent: isPresent)
    }
}
