/// Reads what the evidence says of the certificates of candidate paths: CRLs by RFC 5280 section
/// 6.3 (`RevocationJudge+Lists`), OCSP responses by RFC 6960 (`RevocationJudge+Responses`).
/// `RevocationDecision` decides which answers count and what follows.
///
/// The signatures of a path are assumed to be valid: evidence is judged under the keys on the path.
/// Verified signatures are remembered for the next path.
package struct RevocationJudge: Sendable {
    package let evidence: RevocationEvidence
    let pool: CertificatePool
    /// The rule's demands on evidence that vouches for a certificate, and on the signers of that
    /// evidence.
    let parameters: PathParameters
    /// The demands on evidence that says *revoked*. They do not exceed the baseline: otherwise a
    /// rule that demands stronger signatures would accept a certificate that a laxer rule rejects.
    let revoking: PathParameters
    let window: EvidenceWindow
    /// Weakest hash of a signature on evidence that vouches for a certificate.
    let minimumHash: SignatureHash
    let crypto: any CryptoBackend
    private var outcomes: [VerificationKey: SignatureOutcome] = [:]
    /// Why a signer is under no anchor of the rule, by the fingerprint of its certificate; nil when
    /// it is under one.
    var signerPaths: [Digest: EvidenceProblem.SignerProblem?] = [:]
    /// Why an authority does not speak through a signer that it issued; nil when it does.
    var appointments: [AppointmentKey: EvidenceProblem.SignerProblem?] = [:]
    private var anchorIssuers: [Int: Certificate?] = [:]

    private struct VerificationKey: Hashable {
        let piece: Int
        let subject: EvidenceSignature
        let key: [UInt8]
    }

    /// A signer of CRLs, by the fingerprint of its certificate, and the authorities above it.
    struct AppointmentKey: Hashable {
        let signer: Digest
        let authorities: [CertificatePool.Member]
        let end: CandidatePath.End
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

    /// The answers of the evidence about the certificate at a position of a path, in the order of
    /// the evidence. The signatures of the path must verify. Evidence about other certificates
    /// gives no answer.
    package mutating func answers(
        about position: Int, on path: CandidatePath, budget: inout WorkBudget
    ) throws(WorkExhausted) -> [RevocationAnswer] {
        guard !evidence.isEmpty, position + 1 < path.count else { return [] }
        return try answers(
            about: RevocationSubject(
                certificate: path.certificate(at: position, in: pool),
                authorities: (position + 1..<path.count).map { path.certificate(at: $0, in: pool) },
                path: path.endsAtAnchor ? path : nil, isEndEntity: position == 0),
            budget: &budget)
    }

    /// The answers about an intermediate that is itself an anchor. Its issuer stands on no path.
    /// Any certificate whose key verifies its signature counts as its issuer, because the anchor
    /// itself is trusted.
    package mutating func answers(
        aboutAnchor index: Int, budget: inout WorkBudget
    ) throws(WorkExhausted) -> [RevocationAnswer] {
        guard !evidence.isEmpty, let issuer = try issuer(ofAnchor: index, &budget) else {
            return []
        }
        return try answers(
            about: RevocationSubject(
                certificate: pool.anchors.anchors[index].certificate, authorities: [issuer],
                path: nil, isEndEntity: false),
            budget: &budget)
    }

    private mutating func answers(
        about subject: RevocationSubject, budget: inout WorkBudget
    ) throws(WorkExhausted) -> [RevocationAnswer] {
        try responseAnswers(about: subject, budget: &budget)
            + listAnswers(about: subject, budget: &budget)
    }

    /// A certificate of the search that has the name of an anchor's issuer and whose key verifies
    /// the anchor's signature; nil when there is none.
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
        for candidate in candidates
        where certificate.isIssued(byNameOf: candidate, budget: &budget) {
            if try isSigned(certificate, by: candidate, &budget) { return candidate }
        }
        return nil
    }

    /// Whether a certificate's key verifies the signature of another certificate.
    func isSigned(
        _ certificate: Certificate, by issuer: Certificate, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> Bool {
        try budget.take(
            SignatureCost.units(
                for: issuer.layout.publicKey, exponentBits: issuer.exponentBits,
                messageBytes: Int(certificate.layout.tbs.count)))
        budget.signatures += 1
        guard issuer.layout.publicKey.permits(certificate.layout.signatureAlgorithm) else {
            return false
        }
        let der = certificate.der.span
        return crypto.verify(
            certificate.layout.signatureAlgorithm, key: issuer.layout.publicKey,
            keyBytes: issuer.der.span, message: der.extracting(certificate.layout.tbs.indices),
            signature: der.extracting(certificate.layout.signature.indices)) == .valid
    }

    // MARK: Signatures of evidence

    /// Whether a signature of a piece of evidence verifies under a certificate's key. A signature
    /// that preparation has verified under this key costs nothing.
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

    /// Why a signature of this algorithm does not count at all; nil when it counts.
    func problem(with algorithm: SignatureAlgorithm) -> EvidenceProblem? {
        problem(with: algorithm, revoking, min(minimumHash, revoking.minimumHash))
    }

    /// Why a signature of this algorithm does not vouch for a certificate; nil when it vouches. The
    /// rule's `signatures` bind evidence too (LANGUAGE section 8).
    func shortfall(of algorithm: SignatureAlgorithm) -> EvidenceProblem? {
        problem(with: algorithm, parameters, minimumHash)
    }

    private func problem(
        with algorithm: SignatureAlgorithm, _ floors: PathParameters, _ minimum: SignatureHash
    ) -> EvidenceProblem? {
        guard let scheme = algorithm.scheme else {
            return .algorithmNotAllowed(SignatureAlgorithm.unknownName)
        }
        guard floors.signatureSchemes.contains(scheme) else {
            return .algorithmNotAllowed(scheme.names.first ?? "another scheme")
        }
        return algorithm.weakHashText(below: minimum).map { .algorithmNotAllowed($0) }
    }
}
