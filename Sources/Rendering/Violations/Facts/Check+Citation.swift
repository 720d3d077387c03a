package import TrustEngine

extension Check {
    /// The section that a check follows: of an RFC, or of the language.
    package var citation: String {
        switch self {
        case .host: return "LANGUAGE §12.9"
        case .freshness: return "the program's own limit"
        case .rule: return "LANGUAGE §11.4"
        case .cleartext: return "LANGUAGE §10"
        case .endEntity: return "RFC 5280 §4.1"
        case .tls: return "LANGUAGE §12.3"
        case .evidence: return "LANGUAGE §12.4"
        case .anchor: return "RFC 5280 §6.1.1(d)"
        case .anchorConstraints: return "LANGUAGE §5"
        case .signatures: return "RFC 5280 §6.1.3(a)(1)"
        case .algorithmAgreement: return "RFC 5280 §4.1.1.2"
        case .validity: return "RFC 5280 §6.1.3(a)(2)"
        case .basicConstraints: return "RFC 5280 §6.1.4(k)"
        case .pathLength: return "RFC 5280 §6.1.4(l)–(m)"
        case .keyUsage: return "RFC 5280 §6.1.4(n)"
        case .extendedKeyUsage: return "RFC 5280 §4.2.1.12"
        case .nameConstraints: return "RFC 5280 §6.1.3(b)–(c)"
        case .certificatePolicies: return "RFC 5280 §6.1.3(d)–(f)"
        case .criticalExtensions: return "RFC 5280 §6.1.4(o)"
        case .keys: return "LANGUAGE §8"
        case .signatureAlgorithms: return "LANGUAGE §8"
        case .lifetime: return "LANGUAGE §8"
        case .forbiddenKeys: return "LANGUAGE §8"
        case .standard: return "LANGUAGE §5"
        case .identity: return "RFC 9525 §6"
        case .pins: return "RFC 7469 §2.6"
        case .checks: return "LANGUAGE §8"
        case .transparency: return "RFC 6962 §3.3"
        case .revocation: return "RFC 5280 §6.1.3(a)(3)"
        }
    }
}
