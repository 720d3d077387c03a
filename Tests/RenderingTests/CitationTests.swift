import Rendering
import TestPKI
import Testing
import TrustEngine

/// Every violation and every demand is cited with the section that makes it, and not only with one
/// that speaks of the same field.
@Suite("citations") struct CitationTests {
    /// The section of a citation in the words of `sectionTitles`: without the place inside the
    /// section, such as `(a)(2)`, and without the name of the standard before it.
    private static func section(of citation: String) -> String {
        var text = citation.split(separator: "CA/Browser Forum ").last.map { String($0) } ?? ""
        if let parenthesis = text.firstIndex(of: "(") { text = String(text[..<parenthesis]) }
        return text
    }

    private static func title(of violation: Violation) -> String? {
        sectionTitles[section(of: violation.citation)]
    }

    /// The title of the section that makes each demand, judged one by one; nil where nothing but
    /// the program itself makes it.
    @Test(
        "every violation has the section that makes its demand", arguments: TraceSamples.violations)
    func violations(_ violation: Violation) {
        let expected: String?
        switch violation.kind {
        case .badHost: expected = "The host of a request"
        case .noApplicableRule: expected = "Which rule decides"
        case .nothingPresented: expected = "Certificate"
        case .endEntityUnreadable: expected = "Basic Certificate Fields"
        case .issuerNotFound, .selfSignedLeaf, .anchorNotTrusted: expected = "Inputs"
        case .anchorConstraintNotMet: expected = "Anchor set"
        case .badSignature, .unsupportedSignature, .expired, .notYetValid, .nameNotPermitted,
            .revoked, .revocationUndetermined:
            expected = "Basic Certificate Processing"
        case .algorithmMismatch: expected = "signatureAlgorithm"
        case .neverValid: expected = "Validity"
        case .notACertificateAuthority, .pathLengthExceeded, .keyUsageMissing:
            expected = "Preparation for Certificate i+1"
        case .unknownCriticalExtension, .certificatePolicyNotSatisfied:
            expected = "Wrap-Up Procedure"
        case .purposeNotAllowed: expected = "Extended Key Usage"
        case .purposeNotNamed: expected = "Subscriber Certificate Extended Key Usage"
        case .constraintNotEvaluated: expected = "Name Constraints"
        case .standardNotMet: expected = "Serial Number"
        case .tooManyIntermediates, .keyTypeNotAllowed, .keyTooSmall, .hashTooWeak,
            .maskHashTooWeak, .signatureSchemeNotAllowed, .lifetimeTooLong, .forbiddenKey,
            .checkFailed, .tlsVersion, .tlsForwardSecrecy, .tlsParameter, .transparencyNotMet,
            .logListStale:
            expected = "Profile"
        case .nameMismatch: expected = "Verifying Service Identity"
        case .notX509SVID: expected = "Leaf Validation"
        case .pinMismatch: expected = "Validating Pinned Connections"
        case .cleartext: expected = "Waivers"
        case .tlsNotSupplied: expected = "TLS parameters"
        case .stapleMissing:
            expected = "X.509v3 Transport Layer Security (TLS) Feature Extension"
        case .evidenceTooLarge: expected = "Evidence"
        case .budgetExhausted: expected = "Verdict"
        case .tableStale, .engineError: expected = nil
        }
        #expect(Self.title(of: violation) == expected, "\(violation.id)")
    }

    @Test("a sample of every kind of violation is judged")
    func everyKind() {
        #expect(Set(TraceSamples.violations.map(\.kind)) == Set(ViolationKind.allCases))
    }

    /// Where the same demand is made of certificates in two roles, by two sections.
    @Test(
        "the section is that of the certificate's place on the path",
        arguments: [
            (.keyUsageMissing(TraceSamples.leaf, wanted: "digitalSignature"), "Extended Key Usage"),
            (
                .unknownCriticalExtension(TraceSamples.issuing, extensionID: "1.2.3"),
                "Preparation for Certificate i+1"
            ),
            (
                .constraintNotEvaluated(
                    TraceSamples.leaf, by: TraceSamples.issuing, constraint: "certificate-policies",
                    problem: "p"), "Basic Certificate Processing"
            ),
            (
                .notX509SVID(SVIDFailure(uri: "a", uris: ["a", "b"], faults: [.severalURIs])),
                "SPIFFE ID"
            ),
        ] as [(Violation, String)])
    func ofThePlace(_ violation: Violation, _ expected: String) {
        #expect(Self.title(of: violation) == expected)
    }

