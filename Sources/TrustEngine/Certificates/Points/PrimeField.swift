/// Numbers modulo an odd prime, with the operations that tell points of a curve from other octets
/// (`CurveEquation`, `EdwardsPoint`). Signatures are verified by the backend.
///
/// Keys are public, so the time of a computation may depend on them. `count` is the number of
/// 64-bit limbs of the prime; the prime's bits bound every loop.
struct PrimeField<let count: Int>: Sendable {
    /// A number below the prime, its least limb first, in Montgomery's form: multiplied by 2^(64 ·
    /// `count`) modulo the prime (Montgomery, Modular multiplication without trial division, 1985).
    typealias Number = InlineArray<count, UInt64>

    /// The prime itself, not in Montgomery's form.
    private let prime: Number
    /// The number that gives -1 modulo 2^64 when multiplied by the prime.
    private let negativeInverse: UInt64
    /// 2^(128 · `count`) modulo the prime. Multiplying by it brings a number into Montgomery's
    /// form.
    private var squaredRadix = Number(repeating: 0)

    /// Makes the field of a prime, given with its greatest limb first, as standards print it.
    init(prime limbs: [UInt64]) {
        self.prime = PrimeField.number(limbs)
        // Newton's iteration: each turn doubles the number of right bits, from 1 to 64.
        var inverse: UInt64 = 1
        for _ in 0..<6 { inverse = inverse &* (2 &- prime[0] &* inverse) }
        self.negativeInverse = 0 &- inverse
        squaredRadix[0] = 1
        for _ in 0..<128 * count { squaredRadix = sum(squaredRadix, squaredRadix) }
    }

    // MARK: Numbers

    /// The number with these limbs, the greatest first, not in Montgomery's form.
    private static func number(_ limbs: [UInt64]) -> Number {
        var number = Number(repeating: 0)
        for (index, limb) in limbs.reversed().enumerated() { number[index] = limb }
        return number
    }

    /// A constant below the prime, given with its greatest limb first.
    func constant(_ limbs: [UInt64]) -> Number { product(PrimeField.number(limbs), squaredRadix) }

    /// The number that octets encode, the greatest octet first, not in Montgomery's form; nil when
    /// the number is not below the prime.
    func plainNumber(bigEndian octets: Span<UInt8>) -> Number? {
        var number = Number(repeating: 0)
        guard octets.count != 8 &* count else {
            for index in 0..<count {
                number[index] = octets.number64(at: 8 &* (count &- 1 &- index)).byteSwapped
            }
            return PrimeField.isLess(number, prime, count) ? number : nil
        }
        for index in octets.indices {
            let weight = octets.count - 1 - index
            if weight / 8 >= count {
                guard octets[index] == 0 else { return nil }
                continue
            }
            number[weight / 8] |= UInt64(octets[index]) << UInt64(weight % 8 * 8)
        }
        return PrimeField.isLess(number, prime, count) ? number : nil
    }

    /// A number below the prime in Montgomery's form.
    func montgomery(_ number: Number) -> Number { product(number, squaredRadix) }

    /// A number out of Montgomery's form: divided by 2^(64 · `count`) modulo the prime.
    func divided(_ number: Number) -> Number {
        var one = Number(repeating: 0)
        one[0] = 1
        return product(number, one)
    }

    /// The number that octets encode, the least octet first, without the highest bit of the last
    /// octet; nil when the number is not below the prime.
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

    /// Brings a number into Montgomery's form; nil when the number is not below the prime.
    private func reduced(_ number: Number) -> Number? {
        PrimeField.isLess(number, prime, count) ? product(number, squaredRadix) : nil
    }

    // MARK: Arithmetic

    /// The sum left + right.
    func sum(_ left: Number, _ right: Number) -> Number {
        var result = Number(repeating: 0)
        var carry: UInt64 = 0
        for index in 0..<count {
            let wide = UInt128(left[index]) &+ UInt128(right[index]) &+ UInt128(carry)
            result[index] = UInt64(truncatingIfNeeded: wide)
            carry = UInt64(truncatingIfNeeded: wide >> 64)
        }
        return below(result, carry)
    }

    /// The difference left - right.
    func difference(_ left: Number, _ right: Number) -> Number {
        var result = left
        guard PrimeField.subtract(right, from: &result, count) else { return result }
        // The difference is below 0. Adding the prime carries out of the limbs, and the carry
        // cancels the borrow.
        var carry: UInt64 = 0
        for index in 0..<count {
            let wide = UInt128(result[index]) &+ UInt128(prime[index]) &+ UInt128(carry)
            result[index] = UInt64(truncatingIfNeeded: wide)
            carry = UInt64(truncatingIfNeeded: wide >> 64)
        }
        return result
    }

