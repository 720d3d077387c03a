import Hawser
import HawserSwiftCrypto
import TestPKI
import TrustEngine

/// Both backends, asked the same. Each keeps its prepared keys from one question to the next, as it
/// does in a service.
struct BothBackends {
    let libcrypto = EngineLoader.makeBackend()
    let swiftCrypto = SwiftCryptoBackend()

    /// What both answer; nil where they differ.
    func verify(
        _ algorithm: SignatureAlgorithm, _ key: PublicKey, _ buffer: [UInt8], _ message: [UInt8],
        _ signature: [UInt8]
    ) -> SignatureOutcome? {
        let first = libcrypto.verify(
            algorithm, key: key, keyBytes: buffer.span, message: message.span,
            signature: signature.span)
        let second = swiftCrypto.verify(
            algorithm, key: key, keyBytes: buffer.span, message: message.span,
            signature: signature.span)
        return first == second ? first : nil
    }

    func verify(
        _ algorithm: SignatureAlgorithm, _ key: BufferedKey, _ message: [UInt8],
        _ signature: [UInt8]
    ) -> SignatureOutcome? {
        verify(algorithm, key.key, key.buffer, message, signature)
    }
}

/// A sound signature and what it is verified with.
struct SoundSignature: CustomStringConvertible, Sendable {
    let name: String
    let algorithm: SignatureAlgorithm
    let key: BufferedKey
    let message: [UInt8]
    let signature: [UInt8]
    /// Whether swift-crypto is to verify it.
    let isTaken: Bool

    var description: String { name }

    /// The known answers, and signatures by keys of other sizes.
    static func all() throws -> [SoundSignature] {
        try KnownAnswer.all.map { answer in
            guard let spki = KnownAnswer.keys[answer.key] else {
                throw NoKey(name: answer.key)
            }
            return SoundSignature(
                name: answer.name, algorithm: answer.algorithm,
                key: try BufferedKey(spki: spki), message: KnownAnswer.message,
                signature: answer.signature,
                isTaken: isTaken(answer.algorithm)
                    && !["p256 compressed", "p521"].contains(answer.key))
        } + minted()
    }

    private struct NoKey: Error { let name: String }

    /// What the page of the integration says of algorithms, over keys of any size.
    private static func isTaken(_ algorithm: SignatureAlgorithm) -> Bool {
        switch algorithm {
        case .rsaPKCS1(let hash), .ecdsa(let hash): return hash != .sha1
        case .rsaPSS(let hash, let mask, let salt):
            return hash == mask && [.sha256: 32, .sha384: 48, .sha512: 64][hash] == salt
        case .ed25519: return true
        case .ed448, .mldsa, .dsa, .unsupported: return false
        }
    }

    private static func minted() throws -> [SoundSignature] {
        let message = Array("a signature by a key of the test PKI".utf8)
        var all: [SoundSignature] = []
        // Sizes on both sides of the limit that swift-crypto draws.
        for bits in [512, 1024, 2032, 2048, 2064, 3072, 4096] {
            let key = TestKey(.rsa(bits: bits), "both")
            all.append(
                SoundSignature(
                    name: "RSA of \(bits) bits", algorithm: .rsaPKCS1(.sha256),
                    key: try BufferedKey(spki: key.spki), message: message,
                    signature: key.sign(message, .rsaPKCS1(.sha256)), isTaken: bits >= 2048))
        }
        for (name, key) in [
            ("P-256", TestKey.p256("both")), ("P-384", .p384("both")), ("P-521", .p521("both")),
        ] {
            for (hash, test) in [
                (SignatureHash.sha256, TestHash.sha256), (.sha384, .sha384), (.sha512, .sha512),
            ] {
                all.append(
                    SoundSignature(
                        name: "\(name) with \(test.rawValue)", algorithm: .ecdsa(hash),
                        key: try BufferedKey(spki: key.spki), message: message,
                        signature: key.sign(message, .ecdsa(test)), isTaken: key.kind != .p521))
            }
        }
        let edwards = TestKey.ed25519("both")
        all.append(
            SoundSignature(
                name: "Ed25519, nothing signed", algorithm: .ed25519,
                key: try BufferedKey(spki: edwards.spki), message: [],
                signature: edwards.sign([]), isTaken: true))
        return all
    }
}

extension SplitMix {
    /// A number from 0 to one less than `bound`.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// A number that changes an octet by exclusive or.
    mutating func change() -> UInt8 { UInt8(1 + below(255)) }
}
