package import TrustEngine

/// A backend that remembers the signatures to which the engine gives no identity: in diagnoses, and
/// on CRLs, OCSP responses and timestamps. `SignatureLedger.isRemembered` says why a service does
/// not remember these. Without this backend, a program that judges the same failing connections
/// again and again would verify them each time.
///
/// It answers as the other backend does. A signature is known by two digests: SHA-256 of the
/// issuer's SubjectPublicKeyInfo, and SHA-256 of the algorithm, the length of the message, the
/// message and the signature. Only what has verified is remembered. The memory is its own, so the
/// chains of strangers displace nothing in `RememberingBackend`.
package final class UnnamedSignatures: ForwardingBackend {
    package let backend: any CryptoBackend
    private let memory: SignatureMemory

    /// Remembers the signatures that `backend` verifies, each at the cost of hashing its key and
    /// its message once more.
    package init(_ backend: any CryptoBackend, memory: SignatureMemory) {
        self.backend = backend
        self.memory = memory
    }

    package func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>
    ) -> SignatureOutcome {
        guard let tag = UnnamedSignatures.tag(of: algorithm, under: key) else {
            return backend.verify(
                algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature)
        }
        var octets = tag
        octets.reserveCapacity(tag.count + 8 + message.count + signature.count)
        for shift in stride(from: 56, through: 0, by: -8) {
            octets.append(UInt8(truncatingIfNeeded: message.count >> shift))
        }
        for index in message.indices { octets.append(message[index]) }
        for index in signature.indices { octets.append(signature[index]) }
        let identity = SignatureIdentity(
            issuerKey: backend.digest(.sha256, of: keyBytes.extracting(key.spki.indices)),
            certificate: backend.digest(.sha256, of: octets.span))
        if memory.holds(identity) { return .valid }
        let outcome = backend.verify(
            algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature)
        if outcome == .valid { memory.remember(identity) }
        return outcome
    }

    /// Eight octets that stand for an algorithm and its parameters; nil where the outcome does not
    /// follow from the digests, as under a DSA key that inherits its numbers, or is never valid.
    private static func tag(of algorithm: SignatureAlgorithm, under key: PublicKey) -> [UInt8]? {
        if case .dsa = key.material { return nil }
        let number: (UInt8, UInt8, UInt8, Int32)
        switch algorithm {
        case .rsaPKCS1(let hash): number = (1, hash.rawValue, 0, 0)
        case .rsaPSS(let hash, let mgfHash, let saltLength):
            number = (2, hash.rawValue, mgfHash.rawValue, saltLength)
        case .ecdsa(let hash): number = (3, hash.rawValue, 0, 0)
        case .ed25519: number = (4, 0, 0, 0)
        case .ed448: number = (5, 0, 0, 0)
        case .mldsa(let parameters): number = (6, parameters.rawValue, 0, 0)
        case .dsa, .unsupported: return nil
        }
        let salt = UInt32(bitPattern: number.3)
        return [
            number.0, number.1, number.2, 0, UInt8(truncatingIfNeeded: salt >> 24),
            UInt8(truncatingIfNeeded: salt >> 16), UInt8(truncatingIfNeeded: salt >> 8),
            UInt8(truncatingIfNeeded: salt),
        ]
    }
}
