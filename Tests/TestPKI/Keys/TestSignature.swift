/// A signature algorithm that a test certificate is signed with.
public enum TestSignature: Hashable, Sendable {
    /// RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2).
    case rsaPKCS1(TestHash)
    /// RSASSA-PSS (RFC 8017 section 8.1), salt length in octets.
    case rsaPSS(hash: TestHash, mgfHash: TestHash, saltLength: Int)
    /// ECDSA.
    case ecdsa(TestHash)
    case ed25519
    case ed448

    /// RSASSA-PSS as everybody uses it: one hash, and a salt as long.
    public static func rsaPSS(_ hash: TestHash) -> TestSignature {
        .rsaPSS(hash: hash, mgfHash: hash, saltLength: hash.digest([]).count)
    }

    /// The AlgorithmIdentifier (RFC 3279, RFC 4055, RFC 5758, RFC 8410); values that equal their
    /// DEFAULT are left out.
    public var algorithmIdentifier: [UInt8] {
        switch self {
        case .rsaPKCS1(let hash):
            let last =
                switch hash {
                case .md5: 4
                case .sha1: 5
                case .sha224: 14
                case .sha256: 11
                case .sha384: 12
                case .sha512: 13
                }
            return DER.sequence(DER.oid("1.2.840.113549.1.1.\(last)"), DER.null)
        case .rsaPSS(let hash, let mgfHash, let saltLength):
            var parameters: [[UInt8]] = []
            if hash != .sha1 { parameters.append(DER.context(0, hash.algorithmIdentifier)) }
            if mgfHash != .sha1 {
                let mask = DER.sequence(
                    DER.oid("1.2.840.113549.1.1.8"), mgfHash.algorithmIdentifier)
                parameters.append(DER.context(1, mask))
            }
            if saltLength != 20 { parameters.append(DER.context(2, DER.integer(saltLength))) }
            return DER.sequence(DER.oid("1.2.840.113549.1.1.10"), DER.sequence(of: parameters))
        case .ecdsa(let hash):
            switch hash {
            case .md5: preconditionFailure("ECDSA with MD5 has no object identifier")
            case .sha1: return DER.sequence(DER.oid("1.2.840.10045.4.1"))
            case .sha224: return DER.sequence(DER.oid("1.2.840.10045.4.3.1"))
            case .sha256: return DER.sequence(DER.oid("1.2.840.10045.4.3.2"))
            case .sha384: return DER.sequence(DER.oid("1.2.840.10045.4.3.3"))
            case .sha512: return DER.sequence(DER.oid("1.2.840.10045.4.3.4"))
            }
        case .ed25519: return DER.sequence(DER.oid("1.3.101.112"))
        case .ed448: return DER.sequence(DER.oid("1.3.101.113"))
        }
    }
}

/// The message encodings of RSA, done here because the salt must not be random.
enum RSAEncoding {
    /// EMSA-PKCS1-v1_5 (RFC 8017 section 9.2).
    static func pkcs1(_ message: [UInt8], _ hash: TestHash, modulusBits: Int) -> [UInt8] {
        let info = DER.sequence(hash.algorithmIdentifier, DER.octetString(hash.digest(message)))
        let padding = [UInt8](repeating: 0xff, count: modulusBits / 8 - info.count - 3)
        return [0, 1] + padding + [0] + info
    }

    /// EMSA-PSS (RFC 8017 section 9.1.1), the salt derived from the message.
    static func pss(
        _ message: [UInt8], _ hash: TestHash, _ mgfHash: TestHash, saltLength: Int,
        modulusBits: Int
    ) -> [UInt8] {
        let digest = hash.digest(message)
        let salt = hash.expand(Array("pss salt".utf8) + digest, count: saltLength)
        let hashed = hash.digest([UInt8](repeating: 0, count: 8) + digest + salt)
        let length = (modulusBits - 1 + 7) / 8
        let zeros = [UInt8](repeating: 0, count: length - salt.count - hashed.count - 2)
        let block = zeros + [1] + salt
        var masked = zip(block, mask(hashed, mgfHash, count: block.count)).map { $0 ^ $1 }
        masked[0] &= 0xff >> UInt8(8 * length - (modulusBits - 1))
        return masked + hashed + [0xbc]
    }

    /// MGF1 (RFC 8017 appendix B.2.1).
    private static func mask(_ seed: [UInt8], _ hash: TestHash, count: Int) -> [UInt8] {
        var out: [UInt8] = []
        var counter: UInt8 = 0
        while out.count < count {
            out += hash.digest(seed + [0, 0, 0, counter])
            counter += 1
        }
        return Array(out.prefix(count))
    }
}
