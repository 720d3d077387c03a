// Reads the extensions of a certificate (RFC 5280 section 4.2). A known extension is read whole and
// strictly, so that later code meets no malformed field. An unknown extension is only bounded and
// counted.
extension CertificateParser {
    mutating func readExtensions(
        _ wrapper: DERElement, _ der: Span<UInt8>
    ) throws(DERError) {
        var inner = wrapper.reader
        let sequence = try inner.next(.sequence, in: der)
        try inner.finish()
        var reader = sequence.reader
        guard !reader.isAtEnd else { throw DERError(.emptySequence, at: sequence.start) }
        var count = 0
        while !reader.isAtEnd {
            count += 1
            guard count <= CertificateParser.maximumExtensions else {
                throw DERError(.tooManyExtensions, at: reader.position)
            }
            let element = try reader.next(.sequence, in: der)
            try readExtension(element, earlierFrom: sequence.contentStart, der)
        }
    }

    /// `SEQUENCE { extnID, critical BOOLEAN DEFAULT FALSE, extnValue OCTET STRING }`.
    private mutating func readExtension(
        _ element: DERElement, earlierFrom first: Int, _ der: Span<UInt8>
    ) throws(DERError) {
        var reader = element.reader
        let identifier = try reader.next(.objectIdentifier, in: der)
        let code = try ObjectIdentifier.checkedCode(identifier, in: der)
        let isCritical =
            try reader.nextIfPresent(.boolean, in: der)?.boolean(in: der) ?? false
        let value = try reader.next(.octetString, in: der)
        try reader.finish()

        guard let member = CertificateParser.known(code) else {
            try refuseDuplicate(of: identifier, from: first, to: element.start, der)
            if isCritical { noteUnknownCritical(identifier) }
            return
        }
        guard !layout.extensions.present.contains(member) else {
            field = CertificateParser.field(of: member)
            throw DERError(.duplicateExtension, at: element.start)
        }
        layout.extensions.present.insert(member)
        if isCritical { layout.extensions.critical.insert(member) }
        hasUnknownQualifier = false
        do throws(DERError) {
            try readValue(member, value, der)
        } catch {
            field = CertificateParser.field(of: member)
            throw error
        }
        // A pre-certificate is not a certificate (RFC 6962 section 3.1), so its poison counts as an
        // extension that nobody knows. Critical certificate policies with an unknown qualifier must
        // be refused (RFC 5280 section 4.2.1.4), so they count as one too.
        if isCritical, member == .preCertificatePoison || hasUnknownQualifier {
            noteUnknownCritical(identifier)
        }
    }

    private mutating func noteUnknownCritical(_ identifier: DERElement) {
        if layout.extensions.unknownCritical.isEmpty {
            layout.extensions.unknownCritical = identifier.content
        }
    }

    /// Refuses an extension that occurs twice. An unknown extension is compared with the extensions
    /// before it: at most 64, so at most some 2,000 comparisons. (Known extensions are marked in a
    /// set.)
    private mutating func refuseDuplicate(
        of identifier: DERElement, from first: Int, to limit: Int, _ der: Span<UInt8>
    ) throws(DERError) {
        var earlier = DERReader(ByteRange(start: first, count: limit - first))
        while !earlier.isAtEnd {
            // Finding the identifier takes as long as four comparisons.
            work.comparisons += 5 + identifier.count / 32
            var reader = try earlier.next(.sequence, in: der).reader
            let other = try reader.next(.objectIdentifier, in: der)
            guard
                !der.extracting(other.content.indices)
                    .octetsEqual(der.extracting(identifier.content.indices))
            else { throw DERError(.duplicateExtension, at: identifier.start) }
        }
    }

    /// The extension with an identifier; nil for an identifier that the engine does not know. The
    /// identifiers of RFC 5280 differ in the last octet, so one look-up finds the extension.
    private static func known(_ code: UInt128) -> ExtensionSet? {
        guard code >> 8 == 0x01_55_1D else { return knownElsewhere(code) }
        switch UInt8(truncatingIfNeeded: code) {
        case 0x0E: return .subjectKeyIdentifier
        case 0x0F: return .keyUsage
        case 0x11: return .subjectAltName
        case 0x12: return .issuerAltName
        case 0x13: return .basicConstraints
        case 0x1E: return .nameConstraints
        case 0x1F: return .crlDistributionPoints
        case 0x20: return .certificatePolicies
        case 0x21: return .policyMappings
        case 0x23: return .authorityKeyIdentifier
        case 0x24: return .policyConstraints
        case 0x25: return .extendedKeyUsage
        case 0x36: return .inhibitAnyPolicy
        default: return nil
        }
    }

