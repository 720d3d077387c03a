/// Judges public keys of ML-DSA: 32 octets of a seed, then t1, ten bits for each coefficient (FIPS
/// 204 Algorithm 22).
///
/// A signature is a small z with hints, for a challenge c that is the hash of w1, the high-order
/// parts of A·z - c·t1·2^13 (FIPS 204 Algorithm 8). A forger without the secret chooses z first,
/// for example 0, and takes w1 of A·z. That signature is valid if the subtraction of c·t1·2^13
/// leaves the high-order parts as they are, but for ω coefficients, which hints can mend. So the
/// key binds nobody if the coefficients of c·t1·2^13 are next to 0 modulo q.
///
/// A coefficient of 0 gives 0, and one of 1023 gives 1023 · 2^13 = q - 1, which is -1. A challenge
/// has τ coefficients that are 1 or -1 (39, 49 or 60). So if every coefficient of t1 is 0 or 1023,
/// no coefficient of c·t1·2^13 is further than τ from 0, and γ2 is 95,232 or more: every message
/// can be signed at the first attempt. These are the keys whose secret s1 is 0.
///
/// Other numbers serve as well. Call the smaller of t and 1023 - t the *distance* of a coefficient
/// t: then t·2^13 is about 2^13 times the distance from 0. If every distance is 1, most challenges
/// leave all high-order parts as they are; `KeysAnybodySignsTests` in `MLDSATests` forges
/// signatures under such keys. If every distance is 31, a challenge of ML-DSA-65 whose signs
/// alternate still does, because 31 · 2^13 is below γ2 = 261,888; one challenge in 2^25 is of this
/// kind. With larger distances each of the 49 terms of a coefficient is more than γ2, and the terms
/// would have to cancel in all coefficients but ω.
///
/// So the mean distance decides. The coefficients of a key that was made are as good as uniform,
/// and their mean distance is 255.5. The probability of a mean below 64 is less than 2^-1500
/// (Chernoff: (64 · e / 512)^1024 for the smallest set). The bound is twice the largest distance of
/// a known forgery.
enum LatticeKey {
    /// The least mean distance of a key.
    private static let leastDistance = 64

    /// Whether the coefficients of t1 are so near to 0 that anybody can sign. `key` has the number
    /// of octets of a parameter set. A key that was made is known after a quarter of its octets.
    static func bindsNobody(_ key: Span<UInt8>) -> Bool {
        let seedBytes = 32
        // Five octets hold four coefficients.
        var missing = (key.count &- seedBytes) / 5 &* 4 &* leastDistance
        var next = seedBytes
        while next &+ 5 <= key.count {
            var bits: UInt64 = 0
            for octet in 0..<5 { bits |= UInt64(key[next &+ octet]) &<< UInt64(8 &* octet) }
            for part in 0..<4 {
                let coefficient = Int(bits &>> UInt64(10 &* part) & 0x3FF)
                missing &-= min(coefficient, 1_023 &- coefficient)
            }
            guard missing > 0 else { return false }
            next &+= 5
        }
        return true
    }
}
