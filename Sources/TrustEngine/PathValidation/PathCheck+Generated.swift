// Made by `swift run generate-tables` from grammar/violations.yaml. Do not edit.
// swift-format-ignore-file

/// One thing that the path validator checks of a candidate path.
package enum PathCheck: Hashable, Sendable, CaseIterable {
    /// Every signature from the end entity to the anchor verifies (section 6.1.3(a)(1)).
    case signatures
    /// Inner and outer algorithm identifiers agree (section 4.1.1.2).
    case algorithmAgreement
    /// Each certificate is valid at the validation time (section 6.1.3(a)(2)).
    case validity
    /// Each issuer is a CA (section 6.1.4(k)).
    case basicConstraints
    /// Path length constraints and the policy's own limit (section 6.1.4(l), (m)).
    case pathLength
    /// Key usage of issuers and of the end entity (section 6.1.4(n), 4.2.1.3).
    case keyUsage
    /// One demanded purpose is allowed along the whole path (section 4.2.1.12).
    case extendedKeyUsage
    /// Name constraints (section 6.1.3(b), (c)).
    case nameConstraints
    /// Certificate policies (section 6.1.3(d)-(f), 6.1.5(g)).
    case certificatePolicies
    /// No critical extension is unknown (section 6.1.4(o), 6.1.5(f)).
    case criticalExtensions
    /// Key types and sizes (`keys`).
    case keys
    /// Signature hashes and schemes (`signatures`).
    case signatureAlgorithms
    /// The end entity's lifetime (`validity.maximum-lifetime`).
    case lifetime
    /// What the anchor's standard adds to RFC 5280.
    case standard
}
