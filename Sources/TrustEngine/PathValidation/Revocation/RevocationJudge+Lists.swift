// CRL validation (RFC 5280 section 6.3); the code follows the steps of 6.3.3. A CRL can say two
// things, and they have different demands. *Revoked* needs the right issuer, a good signature and
// the serial number; it counts after nextUpdate and for any scope of the CRL (LANGUAGE section
// 12.5). *Not revoked* needs all of 6.3.3: a current CRL, for this kind of certificate, for every
// reason.
extension RevocationJudge {
    /// A CRL of the right issuer, read for one certificate.
    private struct Reading {
        let piece: Int
        let list: CertificateRevocationList
        /// The certificate that signed the CRL; nil where `problem` says why no signer counts.
        var signer: Certificate?
        var problem: EvidenceProblem?
        /// Why the CRL can revoke and cannot vouch; nil when it can do both.
        var shortfall: EvidenceProblem?
        /// The entry for the certificate; nil when the CRL has none.
        var entry: RevocationEntry?
        /// The reasons that the CRL covers for this certificate.
        var reasons: ReasonSet = []
        /// Why the CRL does not cover this certificate; nil when it does.
        var scopeProblem: EvidenceProblem.ScopeProblem?
        /// The newest delta CRL within its window that continues this CRL: an index of the
        /// readings.
        var delta: Int?
        /// The newest of these delta CRLs that can vouch: an index of the readings.
        var vouchingDelta: Int?
        /// For a current delta CRL: a complete CRL that it is based on, as an index of the
        /// readings.
        var base: Int?
    }

    mutating func listAnswers(
        about subject: RevocationSubject, budget: inout WorkBudget
    ) throws(WorkExhausted) -> [RevocationAnswer] {
        let scope = try RevocationListScope(of: subject.certificate, budget: &budget)
        var answers: [RevocationAnswer] = []
        var readings: [Reading] = []
        for (index, piece) in evidence.pieces.enumerated() where piece.source == .crl {
            switch piece.content {
            case .unreadable(let error):
                // A CRL that cannot be parsed may be about any certificate. It counts where the
                // certificate has a distribution point.
                guard !scope.points.isEmpty else { continue }
                answers.append(
                    RevocationAnswer(
                        source: .crl, digest: piece.digest, thisUpdate: nil, nextUpdate: nil,
                        finding: .unusable(.unreadable(error))))
            case .prepared(let evidence):
                guard case .list(let prepared) = evidence.content,
                    let authority = try scope.authority(of: prepared.list, budget: &budget)
                else { continue }
                readings.append(
                    try read(index, evidence, prepared, scope, subject, authority, &budget))
            }
        }
        try attachDeltas(&readings, &budget)
        return answers + listAnswers(from: readings)
    }

    // MARK: One CRL

