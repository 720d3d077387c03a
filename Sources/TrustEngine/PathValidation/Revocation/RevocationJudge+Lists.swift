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
        let scope = RevocationListScope(of: subject.certificate)
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
                    try scope.authority(of: prepared.list, budget: &budget) != nil
                else { continue }
                readings.append(
                    try read(index, evidence, prepared, scope, subject, &budget))
            }
        }
        try attachDeltas(&readings, &budget)
        return answers + listAnswers(from: readings)
    }

    // MARK: One CRL

    /// Applies steps (f), (g), (i), (j), and (b) and (d) for the scope.
    private mutating func read(
        _ index: Int, _ evidence: PreparedEvidence, _ prepared: PreparedRevocationList,
        _ scope: RevocationListScope, _ subject: RevocationSubject, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> Reading {
        let list = prepared.list
        var reading = Reading(piece: index, list: list)
        reading.problem = problem(of: list)
        guard reading.problem == nil else { return reading }
        let signer = try signer(of: index, evidence, list, subject, &budget)
        switch signer {
        case .trusted(let signer), .elsewhere(let signer): reading.signer = signer
        case .none(let problem): reading.problem = problem
        }
        guard reading.problem == nil else { return reading }
        guard window.hasBegun(list.layout.thisUpdate) else {
            reading.problem = .notYetValid
            return reading
        }
        reading.entry = try entry(for: subject.certificate, in: prepared, scope, &budget)
        if case .elsewhere = signer {
            reading.shortfall = .signerNotAllowed(.noPath)
        } else {
            reading.shortfall = shortfall(of: list.layout.signatureAlgorithm)
        }
        reading.reasons = try scope.reasons(of: list, budget: &budget)
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
                guard continues(readings[new], readings[old]) else { continue }
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
    private func continues(_ delta: Reading, _ base: Reading) -> Bool {
        let (new, old) = (delta.list, base.list)
        guard
            DistinguishedName.isEqual(
                new.der.span.extracting(new.layout.issuer.indices),
                old.der.span.extracting(old.layout.issuer.indices)),
            isSame(new, old, \.distributionPointValue), isSame(new, old, \.authorityKeyValue),
            let signer = delta.signer, let other = base.signer,
            signer.hasKey(of: other)
        else { return false }
        return !isBelow(old, \.number, new, \.deltaBase) && isBelow(old, \.number, new, \.number)
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

    /// What a CRL says by itself and with its delta.
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
        return reading.reasons.isEmpty ? .unusable(.otherScope) : .good
    }
}

// MARK: - Who signed a CRL
extension RevocationJudge {
    private enum Signer {
        /// The path of the signer ends at the anchor of the certificate's path.
        case trusted(Certificate)
        /// The path of the signer ends at another anchor of the rule, or its certificates are below
        /// the rule's floors. Such a CRL can revoke, so that a certificate that is revoked on one
        /// path is revoked on every path (LANGUAGE section 12.5). It cannot vouch.
        case elsewhere(Certificate)
        case none(EvidenceProblem)
    }

    /// Steps (f), (g): finds the certificate that signed the CRL. It has the CRL issuer's name, may
    /// sign CRLs, and its key verifies the CRL. It stands on the path, or has a valid path of its
    /// own to the same anchor.
    private mutating func signer(
        of index: Int, _ evidence: PreparedEvidence, _ list: CertificateRevocationList,
        _ subject: RevocationSubject, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> Signer {
        var problem = EvidenceProblem.signerNotFound
        for candidate in subject.authorities where list.isIssued(byNameOf: candidate) {
            guard let reason = try refusal(of: candidate, index, evidence, &budget) else {
                return .trusted(candidate)
            }
            problem = reason
        }
        var elsewhere: Certificate?
        for (candidate, fingerprint) in try strangers(namedBy: list, &budget)
        where !subject.authorities.contains(candidate) {
            if let reason = try refusal(of: candidate, index, evidence, &budget) {
                problem = reason
                continue
            }
            if let anchor = subject.anchor {
                guard
                    let obstacle = try obstacle(
                        fromSigner: candidate, fingerprint, to: anchor, &budget)
                else { return .trusted(candidate) }
                problem = .signerNotAllowed(obstacle)
            }
            if elsewhere == nil,
                try obstacle(fromSigner: candidate, fingerprint, to: nil, &budget) == nil
            {
                elsewhere = candidate
            }
        }
        for other in pool.anchors.candidates(subjectHash: list.layout.issuerHash)
        where elsewhere == nil && pool.isInScope(anchor: other) {
            let anchor = pool.anchors.anchors[other]
            try budget.take(1)
            if anchor.kind != .leaf, list.isIssued(byNameOf: anchor.certificate),
                !subject.authorities.contains(anchor.certificate),
                try refusal(of: anchor.certificate, index, evidence, &budget) == nil
            {
                elsewhere = anchor.certificate
            }
        }
        return elsewhere.map { .elsewhere($0) } ?? .none(problem)
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
    ) throws(WorkExhausted) -> [(certificate: Certificate, fingerprint: Digest)] {
        var found: [(certificate: Certificate, fingerprint: Digest)] = []
        try budget.take(1 + pool.presented.count / 64)
        for presented in pool.presented where list.isIssued(byNameOf: presented.certificate) {
            try budget.take(1)
            found.append((presented.certificate, presented.fingerprint))
        }
        for index in pool.offered.candidates(subjectHash: list.layout.issuerHash)
        where pool.set(offering: index) != nil {
            try budget.take(1)
            let offer = pool.offered.entries[index]
            if list.isIssued(byNameOf: offer.certificate) {
                found.append((offer.certificate, offer.fingerprint))
            }
        }
        return found
    }

    /// Why a signer is not trusted under an anchor; nil when it is. `anchor` is nil for a signer
    /// that may only revoke: then any anchor of the rule counts. A trusted signer has a valid path
    /// to the anchor, and no directly signed evidence says that a certificate of that path is
    /// revoked. An unknown status is no obstacle, because the CRL that gives the status may be this
    /// one.
    private mutating func obstacle(
        fromSigner signer: Certificate, _ fingerprint: Digest, to anchor: TrustAnchor?,
        _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> EvidenceProblem.SignerProblem? {
        let key = SignerPathKey(
            signer: fingerprint, anchor: anchor?.fingerprint,
            ignoredLimits: anchor?.ignoredLimits ?? [])
        if let known = signerPaths[key] { return known }
        let own = signerPool(signer, fingerprint, anchor)
        // The key purposes of certificates below it do not matter for a signer of CRLs.
        var parameters = anchor == nil ? revoking : parameters
        parameters.keyPurposes = KeyPurposes()
        parameters.leafKeyTypes = parameters.keyTypes
        let validator = PathValidator(pool: own, parameters: parameters, crypto: crypto)
        var builder = PathBuilder(validator, pass: .search)
        var ledger = SignatureLedger()
        var obstacle: EvidenceProblem.SignerProblem? = .noPath
        while obstacle != nil, let path = builder.next(ledger: ledger, budget: &budget) {
            let isValid = RevocationJudge.signerChecks.allSatisfy { check in
                // Waivers and report modes apply to the path that is judged, not to signers of
                // evidence.
                validator.failures(of: check, on: path, ledger: &ledger, budget: &budget).isEmpty
            }
            guard !budget.isExhausted else { throw WorkExhausted() }
            guard isValid, path.endsAtAnchor, path.count > 1 else { continue }
            let certificates = (0..<path.count).map { path.certificate(at: $0, in: own) }
            obstacle = nil
            for position in 0..<certificates.count - 1
            where try isListed(
                certificates[position], byIssuer: certificates[position + 1], &budget)
            {
                obstacle = .revoked
            }
        }
        guard !budget.isExhausted else { throw WorkExhausted() }
        signerPaths[key] = .some(obstacle)
        return obstacle
    }

    /// The certificates from which a signer's path may be built: the certificates of this search,
    /// with the signer as end entity, and one anchor or all anchors of the rule.
    private func signerPool(
        _ signer: Certificate, _ fingerprint: Digest, _ anchor: TrustAnchor?
    ) -> CertificatePool {
        let presented =
            [
                CertificatePool.Presented(
                    certificate: signer, wireIndex: 0, fingerprint: fingerprint)
            ] + pool.presented.filter { $0.fingerprint != fingerprint }
        guard let anchor else {
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
        return CertificatePool(
            presented: presented, offered: pool.offered, anchors: TrustAnchorIndex([anchor]),
            sets: IndexView(pool.sets + [anchor.set]), setIDs: pool.setIDs + ["pinned-keys"])
    }

    /// The checks of a signer's path: all of RFC 5280 section 6.1 except the key purpose.
    private static let signerChecks: [PathCheck] = [
        .validity, .basicConstraints, .pathLength, .keyUsage, .criticalExtensions,
        .algorithmAgreement, .keys, .signatureAlgorithms, .nameConstraints, .certificatePolicies,
        .signatures,
    ]

    /// Whether a CRL that the issuer's own key signed lists a certificate, current suspensions
    /// included. It is used for signers of evidence. It looks for no further signer, so it ends.
    mutating func isListed(
        _ certificate: Certificate, byIssuer issuer: Certificate, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> Bool {
        guard issuer.maySignLists else { return false }
        let scope = RevocationListScope(of: certificate)
        for (index, piece) in evidence.pieces.enumerated() where piece.source == .crl {
            guard case .prepared(let evidence) = piece.content,
                case .list(let prepared) = evidence.content
            else { continue }
            try budget.take(1)
            let layout = prepared.list.layout
            guard prepared.list.isIssued(byNameOf: issuer), problem(of: prepared.list) == nil,
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
