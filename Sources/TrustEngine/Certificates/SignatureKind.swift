/// The kind of a signature: which keys can make it. Hashes and parameters do not matter for it.
package enum SignatureKind: String, Hashable, Sendable, CaseIterable {
    case rsa, ecdsa, ed25519, ed448, mldsa44, mldsa65, mldsa87, dsa

    /// The kind of an algorithm; nil where the engine does not have the algorithm.
    package init?(_ algorithm: SignatureAlgorithm) {
        switch algorithm {
        case .rsaPKCS1, .rsaPSS: self = .rsa
        case .ecdsa: self = .ecdsa
        case .ed25519: self = .ed25519
        case .ed448: self = .ed448
        case .mldsa(.mldsa44): self = .mldsa44
        case .mldsa(.mldsa65): self = .mldsa65
        case .mldsa(.mldsa87): self = .mldsa87
        case .dsa: self = .dsa
        case .unsupported: return nil
        }
    }

    /// The kind of the signatures that keys of a type make.
    package init(madeBy type: KeyType) {
        switch type {
        case .rsa: self = .rsa
        case .p256, .p384, .p521: self = .ecdsa
        case .ed25519: self = .ed25519
        case .ed448: self = .ed448
        case .mldsa44: self = .mldsa44
        case .mldsa65: self = .mldsa65
        case .mldsa87: self = .mldsa87
        case .dsa: self = .dsa
        }
    }
}

extension SignatureAlgorithm {
    /// Whether no key of this key's type makes signatures of this algorithm. Then another key made
    /// the signature, whatever the signature names as its key. False when the engine does not know
    /// the algorithm or the key's type: then the maker is not known.
    package func isOfAnotherKind(than key: PublicKey) -> Bool {
        guard let kind = SignatureKind(self), let type = key.type else { return false }
        return kind != SignatureKind(madeBy: type)
    }
}
