package import TrustEngine

/// The sections that violations are cited with: of an RFC, of another standard, or of the language.
extension CheckSentences {
    /// The section that a violation breaks: the one that makes the demand, and not only the one
    /// that defines the field.
    package static func citation(of violation: Violation) -> String {
        switch violation.reason {
        case .path(let violation): return citation(of: violation)
        case .badHost: return "LANGUAGE §12.9"
        case .noApplicableRule: return "LANGUAGE §11.4"
        case .nothingPresented: return "RFC 8446 §4.4.2"
        case .endEntityUnreadable(let error): return citation(of: error)
        case .issuerNotFound, .selfSignedLeaf, .anchorNotTrusted: return "RFC 5280 §6.1.1(d)"
        case .anchorConstraintNotMet: return "LANGUAGE §5"
        case .forbiddenKey: return "LANGUAGE §8"
        case .nameMismatch: return "RFC 9525 §6"
        case .notX509SVID(let failure):
            // Section 5.2 makes every demand; section 2 is only about the names.
            return failure.faults == [.severalURIs] ? "X509-SVID §2" : "X509-SVID §5.2"
        case .pinMismatch: return "RFC 7469 §2.6"
        case .checkFailed: return "LANGUAGE §8"
        case .cleartext: return "LANGUAGE §10"
        case .tlsNotSupplied: return "LANGUAGE §12.3"
        case .tlsVersion, .tlsForwardSecrecy, .tlsParameter: return "LANGUAGE §8"
        case .revoked: return "RFC 5280 §6.1.3(a)(3)"
        case .revocationUndetermined: return "RFC 5280 §6.1.3(a)(3)"
        case .stapleMissing: return "RFC 7633"
        case .transparencyNotMet: return "LANGUAGE §8"
        case .logListStale: return "LANGUAGE §8"
        case .tableStale(_, _, _, .issued): return "the table's own dates"
        case .tableStale(_, _, _, .confirmed): return citation(.freshness)
        case .evidenceTooLarge: return "LANGUAGE §12.4"
        case .engineError: return "a fault of the engine"
        }
    }

    private static func citation(of violation: PathViolation) -> String {
        switch violation {
        case .badSignature, .unsupportedSignature: return "RFC 5280 §6.1.3(a)(1)"
        case .algorithmMismatch: return "RFC 5280 §4.1.1.2"
        case .expired, .notYetValid: return "RFC 5280 §6.1.3(a)(2)"
        case .neverValid: return "RFC 5280 §4.1.2.5"
        case .notACertificateAuthority: return "RFC 5280 §6.1.4(k)"
        case .pathLengthExceeded: return "RFC 5280 §6.1.4(l)–(m)"
        case .tooManyIntermediates: return "LANGUAGE §8"
        case .keyUsageMissing(let certificate, _):
            return certificate.position == 0 ? "RFC 5280 §4.2.1.12" : "RFC 5280 §6.1.4(n)"
        case .purposeNotAllowed: return "RFC 5280 §4.2.1.12"
        case .purposeNotNamed: return citation(ofBaselineRequirement: "BR §7.1.2.7.10")
        case .unknownCriticalExtension(let certificate, _):
            return certificate.position == 0 ? "RFC 5280 §6.1.5(f)" : "RFC 5280 §6.1.4(o)"
        case .nameNotPermitted: return "RFC 5280 §6.1.3(b)–(c)"
        case .constraintNotEvaluated(_, _, let constraint, _):
            return constraint == "names" ? "RFC 5280 §4.2.1.10" : "RFC 5280 §6.1.3(d)–(f)"
        case .certificatePolicyNotSatisfied: return "RFC 5280 §6.1.5(g)"
        case .keyTypeNotAllowed, .keyTooSmall, .hashTooWeak, .maskHashTooWeak,
            .signatureSchemeNotAllowed, .lifetimeTooLong:
            return "LANGUAGE §8"
        case .standardNotMet(_, let demand, _): return citation(of: demand)
        case .budgetExhausted: return "LANGUAGE §12.1"
        }
    }

    /// The section that makes a demand of a standard. A demand of the CA/Browser Forum's Baseline
    /// Requirements names the standard of policies that makes it.
    package static func citation(of demand: StandardDemand) -> String {
        demand.section.hasPrefix("BR ")
            ? citation(ofBaselineRequirement: demand.section) : demand.section
    }

    private static func citation(ofBaselineRequirement section: String) -> String {
        "`web-pki`: CA/Browser Forum \(section)"
    }

    /// The section about the field of a certificate that cannot be read.
    private static func citation(of error: CertificateError) -> String {
        sections.first { error.field.hasPrefix($0.field) }?.section ?? "RFC 5280 §4.1"
    }

    /// Fields of certificates in the words of `CertificateError`, with the section of each. A field
    /// stands behind those that begin with its name.
    private static let sections: [(field: String, section: String)] = [
        ("tbsCertificate.version", "RFC 5280 §4.1.2.1"),
        ("tbsCertificate.serialNumber", "RFC 5280 §4.1.2.2"),
        ("tbsCertificate.signature", "RFC 5280 §4.1.2.3"),
        ("tbsCertificate.issuerUniqueID", "RFC 5280 §4.1.2.8"),
        ("tbsCertificate.issuer", "RFC 5280 §4.1.2.4"),
        ("tbsCertificate.validity", "RFC 5280 §4.1.2.5"),
        ("tbsCertificate.subjectPublicKeyInfo", "RFC 5280 §4.1.2.7"),
        ("tbsCertificate.subjectUniqueID", "RFC 5280 §4.1.2.8"),
        ("tbsCertificate.subject", "RFC 5280 §4.1.2.6"),
        ("tbsCertificate.extensions", "RFC 5280 §4.1.2.9"),
        ("signatureAlgorithm", "RFC 5280 §4.1.1.2"), ("signatureValue", "RFC 5280 §4.1.1.3"),
        ("authorityKeyIdentifier", "RFC 5280 §4.2.1.1"),
        ("subjectKeyIdentifier", "RFC 5280 §4.2.1.2"), ("keyUsage", "RFC 5280 §4.2.1.3"),
        ("certificatePolicies", "RFC 5280 §4.2.1.4"), ("policyMappings", "RFC 5280 §4.2.1.5"),
        ("subjectAltName", "RFC 5280 §4.2.1.6"), ("issuerAltName", "RFC 5280 §4.2.1.7"),
        ("basicConstraints", "RFC 5280 §4.2.1.9"), ("nameConstraints", "RFC 5280 §4.2.1.10"),
        ("policyConstraints", "RFC 5280 §4.2.1.11"), ("extKeyUsage", "RFC 5280 §4.2.1.12"),
        ("cRLDistributionPoints", "RFC 5280 §4.2.1.13"),
        ("inhibitAnyPolicy", "RFC 5280 §4.2.1.14"),
        ("authorityInfoAccess", "RFC 5280 §4.2.2.1"), ("tlsFeature", "RFC 7633"),
        ("signedCertificateTimestampList", "RFC 6962 §3.3"),
        ("preCertificatePoison", "RFC 6962 §3.1"), ("ocspNoCheck", "RFC 6960 §4.2.2.2.1"),
    ]
}
