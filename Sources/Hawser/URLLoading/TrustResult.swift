public import TrustEngine

/// The eight results of Apple's `SecTrustEvaluate`, with the values of `SecTrustResultType`, for
/// code that branches on them. There are two verdicts here; what the results told apart stands in
/// the verdict's violations, and this is where it is read off.
public enum TrustResult: UInt32, Hashable, Sendable, CaseIterable {
    /// `kSecTrustResultInvalid`: nothing was presented that could be evaluated.
    case invalid = 0
    /// `kSecTrustResultProceed`: accepted, by what the policy itself brings or waives.
    case proceed = 1
    /// `kSecTrustResultConfirm`: never; nobody is asked at a handshake, and Apple no longer returns
    /// it.
    case confirm = 2
    /// `kSecTrustResultDeny`: the policy says no: `default: deny`, or a forbidden key.
    case deny = 3
    /// `kSecTrustResultUnspecified`: accepted through the machine's own store, as the system would.
    case unspecified = 4
    /// `kSecTrustResultRecoverableTrustFailure`: rejected, and a waiver could name each violation.
    /// Not an invitation: whoever carries on after it has switched the policy off.
    case recoverableTrustFailure = 5
    /// `kSecTrustResultFatalTrustFailure`: rejected, and no waiver names some violation.
    case fatalTrustFailure = 6
    /// `kSecTrustResultOtherError`: rejected, as the engine could not decide or its table is stale.
    case otherError = 7

    /// What a verdict would be called there.
    ///
    /// Of several violations the first of these decides: nothing to evaluate, no decision, the
    /// policy's own no, one that no waiver names.
    public init(_ verdict: Verdict) {
        switch verdict.outcome {
        case .accept(let acceptance): self = TrustResult.accepted(acceptance)
        case .reject(let violations): self = TrustResult.rejected(violations)
        }
    }

    /// Whether the verdict is an accept.
    public var isAccept: Bool { self == .proceed || self == .unspecified }

    /// The constant's name in Apple's headers.
    public var name: String {
        switch self {
        case .invalid: return "kSecTrustResultInvalid"
        case .proceed: return "kSecTrustResultProceed"
        case .confirm: return "kSecTrustResultConfirm"
        case .deny: return "kSecTrustResultDeny"
        case .unspecified: return "kSecTrustResultUnspecified"
        case .recoverableTrustFailure: return "kSecTrustResultRecoverableTrustFailure"
        case .fatalTrustFailure: return "kSecTrustResultFatalTrustFailure"
        case .otherError: return "kSecTrustResultOtherError"
        }
    }

    /// What a waiver lets through is the policy's own decision, whichever anchor it ends at.
    private static func accepted(_ acceptance: Acceptance) -> TrustResult {
        let isWaived = acceptance.reported.contains {
            if case .waived = $0.reason { return true }
            return false
        }
        guard !isWaived, acceptance.path.last?.origin == .anchor(set: "system") else {
            return .proceed
        }
        return .unspecified
    }

    private static func rejected(_ violations: [Violation]) -> TrustResult {
        var result = TrustResult.recoverableTrustFailure
        for violation in violations {
            switch violation.reason.kind.declaration.secTrust {
            case .invalid?: return .invalid
            case .otherError?: result = .otherError
            case .deny?:
                if result != .otherError { result = .deny }
            case nil:
                if violation.waiver == nil, result == .recoverableTrustFailure {
                    result = .fatalTrustFailure
                }
            }
        }
        // A reject has a violation; one that had none would be nothing to recover from.
        return violations.isEmpty ? .otherError : result
    }
}
