import CLibCrypto

/// An Ed25519 private key (RFC 8032), for programs that sign tables. A service that only loads
/// tables holds no such key. Signing is deterministic: the same key and table give the same octets
/// everywhere.
@safe package struct SigningKey: ~Copyable {
    private let handle: OpaquePointer

    /// Reads the key in a PrivateKeyInfo (RFC 5958, RFC 8410 section 7), DER. Nil for other octets,
    /// for octets behind it, and for another kind of key.
    package init?(pkcs8 der: [UInt8]) {
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        guard let handle = unsafe SigningKey.parse(der) else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe EVP_PKEY_free(handle) }

    /// The 32 octets of the public key.
    package var publicKey: [UInt8] {
        var octets = [UInt8](repeating: 0, count: 32)
        var count = octets.count
        let status = unsafe EVP_PKEY_get_raw_public_key(handle, &octets, &count)
        // The kind of key was checked when the key was read.
        precondition(status == 1 && count == octets.count, "libcrypto has lost a key")
        return octets
    }

    /// The 64 octets of the signature over a message; nil when libcrypto refuses, which it does
    /// only without memory.
    package func sign(_ message: [UInt8]) -> [UInt8]? {
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        guard let context = unsafe EVP_MD_CTX_new() else { return nil }
        defer { unsafe EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 64)
        var count = signature.count
        guard unsafe EVP_DigestSignInit(context, nil, nil, nil, handle) == 1,
            unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1,
            count == signature.count
        else { return nil }
        return signature
    }

    private static func parse(_ der: [UInt8]) -> OpaquePointer? {
        unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            guard let start = buffer.baseAddress else { return nil }
            var position: UnsafePointer<UInt8>? = unsafe start
            guard let handle = unsafe d2i_AutoPrivateKey(nil, &position, buffer.count) else {
                return nil
            }
            guard unsafe position == start + buffer.count,
                unsafe EVP_PKEY_is_a(handle, "ED25519") == 1
            else {
                unsafe EVP_PKEY_free(handle)
                return nil
            }
            return unsafe handle
        }
    }
}
