/// The response z of a signature (FIPS 204 Algorithm 27): small numbers, packed by rows of 18 or 20
/// bits. The signature's size has been checked.
enum ResponseDecoding {
    /// Decodes one polynomial of the response (FIPS 204 Algorithm 19). False when a coefficient's
    /// absolute value is not below γ1 - β (Algorithm 8, line 13).
    ///
    /// A coefficient is γ1 minus a number of 18 or 20 bits, so it is between -γ1 + 1 and γ1.
    static func decode(
        _ polynomial: inout Polynomial, column: Int, of signature: Span<UInt8>,
        numbers: ParameterNumbers
    ) -> Bool {
        let bits = UInt64(numbers.maskBits &+ 1)
        let mask: UInt64 = (1 &<< bits) &- 1
        let range = numbers.maskRange
        var next = numbers.challengeBytes &+ numbers.responsePolynomialBytes &* column
        var largest: Int32 = 0
        // Octets that are read and not yet used are the low `held` bits of `buffer`. There are at
        // most 19 + 8 of them.
        var buffer: UInt64 = 0
        var held: UInt64 = 0
        for index in 0..<Polynomial.count {
            while held < bits {
                buffer |= UInt64(signature[next]) &<< held
                next &+= 1
                held &+= 8
            }
            let coefficient = range &- Int32(truncatingIfNeeded: buffer & mask)
            buffer &>>= bits
            held &-= bits
            polynomial.coefficients[index] = coefficient
            largest = max(largest, abs(coefficient))
        }
        return largest < numbers.responseBound
    }
}
