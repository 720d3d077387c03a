/// Finds the entries of a CRL by serial number without making them into values: offsets of all entries,
/// sorted by serial number, each beside 32 bits of it, eight octets in all, and a directory over these.
/// A CRL of 300,000 entries takes 2.5 MB beside its own 10 MB. Few questions look at more of the CRL than
/// the entry that answers them.
package struct RevocationIndex: Sendable {
    /// The directory's key of each entry above its offset. INVARIANT: sorted by the content octets of
    /// their serial numbers; equal ones in their order in the CRL.
    private let places: [UInt64]
    private let directory: SerialDirectory
    /// Where the issuer of entries changes, for an indirect CRL (RFC 5280 section 5.3.3), sorted by
    /// offset.
    private let issuers: [IssuerChange]

    private struct IssuerChange {
        /// Offset of the first entry it holds for.
        let entry: UInt32
        /// Content of its certificateIssuer.
        let names: ByteRange
    }

    /// Indexes a CRL. Cost: sorting; four times the index in memory while that lasts.
    package init(_ list: CertificateRevocationList) {
        let der = list.der
        var keys: [(prefix: UInt64, offset: UInt32)] = []
        keys.reserveCapacity(list.layout.entryCount)
        var issuers: [IssuerChange] = []
        var reader = DERReader(list.layout.entries)
        while let element = try? reader.next(.sequence, in: der.span) {
            let serial = RevocationIndex.serial(at: element.start, in: der.span)
            keys.append(
                (
                    RevocationIndex.prefix(of: serial, in: der.span),
                    UInt32(truncatingIfNeeded: element.start)
                ))
            if list.layout.isIndirect, let entry = try? RevocationEntry.read(element, in: der.span),
                !entry.certificateIssuer.isEmpty
            {
                issuers.append(
                    IssuerChange(
                        entry: UInt32(truncatingIfNeeded: element.start),
                        names: entry.certificateIssuer))
            }
        }
        keys.sort { left, right in
            guard left.prefix == right.prefix else { return left.prefix < right.prefix }
            let bytes = der.span
            let order = RevocationIndex.compare(
                RevocationIndex.serial(at: Int(left.offset), in: bytes), bytes,
                RevocationIndex.serial(at: Int(right.offset), in: bytes), bytes)
            return order == 0 ? left.offset < right.offset : order < 0
        }
        let directory = SerialDirectory(count: keys.count, in: der) {
            RevocationIndex.serial(at: Int(keys[$0].offset), in: der.span)
        }
        self.places = keys.map { entry in
            let bytes = der.span
            let serial = RevocationIndex.serial(at: Int(entry.offset), in: bytes)
            let key = directory.key(of: bytes.extracting(serial.indices)) ?? 0
            return UInt64(key) << 32 | UInt64(entry.offset)
        }
        self.directory = directory
        self.issuers = issuers
    }

    /// How many entries are indexed.
    package var count: Int { places.count }

    /// Place of the first entry whose serial number has these content octets; any other place when none
    /// has.
    package func firstPlace(of serial: Span<UInt8>, in bytes: Span<UInt8>) -> Int {
        guard let key = directory.key(of: serial) else { return places.count }
        let wanted = ByteRange(start: 0, count: serial.count)
        let range = directory.places(of: key)
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = low + (high - low) / 2
            let found = RevocationIndex.key(places[middle])
            let isBefore =
                found == key
                ? RevocationIndex.compare(
                    RevocationIndex.serial(at: offset(middle), in: bytes), bytes, wanted, serial)
                    < 0
                : found < key
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Offset of the entry at a place, if it has a serial number; nil otherwise and past the end.
    package func offset(
        at place: Int, ifSerial serial: Span<UInt8>, in bytes: Span<UInt8>
    ) -> Int? {
        guard place < places.count, RevocationIndex.key(places[place]) == directory.key(of: serial)
        else { return nil }
        let found = RevocationIndex.serial(at: offset(place), in: bytes)
        return bytes.extracting(found.indices).octetsEqual(serial) ? offset(place) : nil
    }

    private func offset(_ place: Int) -> Int {
        Int(truncatingIfNeeded: places[place] & 0xFFFF_FFFF)
    }

    private static func key(_ place: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: place >> 32) }

    /// Content of the certificateIssuer that holds for the entry at an offset; empty where that is the
    /// CRL's own issuer.
    package func issuer(ofEntryAt offset: Int) -> ByteRange {
        var low = 0
        var high = issuers.count
        while low < high {
            let middle = low + (high - low) / 2
            if Int(issuers[middle].entry) <= offset { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? ByteRange(start: 0, count: 0) : issuers[low - 1].names
    }

    /// The serial number of the entry at an offset; the entry was read before, so that its lengths fit.
    static func serial(at offset: Int, in bytes: Span<UInt8>) -> ByteRange {
        // A search asks this of every entry that it touches: nearly all are short, and so is the number.
        let length = Int(bytes[offset + 1])
        let number = offset + 2 + (length < 0x80 ? 0 : length & 0x7F)
        let count = Int(bytes[number + 1])
        if count < 0x80 { return ByteRange(start: number + 2, count: count) }
        var reader = DERReader(ByteRange(start: number, count: bytes.count - number))
        guard let serial = try? reader.next(.integer, in: bytes) else {
            return ByteRange(start: offset, count: 0)
        }
        return serial.content
    }

    /// The first eight octets as a number, zeros behind: it decides nearly every comparison.
    private static func prefix(of serial: ByteRange, in bytes: Span<UInt8>) -> UInt64 {
        var prefix: UInt64 = 0
        let indices = serial.indices
        for place in 0..<8 {
            let index = indices.lowerBound + place
            prefix = prefix << 8 | (index < indices.upperBound ? UInt64(bytes[index]) : 0)
        }
        return prefix
    }

    /// Lexicographic order of octets: below zero, zero or above it.
    private static func compare(
        _ left: ByteRange, _ leftBytes: Span<UInt8>, _ right: ByteRange, _ rightBytes: Span<UInt8>
    ) -> Int {
        let common = Int(min(left.count, right.count))
        for place in 0..<common {
            let mine = leftBytes[Int(left.start) + place]
            let theirs = rightBytes[Int(right.start) + place]
            if mine != theirs { return mine < theirs ? -1 : 1 }
        }
        return Int(left.count) - Int(right.count)
    }
}
