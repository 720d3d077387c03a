/// Where among sorted serial numbers to look for one: the octets that all of them begin with, and for each
/// value of the bits that follow the first place that has it.
///
/// CAs give out random serial numbers, so that a few are left to be searched by halves, and a question
/// touches few lines of a cache. Where they are not random all are left, which only costs time.
struct SerialDirectory: Sendable {
    /// What all begin with.
    private let shared: [UInt8]
    /// Bits that are looked up; 0 for few serial numbers.
    private let bits: Int
    /// First place for each value of the bits, and the number of places. INVARIANT: ascending.
    private let starts: [UInt32]

    /// A directory of `count` serial numbers in `bytes`, sorted by their octets, a shorter one before what
    /// continues it. Cost: linear; half an octet of memory each.
    init(count: Int, in bytes: [UInt8], serial: (Int) -> ByteRange) {
        let shared = SerialDirectory.shared(count, bytes, serial)
        // Some eight for each value.
        let bits = max(0, Int.bitWidth - count.leadingZeroBitCount - 4)
        var starts: [UInt32] = []
        starts.reserveCapacity(1 << bits + 1)
        for place in 0..<count {
            let key = SerialDirectory.key(
                of: bytes.span.extracting(serial(place).indices), after: shared.count)
            let value = Int(key >> UInt32(32 - bits))
            while starts.count <= value { starts.append(UInt32(truncatingIfNeeded: place)) }
        }
        while starts.count <= 1 << bits { starts.append(UInt32(truncatingIfNeeded: count)) }
        self.shared = shared
        self.bits = bits
        self.starts = starts
    }

    /// What is looked up of a serial number: 32 bits behind the shared octets, which ascend with serial
    /// numbers. Nil for one that does not begin with those.
    func key(of serial: Span<UInt8>) -> UInt32? {
        guard serial.count >= shared.count else { return nil }
        for index in shared.indices where serial[index] != shared[index] { return nil }
        return SerialDirectory.key(of: serial, after: shared.count)
    }

    /// The places whose serial numbers may have a key.
    func places(of key: UInt32) -> Range<Int> {
        let value = Int(key >> UInt32(32 - bits))
        return Int(starts[value])..<Int(starts[value + 1])
    }

    /// The places that may hold a serial number; empty when none does.
    func places(of serial: Span<UInt8>) -> Range<Int> {
        key(of: serial).map { places(of: $0) } ?? 0..<0
    }

    /// What the first and the last begin with, all begin with.
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
