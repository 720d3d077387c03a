import Rendering
public import TrustEngine

/// How far a candidate's verdict has to agree with the active one.
public enum ShadowLevel: Int, Hashable, Sendable, CaseIterable {
    /// Both accept or both reject.
    case verdict
    /// Also for the same violations.
    case violations
    /// Also with the same failures reported of an accept.
    case reported
}

/// A request on which the candidate is of another mind, with both explanations. The verdict that
/// counted is the active one's.
public struct ShadowDisagreement: Hashable, Sendable {
    /// In what they differ.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The candidate rejects what is accepted.
        case stricter
        /// The candidate accepts what is rejected.
        case weaker
        /// Both reject, for other violations.
        case violations
        /// Both accept, and report other failures.
        case reported

        /// In what two verdicts differ, at a level; nil where they agree.
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
                guard level == .reported,
                    Set(active.reportedFailures) != Set(candidate.reportedFailures)
                else { return nil }
                self = .reported
            }
        }
    }

    /// In what they differ.
    public let kind: Kind
    /// What was asked.
    public let request: TrustRequest
    /// The verdict that counted, and its trace.
    public let active: Explanation
    /// What the candidate would have said, and its trace.
    public let candidate: Explanation

    /// Both explanations in one line of JSON without its end: `kind`, and `active` and `candidate`
    /// as `grammar/trace.schema.json` describes them. Text of strangers stands in it escaped as
    /// JSON escapes it.
    public var json: String {
        JSONValue.object([
            ("schema", .string("hawser/disagreement/1")), ("kind", .string(kind.rawValue)),
            ("active", TraceJSON(active).value()),
            ("candidate", TraceJSON(candidate).value()),
        ]).render(.compact)
    }
}

/// What came of comparing a candidate with the active policy.
public struct ShadowCounters: Hashable, Sendable {
    /// Digest of the active policy's meaning that these are about; nil before anything was
    /// compared.
    public internal(set) var activePolicy: Digest?
    /// Digest of the candidate's.
    public internal(set) var candidatePolicy: Digest?
    /// Requests on which both agree.
    public internal(set) var agreements: UInt64 = 0
    /// Disagreements, by their kind.
    public internal(set) var disagreements: [ShadowDisagreement.Kind: UInt64] = [:]
    /// Disagreements that were counted and not told.
    public internal(set) var overLimit: UInt64 = 0
    /// Requests that were not chosen for comparison, since the beginning.
    public internal(set) var passedOver: UInt64 = 0
    /// Requests for which there was no candidate, since the beginning.
    public internal(set) var withoutCandidate: UInt64 = 0

    /// Requests that were compared.
    public var compared: UInt64 { agreements + disagreements.values.reduce(0, +) }

    /// Counts a comparison; what was counted of other policies is forgotten.
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

/// When a candidate has shown enough to take the active policy's place. Who promotes it is the
/// program, or whoever reads this.
public struct PromotionGate: Hashable, Sendable {
    /// Fewest requests that must have been compared.
    public var minimumCompared: UInt64
    /// Most disagreements of each kind; a kind that is not named may not occur.
    public var allowed: [ShadowDisagreement.Kind: UInt64]

    /// A gate; by default no disagreement is allowed.
    public init(minimumCompared: UInt64, allowed: [ShadowDisagreement.Kind: UInt64] = [:]) {
        self.minimumCompared = minimumCompared
        self.allowed = allowed
    }

    /// Whether a candidate may pass. A candidate that was never compared never does.
    public func admits(_ counters: ShadowCounters) -> Bool {
        guard counters.compared >= max(1, minimumCompared) else { return false }
        return counters.disagreements.allSatisfy { $0.value <= allowed[$0.key] ?? 0 }
    }
}
