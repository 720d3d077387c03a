/// Narrows the search for a serial number among sorted serial numbers. It holds the octets that all
/// of them begin with, and for each value of the next bits the rank of the first serial number with
/// that value. A serial number's rank is its index in the sorted order.
///
/// CAs give out random serial numbers, so few serial numbers have equal bits, and a search touches
/// few lines of a cache. Where serial numbers are not random all of them may have equal bits; that
/// only costs time.
struct SerialDirectory: Sendable {
    /// The octets that all serial numbers begin with.
    private let shared: [UInt8]
    /// Number of bits that are looked up; 0 for few serial numbers.
    private let bits: Int
    /// The first rank for each value of the bits, and behind them the number of serial numbers.
    /// INVARIANT: ascending.
    private let starts: [UInt32]

    /// Makes the directory of `count` serial numbers in `bytes`. They are sorted by their octets; a
    /// serial number stands before a longer one that continues it. Cost: linear; half an octet of
    /// memory for each serial number.
    init(count: Int, in bytes: [UInt8], serial: (Int) -> ByteRange) {
        let shared = SerialDirectory.shared(count, bytes, serial)
        // About eight serial numbers for each value of the bits.
        let bits = max(0, Int.bitWidth - count.leadingZeroBitCount - 4)
        var starts: [UInt32] = []
        starts.reserveCapacity(1 << bits + 1)
        for rank in 0..<count {
            let key = SerialDirectory.key(
                of: bytes.span.extracting(serial(rank).indices), after: shared.count)
            let value = Int(key >> UInt32(32 - bits))
            while starts.count <= value { starts.append(UInt32(truncatingIfNeeded: rank)) }
        }
        while starts.count <= 1 << bits { starts.append(UInt32(truncatingIfNeeded: count)) }
        self.shared = shared
        self.bits = bits
        self.starts = starts
    }

    /// The 32 bits behind the shared octets, by which a serial number is looked up. They ascend
    /// with the serial numbers. Nil for a serial number that does not begin with the shared octets.
    func key(of serial: Span<UInt8>) -> UInt32? {
        guard serial.count >= shared.count else { return nil }
        for index in shared.indices where serial[index] != shared[index] { return nil }
        return SerialDirectory.key(of: serial, after: shared.count)
    }

    /// The ranks of the serial numbers that may have a key.
    func ranks(of key: UInt32) -> Range<Int> {
        let value = Int(key >> UInt32(32 - bits))
        return Int(starts[value])..<Int(starts[value + 1])
    }

    /// The ranks at which a serial number may stand; empty when it is not there.
    func ranks(of serial: Span<UInt8>) -> Range<Int> {
        key(of: serial).map { ranks(of: $0) } ?? 0..<0
    }

    /// The octets that all serial numbers begin with: those that the first and the last begin with.
    private static func shared(
        _ count: Int, _ bytes: [UInt8], _ serial: (Int) -> ByteRange
    ) -> [UInt8] {
        guard count > 0 else { return [] }
        let first = bytes[serial(0).indices]
        return zip(first, bytes[serial(count - 1).indices]).prefix { $0 == $1 }.map(\.0)
    }

    /// Zeros stand behind the last octet.
    @inline(__always)
    private static func key(of serial: Span<UInt8>, after shared: Int) -> UInt32 {
        var key: UInt32 = 0
        for index in shared..<shared + 4 {
            key = key << 8 | (index < serial.count ? UInt32(serial[index]) : 0)
        }
        return key
    }
}
