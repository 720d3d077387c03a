public import TrustEngine

/// The eight results of Apple's `SecTrustEvaluate`, with the values of `SecTrustResultType`, for
/// code that branches on them. Hawser has two verdicts. The result is read off the verdict's
/// violations.
public enum TrustResult: UInt32, Hashable, Sendable, CaseIterable {
    /// `kSecTrustResultInvalid`: the peer presented nothing that could be evaluated.
    case invalid = 0
    /// `kSecTrustResultProceed`: accepted, by the policy's own anchors or by a waiver.
    case proceed = 1
    /// `kSecTrustResultConfirm`: never a result here. Nobody is asked at a handshake, and Apple no
    /// longer returns it.
    case confirm = 2
    /// `kSecTrustResultDeny`: the policy itself refuses, by `default: deny` or a forbidden key.
    case deny = 3
    /// `kSecTrustResultUnspecified`: accepted through the machine's own store, without a waiver.
    case unspecified = 4
    /// `kSecTrustResultRecoverableTrustFailure`: rejected, and each violation could be named by a
    /// waiver. A program that carries on after this result has switched off the policy.
    case recoverableTrustFailure = 5
    /// `kSecTrustResultFatalTrustFailure`: rejected, and at least one violation cannot be named by
    /// a waiver.
    case fatalTrustFailure = 6
    /// `kSecTrustResultOtherError`: rejected, because the engine could not decide or its table is
    /// stale.
    case otherError = 7

    /// The result that a verdict stands for.
    ///
    /// With several violations, the first of these that applies decides: `invalid`, `otherError`,
    /// `deny`, `fatalTrustFailure`.
    public init(_ verdict: Verdict) {
        switch verdict.outcome {
        case .accept(let acceptance): self = TrustResult.accepted(acceptance)
        case .reject(let violations): self = TrustResult.rejected(violations)
        }
    }

    /// Whether the verdict is an accept.
    public var isAccept: Bool { self == .proceed || self == .unspecified }

    /// The name of the constant in Apple's headers.
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

    /// An accept by a waiver is the policy's own decision, whichever anchor its path ends at.
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
        // A reject always has a violation. Without one, nothing could be recovered from.
        return violations.isEmpty ? .otherError : result
    }
}
