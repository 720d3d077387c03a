/// The two samplings of a verification. Both read from a hash until enough candidates are taken.
/// Whoever makes a key can try many seeds for one whose hash refuses more candidates, but gains a
/// few only. Each sampling ends after a fixed number of blocks, and the signature is then refused.
/// FIPS 204 Appendix C allows a bound that is reached with a probability of 2^-256 at most.
enum Sampling {
    /// The entry of the matrix A at a row and a column, as a transform (FIPS 204 Algorithms 30 and
    /// 32), with coefficients from 0 to q - 1. `seed` is ρ. False when the bound is reached.
    static func matrixEntry(
        _ entry: inout Polynomial, seed: InlineArray<4, UInt64>, row: Int, column: Int
    ) -> Bool {
        var hash = SHAKE.shake128()
        for index in 0..<4 { hash.absorb(lane: seed[index]) }
        hash.absorb(UInt8(truncatingIfNeeded: column))
        hash.absorb(UInt8(truncatingIfNeeded: row))
        hash.finish()
        var count = 0
        for _ in 1..<mostMatrixBlocks {
            takeCandidates(of: hash, into: &entry, &count)
            if count == Polynomial.count { return true }
            hash.squeeze()
        }
        takeCandidates(of: hash, into: &entry, &count)
        return count == Polynomial.count
    }

    /// The 56 candidates of a block, each of three octets without the highest bit (FIPS 204
    /// Algorithm 14). Three lanes are 24 octets, which are eight candidates.
    @inline(__always)
    private static func takeCandidates(
        of hash: borrowing SHAKE, into entry: inout Polynomial, _ count: inout Int
    ) {
        let lanes = hash.lanes.span
        for group in 0..<7 {
            let a = lanes[3 &* group]
            let b = lanes[3 &* group &+ 1]
            let c = lanes[3 &* group &+ 2]
            take(a, into: &entry, &count)
            take(a &>> 24, into: &entry, &count)
            take(a &>> 48 | b &<< 16, into: &entry, &count)
            take(b &>> 8, into: &entry, &count)
            take(b &>> 32, into: &entry, &count)
            take(b &>> 56 | c &<< 8, into: &entry, &count)
            take(c &>> 16, into: &entry, &count)
            take(c &>> 40, into: &entry, &count)
        }
    }

    @inline(__always)
    private static func take(_ bits: UInt64, into entry: inout Polynomial, _ count: inout Int) {
        let candidate = Int32(truncatingIfNeeded: bits & 0x7f_ffff)
        guard candidate < Field.modulus, count < Polynomial.count else { return }
        entry.coefficients[count] = candidate
        count &+= 1
    }

    /// Six blocks are 336 candidates, of which 256 are needed. One is refused with the probability
    /// 8,191 / 2^23, so 336 do not suffice with a probability of 2^-546.
    private static let mostMatrixBlocks = 6

    /// The challenge c, whose coefficients are -1, 0 and 1 (FIPS 204 Algorithm 29), from its hash.
    /// False when the bound is reached.
    static func challenge(
        _ challenge: inout Polynomial, hash octets: Span<UInt8>, weight: Int
    ) -> Bool {
        var hash = SHAKE.shake256()
        hash.absorb(octets)
        hash.finish()
        var signs = hash.lanes[0]
        // The next octet of the output; the first eight are the signs.
        var next = 8
        var block = 1
        var index = Polynomial.count &- weight
        while index < Polynomial.count {
            if next == 8 &* hash.blockLanes {
                guard block < mostChallengeBlocks else { return false }
                hash.squeeze()
                next = 0
                block &+= 1
            }
            let octet = Int((hash.lanes[next &>> 3] &>> UInt64(8 &* (next & 7))) & 0xff)
            next &+= 1
            guard octet <= index else { continue }
            challenge.coefficients[index] = challenge.coefficients[octet]
            challenge.coefficients[octet] = 1 &- 2 &* Int32(truncatingIfNeeded: signs & 1)
            signs &>>= 1
            index &+= 1
        }
        return true
    }

    /// Two blocks are 264 octets after the signs. For the weight 60 they do not suffice with a
    /// probability of 2^-364, for the lower weights more rarely.
    private static let mostChallengeBlocks = 2
}