    /// The product left · right. After each limb of `right` a multiple of the prime is added, which
    /// makes the sum divisible by 2^64, and the sum is divided (Koç, Acar, Kaliski, Analyzing and
    /// Comparing Montgomery Multiplication Algorithms, 1996: coarsely integrated operand scanning).
    func product(_ left: Number, _ right: Number) -> Number {
        var result = Number(repeating: 0)
        var top: UInt64 = 0
        for outer in 0..<count {
            let factor = right[outer]
            var carry: UInt64 = 0
            for index in 0..<count {
                let wide =
                    UInt128(left[index]) &* UInt128(factor) &+ UInt128(result[index])
                    &+ UInt128(carry)
                result[index] = UInt64(truncatingIfNeeded: wide)
                carry = UInt64(truncatingIfNeeded: wide >> 64)
            }
            let above = UInt128(top) &+ UInt128(carry)
            let multiple = result[0] &* negativeInverse
            carry = UInt64(
                truncatingIfNeeded: (UInt128(multiple) &* UInt128(prime[0]) &+ UInt128(result[0]))
                    >> 64)
            for index in 1..<max(1, count) {
                let wide =
                    UInt128(multiple) &* UInt128(prime[index]) &+ UInt128(result[index])
                    &+ UInt128(carry)
                result[index - 1] = UInt64(truncatingIfNeeded: wide)
                carry = UInt64(truncatingIfNeeded: wide >> 64)
            }
            let last = above &+ UInt128(carry)
            result[count - 1] = UInt64(truncatingIfNeeded: last)
            top = UInt64(truncatingIfNeeded: last >> 64)
        }
        return below(result, top)
    }

    /// Whether two numbers are equal.
    func areEqual(_ left: Number, _ right: Number) -> Bool {
        for index in 0..<count where left[index] != right[index] { return false }
        return true
    }

    /// Whether a number is a square; 0 is a square. The function computes the Jacobi symbol by
    /// taking out twos and subtracting (Cohen, A Course in Computational Algebraic Number Theory,
    /// section 1.4.2). Each turn removes at least one bit from one of two numbers, so there are at
    /// most as many turns as both have bits. Montgomery's form multiplies by a power of 2^64. That
    /// power is a square, so it does not change the answer.
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
            // Both numbers are odd now: quadratic reciprocity applies.
            if PrimeField.isLess(upper, lower, size) {
                swap(&upper, &lower)
                if upper[0] & lower[0] & 3 == 3 { isSquare.toggle() }
            }
            _ = PrimeField.subtract(lower, from: &upper, size)
            // `lower` is now the greatest common divisor, which is 1 because the prime has no other
            // divisor.
            if PrimeField.isZero(upper, size) { return isSquare }
            while size > 1, upper[size - 1] | lower[size - 1] == 0 { size -= 1 }
        }
    }

    /// A square root of a square in Montgomery's form, where the prime is 3 modulo 4: the square to
    /// the power of (prime + 1) / 4 (Cohen, section 1.5.1). The exponent is taken four bits at a
    /// time, so that a root costs the prime's bits in squarings and a quarter of them in products.
    func squareRoot(_ square: Number) -> Number {
        var exponent = prime
        // The prime is odd, so that nothing is carried out of the limbs but by a limb that is full.
        var index = 0
        repeat {
            exponent[index] &+= 1
            index += 1
        } while index < count && exponent[index - 1] == 0
        PrimeField.shift(&exponent, by: 2, count)
        var powers = InlineArray<16, Number>(repeating: Number(repeating: 0))
        powers[1] = square
        for power in 2..<16 { powers[power] = product(powers[power - 1], square) }
        var root = Number(repeating: 0)
        var isEmpty = true
        for window in (0..<16 * count).reversed() {
            if !isEmpty { for _ in 0..<4 { root = product(root, root) } }
            let bits = Int(exponent[window / 16] >> UInt64(window % 16 * 4) & 15)
            guard bits > 0 else { continue }
            root = isEmpty ? powers[bits] : product(root, powers[bits])
            isEmpty = false
        }
        return root
    }

    /// The octets of a number that is not in Montgomery's form, the greatest octet first.
    func octets(of number: Number, count: Int) -> [UInt8] {
        (0..<count).reversed().map { weight in
            UInt8(truncatingIfNeeded: number[weight / 8] >> UInt64(weight % 8 * 8))
        }
    }

    // MARK: Limbs

    /// A number with its carry beyond the limbs, reduced by the prime where it is not below the
    /// prime.
    private func below(_ number: Number, _ carry: UInt64) -> Number {
        guard carry != 0 || !PrimeField.isLess(number, prime, count) else { return number }
        var result = number
        _ = PrimeField.subtract(prime, from: &result, count)
        return result
    }

    /// Subtracts `right` from `left`. Returns whether the result is below 0.
    private static func subtract(_ right: Number, from left: inout Number, _ count: Int) -> Bool {
        var borrow: UInt64 = 0
        for index in 0..<count {
            let (first, isBelow) = left[index].subtractingReportingOverflow(right[index])
            let (second, isBelowNow) = first.subtractingReportingOverflow(borrow)
            left[index] = second
            borrow = isBelow || isBelowNow ? 1 : 0
        }
        return borrow == 1
    }

    private static func isLess(_ left: Number, _ right: Number, _ count: Int) -> Bool {
        var index = count
        while index > 0 {
            index -= 1
            if left[index] != right[index] { return left[index] < right[index] }
        }
        return false
    }

    private static func isZero(_ number: Number, _ count: Int) -> Bool {
        for index in 0..<count where number[index] != 0 { return false }
        return true
    }

    private static func shiftByLimb(_ number: inout Number, _ count: Int) {
        for index in 1..<max(1, count) { number[index - 1] = number[index] }
        number[count - 1] = 0
    }

    /// Shifts towards the least bit, by 1 to 63 bits.
    private static func shift(_ number: inout Number, by bits: Int, _ count: Int) {
        for index in 0..<count {
            let above = index + 1 < count ? number[index + 1] << UInt64(64 - bits) : 0
            number[index] = number[index] >> UInt64(bits) | above
        }
    }
}
