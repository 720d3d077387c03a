/// One entry of a CRL's revokedCertificates (RFC 5280 section 5.1.2.6). It is read when a caller
/// asks for it.
package struct RevocationEntry: Hashable, Sendable, BitwiseCopyable {
    /// Offset of the entry's SEQUENCE in the CRL.
    package let start: Int
    /// Content octets of the serial number, as encoded.
    package let serial: ByteRange
    /// The instant of the revocation.
    package let date: UTCInstant
    /// reasonCode; `unspecified` when absent.
    package var reason = RevocationReason.unspecified
    /// The instant since when the key or the certificate is thought to be compromised or invalid;
    /// nil when absent.
    package var invalidityDate: UTCInstant?
    /// Content of the GeneralNames of certificateIssuer; empty when absent. The issuer holds for
    /// this entry and for the entries after it, up to the next entry with a certificateIssuer
    /// (section 5.3.3).
    package var certificateIssuer = ByteRange(start: 0, count: 0)
    /// The first critical extension of the entry that the engine does not know: content octets of
    /// its identifier, empty when there is none.
    package var unknownCritical = ByteRange(start: 0, count: 0)

    /// Reads one entry. An entry of a version 1 CRL has no extensions.
    ///
    /// The extensions of section 5.3 are understood whether they are critical or not.
    /// holdInstructionCode, which RFC 5280 dropped, is skipped.
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
        var extensions = try ExtensionReader(sequence, atMost: ExtensionReader.maximumOfEntry)
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

    /// Whether the entry has extensions. Version 1 forbids them.
    static func hasExtensions(
        _ element: DERElement, in bytes: Span<UInt8>
    ) throws(DERError) -> Bool {
        var fields = element.reader
        _ = try fields.next(in: bytes)
        _ = try fields.next(in: bytes)
        return !fields.isAtEnd
    }
}
