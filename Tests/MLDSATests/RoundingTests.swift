import Foundation
import Testing

@testable import MLDSA

@Suite("rounding and hints (FIPS 204 section 7.4)")
struct RoundingTests {
    /// FIPS 204 Algorithm 36, word by word.
    private func decompose(_ number: Int, range: Int) -> (high: Int, low: Int) {
        let modulus = Int(Field.modulus)
        var low = number % (2 * range)
        if low > range { low -= 2 * range }
        if number - low == modulus - 1 { return (0, low - 1) }
        return ((number - low) / (2 * range), low)
    }

    /// FIPS 204 Algorithm 40.
    private func useHint(_ number: Int, range: Int, count: Int) -> Int {
        let parts = decompose(number, range: range)
        return parts.low > 0 ? (parts.high + 1) % count : (parts.high - 1 + count) % count
    }

    @Test(
        "coefficients around the ends of every part and between them; all of them where asked",
        arguments: [(Rounding.parts44, 88), (.parts16, 32)])
    func everyPart(_ rounding: Rounding, _ divisor: Int) {
        let modulus = Int(Field.modulus)
        let range = (modulus - 1) / divisor
        #expect(Int(rounding.width) == 2 * range)
        #expect(Int(rounding.partCount) == divisor / 2)
        let isFull = ProcessInfo.processInfo.environment["HAWSER_FULL"] == "1"
        var numbers = Array(stride(from: 0, to: modulus, by: isFull ? 1 : 997))
        for end in stride(from: 0, to: modulus, by: range) {
            numbers += (max(0, end - 3)...min(modulus - 1, end + 3))
        }
        var wrong = 0
        for number in numbers {
            let high = Int(rounding.highPart(Int32(number)))
            let hinted = Int(rounding.hintedPart(Int32(number)))
            if high != decompose(number, range: range).high { wrong += 1 }
            if hinted != useHint(number, range: range, count: divisor / 2) { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    @Test("a row in its packed form (Algorithm 28)", arguments: [Rounding.parts44, .parts16])
    func packing(_ rounding: Rounding) throws {
        var row = Polynomial()
        var chance = Chance(3)
        var bits: [UInt8] = []
        for index in 0..<256 {
            row.coefficients[index] = Int32(chance.next(below: Int(Field.modulus)))
            let part = rounding.highPart(row.coefficients[index])
            for bit in 0..<Int32(rounding.packedBits) { bits.append(UInt8(part >> bit & 1)) }
        }
        let packed = stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { $0 | bits[start + $1] << UInt8($1) }
        }
        var expected = SHAKE.shake256()
        expected.absorb(packed.span)
        expected.finish()
        var hash = SHAKE.shake256()
        let signature = [UInt8](repeating: 0, count: MLDSAParameterSet.mldsa44.signatureBytes)
        let decoded = Hints(signature.span, numbers: MLDSAParameterSet.mldsa44.numbers)
        let hints = try #require(decoded)
        rounding.absorb(&row, hints: hints, range: 0..<0, into: &hash)
        hash.finish()
        for lane in 0..<8 { #expect(hash.lanes[lane] == expected.lanes[lane]) }
    }

    // MARK: The form of hints

    /// A signature of ML-DSA-44 (80 positions, four rows) with these positions and ends.
    private func hints(_ positions: [UInt8], ends: [UInt8]) -> Hints? {
        let size = MLDSAParameterSet.mldsa44.signatureBytes
        let padding = [UInt8](repeating: 0, count: 80 - positions.count)
        let start = [UInt8](repeating: 0xff, count: size - 84)
        let signature = start + positions + padding + ends
        return Hints(signature.span, numbers: MLDSAParameterSet.mldsa44.numbers)
    }

    @Test(
        "the one form that is taken, and those that are not (Algorithm 21)",
        arguments: [
            ("no hints", [], [0, 0, 0, 0], true),
            ("one in each row", [7, 7, 7, 7], [1, 2, 3, 4], true),
            ("position 0", [0], [1, 1, 1, 1], true),
            ("position 255", [0, 255], [0, 0, 0, 2], true),
            ("rising", [1, 2, 3, 1, 2], [3, 3, 5, 5], true),
            ("falling in a row", [2, 1], [2, 2, 2, 2], false),
            ("twice in a row", [1, 1], [2, 2, 2, 2], false),
            ("0 twice in a row", [0, 0], [2, 2, 2, 2], false),
            ("an end that falls", [1, 2], [2, 1, 2, 2], false),
            ("the last end falls", [1, 2], [2, 2, 2, 1], false),
            ("an octet that no row uses", [1, 2, 3], [2, 2, 2, 2], false),
            ("an end above the most hints", [], [0, 0, 0, 81], false),
            ("the highest end", [], [255, 255, 255, 255], false),
            ("the first end above, the others not", [], [81, 0, 0, 0], false),
        ] as [(String, [UInt8], [UInt8], Bool)])
    func forms(_ name: String, _ positions: [UInt8], _ ends: [UInt8], _ isTaken: Bool) {
        let decoded = hints(positions, ends: ends)
        #expect((decoded != nil) == isTaken, "\(name)")
    }

    @Test("as many hints as there can be, and where those of each row stand")
    func mostHints() throws {
        let all = (0..<80).map { UInt8($0 % 40) }
        let decoded = try #require(hints(all, ends: [40, 80, 80, 80]))
        #expect((0..<4).map { decoded.range(ofRow: $0) } == [0..<40, 40..<80, 80..<80, 80..<80])
        #expect((0..<80).map { decoded[$0] } == all.map(Int.init))
    }
}
