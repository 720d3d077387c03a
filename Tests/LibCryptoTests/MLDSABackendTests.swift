import Foundation
import MLDSA
import TestPKI
import Testing
import TrustEngine

@testable import LibCrypto

/// ML-DSA through the backend: the same code answers whatever libcrypto is linked, and whatever
/// library stands in its place.
@Suite("ML-DSA in the backend") struct MLDSABackendTests {
    /// A signature that PyPI's `cryptography` made (`Tests/MLDSATests/Vectors/mint.py`).
    struct Signed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let set: PublicKey.MLDSAParameters
        let key: [UInt8]
        let message: [UInt8]
        let context: [UInt8]
        let signature: [UInt8]

        var publicKey: PublicKey {
            let range = ByteRange(start: 0, count: key.count)
            return PublicKey(material: .mldsa(set, range), bits: 0, spki: range)
        }
    }

    private static let signed: [Signed] = {
        struct Row: Decodable {
            let parameter_set: String
            let public_key: String
            let message: String
            let context: String
            let signature: String
        }
        let sets: [String: PublicKey.MLDSAParameters] = [
            "ML-DSA-44": .mldsa44, "ML-DSA-65": .mldsa65, "ML-DSA-87": .mldsa87,
        ]
        let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../MLDSATests/Vectors/signatures.ndjson")
        do {
            return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { line in
                let row = try JSONDecoder().decode(Row.self, from: line)
                guard let set = sets[row.parameter_set] else { fatalError(row.parameter_set) }
                return Signed(
                    testDescription:
                        "\(row.parameter_set), \(row.message.count / 2) octets, context of "
                        + "\(row.context.count / 2)",
                    set: set, key: octets(hex: row.public_key), message: octets(hex: row.message),
                    context: octets(hex: row.context), signature: octets(hex: row.signature))
            }
        } catch {
            fatalError("\(file.path): \(error)")
        }
    }()

    private func verify(
        _ row: Signed, _ backend: LibCryptoBackend, named: PublicKey.MLDSAParameters? = nil,
        message: [UInt8]? = nil, signature: [UInt8]? = nil, identity: SignatureIdentity? = nil
    ) -> SignatureOutcome {
        let message = message ?? row.message
        let signature = signature ?? row.signature
        guard let identity else {
            return backend.verify(
                .mldsa(named ?? row.set), key: row.publicKey, keyBytes: row.key.span,
                message: message.span, signature: signature.span)
        }
        return backend.verify(
            .mldsa(named ?? row.set), key: row.publicKey, keyBytes: row.key.span,
            message: message.span, signature: signature.span, of: identity)
    }

    @Test("the empty context alone, and what is left when one thing is changed", arguments: signed)
    func one(_ row: Signed) {
        let backend = LibCryptoBackend()
        let expected: SignatureOutcome = row.context.isEmpty ? .valid : .invalid
        for _ in 0..<3 { #expect(verify(row, backend) == expected) }
        for set in PublicKey.MLDSAParameters.allCases where set != row.set {
            #expect(verify(row, backend, named: set) == .invalid)
        }
        #expect(verify(row, backend, message: row.message + [0]) == .invalid)
        for octet in [0, 40, row.signature.count / 2, row.signature.count - 1] {
            var changed = row.signature
            changed[octet] ^= 1
            #expect(verify(row, backend, signature: changed) == .invalid)
        }
        #expect(verify(row, backend, signature: row.signature.dropLast()) == .invalid)
        #expect(verify(row, backend, signature: row.signature + [0]) == .invalid)
        #expect(verify(row, backend, signature: []) == .invalid)
        // A range that leaves the buffer, and other algorithms under the key.
        let short = Array(row.key.dropLast())
        #expect(
            backend.verify(
                .mldsa(row.set), key: row.publicKey, keyBytes: short.span,
                message: row.message.span, signature: row.signature.span) == .invalid)
        for other in [SignatureAlgorithm.ed25519, .ecdsa(.sha256), .rsaPKCS1(.sha256)] {
            #expect(
                backend.verify(
                    other, key: row.publicKey, keyBytes: row.key.span, message: row.message.span,
                    signature: row.signature.span) == .invalid)
        }
    }

    @Test("a key that has verified is kept, by its digest") func kept() throws {
        let row = try #require(Self.signed.first { $0.context.isEmpty })
        let backend = LibCryptoBackend()
        let identity = SignatureIdentity(
            issuerKey: backend.digest(.sha256, of: row.key.span),
            certificate: backend.digest(.sha256, of: row.message.span))
        // A signature that does not verify keeps nothing.
        #expect(verify(row, backend, message: [1], identity: identity) == .invalid)
        #expect(backend.cache.count == 0)
        #expect(verify(row, backend, identity: identity) == .valid)
        #expect(backend.cache.count == 1)
        #expect(verify(row, backend, identity: identity) == .valid)
        #expect(verify(row, backend, message: [1], identity: identity) == .invalid)
        for set in PublicKey.MLDSAParameters.allCases where set != row.set {
            #expect(verify(row, backend, named: set, identity: identity) == .invalid)
        }
    }

    @Test("no library is asked") func library() {
        let backend = LibCryptoBackend(library: Eager())
        for row in Self.signed {
            #expect(verify(row, backend) == (row.context.isEmpty ? .valid : .invalid))
            #expect(verify(row, backend, message: row.message + [1]) == .invalid)
        }
    }

    @Test("the sizes of the engine are those of the verifier")
    func sizes() {
        for (engine, verifier) in zip(
            PublicKey.MLDSAParameters.allCases, MLDSAParameterSet.allCases)
        {
            #expect(String(describing: engine) == String(describing: verifier))
            #expect(engine.keyBytes == verifier.publicKeyBytes)
            #expect(engine.signatureBytes == verifier.signatureBytes)
        }
    }
}

/// A library that takes every key and accepts every signature.
private struct Eager: SignatureLibrary {
    func prepare(_ numbers: KeyNumbers) -> (any LibraryKey)? { Key() }

    private struct Key: LibraryKey {
        func takes(_ scheme: VerificationScheme) -> Bool { true }

        func verify(
            _ scheme: VerificationScheme, message: Span<UInt8>, signature: Span<UInt8>
        ) -> Bool { true }
    }
}
