import Foundation
import LibCrypto
import PolicyCompiler
import Testing
import TrustEngine

/// Nothing that was changed on the way is accepted.
@Suite struct TamperedChainTests {
    /// Every bit of every certificate on an accepted path that the peer presented: flipped, it is
    /// never accepted. One recipe with small keys, all its bits.
    @Test func noFlippedBitOfAnAcceptedPathIsAccepted() throws {
        let recipe = try #require(Recipe.all.first { $0.name == "anchors-only" })
        let table = try #require(try recipe.compile().table)
        let entry = try #require(
            recipe.cases.first { $0.folder.lastPathComponent == "inside-corp" })
        let wanted = try entry.request()
        let engine = try Engine(
            table: table, inputs: entry.inputs(wanted), crypto: LibCryptoBackend())
        let request = try entry.trustRequest(wanted)
        #expect(engine.evaluate(request).isAccept)
        guard case .accept(let acceptance) = engine.evaluate(request).outcome else { return }
        let presented = acceptance.path.compactMap { certificate -> Int? in
            if case .presented(let index) = certificate.origin { return index }
            return nil
        }
        #expect(presented.count >= 2)
        var tried = 0
        for index in presented {
            for bit in 0..<request.presentedChain[index].count * 8 {
                var tampered = request
                tampered.presentedChain[index][bit / 8] ^= 1 << UInt8(bit % 8)
                if engine.evaluate(tampered).isAccept {
                    Issue.record("accepted with bit \(bit) of certificate \(index) flipped")
                }
                tried += 1
            }
        }
        #expect(tried > 5_000)
    }

    /// Dropping or changing a step that the verdict rests on changes what the trace replays to.
    @Test(arguments: Recipe.all)
    func noDecidingStepCanBeDroppedOrFlipped(_ recipe: Recipe) throws {
        let table = try #require(try recipe.compile().table)
        for entry in recipe.cases {
            let wanted = try entry.request()
            let engine = try Engine(
                table: table, inputs: entry.inputs(wanted), crypto: LibCryptoBackend())
            let explanation = try engine.explain(entry.trustRequest(wanted))
            let steps = explanation.trace.steps
            for (index, step) in steps.enumerated() where decides(step, in: explanation) {
                var dropped = steps
                dropped.remove(at: index)
                #expect(
                    Trace(steps: dropped).replayedVerdict() != explanation.verdict,
                    "\(entry.name): dropped \(step)")
                // What passed on a rejected path decides nothing where another path fails the same
                // way.
                for flipped in flips(of: step)
                where explanation.verdict.isAccept || fails(step) || isRequests(step) {
                    var changed = steps
                    changed[index] = flipped
                    #expect(
                        Trace(steps: changed).replayedVerdict() != explanation.verdict,
                        "\(entry.name): flipped \(step)")
                }
            }
        }
    }

    /// Whether the verdict rests on a step: all of an accept's own path, all of the request's own
    /// checks, and of a reject every check of the best-ranked path that failed.
    private func decides(_ step: TraceStep, in explanation: Explanation) -> Bool {
        switch step {
        case .engine, .request, .search, .demand: return true
        case .rule: return explanation.trace.steps.contains { $0.id == "path" }
        case .pattern(let step):
            return step.outcome == .selected
                && explanation.trace.steps.contains { $0.id == "path" }
        case .certificate, .presentedKey, .issuerAddresses, .misplacedEndEntity, .work: return false
        case .path(let step): return step.number == decidingPath(explanation)
        case .check(let step): return step.path == 0 || step.path == decidingPath(explanation)
        }
    }

    private func decidingPath(_ explanation: Explanation) -> Int? {
        let paths = explanation.trace.steps.compactMap { step -> PathStep? in
            if case .path(let path) = step { return path }
            return nil
        }
        switch explanation.verdict.outcome {
        case .accept(let acceptance):
            return paths.first { $0.certificates == acceptance.path }?.number
        case .reject(let violations):
            for path in paths {
                let failed = explanation.trace.steps.flatMap { step -> [Violation] in
                    if case .check(let check) = step, check.path == path.number,
                        case .failed(let found) = check.outcome
                    {
                        return found
                    }
                    return []
                }
                if failed == violations { return path.number }
            }
            return nil
        }
    }

    private func fails(_ step: TraceStep) -> Bool {
        if case .check(let check) = step, case .failed = check.outcome { return true }
        return false
    }

    private func isRequests(_ step: TraceStep) -> Bool {
        if case .check(let check) = step { return check.path == 0 }
        return false
    }

    private func flips(of step: TraceStep) -> [TraceStep] {
        guard case .check(let check) = step else { return [] }
        let outcome: CheckStep.Outcome
        switch check.outcome {
        case .passed, .tolerated: outcome = .failed([.engineError("flipped")])
        case .failed, .notAsked: outcome = .passed(nil)
        }
        return [
            .check(
                CheckStep(
                    path: check.path, check: check.check, outcome: outcome, notices: check.notices))
        ]
    }
}
