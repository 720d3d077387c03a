/// A parameter set of ML-DSA (FIPS 204 section 4).
public enum MLDSAParameterSet: Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// ML-DSA-44, of security category 2.
    case mldsa44
    /// ML-DSA-65, of security category 3.
    case mldsa65
    /// ML-DSA-87, of security category 5.
    case mldsa87

    /// The exact size of a public key in octets (FIPS 204 Table 2).
    public var publicKeyBytes: Int { numbers.publicKeyBytes }

    /// The exact size of a signature in octets (FIPS 204 Table 2).
    public var signatureBytes: Int { numbers.signatureBytes }

    /// The row of the parameter set in FIPS 204 Table 1.
    var numbers: ParameterNumbers {
        switch self {
        case .mldsa44:
            ParameterNumbers(
                rows: 4, columns: 4, challengeWeight: 39, challengeBytes: 32, maskBits: 17,
                rounding: .parts44, challengeNorm: 78, mostHints: 80)
        case .mldsa65:
            ParameterNumbers(
                rows: 6, columns: 5, challengeWeight: 49, challengeBytes: 48, maskBits: 19,
                rounding: .parts16, challengeNorm: 196, mostHints: 55)
        case .mldsa87:
            ParameterNumbers(
                rows: 8, columns: 7, challengeWeight: 60, challengeBytes: 64, maskBits: 19,
                rounding: .parts16, challengeNorm: 120, mostHints: 75)
        }
    }
}

/// The numbers of one parameter set (FIPS 204 Table 1), with the sizes that follow from them.
struct ParameterNumbers: BitwiseCopyable, Sendable {
    /// k, the rows of the matrix A.
    let rows: Int
    /// l, the columns of the matrix A.
    let columns: Int
    /// τ, the number of coefficients of the challenge that are not zero.
    let challengeWeight: Int
    /// λ / 4, the size of the challenge's hash in octets.
    let challengeBytes: Int
    /// The binary logarithm of γ1, the range of the signature's response.
    let maskBits: Int
    /// The rounding by γ2, the range of the low-order part.
    let rounding: Rounding
    /// β = τ · η, the most that the challenge adds to a coefficient of the response.
    let challengeNorm: Int
    /// ω, the most hints of a signature.
    let mostHints: Int

    /// γ1.
    var maskRange: Int32 { 1 << Int32(maskBits) }

    /// The norm of the response stays below this bound: γ1 - β (FIPS 204 Algorithm 8, line 13).
    var responseBound: Int32 { maskRange &- Int32(challengeNorm) }

    /// The octets of one packed polynomial of the response: 32 · (1 + bitlen(γ1 - 1)).
    var responsePolynomialBytes: Int { 32 * (maskBits + 1) }

    /// 32 · k · (bitlen(q - 1) - d) octets of t1 after the 32 octets of ρ (Algorithm 22).
    var publicKeyBytes: Int { ParameterNumbers.seedBytes + ParameterNumbers.keyRowBytes * rows }

    /// The challenge's hash, the response, the hints with the end of each row (Algorithm 26).
    var signatureBytes: Int {
        challengeBytes + responsePolynomialBytes * columns + mostHints + rows
    }

    /// Octets of ρ, the seed of the matrix A.
    static let seedBytes = 32

    /// Octets of one packed polynomial of t1: 32 · 10.
    static let keyRowBytes = 320

    /// The most columns of any parameter set.
    static let mostColumns = 7
}
