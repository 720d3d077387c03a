/// Numbers modulo an odd prime: what it takes to tell points of a curve from other octets
/// (`CurveEquation`, `EdwardsPoint`), and nothing more. Signatures are the backend's.
///
/// Keys are public, so the time that a computation takes may depend on them. `count` is the number of
/// 64-bit limbs that the prime has; no loop is longer than the prime's bits make it.
struct PrimeField<let count: Int>: Sendable {
    /// A number below the prime, its least limb first, in Montgomery's form: times 2^(64 · `count`)
    /// modulo the prime (Montgomery, Modular multiplication without trial division, 1985).
    typealias Number = InlineArray<count, UInt64>

    /// The prime itself, not in Montgomery's form.
    private let prime: Number
    /// The prime times this is -1 modulo 2^64.
    private let negativeInverse: UInt64
    /// 2^(128 · `count`) modulo the prime: a product with it brings a number into Montgomery's form.
    private var squaredRadix = Number(repeating: 0)

    /// The field of a prime, its greatest limb first, as standards print it.
    init(prime limbs: [UInt64]) {
        self.prime = PrimeField.number(limbs)
        // Newton's iteration: each turn doubles the bits that are right, from 1 to 64.
        var inverse: UInt64 = 1
        for _ in 0..<6 { inverse = inverse &* (2 &- prime[0] &* inverse) }
        self.negativeInverse = 0 &- inverse
        squaredRadix[0] = 1
        for _ in 0..<128 * count { squaredRadix = sum(squaredRadix, squaredRadix) }
    }

    // MARK: Numbers

    /// Limbs, the greatest first, as they stand.
    private static func number(_ limbs: [UInt64]) -> Number {
        var number = Number(repeating: 0)
        for (place, limb) in limbs.reversed().enumerated() { number[place] = limb }
        return number
    }

    /// A constant below the prime, its greatest limb first.
    func constant(_ limbs: [UInt64]) -> Number { product(PrimeField.number(limbs), squaredRadix) }

    /// The number that octets say, the greatest first; nil when it is not below the prime.
    func number(bigEndian octets: Span<UInt8>) -> Number? {
        var number = Number(repeating: 0)
        for index in octets.indices {
            let place = octets.count - 1 - index
            if place / 8 >= count {
                guard octets[index] == 0 else { return nil }
                continue
            }
            number[place / 8] |= UInt64(octets[index]) << UInt64(place % 8 * 8)
        }
        return reduced(number)
    }

    /// The number that octets say, the least first, without the highest bit of the last; nil when it is
    /// not below the prime.
    func number(littleEndianBelowSign octets: Span<UInt8>) -> Number? {
        var number = Number(repeating: 0)
        for index in octets.indices {
            let octet = index == octets.count - 1 ? octets[index] & 0x7f : octets[index]
            if index / 8 >= count {
                guard octet == 0 else { return nil }
                continue
            }
            number[index / 8] |= UInt64(octet) << UInt64(index % 8 * 8)
        }
        return reduced(number)
    }

    /// A number as it stands, in Montgomery's form.
    private func reduced(_ number: Number) -> Number? {
        PrimeField.isLess(number, prime, count) ? product(number, squaredRadix) : nil
    }

    // MARK: Arithmetic

    /// left + right.
    func sum(_ left: Number, _ right: Number) -> Number {
        var result = Number(repeating: 0)
        var carry: UInt64 = 0
        for place in 0..<count {
            let wide = UInt128(left[place]) &+ UInt128(right[place]) &+ UInt128(carry)
            result[place] = UInt64(truncatingIfNeeded: wide)
            carry = UInt64(truncatingIfNeeded: wide >> 64)
        }
        return below(result, carry)
    }

    /// left - right.
    func difference(_ left: Number, _ right: Number) -> Number {
        var result = left
        guard PrimeField.subtract(right, from: &result, count) else { return result }
        // It went below 0. Adding the prime carries out of the limbs, which cancels the borrow.
        var carry: UInt64 = 0
        for place in 0..<count {
            let wide = UInt128(result[place]) &+ UInt128(prime[place]) &+ UInt128(carry)
            result[place] = UInt64(truncatingIfNeeded: wide)
            carry = UInt64(truncatingIfNeeded: wide >> 64)
        }
        return result
    }

