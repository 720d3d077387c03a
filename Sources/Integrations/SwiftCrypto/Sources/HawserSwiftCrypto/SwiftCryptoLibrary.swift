#if SwiftCrypto

import Crypto
import CryptoExtras
import LibCrypto
import TrustEngine

/// swift-crypto's part in `SwiftCryptoBackend`. It takes the keys and schemes for which its answers
/// equal libcrypto's and take less time.
struct SwiftCryptoLibrary: SignatureLibrary {
    func prepare(_ numbers: KeyNumbers) -> (any LibraryKey)? {
        // A reason why swift-crypto refuses a key is of no use: libcrypto is asked next.
        do {
            switch numbers.kind {
            case .rsa(let modulusBytes):
                return try RSAKey(
                    modulus: numbers.octets[..<modulusBytes],
                    exponent: numbers.octets[modulusBytes...])
            // The first octet of a point that is not compressed (SEC 1 section 2.3.3) is 4.
            case .ec(let curve) where numbers.octets.first == 4:
                switch curve {
                case .p256:
                    return ECKey(
                        key: try P256.Signing.PublicKey(x963Representation: numbers.octets))
                case .p384:
                    return ECKey(
                        key: try P384.Signing.PublicKey(x963Representation: numbers.octets))
                case .p521:
                    // libcrypto takes less than half of BoringSSL's time.
                    return nil
                }
            case .ed25519:
                return Ed25519Key(
                    key: try Curve25519.Signing.PublicKey(rawRepresentation: numbers.octets))
            case .ec, .ed448, .mldsa, .dsa:
                return nil
            }
        } catch {
            return nil
        }
    }
}

/// An RSA key of swift-crypto.
private struct RSAKey: LibraryKey {
    private let key: _RSA.Signing.PublicKey

    /// - Throws: for a modulus of fewer than 2,048 or more than 8,192 bits, and for an exponent of
    ///   more than 33 bits (BoringSSL's `rsa_check_public_key`).
    init(modulus: ArraySlice<UInt8>, exponent: ArraySlice<UInt8>) throws {
        self.key = try _RSA.Signing.PublicKey(n: modulus, e: exponent)
    }

    // swift-crypto has one hash for the message and the mask, and a salt of its length.
    func takes(_ scheme: VerificationScheme) -> Bool {
        switch scheme {
        case .rsaPKCS1(let hash): return hash.octets != nil
        case .rsaPSS(let hash, let mgfHash, let saltLength):
            return mgfHash == hash && hash.octets == saltLength
        case .ecdsa, .dsa, .edwards, .mldsa: return false
        }
    }

    func verify(
        _ scheme: VerificationScheme, message: Span<UInt8>, signature: Span<UInt8>
    ) -> Bool {
        let padding: _RSA.Signing.Padding
        switch scheme {
        case .rsaPKCS1: padding = .insecurePKCS1v1_5
        case .rsaPSS: padding = .PSS
        case .ecdsa, .dsa, .edwards, .mldsa: return false
        }
        let octets = unsafe signature.withUnsafeBytes {
            unsafe _RSA.Signing.RSASignature(rawRepresentation: $0)
        }
        switch scheme.hash {
        case .sha256:
            return key.isValidSignature(octets, for: SHA256.digest(of: message), padding: padding)
        case .sha384:
            return key.isValidSignature(octets, for: SHA384.digest(of: message), padding: padding)
        case .sha512:
            return key.isValidSignature(octets, for: SHA512.digest(of: message), padding: padding)
        case .sha1, .other, nil:
            return false
        }
    }
}

/// An EC key of swift-crypto.
private struct ECKey<Key: CurveKey>: LibraryKey {
    let key: Key

    func takes(_ scheme: VerificationScheme) -> Bool {
        guard case .ecdsa(let hash, _) = scheme else { return false }
        return hash.octets != nil
    }

    func verify(
        _ scheme: VerificationScheme, message: Span<UInt8>, signature: Span<UInt8>
    ) -> Bool {
        guard case .ecdsa(let hash, let scalarBytes) = scheme,
            let (r, s) = ECDSASignature.scalars(in: signature, scalarBytes: scalarBytes)
        else { return false }
        // Both numbers at full length, one after the other, and without the zero octet for a sign.
        // swift-crypto is not asked to read DER.
        var raw = [UInt8](repeating: 0, count: 2 * scalarBytes)
        for (number, end) in [(r, scalarBytes), (s, 2 * scalarBytes)] {
            let count = min(number.count, scalarBytes)
            for index in 0..<count {
                raw[end - count + index] = signature[number.upperBound - count + index]
            }
        }
        do {
            let numbers = try Key.signature(raw)
            switch hash {
            case .sha256: return key.isValidSignature(numbers, for: SHA256.digest(of: message))
            case .sha384: return key.isValidSignature(numbers, for: SHA384.digest(of: message))
            case .sha512: return key.isValidSignature(numbers, for: SHA512.digest(of: message))
            case .sha1, .other: return false
            }
        } catch {
            return false
        }
    }
}

/// What the keys of swift-crypto's curves have in common.
private protocol CurveKey: Sendable {
    associatedtype Signature

    /// A signature from r and s, each of the length of the group order.
    static func signature(_ raw: [UInt8]) throws -> Signature

    func isValidSignature<D: Crypto.Digest>(_ signature: Signature, for digest: D) -> Bool
}

extension P256.Signing.PublicKey: CurveKey {
    static func signature(_ raw: [UInt8]) throws -> P256.Signing.ECDSASignature {
        try P256.Signing.ECDSASignature(rawRepresentation: raw)
    }
}

extension P384.Signing.PublicKey: CurveKey {
    static func signature(_ raw: [UInt8]) throws -> P384.Signing.ECDSASignature {
        try P384.Signing.ECDSASignature(rawRepresentation: raw)
    }
}

/// An Ed25519 key of swift-crypto.
private struct Ed25519Key: LibraryKey {
    let key: Curve25519.Signing.PublicKey

    func takes(_ scheme: VerificationScheme) -> Bool {
        guard case .edwards = scheme else { return false }
        return true
    }

    func verify(
        _ scheme: VerificationScheme, message: Span<UInt8>, signature: Span<UInt8>
    ) -> Bool {
        unsafe signature.withUnsafeBytes { signature in
            unsafe message.withUnsafeBytes { message in
                unsafe key.isValidSignature(signature, for: message)
            }
        }
    }
}

extension HashFunction {
    /// The digest of a message, which is not copied.
    fileprivate static func digest(of message: Span<UInt8>) -> Digest {
        var hash = Self()
        unsafe message.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
        return hash.finalize()
    }
}

extension SignatureHash {
    /// Octets of the hash; nil for a hash that swift-crypto is not asked for.
    fileprivate var octets: Int32? {
        switch self {
        case .sha256: return 32
        case .sha384: return 48
        case .sha512: return 64
        case .sha1, .other: return nil
        }
    }
}

#endif
