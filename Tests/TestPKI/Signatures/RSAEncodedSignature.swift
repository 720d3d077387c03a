public import TrustEngine

/// An RSA signature that is sound or odd in one thing of its encoded message, and whether it is
/// valid. The private operation was done on the encoded message as it stands.
public struct RSAEncodedSignature: Sendable, CustomStringConvertible {
    /// The oddity of the signature.
    public let name: String
    /// Whether a verifier takes it that follows RFC 8017 to the letter.
    public let isValid: Bool
    /// The algorithm that the verifier is asked with.
    public let algorithm: SignatureAlgorithm
    /// The signature, in as many octets as the modulus where nothing else is said.
    public let signature: [UInt8]

    /// The name.
    public var description: String { name }

    /// What the encoded messages stand for.
    public static let message = Array("signed by the numbers".utf8)

    /// Every one of them under an RSA key, whose modulus must be of whole octets.
    public static func all(_ key: TestKey) -> [RSAEncodedSignature] {
        guard case .rsa(let bits) = key.kind else { preconditionFailure("\(key) is no RSA key") }
        return pkcs1(key, bits) + pss(key, bits) + numbers(key)
    }

    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 section 9.2).
    private static func pkcs1(_ key: TestKey, _ bits: Int) -> [RSAEncodedSignature] {
        let digest = TestHash.sha256.digest(message)
        func info(_ algorithm: [UInt8], _ digest: [UInt8]) -> [UInt8] {
            DER.sequence(algorithm, DER.octetString(digest))
        }
        func encoded(
            _ info: [UInt8], after: [UInt8] = [], first: UInt8 = 0, type: UInt8 = 1,
            separator: UInt8 = 0, padding: UInt8 = 0xff, of count: Int? = nil
        ) -> [UInt8] {
            let room = bits / 8 - 3 - info.count - after.count
            let behind = [UInt8](repeating: 0, count: count.map { room - $0 } ?? 0)
            return [first, type] + [UInt8](repeating: padding, count: count ?? room) + [separator]
                + info + after + behind
        }
        let sha256 = TestHash.sha256.algorithmIdentifier
        let sound = info(sha256, digest)
        let bare = info(DER.sequence(DER.oid(TestHash.sha256.oid)), digest)
        let longLength = [0x30, 0x81] + sound.dropFirst()
        let innerLonger = DER.sequence(sha256, DER.octetString(digest), DER.null)
        var broken = encoded(sound)
        broken[20] = 0xfe
        return [
            ("PKCS #1, sound", true, encoded(sound)),
            ("PKCS #1 without the NULL of the hash", false, encoded(bare)),
            ("PKCS #1 with a length that is not DER", false, encoded(longLength)),
            ("PKCS #1 with an element after the digest", false, encoded(innerLonger)),
            ("PKCS #1 with octets after DigestInfo", false, encoded(sound, after: [0, 0])),
            ("PKCS #1 with 8 octets of padding and zeros behind", false, encoded(sound, of: 8)),
            ("PKCS #1 without padding", false, encoded(sound, of: 0)),
            ("PKCS #1 with zeros as padding", false, encoded(sound, padding: 0)),
            ("PKCS #1 with one octet of padding broken", false, broken),
            ("PKCS #1, block type 2", false, encoded(sound, type: 2)),
            ("PKCS #1, block type 0", false, encoded(sound, type: 0)),
            ("PKCS #1, first octet 1", false, encoded(sound, first: 1)),
            ("PKCS #1, separator 1", false, encoded(sound, separator: 1)),
            (
                "PKCS #1 of another hash's name", false,
                encoded(info(TestHash.sha384.algorithmIdentifier, digest))
            ),
            (
                "PKCS #1 of a digest cut short", false,
                encoded(info(sha256, Array(digest.dropLast())))
            ),
            ("PKCS #1, the digest alone", false, encoded(digest)),
        ].map { name, isValid, encoded in
            RSAEncodedSignature(
                name: name, isValid: isValid, algorithm: .rsaPKCS1(.sha256),
                signature: key.privateOperation(encoded))
        }
    }

    /// RSASSA-PSS with SHA-256 and a salt of 32 octets (RFC 8017 section 9.1). A bit that changes
    /// in the masked block changes in the block.
    private static func pss(_ key: TestKey, _ bits: Int) -> [RSAEncodedSignature] {
        func encoded(_ mask: TestHash = .sha256, salt: Int = 32) -> [UInt8] {
            RSAEncoding.pss(message, .sha256, mask, saltLength: salt, modulusBits: bits)
        }
        func changed(_ index: Int, _ bits: UInt8) -> [UInt8] {
            var octets = encoded()
            octets[index < 0 ? octets.count + index : index] ^= bits
            return octets
        }
        let separator = encoded().count - 1 - 32 - 32 - 1
        var forms = [
            ("PSS, sound", true, encoded()),
            ("PSS with another hash in the mask", false, encoded(.sha512)),
            ("PSS, trailer cc", false, changed(-1, 0x70)),
            ("PSS with the bit above the block set", false, changed(0, 0x80)),
            ("PSS with a bit of the padding set", false, changed(9, 1)),
            ("PSS, separator 2", false, changed(separator, 3)),
            ("PSS, separator 0", false, changed(separator, 1)),
            ("PSS with a bit of the salt changed", false, changed(separator + 4, 1)),
            ("PSS with a bit of the hash changed", false, changed(-3, 1)),
        ]
        for salt in [0, 20, 31, 33, 64] {
            forms.append(("PSS with a salt of \(salt) octets", false, encoded(salt: salt)))
        }
        return forms.map { name, isValid, encoded in
            RSAEncodedSignature(
                name: name, isValid: isValid,
                algorithm: .rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 32),
                signature: key.privateOperation(encoded))
        }
    }

    /// Sound signatures whose number is written otherwise.
    private static func numbers(_ key: TestKey) -> [RSAEncodedSignature] {
        let sound = key.sign(message, .rsaPKCS1(.sha256))
        var forms = [("a zero octet before the signature", [0] + sound)]
        // The same number modulo the modulus. It has an octet more.
        forms.append(("the modulus added to the signature", key.addingModulus(to: sound)))
        forms.append(("a signature of zeros", [UInt8](repeating: 0, count: sound.count)))
        forms.append(("the number one", [UInt8](repeating: 0, count: sound.count - 1) + [1]))
        forms.append(("the modulus itself", key.addingModulus(to: [0])))
        return forms.map { name, signature in
            RSAEncodedSignature(
                name: name, isValid: false, algorithm: .rsaPKCS1(.sha256), signature: signature)
        }
    }
}
