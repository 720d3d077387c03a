import CLibCrypto

/// The hashes that test signatures use, those included that a policy must refuse.
public enum TestHash: String, Hashable, Sendable, CaseIterable {
    case md5, sha1, sha224, sha256, sha384, sha512

    /// The digest of some octets.
    public func digest(_ message: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 64)
        var count: UInt32 = 0
        let method =
            switch self {
            case .md5: unsafe EVP_md5()
            case .sha1: unsafe EVP_sha1()
            case .sha224: unsafe EVP_sha224()
            case .sha256: unsafe EVP_sha256()
            case .sha384: unsafe EVP_sha384()
            case .sha512: unsafe EVP_sha512()
            }
        let status = unsafe EVP_Digest(message, message.count, &out, &count, method, nil)
        precondition(status == 1, "libcrypto has no \(rawValue)")
        return Array(out.prefix(Int(count)))
    }

    /// HMAC (RFC 2104).
    func hmac(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        let blockBytes = self == .sha384 || self == .sha512 ? 128 : 64
        let short = key.count > blockBytes ? digest(key) : key
        let padded = short + [UInt8](repeating: 0, count: blockBytes - short.count)
        return digest(padded.map { $0 ^ 0x5c } + digest(padded.map { $0 ^ 0x36 } + message))
    }

    /// As many octets as wanted from a label, the same on every machine: SHA-512 or whichever hash
    /// this is over the label and a counter.
    func expand(_ label: [UInt8], count: Int) -> [UInt8] {
        var out: [UInt8] = []
        var counter: UInt8 = 0
        while out.count < count {
            out += digest(label + [0, counter])
            counter += 1
        }
        return Array(out.prefix(count))
    }

    /// The hash's object identifier (RFC 3279, RFC 4055).
    var oid: String {
        switch self {
        case .md5: return "1.2.840.113549.2.5"
        case .sha1: return "1.3.14.3.2.26"
        case .sha224: return "2.16.840.1.101.3.4.2.4"
        case .sha256: return "2.16.840.1.101.3.4.2.1"
        case .sha384: return "2.16.840.1.101.3.4.2.2"
        case .sha512: return "2.16.840.1.101.3.4.2.3"
        }
    }

    /// AlgorithmIdentifier with NULL, as signatures carry it.
    var algorithmIdentifier: [UInt8] { DER.sequence(DER.oid(oid), DER.null) }
}
