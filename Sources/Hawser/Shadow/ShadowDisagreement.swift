import Rendering
public import TrustEngine

/// How far a candidate's verdict must agree with the active verdict.
public enum ShadowLevel: Int, Hashable, Sendable, CaseIterable {
    /// Both policies accept, or both reject.
    case verdict
    /// Also, two rejects have the same violations, by their ids.
    case violations
    /// Also, two accepts report the same failures.
    case reported
}

/// A request on which the candidate disagrees with the active policy, with both explanations. The
/// active policy's verdict counted.
public struct ShadowDisagreement: Hashable, Sendable {
    /// How the two verdicts differ.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The active policy accepts and the candidate rejects.
        case stricter
        /// The active policy rejects and the candidate accepts.
        case weaker
        /// Both reject, for different violations.
        case violations
        /// Both accept, and report different failures.
        case reported

        /// How two verdicts differ, at a level; nil when they agree.
        init?(_ active: Verdict, _ candidate: Verdict, _ level: ShadowLevel) {
            switch (active.outcome, candidate.outcome) {
            case (.accept, .reject): self = .stricter
            case (.reject, .accept): self = .weaker
            case (.reject(let left), .reject(let right)):
                guard level != .verdict, Set(left.map(\.id)) != Set(right.map(\.id)) else {
                    return nil
                }
                self = .violations
            case (.accept, .accept):
                guard level == .reported, active.reportedIDs != candidate.reportedIDs else {
                    return nil
                }
                self = .reported
            }
        }
    }

    /// The name and version of the format.
    public static let schema = "hawser/disagreement/2"

    /// How the two verdicts differ.
    public let kind: Kind
    /// The id of the active policy's decision, as its receipt has it.
    public let id: DecisionID
    /// The request that both policies judged.
    public let request: TrustRequest
    /// The active policy's verdict, which counted, and its trace.
    public let active: Explanation
    /// The candidate's verdict and its trace.
    public let candidate: Explanation
    /// Who decides by the active policy.
    public let decider: Decider
    /// The active policy's table.
    public let table: DecisionReceipt.Table

    /// The disagreement as one line of JSON, without a line end. It begins with the members that
    /// receipts and reports begin with, in the same order, about the decision of the active policy:
    /// violations and reported failures have the members of a receipt's. Then follow `kind`, and
    /// `active` and `candidate` as `grammar/trace.schema.json` describes them. Text of strangers in
    /// it is escaped as JSON escapes it.
    public var json: String {
        let traced = TraceJSON(active)
        func recorded(_ violation: Violation) -> JSONValue {
            RecordedViolation(traced.violation(violation), withPlace: true).value
        }
        return RecordHead(
            schema: ShadowDisagreement.schema, id: id.text, time: request.time, decider: decider,
            host: .text(request.host), port: request.port, isAccept: active.verdict.isAccept,
            rule: TraceOutline(active.trace).decidingRule, table: table,
            violations: active.verdict.violations.map(recorded),
            reported: active.verdict.reported.map { $0.recorded(recorded($0.violation)) }
        ).line([
            ("kind", .string(kind.rawValue)), ("active", traced.value()),
            ("candidate", TraceJSON(candidate).value()),
        ])
    }
}

extension Verdict {
    /// The ids of the failures that an accept reports, with the reasons why they did not reject.
    fileprivate var reportedIDs: Set<String> {
        Set(reported.map { "\($0.violation.id) \($0.recordedReason.rawValue)" })
    }
}

/// The outcome of comparing a candidate with the active policy.
public struct ShadowCounters: Hashable, Sendable {
    /// Digest of the meaning of the active policy that was compared; nil before the first
    /// comparison.
    public internal(set) var activePolicy: Digest?
    /// Digest of the meaning of the candidate that was compared; nil before the first comparison.
    public internal(set) var candidatePolicy: Digest?
    /// Number of requests on which both policies agree.
    public internal(set) var agreements: UInt64 = 0
    /// Number of disagreements of each kind.
    public internal(set) var disagreements: [ShadowDisagreement.Kind: UInt64] = [:]
    /// Number of disagreements that were counted and that the sink was not told of.
    public internal(set) var overLimit: UInt64 = 0
    /// Number of requests that were not chosen for comparison, since the store was made.
    public internal(set) var passedOver: UInt64 = 0
    /// Number of requests without a candidate, since the store was made.
    public internal(set) var withoutCandidate: UInt64 = 0

    /// Number of requests that were compared.
    public var compared: UInt64 { agreements + disagreements.values.reduce(0, +) }

    /// Counts a comparison. The comparison counts of other policies are set back to zero.
    mutating func count(
        _ kind: ShadowDisagreement.Kind?, between active: Digest, and candidate: Digest
    ) {
        if activePolicy != active || candidatePolicy != candidate {
            activePolicy = active
            candidatePolicy = candidate
            agreements = 0
            disagreements = [:]
            overLimit = 0
        }
        guard let kind else {
            agreements += 1
            return
        }
        disagreements[kind, default: 0] += 1
    }
}

/// When a candidate has shown enough to replace the active policy. The gate does not replace it:
/// the program or an operator does.
public struct PromotionGate: Hashable, Sendable {
    /// Fewest requests that must have been compared; at least 1 counts.
    public var minimumCompared: UInt64
    /// Most disagreements of each kind. A kind that is not named may not occur.
    public var allowed: [ShadowDisagreement.Kind: UInt64]

    /// Makes a gate. By default no disagreement is allowed.
    public init(minimumCompared: UInt64, allowed: [ShadowDisagreement.Kind: UInt64] = [:]) {
        self.minimumCompared = minimumCompared
        self.allowed = allowed
    }

    /// Whether a candidate may pass. A candidate that was never compared may not.
    public func admits(_ counters: ShadowCounters) -> Bool {
        guard counters.compared >= max(1, minimumCompared) else { return false }
        return counters.disagreements.allSatisfy { $0.value <= allowed[$0.key] ?? 0 }
    }
}
