import TrustEngine

/// Public keys that are none, or that bind nobody: what no certificate of an accepted path may
/// hold. Each parses as DER and fits its algorithm by its length.
public struct SpoiltKey: Hashable, Sendable, CustomStringConvertible {
    /// Its fault.
    public enum Fault: String, Hashable, Sendable {
        /// The octets are of a form that no key has.
        case form
        /// They name no point of the curve.
        case offCurve
        /// Anybody can sign under it.
        case smallOrder
        /// The numbers of ML-DSA are next to zero: anybody can sign under it.
        case nearZero
        /// The numbers do not form an RSA key.
        case rsaNumbers
    }

    /// Which key, in words.
    public let description: String
    /// Its fault.
    public let fault: Fault
    /// SubjectPublicKeyInfo, DER.
    public let spki: [UInt8]

    /// Every one, of every kind of key.
    public static let all: [SpoiltKey] =
        TestCurve.allCases.flatMap(points) + edwards25519 + edwards448 + rsa + mldsa
        + mldsaNearZero

    // MARK: NIST curves

    private static func points(_ curve: TestCurve) -> [SpoiltKey] {
        let good = TestKey(curve.kind, "spoilt").publicKeyBits
        let count = curve.fieldBytes
        let x = Array(good[1...count])
        let y = Array(good[(count + 1)...])
        let zeros = [UInt8](repeating: 0, count: count)
        let ones = [UInt8](repeating: 0xff, count: count)
        let prime = curve.prime
        let over = prime.octets(count: count)
        // 0 is the x of a point of each curve, and the prime is 0 again.
        let atZero = Array((curve.point([0x02] + zeros) ?? [])[(count + 1)...])
        var rows: [(String, Fault, [UInt8])] = [
            ("a point beside the curve", .offCurve, good.dropLast() + [good[2 * count] ^ 1]),
            ("a point with its coordinates changed round", .offCurve, [4] + y + x),
            ("coordinates of zero", .offCurve, [4] + zeros + zeros),
            ("coordinates of ones", .offCurve, [4] + ones + ones),
            ("an x that is the prime, for 0", .offCurve, [4] + over + atZero),
            ("a y of ones", .offCurve, [4] + x + ones),
            ("a compressed x of no point", .offCurve, [2] + outside(curve)),
            ("a compressed x of no point, y odd", .offCurve, [3] + outside(curve)),
            ("a compressed x that is the prime", .offCurve, [2] + over),
            ("the point at infinity", .form, [0]),
            ("a good point in the hybrid form", .form, [6 | y[count - 1] & 1] + x + y),
            ("zeros of a good length", .form, [0] + zeros + zeros),
        ]
        if curve == .p521 {
            // The field's octets have room for a y above the prime.
            let more = (BigNumber(y) + prime).octets(count: count)
            rows.append(("the prime added to a good y", .offCurve, [4] + x + more))
        }
        return rows.map { row in
            SpoiltKey(
                description: "\(curve.rawValue): \(row.0)", fault: row.1,
                spki: spki(
                    DER.sequence(DER.oid("1.2.840.10045.2.1"), DER.oid(curve.oid)), row.2))
        }
    }

    /// The least x that no point of a curve has.
    private static func outside(_ curve: TestCurve) -> [UInt8] {
        for number in UInt64(1)... {
            let x = BigNumber(number).octets(count: curve.fieldBytes)
            if curve.point([0x02] + x) == nil { return x }
        }
        return []
    }

    // MARK: Edwards curves

