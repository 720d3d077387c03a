import Foundation
import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// Signatures of Project Wycheproof, with the answers that it expects (`Wycheproof/rows.py`).
@Suite struct WycheproofTests {
    /// One key and signatures by it, or by what a forger has.
    private struct Row: Decodable {
        let file: String
        let algorithm: String
        let hash: String?
        let mgfHash: String?
        let saltLength: Int32?
        let key: String
        let tests: [Signature]

        func signatureAlgorithm() throws -> SignatureAlgorithm {
            switch algorithm {
            case "ecdsa": return .ecdsa(try named(hash))
            case "rsa-pkcs1": return .rsaPKCS1(try named(hash))
            case "rsa-pss":
                return .rsaPSS(
                    hash: try named(hash), mgfHash: try named(mgfHash),
                    saltLength: try #require(saltLength))
            case "ed25519": return .ed25519
            case "ed448": return .ed448
            default: throw UnknownName(name: algorithm)
            }
        }

        private func named(_ hash: String?) throws -> SignatureHash {
            switch hash {
            case "sha256": return .sha256
            case "sha384": return .sha384
            case "sha512": return .sha512
            default: throw UnknownName(name: hash ?? "")
            }
        }
    }

    private struct Signature: Decodable {
        let number: Int
        let message: [UInt8]
        let octets: [UInt8]
        let isValid: Bool

        init(from decoder: any Decoder) throws {
            var fields = try decoder.unkeyedContainer()
            number = try fields.decode(Int.self)
            message = TestPKI.octets(hex: try fields.decode(String.self))
            octets = TestPKI.octets(hex: try fields.decode(String.self))
            isValid = try fields.decode(Bool.self)
        }
    }

    private struct UnknownName: Error {
        let name: String
    }

    @Test("each signature is valid where Wycheproof says so, and else refused")
    func asExpected() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Wycheproof/rows.ndjson")
        let backend = LibCryptoBackend()
        let decoder = JSONDecoder()
        var valid = 0
        var invalid = 0
        for line in try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")) {
            let row = try decoder.decode(Row.self, from: line)
            let key = try BufferedKey(spki: octets(hex: row.key))
            let algorithm = try row.signatureAlgorithm()
            for test in row.tests {
                let outcome = backend.verify(
                    algorithm, key: key.key, keyBytes: key.buffer.span,
                    message: test.message.span, signature: test.octets.span)
                #expect(
                    outcome == (test.isValid ? .valid : .invalid), "\(row.file) \(test.number)")
                if test.isValid { valid += 1 } else { invalid += 1 }
            }
        }
        #expect(valid == 312)
        #expect(invalid == 3043)
    }
}
