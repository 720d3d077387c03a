/// Reads a CRL's DER into a `RevocationListLayout` (RFC 5280 section 5.1). Memory is allocated only
/// when parsing fails, however many entries there are.
///
/// *Deviations*, the same as for certificates: a BOOLEAN that is FALSE by default may be written
/// out; a serial number may be zero, negative or longer than 20 octets; a GeneralizedTime before
/// 2050 is read.
package struct RevocationListParser {
    /// The field being read, in RFC 5280's words.
    private var field: StaticString = "certificateList"
    private var layout = RevocationListLayout()
    /// Offset of the first entry with the reason `removeFromCRL`, which only a delta CRL may have
    /// (section 5.3.1).
    private var removal: Int?
    /// Offset of the first entry that names its issuer, which only an indirect CRL may have
    /// (section 5.3.3).
    private var foreignEntry: Int?

    /// Parses one CRL. `der` holds the CRL and nothing else.
    package static func parse(_ der: Span<UInt8>) throws(EvidenceError) -> RevocationListLayout {
        var parser = RevocationListParser()
        do {
            try parser.read(der)
            return parser.layout
        } catch {
            throw EvidenceError(
                field: parser.field.description, reason: error.problem.rawValue,
                offset: error.offset)
        }
    }

    private mutating func read(_ der: Span<UInt8>) throws(DERError) {
        guard der.count <= CertificateRevocationList.maximumSize else {
            throw DERError(.evidenceTooLarge, at: CertificateRevocationList.maximumSize)
        }
        var outer = DERReader(der)
        var list = try outer.next(.sequence, in: der).reader
        try outer.finish()
        field = "tbsCertList"
        let tbs = try list.next(.sequence, in: der)
        layout.tbs = tbs.whole
        field = "signatureAlgorithm"
        layout.outerAlgorithm = try CertificateParser.readAlgorithm(&list, der)
        layout.signatureAlgorithm = SignatureAlgorithm.parse(
            algorithmIdentifier: der.extracting(layout.outerAlgorithm.indices))
        field = "signatureValue"
        layout.signature = try list.next(.bitString, in: der).wholeOctets(in: der)
        field = "certificateList"
        try list.finish()
        try readTBS(tbs, der)
    }

    private mutating func readTBS(_ tbs: DERElement, _ der: Span<UInt8>) throws(DERError) {
        var reader = tbs.reader
        field = "tbsCertList.version"
        if let version = try reader.nextIfPresent(.integer, in: der) {
            guard try version.nonNegativeInteger(in: der) == 1 else {
                throw DERError(.badListVersion, at: version.start)
            }
            layout.version = 2
        }
        field = "tbsCertList.signature"
        layout.innerAlgorithm = try CertificateParser.readAlgorithm(&reader, der)
        field = "tbsCertList.issuer"
        var work = ReadingWork()
        (layout.issuer, layout.issuerHash) = try CertificateParser.readName(
            &reader, der, work: &work)
        layout.readingUnits = UInt16(clamping: work.units)
        field = "tbsCertList.thisUpdate"
        layout.thisUpdate = try ASN1Time.instant(reader.next(in: der), in: der)
        field = "tbsCertList.nextUpdate"
        if let tag = reader.peek(in: der), tag == .utcTime || tag == .generalizedTime {
            layout.nextUpdate = try ASN1Time.instant(reader.next(in: der), in: der)
        }
        field = "tbsCertList.revokedCertificates"
        if let entries = try reader.nextIfPresent(.sequence, in: der) {
            try readEntries(entries, der)
        }
        field = "tbsCertList.crlExtensions"
        if let extensions = try reader.nextIfPresent(.constructed(0), in: der) {
            try readExtensions(extensions, der)
        }
        field = "tbsCertList"
        try reader.finish()
        field = "tbsCertList.revokedCertificates"
        if let removal, !layout.isDelta { throw DERError(.removalOutsideDelta, at: removal) }
        if let foreignEntry, !layout.isIndirect {
            throw DERError(.foreignEntryInDirectList, at: foreignEntry)
        }
    }

    /// Reads the entries. *Deviation*: an empty list is read as no entries, though section 5.1.2.6
    /// says that an empty list must be absent.
    private mutating func readEntries(
        _ sequence: DERElement, _ der: Span<UInt8>
    ) throws(DERError) {
        layout.entries = sequence.content
        var reader = sequence.reader
        while !reader.isAtEnd {
            let element = try reader.next(.sequence, in: der)
            let entry = try RevocationEntry.read(element, in: der)
            layout.entryCount += 1
            if layout.version == 1, try RevocationEntry.hasExtensions(element, in: der) {
                throw DERError(.versionTooLowForEntryExtensions, at: element.start)
            }
            if entry.reason == .removeFromCRL { removal = removal ?? element.start }
            if !entry.certificateIssuer.isEmpty { foreignEntry = foreignEntry ?? element.start }
            noteUnknownCritical(entry.unknownCritical)
        }
    }

    private mutating func noteUnknownCritical(_ identifier: ByteRange) {
        if layout.unknownCritical.isEmpty { layout.unknownCritical = identifier }
    }

    private mutating func readExtensions(
        _ wrapper: DERElement, _ der: Span<UInt8>
    ) throws(DERError) {
        guard layout.version == 2 else {
            throw DERError(.versionTooLowForListExtensions, at: wrapper.start)
        }
        var inner = wrapper.reader
        let sequence = try inner.next(.sequence, in: der)
        try inner.finish()
        var extensions = try ExtensionReader(sequence)
        while let item = try extensions.next(in: der) {
            try readExtension(item, der)
            field = "tbsCertList.crlExtensions"
        }
    }

    private mutating func readExtension(
        _ item: ExtensionReader.Item, _ der: Span<UInt8>
    ) throws(DERError) {
        switch item.code {
        case ObjectIdentifier.crlNumber:
            field = "cRLNumber"
            layout.number = try number(item, der)
        case ObjectIdentifier.deltaCRLIndicator:
            field = "deltaCRLIndicator"
            layout.deltaBase = try number(item, der)
        case ObjectIdentifier.issuingDistributionPoint:
            field = "issuingDistributionPoint"
            layout.distributionPoint = try readScope(item.element(.sequence, in: der), der)
            layout.distributionPointValue = item.value
        case ObjectIdentifier.authorityKeyIdentifier:
            field = "authorityKeyIdentifier"
            layout.authorityKeyIdentifier = try CertificateParser.readKeyIdentifier(
                item.element(.sequence, in: der), der
            ).identifier
            layout.authorityKeyValue = item.value
        case ObjectIdentifier.freshestCRL:
            field = "freshestCRL"
            let points = try item.element(.sequence, in: der)
            guard points.count > 0 else { throw DERError(.emptySequence, at: points.start) }
            var reader = DistributionPointReader(points.content)
            while try reader.next(in: der) != nil {}
            layout.freshestCRL = points.content
        case ObjectIdentifier.issuerAltName:
            field = "issuerAltName"
            try GeneralNameReader.check(item.element(.sequence, in: der), in: der)
        default:
            if item.isCritical { noteUnknownCritical(item.identifier) }
        }
    }

    /// Reads a CRL number, which is not negative and has at most 20 octets (section 5.2.3).
    private func number(
        _ item: ExtensionReader.Item, _ der: Span<UInt8>
    ) throws(DERError) -> ByteRange {
        let element = try item.element(.integer, in: der)
        try element.checkInteger(in: der)
        guard der[element.contentStart] & 0x80 == 0 else {
            throw DERError(.negativeInteger, at: element.start)
        }
        guard element.count <= 21 else { throw DERError(.listNumberTooLong, at: element.start) }
        let isPadded = der[element.contentStart] == 0
        return ByteRange(
            start: element.contentStart + (isPadded ? 1 : 0),
            count: element.count - (isPadded ? 1 : 0))
    }

    /// Reads issuingDistributionPoint (section 5.2.5): at least one field, at most one of the three
    /// kinds of contents.
    private func readScope(
        _ element: DERElement, _ der: Span<UInt8>
    ) throws(DERError) -> IssuingDistributionPoint {
        var scope = IssuingDistributionPoint()
        var reader = element.reader
        guard !reader.isAtEnd else { throw DERError(.emptySequence, at: element.start) }
        if let wrapper = try reader.nextIfPresent(.constructed(0), in: der) {
            scope.name = try DistributionPointName.read(wrapper, in: der)
        }
        try readContents(.userCertificates, 1, into: &scope, &reader, der)
        try readContents(.authorityCertificates, 2, into: &scope, &reader, der)
        if let flags = try reader.nextIfPresent(.primitive(3), in: der) {
            scope.reasons = ReasonSet(rawValue: try flags.namedBits(in: der))
        }
        scope.isIndirect =
            try reader.nextIfPresent(.primitive(4), in: der)?.boolean(in: der) ?? false
        try readContents(.attributeCertificates, 5, into: &scope, &reader, der)
        try reader.finish()
        return scope
    }

    private func readContents(
        _ contents: IssuingDistributionPoint.Contents, _ number: UInt8,
        into scope: inout IssuingDistributionPoint, _ reader: inout DERReader, _ der: Span<UInt8>
    ) throws(DERError) {
        guard let flag = try reader.nextIfPresent(.primitive(number), in: der),
            try flag.boolean(in: der)
        else { return }
        guard scope.contents == .everything else {
            throw DERError(.contradictoryScope, at: flag.start)
        }
        scope.contents = contents
    }
}
