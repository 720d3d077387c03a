import Crypto
import Foundation
import MLDSA

/// One signature of the checked-in vectors, ready for both verifiers.
struct Signature {
    /// One line of the vectors.
    struct Line: Decodable {
        let parameter_set: String
        let public_key: String
        let message: String
        let context: String
        let signature: String
    }

    let name: String
    let octets: [UInt8]
    let message: [UInt8]
    let signature: [UInt8]

    init(_ line: Line) {
        name = line.parameter_set
        octets = Signature.octets(line.public_key)
        message = Signature.octets(line.message)
        signature = Signature.octets(line.signature)
    }

    private static func octets(_ hex: String) -> [UInt8] {
        let digits = hex.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    private var parameterSet: MLDSAParameterSet? {
        switch name {
        case "ML-DSA-44": .mldsa44
        case "ML-DSA-65": .mldsa65
        case "ML-DSA-87": .mldsa87
        default: nil
        }
    }

    /// A verification by Hawser, the key prepared before.
    func ours() -> (() -> Bool)? {
        guard let parameterSet, let key = MLDSAPublicKey(parameterSet, octets: octets.span)
        else { return nil }
        return { key.isValid(signature: signature.span, of: message.span) }
    }

    /// The preparation of the key by Hawser.
    func preparation() -> (() -> Bool)? {
        guard let parameterSet else { return nil }
        return { MLDSAPublicKey(parameterSet, octets: octets.span) != nil }
    }

    /// A verification by swift-crypto, the key prepared before; nil for the parameter set 44, which
    /// swift-crypto does not have.
    func theirs() throws -> (() -> Bool)? {
        switch name {
        case "ML-DSA-65":
            let key = try MLDSA65.PublicKey(rawRepresentation: octets)
            return { key.isValidSignature(signature, for: message) }
        case "ML-DSA-87":
            let key = try MLDSA87.PublicKey(rawRepresentation: octets)
            return { key.isValidSignature(signature, for: message) }
        default: return nil
        }
    }
}
