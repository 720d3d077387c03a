import CLibCrypto

/// An Ed25519 or Ed448 key pair, its seed derived from a label. Its signatures are deterministic by
/// themselves (RFC 8032).
struct EdwardsKeyMaterial {
    let is448: Bool
    let seed: [UInt8]

    init(label: String, is448: Bool) {
        let name = is448 ? "ed448" : "ed25519"
        self.is448 = is448
        self.seed = TestHash.sha512.expand(Array("\(name) \(label)".utf8), count: is448 ? 57 : 32)
    }

    /// The raw public key.
    var publicKey: [UInt8] {
        unsafe withKey { key in
            var octets = [UInt8](repeating: 0, count: 57)
            var count = octets.count
            precondition(unsafe EVP_PKEY_get_raw_public_key(key, &octets, &count) == 1)
            return Array(octets.prefix(count))
        }
    }

    func sign(_ message: [UInt8]) -> [UInt8] {
        unsafe withKey { key in
            guard let context = unsafe EVP_MD_CTX_new() else {
                preconditionFailure("out of memory")
            }
            defer { unsafe EVP_MD_CTX_free(context) }
            var octets = [UInt8](repeating: 0, count: 114)
            var count = octets.count
            precondition(unsafe EVP_DigestSignInit(context, nil, nil, nil, key) == 1)
            precondition(
                unsafe EVP_DigestSign(context, &octets, &count, message, message.count) == 1)
            return Array(octets.prefix(count))
        }
    }

    private func withKey<R>(_ body: (OpaquePointer) -> R) -> R {
        let key = unsafe EVP_PKEY_new_raw_private_key_ex(
            nil, is448 ? "ED448" : "ED25519", nil, seed, seed.count)
        guard let key = unsafe key else { preconditionFailure("no Edwards curve in libcrypto") }
        defer { unsafe EVP_PKEY_free(key) }
        return unsafe body(key)
    }
}
