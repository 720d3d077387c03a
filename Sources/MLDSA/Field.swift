/// Integers modulo q, in `Int32`.
enum Field {
    /// q = 2^23 - 2^13 + 1 (FIPS 204 Table 1).
    static let modulus: Int32 = 8_380_417

    /// The inverse of q modulo 2^32 (FIPS 204 Algorithm 49). A test multiplies it by q.
    static let inverse: Int32 = 58_728_449

    /// Montgomery's reduction (FIPS 204 Algorithm 49): a number congruent to a · 2^-32 modulo q.
    ///
    /// For |a| < 2^31 · q the result is between -q and q: `low` is between -2^31 and 2^31 - 1, so
    /// the difference is between -2^32 · q and 2^32 · q, and it is a multiple of 2^32. Every caller
    /// says why its numbers are within the bound. At most 256 · q² is within it, since q is less
    /// than 2^23.
    @inline(__always)
    static func reduced(_ a: Int64) -> Int32 {
        let low = Int32(truncatingIfNeeded: a) &* inverse
        return Int32(truncatingIfNeeded: (a &- Int64(low) &* Int64(modulus)) &>> 32)
    }

    /// The product of two numbers, one of which carries Montgomery's factor 2^32.
    @inline(__always)
    static func product(_ a: Int32, _ b: Int32) -> Int32 {
        reduced(Int64(a) &* Int64(b))
    }

    /// The representative from 0 to q - 1 of a number between -q and q.
    @inline(__always)
    static func canonical(_ a: Int32) -> Int32 {
        a &+ ((a &>> 31) & modulus)
    }
}
