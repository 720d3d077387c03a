/// What can be wrong with a signature.
public enum SignatureDamage: Hashable, Sendable {
    case none
    /// The last bit is the other way round.
    case flippedBit
    /// These octets stand there.
    case replaced([UInt8])
    /// It is a good signature, over another message.
    case otherMessage

    /// Signs a message and spoils the signature.
    func sign(_ message: [UInt8], _ signer: TestKey, _ signature: TestSignature) -> [UInt8] {
        switch self {
        case .none: return signer.sign(message, signature)
        case .flippedBit:
            var octets = signer.sign(message, signature)
            octets[octets.count - 1] ^= 1
            return octets
        case .replaced(let other): return other
        case .otherMessage: return signer.sign(Array("another message".utf8), signature)
        }
    }
}
