import CLibCrypto
public import TrustEngine

/// Signatures and digests through libcrypto.
///
/// Keys are built from the numbers that the engine parsed, never by libcrypto's own decoder, which
/// in OpenSSL 3.0 costs four times an RSA-2048 verification. Keys that have verified a signature
/// are remembered, prepared, by their numbers (`KeyCache`); copies of a backend share that memory,
/// and it never changes an answer. The thread's error queue of libcrypto is left as it was found.
public struct LibCryptoBackend: CryptoBackend {
    private let cache = KeyCache()

    /// A backend with an empty memory of keys.
    public init() {}

    /// The digest of a run of bytes; no heap allocation but libcrypto's own.
    public func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest {
        guard let method = unsafe DigestMethods.shared.method(algorithm),
            let buffer = unsafe DigestBuffer(method, of: bytes)
        else {
            // No input reaches this: it takes a libcrypto without SHA-2, or no memory.
            preconditionFailure("libcrypto cannot compute \(algorithm.name)")
        }
        let words = buffer.words
        return Digest(
            algorithm,
            words: (
                UInt64(bigEndian: words.0), UInt64(bigEndian: words.1),
                UInt64(bigEndian: words.2), UInt64(bigEndian: words.3),
                UInt64(bigEndian: words.4), UInt64(bigEndian: words.5),
                UInt64(bigEndian: words.6), UInt64(bigEndian: words.7)
            ))
    }

    /// SHA-1 as a name, see `SHA1Identifier`; nil from a libcrypto that was built without it.
    public func identifierSHA1(of bytes: Span<UInt8>) -> SHA1Identifier? {
        guard let method = unsafe DigestMethods.shared.method(SignatureHash.sha1),
            let buffer = unsafe DigestBuffer(method, of: bytes)
        else { return nil }
        let words = buffer.words
        return SHA1Identifier(
            words: (
                UInt64(bigEndian: words.0), UInt64(bigEndian: words.1),
                UInt32(truncatingIfNeeded: UInt64(bigEndian: words.2) >> 32)
            ))
    }

    /// Whether a signature verifies: `.unsupported` when the algorithm is none of ours or does not fit
    /// the key, `.invalid` for whatever else does not verify, malformed or oversized keys included.
    public func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>
    ) -> SignatureOutcome {
        guard let scheme = VerificationScheme(algorithm, for: key.material) else {
            return .unsupported
        }
        guard let numbers = KeyNumbers(key.material, in: keyBytes), numbers.areAcceptable,
            scheme.accepts(signature: signature)
        else { return .invalid }

        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        let known = cache.find(numbers)
        guard let prepared = known ?? PreparedKey(numbers),
            prepared.verify(scheme, message: message, signature: signature)
        else { return .invalid }
        if known == nil { cache.insert(prepared, for: numbers) }
        return .valid
    }
}