    /// left · right. After each limb of `right` a multiple of the prime makes the sum divisible by 2^64,
    /// and the sum is divided (Koç, Acar, Kaliski, Analyzing and Comparing Montgomery Multiplication
    /// Algorithms, 1996: coarsely integrated operand scanning).
    func product(_ left: Number, _ right: Number) -> Number {
        var result = Number(repeating: 0)
        var top: UInt64 = 0
        for outer in 0..<count {
            let factor = right[outer]
            var carry: UInt64 = 0
            for place in 0..<count {
                let wide =
                    UInt128(left[place]) &* UInt128(factor) &+ UInt128(result[place])
                    &+ UInt128(carry)
                result[place] = UInt64(truncatingIfNeeded: wide)
                carry = UInt64(truncatingIfNeeded: wide >> 64)
            }
            let above = UInt128(top) &+ UInt128(carry)
            let multiple = result[0] &* negativeInverse
            carry = UInt64(
                truncatingIfNeeded: (UInt128(multiple) &* UInt128(prime[0]) &+ UInt128(result[0]))
                    >> 64)
            for place in 1..<max(1, count) {
                let wide =
                    UInt128(multiple) &* UInt128(prime[place]) &+ UInt128(result[place])
                    &+ UInt128(carry)
                result[place - 1] = UInt64(truncatingIfNeeded: wide)
                carry = UInt64(truncatingIfNeeded: wide >> 64)
            }
            let last = above &+ UInt128(carry)
            result[count - 1] = UInt64(truncatingIfNeeded: last)
            top = UInt64(truncatingIfNeeded: last >> 64)
        }
        return below(result, top)
    }

    /// Whether two numbers are the same.
    func areEqual(_ left: Number, _ right: Number) -> Bool {
        for place in 0..<count where left[place] != right[place] { return false }
        return true
    }

    /// Whether a number is the square of one; 0 is. Computes the Jacobi symbol by taking out twos and
    /// subtracting (Cohen, A Course in Computational Algebraic Number Theory, section 1.4.2). Each turn
    /// takes at least one bit from one of two numbers, so that there are at most as many turns as both
    /// have bits. Montgomery's form multiplies by a power of 2^64, which is a square: it changes nothing.
    func isSquare(_ number: Number) -> Bool {
        var upper = number
        var lower = prime
        var size = count
        var isSquare = true
        guard !PrimeField.isZero(upper, size) else { return true }
        while true {
            // (2 / n) is -1 where n is 3 or 5 modulo 8. A limb has an even number of twos.
            while upper[0] == 0 { PrimeField.shiftByLimb(&upper, size) }
            let twos = upper[0].trailingZeroBitCount
            if twos > 0 { PrimeField.shift(&upper, by: twos, size) }
            if twos & 1 == 1, lower[0] & 7 == 3 || lower[0] & 7 == 5 { isSquare.toggle() }
            // Both are odd now: quadratic reciprocity.
            if PrimeField.isLess(upper, lower, size) {
                swap(&upper, &lower)
                if upper[0] & lower[0] & 3 == 3 { isSquare.toggle() }
            }
            _ = PrimeField.subtract(lower, from: &upper, size)
            // `lower` is now the greatest common divisor, which is 1 beside a prime.
            if PrimeField.isZero(upper, size) { return isSquare }
            while size > 1, upper[size - 1] | lower[size - 1] == 0 { size -= 1 }
        }
    }

    // MARK: Limbs

    /// A number with what it carries beyond its limbs, less the prime where it is not below the prime.
    private func below(_ number: Number, _ carry: UInt64) -> Number {
        guard carry != 0 || !PrimeField.isLess(number, prime, count) else { return number }
        var result = number
        _ = PrimeField.subtract(prime, from: &result, count)
        return result
    }

    /// Subtracts; whether the result went below 0.
    private static func subtract(_ right: Number, from left: inout Number, _ count: Int) -> Bool {
        var borrow: UInt64 = 0
        for place in 0..<count {
            let (first, isBelow) = left[place].subtractingReportingOverflow(right[place])
            let (second, isBelowNow) = first.subtractingReportingOverflow(borrow)
            left[place] = second
            borrow = isBelow || isBelowNow ? 1 : 0
        }
        return borrow == 1
    }

    private static func isLess(_ left: Number, _ right: Number, _ count: Int) -> Bool {
        var place = count
        while place > 0 {
            place -= 1
            if left[place] != right[place] { return left[place] < right[place] }
        }
        return false
    }

    private static func isZero(_ number: Number, _ count: Int) -> Bool {
        for place in 0..<count where number[place] != 0 { return false }
        return true
    }

    private static func shiftByLimb(_ number: inout Number, _ count: Int) {
        for place in 1..<max(1, count) { number[place - 1] = number[place] }
        number[count - 1] = 0
    }

    /// Towards the least bit, by 1 to 63 places.
    private static func shift(_ number: inout Number, by places: Int, _ count: Int) {
        for place in 0..<count {
            let above = place + 1 < count ? number[place + 1] << UInt64(64 - places) : 0
            number[place] = number[place] >> UInt64(places) | above
        }
    }
}
