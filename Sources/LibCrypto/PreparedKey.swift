import CLibCrypto
import CLibCryptoShims
import Synchronization
import TrustEngine

/// A public key in libcrypto's form, built from the numbers the engine parsed.
@safe final class PreparedKey: @unchecked Sendable {
    // INVARIANT (immutable): an EVP_PKEY is only read after it was built, which libcrypto allows from
    // several threads at once.
    let pointer: OpaquePointer

    /// Fewest and most bits of an RSA modulus that is looked at. Below 512 a signature proves nothing;
    /// 16,384 is libcrypto's own bound (OPENSSL_RSA_MAX_MODULUS_BITS).
    static let rsaBits = 512...16_384
    /// Most bits of an RSA exponent: OPENSSL_RSA_MAX_PUBEXP_BITS, which libcrypto itself demands only
    /// of keys above 3072 bits. A 3071-bit exponent would cost 5 ms a verification.
    static let rsaExponentBits = 64

    /// The key, or nil when its numbers are no key that libcrypto takes.
    init?(_ key: PublicKey, bytes: Span<UInt8>) {
        let made: OpaquePointer?
        switch key.material {
        case .rsa(let modulus, let exponent):
            guard PreparedKey.rsaBits.contains(Int(key.bits)),
                exponent.count > 0, Int(exponent.count) * 8 <= PreparedKey.rsaExponentBits,
                modulus.count > 0, bytes[modulus.indices.upperBound - 1] & 1 == 1,
                bytes[exponent.indices.upperBound - 1] & 1 == 1,
                exponent.count > 1 || bytes[exponent.indices.lowerBound] > 1
            else { return nil }
            unsafe made = bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
                guard let base = buffer.baseAddress else { return nil }
                return unsafe hwshim_rsa_key(
                    base + modulus.indices.lowerBound, Int(modulus.count),
                    base + exponent.indices.lowerBound, Int(exponent.count))
            }
        case .ec(let curve, let point):
            let group =
                switch curve {
                case .p256: "P-256"
                case .p384: "P-384"
                case .p521: "P-521"
                }
            unsafe made = bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
                guard let base = buffer.baseAddress else { return nil }
                return unsafe hwshim_ec_key(
                    group, base + point.indices.lowerBound, Int(point.count))
            }
        case .ed25519(let raw):
            unsafe made = PreparedKey.raw(EVP_PKEY_ED25519, raw, bytes)
        case .ed448(let raw):
            unsafe made = PreparedKey.raw(EVP_PKEY_ED448, raw, bytes)
        case .unsupported:
            return nil
        }
        guard let made = unsafe made else {
            ERR_clear_error()
            return nil
        }
        unsafe pointer = made
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    private static func raw(
        _ type: Int32, _ range: ByteRange, _ bytes: Span<UInt8>
    ) -> OpaquePointer? {
        unsafe bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            guard let base = buffer.baseAddress else { return nil }
            return unsafe EVP_PKEY_new_raw_public_key(
                type, nil, base + range.indices.lowerBound, Int(range.count))
        }
    }
}

/// Prepared keys by their SubjectPublicKeyInfo: issuers are few and building an EC key costs 13 us.
/// Bounded; when full, it starts over. What is remembered is only how to say a key to libcrypto.
final class KeyCache: Sendable {
    static let shared = KeyCache()
    /// Keys kept at most, about 2 KB each in libcrypto.
    private static let capacity = 512

    private let keys = Mutex<[[UInt8]: PreparedKey]>([:])

    /// The prepared form of a key; nil when libcrypto takes no such key.
    func key(_ key: PublicKey, bytes: Span<UInt8>) -> PreparedKey? {
        let spki = bytes.copied(key.spki)
        if let known = keys.withLock({ $0[spki] }) { return known }
        guard let prepared = PreparedKey(key, bytes: bytes) else { return nil }
        keys.withLock { keys in
            if keys.count >= KeyCache.capacity { keys.removeAll(keepingCapacity: true) }
            keys[spki] = prepared
        }
        return prepared
    }
}
