/// A SHA-256 digest, or an identifier that is one: of a log (RFC 6962 section 3.2), of an issuer's
/// key. Four numbers compare faster than 32 octets.
package struct Digest256: Hashable, Comparable, Sendable {
    /// The octets in groups of eight, each read as a big-endian number. So digests compare as their
    /// octets do.
    private let first, second, third, fourth: UInt64

    /// Reads 32 octets; nil for any other number.
    package init?(_ octets: [UInt8]) {
        guard octets.count == Digest256.octetCount else { return nil }
        self.init(reading: octets.span, at: 0)
    }

    /// Reads the 32 octets at `offset`, which must be there.
    init(reading bytes: Span<UInt8>, at offset: Int) {
        first = FilterOctets.bigEndian(bytes, at: offset)
        second = FilterOctets.bigEndian(bytes, at: offset + 8)
        third = FilterOctets.bigEndian(bytes, at: offset + 16)
        fourth = FilterOctets.bigEndian(bytes, at: offset + 24)
    }

    /// The number of its octets.
    package static let octetCount = 32

    /// The octets, in order.
    package var octets: [UInt8] {
        [first, second, third, fourth].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
        }
    }

    /// Two lower-case hexadecimal digits for each octet.
    package var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: octets.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self)
    }

    /// The octets in groups of eight, each read as a little-endian number: the coefficients of a
    /// question's equation.
    var coefficients: InlineArray<4, UInt64> {
        [first.byteSwapped, second.byteSwapped, third.byteSwapped, fourth.byteSwapped]
    }

    package static func < (left: Digest256, right: Digest256) -> Bool {
        if left.first != right.first { return left.first < right.first }
        if left.second != right.second { return left.second < right.second }
        if left.third != right.third { return left.third < right.third }
        return left.fourth < right.fourth
    }
}
