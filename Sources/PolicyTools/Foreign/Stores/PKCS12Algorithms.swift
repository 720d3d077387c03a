import TrustEngine

/// The algorithms of a PKCS#12 file that are known, by the content octets of their identifiers.
enum PKCS12Identifier {
    /// 1.2.840.113549.1
    private static let rsadsi: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1]
    /// 2.16.840.1.101.3.4
    private static let nist: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 3, 4]

    // PKCS#7.
    static let data = rsadsi + [7, 1]
    static let enveloped = rsadsi + [7, 3]
    static let encrypted = rsadsi + [7, 6]
    // PKCS#12 bags, without the last arc.
    static let bags = rsadsi + [12, 10, 1]
    // PKCS#9.
    static let x509Certificate = rsadsi + [9, 22, 1]
    static let friendlyName = rsadsi + [9, 20]
    /// Java's mark of a trusted certificate, 2.16.840.1.113894.746875.1.1 (Oracle;
    /// `sun.security.pkcs12.PKCS12KeyStore`).
    static let trustedKeyUsage: [UInt8] = [
        0x60, 0x86, 0x48, 0x01, 0x86, 0xF9, 0x66, 0xAD, 0xCA, 0x7B, 0x01, 0x01,
    ]

    // Keys from passwords.
    static let pbes2 = rsadsi + [5, 13]
    static let pbkdf2 = rsadsi + [5, 12]
    /// The encryptions of PKCS#12 itself, without the last arc.
    static let oldEncryption = rsadsi + [12, 1]

    /// The hash function of an HMAC, 1.2.840.113549.2; nil for another identifier.
    static func hmac(_ identifier: [UInt8]) -> PasswordHash? {
        guard identifier.dropLast().elementsEqual([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 2]) else {
            return nil
        }
        switch identifier.last {
        case 7: return .sha1
        case 8: return .sha224
        case 9: return .sha256
        case 10: return .sha384
        case 11: return .sha512
        default: return nil
        }
    }

    /// A hash function; nil for another identifier.
    static func hash(_ identifier: [UInt8]) -> PasswordHash? {
        if identifier == [0x2B, 14, 3, 2, 26] { return .sha1 }
        guard identifier.dropLast().elementsEqual(nist + [2]) else { return nil }
        switch identifier.last {
        case 1: return .sha256
        case 2: return .sha384
        case 3: return .sha512
        case 4: return .sha224
        default: return nil
        }
    }

    /// A cipher of PBES2; nil for another identifier.
    static func cipher(_ identifier: [UInt8]) -> PasswordCipher? {
        if identifier == [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 3, 7] { return .tripleDES }
        guard identifier.dropLast().elementsEqual(nist + [1]) else { return nil }
        switch identifier.last {
        case 2: return .aes128
        case 22: return .aes192
        case 42: return .aes256
        default: return nil
        }
    }
}