    private static func knownElsewhere(_ code: UInt128) -> ExtensionSet? {
        switch code {
        case ObjectIdentifier.authorityInfoAccess: return .authorityInfoAccess
        case ObjectIdentifier.tlsFeature: return .tlsFeatures
        case ObjectIdentifier.signedCertificateTimestamps: return .signedCertificateTimestamps
        case ObjectIdentifier.preCertificatePoison: return .preCertificatePoison
        case ObjectIdentifier.ocspNoCheck: return .ocspNoCheck
        default: return nil
        }
    }

    /// The name of an extension's field, for the error of one that cannot be read.
    private static func field(of member: ExtensionSet) -> StaticString {
        switch member {
        case .subjectKeyIdentifier: return "subjectKeyIdentifier"
        case .keyUsage: return "keyUsage"
        case .subjectAltName: return "subjectAltName"
        case .issuerAltName: return "issuerAltName"
        case .basicConstraints: return "basicConstraints"
        case .nameConstraints: return "nameConstraints"
        case .crlDistributionPoints: return "cRLDistributionPoints"
        case .certificatePolicies: return "certificatePolicies"
        case .policyMappings: return "policyMappings"
        case .authorityKeyIdentifier: return "authorityKeyIdentifier"
        case .policyConstraints: return "policyConstraints"
        case .extendedKeyUsage: return "extKeyUsage"
        case .inhibitAnyPolicy: return "inhibitAnyPolicy"
        case .authorityInfoAccess: return "authorityInfoAccess"
        case .tlsFeatures: return "tlsFeature"
        case .signedCertificateTimestamps: return "signedCertificateTimestampList"
        case .preCertificatePoison: return "preCertificatePoison"
        default: return "ocspNoCheck"
        }
    }

    private mutating func readValue(
        _ member: ExtensionSet, _ value: DERElement, _ der: Span<UInt8>
    ) throws(DERError) {
        var outer = value.reader
        let element = try outer.next(in: der)
        try outer.finish()
        switch member {
        case .basicConstraints: try readBasicConstraints(element, der)
        case .keyUsage:
            try expect(.bitString, element)
            layout.extensions.keyUsage = try element.namedBits(in: der)
            guard layout.extensions.keyUsage != 0 else {
                throw DERError(.emptyKeyUsage, at: element.start)
            }
        case .extendedKeyUsage:
            var reader = try listOrNone(element)
            while !reader.isAtEnd {
                try ObjectIdentifier.check(reader.next(.objectIdentifier, in: der), in: der)
            }
            layout.extensions.extendedKeyUsage = element.content
        case .subjectAltName:
            try expect(.sequence, element)
            if element.count > 0 {
                layout.extensions.presentsPlainHosts =
                    try GeneralNameReader.check(element, in: der)
            }
            layout.extensions.subjectAltName = element.content
        case .issuerAltName:
            try expect(.sequence, element)
            try GeneralNameReader.check(element, in: der)
        case .nameConstraints: try readNameConstraints(element, der)
        case .certificatePolicies: try readCertificatePolicies(element, der)
        case .policyMappings: try readPolicyMappings(element, der)
        case .policyConstraints: try readPolicyConstraints(element, der)
        case .inhibitAnyPolicy:
            try expect(.integer, element)
            layout.extensions.inhibitAnyPolicy = try element.nonNegativeInteger(in: der)
        case .authorityKeyIdentifier:
            let (identifier, namesIssuer) = try CertificateParser.readKeyIdentifier(element, der)
            layout.extensions.authorityKeyIdentifier = identifier
            layout.extensions.authorityKeyNamesIssuer = namesIssuer
        case .subjectKeyIdentifier:
            try expect(.octetString, element)
            layout.extensions.subjectKeyIdentifier = element.content
        case .crlDistributionPoints: try readDistributionPoints(element, der)
        case .authorityInfoAccess: try readAccessDescriptions(element, der)
        case .signedCertificateTimestamps:
            try expect(.octetString, element)
            layout.extensions.signedCertificateTimestamps = element.content
        case .tlsFeatures:
            var reader = try listOrNone(element)
            while !reader.isAtEnd {
                _ = try reader.next(.integer, in: der).nonNegativeInteger(in: der)
            }
            layout.extensions.tlsFeatures = element.content
        default: try element.checkNull()
        }
    }

