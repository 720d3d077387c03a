/// Reads a certificate's DER into a `CertificateLayout` (RFC 5280 section 4.1).
///
/// The parser remembers the field that it is reading. So inner functions throw a plain `DERError`,
/// and one function makes a `CertificateError` of it. Memory is allocated only when parsing fails.
///
/// *Deviations*, each because certificates in use need it: a BOOLEAN that is FALSE by default may
/// be written out (`critical`, `cA`); a serial number may be zero, negative or longer than 20
/// octets (RFC 5280 section 4.1.2.2 asks users to cope; `StandardRules` judges serial numbers on a
/// path); a SET OF need not be sorted.
package struct CertificateParser {
    /// Octets of the largest certificate that the engine reads.
    package static let maximumSize = DistinguishedName.maximumSize
    /// The most extensions that a certificate may have.
    package static let maximumExtensions = 64

    /// The name of the field that holds the subject's key.
    static let publicKeyField: StaticString = "tbsCertificate.subjectPublicKeyInfo"

    /// The field being read, in RFC 5280's words.
    var field: StaticString = "certificate"
    var layout = CertificateLayout()
    /// The work, without the reading of each octet once.
    var work = ReadingWork()
    /// Whether the last extension was certificatePolicies with a qualifier that RFC 5280 does not
    /// define.
    var hasUnknownQualifier = false

    /// Parses one certificate. `der` holds the certificate and nothing else.
    ///
    /// - Throws: `CertificateError`, which names the field, the reason and the offset.
    package static func parse(_ der: Span<UInt8>) throws(CertificateError) -> CertificateLayout {
        var parser = CertificateParser()
        do {
            try parser.read(der)
            parser.layout.readingUnits = UInt16(clamping: parser.work.units)
            return parser.layout
        } catch {
            throw CertificateError(
                field: parser.field.description, reason: error.problem.rawValue,
                offset: error.offset)
        }
    }

    /// The subject of octets that are not a certificate that can be read, cut off ones included: a
    /// Name with tag and length. Nil where the octets before it, or the Name itself, cannot be
    /// read.
    package static func subject(ofUnreadable der: Span<UInt8>) -> [UInt8]? {
        guard der.count <= maximumSize, let tbs = contentStart(at: 0, der),
            let fields = contentStart(at: tbs, der)
        else { return nil }
        var reader = DERReader(ByteRange(start: fields, count: der.count - fields))
        do {
            _ = try reader.nextIfPresent(.constructed(0), in: der)
            _ = try reader.next(.integer, in: der)
            for _ in ["signature", "issuer", "validity"] { _ = try reader.next(.sequence, in: der) }
            let subject = try reader.next(.sequence, in: der)
            try DistinguishedName.check(subject, in: der)
            return der.copied(subject.whole)
        } catch {
            return nil
        }
    }

    /// Where the content of a SEQUENCE begins, whether or not the octets hold it whole; nil where
    /// no SEQUENCE begins.
    private static func contentStart(at start: Int, _ der: Span<UInt8>) -> Int? {
        guard start + 1 < der.count, der[start] == 0x30 else { return nil }
        let first = Int(der[start + 1])
        let content = start + 2 + (first >= 0x80 ? first - 0x80 : 0)
        return first <= 0x84 && content <= der.count ? content : nil
    }

    private mutating func read(_ der: Span<UInt8>) throws(DERError) {
        guard der.count <= CertificateParser.maximumSize else {
            throw DERError(.tooLarge, at: CertificateParser.maximumSize)
        }
        var outer = DERReader(der)
        var certificate = try outer.next(.sequence, in: der).reader
        try outer.finish()
        field = "tbsCertificate"
        let tbs = try certificate.next(.sequence, in: der)
        layout.tbs = tbs.whole
        field = "signatureAlgorithm"
        layout.outerAlgorithm = try CertificateParser.readAlgorithm(&certificate, der)
        layout.signatureAlgorithm = SignatureAlgorithm.parse(
            algorithmIdentifier: der.extracting(layout.outerAlgorithm.indices))
        field = "signatureValue"
        layout.signature = try certificate.next(.bitString, in: der).wholeOctets(in: der)
        field = "certificate"
        try certificate.finish()
        try readTBS(tbs, der)
    }

    private mutating func readTBS(_ tbs: DERElement, _ der: Span<UInt8>) throws(DERError) {
        var reader = tbs.reader
        field = "tbsCertificate.version"
        try readVersion(&reader, der)
        field = "tbsCertificate.serialNumber"
        let serial = try reader.next(.integer, in: der)
        try serial.checkInteger(in: der)
        layout.serial = serial.content
        field = "tbsCertificate.signature"
        try readInnerAlgorithm(&reader, der)
        field = "tbsCertificate.issuer"
        (layout.issuer, layout.issuerHash) = try CertificateParser.readName(
            &reader, der, work: &work)
        field = "tbsCertificate.validity"
        var validity = try reader.next(.sequence, in: der).reader
        field = "tbsCertificate.validity.notBefore"
        layout.notBefore = try ASN1Time.instant(validity.next(in: der), in: der)
        field = "tbsCertificate.validity.notAfter"
        layout.notAfter = try ASN1Time.instant(validity.next(in: der), in: der)
        try validity.finish()
        field = "tbsCertificate.subject"
        (layout.subject, layout.subjectHash) = try CertificateParser.readName(
            &reader, der, work: &work)
        layout.isSelfIssued =
            layout.issuerHash == layout.subjectHash
            && DistinguishedName.isEqual(
                der.extracting(layout.issuer.indices), der.extracting(layout.subject.indices),
                work: &work)
        field = CertificateParser.publicKeyField
        try readPublicKey(&reader, der)
        field = "tbsCertificate.issuerUniqueID"
        try skipUniqueID(.primitive(1), &reader, der)
        field = "tbsCertificate.subjectUniqueID"
        try skipUniqueID(.primitive(2), &reader, der)
        field = "tbsCertificate.extensions"
        if let extensions = try reader.nextIfPresent(.constructed(3), in: der) {
            guard layout.version == 3 else {
                throw DERError(.versionTooLowForExtensions, at: extensions.start)
            }
            try readExtensions(extensions, der)
        }
        field = "tbsCertificate"
        try reader.finish()
    }

    /// Reads the version: `[0] EXPLICIT INTEGER DEFAULT v1`. DER forbids that the default is
    /// written.
    private mutating func readVersion(
        _ reader: inout DERReader, _ der: Span<UInt8>
    ) throws(DERError) {
        guard let element = try reader.nextIfPresent(.constructed(0), in: der) else { return }
        var inner = element.reader
        let value = try inner.next(.integer, in: der).nonNegativeInteger(in: der)
        try inner.finish()
        switch value {
        case 0: throw DERError(.defaultVersion, at: element.start)
        case 1: layout.version = 2
        case 2: layout.version = 3
        default: throw DERError(.badVersion, at: element.start)
        }
    }

    /// Reads the structure of an AlgorithmIdentifier: an identifier and at most one value of
    /// parameters.
    static func readAlgorithm(
        _ reader: inout DERReader, _ der: Span<UInt8>
    ) throws(DERError) -> ByteRange {
        let algorithm = try reader.next(.sequence, in: der)
        var inner = algorithm.reader
        try ObjectIdentifier.check(inner.next(.objectIdentifier, in: der), in: der)
        if !inner.isAtEnd { _ = try inner.next(in: der) }
        try inner.finish()
        return algorithm.whole
    }

    /// Reads the AlgorithmIdentifier inside the TBSCertificate. Where it equals the outer one octet
    /// by octet, as it must, its structure was read there.
    private mutating func readInnerAlgorithm(
        _ reader: inout DERReader, _ der: Span<UInt8>
    ) throws(DERError) {
        var ahead = reader
        let algorithm = try ahead.next(.sequence, in: der)
        layout.algorithmsAgree = der.extracting(algorithm.whole.indices)
            .octetsEqual(der.extracting(layout.outerAlgorithm.indices))
        if layout.algorithmsAgree {
            reader = ahead
        } else {
            _ = try CertificateParser.readAlgorithm(&reader, der)
        }
    }

    static func readName(
        _ reader: inout DERReader, _ der: Span<UInt8>, work: inout ReadingWork
    ) throws(DERError) -> (range: ByteRange, hash: UInt64) {
        let name = try reader.next(.sequence, in: der)
        let hash = try DistinguishedName.checkedHash(name, in: der, work: &work)
        return (name.whole, hash)
    }

    private mutating func readPublicKey(
        _ reader: inout DERReader, _ der: Span<UInt8>
    ) throws(DERError) {
        let element = try reader.next(.sequence, in: der)
        do {
            layout.publicKey = try PublicKey.parse(
                spki: der.extracting(element.whole.indices), at: element.start)
        } catch {
            throw DERError(error.problem, at: error.offset + element.start)
        }
    }

    /// Skips a unique identifier. RFC 5280 section 4.1.2.8 asks readers to be prepared for it and
    /// to make no use of it.
    private mutating func skipUniqueID(
        _ tag: DERTag, _ reader: inout DERReader, _ der: Span<UInt8>
    ) throws(DERError) {
        guard let element = try reader.nextIfPresent(tag, in: der) else { return }
        guard layout.version >= 2 else {
            throw DERError(.versionTooLowForUniqueIDs, at: element.start)
        }
        _ = try element.namedBits(in: der)
        layout.hasUniqueIdentifiers = true
    }
}
