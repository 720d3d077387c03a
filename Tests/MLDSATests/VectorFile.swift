import Foundation
import MLDSA

/// Signatures that others made: one JSON object a line.
struct VectorFile {
    /// One signature. The fields that the file does not have are absent.
    struct Vector: Decodable {
        let id: String?
        let parameter_set: String
        let public_key: String
        let message: String
        let context: String
        let signature: String
        let result: String?
        let flags: [String]?

        var parameterSet: MLDSAParameterSet? {
            switch parameter_set {
            case "ML-DSA-44": .mldsa44
            case "ML-DSA-65": .mldsa65
            case "ML-DSA-87": .mldsa87
            default: nil
            }
        }

        /// What the verifier says; nil for a parameter set that it does not have.
        func isValid() -> Bool? {
            guard let parameterSet else { return nil }
            return SignedMessage(self, parameterSet).isValid()
        }
    }

    private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// The vectors that `Vectors/mint.py` made.
    static let minted = folder.appending(path: "Vectors/signatures.ndjson")

    /// Project Wycheproof's, which may lie beside the checkout.
    static let wycheproof = folder.appending(path: "../../../shared/mldsa/wycheproof.ndjson")
        .standardizedFileURL

    static func read(_ file: URL) throws -> [Vector] {
        let decoder = JSONDecoder()
        return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
            .map { try decoder.decode(Vector.self, from: $0) }
    }
}

/// What a verifier is given, in a form that tests can change.
struct SignedMessage {
    var parameterSet: MLDSAParameterSet
    var key: [UInt8]
    var message: [UInt8]
    var context: [UInt8]
    var signature: [UInt8]

    init(_ vector: VectorFile.Vector, _ parameterSet: MLDSAParameterSet) {
        self.parameterSet = parameterSet
        key = octets(vector.public_key)
        message = octets(vector.message)
        context = octets(vector.context)
        signature = octets(vector.signature)
    }

    /// Whether the key can be prepared and the signature verifies under it.
    func isValid() -> Bool {
        guard let key = MLDSAPublicKey(parameterSet, octets: key.span) else { return false }
        return key.isValid(signature: signature.span, of: message.span, context: context.span)
    }

    /// One of each parameter set, with a message, without a context.
    static func minted() throws -> [SignedMessage] {
        try VectorFile.read(VectorFile.minted).compactMap { vector in
            guard vector.message.count == 4096, let set = vector.parameterSet else { return nil }
            return SignedMessage(vector, set)
        }
    }
}

/// Octets from hexadecimal text.
func octets(_ hex: String) -> [UInt8] {
    func digit(_ octet: UInt8) -> UInt8 { octet < 0x60 ? octet & 0xf : octet - 0x57 }
    let digits = Array(hex.utf8)
    return stride(from: 0, to: digits.count, by: 2).map {
        digit(digits[$0]) << 4 | digit(digits[$0 + 1])
    }
}
