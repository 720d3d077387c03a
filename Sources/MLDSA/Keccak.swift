/// The permutation Keccak-f[1600] (FIPS 202 section 3), on 25 lanes of 64 bits: the lane at column
/// x and row y is the element x + 5·y.
enum Keccak {
    typealias Lanes = InlineArray<25, UInt64>

    /// The 24 rounds of the permutation.
    static func permute(_ lanes: inout Lanes) {
        var state = lanes
        // Two rounds at a time: the compiler then keeps the result of the first where it is, and
        // copies no lanes between rounds.
        for pair in 0..<12 {
            state = round(state, constants[2 &* pair])
            state = round(state, constants[2 &* pair &+ 1])
        }
        lanes = state
    }

    /// One round: the steps θ, ρ, π, χ and ι (FIPS 202 section 3.2).
    ///
    /// ρ and π are one line for each lane. Its rotation is the offset of FIPS 202 Table 2, modulo
    /// 64. The lane at column x and row y moves to column y and row 2x + 3y.
    @inline(__always)
    private static func round(_ a: Lanes, _ constant: UInt64) -> Lanes {
        let c0 = a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20]
        let c1 = a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21]
        let c2 = a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22]
        let c3 = a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23]
        let c4 = a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24]
        let d0 = c4 ^ rotated(c1, 1)
        let d1 = c0 ^ rotated(c2, 1)
        let d2 = c1 ^ rotated(c3, 1)
        let d3 = c2 ^ rotated(c4, 1)
        let d4 = c3 ^ rotated(c0, 1)

        let b0 = a[0] ^ d0
        let b1 = rotated(a[6] ^ d1, 44)
        let b2 = rotated(a[12] ^ d2, 43)
        let b3 = rotated(a[18] ^ d3, 21)
        let b4 = rotated(a[24] ^ d4, 14)
        let b5 = rotated(a[3] ^ d3, 28)
        let b6 = rotated(a[9] ^ d4, 20)
        let b7 = rotated(a[10] ^ d0, 3)
        let b8 = rotated(a[16] ^ d1, 45)
        let b9 = rotated(a[22] ^ d2, 61)
        let b10 = rotated(a[1] ^ d1, 1)
        let b11 = rotated(a[7] ^ d2, 6)
        let b12 = rotated(a[13] ^ d3, 25)
        let b13 = rotated(a[19] ^ d4, 8)
        let b14 = rotated(a[20] ^ d0, 18)
        let b15 = rotated(a[4] ^ d4, 27)
        let b16 = rotated(a[5] ^ d0, 36)
        let b17 = rotated(a[11] ^ d1, 10)
        let b18 = rotated(a[17] ^ d2, 15)
        let b19 = rotated(a[23] ^ d3, 56)
        let b20 = rotated(a[2] ^ d2, 62)
        let b21 = rotated(a[8] ^ d3, 55)
        let b22 = rotated(a[14] ^ d4, 39)
        let b23 = rotated(a[15] ^ d0, 41)
        let b24 = rotated(a[21] ^ d1, 2)

        return [
            b0 ^ (~b1 & b2) ^ constant,
            b1 ^ (~b2 & b3),
            b2 ^ (~b3 & b4),
            b3 ^ (~b4 & b0),
            b4 ^ (~b0 & b1),
            b5 ^ (~b6 & b7),
            b6 ^ (~b7 & b8),
            b7 ^ (~b8 & b9),
            b8 ^ (~b9 & b5),
            b9 ^ (~b5 & b6),
            b10 ^ (~b11 & b12),
            b11 ^ (~b12 & b13),
            b12 ^ (~b13 & b14),
            b13 ^ (~b14 & b10),
            b14 ^ (~b10 & b11),
            b15 ^ (~b16 & b17),
            b16 ^ (~b17 & b18),
            b17 ^ (~b18 & b19),
            b18 ^ (~b19 & b15),
            b19 ^ (~b15 & b16),
            b20 ^ (~b21 & b22),
            b21 ^ (~b22 & b23),
            b22 ^ (~b23 & b24),
            b23 ^ (~b24 & b20),
            b24 ^ (~b20 & b21),
        ]
    }

    @inline(__always)
    private static func rotated(_ lane: UInt64, _ count: UInt64) -> UInt64 {
        lane &<< count | lane &>> (64 &- count)
    }

    /// The constants of ι. A test computes them again by FIPS 202 Algorithm 5.
    static let constants: InlineArray<24, UInt64> = [
        0x00000000_00000001, 0x00000000_00008082, 0x80000000_0000808a,
        0x80000000_80008000, 0x00000000_0000808b, 0x00000000_80000001,
        0x80000000_80008081, 0x80000000_00008009, 0x00000000_0000008a,
        0x00000000_00000088, 0x00000000_80008009, 0x00000000_8000000a,
        0x00000000_8000808b, 0x80000000_0000008b, 0x80000000_00008089,
        0x80000000_00008003, 0x80000000_00008002, 0x80000000_00000080,
        0x00000000_0000800a, 0x80000000_8000000a, 0x80000000_80008081,
        0x80000000_00008080, 0x00000000_80000001, 0x80000000_80008008,
    ]
}
