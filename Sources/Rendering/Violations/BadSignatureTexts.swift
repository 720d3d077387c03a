import TrustEngine

/// The words for a signature of a kind that the issuer's key does not make. Anybody can make a key
/// of another kind and write the issuer's name, so the words accuse nobody's CA.
enum SignatureSentences {
    /// Both kinds, and who holds the key that was compared.
    static func anotherKind(
        _ certificate: CertificateReference, _ issuer: CertificateReference, keyType: String,
        kind: String
    ) -> String {
        let holder: String
        switch issuer.origin {
        case .anchor, .offered: holder = "that the policy holds"
        case .presented: holder = "that the server sent"
        }
        return "the signature on \(Words.name(certificate)) is not by the key of "
            + "\(Words.name(issuer)) \(holder): that key is `\(keyType)`, the "
            + "signature is `\(kind)`"
    }
}