    /// Little-endian, the sign of x in the highest bit. Of y from 2 to 8 those that have no x are
    /// 2, 7 and 8: (y² - 1) / (dy² + 1) is not a square there, as any calculator of big numbers
    /// shows.
    private static let edwards25519: [SpoiltKey] = {
        let zeros = [UInt8](repeating: 0, count: 31)
        let ones = [UInt8](repeating: 0xff, count: 30)
        let top: [UInt8] = [0xff, 0x7f]
        var rows: [(String, Fault, [UInt8])] = [2, 7, 8].map {
            ("ed25519: y = \($0), which no point has", .offCurve, [UInt8($0)] + zeros)
        }
        // The prime is ffff...ffed; 3 is the y of a point, and so would be the prime and 3.
        rows.append(
            ("ed25519: y = 3, the prime added", .offCurve, [0xf0] + ones.dropLast() + top))
        rows += [
            ("ed25519: y = 0", .smallOrder, [0] + zeros),
            ("ed25519: the neutral element", .smallOrder, [1] + zeros),
            ("ed25519: y = -1", .smallOrder, [0xec] + ones.dropLast() + top),
            ("ed25519: y = 0, the prime added", .smallOrder, [0xed] + ones.dropLast() + top),
            ("ed25519: y = 1, the prime added", .smallOrder, [0xee] + ones.dropLast() + top),
            (
                "ed25519: a point of order 8", .smallOrder,
                [
                    0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2,
                    0xef, 0x98, 0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38,
                    0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
                ]
            ),
            (
                "ed25519: a point of order 8, x negative", .smallOrder,
                [
                    0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d,
                    0x10, 0x67, 0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7,
                    0xfd, 0x77, 0x92, 0xac, 0x03, 0xfa,
                ]
            ),
        ]
        return rows.map { row in
            SpoiltKey(
                description: row.0, fault: row.1,
                spki: spki(DER.sequence(DER.oid("1.3.101.112")), row.2))
        }
    }()

    /// The same: of y from 2 to 8 only 2 and 6 have no x.
    private static let edwards448: [SpoiltKey] = {
        let zeros = [UInt8](repeating: 0, count: 56)
        let ones = [UInt8](repeating: 0xff, count: 27)
        var rows: [(String, Fault, [UInt8])] = [2, 6].map {
            ("ed448: y = \($0), which no point has", .offCurve, [UInt8($0)] + zeros)
        }
        // The prime is ff..ff fe ff..ff, 28 octets each; adding 3 carries into the upper half.
        rows.append(
            (
                "ed448: y = 3, the prime added", .offCurve,
                [2] + [UInt8](repeating: 0, count: 27) + [0xff] + ones + [0]
            ))
        rows.append(
            ("ed448: a y that leaves its octets", .offCurve, [3] + zeros.dropLast() + [1]))
        rows += [
            ("ed448: y = 0", .smallOrder, [0] + zeros),
            ("ed448: the neutral element", .smallOrder, [1] + zeros),
            ("ed448: y = -1", .smallOrder, [0xfe] + ones + [0xfe] + ones + [0]),
            ("ed448: y = 0, x negative", .smallOrder, [0] + zeros.dropLast() + [0x80]),
        ]
        return rows.map { row in
            SpoiltKey(
                description: row.0, fault: row.1,
                spki: spki(DER.sequence(DER.oid("1.3.101.113")), row.2))
        }
    }()

    // MARK: RSA

    private static let rsa: [SpoiltKey] = {
        let modulus = RSAKeyMaterial(label: "spoilt", bits: 2048).modulus
        let even = (modulus - BigNumber(1)).octets()
        let rows: [(String, [UInt8], [UInt8])] = [
            ("an even modulus", even, [1, 0, 1]),
            ("an exponent of 1, under which a message signs itself", modulus.octets(), [1]),
            ("an exponent of 2", modulus.octets(), [2]),
            ("an even exponent", modulus.octets(), [1, 0, 0]),
        ]
        return rows.map { row in
            SpoiltKey(
                description: "rsa: \(row.0)", fault: .rsaNumbers,
                spki: spki(
                    DER.sequence(DER.oid("1.2.840.113549.1.1.1"), DER.null),
                    DER.sequence(DER.integer(unsigned: row.1), DER.integer(unsigned: row.2))))
        }
    }()

    // MARK: ML-DSA

