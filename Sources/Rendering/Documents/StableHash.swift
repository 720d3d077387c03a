/// 64-bit FNV-1a (Fowler, Noll, Vo) over parts, for fingerprints that stay the same on every
/// machine. The length of each part is hashed before it.
package struct StableHash {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The hash of nothing.
    package init() {}

    /// Adds a part.
    package mutating func combine(_ bytes: some Collection<UInt8>) { combine(Array(bytes)) }

    /// Adds a part. Another module calls this body as it was compiled here, and a generic body
    /// without specialization, which takes several times as long.
    package mutating func combine(_ bytes: [UInt8]) {
        for shift in stride(from: 0, through: 24, by: 8) {
            add(UInt8(truncatingIfNeeded: bytes.count >> shift))
        }
        let span = bytes.span
        for index in span.indices { add(span[index]) }
    }

    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    /// The value as 16 hexadecimal digits.
    package var digits: String { StableHash.digits(of: value) }

    /// A value as 16 hexadecimal digits.
    package static func digits(of value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
