import LibCrypto
import Synchronization

@testable import TrustEngine

/// libcrypto, which counts the questions.
final class CountingBackend: CryptoBackend {
    private let libcrypto = LibCryptoBackend()
    private let work = Mutex((digested: 0, count: 0, units: 0))

    /// Octets hashed.
    var digested: Int { work.withLock { $0.digested } }
    /// Signatures verified.
    var count: Int { work.withLock { $0.count } }
    /// What these cost, in units, their messages left out.
    var units: Int { work.withLock { $0.units } }

    func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest {
        let octets = bytes.count
        work.withLock { $0.digested += octets }
        return libcrypto.digest(algorithm, of: bytes)
    }

    func identifierSHA1(of bytes: Span<UInt8>) -> SHA1Identifier? {
        libcrypto.identifierSHA1(of: bytes)
    }

    func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>
    ) -> SignatureOutcome {
        let units = SignatureCost.units(
            for: key, exponentBits: key.exponentBits(in: keyBytes), messageBytes: 0)
        work.withLock { work in
            work.count += 1
            work.units += units
        }
        return libcrypto.verify(
            algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature)
    }
}