    /// Any octets are a key of ML-DSA, if there are as many as its parameter set has.
    private static let mldsa: [SpoiltKey] = {
        let (count44, count87) = (1_312, 2_592)
        let rows: [(String, Int, [UInt8])] = [
            ("ML-DSA-44: an octet too few", 17, octets(count44 - 1)),
            ("ML-DSA-44: an octet too many", 17, octets(count44 + 1)),
            ("ML-DSA-44: none", 17, []),
            ("ML-DSA-44: octets of ML-DSA-87", 17, octets(count87)),
            ("ML-DSA-65: octets of ML-DSA-44", 18, octets(count44)),
            ("ML-DSA-87: ten octets more, as RFC 9881 once slips", 19, octets(count87 + 10)),
            ("ML-DSA-87: in an OCTET STRING", 19, DER.octetString(octets(count87))),
        ]
        return rows.map { row in
            SpoiltKey(
                description: row.0, fault: .form,
                spki: spki(DER.sequence(DER.oid("2.16.840.1.101.3.4.3.\(row.1)")), row.2))
        }
    }()

    /// Keys of every parameter set whose t1 has these coefficients, again and again.
    private static let mldsaNearZero: [SpoiltKey] = {
        let sets = [(44, 17 as Int, 4 as Int), (65, 18, 6), (87, 19, 8)]
        let rows: [(String, [UInt64])] = [
            ("zeros", [0]), ("ones in every bit", [1023]), ("of both", [0, 1023, 1023, 0, 1023]),
            ("of distance 1", [1, 1022]), ("of distance 31", [31, 992, 31]),
            ("of distance 63", [63, 960]), ("zeros and one in nine of any size", [511] + zeros(8)),
        ]
        return sets.flatMap { name, arc, polynomials in
            rows.map { row in
                SpoiltKey(
                    description: "ML-DSA-\(name): \(row.0)", fault: .nearZero,
                    spki: spki(
                        DER.sequence(DER.oid("2.16.840.1.101.3.4.3.\(arc)")),
                        octets(t1: row.1, polynomials: polynomials)))
            }
        }
    }()

    private static func zeros(_ count: Int) -> [UInt64] { [UInt64](repeating: 0, count: count) }

    /// A seed, and coefficients of ten bits.
    static func octets(t1 pattern: [UInt64], polynomials: Int) -> [UInt8] {
        var octets = [UInt8](repeating: 0x5A, count: 32)
        for group in 0..<64 * polynomials {
            let bits = (0..<4).reduce(UInt64(0)) {
                $0 | pattern[(4 * group + $1) % pattern.count] << UInt64(10 * $1)
            }
            octets += (0..<5).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
        }
        return octets
    }

    /// SubjectPublicKeyInfo of an ML-DSA key whose coefficients are all at a distance from zero.
    public static func mldsa44(distance: UInt64) -> [UInt8] {
        spki(
            DER.sequence(DER.oid("2.16.840.1.101.3.4.3.17")),
            octets(t1: [distance, 1_023 - distance], polynomials: 4))
    }

    private static func octets(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x5A, count: count) }

    private static func spki(_ algorithm: [UInt8], _ bits: [UInt8]) -> [UInt8] {
        DER.sequence(algorithm, DER.bitString(bits))
    }
}

/// Points of the NIST curves as libcrypto sees them.
public enum CurvePoint {
    /// The curves, by the kinds of keys on them.
    public static let curves: [TestKey.Kind] = TestCurve.allCases.map(\.kind)

    /// Octets of a coordinate.
    public static func fieldBytes(_ kind: TestKey.Kind) -> Int { curve(kind).fieldBytes }

    /// A point in its uncompressed form from octets in any form; nil where libcrypto knows no such
    /// point.
    public static func uncompressed(_ octets: [UInt8], on kind: TestKey.Kind) -> [UInt8]? {
        curve(kind).point(octets)
    }

    /// SubjectPublicKeyInfo with a point's octets, whatever they are.
    public static func spki(_ octets: [UInt8], on kind: TestKey.Kind) -> [UInt8] {
        DER.sequence(
            DER.sequence(DER.oid("1.2.840.10045.2.1"), DER.oid(curve(kind).oid)),
            DER.bitString(octets))
    }

    private static func curve(_ kind: TestKey.Kind) -> TestCurve {
        guard let curve = TestCurve.allCases.first(where: { $0.kind == kind }) else {
            preconditionFailure("\(kind) is on no NIST curve")
        }
        return curve
    }
}

extension TestCurve {
    /// The kind of keys on the curve.
    var kind: TestKey.Kind {
        switch self {
        case .p256: return .p256
        case .p384: return .p384
        case .p521: return .p521
        }
    }
}
