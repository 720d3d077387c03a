// Made by `swift run generate-tables` from grammar/violations.yaml. Do not edit.
// swift-format-ignore-file

/// A demand of a standard on the certificates of a path. Path validation (RFC 5280
/// section 6) does not judge it. The raw value is the stable id of the violation.
package enum StandardDemand: String, Hashable, Sendable, CaseIterable {
    /// The serial number is positive.
    case serialNotPositive = "serial-not-positive"
    /// The serial number has at most 20 octets.
    case serialTooLong = "serial-too-long"
    /// The subject name of a CA is not empty.
    case subjectEmpty = "subject-empty"
    /// The issuer name is not empty.
    case issuerEmpty = "issuer-empty"
    /// authorityKeyIdentifier is not critical.
    case authorityKeyIdentifierCritical = "authority-key-identifier-critical"
    /// A certificate that is not self-issued has a keyIdentifier in authorityKeyIdentifier, when
    /// the certificate or its issuer has a subjectKeyIdentifier.
    case authorityKeyIdentifierMissing = "authority-key-identifier-missing"
    /// subjectKeyIdentifier is not critical.
    case subjectKeyIdentifierCritical = "subject-key-identifier-critical"
    /// A CA has a subjectKeyIdentifier, when a certificate that it issued has a keyIdentifier in
    /// authorityKeyIdentifier.
    case subjectKeyIdentifierMissing = "subject-key-identifier-missing"
    /// authorityInfoAccess is not critical.
    case authorityInfoAccessCritical = "authority-info-access-critical"
    /// Only a CA has the key usage keyCertSign.
    case certSignWithoutCA = "cert-sign-without-ca"
    /// Only a CA has nameConstraints.
    case nameConstraintsWithoutCA = "name-constraints-without-ca"
    /// policyConstraints is critical.
    case policyConstraintsNotCritical = "policy-constraints-not-critical"
    /// inhibitAnyPolicy is critical.
    case inhibitAnyPolicyNotCritical = "inhibit-any-policy-not-critical"
    /// When the subject is empty, a subjectAltName names the subject and is critical.
    case subjectAltNameNotCritical = "subject-alt-name-not-critical"
    /// A dNSName is in the preferred name syntax.
    case dnsNameSyntax = "dns-name-syntax"
    /// An iPAddress, rfc822Name or URI in subjectAltName is a valid address, mailbox or URI.
    case subjectAltNameSyntax = "subject-alt-name-syntax"
    /// nameConstraints is critical. Only `rfc5280` demands this.
    case nameConstraintsNotCritical = "name-constraints-not-critical"
    /// A dNSName in nameConstraints does not begin with a dot.
    case nameConstraintLeadingDot = "name-constraint-leading-dot"
    /// basicConstraints is critical. `rfc5280` demands this of an anchor, `web-pki` of every CA
    /// certificate.
    case basicConstraintsNotCritical = "basic-constraints-not-critical"
    /// A root is of version 3 and has basicConstraints.
    case rootOfVersion1 = "root-of-version-1"
    /// The lists in authorityInfoAccess, certificatePolicies, extKeyUsage, subjectAltName and
    /// tlsFeature are not empty.
    case sequenceEmpty = "sequence-empty"
    /// The certificate is of version 3.
    case versionNot3 = "version-not-3"
    /// The certificate has no unique identifiers.
    case uniqueIdentifierPresent = "unique-identifier-present"
    /// An end entity has a subjectAltName.
    case subjectAltNameMissing = "subject-alt-name-missing"
    /// When the subject is not empty, subjectAltName is not critical.
    case subjectAltNameCritical = "subject-alt-name-critical"
    /// An end entity presents only DNS names and IP addresses.
    case subjectAltNameForm = "subject-alt-name-form"
    /// A wildcard name covers neither a public suffix nor every name under a public suffix.
    case wildcardOverPublicSuffix = "wildcard-over-public-suffix"
    /// Each common name of the subject is a copy of a name in subjectAltName.
    case commonNameNotPresented = "common-name-not-presented"
    /// An end entity is not a CA.
    case endEntityIsCA = "end-entity-is-ca"
    /// An end entity's extKeyUsage is not critical.
    case extendedKeyUsageCritical = "extended-key-usage-critical"
    /// An end entity has no key purpose that is forbidden beside serverAuth.
    case purposeBesideServer = "purpose-beside-server"
    /// A root has no extKeyUsage.
    case extendedKeyUsageOfRoot = "extended-key-usage-of-root"
    /// A CA has a keyUsage.
    case keyUsageOfCAMissing = "key-usage-of-ca-missing"
    /// authorityKeyIdentifier does not name an issuer and serial number.
    case authorityKeyIdentifierForm = "authority-key-identifier-form"
    /// The keyIdentifier in a root's authorityKeyIdentifier equals the root's subjectKeyIdentifier.
    case authorityKeyIdentifierOfRoot = "authority-key-identifier-of-root"
    /// The key is not a DSA key, even when parameters that a program made in memory allow DSA, and
    /// not a key of RSASSA-PSS's own type.
    case keyOutsideStandard = "key-outside-standard"
    /// The number of bits of an RSA modulus is a multiple of eight.
    case rsaSizeNotWholeOctets = "rsa-size-not-whole-octets"
    /// The keyUsage of a certificate with an ML-DSA key has a bit for signatures, and no bit for
    /// encryption or for key agreement.
    case mldsaKeyUsage = "mldsa-key-usage"

    /// The section that makes the demand: `RFC 5280 §4.1.2.2`, `BR §7.1.4.3`.
    package var section: String {
        switch self {
        case .serialNotPositive: return "RFC 5280 §4.1.2.2"
        case .serialTooLong: return "RFC 5280 §4.1.2.2"
        case .subjectEmpty: return "RFC 5280 §4.1.2.6"
        case .issuerEmpty: return "RFC 5280 §4.1.2.4"
        case .authorityKeyIdentifierCritical: return "RFC 5280 §4.2.1.1"
        case .authorityKeyIdentifierMissing: return "RFC 5280 §4.2.1.1"
        case .subjectKeyIdentifierCritical: return "RFC 5280 §4.2.1.2"
        case .subjectKeyIdentifierMissing: return "RFC 5280 §4.2.1.2"
        case .authorityInfoAccessCritical: return "RFC 5280 §4.2.2.1"
        case .certSignWithoutCA: return "RFC 5280 §4.2.1.3"
        case .nameConstraintsWithoutCA: return "RFC 5280 §4.2.1.10"
        case .policyConstraintsNotCritical: return "RFC 5280 §4.2.1.11"
        case .inhibitAnyPolicyNotCritical: return "RFC 5280 §4.2.1.14"
        case .subjectAltNameNotCritical: return "RFC 5280 §4.2.1.6"
        case .dnsNameSyntax: return "RFC 5280 §4.2.1.6"
        case .subjectAltNameSyntax: return "RFC 5280 §4.2.1.6"
        case .nameConstraintsNotCritical: return "RFC 5280 §4.2.1.10"
        case .nameConstraintLeadingDot: return "RFC 5280 §4.2.1.10"
        case .basicConstraintsNotCritical: return "RFC 5280 §4.2.1.9"
        case .rootOfVersion1: return "RFC 5280 §4.2.1.9"
        case .sequenceEmpty: return "RFC 5280 §A.2"
        case .versionNot3: return "BR §7.1.1"
        case .uniqueIdentifierPresent: return "BR §7.1.2.7"
        case .subjectAltNameMissing: return "BR §7.1.2.7.12"
        case .subjectAltNameCritical: return "BR §7.1.2.7.12"
        case .subjectAltNameForm: return "BR §7.1.2.7.12"
        case .wildcardOverPublicSuffix: return "BR §3.2.2.6"
        case .commonNameNotPresented: return "BR §7.1.4.3"
        case .endEntityIsCA: return "BR §7.1.2.7.8"
        case .extendedKeyUsageCritical: return "BR §7.1.2.7.6"
        case .purposeBesideServer: return "BR §7.1.2.7.10"
        case .extendedKeyUsageOfRoot: return "BR §7.1.2.1.2"
        case .keyUsageOfCAMissing: return "BR §7.1.2.10.7"
        case .authorityKeyIdentifierForm: return "BR §7.1.2.11.1"
        case .authorityKeyIdentifierOfRoot: return "BR §7.1.2.1.3"
        case .keyOutsideStandard: return "BR §7.1.3.1"
        case .rsaSizeNotWholeOctets: return "BR §6.1.5"
        case .mldsaKeyUsage: return "RFC 9881 §5"
        }
    }

    /// The number in the sets of demands in a table, 0 to 62; nil for a demand of
    /// validation. A demand with a number is addressed to those who issue certificates
    /// (LANGUAGE section 12.10).
    package var issuanceNumber: Int? {
        switch self {
        case .serialNotPositive: return 0
        case .serialTooLong: return 1
        case .authorityKeyIdentifierMissing: return 2
        case .subjectKeyIdentifierMissing: return 3
        case .certSignWithoutCA: return 4
        case .policyConstraintsNotCritical: return 5
        case .inhibitAnyPolicyNotCritical: return 6
        case .subjectAltNameNotCritical: return 7
        case .dnsNameSyntax: return 8
        case .subjectAltNameSyntax: return 9
        case .nameConstraintsNotCritical: return 10
        case .nameConstraintLeadingDot: return 11
        case .basicConstraintsNotCritical: return 12
        case .rootOfVersion1: return 13
        case .sequenceEmpty: return 14
        case .versionNot3: return 15
        case .uniqueIdentifierPresent: return 16
        case .subjectAltNameMissing: return 17
        case .subjectAltNameCritical: return 18
        case .subjectAltNameForm: return 19
        case .commonNameNotPresented: return 20
        case .extendedKeyUsageCritical: return 21
        case .purposeBesideServer: return 22
        case .extendedKeyUsageOfRoot: return 23
        case .keyUsageOfCAMissing: return 24
        case .authorityKeyIdentifierForm: return 25
        case .authorityKeyIdentifierOfRoot: return 26
        case .rsaSizeNotWholeOctets: return 27
        case .mldsaKeyUsage: return 28
        case .subjectEmpty, .issuerEmpty, .authorityKeyIdentifierCritical, .subjectKeyIdentifierCritical, .authorityInfoAccessCritical, .nameConstraintsWithoutCA, .wildcardOverPublicSuffix, .endEntityIsCA, .keyOutsideStandard: return nil
        }
    }
}