    /// Applies steps (f), (g), (i), (j), and (b) and (d) for the scope.
    private mutating func read(
        _ index: Int, _ evidence: PreparedEvidence, _ prepared: PreparedRevocationList,
        _ scope: RevocationListScope, _ subject: RevocationSubject,
        _ authority: RevocationListScope.Authority, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> Reading {
        let list = prepared.list
        var reading = Reading(piece: index, list: list)
        reading.problem = problem(of: list)
        guard reading.problem == nil else { return reading }
        let signer = try signer(of: index, evidence, list, subject, authority, &budget)
        switch signer {
        case .vouching(let signer), .revoking(let signer, _): reading.signer = signer
        case .none(let problem): reading.problem = problem
        }
        guard reading.problem == nil else { return reading }
        guard window.hasBegun(list.layout.thisUpdate) else {
            reading.problem = .notYetValid
            return reading
        }
        reading.entry = try entry(for: subject.certificate, in: prepared, scope, &budget)
        if case .revoking(_, let limit) = signer {
            reading.shortfall = .signerNotAllowed(limit)
        } else {
            reading.shortfall = shortfall(of: list.layout.signatureAlgorithm)
        }
        reading.reasons = try scope.reasons(of: list, budget: &budget)
        if reading.reasons.isEmpty {
            reading.scopeProblem = try scope.problem(of: list, budget: &budget)
        }
        return reading
    }

    /// Why a CRL cannot be used at all; nil when it can. No signature is verified for that. By
    /// sections 5.2 and 5.3 a CRL with an unknown critical extension says nothing about any
    /// certificate.
    private func problem(of list: CertificateRevocationList) -> EvidenceProblem? {
        let layout = list.layout
        if !layout.unknownCritical.isEmpty {
            return .unknownCriticalExtension(
                ObjectIdentifier.text(of: list.der.span.extracting(layout.unknownCritical.indices)))
        }
        guard list.algorithmsAgree else { return .algorithmMismatch }
        return problem(with: layout.signatureAlgorithm)
    }

    /// The entry for a certificate. Of several entries it is the one that says most.
    private func entry(
        for certificate: Certificate, in prepared: PreparedRevocationList,
        _ scope: RevocationListScope, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> RevocationEntry? {
        // A CRL of attribute certificates uses other serial numbers.
        guard prepared.list.layout.distributionPoint?.contents != .attributeCertificates else {
            return nil
        }
        var found: RevocationEntry?
        let serial = certificate.der.span.extracting(certificate.layout.serial.indices)
        for match in try prepared.matches(serial, budget: &budget)
        where try scope.isMeant(by: match, of: prepared, budget: &budget) {
            if found == nil || found?.reason == .removeFromCRL
                || (found?.reason == .certificateHold && match.entry.reason != .removeFromCRL)
            {
                found = match.entry
            }
        }
        return found
    }

    // MARK: Delta CRLs

    /// Applies steps (c), (h): gives each CRL the newest delta CRL within its window that continues
    /// it, and the newest that can vouch besides. A delta CRL may also continue another delta CRL;
    /// that matters when it lifts a hold that the other one set. The rule's demands beyond the
    /// window decide whether a delta CRL can vouch (`vouches`). The newest delta CRL keeps a hold
    /// in force even where it cannot vouch: otherwise a rule that demands more would accept what
    /// another rule refuses.
    private func attachDeltas(
        _ readings: inout [Reading], _ budget: inout WorkBudget
    ) throws(WorkExhausted) {
        let deltas = readings.indices.filter { index in
            let layout = readings[index].list.layout
            return layout.isDelta && readings[index].problem == nil
                && window.problem(thisUpdate: layout.thisUpdate, nextUpdate: layout.nextUpdate)
                    == nil
        }
        for old in readings.indices where readings[old].problem == nil {
            for new in deltas {
                try budget.take(1)
                guard try continues(readings[new], readings[old], &budget) else { continue }
                readings[old].delta = newer(new, than: readings[old].delta, in: readings)
                guard vouches(readings[new]) else { continue }
                if !readings[old].list.layout.isDelta { readings[new].base = old }
                readings[old].vouchingDelta = newer(
                    new, than: readings[old].vouchingDelta, in: readings)
            }
        }
    }

    /// The delta CRL with the larger number, `known` where neither number is larger; both are
    /// indices of the readings.
    private func newer(_ delta: Int, than known: Int?, in readings: [Reading]) -> Int {
        guard let known else { return delta }
        return isBelow(readings[known].list, \.number, readings[delta].list, \.number)
            ? delta : known
    }

    /// Whether a delta CRL can lift a hold, and make the CRL that it continues current.
    private func vouches(_ delta: Reading) -> Bool {
        let layout = delta.list.layout
        return delta.shortfall == nil
            && window.staleness(thisUpdate: layout.thisUpdate, nextUpdate: layout.nextUpdate) == nil
    }

    /// Section 5.2.4: both CRLs have the same issuer, scope and signing key. The complete CRL is
    /// not older than the delta's base and is older than the delta.
    private func continues(
        _ delta: Reading, _ base: Reading, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> Bool {
        let (new, old) = (delta.list, base.list)
        guard !isBelow(old, \.number, new, \.deltaBase), isBelow(old, \.number, new, \.number),
            new.layout.issuerHash == old.layout.issuerHash
        else { return false }
        try budget.take(
            Int(new.layout.distributionPointValue.count + new.layout.authorityKeyValue.count)
                / 4_096)
        guard isSame(new, old, \.distributionPointValue), isSame(new, old, \.authorityKeyValue),
            let signer = delta.signer, let other = base.signer,
            signer.hasKey(of: other)
        else { return false }
        return try DistinguishedName.isEqual(
            new.der.span.extracting(new.layout.issuer.indices),
            old.der.span.extracting(old.layout.issuer.indices), budget: &budget)
    }

    private func isSame(
        _ left: CertificateRevocationList, _ right: CertificateRevocationList,
        _ field: KeyPath<RevocationListLayout, ByteRange>
    ) -> Bool {
        left.der.span.extracting(left.layout[keyPath: field].indices)
            .octetsEqual(right.der.span.extracting(right.layout[keyPath: field].indices))
    }

    /// Whether a CRL number is smaller than another. An absent number is neither smaller nor
    /// larger, so both comparisons fail with it.
    private func isBelow(
        _ left: CertificateRevocationList, _ leftNumber: KeyPath<RevocationListLayout, ByteRange?>,
        _ right: CertificateRevocationList,
        _ rightNumber: KeyPath<RevocationListLayout, ByteRange?>
    ) -> Bool {
        guard let mine = left.layout[keyPath: leftNumber],
            let theirs = right.layout[keyPath: rightNumber]
        else { return false }
        guard mine.count == theirs.count else { return mine.count < theirs.count }
        return left.der[mine.indices].lexicographicallyPrecedes(right.der[theirs.indices])
    }

    // MARK: All of them together

    /// Applies steps (e), (k), (l): the answer of each CRL, judged together with the other CRLs.
    private func listAnswers(from readings: [Reading]) -> [RevocationAnswer] {
        var conclusions = readings.map { conclusion($0, among: readings) }
        var covered: ReasonSet = []
        for (reading, conclusion) in zip(readings, conclusions) where conclusion == .good {
            covered.formUnion(reading.reasons)
        }
        if !covered.isSuperset(of: .all) {
            for index in conclusions.indices where conclusions[index] == .good {
                conclusions[index] = .unusable(.someReasonsOnly)
            }
        }
        // A complete CRL and the delta that continues it count as one CRL.
        for (index, reading) in readings.enumerated() {
            if let base = reading.base, conclusions[index] == .unusable(.baseMissing) {
                conclusions[index] = conclusions[base]
            }
        }
        return zip(readings, conclusions).map { reading, conclusion in
            RevocationAnswer(
                source: .crl, digest: evidence.pieces[reading.piece].digest,
                thisUpdate: reading.list.layout.thisUpdate,
                nextUpdate: reading.list.layout.nextUpdate, finding: conclusion)
        }
    }

    /// The answer of a CRL by itself and with its delta.
    private func conclusion(
        _ reading: Reading, among readings: [Reading]
    ) -> RevocationAnswer.Finding {
        if let problem = reading.problem { return .unusable(problem) }
        let layout = reading.list.layout
        if let entry = reading.entry, entry.reason != .removeFromCRL {
            guard entry.reason == .certificateHold else {
                return .revoked(entry.reason, at: entry.date)
            }
            // A hold ends with the window of the CRL. Before that, two deltas must lift the hold:
            // the newest delta, and the newest delta that can vouch.
            func lifts(_ delta: Int?) -> Bool {
                delta.map { readings[$0].entry?.reason == .removeFromCRL } ?? false
            }
            if !lifts(reading.delta) || !lifts(reading.vouchingDelta) {
                if reading.delta == nil,
                    let problem = window.problem(
                        thisUpdate: layout.thisUpdate, nextUpdate: layout.nextUpdate)
                {
                    return .unusable(problem)
                }
                return .revoked(.certificateHold, at: entry.date)
            }
        }
        // A delta that vouches makes the CRL that it continues current too (section 5.2.4).
        if reading.vouchingDelta == nil,
            let problem = window.staleness(
                thisUpdate: layout.thisUpdate, nextUpdate: layout.nextUpdate)
        {
            return .unusable(problem)
        }
        guard !layout.isDelta else { return .unusable(.baseMissing) }
        if let shortfall = reading.shortfall { return .unusable(shortfall) }
        return reading.scopeProblem.map { .unusable(.otherScope($0)) } ?? .good
    }
}

// MARK: - Who signed a CRL
extension RevocationJudge {
    private enum Signer {
        /// The CRL can vouch for the certificate.
        case vouching(Certificate)
        /// The signer is under an anchor of the rule. The CRL can revoke, and for this problem it
        /// cannot vouch (LANGUAGE section 12.5).
        case revoking(Certificate, EvidenceProblem.SignerProblem)
        case none(EvidenceProblem)
    }

    /// Steps (f), (g): finds the certificate that signed the CRL. It has the CRL issuer's name, may
    /// sign CRLs, and its key verifies the CRL. It stands on the path, or has a valid path of its
    /// own to an anchor of the rule. A signer that may vouch is preferred.
    private mutating func signer(
        of index: Int, _ evidence: PreparedEvidence, _ list: CertificateRevocationList,
        _ subject: RevocationSubject, _ authority: RevocationListScope.Authority,
        _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> Signer {
        var problem = EvidenceProblem.signerNotFound
        var revoking: Signer?
        for (position, candidate) in subject.authorities.enumerated()
        where try list.isIssued(byNameOf: candidate, budget: &budget) {
            if let reason = try refusal(of: candidate, index, evidence, &budget) {
                problem = reason
                continue
            }
            guard let limit = subject.limit(ofAuthority: position, as: authority) else {
                return .vouching(candidate)
            }
            if revoking == nil { revoking = .revoking(candidate, limit) }
        }
        for (member, fingerprint) in try strangers(namedBy: list, &budget) {
            let candidate = pool.certificate(member)
            guard !subject.authorities.contains(candidate) else { continue }
            if let reason = try refusal(of: candidate, index, evidence, &budget) {
                problem = reason
                continue
            }
            guard
                let limit = try limit(
                    ofSigner: member, fingerprint, for: subject, as: authority, &budget)
            else { return .vouching(candidate) }
            guard revoking == nil else { continue }
            if let obstacle = try obstacle(fromSigner: candidate, fingerprint, &budget) {
                problem = .signerNotAllowed(obstacle)
            } else {
                revoking = .revoking(candidate, limit)
            }
        }
        for other in pool.anchors.candidates(subjectHash: list.layout.issuerHash)
        where revoking == nil && pool.isInScope(anchor: other) {
            let anchor = pool.anchors.anchors[other]
            try budget.take(1)
            if anchor.kind != .leaf,
                try list.isIssued(byNameOf: anchor.certificate, budget: &budget),
                !subject.authorities.contains(anchor.certificate),
                try refusal(of: anchor.certificate, index, evidence, &budget) == nil
            {
                revoking = .revoking(anchor.certificate, .notAppointed)
            }
        }
        return revoking ?? .none(problem)
    }

    /// Why a certificate with the right name has not signed a CRL, or must not; nil when it has and
    /// may.
    private mutating func refusal(
        of candidate: Certificate, _ index: Int, _ evidence: PreparedEvidence,
        _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> EvidenceProblem? {
        guard candidate.maySignLists else { return .signerNotAllowed(.noCRLSign) }
        return try verify(index, evidence, under: candidate, budget: &budget)
            ? nil : .badSignature
    }

    /// The presented and offered certificates with a CRL issuer's name, on a path or not.
    private func strangers(
        namedBy list: CertificateRevocationList, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> [(member: CertificatePool.Member, fingerprint: Digest)] {
        var found: [(member: CertificatePool.Member, fingerprint: Digest)] = []
        try budget.take(1 + pool.presented.count / 64)
        for (index, presented) in pool.presented.enumerated()
        where try list.isIssued(byNameOf: presented.certificate, budget: &budget) {
            try budget.take(1)
            found.append((.presented(Int32(index)), presented.fingerprint))
        }
        for index in pool.offered.candidates(subjectHash: list.layout.issuerHash)
        where pool.set(offering: index) != nil {
            try budget.take(1)
            let offer = pool.offered.entries[index]
            if try list.isIssued(byNameOf: offer.certificate, budget: &budget) {
                found.append((.offered(Int32(index)), offer.fingerprint))
            }
        }
        return found
    }

    /// Why a signer is under no anchor of the rule; nil when it is under one, and may revoke. A
    /// signer that may revoke has a valid path to the anchor, of which no certificate is revoked by
    /// directly signed evidence. The status of these certificates need not be known, because the
    /// CRL that gives it may be this one.
    private mutating func obstacle(
        fromSigner signer: Certificate, _ fingerprint: Digest, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> EvidenceProblem.SignerProblem? {
        if let known = signerPaths[fingerprint] { return known }
        let validator = signerValidator(signerPool(signer, fingerprint), revoking)
        var builder = PathBuilder(validator, pass: .search)
        var ledger = SignatureLedger()
        var obstacle: EvidenceProblem.SignerProblem? = .noPath
        while obstacle != nil, let path = builder.next(ledger: ledger, budget: &budget) {
            guard path.endsAtAnchor, path.count > 1 else { continue }
            let problem = try self.problem(
                withSignerPath: path, RevocationJudge.signerChecks + [.signatures], validator,
                &ledger, &budget)
            if problem != .noPath { obstacle = problem }
        }
        guard !budget.isExhausted else { throw WorkExhausted() }
        signerPaths[fingerprint] = .some(obstacle)
        return obstacle
    }

    /// The validator of a signer's path. The key purposes of the certificates on it do not matter
    /// for a signer of CRLs.
    func signerValidator(
        _ pool: CertificatePool, _ parameters: PathParameters
    ) -> PathValidator {
        var parameters = parameters
        parameters.keyPurposes = KeyPurposes()
        parameters.leafKeyTypes = parameters.keyTypes
        return PathValidator(pool: pool, parameters: parameters, crypto: crypto)
    }

    /// Why a path does not make its first certificate a trusted signer; nil when it does. Waivers
    /// and report modes apply to the path that is judged, not to signers of evidence.
    mutating func problem(
        withSignerPath path: CandidatePath, _ checks: [PathCheck], _ validator: PathValidator,
        _ ledger: inout SignatureLedger, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> EvidenceProblem.SignerProblem? {
        let isValid = checks.allSatisfy { check in
            validator.failures(of: check, on: path, ledger: &ledger, budget: &budget).isEmpty
        }
        guard !budget.isExhausted else { throw WorkExhausted() }
        guard isValid else { return .noPath }
        let certificates = (0..<path.count).map { path.certificate(at: $0, in: validator.pool) }
        for position in 0..<certificates.count - 1
        where try isListed(certificates[position], byIssuer: certificates[position + 1], &budget) {
            return .revoked
        }
        return nil
    }

    /// The certificates from which a signer's path may be built: the certificates of this search,
    /// with the signer as end entity, and all anchors of the rule.
    private func signerPool(_ signer: Certificate, _ fingerprint: Digest) -> CertificatePool {
        let presented =
            [
                CertificatePool.Presented(
                    certificate: signer, wireIndex: 0, fingerprint: fingerprint)
            ] + pool.presented.filter { $0.fingerprint != fingerprint }
        let pinned = pool.presentedAnchors.authorities.map {
            pool.presented[Int($0)].fingerprint
        }
        var marked = CertificatePool.PresentedAnchors()
        for (index, entry) in presented.enumerated() where pinned.contains(entry.fingerprint) {
            marked.authorities.insert(Int32(index))
        }
        return CertificatePool(
            presented: presented, offered: pool.offered, anchors: pool.anchors,
            sets: pool.sets, setIDs: pool.setIDs, presentedAnchors: marked)
    }

    /// The checks of a signer's path: all of RFC 5280 section 6.1 except the key purpose and the
    /// signatures.
    static let signerChecks: [PathCheck] = [
        .validity, .basicConstraints, .pathLength, .keyUsage, .criticalExtensions,
        .algorithmAgreement, .keys, .signatureAlgorithms, .nameConstraints, .certificatePolicies,
    ]

    /// Whether a CRL that the issuer's own key signed lists a certificate, current suspensions
    /// included. It is used for signers of evidence. It looks for no further signer, so it ends.
    mutating func isListed(
        _ certificate: Certificate, byIssuer issuer: Certificate, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> Bool {
        guard issuer.maySignLists else { return false }
        let scope = try RevocationListScope(of: certificate, budget: &budget)
        for (index, piece) in evidence.pieces.enumerated() where piece.source == .crl {
            guard case .prepared(let evidence) = piece.content,
                case .list(let prepared) = evidence.content
            else { continue }
            try budget.take(1)
            let layout = prepared.list.layout
            guard try prepared.list.isIssued(byNameOf: issuer, budget: &budget),
                problem(of: prepared.list) == nil,
                window.hasBegun(layout.thisUpdate),
                let entry = try entry(for: certificate, in: prepared, scope, &budget),
                entry.reason != .removeFromCRL,
                entry.reason != .certificateHold
                    || window.problem(
                        thisUpdate: layout.thisUpdate, nextUpdate: layout.nextUpdate) == nil,
                try verify(index, evidence, under: issuer, budget: &budget)
            else { continue }
            return true
        }
        return false
    }
}

extension Certificate {
    /// Whether the key usage has cRLSign, or is absent (RFC 5280 section 6.3.3(f)).
    package var maySignLists: Bool {
        let extensions = layout.extensions
        return !extensions.present.contains(.keyUsage)
            || extensions.keyUsage & KeyUsageBit.cRLSign != 0
    }
}
