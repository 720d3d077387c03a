import PolicyTools
import Rendering
package import TrustEngine

/// What one case came to.
package struct CaseResult: Sendable {
    package enum Verdict: String, Sendable, Codable {
        case accept
        case reject
        /// The engine cannot be asked what the case asks.
        case declined
    }

    package let vector: ConformanceCase
    package let verdict: Verdict
    /// Ids of the violations of a reject, why a case is declined; nil for an accept.
    package let reason: String?
    /// Ids of the violations of a reject, in their order.
    package let violations: [String]
    /// Ids of the demands in the notice of issuance of an accept, sorted, each once.
    package let breaches: [String]
    /// The certificates of the path of an accept, the end entity first.
    package let path: [CertificateReference]
    /// The violations in words.
    package let sentences: [String]
    /// CPU time of one evaluation, nanoseconds: only of `evaluate`, without the table and the
    /// request.
    package let nanoseconds: Int
    /// Cost units that it spent.
    package let cost: Int

    package init(
        vector: ConformanceCase, verdict: Verdict, reason: String?, violations: [String] = [],
        breaches: [String] = [], path: [CertificateReference] = [], sentences: [String] = [],
        nanoseconds: Int = 0, cost: Int = 0
    ) {
        self.vector = vector
        self.verdict = verdict
        self.reason = reason
        self.violations = violations
        self.breaches = breaches
        self.path = path
        self.sentences = sentences
        self.nanoseconds = nanoseconds
        self.cost = cost
    }

    /// What a verdict of the engine on a case says.
    package init(
        _ vector: ConformanceCase, _ verdict: TrustEngine.Verdict, nanoseconds: Int = 0,
        cost: Int = 0
    ) {
        let violations = verdict.violations.map(\.id)
        self.init(
            vector: vector, verdict: verdict.isAccept ? .accept : .reject,
            reason: verdict.isAccept ? nil : violations.joined(separator: ", "),
            violations: violations, breaches: verdict.breaches.sorted(),
            path: verdict.acceptance?.path ?? [], sentences: verdict.violations.map(\.headline),
            nanoseconds: nanoseconds, cost: cost)
    }

    /// Judges a case by the public entry point of services. `clock` is the thread's CPU time in
    /// nanoseconds.
    package static func of(
        _ vector: ConformanceCase, _ terms: CaseTerms = CaseTerms(), clock: () -> Int
    ) -> CaseResult {
        let prepared: PreparedCase
        do {
            prepared = try PreparedCase(vector, terms)
        } catch {
            return CaseResult(vector: vector, verdict: .declined, reason: "\(error)")
        }
        let start = clock()
        let verdict = prepared.engine.evaluate(prepared.request)
        let end = clock()
        // Again for its units: they are the same whatever keys are remembered.
        var meter = WorkMeter()
        let metered = Evaluator.run(
            engine: prepared.engine, request: prepared.request, into: &meter)
        guard metered == verdict else {
            return CaseResult(
                vector: vector, verdict: verdict.isAccept ? .reject : .accept,
                reason: "two evaluations of one request differ")
        }
        return CaseResult(
            vector, verdict, nanoseconds: end - start, cost: meter.work?.spent ?? 0)
    }

    /// What differs when another backend verifies the signatures: the verdict, a step of the trace,
    /// or the work. Nil where nothing differs.
    package static func difference(
        of vector: ConformanceCase, _ terms: CaseTerms, with crypto: any CryptoBackend
    ) -> String? {
        let prepared: PreparedCase
        let other: PreparedCase
        do {
            prepared = try PreparedCase(vector, terms)
        } catch {
            return nil
        }
        do {
            other = try PreparedCase(vector, terms, crypto: crypto)
        } catch {
            return "only the other backend declines: \(error)"
        }
        return prepared.explanation.difference(from: other.explanation)
    }

    /// The trace of a case as `hawser explain --trace` shows it; why it is declined, where it is.
    package static func explanation(
        of vector: ConformanceCase, _ terms: CaseTerms = CaseTerms()
    ) -> String {
        do {
            let prepared = try PreparedCase(vector, terms)
            return ExplainDocument.text(
                prepared.explanation, ExplainDocument.Options(detail: .everything))
        } catch {
            return "declined: \(error)\n"
        }
    }

    /// How a verdict differs from what the vector expects; nil where they agree.
    package var divergence: Divergence? {
        switch (verdict, vector.expected) {
        case (.accept, .success), (.reject, .failure): return nil
        case (.accept, .failure): return .falseAccept
        case (.reject, .success): return .falseReject
        case (.declined, _): return .declined
        }
    }
}

/// How a verdict can differ from what a vector expects.
package enum Divergence: String, Codable, Sendable, CaseIterable {
    case falseAccept = "false-accept"
    case falseReject = "false-reject"
    case declined
}

extension Verdict {
    /// The demands in the notice of issuance of an accept; none for a reject.
    fileprivate var breaches: Set<String> {
        guard case .accept(let acceptance) = outcome else { return [] }
        var demands: Set<String> = []
        for case .issuance(let breaches) in acceptance.notices {
            demands.formUnion(breaches.map(\.demand))
        }
        return demands
    }
}

/// Keeps what an evaluation spent and no other step.
private struct WorkMeter: TraceSink {
    static var keepsSteps: Bool { false }
    var work: WorkStep?

    mutating func record(_ step: @autoclosure () -> TraceStep) {
        if case .work(let step) = step() { work = step }
    }
}

extension Explanation {
    /// What another explanation of the same request says otherwise; nil where both are the same.
    package func difference(from other: Explanation) -> String? {
        guard verdict == other.verdict else {
            let words = [self, other].map {
                $0.verdict.isAccept
                    ? "accept" : $0.verdict.violations.map(\.id).joined(separator: ", ")
            }
            return "\(words[0]); with the other backend \(words[1])"
        }
        guard trace == other.trace else { return "one verdict, and another trace or work" }
        return nil
    }
}
