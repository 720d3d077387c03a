/// The signatures that one evaluation has verified, so that backtracking pays for each signature
/// once.
package struct SignatureLedger: Sendable {
    /// The outcomes, by subject and issuer (`CertificatePool.identity`).
    private var outcomes: [Edge: SignatureOutcome] = [:]

    private struct Edge: Hashable {
        let subject: Int
        let issuer: Int
    }

    package init() {}

    /// The outcome that is already known; nil when the signature was not verified.
    package func known(subject: Int, issuer: Int) -> SignatureOutcome? {
        outcomes[Edge(subject: subject, issuer: issuer)]
    }

    /// Verifies the signature of `subject` under the key of `issuer`, unless the outcome is known.
    /// Nil when the budget does not allow the work.
    package mutating func verify(
        _ subject: Certificate, identity subjectIdentity: Int, under issuer: Certificate,
        identity issuerIdentity: Int, crypto: any CryptoBackend, budget: inout WorkBudget
    ) -> SignatureOutcome? {
        let edge = Edge(subject: subjectIdentity, issuer: issuerIdentity)
        if let outcome = outcomes[edge] { return outcome }
        let key = issuer.layout.publicKey
        let cost = SignatureCost.units(
            for: key, exponentBits: issuer.exponentBits, messageBytes: Int(subject.layout.tbs.count)
        )
        guard budget.spend(cost) else { return nil }
        budget.signatures += 1
        let der = subject.der.span
        let outcome = crypto.verify(
            subject.layout.signatureAlgorithm, key: key, keyBytes: issuer.der.span,
            message: der.extracting(subject.layout.tbs.indices),
            signature: der.extracting(subject.layout.signature.indices))
        outcomes[edge] = outcome
        return outcome
    }
}

extension Certificate {
    /// Bit length of the exponent of an RSA key; 0 for other keys.
    var exponentBits: Int { layout.publicKey.exponentBits(in: der.span) }
}

extension PublicKey {
    /// Bit length of the exponent of an RSA key; 0 for other keys. `bytes` is the buffer that the
    /// key's ranges point into.
    func exponentBits(in bytes: Span<UInt8>) -> Int {
        guard case .rsa(_, let exponent) = material, exponent.count > 0 else { return 0 }
        let top = bytes[exponent.indices.lowerBound]
        return (Int(exponent.count) - 1) * 8 + (8 - top.leadingZeroBitCount)
    }
}