    private func expect(_ tag: DERTag, _ element: DERElement) throws(DERError) {
        guard element.tag == tag else { throw DERError(.unexpectedTag, at: element.start) }
    }

    /// A reader over the content of a SEQUENCE that has at least one element.
    private func list(_ element: DERElement) throws(DERError) -> DERReader {
        try expect(.sequence, element)
        guard element.count > 0 else { throw DERError(.emptySequence, at: element.start) }
        return element.reader
    }

    /// A reader over the content of a SEQUENCE that may be empty. An empty list says nothing, and
    /// `StandardRules` judges it (LANGUAGE section 12.10).
    private func listOrNone(_ element: DERElement) throws(DERError) -> DERReader {
        try expect(.sequence, element)
        return element.reader
    }

    /// Reads basicConstraints (section 4.2.1.9). A path length beside cA FALSE is kept and has no
    /// effect.
    private mutating func readBasicConstraints(
        _ element: DERElement, _ der: Span<UInt8>
    ) throws(DERError) {
        try expect(.sequence, element)
        var reader = element.reader
        layout.extensions.isCA =
            try reader.nextIfPresent(.boolean, in: der)?.boolean(in: der) ?? false
        if !reader.isAtEnd {
            layout.extensions.pathLength = try reader.next(.integer, in: der)
                .nonNegativeInteger(in: der)
        }
        try reader.finish()
    }

    /// Reads nameConstraints (section 4.2.1.10): permitted subtrees, excluded subtrees or both,
    /// each with at least one subtree.
    private mutating func readNameConstraints(
        _ element: DERElement, _ der: Span<UInt8>
    ) throws(DERError) {
        var reader = try list(element)
        for number in 0...1 as ClosedRange<UInt8> {
            guard let subtrees = try reader.nextIfPresent(.constructed(number), in: der) else {
                continue
            }
            var subtree = subtrees.reader
            guard !subtree.isAtEnd else { throw DERError(.emptySequence, at: subtrees.start) }
            while !subtree.isAtEnd {
                var fields = try subtree.next(.sequence, in: der).reader
                _ = try GeneralName(fields.next(in: der), in: der)
                _ = try fields.nextIfPresent(.primitive(0), in: der)?.nonNegativeInteger(in: der)
                _ = try fields.nextIfPresent(.primitive(1), in: der)?.nonNegativeInteger(in: der)
                try fields.finish()
            }
        }
        try reader.finish()
        layout.extensions.nameConstraints = element.content
    }

    /// Reads certificatePolicies (section 4.2.1.4): policies with optional qualifiers, no policy
    /// twice. At most 256 policies, because each is compared with the policies before it.
    private mutating func readCertificatePolicies(
        _ element: DERElement, _ der: Span<UInt8>
    ) throws(DERError) {
        var reader = try listOrNone(element)
        var count = 0
        while !reader.isAtEnd {
            count += 1
            guard count <= 256 else { throw DERError(.tooManyPolicies, at: element.start) }
            let information = try reader.next(.sequence, in: der)
            var fields = information.reader
            let policy = try fields.next(.objectIdentifier, in: der)
            try ObjectIdentifier.check(policy, in: der)
            if !fields.isAtEnd {
                var qualifiers = try list(fields.next(in: der))
                while !qualifiers.isAtEnd {
                    var qualifier = try qualifiers.next(.sequence, in: der).reader
                    let identifier = try qualifier.next(.objectIdentifier, in: der)
                    try ObjectIdentifier.check(identifier, in: der)
                    switch ObjectIdentifier.code(identifier.content, in: der) {
                    case ObjectIdentifier.policyQualifierCPS,
                        ObjectIdentifier.policyQualifierNotice:
                        break
                    default: hasUnknownQualifier = true
                    }
                    _ = try qualifier.next(in: der)
                    try qualifier.finish()
                }
            }
            try fields.finish()
            var earlier = DERReader(
                ByteRange(
                    start: element.contentStart, count: information.start - element.contentStart))
            while !earlier.isAtEnd {
                work.comparisons += 1 + policy.count / 32
                var other = try earlier.next(.sequence, in: der).reader
                let identifier = try other.next(.objectIdentifier, in: der)
                guard
                    !der.extracting(identifier.content.indices)
                        .octetsEqual(der.extracting(policy.content.indices))
                else { throw DERError(.duplicatePolicy, at: policy.start) }
            }
        }
        layout.extensions.certificatePolicies = element.content
    }

