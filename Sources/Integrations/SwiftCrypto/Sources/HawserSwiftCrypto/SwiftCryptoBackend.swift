#if SwiftCrypto

import LibCrypto
public import TrustEngine

/// Verifies signatures with swift-crypto, which is BoringSSL, and with libcrypto what swift-crypto
/// does not take.
///
/// Every answer is the answer of libcrypto by itself (`EngineLoader.makeBackend()`). The code of
/// libcrypto's backend makes the refusals before a library is asked, and remembers prepared keys.
/// Digests are libcrypto's.
///
/// swift-crypto verifies:
///
/// - ECDSA over P-256 and P-384, under keys whose points are not compressed;
/// - RSASSA-PKCS1-v1_5, and RSASSA-PSS with one hash for everything and a salt as long as it,
///   under moduli of 2,048 to 8,192 bits and exponents of at most 33 bits;
/// - Ed25519;
///
/// each with SHA-256, SHA-384 or SHA-512 where it takes a hash. ML-DSA is verified by `MLDSA`, as
/// it is without swift-crypto. All else is libcrypto's.
///
/// Copies of a backend share the remembered keys, and threads may share a backend.
public struct SwiftCryptoBackend: CryptoBackend {
    private let backend = LibCryptoBackend(library: SwiftCryptoLibrary())

    /// Makes a backend that remembers no key yet.
    public init() {}

    /// The digest of octets, by libcrypto.
    public func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest {
        backend.digest(algorithm, of: bytes)
    }

    /// SHA-1 as a name, by libcrypto; nil when libcrypto was built without SHA-1.
    public func identifierSHA1(of bytes: Span<UInt8>) -> SHA1Identifier? {
        backend.identifierSHA1(of: bytes)
    }

    /// Verifies a signature. The answer is `.unsupported` when neither library has the algorithm or
    /// the type of key. It is `.invalid` for every other signature that does not verify, malformed
    /// and oversized keys included, and for an algorithm of another type of key.
    public func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>
    ) -> SignatureOutcome {
        backend.verify(
            algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature)
    }

    /// Whether swift-crypto, and not libcrypto, verifies signatures of this algorithm under this
    /// key. False also where no library is asked, because the key or the algorithm is refused.
    /// `keyBytes` is the buffer that the key's ranges point into. Cost: the key is prepared.
    public static func asksSwiftCrypto(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>
    ) -> Bool {
        guard key.permits(algorithm),
            let scheme = VerificationScheme(algorithm, for: key.material),
            let numbers = KeyNumbers(key.material, in: keyBytes), numbers.areAcceptable,
            let prepared = SwiftCryptoLibrary().prepare(numbers)
        else { return false }
        return prepared.takes(scheme)
    }
}

#endif
