extension PublicKey.Curve {
    /// Whether octets are a point of the curve, uncompressed or compressed (SEC 1 section 2.3.4).
    /// Uncompressed: both coordinates are below the prime and meet the equation. Compressed: the
    /// one coordinate meets it with some y. The groups of these curves have prime order. So every
    /// point but infinity is a key, no y is 0, and an x that has a y has a y of each parity.
    func hasPoint(_ octets: Span<UInt8>) -> Bool {
        switch self {
        case .p256: return PublicKey.Curve.equation256.hasPoint(octets)
        case .p384: return PublicKey.Curve.equation384.hasPoint(octets)
        case .p521: return PublicKey.Curve.equation521.hasPoint(octets)
        }
    }

    /// The uncompressed encoding of a compressed point of the curve; nil for other octets.
    func uncompressed(_ octets: Span<UInt8>) -> [UInt8]? {
        switch self {
        case .p256: return PublicKey.Curve.equation256.uncompressed(octets)
        case .p384: return PublicKey.Curve.equation384.uncompressed(octets)
        case .p521: return PublicKey.Curve.equation521.uncompressed(octets)
        }
    }

    private static let equation256 = CurveEquation<4>(
        prime: [
            0xffff_ffff_0000_0001, 0x0000_0000_0000_0000, 0x0000_0000_ffff_ffff,
            0xffff_ffff_ffff_ffff,
        ],
        b: [
            0x5ac6_35d8_aa3a_93e7, 0xb3eb_bd55_7698_86bc, 0x651d_06b0_cc53_b0f6,
            0x3bce_3c3e_27d2_604b,
        ])

    private static let equation384 = CurveEquation<6>(
        prime: [
            0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff,
            0xffff_ffff_ffff_fffe, 0xffff_ffff_0000_0000, 0x0000_0000_ffff_ffff,
        ],
        b: [
            0xb331_2fa7_e23e_e7e4, 0x988e_056b_e3f8_2d19, 0x181d_9c6e_fe81_4112,
            0x0314_088f_5013_875a, 0xc656_398d_8a2e_d19d, 0x2a85_c8ed_d3ec_2aef,
        ])

    private static let equation521 = CurveEquation<9>(
        prime: [0x1ff] + [UInt64](repeating: .max, count: 8),
        b: [
            0x0000_0000_0000_0051, 0x953e_b961_8e1c_9a1f, 0x929a_21a0_b685_40ee,
            0xa2da_725b_99b3_15f3, 0xb8b4_8991_8ef1_09e1, 0x5619_3951_ec7e_937b,
            0x1652_c0bd_3bb1_bf07, 0x3573_df88_3d2c_34f1, 0xef45_1fd4_6b50_3f00,
        ])
}

/// The equation y² = x³ - 3x + b of a NIST curve (SP 800-186 section 3.2.1). A product in
/// Montgomery's form divides by r = 2^(64 · `count`). Both sides are compared divided by r, so that
/// y is never brought into that form.
private struct CurveEquation<let count: Int>: Sendable {
    private let field: PrimeField<count>
    /// b / r.
    private let b: PrimeField<count>.Number
    /// The number 3 itself.
    private let three: PrimeField<count>.Number

    init(prime: [UInt64], b: [UInt64]) {
        self.field = PrimeField(prime: prime)
        self.b = field.divided(field.divided(field.constant(b)))
        self.three = field.divided(field.constant([3]))
    }

    func hasPoint(_ octets: Span<UInt8>) -> Bool {
        guard !octets.isEmpty else { return false }
        let coordinates = octets.extracting(1..<octets.count)
        switch octets[0] {
        case 0x02, 0x03:
            guard let x = field.plainNumber(bigEndian: coordinates) else { return false }
            return field.isSquare(ySquared(x))
        case 0x04:
            let half = coordinates.count / 2
            guard let x = field.plainNumber(bigEndian: coordinates.extracting(0..<half)),
                let y = field.plainNumber(bigEndian: coordinates.extracting(half..<2 * half))
            else { return false }
            return field.areEqual(field.product(y, y), ySquared(x))
        default: return false
        }
    }

    func uncompressed(_ octets: Span<UInt8>) -> [UInt8]? {
        guard !octets.isEmpty, octets[0] == 0x02 || octets[0] == 0x03 else { return nil }
        let xOctets = octets.extracting(1..<octets.count)
        guard let x = field.plainNumber(bigEndian: xOctets) else { return nil }
        // The primes of all three curves are 3 modulo 4.
        let square = field.montgomery(field.montgomery(ySquared(x)))
        let root = field.squareRoot(square)
        guard field.areEqual(field.product(root, root), square) else { return nil }
        var y = field.divided(root)
        if y[0] & 1 != UInt64(octets[0] & 1) {
            y = field.difference(PrimeField<count>.Number(repeating: 0), y)
        }
        return [0x04] + xOctets.copied(ByteRange(start: 0, count: xOctets.count))
            + field.octets(of: y, count: xOctets.count)
    }

    /// The value ((x² - 3)x + b) / r. It is a square where (x² - 3)x + b is one, as r is a square.
    private func ySquared(_ x: PrimeField<count>.Number) -> PrimeField<count>.Number {
        let xSquared = field.product(field.montgomery(x), x)
        return field.sum(field.product(field.difference(xSquared, three), x), b)
    }
}