    /// The title of the section that makes each demand of a standard.
    @Test("every demand of a standard has its section", arguments: StandardDemand.allCases)
    func demands(_ demand: StandardDemand) {
        let expected: String
        switch demand {
        case .serialNotPositive, .serialTooLong: expected = "Serial Number"
        case .subjectEmpty: expected = "Subject"
        case .issuerEmpty: expected = "Issuer"
        case .authorityKeyIdentifierCritical, .authorityKeyIdentifierMissing,
            .authorityKeyIdentifierForm:
            expected = "Authority Key Identifier"
        case .subjectKeyIdentifierCritical, .subjectKeyIdentifierMissing:
            expected = "Subject Key Identifier"
        case .authorityInfoAccessCritical: expected = "Authority Information Access"
        case .certSignWithoutCA: expected = "Key Usage"
        case .nameConstraintsWithoutCA, .nameConstraintsNotCritical, .nameConstraintLeadingDot:
            expected = "Name Constraints"
        case .policyConstraintsNotCritical: expected = "Policy Constraints"
        case .inhibitAnyPolicyNotCritical: expected = "Inhibit anyPolicy"
        case .subjectAltNameNotCritical, .dnsNameSyntax, .subjectAltNameSyntax:
            expected = "Subject Alternative Name"
        case .basicConstraintsNotCritical, .rootOfVersion1: expected = "Basic Constraints"
        case .sequenceEmpty: expected = "Implicitly Tagged Module, 1988 Syntax"
        case .versionNot3: expected = "Version number(s)"
        case .uniqueIdentifierPresent: expected = "Subscriber (Server) Certificate Profile"
        case .subjectAltNameMissing, .subjectAltNameCritical, .subjectAltNameForm:
            expected = "Subscriber Certificate Subject Alternative Name"
        case .wildcardOverPublicSuffix: expected = "Wildcard Domain Validation"
        case .commonNameNotPresented: expected = "Subscriber Certificate Common Name Attribute"
        case .endEntityIsCA: expected = "Subscriber Certificate Basic Constraints"
        case .extendedKeyUsageCritical: expected = "Subscriber Certificate Extensions"
        case .purposeBesideServer: expected = "Subscriber Certificate Extended Key Usage"
        case .extendedKeyUsageOfRoot: expected = "Root CA Extensions"
        case .keyUsageOfCAMissing: expected = "CA Certificate Key Usage"
        case .authorityKeyIdentifierOfRoot: expected = "Root CA Authority Key Identifier"
        case .keyOutsideStandard: expected = "SubjectPublicKeyInfo"
        case .rsaSizeNotWholeOctets: expected = "Key sizes"
        case .mldsaKeyUsage: expected = "Key Usage Bits"
        }
        #expect(sectionTitles[demand.section] == expected)
        // A demand that one standard alone makes names the standard.
        let citation = demand.citation
        #expect(citation.contains("`web-pki`") == demand.section.hasPrefix("BR "))
        #expect(Self.section(of: citation) == demand.section)
    }

    @Test("every check has a section that exists", arguments: Check.allCases)
    func checks(_ check: Check) {
        let citation = check.citation
        #expect(check == .freshness || sectionTitles[Self.section(of: citation)] != nil)
    }

    @Test(
        "a certificate that cannot be read has the section of its field",
        arguments: [
            ("certificate", "Basic Certificate Fields"),
            ("tbsCertificate", "Basic Certificate Fields"),
            ("tbsCertificate.validity.notBefore", "Validity"),
            ("tbsCertificate.signature", "Signature"), ("signatureValue", "signatureValue"),
            ("tbsCertificate.subject", "Subject"),
            ("tbsCertificate.subjectUniqueID", "Unique Identifiers"),
            ("tbsCertificate.subjectPublicKeyInfo", "Subject Public Key Info"),
            ("tbsCertificate.extensions", "Extensions"),
            ("subjectAltName", "Subject Alternative Name"),
            ("nameConstraints", "Name Constraints"), ("preCertificatePoison", "Log Entries"),
            ("ocspNoCheck", "Revocation Checking of an Authorized Responder"),
        ])
    func unreadable(_ field: String, _ expected: String) {
        let error = CertificateError(field: field, reason: "cut", offset: 3)
        #expect(Self.title(of: .endEntityUnreadable(error)) == expected)
    }
}
