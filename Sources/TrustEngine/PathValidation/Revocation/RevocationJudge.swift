/// What the evidence at hand says of the certificates of candidate paths: CRLs by RFC 5280 section 6.3
/// (`RevocationJudge+Lists`), OCSP responses by RFC 6960 (`RevocationJudge+Responses`). Which of it
/// counts, and what follows, is the evaluator's business.
///
/// The signatures of a path are taken to be good: evidence is judged under the keys that the path
/// names. What was verified is remembered for the next path.
package struct RevocationJudge: Sendable {
    package let evidence: RevocationEvidence
    let pool: CertificatePool
    /// What the rule demands of evidence that vouches for a certificate, and of those who sign it.
    let parameters: PathParameters
    /// The same of evidence that says *revoked*: no more than the baseline, lest a rule that asks for
    /// stronger signatures accept what a laxer one refuses.
    let revoking: PathParameters
    let window: EvidenceWindow
    /// Weakest hash of a signature on evidence that vouches.
    let minimumHash: SignatureHash
    let crypto: any CryptoBackend
    private var outcomes: [VerificationKey: SignatureOutcome] = [:]
    var signerPaths: [SignerPathKey: EvidenceProblem.SignerProblem?] = [:]
    private var anchorIssuers: [Int: Certificate?] = [:]

    private struct VerificationKey: Hashable {
        let piece: Int
        let subject: EvidenceSignature
        let key: [UInt8]
    }

    /// Certificates by their fingerprints, and what of the anchor's binds; no anchor stands for all, on
    /// the terms of evidence that revokes.
    struct SignerPathKey: Hashable {
        let signer: Digest
        let anchor: Digest?
        let ignoredLimits: AnchorLimits
    }

    package init(
        evidence: RevocationEvidence, pool: CertificatePool, parameters: PathParameters,
        revoking: PathParameters, window: EvidenceWindow, minimumHash: SignatureHash,
        crypto: any CryptoBackend
    ) {
        self.evidence = evidence
        self.pool = pool
        self.parameters = parameters
        self.revoking = revoking
        self.window = window
        self.minimumHash = minimumHash
        self.crypto = crypto
    }

    /// Everything that the evidence says of the certificate at a place of a path whose signatures
    /// verify, in the order of the evidence. Evidence about other certificates gives no answer.
    package mutating func answers(
        about position: Int, on path: CandidatePath, budget: inout WorkBudget
    ) throws(WorkExhausted) -> [RevocationAnswer] {
        guard !evidence.isEmpty, position + 1 < path.count else { return [] }
        return try answers(
            about: RevocationSubject(
                certificate: path.certificate(at: position, in: pool),
                authorities: (position + 1..<path.count).map { path.certificate(at: $0, in: pool) },
                anchor: trustAnchor(of: path), isEndEntity: position == 0),
            budget: &budget)
    }

    /// The anchor that a path ends at. One that is pinned is an anchor on no set's terms.
    private func trustAnchor(of path: CandidatePath) -> TrustAnchor? {
        if let index = path.anchor { return pool.anchors.anchors[index] }
        guard path.end == .pinned, case .presented(let index)? = path.members.last else {
            return nil
        }
        let entry = pool.presented[Int(index)]
        return TrustAnchor(
            certificate: entry.certificate, set: pool.setIDs.count, kind: .intermediate,
            standard: .rfc5280, ignoredLimits: [], group: 0, fingerprint: entry.fingerprint,
            identity: 0)
    }

    /// The same of an intermediate that is itself an anchor, so that its issuer is on no path. Whoever's
    /// key verifies its signature is its issuer: the certificate itself is trusted.
    package mutating func answers(
        aboutAnchor index: Int, budget: inout WorkBudget
    ) throws(WorkExhausted) -> [RevocationAnswer] {
        guard !evidence.isEmpty, let issuer = try issuer(ofAnchor: index, &budget) else {
            return []
        }
        return try answers(
            about: RevocationSubject(
                certificate: pool.anchors.anchors[index].certificate, authorities: [issuer],
                anchor: nil, isEndEntity: false),
            budget: &budget)
    }

    private mutating func answers(
        about subject: RevocationSubject, budget: inout WorkBudget
    ) throws(WorkExhausted) -> [RevocationAnswer] {
        try responseAnswers(about: subject, budget: &budget)
            + listAnswers(about: subject, budget: &budget)
    }

    /// A certificate at hand that has the name of an anchor's issuer and whose key verifies it.
    private mutating func issuer(
        ofAnchor index: Int, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> Certificate? {
        if let known = anchorIssuers[index] { return known }
        let found = try findIssuer(ofAnchor: index, &budget)
        anchorIssuers[index] = .some(found)
        return found
    }

    private func findIssuer(
        ofAnchor index: Int, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> Certificate? {
        let certificate = pool.anchors.anchors[index].certificate
        var candidates = pool.presented.map(\.certificate)
        for other in pool.anchors.candidates(subjectHash: certificate.layout.issuerHash) {
            candidates.append(pool.anchors.anchors[other].certificate)
        }
        for candidate in candidates where certificate.isIssued(byNameOf: candidate) {
            try budget.take(
                SignatureCost.units(
                    for: candidate.layout.publicKey, exponentBits: candidate.exponentBits,
                    messageBytes: Int(certificate.layout.tbs.count)))
            budget.signatures += 1
            let der = certificate.der.span
            let outcome = crypto.verify(
                certificate.layout.signatureAlgorithm, key: candidate.layout.publicKey,
                keyBytes: candidate.der.span,
                message: der.extracting(certificate.layout.tbs.indices),
                signature: der.extracting(certificate.layout.signature.indices))
            if outcome == .valid { return candidate }
        }
        return nil
    }

    // MARK: Signatures of evidence

    /// Whether a signature of a piece verifies under a certificate's key. Evidence that was prepared
    /// with that key costs nothing more.
    mutating func verify(
        _ piece: Int, _ evidence: PreparedEvidence, _ subject: EvidenceSignature = .evidence,
        under signer: Certificate, budget: inout WorkBudget
    ) throws(WorkExhausted) -> Bool {
        if evidence.isVerified(subject, under: signer) { return true }
        guard evidence.content.hasSignature else { return false }
        let key = VerificationKey(piece: piece, subject: subject, key: signer.spkiBytes)
        if let outcome = outcomes[key] { return outcome == .valid }
        try budget.take(
            SignatureCost.units(
                for: signer.layout.publicKey, exponentBits: signer.exponentBits,
                messageBytes: evidence.content.signedOctets(of: subject)))
        budget.signatures += 1
        let outcome = evidence.content.verify(subject, under: signer, crypto: crypto)
        outcomes[key] = outcome
        return outcome == .valid
    }

    /// What keeps a signature of an algorithm from counting for anything.
    func problem(with algorithm: SignatureAlgorithm) -> EvidenceProblem? {
        problem(with: algorithm, revoking, min(minimumHash, revoking.minimumHash))
    }

    /// What keeps it from vouching for a certificate: the rule's `signatures` bind evidence too (LANGUAGE
    /// section 8).
    func shortfall(of algorithm: SignatureAlgorithm) -> EvidenceProblem? {
        problem(with: algorithm, parameters, minimumHash)
    }

    private func problem(
        with algorithm: SignatureAlgorithm, _ floors: PathParameters, _ minimum: SignatureHash
    ) -> EvidenceProblem? {
        guard let scheme = algorithm.scheme else {
            return .algorithmNotAllowed("an unknown algorithm")
        }
        guard floors.signatureSchemes.contains(scheme) else {
            return .algorithmNotAllowed(scheme.names.first ?? "another scheme")
        }
        guard let hash = algorithm.weakestHash, hash < minimum else { return nil }
        return .algorithmNotAllowed(hash.name)
    }
}

/// A certificate whose status is asked.
struct RevocationSubject: Sendable {
    let certificate: Certificate
    /// Certificates that its path vouches for, its issuer first, the anchor last. Never empty.
    let authorities: [Certificate]
    /// The anchor of its path; nil where there is none above it.
    let anchor: TrustAnchor?
    /// Whether it is the one that a staple speaks of.
    let isEndEntity: Bool

    /// Whose name and key its serial number belongs to.
    var issuer: Certificate {
        authorities[0].inheritingParameters(from: authorities.dropFirst()) ?? authorities[0]
    }
}
