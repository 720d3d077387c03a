/// The signatures that one evaluation has verified, so that backtracking pays for each signature
/// once.
package struct SignatureLedger: Sendable {
    /// The first outcomes. A search that does not backtrack has few.
    private var first = ShortList<Known>()
    /// The outcomes beyond the first eight: a hostile chain can have many.
    private var others: [Edge: SignatureOutcome] = [:]

    /// A subject and an issuer (`CertificatePool.identity`).
    private struct Edge: Hashable, BitwiseCopyable {
        let subject: Int
        let issuer: Int
    }

    /// A signature and its outcome.
    private struct Known: WordPair {
        let edge: Edge
        let outcome: SignatureOutcome

        init(_ edge: Edge, _ outcome: SignatureOutcome) {
            self.edge = edge
            self.outcome = outcome
        }

        /// The outcome stands in the lowest octet of the second word.
        init(words: (UInt64, UInt64)) {
            edge = Edge(
                subject: Int(words: (words.0, 0)), issuer: Int(Int64(bitPattern: words.1) >> 8))
            switch words.1 & 0xFF {
            case 0: outcome = .valid
            case 1: outcome = .invalid
            default: outcome = .unsupported
            }
        }

        var words: (UInt64, UInt64) {
            let number: UInt64
            switch outcome {
            case .valid: number = 0
            case .invalid: number = 1
            case .unsupported: number = 2
            }
            return (edge.subject.words.0, edge.issuer.words.0 << 8 | number)
        }
    }

    /// Whether a backend may remember the signatures that are verified from now on.
    ///
    /// It is true while paths are searched, where every issuer is a CA that its own issuer vouches
    /// for, up to an anchor. It is false elsewhere: a diagnosis also verifies signatures under keys
    /// that nobody vouches for, and with these a peer could displace the signatures that are worth
    /// remembering.
    package var isRemembered = false

    /// The issuer whose key was hashed last (`CertificatePool.identity`), and SHA-256 of its
    /// SubjectPublicKeyInfo. Whoever asks for evidence asks for it again.
    private var hashedKey: (issuer: Int, digest: Digest)?

    package init() {}

    /// SHA-256 of the SubjectPublicKeyInfo of an issuer; nil where this ledger hashed another key
    /// since.
    package func keyDigest(of issuer: Int) -> Digest? {
        hashedKey?.issuer == issuer ? hashedKey?.digest : nil
    }

    /// The outcome that is already known; nil when the signature was not verified.
    package func known(subject: Int, issuer: Int) -> SignatureOutcome? {
        outcome(of: Edge(subject: subject, issuer: issuer))
    }

    private func outcome(of edge: Edge) -> SignatureOutcome? {
        for position in 0..<first.count where first[position].edge == edge {
            return first[position].outcome
        }
        return others.isEmpty ? nil : others[edge]
    }

    /// Verifies the signature of `subject` under the key of `issuer`, unless the outcome is known.
    /// Nil when the budget does not allow the work.
    ///
    /// `names` are the digests of both, where a backend may remember the signature. A signature
    /// that a backend remembers costs as much of the budget as any other, so that a verdict and its
    /// work do not depend on earlier verdicts.
    package mutating func verify(
        _ subject: Certificate, identity subjectIdentity: Int, under issuer: Certificate,
        identity issuerIdentity: Int, names: SignatureNames? = nil, crypto: any CryptoBackend,
        budget: inout WorkBudget
    ) -> SignatureOutcome? {
        let edge = Edge(subject: subjectIdentity, issuer: issuerIdentity)
        if let outcome = outcome(of: edge) { return outcome }
        let key = issuer.layout.publicKey
        let cost = SignatureCost.units(
            for: key, exponentBits: issuer.exponentBits, messageBytes: Int(subject.layout.tbs.count)
        )
        guard budget.spend(cost) else { return nil }
        budget.signatures += 1
        let der = subject.der.span
        let message = der.extracting(subject.layout.tbs.indices)
        let signature = der.extracting(subject.layout.signature.indices)
        let algorithm = subject.layout.signatureAlgorithm
        let outcome: SignatureOutcome
        if !key.permits(algorithm) {
            // No backend is asked: the parameters that bind a key do not depend on the verifier.
            outcome = .invalid
        } else if isRemembered, let names {
            // Hashing the key is part of the cost of a signature: its octets are fewer than the
            // octets that a verification reads.
            let issuerKey: Digest
            if let known = names.issuerKey ?? keyDigest(of: issuerIdentity) {
                issuerKey = known
            } else {
                issuerKey = crypto.digest(.sha256, of: issuer.der.span.extracting(key.spki.indices))
                hashedKey = (issuerIdentity, issuerKey)
            }
            outcome = crypto.verify(
                algorithm, key: key, keyBytes: issuer.der.span, message: message,
                signature: signature,
                of: SignatureIdentity(issuerKey: issuerKey, certificate: names.certificate))
        } else {
            outcome = crypto.verify(
                algorithm, key: key, keyBytes: issuer.der.span, message: message,
                signature: signature)
        }
        if first.count < ShortList<Known>.inlineCount {
            first.append(Known(edge, outcome))
        } else {
            others[edge] = outcome
        }
        return outcome
    }
}

/// The digests that are known of a signature before it is verified.
package struct SignatureNames: Sendable, BitwiseCopyable {
    /// SHA-256 of the certificate whose signature is verified.
    package let certificate: Digest
    /// SHA-256 of the issuer's SubjectPublicKeyInfo; nil where it was not computed at the load.
    package let issuerKey: Digest?

    package init(certificate: Digest, issuerKey: Digest?) {
        self.certificate = certificate
        self.issuerKey = issuerKey
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
        let exponent: ByteRange
        switch material {
        case .rsa(_, let own), .rsaPSS(_, _, let own): exponent = own
        case .ec, .ed25519, .ed448, .mldsa, .dsa, .unsupported: return 0
        }
        guard exponent.count > 0 else { return 0 }
        let top = bytes[exponent.indices.lowerBound]
        return (Int(exponent.count) - 1) * 8 + (8 - top.leadingZeroBitCount)
    }
}
