import Testing

@testable import MLDSA

/// Numbers by chance that are the same in every run: the output of SHAKE256.
struct Chance: ~Copyable {
    private var hash = SHAKE.shake256()
    private var lane = 0

    init(_ seed: UInt8) {
        hash.absorb(seed)
        hash.finish()
    }

    mutating func next() -> UInt64 {
        if lane == hash.blockLanes {
            hash.squeeze()
            lane = 0
        }
        defer { lane += 1 }
        return hash.lanes[lane]
    }

    /// A number below a bound, which is small.
    mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

/// The residue from 0 to q - 1.
private func residue(_ number: Int) -> Int {
    let rest = number % Int(Field.modulus)
    return rest < 0 ? rest + Int(Field.modulus) : rest
}

/// A power modulo q.
private func power(_ base: Int, _ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { product, _ in residue(product * base) }
}

@Suite("arithmetic modulo q (FIPS 204 sections 2.5, 7.5 and Appendix A)")
struct ArithmeticTests {
    @Test("q, its inverse and the factor of the inverse transform")
    func constants() {
        #expect(Field.modulus == (1 << 23) - (1 << 13) + 1)
        #expect(Field.modulus &* Field.inverse == 1)
        let factor = residue(1 << 32)
        #expect(residue(Int(Polynomial.inverseOfCount) * 256) == residue(factor * factor))
    }

    @Test("the table of powers of ζ")
    func zetas() {
        #expect(power(Zetas.root, 256) == Int(Field.modulus) - 1)
        for index in 0..<256 {
            let reversed = (0..<8).reduce(0) { $0 << 1 | index >> $1 & 1 }
            let value = residue(power(Zetas.root, reversed) * residue(1 << 32))
            #expect(residue(Int(Zetas.powers[index])) == value, "\(index)")
            #expect(abs(Zetas.powers[index]) <= Field.modulus / 2, "\(index)")
        }
    }

    @Test("Montgomery's reduction within and at its bounds")
    func reduction() {
        let modulus = Int64(Field.modulus)
        let bound = modulus << 31
        var numbers: [Int64] = [
            0, 1, -1, modulus, -modulus, bound - 1, 1 - bound, 256 * modulus * modulus,
            -256 * modulus * modulus, 144 * modulus * modulus, 1 << 32, 1 << 31, -(1 << 31),
        ]
        var chance = Chance(1)
        for _ in 0..<10_000 {
            numbers.append(Int64(bitPattern: chance.next()) % bound)
        }
        for number in numbers {
            let reduced = Field.reduced(number)
            #expect(abs(reduced) < Field.modulus, "\(number)")
            #expect(
                residue(residue(Int(reduced)) * residue(1 << 32)) == residue(Int(number)),
                "\(number)")
        }
    }

    @Test("the canonical representative")
    func canonical() {
        let modulus = Field.modulus
        for (number, expected) in [
            (0, 0), (1, 1), (-1, modulus - 1), (modulus - 1, modulus - 1), (1 - modulus, 1),
        ] {
            #expect(Field.canonical(number) == expected)
        }
    }

    // MARK: The transform

    /// Polynomials at the ends of what the transform takes, and by chance.
    private static let samples: [[Int]] = {
        let most = Int(Field.modulus) - 1
        var samples: [[Int]] = [
            .init(repeating: most, count: 256), .init(repeating: -most, count: 256),
            (0..<256).map { $0.isMultiple(of: 2) ? most : -most },
            (0..<256).map { $0 < 128 ? most : -most },
            (0..<256).map { $0 == 255 ? 1 : 0 },
        ]
        var chance = Chance(2)
        for _ in 0..<8 {
            samples.append(
                (0..<256).map { _ in chance.next(below: 2 * most + 1) - most })
        }
        return samples
    }()

    private func polynomial(_ coefficients: [Int]) -> Polynomial {
        var polynomial = Polynomial()
        for index in 0..<256 { polynomial.coefficients[index] = Int32(coefficients[index]) }
        return polynomial
    }

    @Test("a product by transforms beside schoolbook multiplication")
    func products() {
        for first in ArithmeticTests.samples {
            for second in ArithmeticTests.samples.prefix(6) {
                var sums = [Int](repeating: 0, count: 256)
                for i in 0..<256 {
                    for j in 0..<256 {
                        let product = residue(first[i] * second[j])
                        // X^256 is -1.
                        sums[(i + j) & 255] += i + j < 256 ? product : -product
                    }
                }
                var a = polynomial(first)
                var b = polynomial(second)
                a.transform()
                b.transform()
                var accumulator = Accumulator()
                accumulator.add(a, b)
                var result = Polynomial()
                accumulator.reduce(into: &result)
                result.invert()
                for index in 0..<256 {
                    #expect(Int(result.coefficients[index]) == residue(sums[index]))
                }
            }
        }
    }

    @Test("a transform's coefficients stay below 9q")
    func bounds() {
        for sample in ArithmeticTests.samples {
            var a = polynomial(sample)
            a.transform()
            for index in 0..<256 { #expect(abs(a.coefficients[index]) < 9 * Field.modulus) }
        }
    }

    @Test("the longest row, at the bounds of its factors")
    func longestRow() {
        let most = Int(Field.modulus) - 1
        let bound = 9 * Int(Field.modulus) - 1
        for sign in [1, -1] {
            let entry = polynomial(.init(repeating: most, count: 256))
            let response = polynomial(.init(repeating: sign * bound, count: 256))
            let rows = [Int32](repeating: Int32(-bound), count: 512)
            var sums = Accumulator()
            sums.begin(minus: response, rows, at: 256)
            for _ in 0..<7 { sums.add(entry, response) }
            var result = Polynomial()
            sums.reduce(into: &result)
            let expected = residue(
                residue(7 * residue(sign * most * bound)) + residue(sign * bound * bound))
            for index in 0..<256 {
                let reduced = Int(result.coefficients[index])
                #expect(abs(reduced) < Int(Field.modulus))
                #expect(residue(residue(reduced) * residue(1 << 32)) == expected)
            }
        }
    }

    /// In 64 bits, as FIPS 204 Algorithm 42 says.
    @Test("the inverse transform does not overflow at the ends of what it takes")
    func inverse() {
        let factor = residue(1 << 32)
        for sample in ArithmeticTests.samples {
            var slow = sample
            var index = 256
            var length = 1
            while length < 256 {
                for start in stride(from: 0, to: 256, by: 2 * length) {
                    index -= 1
                    let reversed = (0..<8).reduce(0) { $0 << 1 | index >> $1 & 1 }
                    let zeta = -power(Zetas.root, reversed)
                    for j in start..<(start + length) {
                        let (a, b) = (slow[j], slow[j + length])
                        slow[j] = residue(a + b)
                        slow[j + length] = residue(zeta * residue(a - b))
                    }
                }
                length *= 2
            }
            var fast = polynomial(sample)
            fast.invert()
            for index in 0..<256 {
                // 8,347,681 is 1/256 modulo q.
                #expect(
                    Int(fast.coefficients[index])
                        == residue(residue(slow[index] * 8_347_681) * factor))
            }
        }
    }
}
