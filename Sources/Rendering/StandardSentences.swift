package import TrustEngine

/// The words for the demands of a standard, and for certificates that do not meet them.
package enum StandardSentences {
    /// The fault of a certificate: the words that follow its name in a headline. `found` is raw
    /// text.
    package static func flaw(_ demand: StandardDemand, found: String) -> String {
        let found = "`\(Words.shortened(found, to: 100))`"
        switch demand {
        case .serialNotPositive:
            return "has the serial number \(found), which is not above zero"
        case .serialTooLong:
            return "has the serial number \(found), which is longer than 20 octets"
        case .subjectEmpty: return "is a CA without a name"
        case .issuerEmpty: return "does not name its issuer"
        case .authorityKeyIdentifierCritical:
            return "marks authorityKeyIdentifier as critical"
        case .authorityKeyIdentifierMissing:
            return "does not say which key signed it, and key identifiers are in use here"
        case .subjectKeyIdentifierCritical:
            return "marks subjectKeyIdentifier as critical"
        case .subjectKeyIdentifierMissing:
            return "has no subjectKeyIdentifier, and what it issued points at one"
        case .authorityInfoAccessCritical: return "marks authorityInfoAccess as critical"
        case .certSignWithoutCA: return "may sign certificates by its key usage and is no CA"
        case .nameConstraintsWithoutCA: return "has name constraints and is no CA"
        case .policyConstraintsNotCritical:
            return "does not mark policyConstraints as critical and asserts no certificate policy"
        case .inhibitAnyPolicyNotCritical:
            return "does not mark inhibitAnyPolicy as critical and asserts no certificate policy"
        case .subjectAltNameNotCritical:
            return "has an empty subject and no critical subjectAltName"
        case .dnsNameSyntax:
            return "presents \(found), which is not in the syntax of host names"
        case .subjectAltNameSyntax:
            return "presents \(found), which is no valid name of its form"
        case .nameConstraintsNotCritical: return "does not mark its name constraints as critical"
        case .nameConstraintLeadingDot:
            return "constrains DNS names by \(found), which begins with a dot"
        case .basicConstraintsNotCritical: return "does not mark basicConstraints as critical"
        case .rootOfVersion1: return "is of version 1, which cannot say that it is a CA"
        case .sequenceEmpty: return "has an empty list in \(found)"
        case .versionNot3: return "is of version \(found)"
        case .uniqueIdentifierPresent: return "has a unique identifier"
        case .subjectAltNameMissing: return "has no subjectAltName"
        case .subjectAltNameCritical:
            return "marks subjectAltName as critical beside a subject that is not empty"
        case .subjectAltNameForm:
            return "presents \(found), which is neither a DNS name nor an address"
        case .wildcardOverPublicSuffix:
            return "presents \(found), a wildcard over a public suffix of the list of "
                + PublicSuffixes.version.prefix(10)
        case .commonNameNotPresented:
            return "has the common name \(found), which its subjectAltName does not hold"
        case .endEntityIsCA: return "is a CA where an end entity is wanted"
        case .extendedKeyUsageCritical: return "marks extKeyUsage as critical"
        case .purposeBesideServer:
            return "names the purpose \(found), which does not go with a server's"
        case .extendedKeyUsageOfRoot: return "is a root with an extKeyUsage"
        case .keyUsageOfCAMissing: return "is a CA without a key usage"
        case .authorityKeyIdentifierForm:
            return "has an authorityKeyIdentifier that names an issuer and a serial number"
        case .authorityKeyIdentifierOfRoot:
            return "is a root whose authorityKeyIdentifier is not its subjectKeyIdentifier"
        case .keyOutsideStandard:
            return "has a key of type \(found), which no public authority may use"
        case .rsaSizeNotWholeOctets:
            return "has an RSA key of \(found) bits, which is no multiple of 8"
        case .mldsaKeyUsage:
            return "has a key that only signs, of ML-DSA, and the key usage \(found)"
        }
    }

    /// The demand, as a sentence of its own: lower case, no full stop.
    package static func demand(_ demand: StandardDemand) -> String {
        switch demand {
        case .serialNotPositive: return "its serial number is positive"
        case .serialTooLong: return "its serial number has at most 20 octets"
        case .subjectEmpty: return "a CA has a subject"
        case .issuerEmpty: return "its issuer has a name"
        case .authorityKeyIdentifierCritical: return "authorityKeyIdentifier is not critical"
        case .authorityKeyIdentifierMissing:
            return "authorityKeyIdentifier holds its issuer's key identifier"
        case .subjectKeyIdentifierCritical: return "subjectKeyIdentifier is not critical"
        case .subjectKeyIdentifierMissing: return "a CA has a subjectKeyIdentifier"
        case .authorityInfoAccessCritical: return "authorityInfoAccess is not critical"
        case .certSignWithoutCA: return "only a CA has the key usage keyCertSign"
        case .nameConstraintsWithoutCA: return "only a CA has nameConstraints"
        case .policyConstraintsNotCritical: return "policyConstraints is critical"
        case .inhibitAnyPolicyNotCritical: return "inhibitAnyPolicy is critical"
        case .subjectAltNameNotCritical:
            return "where the subject is empty, subjectAltName is there and critical"
        case .dnsNameSyntax:
            return "labels of a dNSName are letters, digits and hyphens, with no hyphen at an end"
        case .subjectAltNameSyntax:
            return "an iPAddress, rfc822Name or URI is a valid address, mailbox or URI"
        case .nameConstraintsNotCritical: return "nameConstraints is critical"
        case .nameConstraintLeadingDot:
            return "a dNSName in nameConstraints does not begin with a dot"
        case .basicConstraintsNotCritical: return "basicConstraints of a CA is critical"
        case .rootOfVersion1: return "a root is of version 3 and has basicConstraints"
        case .sequenceEmpty: return "no list of an extension is empty"
        case .versionNot3: return "it is of version 3"
        case .uniqueIdentifierPresent: return "it has no unique identifiers"
        case .subjectAltNameMissing: return "a server's certificate has a subjectAltName"
        case .subjectAltNameCritical:
            return "where the subject is not empty, subjectAltName is not critical"
        case .subjectAltNameForm: return "subjectAltName holds DNS names and addresses alone"
        case .wildcardOverPublicSuffix: return "no wildcard stands over a public suffix"
        case .commonNameNotPresented:
            return "a common name is a copy of a name in subjectAltName"
        case .endEntityIsCA: return "a server's certificate is no CA's"
        case .extendedKeyUsageCritical: return "extKeyUsage is not critical"
        case .purposeBesideServer:
            return "a server's certificate has no purpose but a server's and a client's"
        case .extendedKeyUsageOfRoot: return "a root has no extKeyUsage"
        case .keyUsageOfCAMissing: return "a CA has a keyUsage"
        case .authorityKeyIdentifierForm:
            return "authorityKeyIdentifier holds a key identifier alone"
        case .authorityKeyIdentifierOfRoot:
            return "a root's authorityKeyIdentifier equals its subjectKeyIdentifier"
        case .keyOutsideStandard: return "a key is of another type than DSA and RSASSA-PSS"
        case .rsaSizeNotWholeOctets: return "an RSA modulus has a multiple of 8 bits"
        case .mldsaKeyUsage:
            return "the key usage of an ML-DSA key has bits of signatures and no others"
        }
    }
}
