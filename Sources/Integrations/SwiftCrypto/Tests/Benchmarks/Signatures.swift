import Hawser
import HawserSwiftCrypto
import TestPKI
import TrustEngine

/// The time of a verification by either backend, over a message as long as a certificate.
enum Signatures {
    private static let message = [UInt8](repeating: 0x5a, count: 650)

    /// Prints a table. Prepared: the key has verified before. New key: the key is prepared for the
    /// call; a signature with its last octet changed is verified, because a key that verified
    /// nothing is not remembered.
    static func measure(rounds: Int) throws {
        print(
            "| key, hash | libcrypto | swift-crypto | ratio | new key: libcrypto | swift-crypto "
                + "| ratio |")
        print("|---|---:|---:|---:|---:|---:|---:|")
        for (name, key, algorithm, test) in keys {
            let buffered = try BufferedKey(spki: key.spki)
            let signature = key.sign(message, test)
            var spoilt = signature
            spoilt[spoilt.count - 1] ^= 1
            guard
                SwiftCryptoBackend.asksSwiftCrypto(
                    algorithm, key: buffered.key, keyBytes: buffered.buffer.span)
            else { throw Failed(what: "\(name) is libcrypto's") }
            let backends: [any CryptoBackend] = [EngineLoader.makeBackend(), SwiftCryptoBackend()]
            let fresh: [any CryptoBackend] = [EngineLoader.makeBackend(), SwiftCryptoBackend()]
            var minima = Minima(4)
            for _ in 0..<rounds {
                for index in 0..<2 {
                    for (place, set, octets, expected) in [
                        (index, backends, signature, SignatureOutcome.valid),
                        (index + 2, fresh, spoilt, .invalid),
                    ] {
                        let start = now()
                        for _ in 0..<calls {
                            let outcome = set[index].verify(
                                algorithm, key: buffered.key, keyBytes: buffered.buffer.span,
                                message: message.span, signature: octets.span)
                            guard outcome == expected else { throw Failed(what: name) }
                        }
                        minima.add(place, now() - start, calls: calls)
                    }
                }
            }
            let time = minima.nanoseconds.map { $0 / 1_000 }
            print(
                "| \(name) | \(text(time[0], 1)) | \(text(time[1], 1)) "
                    + "| \(text(time[1] / time[0], 2)) | \(text(time[2], 1)) "
                    + "| \(text(time[3], 1)) | \(text(time[3] / time[2], 2)) |")
        }
    }

    private static let calls = 20

    private static let keys: [(String, TestKey, SignatureAlgorithm, TestSignature)] = [
        ("RSA-2048, SHA-256", .rsa2048("time"), .rsaPKCS1(.sha256), .rsaPKCS1(.sha256)),
        ("RSA-3072, SHA-256", .rsa3072("time"), .rsaPKCS1(.sha256), .rsaPKCS1(.sha256)),
        ("RSA-4096, SHA-384", .rsa4096("time"), .rsaPKCS1(.sha384), .rsaPKCS1(.sha384)),
        (
            "RSA-2048 PSS, SHA-256", .rsa2048("time"),
            .rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 32),
            .rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 32)
        ),
        ("P-256, SHA-256", .p256("time"), .ecdsa(.sha256), .ecdsa(.sha256)),
        ("P-384, SHA-384", .p384("time"), .ecdsa(.sha384), .ecdsa(.sha384)),
        ("Ed25519", .ed25519("time"), .ed25519, .ed25519),
    ]
}

/// Why a measurement means nothing.
struct Failed: Error {
    let what: String
}
