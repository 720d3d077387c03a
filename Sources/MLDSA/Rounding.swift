/// How the coefficients of w are rounded to their high-order parts, and how a hint corrects one
/// (FIPS 204 section 7.4). The two cases are the two values of γ2.
///
/// A coefficient r from 0 to q - 1 is r1 · 2γ2 + r0, with r0 above -γ2 and at most γ2; so r1 is
/// (r + γ2 - 1) / 2γ2, rounded down. Where r1 comes to m = (q - 1) / 2γ2, Algorithm 36 takes 0 for
/// it and lowers r0 by one. That r0 was not above 0 before, since r is at most q - 1 = m · 2γ2; so
/// whether r0 is above 0, which is all that a hint asks, does not change.
enum Rounding: BitwiseCopyable, Sendable {
    /// γ2 = (q - 1) / 88: ML-DSA-44.
    case parts44
    /// γ2 = (q - 1) / 32: ML-DSA-65 and ML-DSA-87.
    case parts16

    /// m, the number of different high-order parts.
    var partCount: Int32 {
        switch self {
        case .parts44: 44
        case .parts16: 16
        }
    }

    /// 2γ2, the width of a part.
    var width: Int32 { (Field.modulus &- 1) / partCount }

    /// The bits in which a high-order part is packed: bitlen(m - 1) (FIPS 204 Algorithm 28).
    var packedBits: UInt64 {
        switch self {
        case .parts44: 6
        case .parts16: 4
        }
    }

    /// The high-order part of a coefficient from 0 to q - 1, still m where Algorithm 36 takes 0.
    @inline(__always)
    private func rawPart(_ coefficient: Int32) -> Int32 {
        // The compiler makes a multiplication of a division by a number that it knows.
        switch self {
        case .parts44:
            let width = (Field.modulus &- 1) / 44
            return (coefficient &+ (width / 2 &- 1)) / width
        case .parts16:
            let width = (Field.modulus &- 1) / 16
            return (coefficient &+ (width / 2 &- 1)) / width
        }
    }

    /// The high-order part of a coefficient from 0 to q - 1 (FIPS 204 Algorithm 37).
    @inline(__always)
    func highPart(_ coefficient: Int32) -> Int32 {
        let part = rawPart(coefficient)
        return part == partCount ? 0 : part
    }

    /// The high-order part of a coefficient from 0 to q - 1 with a hint (FIPS 204 Algorithm 40).
    func hintedPart(_ coefficient: Int32) -> Int32 {
        let raw = rawPart(coefficient)
        let part = raw == partCount ? 0 : raw
        if coefficient &- raw &* width > 0 {
            return part == partCount &- 1 ? 0 : part &+ 1
        }
        return part == 0 ? partCount &- 1 : part &- 1
    }

    /// Rounds a row of w, corrects it by its hints, and puts it into a hash in its packed form
    /// (FIPS 204 Algorithm 8, lines 10 and 12). Coefficients are from 0 to q - 1.
    func absorb(
        _ row: inout Polynomial, hints: Hints, range: Range<Int>, into hash: inout SHAKE
    ) {
        // The hinted coefficients wait as negative numbers, while the others are rounded.
        for index in range {
            let position = hints[index]
            row.coefficients[position] = -1 &- hintedPart(row.coefficients[position])
        }
        let bits = packedBits
        var lane: UInt64 = 0
        var filled: UInt64 = 0
        for index in 0..<Polynomial.count {
            let coefficient = row.coefficients[index]
            let part = coefficient < 0 ? -1 &- coefficient : highPart(coefficient)
            let value = UInt64(truncatingIfNeeded: part)
            lane |= value &<< filled
            filled &+= bits
            if filled >= 64 {
                hash.absorb(lane: lane)
                filled &-= 64
                lane = value &>> (bits &- filled)
            }
        }
    }
}