    /// Reads policyMappings (section 4.2.1.5).
    private mutating func readPolicyMappings(
        _ element: DERElement, _ der: Span<UInt8>
    ) throws(DERError) {
        var reader = try list(element)
        while !reader.isAtEnd {
            var pair = try reader.next(.sequence, in: der).reader
            try ObjectIdentifier.check(pair.next(.objectIdentifier, in: der), in: der)
            try ObjectIdentifier.check(pair.next(.objectIdentifier, in: der), in: der)
            try pair.finish()
        }
        layout.extensions.policyMappings = element.content
    }

    /// Reads policyConstraints (section 4.2.1.11), which holds at least one of its two counts.
    private mutating func readPolicyConstraints(
        _ element: DERElement, _ der: Span<UInt8>
    ) throws(DERError) {
        var reader = try list(element)
        if let count = try reader.nextIfPresent(.primitive(0), in: der) {
            layout.extensions.requireExplicitPolicy = try count.nonNegativeInteger(in: der)
        }
        if let count = try reader.nextIfPresent(.primitive(1), in: der) {
            layout.extensions.inhibitPolicyMapping = try count.nonNegativeInteger(in: der)
        }
        try reader.finish()
    }

    /// Reads authorityKeyIdentifier (section 4.2.1.1). `identifier` is the keyIdentifier, empty
    /// when absent. Issuer and serial number are both present or both absent.
    static func readKeyIdentifier(
        _ element: DERElement, _ der: Span<UInt8>
    ) throws(DERError) -> (identifier: ByteRange, namesIssuer: Bool) {
        guard element.tag == .sequence else {
            throw DERError(.unexpectedTag, at: element.start)
        }
        var reader = element.reader
        let identifier = try reader.nextIfPresent(.primitive(0), in: der)
        let issuer = try reader.nextIfPresent(.constructed(1), in: der)
        if let issuer { try GeneralNameReader.check(issuer, in: der) }
        let serial = try reader.nextIfPresent(.primitive(2), in: der)
        try serial?.checkInteger(in: der)
        try reader.finish()
        guard (issuer == nil) == (serial == nil) else {
            throw DERError(.missingElement, at: element.start)
        }
        return (identifier?.content ?? ByteRange(start: 0, count: 0), issuer != nil)
    }

    /// Reads cRLDistributionPoints (section 4.2.1.13). A point may hold a name, reasons and a CRL
    /// issuer, and holds at least a name or a CRL issuer.
    private mutating func readDistributionPoints(
        _ element: DERElement, _ der: Span<UInt8>
    ) throws(DERError) {
        var reader = try list(element)
        while !reader.isAtEnd {
            let point = try reader.next(.sequence, in: der)
            var fields = point.reader
            let name = try fields.nextIfPresent(.constructed(0), in: der)
            if let name { _ = try DistributionPointName.read(name, in: der) }
            _ = try fields.nextIfPresent(.primitive(1), in: der)?.namedBits(in: der)
            let issuer = try fields.nextIfPresent(.constructed(2), in: der)
            if let issuer { try GeneralNameReader.check(issuer, in: der) }
            try fields.finish()
            guard name != nil || issuer != nil else {
                throw DERError(.missingElement, at: point.start)
            }
        }
        layout.extensions.crlDistributionPoints = element.content
    }

    /// Reads authorityInfoAccess (section 4.2.2.1).
    private mutating func readAccessDescriptions(
        _ element: DERElement, _ der: Span<UInt8>
    ) throws(DERError) {
        var reader = try listOrNone(element)
        while !reader.isAtEnd {
            var fields = try reader.next(.sequence, in: der).reader
            try ObjectIdentifier.check(fields.next(.objectIdentifier, in: der), in: der)
            _ = try GeneralName(fields.next(in: der), in: der)
            try fields.finish()
        }
        layout.extensions.authorityInfoAccess = element.content
    }
}
