// Made by `swift run generate-tables` from grammar/violations.yaml. Do not edit.
// swift-format-ignore-file

/// A check that the path validator makes for a candidate path.
package enum PathCheck: Hashable, Sendable, CaseIterable {
    /// Every signature from the end entity to the anchor verifies (section 6.1.3(a)(1)).
    case signatures
    /// The two signature algorithm identifiers of each certificate are equal (section 4.1.1.2).
    case algorithmAgreement
    /// Each certificate is valid at the validation time (section 6.1.3(a)(2)).
    case validity
    /// Each issuer is a CA (section 6.1.4(k)).
    case basicConstraints
    /// The path keeps every path length constraint and the policy's maximum of intermediates
    /// (section 6.1.4(l), (m)).
    case pathLength
    /// The key usage of each issuer and of the end entity has the bits that are needed (section
    /// 6.1.4(n), 4.2.1.3).
    case keyUsage
    /// At least one demanded key purpose is allowed along the whole path (section 4.2.1.12).
    case extendedKeyUsage
    /// The names of the certificates meet the name constraints of the issuers (section 6.1.3(b),
    /// (c)).
    case nameConstraints
    /// The path satisfies the demanded certificate policies and the policy constraints of its
    /// certificates (section 6.1.3(d)-(f), 6.1.5(g)).
    case certificatePolicies
    /// No certificate has a critical extension that the engine does not process (section 6.1.4(o),
    /// 6.1.5(f)).
    case criticalExtensions
    /// The type and size of each key is allowed by the policy (`keys`).
    case keys
    /// The hash and scheme of each signature is allowed by the policy (`signatures`).
    case signatureAlgorithms
    /// The end entity's lifetime is not longer than the policy's maximum
    /// (`validity.maximum-lifetime`).
    case lifetime
    /// The certificates meet the demands that the anchor's standard adds to path validation.
    case standard
}
