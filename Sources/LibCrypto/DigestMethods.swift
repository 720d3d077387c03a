import CLibCrypto
import TrustEngine

/// The digest implementations of libcrypto. They are fetched once for each process, because a fetch
/// takes a lock and a lookup by name and would cost as much as hashing a small key.
///
/// `@unchecked Sendable`: an EVP_MD does not change after its fetch, and libcrypto allows threads
/// to share it. The handles live as long as the process, so nothing frees them.
@safe struct DigestMethods: @unchecked Sendable {
    static let shared = DigestMethods()

    private let sha1: OpaquePointer?
    private let sha256: OpaquePointer?
    private let sha384: OpaquePointer?
    private let sha512: OpaquePointer?

    private init() {
        // Fetching a digest that this libcrypto does not have leaves an error in the queue.
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        unsafe sha1 = EVP_MD_fetch(nil, "SHA1", nil)
        unsafe sha256 = EVP_MD_fetch(nil, "SHA256", nil)
        unsafe sha384 = EVP_MD_fetch(nil, "SHA384", nil)
        unsafe sha512 = EVP_MD_fetch(nil, "SHA512", nil)
    }

    /// The implementation of a digest algorithm; nil when this libcrypto does not have it.
    func method(_ algorithm: DigestAlgorithm) -> OpaquePointer? {
        switch algorithm {
        case .sha256: return unsafe sha256
        case .sha384: return unsafe sha384
        case .sha512: return unsafe sha512
        }
    }

    /// The implementation of a signature's hash; nil when this libcrypto does not have it.
    func method(_ hash: SignatureHash) -> OpaquePointer? {
        switch hash {
        case .sha1: return unsafe sha1
        case .sha256: return unsafe sha256
        case .sha384: return unsafe sha384
        case .sha512: return unsafe sha512
        case .other: return nil
        }
    }
}

/// The octets of a digest, held without a heap allocation.
@safe struct DigestBuffer {
    /// Room for the longest digest, SHA-512.
    private(set) var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
        (0, 0, 0, 0, 0, 0, 0, 0)
    /// Number of octets that were written.
    private(set) var count = 0

    /// Hashes a message; nil when libcrypto refuses, which it does only without memory.
    init?(_ method: OpaquePointer, of message: Span<UInt8>) {
        var written: UInt32 = 0
        let status = unsafe withUnsafeMutableBytes(of: &words) { output in
            unsafe message.withUnsafeBytes { input in
                unsafe EVP_Digest(
                    input.baseAddress, input.count,
                    output.baseAddress?.assumingMemoryBound(to: UInt8.self), &written, method, nil)
            }
        }
        guard status == 1 else { return nil }
        self.count = Int(written)
    }

    /// Calls `body` with the octets of the digest.
    mutating func withOctets<R>(_ body: (UnsafePointer<UInt8>?, Int) -> R) -> R {
        let count = count
        return unsafe withUnsafeBytes(of: &words) { buffer in
            unsafe body(buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), count)
        }
    }
}
