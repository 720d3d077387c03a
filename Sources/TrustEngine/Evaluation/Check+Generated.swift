// Made by `swift run generate-tables` from grammar/violations.yaml. Do not edit.
// swift-format-ignore-file

/// A check of evaluation: a condition on the request or on a candidate path.
/// Demands are listed, outcomes are traced and waivers are written for a check. The
/// raw value is the stable name in traces.
public enum Check: String, Hashable, Sendable, CaseIterable {
    /// The host is a DNS name or an IP address (LANGUAGE section 12.9).
    case host
    /// The policy table is fresh. The check is made only when the program limits the time for which
    /// a table is fresh.
    case freshness
    /// A rule or `default` decides this host.
    case rule
    /// The connection has TLS. The check is made only when the request says that the connection has
    /// no TLS.
    case cleartext
    /// The first certificate presented can be read.
    case endEntity = "end-entity"
    /// The TLS parameters of the connection meet the rule (LANGUAGE section 12.3).
    case tls
    /// The revocation evidence of the request is read within the work budget.
    case evidence
    /// The path ends at a trust anchor of the rule (RFC 5280 section 6.1.1(d)).
    case anchor
    /// The end entity meets the constraints of the anchor's set (LANGUAGE section 5).
    case anchorConstraints = "anchor-constraints"
    /// Every signature from the end entity to the anchor verifies (section 6.1.3(a)(1)).
    case signatures
    /// The two signature algorithm identifiers of each certificate are equal (section 4.1.1.2).
    case algorithmAgreement = "algorithm-agreement"
    /// Each certificate is valid at the validation time (section 6.1.3(a)(2)).
    case validity
    /// Each issuer is a CA (section 6.1.4(k)).
    case basicConstraints = "basic-constraints"
    /// The path keeps every path length constraint and the policy's maximum of intermediates
    /// (section 6.1.4(l), (m)).
    case pathLength = "path-length"
    /// The key usage of each issuer and of the end entity has the bits that are needed (section
    /// 6.1.4(n), 4.2.1.3).
    case keyUsage = "key-usage"
    /// At least one demanded key purpose is allowed along the whole path (section 4.2.1.12).
    case extendedKeyUsage = "extended-key-usage"
    /// The names of the certificates meet the name constraints of the issuers (section 6.1.3(b),
    /// (c)).
    case nameConstraints = "name-constraints"
    /// The path satisfies the demanded certificate policies and the policy constraints of its
    /// certificates (section 6.1.3(d)-(f), 6.1.5(g)).
    case certificatePolicies = "certificate-policies"
    /// No certificate has a critical extension that the engine does not process (section 6.1.4(o),
    /// 6.1.5(f)).
    case criticalExtensions = "critical-extensions"
    /// The type and size of each key is allowed by the policy (`keys`).
    case keys
    /// The hash and scheme of each signature is allowed by the policy (`signatures`).
    case signatureAlgorithms = "signature-algorithms"
    /// The end entity's lifetime is not longer than the policy's maximum
    /// (`validity.maximum-lifetime`).
    case lifetime
    /// The certificates meet the demands that the anchor's standard adds to path validation.
    case standard
    /// No certificate of the path has a key of `forbidden-keys`.
    case forbiddenKeys = "forbidden-keys"
    /// The end entity presents a name that the rule wants (RFC 9525).
    case identity
    /// The keys of the path match the rule's pin sets.
    case pins
    /// Each registered check that the rule names under `checks` accepts the path.
    case checks
    /// The end entity's signed certificate timestamps (RFC 6962) meet the rule.
    case transparency
    /// The revocation status of the certificates meets the rule.
    case revocation
}

extension Check {
    /// Whether the check is made for each candidate path, and not once for the request.
    public var isAskedOfPaths: Bool {
        switch self {
        case .host, .freshness, .rule, .cleartext, .endEntity, .tls, .evidence: return false
        case .anchor, .anchorConstraints, .signatures, .algorithmAgreement, .validity, .basicConstraints, .pathLength, .keyUsage, .extendedKeyUsage, .nameConstraints, .certificatePolicies, .criticalExtensions, .keys, .signatureAlgorithms, .lifetime, .standard, .forbiddenKeys, .identity, .pins, .checks, .transparency, .revocation: return true
        }
    }

    /// Whether the check judges evidence. Such a check is made only for a path whose
    /// signatures lead to an anchor.
    var restsOnSignatures: Bool {
        switch self {
        case .transparency, .revocation: return true
        case .host, .freshness, .rule, .cleartext, .endEntity, .tls, .evidence, .anchor, .anchorConstraints, .signatures, .algorithmAgreement, .validity, .basicConstraints, .pathLength, .keyUsage, .extendedKeyUsage, .nameConstraints, .certificatePolicies, .criticalExtensions, .keys, .signatureAlgorithms, .lifetime, .standard, .forbiddenKeys, .identity, .pins, .checks: return false
        }
    }
}

/// A check that is made for every candidate path, by the path validator or by
/// evaluation.
enum CandidateCheck: Hashable, Sendable {
    /// A check that the path validator makes.
    case validator(PathCheck)
    /// The path ends at a trust anchor of the rule (RFC 5280 section 6.1.1(d)).
    case anchor
    /// The end entity meets the constraints of the anchor's set (LANGUAGE section 5).
    case anchorConstraints
    /// No certificate of the path has a key of `forbidden-keys`.
    case forbiddenKeys
    /// The end entity presents a name that the rule wants (RFC 9525).
    case identity
    /// The keys of the path match the rule's pin sets.
    case pins
    /// Each registered check that the rule names under `checks` accepts the path.
    case checks
    /// The end entity's signed certificate timestamps (RFC 6962) meet the rule.
    case transparency
    /// The revocation status of the certificates meets the rule.
    case revocation

    /// The check under its name in traces.
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
    /// The check under its name in traces.
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
