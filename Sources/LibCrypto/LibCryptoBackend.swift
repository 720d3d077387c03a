import CLibCrypto
package import TrustEngine

/// Computes digests and verifies signatures with libcrypto, and ML-DSA signatures with `MLDSA`.
///
/// Keys are made from the numbers that the engine parsed, and not by libcrypto's own decoder: in
/// OpenSSL 3.0 that decoder takes four times as long as an RSA-2048 verification. Prepared keys
/// that have verified a signature are remembered (`KeyCache`). Copies of a backend share this
/// memory, and it changes no answer. The thread's error queue of libcrypto is left as it
/// was.
///
/// Another library may verify signatures in libcrypto's place (`SignatureLibrary`). The refusals
/// before a library is asked, and the memory, are the same with each library. Digests always come
/// from libcrypto.
package struct LibCryptoBackend: CryptoBackend {
    let cache = KeyCache()
    private let library: (any SignatureLibrary)?

    /// Makes a backend that remembers no key yet. `library` verifies under the keys that it takes,
    /// libcrypto under the others.
    package init(library: (any SignatureLibrary)? = nil) { self.library = library }

    /// The digest of octets. Only libcrypto itself allocates on the heap.
    package func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest {
        guard let method = unsafe DigestMethods.shared.method(algorithm),
            let buffer = unsafe DigestBuffer(method, of: bytes)
        else {
            // No input leads here. Either libcrypto has no SHA-2, or it has no memory left.
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

    /// SHA-1 as a name (see `SHA1Identifier`); nil when libcrypto was built without SHA-1.
    package func identifierSHA1(of bytes: Span<UInt8>) -> SHA1Identifier? {
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

    /// Verifies a signature. The answer is `.unsupported` when this backend does not have the
    /// algorithm or the type of key. It is `.invalid` for every other signature that does not
    /// verify, malformed and oversized keys included, and for an algorithm of another type of key.
    package func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>
    ) -> SignatureOutcome {
        guard key.permits(algorithm) else { return .invalid }
        guard let scheme = VerificationScheme(algorithm, for: key.material) else {
            return algorithm.isOfAnotherKind(than: key) ? .invalid : .unsupported
        }
        guard let numbers = KeyNumbers(key.material, in: keyBytes), numbers.areAcceptable,
            scheme.accepts(signature: signature)
        else { return .invalid }

        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        let name = KeyName.numbers(numbers)
        if let known = cache.take(name) {
            return verify(scheme, under: known, isKnown: true, message, signature)
        }
        guard let prepared = PreparedKey(numbers, name: name, library: library) else {
            return .invalid
        }
        return verify(scheme, under: prepared, isKnown: false, message, signature)
    }

    /// Verifies a signature of a certificate. The key is looked for by its digest. A key that is
    /// found there was acceptable when it was prepared, so its numbers are not read again.
    package func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>, of identity: SignatureIdentity
    ) -> SignatureOutcome {
        guard key.permits(algorithm) else { return .invalid }
        guard let scheme = VerificationScheme(algorithm, for: key.material) else {
            return algorithm.isOfAnotherKind(than: key) ? .invalid : .unsupported
        }
        guard scheme.accepts(signature: signature) else { return .invalid }

        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        let name = KeyName.subjectPublicKeyInfo(identity.issuerKey)
        if let known = cache.take(name) {
            return verify(scheme, under: known, isKnown: true, message, signature)
        }
        guard let numbers = KeyNumbers(key.material, in: keyBytes), numbers.areAcceptable,
            let prepared = PreparedKey(numbers, name: name, library: library)
        else { return .invalid }
        return verify(scheme, under: prepared, isKnown: false, message, signature)
    }

    private func verify(
        _ scheme: VerificationScheme, under key: PreparedKey, isKnown: Bool,
        _ message: Span<UInt8>, _ signature: Span<UInt8>
    ) -> SignatureOutcome {
        let isValid = key.verify(scheme, message: message, signature: signature)
        // A new key is remembered only after a signature has verified under it.
        if isValid || isKnown { cache.put(key) }
        return isValid ? .valid : .invalid
    }
}
