// Values of a parsed certificate that are read from its octets on demand.
extension Certificate {
    /// The subject as an RFC 4514 string. The text is raw: renderers escape it.
    public var subjectText: String {
        DistinguishedName.text(der.span.extracting(layout.subject.indices))
    }

    /// The issuer as an RFC 4514 string. The text is raw: renderers escape it.
    public var issuerText: String {
        DistinguishedName.text(der.span.extracting(layout.issuer.indices))
    }

    /// First second of the validity period.
    public var notBefore: UTCInstant { layout.notBefore }

    /// Last second of the validity period.
    public var notAfter: UTCInstant { layout.notAfter }

    /// Whether the issuer and the subject are the same name (RFC 5280 section 3.2). The property
    /// says nothing about who signed the certificate.
    public var isSelfIssued: Bool { layout.isSelfIssued }

    /// Whether the certificate is self-issued and of version 1, which has no extensions and so
    /// cannot say that it is a CA.
    package var isRootOfVersion1: Bool { layout.version == 1 && isSelfIssued }

    /// Whether this certificate's issuer is the subject of another certificate. Only the names are
    /// compared; the signature is not verified. An evaluation compares names by the function of the
    /// same name that takes a budget.
    package func isIssued(byNameOf issuer: Certificate) -> Bool {
        guard layout.issuerHash == issuer.layout.subjectHash else { return false }
        return DistinguishedName.isEqual(
            der.span.extracting(layout.issuer.indices),
            issuer.der.span.extracting(issuer.layout.subject.indices))
    }

    /// Whether this certificate and another have the same subject and the same key. The subjects
    /// are compared by the hashes of their comparison forms. So different subjects whose hashes
    /// collide count as equal only when the keys are equal.
    package func hasNameAndKey(of other: Certificate) -> Bool {
        layout.subjectHash == other.layout.subjectHash && hasKey(of: other)
    }

    /// Whether this certificate and another have the same key, in whatever encoding: the same
    /// numbers of RSA, the same point of a curve, the same octets of any other key.
    package func hasKey(of other: Certificate) -> Bool {
        guard canonicalSPKI == nil, other.canonicalSPKI == nil else {
            return keyOctets == other.keyOctets
        }
        return der.span.extracting(layout.publicKey.spki.indices)
            .octetsEqual(other.der.span.extracting(other.layout.publicKey.spki.indices))
    }

    /// The SubjectPublicKeyInfo in the canonical encoding of its key: equal for equal keys.
    package var keyOctets: [UInt8] { canonicalSPKI ?? spkiBytes }

    /// Whether the two algorithm identifiers of the certificate are equal octet by octet (RFC 5280
    /// section 4.1.1.2).
    package var algorithmsAgree: Bool { layout.algorithmsAgree }

    /// The SubjectPublicKeyInfo, tag and length included. An SPKI pin is a hash of these octets.
    public var spkiBytes: [UInt8] { der.span.copied(layout.publicKey.spki) }

    /// The content octets of the serial number, as encoded.
    public var serialBytes: [UInt8] { der.span.copied(layout.serial) }

    /// Whether the certificate allows every key purpose: the extended key usage is absent or names
    /// anyExtendedKeyUsage (RFC 5280 section 4.2.1.12).
    package var allowsAnyPurpose: Bool {
        !layout.extensions.present.contains(.extendedKeyUsage)
            || names(purpose: ObjectIdentifier.anyExtendedKeyUsage)
    }

    /// Whether the certificate allows a key purpose: its extended key usage names the purpose, or
    /// it allows every purpose. `purpose` is an identifier's content octets.
    package func allows(purpose: [UInt8]) -> Bool {
        allowsAnyPurpose || names(purpose: purpose)
    }

    /// Whether the extended key usage itself names a key purpose. `purpose` is an identifier's
    /// content octets.
    package func names(purpose: [UInt8]) -> Bool {
        var reader = DERReader(layout.extensions.extendedKeyUsage)
        while let element = try? reader.next(.objectIdentifier, in: der.span) {
            if der.span.extracting(element.content.indices).octetsEqual(purpose) { return true }
        }
        return false
    }

    /// Cost units of one walk over the key purposes; 0 for lists in use.
    package var purposeUnits: Int { Int(layout.extensions.extendedKeyUsage.count) / 512 }

    /// Cost units of one walk over each list that the checks of a path walk without asking a
    /// budget: key purposes, distribution points, access locations and TLS features; 0 for lists in
    /// use.
    package var listUnits: Int {
        let extensions = layout.extensions
        return
            Int(
                extensions.extendedKeyUsage.count + extensions.crlDistributionPoints.count
                    + extensions.authorityInfoAccess.count + extensions.tlsFeatures.count) / 512
    }

    /// The key purposes of the extended key usage, in its order. Each is RFC 5280's name
    /// (`serverAuth`), or the dotted identifier where RFC 5280 has no name. Empty when the
    /// extension is absent. At most 32 purposes, then `…`.
    package var purposeNames: [String] {
        var names: [String] = []
        var reader = DERReader(layout.extensions.extendedKeyUsage)
        while let element = try? reader.next(.objectIdentifier, in: der.span) {
            guard names.count < 32 else { return names + ["…"] }
            names.append(
                ObjectIdentifier.purposeName(der.span.extracting(element.content.indices)))
        }
        return names
    }

    /// The first critical extension that the engine does not know, as a dotted identifier; nil when
    /// there is none.
    package var unknownCriticalExtension: String? {
        let range = layout.extensions.unknownCritical
        guard !range.isEmpty else { return nil }
        return ObjectIdentifier.text(of: der.span.extracting(range.indices))
    }
}

extension ObjectIdentifier {
    /// The key purposes that RFC 5280 section 4.2.1.12 names.
    package static let purposes: [(name: String, content: [UInt8])] = [
        ("serverAuth", serverAuth), ("clientAuth", clientAuth), ("codeSigning", codeSigning),
        ("emailProtection", emailProtection), ("timeStamping", timeStamping),
        ("OCSPSigning", ocspSigning), ("anyExtendedKeyUsage", anyExtendedKeyUsage),
    ]

    /// RFC 5280's name of a key purpose, or the dotted identifier where RFC 5280 has no name.
    package static func purposeName(_ content: Span<UInt8>) -> String {
        for purpose in purposes where content.octetsEqual(purpose.content) { return purpose.name }
        return text(of: content)
    }
}
