import CLibCrypto
package import TrustEngine

/// The cryptography of key stores, by libcrypto. The thread's error queue of libcrypto is left as
/// it was.
package struct LibCryptoPasswords: PasswordCryptography {
    package init() {}

    package func pbkdf2(
        _ hash: PasswordHash, password: [UInt8], salt: [UInt8], iterations: Int, octets: Int
    ) -> [UInt8]? {
        guard let iterations = Int32(exactly: iterations) else { return nil }
        return unsafe Self.with(hash) { method in
            var key = [UInt8](repeating: 0, count: octets)
            let status = unsafe password.withUnsafeBytes { password in
                unsafe PKCS5_PBKDF2_HMAC(
                    password.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32(password.count), salt, Int32(salt.count), iterations, method,
                    Int32(octets), &key)
            }
            return status == 1 ? key : nil
        }
    }

    package func pkcs12Key(
        _ hash: PasswordHash, _ purpose: PasswordKeyPurpose, password: [UInt8], salt: [UInt8],
        iterations: Int, octets: Int
    ) -> [UInt8]? {
        guard let iterations = Int32(exactly: iterations) else { return nil }
        return unsafe Self.with(hash) { method in
            // The function takes pointers to octets that it does not change.
            let (passwordCount, saltCount) = (Int32(password.count), Int32(salt.count))
            var (password, salt) = (password, salt)
            var key = [UInt8](repeating: 0, count: octets)
            let status = unsafe PKCS12_key_gen_uni(
                &password, passwordCount, &salt, saltCount, Int32(purpose.rawValue),
                iterations, Int32(octets), &key, method)
            return status == 1 ? key : nil
        }
    }

    package func hmac(_ hash: PasswordHash, key: [UInt8], message: [UInt8]) -> [UInt8]? {
        unsafe Self.with(hash) { method in
            var code = [UInt8](repeating: 0, count: hash.octets)
            var written: UInt32 = 0
            let answer = unsafe HMAC(
                method, key, Int32(key.count), message, message.count, &code, &written)
            return unsafe answer != nil && Int(written) == code.count ? code : nil
        }
    }

    package func decrypt(
        _ cipher: PasswordCipher, key: [UInt8], vector: [UInt8], message: [UInt8]
    ) -> [UInt8]? {
        guard key.count == cipher.keyOctets, vector.count == cipher.blockOctets,
            message.count <= Int(Int32.max) - cipher.blockOctets
        else { return nil }
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        guard let method = unsafe EVP_CIPHER_fetch(nil, Self.name(cipher), nil) else { return nil }
        defer { unsafe EVP_CIPHER_free(method) }
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        guard unsafe EVP_DecryptInit_ex2(context, method, key, vector, nil) == 1 else { return nil }
        var plain = [UInt8](repeating: 0, count: message.count + cipher.blockOctets)
        let count = unsafe plain.withUnsafeMutableBufferPointer { plain -> Int? in
            guard let start = plain.baseAddress else { return nil }
            var (first, last): (Int32, Int32) = (0, 0)
            guard
                unsafe EVP_DecryptUpdate(context, start, &first, message, Int32(message.count))
                    == 1,
                first >= 0, Int(first) <= plain.count,
                unsafe EVP_DecryptFinal_ex(context, start + Int(first), &last) == 1
            else { return nil }
            return Int(first) + Int(last)
        }
        guard let count, count <= plain.count else { return nil }
        return Array(plain[..<count])
    }

    /// Calls `body` with the implementation of a hash function.
    private static func with(
        _ hash: PasswordHash, _ body: (OpaquePointer) -> [UInt8]?
    ) -> [UInt8]? {
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        guard let method = unsafe EVP_MD_fetch(nil, name(hash), nil) else { return nil }
        defer { unsafe EVP_MD_free(method) }
        return unsafe body(method)
    }

    private static func name(_ hash: PasswordHash) -> String {
        switch hash {
        case .sha1: return "SHA1"
        case .sha224: return "SHA224"
        case .sha256: return "SHA256"
        case .sha384: return "SHA384"
        case .sha512: return "SHA512"
        }
    }

    private static func name(_ cipher: PasswordCipher) -> String {
        switch cipher {
        case .aes128: return "AES-128-CBC"
        case .aes192: return "AES-192-CBC"
        case .aes256: return "AES-256-CBC"
        case .tripleDES: return "DES-EDE3-CBC"
        }
    }
}
