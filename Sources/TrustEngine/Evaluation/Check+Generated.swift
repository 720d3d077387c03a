// Made by `swift run generate-tables` from grammar/violations.yaml. Do not edit.
// swift-format-ignore-file

/// One thing that evaluation checks: the unit in which demands are listed, outcomes
/// are traced and waivers are written. The raw value is the stable name in traces.
public enum Check: String, Hashable, Sendable, CaseIterable {
    /// The host is a name or an address (LANGUAGE section 12.9).
    case host
    /// The table is fresh; asked only where it can be stale.
    case freshness
    /// A rule or `default` decides this host.
    case rule
    /// The connection is one of TLS; asked only of a request that says it is not.
    case cleartext
    /// The first certificate presented can be read.
    case endEntity = "end-entity"
    /// TLS parameters meet the rule (LANGUAGE section 12.3).
    case tls
    /// The evidence handed over is of a kind that this engine judges.
    case evidence
    /// The path ends at an anchor of the rule (RFC 5280 section 6.1.1(d)).
    case anchor
    /// The end entity is what the anchor's set lets its members vouch for (LANGUAGE section 5).
    case anchorConstraints = "anchor-constraints"
    /// Every signature from the end entity to the anchor verifies (section 6.1.3(a)(1)).
    case signatures
    /// Inner and outer algorithm identifiers agree (section 4.1.1.2).
    case algorithmAgreement = "algorithm-agreement"
    /// Each certificate is valid at the validation time (section 6.1.3(a)(2)).
    case validity
    /// Each issuer is a CA (section 6.1.4(k)).
    case basicConstraints = "basic-constraints"
    /// Path length constraints and the policy's own limit (section 6.1.4(l), (m)).
    case pathLength = "path-length"
    /// Key usage of issuers and of the end entity (section 6.1.4(n), 4.2.1.3).
    case keyUsage = "key-usage"
    /// One demanded purpose is allowed along the whole path (section 4.2.1.12).
    case extendedKeyUsage = "extended-key-usage"
    /// Name constraints (section 6.1.3(b), (c)).
    case nameConstraints = "name-constraints"
    /// Certificate policies (section 6.1.3(d)-(f), 6.1.5(g)).
    case certificatePolicies = "certificate-policies"
    /// No critical extension is unknown (section 6.1.4(o), 6.1.5(f)).
    case criticalExtensions = "critical-extensions"
    /// Key types and sizes (`keys`).
    case keys
    /// Signature hashes and schemes (`signatures`).
    case signatureAlgorithms = "signature-algorithms"
    /// The end entity's lifetime (`validity.maximum-lifetime`).
    case lifetime
    /// What the anchor's standard adds to RFC 5280.
    case standard
    /// No certificate of the path holds a key of `forbidden-keys`.
    case forbiddenKeys = "forbidden-keys"
    /// Service identity (RFC 9525).
    case identity
    /// Pin sets.
    case pins
    /// What the program checks under the names of `checks`.
    case checks
    /// Signed certificate timestamps (RFC 6962).
    case transparency
    /// Revocation status.
    case revocation
}

extension Check {
    /// Whether the check is asked of each candidate path, and not once of the request.
    public var isAskedOfPaths: Bool {
        switch self {
        case .host, .freshness, .rule, .cleartext, .endEntity, .tls, .evidence: return false
        case .anchor, .anchorConstraints, .signatures, .algorithmAgreement, .validity, .basicConstraints, .pathLength, .keyUsage, .extendedKeyUsage, .nameConstraints, .certificatePolicies, .criticalExtensions, .keys, .signatureAlgorithms, .lifetime, .standard, .forbiddenKeys, .identity, .pins, .checks, .transparency, .revocation: return true
        }
    }

    /// Whether the check is about evidence, and so asked only where signatures lead to
    /// an anchor.
    var restsOnSignatures: Bool {
        switch self {
        case .transparency, .revocation: return true
        case .host, .freshness, .rule, .cleartext, .endEntity, .tls, .evidence, .anchor, .anchorConstraints, .signatures, .algorithmAgreement, .validity, .basicConstraints, .pathLength, .keyUsage, .extendedKeyUsage, .nameConstraints, .certificatePolicies, .criticalExtensions, .keys, .signatureAlgorithms, .lifetime, .standard, .forbiddenKeys, .identity, .pins, .checks: return false
        }
    }
}

/// A check that is asked of every candidate path: one of the path validator's, or one
/// of evaluation.
enum CandidateCheck: Hashable, Sendable {
    /// The path validator's.
    case validator(PathCheck)
    /// The path ends at an anchor of the rule (RFC 5280 section 6.1.1(d)).
    case anchor
    /// The end entity is what the anchor's set lets its members vouch for (LANGUAGE section 5).
    case anchorConstraints
    /// No certificate of the path holds a key of `forbidden-keys`.
    case forbiddenKeys
    /// Service identity (RFC 9525).
    case identity
    /// Pin sets.
    case pins
    /// What the program checks under the names of `checks`.
    case checks
    /// Signed certificate timestamps (RFC 6962).
    case transparency
    /// Revocation status.
    case revocation

    /// The check as traces name it.
    var check: Check {
        switch self {
        case .validator(let check): return check.check
        case .anchor: return .anchor
        case .anchorConstraints: return .anchorConstraints
        case .forbiddenKeys: return .forbiddenKeys
        case .identity: return .identity
        case .pins: return .pins
        case .checks: return .checks
        case .transparency: return .transparency
        case .revocation: return .revocation
        }
    }
}

extension PathCheck {
    /// The check as traces name it.
    package var check: Check {
        switch self {
        case .signatures: return .signatures
        case .algorithmAgreement: return .algorithmAgreement
        case .validity: return .validity
        case .basicConstraints: return .basicConstraints
        case .pathLength: return .pathLength
        case .keyUsage: return .keyUsage
        case .extendedKeyUsage: return .extendedKeyUsage
        case .nameConstraints: return .nameConstraints
        case .certificatePolicies: return .certificatePolicies
        case .criticalExtensions: return .criticalExtensions
        case .keys: return .keys
        case .signatureAlgorithms: return .signatureAlgorithms
        case .lifetime: return .lifetime
        case .standard: return .standard
        }
    }
}
