/// One entry of a CRL's revokedCertificates (RFC 5280 section 5.1.2.6), as a caller reads it on demand.
package struct RevocationEntry: Hashable, Sendable, BitwiseCopyable {
    /// Offset of the entry's SEQUENCE in the CRL.
    package let start: Int
    /// Content octets of the serial number, as encoded.
    package let serial: ByteRange
    /// revocationDate.
    package let date: UTCInstant
    /// reasonCode; `unspecified` when absent.
    package var reason = RevocationReason.unspecified
    /// invalidityDate, when the key or the certificate is thought to have gone bad.
    package var invalidityDate: UTCInstant?
    /// Content of the GeneralNames of certificateIssuer, which holds for this entry and those that
    /// follow up to the next one (section 5.3.3); empty when absent.
    package var certificateIssuer = ByteRange(start: 0, count: 0)
    /// Content octets of the first critical extension that nobody here knows; empty when there is none.
    package var unknownCritical = ByteRange(start: 0, count: 0)

    /// Reads one entry. Version 1 has no extensions.
    ///
    /// Critical or not, the extensions of section 5.3 are understood; holdInstructionCode, which RFC
    /// 5280 dropped, is read past.
    package static func read(
        _ element: DERElement, in bytes: Span<UInt8>
    ) throws(DERError) -> RevocationEntry {
        var fields = element.reader
        let serial = try fields.next(.integer, in: bytes)
        try serial.checkInteger(in: bytes)
        let date = try ASN1Time.instant(fields.next(in: bytes), in: bytes)
        var entry = RevocationEntry(start: element.start, serial: serial.content, date: date)
        guard !fields.isAtEnd else { return entry }
        let extensions = try fields.next(.sequence, in: bytes)
        try fields.finish()
        try entry.readExtensions(extensions, in: bytes)
        return entry
    }

    private mutating func readExtensions(
        _ sequence: DERElement, in bytes: Span<UInt8>
    ) throws(DERError) {
        var extensions = try ExtensionReader(sequence)
        while let item = try extensions.next(in: bytes) {
            switch item.code {
            case ObjectIdentifier.reasonCode:
                reason = try RevocationReason.read(item.element(.enumerated, in: bytes), in: bytes)
            case ObjectIdentifier.invalidityDate:
                invalidityDate = try ASN1Time.instant(
                    item.element(.generalizedTime, in: bytes), in: bytes)
            case ObjectIdentifier.certificateIssuer:
                let names = try item.element(.sequence, in: bytes)
                try GeneralNameReader.check(names, in: bytes)
                certificateIssuer = names.content
            case ObjectIdentifier.holdInstruction:
                try ObjectIdentifier.check(item.element(.objectIdentifier, in: bytes), in: bytes)
            default:
                if item.isCritical, unknownCritical.isEmpty { unknownCritical = item.identifier }
            }
        }
    }

    /// Whether the entry has extensions at all, which version 1 forbids.
    static func hasExtensions(
        _ element: DERElement, in bytes: Span<UInt8>
    ) throws(DERError) -> Bool {
        var fields = element.reader
        _ = try fields.next(in: bytes)
        _ = try fields.next(in: bytes)
        return !fields.isAtEnd
    }
}
