/// A PKCS #10 certification request (RFC 2986 section 4.1), read for its public key: a pin may be
/// made from a request before any certificate exists. The signature is not verified, because a pin
/// names the key and not the request.
package struct CertificationRequest: Hashable, Sendable {
    /// The octets of the request.
    package let der: [UInt8]
    /// The subject's key. Its ranges point into `der`.
    package let publicKey: PublicKey

    /// The name of the field that holds the subject's key.
    static let publicKeyField: StaticString = "certificationRequestInfo.subjectPKInfo"

    /// Parses one certification request.
    ///
    /// - Throws: `CertificateError`, which names the field, the reason and the offset.
    package init(der: [UInt8]) throws(CertificateError) {
        var field: StaticString = "certificationRequest"
        do {
            self.publicKey = try CertificationRequest.parse(der.span, &field)
        } catch {
            throw CertificateError(
                field: field.description, reason: error.problem.rawValue, offset: error.offset)
        }
        self.der = der
    }

    /// The SubjectPublicKeyInfo, tag and length included.
    package var spkiBytes: [UInt8] { der.span.copied(publicKey.spki) }

    private static func parse(
        _ der: Span<UInt8>, _ field: inout StaticString
    ) throws(DERError) -> PublicKey {
        guard der.count <= CertificateParser.maximumSize else {
            throw DERError(.tooLarge, at: CertificateParser.maximumSize)
        }
        var outer = DERReader(der)
        var request = try outer.next(.sequence, in: der).reader
        try outer.finish()
        var information = try request.next(.sequence, in: der).reader
        field = "signatureAlgorithm"
        _ = try request.next(.sequence, in: der)
        field = "signature"
        _ = try request.next(.bitString, in: der).wholeOctets(in: der)
        try request.finish()
        field = "certificationRequestInfo.version"
        let version = try information.next(.integer, in: der)
        guard try version.nonNegativeInteger(in: der) == 0 else {
            throw DERError(.badRequestVersion, at: version.start)
        }
        field = "certificationRequestInfo.subject"
        try DistinguishedName.check(information.next(.sequence, in: der), in: der)
        field = CertificationRequest.publicKeyField
        let element = try information.next(.sequence, in: der)
        let key: PublicKey
        do {
            key = try PublicKey.parse(
                spki: der.extracting(element.whole.indices), at: element.start)
        } catch {
            throw DERError(error.problem, at: error.offset + element.start)
        }
        field = "certificationRequestInfo.attributes"
        _ = try information.nextIfPresent(.constructed(0), in: der)
        try information.finish()
        return key
    }
}
