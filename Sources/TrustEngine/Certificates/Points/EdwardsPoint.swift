/// Judges public keys of RFC 8032: the octets of y, little-endian, with the sign of x in the
/// highest bit.
package enum EdwardsPoint {
    /// The curves.
    package enum Curve: Sendable { case edwards25519, edwards448 }

    /// Why octets are not a key.
    package enum Problem: Sendable {
        /// The octets decode to no point (sections 5.1.3 and 5.2.3).
        case noPoint
        /// The order of the point divides the curve's cofactor. With a key of small order anybody
        /// can make a signature without a secret. RFC 8032 leaves it open whether to refuse the
        /// key.
        case smallOrder
    }

    /// Why octets, 32 or 57 of them, are not a key of a curve; nil when they are a key.
    package static func problem(_ key: Span<UInt8>, of curve: Curve) -> Problem? {
        if isOfSmallOrder(key, of: curve) { return .smallOrder }
        switch curve {
        case .edwards25519:
            guard key.count == 32,
                let y = field25519.number(littleEndianBelowSign: key)
            else { return .noPoint }
            // x² is (y² - 1) / (dy² + 1), and a quotient is a square where the product is a square.
            // dy² + 1 is never 0, because d is not a square. x is 0 only where y is 1 or -1, and
            // those points have a small order.
            let square = field25519.product(y, y)
            let numerator = field25519.difference(square, one25519)
            let denominator = field25519.sum(field25519.product(d25519, square), one25519)
            return field25519.isSquare(field25519.product(numerator, denominator))
                ? nil : .noPoint
        case .edwards448:
            guard key.count == 57, let y = field448.number(littleEndianBelowSign: key)
            else { return .noPoint }
            // x² is (y² - 1) / (dy² - 1), d being -39081; here both terms have the other sign.
            let square = field448.product(y, y)
            let numerator = field448.difference(one448, square)
            let denominator = field448.sum(field448.product(minusD448, square), one448)
            return field448.isSquare(field448.product(numerator, denominator)) ? nil : .noPoint
        }
    }

    /// Whether a key is a point of small order, whichever sign it carries and whether or not its y
    /// is reduced. edwards25519 has eight of these points: y is 0, 1, -1 or the y of a point of
    /// order 8. edwards448 has four: y is 0, 1 or -1. No point of edwards448 has a y that is not
    /// reduced.
    package static func isOfSmallOrder(_ key: Span<UInt8>, of curve: Curve) -> Bool {
        let listed =
            switch curve {
            case .edwards25519: smallOrder25519
            case .edwards448: smallOrder448
            }
        return listed.contains { y in
            guard y.count == key.count else { return false }
            for index in 0..<y.count - 1 where y[index] != key[index] { return false }
            return y[y.count - 1] == key[y.count - 1] & 0x7f
        }
    }

    private static let field25519 = PrimeField<4>(
        prime: [0x7fff_ffff_ffff_ffff, .max, .max, 0xffff_ffff_ffff_ffed])
    private static let one25519 = field25519.constant([1])
    /// -121665/121666.
    private static let d25519 = field25519.constant([
        0x5203_6cee_2b6f_fe73, 0x8cc7_4079_7779_e898, 0x0070_0a4d_4141_d8ab,
        0x75eb_4dca_1359_78a3,
    ])

    private static let field448 = PrimeField<7>(
        prime: [.max, .max, .max, 0xffff_fffe_ffff_ffff, .max, .max, .max])
    private static let one448 = field448.constant([1])
    private static let minusD448 = field448.constant([39_081])

    /// Little-endian; the prime is 2^255 - 19. A test forges signatures under each of them.
    private static let smallOrder25519: [[UInt8]] = [
        [UInt8](repeating: 0, count: 32),
        [1] + [UInt8](repeating: 0, count: 31),
        [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
        [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
        [0xee] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
        [
            0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10,
            0x67, 0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77,
            0x92, 0xac, 0x03, 0x7a,
        ],
        [
            0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef,
            0x98, 0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88,
            0x6d, 0x53, 0xfc, 0x05,
        ],
    ]

    /// Little-endian; the prime is 2^448 - 2^224 - 1.
    private static let smallOrder448: [[UInt8]] = [
        [UInt8](repeating: 0, count: 57),
        [1] + [UInt8](repeating: 0, count: 56),
        [0xfe] + [UInt8](repeating: 0xff, count: 27) + [0xfe]
            + [UInt8](repeating: 0xff, count: 27) + [0],
    ]
}
