/// Finds the entries of a CRL by serial number without making values of them. The index holds eight
/// octets for each entry: its offset and 32 bits of its serial number, sorted by serial number.
/// `SerialDirectory` narrows the search. A CRL of 300,000 entries takes 2.5 MB beside its own 10
/// MB. Few searches touch more of the CRL than the entry that they find.
package struct RevocationIndex: Sendable {
    /// For each entry the directory's key in the upper 32 bits and the entry's offset in the lower.
    /// INVARIANT (sorted by the content octets of the serial numbers): entries with equal serial
    /// numbers stand in their order in the CRL. The index of an element is the entry's rank.
    private let elements: [UInt64]
    private let directory: SerialDirectory
    /// The entries of an indirect CRL at which the certificate issuer changes (RFC 5280 section
    /// 5.3.3), sorted by offset.
    private let issuers: [IssuerChange]

    private struct IssuerChange {
        /// Offset of the first entry that the issuer holds for.
        let firstOffset: UInt32
        /// Content of the certificateIssuer of that entry.
        let names: ByteRange
    }

    /// Indexes a CRL. Cost: sorting. Sorting needs four times the memory of the index.
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
                        firstOffset: UInt32(truncatingIfNeeded: element.start),
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
        self.elements = keys.map { prefixed in
            let bytes = der.span
            let serial = RevocationIndex.serial(at: Int(prefixed.offset), in: bytes)
            let key = directory.key(of: bytes.extracting(serial.indices)) ?? 0
            return UInt64(key) << 32 | UInt64(prefixed.offset)
        }
        self.directory = directory
        self.issuers = issuers
    }

    /// Number of entries in the index.
    package var count: Int { elements.count }

    /// The rank of the first entry with this serial number, given as content octets. When no entry
    /// has it, the rank of some other entry or `count`.
    package func firstRank(of serial: Span<UInt8>, in bytes: Span<UInt8>) -> Int {
        guard let key = directory.key(of: serial) else { return elements.count }
        let wanted = ByteRange(start: 0, count: serial.count)
        let range = directory.ranks(of: key)
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = low + (high - low) / 2
            let found = RevocationIndex.key(elements[middle])
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

    /// Offset of the entry with a rank, when the entry has this serial number; nil for another
    /// serial number and for a rank past the end.
    package func offset(
        atRank rank: Int, ifSerial serial: Span<UInt8>, in bytes: Span<UInt8>
    ) -> Int? {
        guard rank < elements.count,
            RevocationIndex.key(elements[rank]) == directory.key(of: serial)
        else { return nil }
        let found = RevocationIndex.serial(at: offset(rank), in: bytes)
        return bytes.extracting(found.indices).octetsEqual(serial) ? offset(rank) : nil
    }

    private func offset(_ rank: Int) -> Int {
        Int(truncatingIfNeeded: elements[rank] & 0xFFFF_FFFF)
    }

    private static func key(_ element: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: element >> 32)
    }

    /// Content of the certificateIssuer that holds for the entry at an offset; empty where the
    /// CRL's own issuer holds.
    package func issuer(ofEntryAt offset: Int) -> ByteRange {
        var low = 0
        var high = issuers.count
        while low < high {
            let middle = low + (high - low) / 2
            if Int(issuers[middle].firstOffset) <= offset {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low == 0 ? ByteRange(start: 0, count: 0) : issuers[low - 1].names
    }

    /// The serial number of the entry at an offset. The entry was parsed before, so its lengths
    /// fit.
    static func serial(at offset: Int, in bytes: Span<UInt8>) -> ByteRange {
        // A search calls this function for every entry that it touches. Nearly all entries have
        // short lengths.
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

    /// The first eight octets as a number, zeros behind a shorter serial number. Nearly every
    /// comparison is decided by them.
    private static func prefix(of serial: ByteRange, in bytes: Span<UInt8>) -> UInt64 {
        var prefix: UInt64 = 0
        let indices = serial.indices
        for number in 0..<8 {
            let index = indices.lowerBound + number
            prefix = prefix << 8 | (index < indices.upperBound ? UInt64(bytes[index]) : 0)
        }
        return prefix
    }

    /// Compares octets in lexicographic order: below zero, zero or above zero.
    private static func compare(
        _ left: ByteRange, _ leftBytes: Span<UInt8>, _ right: ByteRange, _ rightBytes: Span<UInt8>
    ) -> Int {
        let common = Int(min(left.count, right.count))
        for number in 0..<common {
            let mine = leftBytes[Int(left.start) + number]
            let theirs = rightBytes[Int(right.start) + number]
            if mine != theirs { return mine < theirs ? -1 : 1 }
        }
        return Int(left.count) - Int(right.count)
    }
}
