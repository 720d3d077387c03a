/// The cryptography that opens a key store: keys from passwords, and decryption under them. No
/// verdict depends on it.
package protocol PasswordCryptography: Sendable {
    /// A key by PBKDF2 (RFC 8018 section 5.2). Nil when the library refuses.
    func pbkdf2(
        _ hash: PasswordHash, password: [UInt8], salt: [UInt8], iterations: Int, octets: Int
    ) -> [UInt8]?

    /// A key by the derivation of PKCS#12 (RFC 7292 appendix B).
    ///
    /// - Parameter password: UTF-16 in network order, with two zero octets at the end.
    func pkcs12Key(
        _ hash: PasswordHash, _ purpose: PasswordKeyPurpose, password: [UInt8], salt: [UInt8],
        iterations: Int, octets: Int
    ) -> [UInt8]?

    /// HMAC (RFC 2104). Nil when the library refuses.
    func hmac(_ hash: PasswordHash, key: [UInt8], message: [UInt8]) -> [UInt8]?

    /// The plain octets of a message in CBC mode with the padding of RFC 5652 section 6.3. Nil for
    /// a wrong padding, and when the library refuses.
    func decrypt(
        _ cipher: PasswordCipher, key: [UInt8], vector: [UInt8], message: [UInt8]
    ) -> [UInt8]?
}

/// A hash function of a key store.
package enum PasswordHash: Sendable, CaseIterable {
    case sha1, sha224, sha256, sha384, sha512

    /// The octets of a digest.
    package var octets: Int {
        switch self {
        case .sha1: return 20
        case .sha224: return 28
        case .sha256: return 32
        case .sha384: return 48
        case .sha512: return 64
        }
    }
}

/// A block cipher of a key store, in CBC mode.
package enum PasswordCipher: Sendable {
    case aes128, aes192, aes256, tripleDES

    /// The octets of a key.
    package var keyOctets: Int {
        switch self {
        case .aes128: return 16
        case .aes192, .tripleDES: return 24
        case .aes256: return 32
        }
    }

    /// The octets of a block, and of the vector.
    package var blockOctets: Int { self == .tripleDES ? 8 : 16 }
}

/// The use of a key that PKCS#12 derives (RFC 7292 appendix B.3). The raw value is its number
/// there.
package enum PasswordKeyPurpose: UInt8, Sendable {
    case key = 1
    case vector = 2
    case integrity = 3
}
