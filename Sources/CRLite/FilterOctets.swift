/// A place in the octets of a file from which numbers are read one after the other. Every reading
/// is checked against the end, so a wrong length or count is an error and never a trap.
struct FilterOctets {
    /// The offset of the next octet.
    private(set) var offset: Int
    private let end: Int
    private let isBigEndian: Bool

    init(at offset: Int, of bytes: Span<UInt8>, isBigEndian: Bool) {
        self.offset = offset
        self.end = bytes.count
        self.isBigEndian = isBigEndian
    }

    /// The octets from here to the end of the file.
    var left: Int { end - offset }

    /// Goes past `count` octets. `what` is their name in messages.
    mutating func skip(_ count: Int, _ what: String) throws(FilterDamage) {
        guard count >= 0, count <= left else {
            throw FilterDamage(
                .truncated,
                "the file ends in \(what): \(count) octets are needed at offset \(offset), and "
                    + "\(max(0, left)) are left")
        }
        offset += count
    }

    /// Reads a number of 1, 2, 4 or 8 octets.
    mutating func number(
        _ width: Int, in bytes: Span<UInt8>, _ what: String
    ) throws(FilterDamage) -> UInt64 {
        let start = offset
        try skip(width, what)
        var value: UInt64 = 0
        for index in 0..<width {
            let octet = UInt64(bytes[start + (isBigEndian ? index : width - 1 - index)])
            value = value << 8 | octet
        }
        return value
    }

    /// Reads a number of items. It refuses a number whose items, of at least `size` octets each,
    /// would not fit into the rest of the file, so that nothing is allocated for it.
    mutating func count(
        _ width: Int, of size: Int, in bytes: Span<UInt8>, _ what: String
    ) throws(FilterDamage) -> Int {
        let number = try number(width, in: bytes, what)
        guard number <= UInt64(max(0, left) / size) else {
            throw FilterDamage(
                .truncated,
                "\(number) \(what) are announced, and \(max(0, left)) octets are left, where one "
                    + "takes at least \(size)")
        }
        return Int(number)
    }

    /// Reads 32 octets.
    mutating func digest(
        in bytes: Span<UInt8>, _ what: String
    ) throws(FilterDamage) -> Digest256 {
        let start = offset
        try skip(Digest256.octetCount, what)
        return Digest256(reading: bytes, at: start)
    }

    /// The eight octets at `offset`, which must be there, as a big-endian number.
    static func bigEndian(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<8 { value = value &<< 8 | UInt64(bytes[offset + index]) }
        return value
    }
}
