import Foundation
import MLDSA

// Verifies the signatures of its standard input, and writes a line `valid` or `invalid` for each.
// A signature is five fields: the name of the parameter set, the key, the message, the context and
// the signature.

var fields = Fields([UInt8](FileHandle.standardInput.readDataToEndOfFile()))
while !fields.isAtEnd {
    let set: MLDSAParameterSet
    switch String(decoding: fields.next(), as: UTF8.self) {
    case "ML-DSA-44": set = .mldsa44
    case "ML-DSA-65": set = .mldsa65
    case "ML-DSA-87": set = .mldsa87
    default:
        print("no such parameter set")
        exit(2)
    }
    let octets = fields.next()
    let message = fields.next()
    let context = fields.next()
    let signature = fields.next()
    let key = MLDSAPublicKey(set, octets: octets.span)
    let isValid = key?.isValid(
        signature: signature.span, of: message.span, context: context.span)
    print(isValid == true ? "valid" : "invalid")
}
