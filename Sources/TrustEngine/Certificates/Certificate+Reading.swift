// What callers ask of a parsed certificate, read from its octets on demand.
extension Certificate {
    /// The subject as an RFC 4514 string, raw: renderers escape it.
    public var subjectText: String {
        DistinguishedName.text(der.span.extracting(layout.subject.indices))
    }

    /// The issuer as an RFC 4514 string, raw: renderers escape it.
    public var issuerText: String {
        DistinguishedName.text(der.span.extracting(layout.issuer.indices))
    }

    /// First second of the validity period.
    public var notBefore: UTCInstant { layout.notBefore }

    /// Last second of the validity period.
    public var notAfter: UTCInstant { layout.notAfter }

    /// Whether issuer and subject are the same name (RFC 5280 section 3.2); says nothing about who
    /// signed.
    public var isSelfIssued: Bool {
        guard layout.issuerHash == layout.subjectHash else { return false }
        return DistinguishedName.isEqual(
            der.span.extracting(layout.issuer.indices),
            der.span.extracting(layout.subject.indices))
    }

    /// Whether this certificate's issuer is the subject of another: the names only, no signature.
    package func isIssued(byNameOf issuer: Certificate) -> Bool {
        guard layout.issuerHash == issuer.layout.subjectHash else { return false }
        return DistinguishedName.isEqual(
            der.span.extracting(layout.issuer.indices),
            issuer.der.span.extracting(issuer.layout.subject.indices))
    }

    /// Whether another certificate has this one's subject, by the hash of its comparison form, and
    /// this one's key, octet by octet. Names whose hashes collide count as one only under one key.
    package func hasNameAndKey(of other: Certificate) -> Bool {
        layout.subjectHash == other.layout.subjectHash
            && der[layout.publicKey.spki.indices] == other.der[other.layout.publicKey.spki.indices]
    }

    /// Whether the two algorithm identifiers agree octet by octet (RFC 5280 section 4.1.1.2).
    package var algorithmsAgree: Bool {
        der.span.extracting(layout.innerAlgorithm.indices)
            .octetsEqual(der.span.extracting(layout.outerAlgorithm.indices))
    }

    /// The SubjectPublicKeyInfo, tag and length included: what SPKI pins hash.
    public var spkiBytes: [UInt8] { der.span.copied(layout.publicKey.spki) }

    /// The serial number's content octets as encoded.
    public var serialBytes: [UInt8] { der.span.copied(layout.serial) }

    /// Whether the extended key usage limits nothing: it is absent, or names anyExtendedKeyUsage
    /// (RFC 5280 section 4.2.1.12).
    package var allowsAnyPurpose: Bool {
        !layout.extensions.present.contains(.extendedKeyUsage)
            || names(purpose: ObjectIdentifier.anyExtendedKeyUsage)
    }

    /// Whether a purpose, given as an identifier's content octets, is allowed: named, or nothing is
    /// limited.
    package func allows(purpose: [UInt8]) -> Bool {
        allowsAnyPurpose || names(purpose: purpose)
    }

    /// Whether the extended key usage names a purpose itself.
    package func names(purpose: [UInt8]) -> Bool {
        var reader = DERReader(layout.extensions.extendedKeyUsage)
        while let element = try? reader.next(.objectIdentifier, in: der.span) {
            if der.span.extracting(element.content.indices).octetsEqual(purpose) { return true }
        }
        return false
    }

    /// The purposes of the extended key usage in their order, by RFC 5280's names (`serverAuth`), or
    /// dotted where it has none; empty when the extension is absent. At most 32, then `…`.
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

    /// Dotted text of the first critical extension that the engine does not know, or nil.
    package var unknownCriticalExtension: String? {
        let range = layout.extensions.unknownCritical
        guard !range.isEmpty else { return nil }
        return ObjectIdentifier.text(of: der.span.extracting(range.indices))
    }
}

extension ObjectIdentifier {
    /// The purposes that RFC 5280 section 4.2.1.12 names.
    package static let purposes: [(name: String, content: [UInt8])] = [
        ("serverAuth", serverAuth), ("clientAuth", clientAuth), ("codeSigning", codeSigning),
        ("emailProtection", emailProtection), ("timeStamping", timeStamping),
        ("OCSPSigning", ocspSigning), ("anyExtendedKeyUsage", anyExtendedKeyUsage),
    ]

    /// RFC 5280's name of a purpose, or its dotted text.
    package static func purposeName(_ content: Span<UInt8>) -> String {
        for purpose in purposes where content.octetsEqual(purpose.content) { return purpose.name }
        return text(of: content)
    }
}
