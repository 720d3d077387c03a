/// Judges candidate paths by RFC 5280 section 6, check by check, with the floors of a policy. The
/// evaluator decides which checks must hold and what a failure does.
package struct PathValidator: Sendable {
    package let pool: CertificatePool
    package let parameters: PathParameters
    package let crypto: any CryptoBackend

    package init(pool: CertificatePool, parameters: PathParameters, crypto: any CryptoBackend) {
        self.pool = pool
        self.parameters = parameters
        self.crypto = crypto
    }

    /// How a certificate can stand at its position on an accepted path.
    package enum Fitness: Sendable, BitwiseCopyable {
        /// It breaks no rule for one certificate.
        case flawless
        /// It breaks rules for one certificate, and a waiver, a report mode or a notice excuses
        /// each.
        case excused
        /// It cannot stand there.
        case unfit
    }

    /// How a certificate can stand at its position on an accepted path, as far as the certificate
    /// alone shows it.
    package func fitness(of certificate: Certificate, at position: CertificatePosition) -> Fitness {
        let intermediates = position.isAnchor ? position.index - 1 : position.index
        guard intermediates <= parameters.maximumIntermediates else { return .unfit }
        var fitness = Fitness.flawless
        for rule in CertificateRule.inOrder {
            guard let problem = rule.problem(of: certificate, at: position, parameters) else {
                continue
            }
            guard
                parameters.leniency.excuse(problem, of: certificate, at: parameters.time) != nil
            else { return .unfit }
            fitness = .excused
        }
        guard !position.isAnchor else { return fitness }
        var isRejected = false
        StandardRules.forEachLasting(
            certificate, at: position.isEndEntity ? .endEntity : .intermediate
        ) { demand in
            if parameters.excuse(demand) == nil { isRejected = true }
        }
        return isRejected ? .unfit : fitness
    }

    /// The failures of one check on a path; none when the check holds.
    package func failures(
        of check: PathCheck, on path: CandidatePath, ledger: inout SignatureLedger,
        budget: inout WorkBudget
    ) -> [PathFailure] {
        assert(
            !path.isFlawless || certificateFailures(of: check, on: path).isEmpty,
            "the search and the judgement disagree about a rule for one certificate")
        let failures = pathFailures(of: check, on: path, &ledger, &budget)
        return path.isFlawless ? failures : certificateFailures(of: check, on: path) + failures
    }

    /// The failures of a check on the path as a whole; none where the rules for one certificate are
    /// the whole check.
    private func pathFailures(
        of check: PathCheck, on path: CandidatePath, _ ledger: inout SignatureLedger,
        _ budget: inout WorkBudget
    ) -> [PathFailure] {
        switch check {
        case .validity, .basicConstraints, .keyUsage, .criticalExtensions, .algorithmAgreement,
            .keys, .signatureAlgorithms:
            return []
        case .pathLength: return PathFailure.all(pathLimit(path))
        case .signatures: return PathFailure.all(signatures(path, &ledger, &budget))
        case .extendedKeyUsage: return PathFailure.all(extendedKeyUsage(path))
        case .nameConstraints: return PathFailure.all(nameConstraints(path, &budget))
        case .certificatePolicies: return PathFailure.all(certificatePolicies(path, &budget))
        case .lifetime: return lifetime(path)
        case .standard: return standard(path, &budget)
        }
    }

    // MARK: Checks that judge one certificate after another

    /// The failures of the check's rules for one certificate. Each rule judges the certificates
    /// from the end entity upwards.
    private func certificateFailures(of check: PathCheck, on path: CandidatePath) -> [PathFailure] {
        var failures: [PathFailure] = []
        for rule in CertificateRule.inOrder where rule.check == check && !rule.isForSearchOnly {
            var below = 0
            for index in 0..<path.count {
                let certificate = path.certificate(at: index, in: pool)
                let position = CertificatePosition(
                    index: index, intermediatesBelow: below,
                    isAnchor: index >= path.signedCount,
                    ignoredLimits: ignoredLimits(path, index))
                if index > 0, !certificate.isSelfIssued { below += 1 }
                guard let problem = rule.problem(of: certificate, at: position, parameters)
                else { continue }
                failures.append(
                    PathFailure(
                        violation: violation(problem, certificate, index, path),
                        excuse: parameters.leniency.excuse(
                            problem, of: certificate, at: parameters.time)))
            }
        }
        return failures
    }

    /// Whether a position of a path is the anchor's, and the anchor's set ignores this limit of the
    /// anchor's certificate.
    func ignores(
        _ limit: AnchorLimits, _ path: CandidatePath, _ position: Int
    ) -> Bool {
        ignoredLimits(path, position).contains(limit)
    }

    /// The limits written in the certificate at a position that do not bind. Only an anchor's set
    /// ignores limits.
    private func ignoredLimits(_ path: CandidatePath, _ position: Int) -> AnchorLimits {
        guard let anchor = path.anchor, position == path.count - 1 else { return [] }
        return pool.anchors.anchors[anchor].ignoredLimits
    }

    private func violation(
        _ problem: CertificateProblem, _ certificate: Certificate, _ position: Int,
        _ path: CandidatePath
    ) -> PathViolation {
        let reference = path.reference(at: position, in: pool)
        let layout = certificate.layout
        switch problem {
        case .expired where parameters.leniency.expiredWaiver == nil && isNeverValid(layout):
            return .neverValid(
                reference, notBefore: layout.notBefore, notAfter: layout.notAfter)
        case .notYetValid where isNeverValid(layout):
            return .neverValid(
                reference, notBefore: layout.notBefore, notAfter: layout.notAfter)
        case .expired:
            return .expired(
                reference, notAfter: layout.notAfter, time: parameters.time,
                tolerance: parameters.leniency.expiredWaiver?.limit ?? 0)
        case .notYetValid:
            return .notYetValid(reference, notBefore: layout.notBefore, time: parameters.time)
        case .notACertificateAuthority: return .notACertificateAuthority(reference)
        case .noCertSign: return .keyUsageMissing(reference, wanted: "keyCertSign")
        case .endEntityKeyUsage:
            return .keyUsageMissing(
                reference,
                wanted: layout.publicKey.onlySigns
                    ? "digitalSignature"
                    : parameters.keyPurposes.serverAuth
                        ? "digitalSignature, keyEncipherment or keyAgreement"
                        : "digitalSignature or keyAgreement")
        case .pathLengthExceeded(let limit, let actual):
            return .pathLengthExceeded(reference, limit: Int(limit), actual: Int(actual))
        case .unknownCriticalExtension:
            return .unknownCriticalExtension(reference, extensionID: unprocessed(certificate))
        case .preCertificate:
            return .unknownCriticalExtension(reference, extensionID: "1.3.6.1.4.1.11129.2.4.3")
        case .algorithmMismatch: return .algorithmMismatch(reference)
        case .keyTypeNotAllowed:
            let allowed = position == 0 ? parameters.leafKeyTypes : parameters.keyTypes
            return .keyTypeNotAllowed(
                reference,
                type: layout.publicKey.type?.name
                    ?? layout.publicKey.unsupportedName(in: certificate.der.span),
                allowed: allowed.names)
        case .keyTooSmall:
            return .keyTooSmall(
                reference, bits: Int(layout.publicKey.bits), minimum: parameters.rsaMinimum)
        case .hashTooWeak:
            if let weak = layout.signatureAlgorithm.weakMask(below: parameters.minimumHash) {
                return .maskHashTooWeak(
                    reference, hash: weak.hash.name, mask: weak.mask.name,
                    minimum: parameters.minimumHash.name)
            }
            return .hashTooWeak(
                reference, hash: layout.signatureAlgorithm.weakestHash?.name ?? "another hash",
                minimum: parameters.minimumHash.name)
        case .schemeNotAllowed:
            return .signatureSchemeNotAllowed(
                reference, scheme: layout.signatureAlgorithm.scheme?.names.first ?? "unknown",
                allowed: parameters.signatureSchemes.names)
        case .purposeNotAllowed:
            return .purposeNotAllowed(
                reference, wanted: parameters.keyPurposes.names,
                allowed: certificate.purposeNames)
        }
    }

    /// Whether no instant lies in the validity period, widened by the clock skew at both ends.
    private func isNeverValid(_ layout: CertificateLayout) -> Bool {
        layout.notAfter.advanced(bySeconds: parameters.clockSkew)
            < layout.notBefore.advanced(bySeconds: -parameters.clockSkew)
    }

    /// Dotted identifier of the critical extension that nothing processes.
    private func unprocessed(_ certificate: Certificate) -> String {
        if let unknown = certificate.unknownCriticalExtension { return unknown }
        return "2.5.29.18"
    }

    // MARK: Checks of the whole path

    /// Section 6.1.3(a)(1), from the anchor downwards so that nothing is spent below a bad one.
    private func signatures(
        _ path: CandidatePath, _ ledger: inout SignatureLedger, _ budget: inout WorkBudget
    ) -> [PathViolation] {
        for position in stride(from: path.count - 2, through: 0, by: -1) {
            let signer = path.certificate(at: position + 1, in: pool)
            let inheriting = signer.inheritingParameters(
                from: (position + 2..<max(position + 2, path.count)).lazy.map { [pool] in
                    path.certificate(at: $0, in: pool)
                })
            let outcome: SignatureOutcome?
            if let inheriting {
                // A key inherits its parameters from this path, and its digest does not cover them.
                // So its outcomes must not serve another path: this ledger remembers nothing.
                var own = SignatureLedger()
                outcome = verify(position, of: path, under: inheriting, &own, &budget)
            } else {
                outcome = verify(position, of: path, under: signer, &ledger, &budget)
            }
            if outcome == .valid { continue }
            let subject = path.reference(at: position, in: pool)
            let issuer = path.reference(at: position + 1, in: pool)
            switch outcome {
            case .valid: continue
            case .invalid: return [badSignature(position, of: path, under: signer)]
            case .unsupported:
                // A backend may call a signature unsupported that fits no key of this type. Anybody
                // can make one, so it must not read as a lack of the engine.
                return [
                    algorithm(of: path, at: position).isOfAnotherKind(than: signer.layout.publicKey)
                        ? badSignature(position, of: path, under: signer)
                        : .unsupportedSignature(subject, issuer: issuer)
                ]
            case nil: return [.budgetExhausted(limit: budget.limit)]
            }
        }
        return []
    }

    private func algorithm(of path: CandidatePath, at position: Int) -> SignatureAlgorithm {
        path.certificate(at: position, in: pool).layout.signatureAlgorithm
    }

    /// The violation of a signature that does not verify, with both kinds where the key is of a
    /// type that makes no such signatures.
    private func badSignature(
        _ position: Int, of path: CandidatePath, under signer: Certificate
    ) -> PathViolation {
        let algorithm = algorithm(of: path, at: position)
        let key = signer.layout.publicKey
        let isOfAnotherKind = algorithm.isOfAnotherKind(than: key)
        return .badSignature(
            path.reference(at: position, in: pool),
            issuer: path.reference(at: position + 1, in: pool),
            keyType: isOfAnotherKind ? key.type?.name : nil,
            signatureKind: isOfAnotherKind ? SignatureKind(algorithm)?.rawValue : nil)
    }

    private func verify(
        _ position: Int, of path: CandidatePath, under signer: Certificate,
        _ ledger: inout SignatureLedger, _ budget: inout WorkBudget
    ) -> SignatureOutcome? {
        ledger.verify(
            path.certificate(at: position, in: pool),
            identity: pool.identity(path.member(at: position)), under: signer,
            identity: pool.identity(path.member(at: position + 1)),
            names: path.endsAtAnchor ? path.signatureNames(at: position, in: pool) : nil,
            crypto: crypto, budget: &budget)
    }

    /// `path.maximum-intermediates`. Where a dead end is past the limit, its missing anchor says
    /// so.
    private func pathLimit(_ path: CandidatePath) -> [PathViolation] {
        let intermediates = path.intermediateCount
        guard intermediates > parameters.maximumIntermediates, path.end != .deadEnd else {
            return []
        }
        return [
            .tooManyIntermediates(limit: parameters.maximumIntermediates, actual: intermediates)
        ]
    }

    /// One demanded purpose must be allowed by every certificate of the path. Where the standard is
    /// `web-pki` the end entity must name it; elsewhere an absent extension and
    /// anyExtendedKeyUsage allow everything.
    private func extendedKeyUsage(_ path: CandidatePath) -> [PathViolation] {
        guard !parameters.keyPurposes.isEmpty else { return [] }
        // The position at which the last purpose is refused that lasts longest.
        var refusal = 0
        let isAllowed = parameters.keyPurposes.contains { purpose in
            for position in 0..<path.count where !ignores(.keyPurposes, path, position) {
                let certificate = path.certificate(at: position, in: pool)
                let mustName = position == 0 && standardOf(path) == .webPKI
                guard
                    mustName
                        ? certificate.names(purpose: purpose) : certificate.allows(purpose: purpose)
                else {
                    refusal = max(refusal, position)
                    return false
                }
            }
            return true
        }
        if isAllowed { return [] }
        let endEntity = path.certificate(at: 0, in: pool)
        if refusal == 0, parameters.keyPurposes.contains(where: { endEntity.allows(purpose: $0) }) {
            return [
                .purposeNotNamed(
                    path.reference(at: 0, in: pool), wanted: parameters.keyPurposes.names,
                    named: endEntity.purposeNames)
            ]
        }
        return [
            violation(
                .purposeNotAllowed, path.certificate(at: refusal, in: pool), refusal, path)
        ]
    }

    /// Section 6.1.3(b), (c) and 6.1.4(g): each constraint of an issuer binds every certificate
    /// below it but self-issued intermediates, which is the running intersection and union of the
    /// RFC without its state.
    private func nameConstraints(_ path: CandidatePath, _ budget: inout WorkBudget)
        -> [PathViolation]
    {
        for position in 1..<max(1, path.count) {
            let issuer = path.certificate(at: position, in: pool)
            guard issuer.layout.extensions.present.contains(.nameConstraints),
                !ignores(.nameConstraints, path, position)
            else { continue }
            for below in 0..<position {
                let certificate = path.certificate(at: below, in: pool)
                switch NameConstraints.check(
                    certificate, isEndEntity: below == 0, under: issuer, budget: &budget)
                {
                case .permitted: continue
                case .violated(let name, let subtree, let isExcluded):
                    return [
                        .nameNotPermitted(
                            path.reference(at: below, in: pool), name: name,
                            by: path.reference(at: position, in: pool),
                            subtree: subtree, isExcluded: isExcluded)
                    ]
                case .notEvaluated(let problem):
                    return [
                        .constraintNotEvaluated(
                            path.reference(at: below, in: pool),
                            by: path.reference(at: position, in: pool), constraint: "names",
                            problem: problem)
                    ]
                }
            }
        }
        return []
    }

    /// Section 6.1.3(d)-(f), 6.1.4(a), (b), (h)-(j), 6.1.5(a), (b), (g); what the anchor's
    /// certificate says binds too. Where neither the policy nor a certificate's own constraint asks
    /// for an explicit policy, a path needs no graph.
    private func certificatePolicies(
        _ path: CandidatePath, _ budget: inout WorkBudget
    ) -> [PathViolation] {
        var isConstrained = parameters.certificatePolicies.requiresExplicitPolicy
        for position in 0..<path.count where !ignores(.authority, path, position) {
            let present = path.certificate(at: position, in: pool).layout.extensions.present
            if present.contains(.policyConstraints) || present.contains(.policyMappings) {
                isConstrained = true
            }
        }
        guard isConstrained else { return [] }
        var certificates: [Certificate] = []
        for position in 0..<path.count where !ignores(.authority, path, position) {
            certificates.append(path.certificate(at: position, in: pool))
        }
        // An end entity that is its own anchor is judged as an end entity.
        let anchorIsLast =
            path.endsAtAnchor && path.count > 1 && certificates.count == path.count
        let anchor = anchorIsLast ? certificates.removeLast() : nil
        certificates.reverse()
        func reference(_ index: Int) -> CertificateReference {
            path.reference(at: certificates.count - 1 - index, in: pool)
        }
        func notEvaluated(_ index: Int, _ problem: String) -> [PathViolation] {
            [
                .constraintNotEvaluated(
                    path.reference(at: 0, in: pool), by: reference(index),
                    constraint: "certificate-policies", problem: problem)
            ]
        }
        let judgement = CertificatePolicyGraph.judge(
            path: certificates, anchor: anchor, inputs: parameters.certificatePolicies,
            budget: &budget)
        switch judgement.outcome {
        case .satisfied: return []
        case .unsatisfied(let index):
            let demandedBy: CertificateReference?
            switch judgement.demander {
            case .caller: demandedBy = nil
            case .certificate(let demander): demandedBy = reference(demander)
            case nil: return notEvaluated(index, "its policyMappings names anyPolicy")
            }
            let position = certificates.count - 1 - index
            return [
                .certificatePolicyNotSatisfied(
                    reference(index), wanted: parameters.certificatePolicies.names,
                    found: path.certificate(at: position, in: pool).certificatePolicyNames,
                    demandedBy: demandedBy)
            ]
        case .notEvaluated(let index, let problem): return notEvaluated(index, problem)
        }
    }

    /// The end entity's notAfter less its notBefore (LANGUAGE section 8).
    private func lifetime(_ path: CandidatePath) -> [PathFailure] {
        let layout = path.certificate(at: 0, in: pool).layout
        let seconds =
            layout.notAfter.secondsSinceEpoch - layout.notBefore.secondsSinceEpoch
        guard let maximum = parameters.maximumLifetime, seconds > maximum else { return [] }
        return [
            PathFailure(
                violation: .lifetimeTooLong(
                    path.reference(at: 0, in: pool), seconds: seconds, maximum: maximum),
                excuse: parameters.leniency.lifetimeExcuse)
        ]
    }

    /// The latest notBefore and the earliest notAfter of a path's certificates, without an anchor's
    /// that are ignored; nil where nothing is left.
    package func narrowestValidity(
        of path: CandidatePath
    ) -> (notBefore: UTCInstant, notAfter: UTCInstant)? {
        var period: (notBefore: UTCInstant, notAfter: UTCInstant)?
        for position in 0..<path.count {
            if ignores(.dates, path, position) { continue }
            let layout = path.certificate(at: position, in: pool).layout
            period = (
                max(period?.notBefore ?? layout.notBefore, layout.notBefore),
                min(period?.notAfter ?? layout.notAfter, layout.notAfter)
            )
        }
        return period
    }

    func standardOf(_ path: CandidatePath) -> Standard {
        path.anchor.map { pool.anchors.anchors[$0].standard } ?? .rfc5280
    }
}

/// A failure of a check on a path.
package struct PathFailure: Hashable, Sendable {
    package let violation: PathViolation
    /// Why the failure does not reject; nil when it does.
    package let excuse: Leniency.Excuse?

    package init(violation: PathViolation, excuse: Leniency.Excuse?) {
        self.violation = violation
        self.excuse = excuse
    }

    /// Failures that nothing excuses.
    package static func all(_ violations: [PathViolation]) -> [PathFailure] {
        if violations.isEmpty { return [] }
        return violations.map { PathFailure(violation: $0, excuse: nil) }
    }
}

extension KeyPurposes {
    /// Names as in RFC 5280, or dotted identifiers.
    package var names: [String] {
        var names: [String] = []
        if serverAuth { names.append("serverAuth") }
        if clientAuth { names.append("clientAuth") }
        return names + others.map { ObjectIdentifier.text(of: $0.span) }
    }
}
