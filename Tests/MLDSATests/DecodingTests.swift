import Testing

@testable import MLDSA

@Suite("the response, the matrix and the challenge of a signature")
struct DecodingTests {
    /// A signature with one coefficient of the last column of the response, all others 0.
    private func signature(_ set: MLDSAParameterSet, at place: Int, _ coefficient: Int) -> [UInt8] {
        let numbers = set.numbers
        let bits = numbers.maskBits + 1
        var signature = [UInt8](repeating: 0, count: set.signatureBytes)
        let start =
            numbers.challengeBytes + numbers.responsePolynomialBytes * (numbers.columns - 1)
        for index in 0..<256 {
            let value = Int(numbers.maskRange) - (index == place ? coefficient : 0)
            for bit in 0..<bits where value >> bit & 1 == 1 {
                let position = bits * index + bit
                signature[start + position / 8] |= 1 << UInt8(position % 8)
            }
        }
        return signature
    }

    @Test(
        "a coefficient at and above the bound of the norm (Algorithm 8, line 13)",
        arguments: MLDSAParameterSet.allCases, [0, 1, 100, 255])
    func norm(_ set: MLDSAParameterSet, _ place: Int) {
        let numbers = set.numbers
        let bound = [MLDSAParameterSet.mldsa44: 130_994, .mldsa65: 524_092, .mldsa87: 524_168][set]
        #expect(Int(numbers.responseBound) == bound)
        let most = Int(numbers.responseBound) - 1
        let range = Int(numbers.maskRange)
        for (coefficient, isTaken) in [
            (0, true), (most, true), (-most, true), (most + 1, false), (-most - 1, false),
            (range, false), (1 - range, false),
        ] {
            let octets = signature(set, at: place, coefficient)
            var polynomial = Polynomial()
            let taken = ResponseDecoding.decode(
                &polynomial, column: numbers.columns - 1, of: octets.span, numbers: numbers)
            #expect(taken == isTaken, "\(coefficient)")
            for index in 0..<256 {
                #expect(polynomial.coefficients[index] == (index == place ? coefficient : 0))
            }
        }
    }

    /// In the output for the seed 156,971 the candidate 157 is q, the lowest that is refused.
    @Test("an entry of the matrix beside a slow sampling, octet by octet (Algorithms 14 and 30)")
    func matrix() {
        let mixed: InlineArray<4, UInt64> = [1, .max, 0x0123_4567_89ab_cdef, 42]
        for (seed, row, column) in [
            (mixed, 0, 0), (mixed, 0, 1), (mixed, 1, 0), (mixed, 7, 6), ([156_971, 0, 0, 0], 0, 0),
        ] as [(InlineArray<4, UInt64>, Int, Int)] {
            var hash = SHAKE.shake128()
            for index in 0..<4 { hash.absorb(lane: seed[index]) }
            hash.absorb(UInt8(column))
            hash.absorb(UInt8(row))
            hash.finish()
            var output: [Int] = []
            for _ in 0..<6 {
                for octet in 0..<168 {
                    output.append(Int(hash.lanes[octet / 8] >> UInt64(octet % 8 * 8) & 0xff))
                }
                hash.squeeze()
            }
            var expected: [Int] = []
            for start in stride(from: 0, to: output.count, by: 3) {
                let high = (output[start + 2] & 0x7f) << 16
                let candidate = output[start] | output[start + 1] << 8 | high
                if candidate < Int(Field.modulus) { expected.append(candidate) }
                if seed[0] == 156_971, start == 3 * 157 { #expect(candidate == 8_380_417) }
            }
            var entry = Polynomial()
            #expect(Sampling.matrixEntry(&entry, seed: seed, row: row, column: column) == true)
            for index in 0..<256 { #expect(Int(entry.coefficients[index]) == expected[index]) }
        }
    }

    @Test("the challenge has its weight, and both signs", arguments: [39, 49, 60])
    func challenge(_ weight: Int) {
        var positive = 0
        for seed in UInt8(0)..<100 {
            let hash = [UInt8](repeating: seed, count: 32)
            var challenge = Polynomial()
            #expect(Sampling.challenge(&challenge, hash: hash.span, weight: weight) == true)
            var found = 0
            for index in 0..<256 {
                let coefficient = challenge.coefficients[index]
                #expect(abs(coefficient) <= 1)
                if coefficient != 0 { found += 1 }
                if coefficient == 1 { positive += 1 }
            }
            #expect(found == weight)
        }
        #expect(positive > 40 * weight && positive < 60 * weight)
    }
}
