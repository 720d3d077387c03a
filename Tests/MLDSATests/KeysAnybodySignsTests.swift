import Testing

@testable import MLDSA

/// FIPS 204 takes any octets of the right number for a key. If t1·2^d is next to 0 modulo q, the
/// verifier's w hardly depends on the challenge, and a signature needs no secret: with the response
/// 0 every high-order part is 0, so that the challenge's hash is known before the challenge. The
/// engine refuses such keys where it reads them (`LatticeKey` of `TrustEngine`); verification does
/// what FIPS 204 says.
@Suite("ML-DSA keys under which anybody signs") struct KeysAnybodySignsTests {
    /// Coefficients of t1, one after the other and again from the first.
    static let patterns: [[UInt64]] = [
        [0], [1023], [0, 1023, 1023, 0, 0, 0, 1023], [1], [1022], [1, 0, 1022, 1023, 1, 1],
    ]

    @Test("a signature is forged", arguments: MLDSAParameterSet.allCases, patterns)
    func forged(set: MLDSAParameterSet, pattern: [UInt64]) throws {
        var forged = try #require(try SignedMessage.minted().first { $0.parameterSet == set })
        forged.key = KeysAnybodySignsTests.key(set, pattern)
        // Coefficients of 1 stay small enough for most challenges, coefficients of 0 and 1023 for
        // all.
        let most = pattern.allSatisfy { $0 == 0 || $0 == 1023 } ? 1 : 200
        let isForged = (0..<most).contains { number in
            forged.message = Array("no secret was asked: \(number)".utf8)
            forged.signature = KeysAnybodySignsTests.forge(
                set, key: forged.key, message: forged.message)
            return forged.isValid()
        }
        #expect(isForged)
    }

    @Test("under a key with an honest t1 the same signature is none")
    func honest() throws {
        for valid in try SignedMessage.minted() {
            var forged = valid
            forged.signature = KeysAnybodySignsTests.forge(
                valid.parameterSet, key: valid.key, message: valid.message)
            #expect(valid.isValid() && !forged.isValid())
        }
    }

    private static func key(_ set: MLDSAParameterSet, _ pattern: [UInt64]) -> [UInt8] {
        var octets = [UInt8](repeating: 7, count: ParameterNumbers.seedBytes)
        for group in 0..<64 * set.numbers.rows {
            var bits: UInt64 = 0
            for part in 0..<4 {
                bits |= pattern[(4 * group + part) % pattern.count] << UInt64(10 * part)
            }
            for octet in 0..<5 {
                octets.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * octet)))
            }
        }
        return octets
    }

    /// The signature of the response 0 and of no hint, over high-order parts that are all 0.
    private static func forge(
        _ set: MLDSAParameterSet, key: [UInt8], message: [UInt8]
    ) -> [UInt8] {
        let numbers = set.numbers
        var keyHash = SHAKE.shake256()
        keyHash.absorb(key.span)
        keyHash.finish()
        var representative = SHAKE.shake256()
        representative.absorb(keyHash.output())
        representative.absorb(0)
        representative.absorb(0)
        representative.absorb(message.span)
        representative.finish()
        var challenge = SHAKE.shake256()
        challenge.absorb(representative.output())
        let parts = 256 * numbers.rows * Int(numbers.rounding.packedBits) / 8
        challenge.absorb([UInt8](repeating: 0, count: parts).span)
        challenge.finish()
        let lanes = challenge.output()
        var signature = (0..<numbers.challengeBytes).map { index in
            UInt8(truncatingIfNeeded: lanes[index / 8] >> UInt64(index % 8 * 8))
        }
        // A coefficient z is packed as γ1 - z, in as many bits as 2γ1 - 1 has.
        var bits: [Bool] = []
        for _ in 0..<256 * numbers.columns {
            bits += (0...numbers.maskBits).map { $0 == numbers.maskBits }
        }
        for start in stride(from: 0, to: bits.count, by: 8) {
            signature.append(
                (0..<8).reduce(0) { $0 | (bits[start + $1] ? 1 << UInt8($1) : 0) })
        }
        return signature + [UInt8](repeating: 0, count: numbers.mostHints + numbers.rows)
    }
}
