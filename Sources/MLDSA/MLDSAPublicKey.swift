// Verification of ML-DSA signatures: FIPS 204 Algorithms 3 and 8, pure ML-DSA, with the parameter
// sets 44, 65 and 87, as certificates use it (RFC 9881).
//
// The verification. The key is a seed ρ of a matrix A, k by l polynomials modulo q and X^256 + 1,
// and a vector t1. The signature is the hash c~ of a challenge c, a vector z of small polynomials,
// and hints. The verifier computes w = A·z - c·t1·2^d, which is close to the signer's w. The hints
// correct the high-order parts of its coefficients to the signer's. Then c~ must be the hash of
// these parts and of the message. To forge is to find a small z for a c that depends on z.
//
// Why nothing here takes constant time. Each input of a verification is public: the key, the
// message, the context and the signature. The time reveals no secret, because none exists. So a
// sampling may branch on the octets that it draws, and a signature is refused at its first fault.
// Code that signs must not be built from this code.
//
// How the arithmetic is represented. A coefficient is an `Int32`, not always reduced modulo q. Each
// function says which range it takes, which it gives, and why no sum in between overflows. A
// product of two coefficients is an `Int64`. `Field.reduced` reduces it by Montgomery's method,
// without a division. The result carries a factor 2^-32, and the tables of constants carry 2^32 to
// make up for it. The factors of a row of A·z - c·t1·2^d are transforms (`Polynomial.transform`);
// the products of one coefficient are summed in 64 bits and reduced once. The inverse transform
// needs this reduction: without it, its sums overflow 32 bits for signatures that an attacker can
// choose (eprint 2026/1032).
//
// Wrapping operators (`&+`, `&*`) stand where the stated ranges prove that nothing wraps: the check
// would cost time, and a wrong proof must not become a trap. Indices are checked, since this target
// has no unsafe code; every index follows from the sizes that are checked first.
//
// Where the constants are from. The parameters: FIPS 204 Tables 1 and 2, in `MLDSAParameterSet`.
// The powers of ζ = 1753: section 7.5 and Appendix B, in `Zetas`; a test computes them again. The
// inverse of q modulo 2^32: Algorithm 49, in `Field`. Keccak's round constants and rotations:
// FIPS 202 Algorithm 5 and Table 2, in `Keccak`; a test computes the first again, and known answers
// hold both.
//
// Memory and work. A prepared key holds ρ, the hash of the key, and the transforms of t1·2^d: 4, 6
// or 8 kB for the three parameter sets. The matrix A would be 16, 30 or 56 kB more. Each
// verification makes it again from ρ, one entry at a time, which is about two thirds of the work.
// So a cached key stays small, and the first verification under it costs what the tenth costs. A
// verification allocates nothing and needs 20 kB of stack in a release build. Its work depends on
// three things: the length of the message; whether the signature is refused early; and the rare
// candidates that a sampling refuses, whose number is bounded (`Sampling`).

/// A public key of ML-DSA, prepared for the verification of many signatures.
public struct MLDSAPublicKey: Sendable {
    /// The key's parameter set.
    public let parameterSet: MLDSAParameterSet

    /// ρ, the seed of the matrix A, in lanes of eight octets, the lowest first.
    private let seed: InlineArray<4, UInt64>

    /// tr, the hash of the encoded key, in lanes.
    private let keyHash: InlineArray<8, UInt64>

    /// The transforms of t1·2^d, one row after the other. INVARIANT (bounded): each is between -9q
    /// and 9q.
    private let rows: [Int32]

    /// Prepares an encoded key (FIPS 204 Algorithm 23), as it stands in the BIT STRING of a
    /// SubjectPublicKeyInfo (RFC 9881 section 4). Nil when it does not have the exact size of its
    /// parameter set; any octets of that size are a key. FIPS 204 has keys under which anybody can
    /// sign: those whose t1·2^d is next to 0 modulo q. A program that reads keys of strangers must
    /// refuse them, as the engine does where it reads a key.
    public init?(_ parameterSet: MLDSAParameterSet, octets: Span<UInt8>) {
        let numbers = parameterSet.numbers
        guard octets.count == numbers.publicKeyBytes else { return nil }
        var seed = InlineArray<4, UInt64>(repeating: 0)
        for index in 0..<4 { seed[index] = UInt64(littleEndian: octets, at: 8 &* index) }
        var hash = SHAKE.shake256()
        hash.absorb(octets)
        hash.finish()
        var rows: [Int32] = []
        rows.reserveCapacity(Polynomial.count * numbers.rows)
        for row in 0..<numbers.rows {
            var polynomial = Polynomial()
            MLDSAPublicKey.decode(&polynomial, row: row, of: octets)
            polynomial.transform()
            for index in 0..<Polynomial.count { rows.append(polynomial.coefficients[index]) }
        }
        self.parameterSet = parameterSet
        self.seed = seed
        self.keyHash = hash.output()
        self.rows = rows
    }

