import Foundation
import LibCrypto
import MLDSA
import TrustEngine

/// An ML-DSA key, a message, a context and a signature, each with its length before it: judged by
/// `MLDSA` itself, and by the backend as a certificate's key and signature.
enum MLDSABody {
    static func run(_ bytes: [UInt8]) {
        let parts = Framing.split(bytes, atMost: 4)
        guard parts.count == 4 else { return }
        let (key, message, context, signature) = (parts[0], parts[1], parts[2], parts[3])
        for set in MLDSAParameterSet.allCases {
            let prepared = MLDSAPublicKey(set, octets: key.span)
            require(
                (prepared != nil) == (key.count == set.publicKeyBytes),
                "every key of the exact size can be prepared, and no other")
            let isValid = prepared?.isValid(
                signature: signature.span, of: message.span, context: context.span)
            require(
                isValid != true || seeds.contains(Framing.join(parts)),
                "nothing verifies but what the owners of the keys signed")
        }
        for set in PublicKey.MLDSAParameters.allCases {
            judge(set, key, message, signature, hasContext: !context.isEmpty, parts)
        }
    }

    /// Judges the key and the signature as the engine does, whatever their sizes are.
    private static func judge(
        _ set: PublicKey.MLDSAParameters, _ octets: [UInt8], _ message: [UInt8],
        _ signature: [UInt8], hasContext: Bool, _ parts: [[UInt8]]
    ) {
        let range = ByteRange(start: 0, count: octets.count)
        let key = PublicKey(material: .mldsa(set, range), bits: 0, spki: range)
        for named in PublicKey.MLDSAParameters.allCases {
            let outcome = backend.verify(
                .mldsa(named), key: key, keyBytes: octets.span, message: message.span,
                signature: signature.span)
            require(
                outcome != .unsupported && (named == set || outcome == .invalid),
                "an algorithm fits the keys of its parameter set alone")
            require(
                outcome != .valid || (!hasContext && seeds.contains(Framing.join(parts))),
                "no certificate's signature verifies but with the empty context")
        }
    }

    /// What the owners of the keys signed (`Tests/MLDSATests/Vectors/mint.py`).
    static let seeds: [[UInt8]] = {
        struct Row: Decodable {
            let public_key: String
            let message: String
            let context: String
            let signature: String
        }
        let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../MLDSATests/Vectors/signatures.ndjson")
        do {
            return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { line in
                let row = try JSONDecoder().decode(Row.self, from: line)
                return Framing.join(
                    [row.public_key, row.message, row.context, row.signature].map(octets))
            }
        } catch {
            fatalError("\(file.path): \(error)")
        }
    }()

    private static let backend = LibCryptoBackend()

    private static func octets(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.utf8.map { $0 < 0x60 ? $0 & 0xF : $0 - 0x57 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
