package import TrustEngine

/// The words for the demands of a standard, and for certificates that do not meet them.
extension StandardDemand {
    /// The demand, as a sentence: lower case, no full stop.
    package var sentence: String { texts(found: "").demand }

    /// The fault of a certificate that does not meet the demand: the words that follow its name in
    /// a headline. `found` is raw text.
    package func flaw(found: String) -> String {
        texts(found: "`\(Words.shortened(found, to: 100))`").flaw
    }

    /// The section that makes the demand. A demand of the CA/Browser Forum's Baseline Requirements
    /// names the standard of policies that makes it.
    package var citation: String {
        isBaselineRequirement ? StandardDemand.citation(section) : section
    }

    /// Whether only `web-pki` makes the demand.
    var isBaselineRequirement: Bool { section.hasPrefix("BR ") }

    /// The citation of a section of the Baseline Requirements.
    static func citation(_ section: String) -> String { "`web-pki`: CA/Browser Forum \(section)" }

    /// The two texts of each demand.
    private func texts(found: String) -> (demand: String, flaw: String) {
        switch self {
        case .serialNotPositive:
            return (
                "its serial number is positive",
                "has the serial number \(found), which is not above zero"
            )
        case .serialTooLong:
            return (
                "its serial number has at most 20 octets",
                "has the serial number \(found), which is longer than 20 octets"
            )
        case .subjectEmpty:
            return ("a CA has a subject", "is a CA without a name")
        case .issuerEmpty:
            return ("its issuer has a name", "does not name its issuer")
        case .authorityKeyIdentifierCritical:
            return (
                "authorityKeyIdentifier is not critical",
                "marks authorityKeyIdentifier as critical"
            )
        case .authorityKeyIdentifierMissing:
            return (
                "authorityKeyIdentifier holds its issuer's key identifier",
                "does not say which key signed it, and key identifiers are in use here"
            )
        case .subjectKeyIdentifierCritical:
            return (
                "subjectKeyIdentifier is not critical",
                "marks subjectKeyIdentifier as critical"
            )
        case .subjectKeyIdentifierMissing:
            return (
                "a CA has a subjectKeyIdentifier",
                "has no subjectKeyIdentifier, and what it issued points at one"
            )
        case .authorityInfoAccessCritical:
            return ("authorityInfoAccess is not critical", "marks authorityInfoAccess as critical")
        case .certSignWithoutCA:
            return (
                "only a CA has the key usage keyCertSign",
                "may sign certificates by its key usage and is no CA"
            )
        case .nameConstraintsWithoutCA:
            return ("only a CA has nameConstraints", "has name constraints and is no CA")
        case .policyConstraintsNotCritical:
            return (
                "policyConstraints is critical",
                "does not mark policyConstraints as critical and asserts no certificate policy"
            )
        case .inhibitAnyPolicyNotCritical:
            return (
                "inhibitAnyPolicy is critical",
                "does not mark inhibitAnyPolicy as critical and asserts no certificate policy"
            )
        case .subjectAltNameNotCritical:
            return (
                "where the subject is empty, subjectAltName is there and critical",
                "has an empty subject and no critical subjectAltName"
            )
        case .dnsNameSyntax:
            return (
                "labels of a dNSName are letters, digits and hyphens, with no hyphen at an end",
                "presents \(found), which is not in the syntax of host names"
            )
        case .subjectAltNameSyntax:
            return (
                "an iPAddress, rfc822Name or URI is a valid address, mailbox or URI",
                "presents \(found), which is no valid name of its form"
            )
        case .nameConstraintsNotCritical:
            return ("nameConstraints is critical", "does not mark its name constraints as critical")
        case .nameConstraintLeadingDot:
            return (
                "a dNSName in nameConstraints does not begin with a dot",
                "constrains DNS names by \(found), which begins with a dot"
            )
        case .basicConstraintsNotCritical:
            return (
                "basicConstraints of a CA is critical",
                "does not mark basicConstraints as critical"
            )
        case .rootOfVersion1:
            return (
                "a root is of version 3 and has basicConstraints",
                "is of version 1, which cannot say that it is a CA"
            )
        case .sequenceEmpty:
            return ("no list of an extension is empty", "has an empty list in \(found)")
        case .versionNot3:
            return ("it is of version 3", "is of version \(found)")
        case .uniqueIdentifierPresent:
            return ("it has no unique identifiers", "has a unique identifier")
        case .subjectAltNameMissing:
            return ("a server's certificate has a subjectAltName", "has no subjectAltName")
        case .subjectAltNameCritical:
            return (
                "where the subject is not empty, subjectAltName is not critical",
                "marks subjectAltName as critical beside a subject that is not empty"
            )
        case .subjectAltNameForm:
            return (
                "subjectAltName holds DNS names and addresses alone",
                "presents \(found), which is neither a DNS name nor an address"
            )
        case .wildcardOverPublicSuffix:
            return (
                "no wildcard stands over a public suffix",
                "presents \(found), a wildcard over a public suffix of the list of "
                    + PublicSuffixes.version.prefix(10)
            )
        case .commonNameNotPresented:
            return (
                "a common name is a copy of a name in subjectAltName",
                "has the common name \(found), which its subjectAltName does not hold"
            )
        case .endEntityIsCA:
            return ("a server's certificate is no CA's", "is a CA where an end entity is wanted")
        case .extendedKeyUsageCritical:
            return ("extKeyUsage is not critical", "marks extKeyUsage as critical")
        case .purposeBesideServer:
            return (
                "a server's certificate has no purpose but a server's and a client's",
                "names the purpose \(found), which does not go with a server's"
            )
        case .extendedKeyUsageOfRoot:
            return ("a root has no extKeyUsage", "is a root with an extKeyUsage")
        case .keyUsageOfCAMissing:
            return ("a CA has a keyUsage", "is a CA without a key usage")
        case .authorityKeyIdentifierForm:
            return (
                "authorityKeyIdentifier holds a key identifier alone",
                "has an authorityKeyIdentifier that names an issuer and a serial number"
            )
        case .authorityKeyIdentifierOfRoot:
            return (
                "a root's authorityKeyIdentifier equals its subjectKeyIdentifier",
                "is a root whose authorityKeyIdentifier is not its subjectKeyIdentifier"
            )
        case .keyOutsideStandard:
            return (
                "a key is of another type than DSA and RSASSA-PSS",
                "has a key of type \(found), which no public authority may use"
            )
        case .rsaSizeNotWholeOctets:
            return (
                "an RSA modulus has a multiple of 8 bits",
                "has an RSA key of \(found) bits, which is no multiple of 8"
            )
        case .mldsaKeyUsage:
            return (
                "the key usage of an ML-DSA key has bits of signatures and no others",
                "has a key that only signs, of ML-DSA, and the key usage \(found)"
            )
        }
    }
}
