/// What `grammar/violations.yaml` declares of a violation beside its fields.
package struct ViolationDeclaration: Hashable, Sendable {
    /// The keys under `waivers` (LANGUAGE section 10).
    package enum WaiverKey: String, Hashable, Sendable, CaseIterable {
        case identity, path, expired, revocation, pins, transparency, tls, keys, issuance,
            signatures
        case cleartext
    }

    /// A result of Apple's `SecTrustEvaluate` that a violation decides by itself.
    package enum SecTrustResult: Hashable, Sendable {
        case invalid, deny, otherError
    }

    /// The check that it belongs to.
    package let check: Check
    /// Whose fault it most often is.
    package let side: Violation.Side
    /// The waiver that could name it; nil where none could.
    package let waiver: WaiverKey?
    /// The result that it decides; nil where that depends on the waiver.
    package let secTrust: SecTrustResult?
    /// Whether evidence that was not at hand could undo it.
    package let isMissingEvidence: Bool
    /// Whether another path may be better, and is searched for even where a rule only reports the
    /// violation.
    package let hasBetterPath: Bool

    init(
        check: Check, side: Violation.Side, waiver: WaiverKey? = nil,
        secTrust: SecTrustResult? = nil, isMissingEvidence: Bool = false, hasBetterPath: Bool = true
    ) {
        self.check = check
        self.side = side
        self.waiver = waiver
        self.secTrust = secTrust
        self.isMissingEvidence = isMissingEvidence
        self.hasBetterPath = hasBetterPath
    }
}
