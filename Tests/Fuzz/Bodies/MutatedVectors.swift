import ConformanceCases
import Dispatch
import Synchronization
import TestPKI
public import TrustEngine

/// Public vectors with a few octets changed, each judged as the vector it comes from: no crash,
/// evaluation, explanation and replay agree, and nothing is accepted whose signatures libcrypto
/// does not verify. Every mutation is judged under `path.issuance: enforce` and under the default,
/// and only demands of issuance make a difference (`ComparedResult`).
public enum MutatedVectors {
    /// What a run came to.
    public struct Tally: Sendable {
        /// Mutations judged.
        public var judged = 0
        /// Mutations accepted.
        public var accepted = 0
        /// What did not hold, with the vector and the number of the mutation.
        public var findings: [String] = []

        /// Nothing yet.
        public init() {}
    }

    /// A vector, ready to be mutated.
    private struct Seed: Sendable {
        let vector: ConformanceCase
        let enforced: PreparedCase
        let reported: PreparedCase
        /// The engines of `enforced` and `reported` with the second backend.
        let second: (enforced: Engine, reported: Engine)?
        /// Whether one evaluation of it takes milliseconds.
        let isCostly: Bool
    }

    /// Judges `count` mutations of the vectors at paths, on `threads` threads. Number n of a seed
    /// is the same mutation in every run. Verdict, trace and work must be the same with `second`.
    public static func run(
        _ paths: [String], count: Int, seed: UInt64, threads: Int,
        second: (any CryptoBackend)? = nil
    ) throws -> Tally {
        let vectors = try seeds(at: paths, second: second)
        let total = Mutex(Tally())
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            var tally = Tally()
            for number in stride(from: thread, to: count, by: threads) {
                judge(number, seed, vectors, &tally)
            }
            total.withLock { sum in
                sum.judged += tally.judged
                sum.accepted += tally.accepted
                sum.findings += tally.findings
            }
        }
        return total.withLock { $0 }
    }

    private static func seeds(
        at paths: [String], second: (any CryptoBackend)?
    ) throws -> [Seed] {
        var seeds: [Seed] = []
        for file in try CaseReader.files(at: paths) {
            try CaseReader.read(file) { vector in
                let cost = CaseResult.of(vector, clock: { 0 }).cost
                let terms = CaseTerms(issuance: .report)
                seeds.append(
                    Seed(
                        vector: vector, enforced: try PreparedCase(vector),
                        reported: try PreparedCase(vector, terms),
                        second: try second.map {
                            (
                                try PreparedCase(vector, crypto: $0).engine,
                                try PreparedCase(vector, terms, crypto: $0).engine
                            )
                        },
                        isCostly: cost > 4_000))
            }
        }
        return seeds
    }

    private static func judge(
        _ number: Int, _ seed: UInt64, _ vectors: [Seed], _ tally: inout Tally
    ) {
        guard !vectors.isEmpty else { return }
        var random = SplitMix(state: seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
        var vector = vectors[random.below(vectors.count)]
        // Those that cost milliseconds whatever is changed would take most of a run's time.
        if vector.isCostly, random.below(20) != 0 { vector = vectors[random.below(vectors.count)] }
        var request = vector.enforced.request
        for _ in 0...random.below(3) { mutate(&request, &random) }
        // An explanation and its replay cost much, so each mutation is explained under one of the
        // two.
        let isEnforced = number % 2 == 0
        let explained = isEnforced ? vector.enforced : vector.reported
        let judged = EvaluationBody.judge(request, explained.engine)
        tally.judged += 1
        if judged.isAccept { tally.accepted += 1 }
        let second = vector.second.flatMap {
            explained.engine.explain(request).difference(
                from: (isEnforced ? $0.enforced : $0.reported).explain(request))
        }
        if let broken = judged.broken ?? difference(request, vector) ?? second {
            tally.findings.append(
                "mutation \(number) of \(vector.vector.id): does not hold: \(broken)")
        }
    }

    /// The fault in the difference between `enforce` and the default; nil where issuance explains
    /// it.
    private static func difference(_ request: TrustRequest, _ seed: Seed) -> String? {
        let compared = ComparedResult.compare { issuance in
            switch issuance {
            case .enforce: return CaseResult(seed.vector, seed.enforced.engine.evaluate(request))
            case .report: return CaseResult(seed.vector, seed.reported.engine.evaluate(request))
            case .enforceUnlessWaived:
                do {
                    let terms = CaseTerms(issuance: issuance)
                    let waived = try PreparedCase(seed.vector, terms)
                    return CaseResult(seed.vector, waived.engine.evaluate(request))
                } catch {
                    return CaseResult(vector: seed.vector, verdict: .declined, reason: "\(error)")
                }
            }
        }
        guard compared.relation == .unexplained else { return nil }
        return "\(compared.enforced.outcome) under enforce, \(compared.reported.outcome) under the "
            + "defaults, and issuance alone does not explain it"
    }

    /// Changes one certificate or one piece of evidence; the end entity as often as all others.
    private static func mutate(_ request: inout TrustRequest, _ random: inout SplitMix) {
        let chain = request.presentedChain.count
        let lists = request.evidence.crls.count
        let all = chain + lists + request.evidence.ocspResponses.count
        let place = random.below(2) == 0 ? 0 : random.below(all)
        if place < chain {
            random.change(&request.presentedChain[place])
        } else if place < chain + lists {
            random.change(&request.evidence.crls[place - chain])
        } else {
            random.change(&request.evidence.ocspResponses[place - chain - lists])
        }
    }
}
