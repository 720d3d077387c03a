// Who may vouch for a certificate, and who may only revoke it (LANGUAGE section 12.5). The table is
// in `Deviations.md`.
//
// A signer vouches only if it is an authority of the certificate's path, or if such an authority
// has issued it. Then every certificate above the signer stands above the certificate in question
// too. So a certificate never vouches for itself or for its issuer, and two certificates never
// vouch for each other. Every other signer that path validation trusts may revoke.

/// The certificate whose status is asked for.
struct RevocationSubject: Sendable {
    let certificate: Certificate
    /// The certificates above it on its path, its issuer first, the anchor last. Never empty.
    let authorities: [Certificate]
    /// Its path to an anchor; nil where it stands on none.
    let path: CandidatePath?
    /// Whether a staple of the connection is about this certificate.
    let isEndEntity: Bool
    /// Index of the first authority that the certificate's key cannot have made. The authorities
    /// before it have that key, or stand below an authority that has it. They do not vouch.
    private let firstIndependent: Int

    init(
        certificate: Certificate, authorities: [Certificate], path: CandidatePath?,
        isEndEntity: Bool
    ) {
        self.certificate = certificate
        self.authorities = authorities
        self.path = path
        self.isEndEntity = isEndEntity
        let last = authorities.lastIndex { $0.holdsKey(of: certificate) }
        self.firstIndependent = last.map { $0 + 1 } ?? 0
    }

    /// The issuer of the certificate. Its name and key belong to the serial number.
    var issuer: Certificate { authority(0) }

    /// The authority at an index, with the parameters that its key inherits.
    fileprivate func authority(_ index: Int) -> Certificate {
        authorities[index].inheritingParameters(from: authorities.dropFirst(index + 1))
            ?? authorities[index]
    }

    /// Why evidence that the issuer's own key signed cannot vouch; nil when it can.
    var limitOfIssuer: EvidenceProblem.SignerProblem? { firstIndependent > 0 ? .ownKey : nil }

    /// Why a delegate that the issuer named for OCSP cannot vouch; nil when it can.
    func limit(ofDelegate delegate: Certificate) -> EvidenceProblem.SignerProblem? {
        limitOfIssuer ?? (delegate.holdsKey(of: certificate) ? .ownKey : nil)
    }

    /// Why a CRL that an authority of the path signed cannot vouch; nil when it can.
    func limit(
        ofAuthority index: Int, as authority: RevocationListScope.Authority
    ) -> EvidenceProblem.SignerProblem? {
        guard index >= firstIndependent else { return .ownKey }
        guard index > 0 else { return nil }
        guard appointing(as: authority).contains(index) else { return .notAppointed }
        return authorities[index].namesListSigning ? nil : .noKeyUsage
    }

    /// The authorities whose word says who signs CRLs that vouch, as indices. In the issuer's name
    /// they are the issuer and the certificate above it: an authority higher up may have issued the
    /// same name for somebody else. The name in a distribution point is the issuer's own word, and
    /// each authority of the path may say whose name it is.
    fileprivate func appointing(as authority: RevocationListScope.Authority) -> Range<Int> {
        let end: Int
        switch authority {
        case .issuer: end = min(2, authorities.count)
        case .delegate: end = authorities.count
        }
        return min(firstIndependent, end)..<end
    }

    /// The members of a signer's path that the authority at an index has issued, without the
    /// signer.
    fileprivate func members(from index: Int, of path: CandidatePath) -> [CertificatePool.Member] {
        let position = path.count - authorities.count + index
        return (position..<max(position, path.members.count)).map { path.members[$0] }
    }
}

extension RevocationJudge {
    /// Why a signer of CRLs that is not on the certificate's path cannot vouch; nil when it can.
    /// The signer's key verified the CRL, and its key usage does not forbid that.
    mutating func limit(
        ofSigner member: CertificatePool.Member, _ fingerprint: Digest,
        for subject: RevocationSubject, as authority: RevocationListScope.Authority,
        _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> EvidenceProblem.SignerProblem? {
        let signer = pool.certificate(member)
        guard !signer.holdsKey(of: subject.certificate) else { return .ownKey }
        guard signer.namesListSigning else { return .noKeyUsage }
        var problem = EvidenceProblem.SignerProblem.notAppointed
        guard let path = subject.path else { return problem }
        for index in subject.appointing(as: authority) {
            try budget.take(1)
            guard signer.isIssued(byNameOf: subject.authorities[index], budget: &budget) else {
                continue
            }
            let obstacle = try obstacle(
                fromSigner: member, fingerprint, issuedBy: index, of: subject, on: path, &budget)
            guard let obstacle else { return nil }
            if obstacle != .notAppointed { problem = obstacle }
        }
        return problem
    }

    /// Why an authority of a path has not made a signer one that vouches; nil when it has. The
    /// signer's path is the authority's, whose signatures verify.
    private mutating func obstacle(
        fromSigner member: CertificatePool.Member, _ fingerprint: Digest, issuedBy index: Int,
        of subject: RevocationSubject, on path: CandidatePath, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> EvidenceProblem.SignerProblem? {
        let authorities = subject.members(from: index, of: path)
        let key = AppointmentKey(signer: fingerprint, authorities: authorities, end: path.end)
        if let known = appointments[key] { return known }
        var obstacle: EvidenceProblem.SignerProblem? = .notAppointed
        if try isSigned(pool.certificate(member), by: subject.authority(index), &budget) {
            var members = ShortList(member)
            for authority in authorities { members.append(authority) }
            var ledger = SignatureLedger()
            obstacle = try problem(
                withSignerPath: CandidatePath(members: members, end: path.end),
                RevocationJudge.signerChecks, signerValidator(pool, parameters), &ledger, &budget)
        }
        appointments[key] = .some(obstacle)
        return obstacle
    }
}

extension Certificate {
    /// Whether the key usage is present and has cRLSign.
    fileprivate var namesListSigning: Bool {
        layout.extensions.present.contains(.keyUsage) && maySignLists
    }
}
