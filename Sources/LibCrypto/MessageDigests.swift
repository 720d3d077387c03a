import CLibCrypto
import TrustEngine

/// libcrypto's digest algorithms, fetched once for the process: a fetch for each use costs a third of a
/// small digest and takes a lock in OpenSSL 3.0.
@safe struct MessageDigests: @unchecked Sendable {
    static let shared = MessageDigests()

    // INVARIANT (fetched): never freed, never changed; libcrypto documents EVP_MD as shareable.
    private let sha1: OpaquePointer?
    private let sha256: OpaquePointer?
    private let sha384: OpaquePointer?
    private let sha512: OpaquePointer?

    private init() {
        unsafe sha1 = EVP_MD_fetch(nil, "SHA1", nil)
        unsafe sha256 = EVP_MD_fetch(nil, "SHA2-256", nil)
        unsafe sha384 = EVP_MD_fetch(nil, "SHA2-384", nil)
        unsafe sha512 = EVP_MD_fetch(nil, "SHA2-512", nil)
    }

    /// The algorithm behind a signature's hash; nil when libcrypto does not have it.
    func algorithm(_ hash: SignatureHash) -> OpaquePointer? {
        switch hash {
        case .sha1: return unsafe sha1
        case .sha256: return unsafe sha256
        case .sha384: return unsafe sha384
        case .sha512: return unsafe sha512
        case .other: return nil
        }
    }

    /// A digest. SHA-2 is in every provider that OpenSSL ships; a libcrypto without it cannot serve
    /// this process at all.
    func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest {
        let kind: OpaquePointer?
        switch algorithm {
        case .sha256: unsafe kind = sha256
        case .sha384: unsafe kind = sha384
        case .sha512: unsafe kind = sha512
        }
        var out = [UInt8](repeating: 0, count: 64)
        var count: UInt32 = 0
        let status = unsafe bytes.withUnsafeBytes { buffer in
            unsafe EVP_Digest(buffer.baseAddress, buffer.count, &out, &count, kind, nil)
        }
        guard status == 1, let digest = Digest(algorithm, bytes: out.prefix(Int(count))) else {
            preconditionFailure("libcrypto has no \(algorithm.name)")
        }
        return digest
    }
}
