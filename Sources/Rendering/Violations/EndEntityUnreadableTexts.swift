import TrustEngine

extension EndEntityUnreadableTexts {
    var headline: String {
        "the first certificate presented cannot be read: \(error.context)"
    }

    /// The section about the field that cannot be read.
    var citation: String {
        EndEntityUnreadableTexts.sections.first { error.field.hasPrefix($0.field) }?.section
            ?? "RFC 5280 §4.1"
    }

    func forEndUser(_ situation: Situation) -> String {
        "the certificate that `\(situation.host)` showed cannot be read"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        [
            declared("its certificate cannot be read"),
            .init(.inBetween, "it was damaged on its way"),
        ]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        if error.isAboutKey {
            return [Repair("have the server's certificate issued anew, for another key")]
        }
        if error.isAboutDates {
            return [
                Repair(
                    "have the server's certificate issued anew: its dates are not in the form of "
                        + "RFC 5280, section 4.1.2.5")
            ]
        }
        if error.isInsideCertificate {
            return [
                Repair(
                    "have the server's certificate issued anew: its `\(error.field)` is not in the "
                        + "form of RFC 5280"),
                Repair("if its authority issued it otherwise, see where it was damaged"),
            ]
        }
        return [Repair("hand over the server's own certificate first, as PEM or DER")]
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
