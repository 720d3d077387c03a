/// Public keys of RFC 8032 that bind nobody: points whose order divides the curve's cofactor. With
/// one of them a signature can be made without any secret, and RFC 8032 leaves refusing them open.
package enum SmallOrderPoints {
    /// Whether a 32-octet key is one of edwards25519's eight such points, whichever sign it carries
    /// and whether or not its y is reduced: y is 0, 1, -1 or the y of a point of order 8.
    package static func containsEd25519(_ key: [UInt8]) -> Bool {
        guard key.count == 32 else { return false }
        var y = key
        y[31] &= 0x7f
        return ed25519.contains(y)
    }

    /// Whether a 57-octet key is one of edwards448's four such points: y is 0, 1 or -1. A y that is
    /// not reduced is refused by RFC 8032 section 5.2.3 itself.
    static func containsEd448(_ key: [UInt8]) -> Bool {
        guard key.count == 57 else { return false }
        var y = key
        y[56] &= 0x7f
        return ed448.contains(y)
    }

    /// Little-endian; p is 2^255 - 19. A test forges signatures under each of them.
    private static let ed25519: [[UInt8]] = [
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

    /// Little-endian; p is 2^448 - 2^224 - 1.
    private static let ed448: [[UInt8]] = [
        [UInt8](repeating: 0, count: 57),
        [1] + [UInt8](repeating: 0, count: 56),
        [0xfe] + [UInt8](repeating: 0xff, count: 27) + [0xfe]
            + [UInt8](repeating: 0xff, count: 27) + [0],
    ]
}