    /// One row of t1·2^d. t1 has numbers of ten bits, and d is 13 (FIPS 204 Table 1), so a
    /// coefficient is at most 1023 · 2^13 = q - 1.
    private static func decode(_ row: inout Polynomial, row index: Int, of octets: Span<UInt8>) {
        var next = ParameterNumbers.seedBytes &+ ParameterNumbers.keyRowBytes &* index
        for group in 0..<64 {
            var bits: UInt64 = 0
            for octet in 0..<5 { bits |= UInt64(octets[next &+ octet]) &<< UInt64(8 &* octet) }
            next &+= 5
            for part in 0..<4 {
                let value = Int32(truncatingIfNeeded: (bits &>> UInt64(10 &* part)) & 0x3ff)
                row.coefficients[4 &* group &+ part] = value &<< 13
            }
        }
    }

    /// Whether a signature verifies over a message and a context (FIPS 204 Algorithm 3).
    /// Certificates have the empty context (RFC 9881 section 3).
    ///
    /// False for a signature that does not have the exact size, for a context of more than 255
    /// octets, and for everything else that is wrong. Allocates nothing. One hash of the message is
    /// all that depends on its length.
    public func isValid(
        signature: Span<UInt8>, of message: Span<UInt8>, context: Span<UInt8> = Span()
    ) -> Bool {
        let numbers = parameterSet.numbers
        guard signature.count == numbers.signatureBytes,
            let contextBytes = UInt8(exactly: context.count),
            let hints = Hints(signature, numbers: numbers)
        else { return false }

        // z, and its transform. The transform takes coefficients between -q and q; these are within
        // 2^19 of 0.
        var response = InlineArray<7, Polynomial> { _ in Polynomial() }
        for column in 0..<numbers.columns {
            guard
                ResponseDecoding.decode(
                    &response[column], column: column, of: signature, numbers: numbers)
            else { return false }
            response[column].transform()
        }

        let challengeHash = signature.extracting(first: numbers.challengeBytes)
        var challenge = Polynomial()
        guard
            Sampling.challenge(&challenge, hash: challengeHash, weight: numbers.challengeWeight)
        else { return false }
        challenge.transform()

        // The hash that must be c~, which begins with µ.
        var hash = SHAKE.shake256()
        hash.absorb(representative(of: message, context: context, contextBytes: contextBytes))
        var entry = Polynomial()
        var sums = Accumulator()
        for row in 0..<numbers.rows {
            sums.begin(minus: challenge, rows, at: Polynomial.count &* row)
            for column in 0..<numbers.columns {
                guard Sampling.matrixEntry(&entry, seed: seed, row: row, column: column) else {
                    return false
                }
                sums.add(entry, response[column])
            }
            // The entry's memory is free for the row of w.
            sums.reduce(into: &entry)
            entry.invert()
            numbers.rounding.absorb(
                &entry, hints: hints, range: hints.range(ofRow: row), into: &hash)
        }
        hash.finish()
        let expected = hash.output()
        for lane in 0..<(numbers.challengeBytes &>> 3) {
            guard UInt64(littleEndian: challengeHash, at: 8 &* lane) == expected[lane] else {
                return false
            }
        }
        return true
    }

    /// µ, the hash of the key's hash and of the message with its context (FIPS 204 Algorithm 3,
    /// line 5, and Algorithm 8, line 7).
    private func representative(
        of message: Span<UInt8>, context: Span<UInt8>, contextBytes: UInt8
    ) -> InlineArray<8, UInt64> {
        var hash = SHAKE.shake256()
        hash.absorb(keyHash)
        // Pure ML-DSA, not a message that was hashed before.
        hash.absorb(0)
        hash.absorb(contextBytes)
        hash.absorb(context)
        hash.absorb(message)
        hash.finish()
        return hash.output()
    }
}
