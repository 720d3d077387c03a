import CLibCrypto
import CLibCryptoShims
import TrustEngine

/// Verifies one signature: which algorithm fits which key, and libcrypto's answer.
enum SignatureVerifier {
    static func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>
    ) -> SignatureOutcome {
        let hash: SignatureHash?
        var padding: (mask: SignatureHash, salt: Int32)?
        switch (algorithm, key.material) {
        case (.rsaPKCS1(let used), .rsa): hash = used
        case (.rsaPSS(let used, let mask, let salt), .rsa):
            guard salt >= 0 else { return .invalid }
            hash = used
            padding = (mask, salt)
        case (.ecdsa(let used), .ec):
            guard isStrictECDSASignature(signature) else { return .invalid }
            hash = used
        case (.ed25519, .ed25519), (.ed448, .ed448): hash = nil
        default: return .unsupported
        }
        let digests = MessageDigests.shared
        let digest = unsafe hash.flatMap { unsafe digests.algorithm($0) }
        if hash != nil, unsafe digest == nil { return .unsupported }
        let mask = unsafe padding.flatMap { unsafe digests.algorithm($0.mask) }
        if padding != nil, unsafe mask == nil { return .unsupported }
        guard let prepared = KeyCache.shared.key(key, bytes: keyBytes) else { return .invalid }
        let status = unsafe message.withUnsafeBufferPointer { message in
            unsafe signature.withUnsafeBufferPointer { signature in
                unsafe hwshim_verify(
                    prepared.pointer, digest, mask, padding?.salt ?? 0, message.baseAddress,
                    message.count, signature.baseAddress, signature.count)
            }
        }
        ERR_clear_error()
        return status == 1 ? .valid : .invalid
    }

    /// Whether octets are the strict DER of Ecdsa-Sig-Value (RFC 3279 section 2.2.3): a SEQUENCE of
    /// two positive INTEGERs in their shortest form and nothing else. libcrypto is more lenient in
    /// some releases.
    static func isStrictECDSASignature(_ bytes: Span<UInt8>) -> Bool {
        var reader = DERReader(bytes)
        do throws(DERError) {
            var numbers = try reader.next(.sequence, in: bytes).reader
            try reader.finish()
            _ = try numbers.next(.integer, in: bytes).positiveInteger(in: bytes)
            _ = try numbers.next(.integer, in: bytes).positiveInteger(in: bytes)
            try numbers.finish()
            return true
        } catch {
            return false
        }
    }
}
