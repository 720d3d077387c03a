// OCSP responses (RFC 6960). As with CRLs, *revoked* holds past nextUpdate, everything else needs a
// current response; but nothing counts that the issuer, or a responder it delegated to, did not sign.
// *Good* needs besides that the response was produced by now and says nothing else of the certificate.
extension RevocationJudge {
    /// Who signed a response.
    private enum Responder {
        /// The issuer itself, or a delegate whose certificate is valid now.
        case authorised
        /// One whose word that a certificate is revoked counts, and nothing else that it says.
        case revokesOnly(EvidenceProblem)
        case none(EvidenceProblem)
    }

    mutating func responseAnswers(
        about subject: RevocationSubject, budget: inout WorkBudget
    ) throws(WorkExhausted) -> [RevocationAnswer] {
        var answers: [RevocationAnswer] = []
        for (index, piece) in evidence.pieces.enumerated() where piece.source != .crl {
            func answer(_ problem: EvidenceProblem) -> RevocationAnswer {
                RevocationAnswer(
                    source: piece.source, digest: piece.digest, thisUpdate: nil, nextUpdate: nil,
                    finding: .unusable(problem))
            }
            // What names no certificate counts for the one that the staple speaks of, and elsewhere
            // where a response was to be had.
            let isExpected =
                piece.source == .stapled
                ? subject.isEndEntity : subject.certificate.hasResponder
            switch piece.content {
            case .unreadable(let error):
                if isExpected { answers.append(answer(.unreadable(error))) }
            case .prepared(let evidence):
                guard case .response(let prepared) = evidence.content else { continue }
                switch prepared.response.contents {
                case .error(let status):
                    if isExpected { answers.append(answer(.responderError(status))) }
                case .basic(let layout):
                    let found = try read(
                        index, piece, evidence, prepared, layout, subject, &budget)
                    if found.isEmpty, piece.source == .stapled, subject.isEndEntity {
                        answers.append(answer(.otherCertificate))
                    }
                    answers += found
                }
            }
        }
        return answers
    }

    /// What a response says of the certificate: one answer for each single response about it, and none
    /// of them `good` where another of them says something else.
    private mutating func read(
        _ index: Int, _ piece: RevocationEvidence.Piece, _ evidence: PreparedEvidence,
        _ prepared: PreparedResponse, _ layout: OCSPResponseLayout, _ subject: RevocationSubject,
        _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> [RevocationAnswer] {
        try budget.take(1 + Int(layout.responses.count) / 1_024)
        let bytes = prepared.response.der
        var singles: [OCSPSingleResponse] = []
        var reader = prepared.response.singleResponses(layout)
        while let single = reader.next(in: bytes.span) {
            if try isNamed(single.certificate, in: bytes, subject, &budget) {
                singles.append(single)
            }
        }
        guard !singles.isEmpty else { return [] }
        let responder = try responder(index, evidence, prepared, layout, subject, &budget)
        // A responder may name one certificate twice, by two kinds of hash. Who signs contradicting words
        // has a fault somewhere, and the kinder word must not be what is believed.
        let isContradictory = singles.contains { !isInKeepingWithGood($0) }
        return singles.map { single in
            let finding = finding(single, in: bytes, layout, responder)
            return RevocationAnswer(
                source: piece.source, digest: piece.digest, thisUpdate: single.thisUpdate,
                nextUpdate: single.nextUpdate,
                finding: finding == .good && isContradictory
                    ? .unusable(.contradicted) : finding)
        }
    }

    /// Whether what a response says of a certificate lets the same response say `good` of it elsewhere:
    /// `good` of any time does, and a suspension that has ended. Not so `revoked` and `unknown` of any
    /// time, nor what has a critical extension that nobody here knows, whose meaning is not known.
    private func isInKeepingWithGood(_ single: OCSPSingleResponse) -> Bool {
        guard single.unknownCritical.isEmpty else { return false }
        switch single.status {
        case .good: return true
        case .unknown: return false
        case .revoked(let reason, _):
            return reason == .certificateHold
                && window.problem(
                    thisUpdate: single.thisUpdate, nextUpdate: single.nextUpdate) == .expired
        }
    }

    private func finding(
        _ single: OCSPSingleResponse, in bytes: [UInt8], _ layout: OCSPResponseLayout,
        _ responder: Responder
    ) -> RevocationAnswer.Finding {
        for identifier in [layout.unknownCritical, single.unknownCritical]
        where !identifier.isEmpty {
            return .unusable(
                .unknownCriticalExtension(
                    ObjectIdentifier.text(of: bytes.span.extracting(identifier.indices))))
        }
        if case .none(let problem) = responder { return .unusable(problem) }
        guard window.hasBegun(single.thisUpdate) else { return .unusable(.notYetValid) }
        switch (single.status, responder) {
        case (.revoked(let reason, let date), _):
            // A suspension ends with the window.
            if reason == .certificateHold,
                let problem = window.problem(
                    thisUpdate: single.thisUpdate, nextUpdate: single.nextUpdate)
            {
                return .unusable(problem)
            }
            return .revoked(reason, at: date)
        case (_, .revokesOnly(let problem)), (_, .none(let problem)): return .unusable(problem)
        case (.good, .authorised):
            guard window.hasBegun(layout.producedAt) else {
                return .unusable(.notYetProduced(layout.producedAt))
            }
            let problem = window.staleness(
                thisUpdate: single.thisUpdate, nextUpdate: single.nextUpdate)
            return problem.map { .unusable($0) } ?? .good
        case (.unknown, .authorised): return .unusable(.unknownToResponder)
        }
    }

    // MARK: Which certificate

    /// Section 4.1.1: serial number, and hashes of the issuer's name and key.
    private func isNamed(
        _ name: OCSPCertificateID, in bytes: [UInt8], _ subject: RevocationSubject,
        _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> Bool {
        let certificate = subject.certificate
        guard
            bytes.span.extracting(name.serial.indices)
                .octetsEqual(certificate.der.span.extracting(certificate.layout.serial.indices)),
            let hash = name.hash
        else { return false }
        try budget.take(2)
        let issuer = subject.issuer
        return isHash(
            bytes.span.extracting(name.issuerName.indices), hash,
            of: certificate.der.span.extracting(certificate.layout.issuer.indices))
            && isHash(
                bytes.span.extracting(name.issuerKey.indices), hash,
                of: issuer.der.span.extracting(issuer.keyBits.indices))
    }

    private func isHash(
        _ octets: Span<UInt8>, _ hash: OCSPCertificateID.Hash, of message: Span<UInt8>
    ) -> Bool {
        switch hash {
        case .sha1: return crypto.identifierSHA1(of: message)?.isEqual(to: octets) ?? false
        case .sha2(let algorithm):
            return octets.octetsEqual(crypto.digest(algorithm, of: message).bytes)
        }
    }

    // MARK: Who signed

    /// Section 4.2.2.2: the issuer, or a certificate that the issuer itself issued for this purpose.
    private mutating func responder(
        _ index: Int, _ evidence: PreparedEvidence, _ prepared: PreparedResponse,
        _ layout: OCSPResponseLayout, _ subject: RevocationSubject, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> Responder {
        if let problem = problem(with: layout.signatureAlgorithm) { return .none(problem) }
        let shortfall = shortfall(of: layout.signatureAlgorithm)
        let bytes = prepared.response.der
        let issuer = subject.issuer
        var problem = EvidenceProblem.signerNotFound
        if layout.responder.names(issuer, in: bytes.span, crypto: crypto) {
            if try verify(index, evidence, under: issuer, budget: &budget) {
                return shortfall.map { .revokesOnly($0) } ?? .authorised
            }
            problem = .badSignature
        }
        for (place, delegate) in prepared.certificates.enumerated()
        where layout.responder.names(delegate, in: bytes.span, crypto: crypto) {
            guard delegate.spkiBytes != issuer.spkiBytes else { continue }
            if let obstacle = try obstacle(
                to: delegate, place, index, evidence, producedAt: layout.producedAt, subject,
                &budget)
            {
                problem = .signerNotAllowed(obstacle)
                continue
            }
            guard try verify(index, evidence, under: delegate, budget: &budget) else {
                problem = .badSignature
                continue
            }
            if let shortfall { return .revokesOnly(shortfall) }
            if !isValid(delegate, at: window.time) {
                return .revokesOnly(.signerNotAllowed(.notValid))
            }
            return meetsFloors(delegate, parameters)
                ? .authorised : .revokesOnly(.signerNotAllowed(.notDelegated))
        }
        return .none(problem)
    }

    /// What keeps a certificate from being the issuer's delegate: it is not issued by the issuer's name
    /// and key, does not name OCSP signing (anyExtendedKeyUsage is not enough), has a critical
    /// extension that is not known, is below the rule's floors, was valid neither when it signed nor
    /// now, or is on a CRL that the issuer signed.
    ///
    /// id-pkix-ocsp-nocheck (section 4.2.2.2.1) spares a delegate the search for its status. Without
    /// it no search is made either: what is at hand is all there is, and absence says nothing. A
    /// delegate that is known to be revoked counts in neither case.
    private mutating func obstacle(
        to delegate: Certificate, _ place: Int, _ index: Int, _ evidence: PreparedEvidence,
        producedAt: UTCInstant, _ subject: RevocationSubject, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> EvidenceProblem.SignerProblem? {
        let issuer = subject.issuer
        let extensions = delegate.layout.extensions
        guard delegate.isIssued(byNameOf: issuer),
            delegate.names(purpose: ObjectIdentifier.ocspSigning),
            !extensions.present.contains(.keyUsage)
                || extensions.keyUsage
                    & (KeyUsageBit.digitalSignature | KeyUsageBit.nonRepudiation) != 0,
            CertificateRules.criticalExtensions(delegate) == nil,
            CertificateRules.algorithmAgreement(delegate) == nil,
            meetsFloors(delegate, revoking)
        else { return .notDelegated }
        guard isValid(delegate, at: window.time) || isValid(delegate, at: producedAt) else {
            return .notValid
        }
        guard
            try verify(
                index, evidence, .certificate(place), under: issuer, budget: &budget)
        else { return .notDelegated }
        return try isListed(delegate, byIssuer: issuer, &budget) ? .revoked : nil
    }

    private func meetsFloors(_ certificate: Certificate, _ floors: PathParameters) -> Bool {
        CertificateRules.keyType(certificate, isEndEntity: false, floors) == nil
            && CertificateRules.keySize(certificate, floors) == nil
            && CertificateRules.signatureScheme(certificate, floors) == nil
            && CertificateRules.signatureHash(certificate, floors) == nil
    }

    private func isValid(_ certificate: Certificate, at time: UTCInstant) -> Bool {
        time >= certificate.notBefore.advanced(bySeconds: -window.clockSkew)
            && time <= certificate.notAfter.advanced(bySeconds: window.clockSkew)
    }
}

extension OCSPResponseLayout.Responder {
    /// Whether this says that a certificate's key signed (RFC 6960 section 4.2.2.3); the names only, no
    /// signature. `bytes` are the response's.
    func names(
        _ certificate: Certificate, in bytes: Span<UInt8>, crypto: some CryptoBackend
    ) -> Bool {
        let der = certificate.der.span
        switch self {
        case .name(let name):
            return DistinguishedName.isEqual(
                bytes.extracting(name.indices),
                der.extracting(certificate.layout.subject.indices))
        case .keyHash(let hash):
            return crypto.identifierSHA1(of: der.extracting(certificate.keyBits.indices))?
                .isEqual(to: bytes.extracting(hash.indices)) ?? false
        }
    }
}

extension Certificate {
    /// The content of the subjectPublicKey BIT STRING without its count of unused bits: what OCSP
    /// hashes to name a key (RFC 6960 section 4.1.1).
    package var keyBits: ByteRange {
        var reader = DERReader(layout.publicKey.spki)
        guard var fields = try? reader.next(.sequence, in: der.span).reader,
            (try? fields.next(.sequence, in: der.span)) != nil,
            let bits = try? fields.next(.bitString, in: der.span), bits.count > 0
        else { return ByteRange(start: 0, count: 0) }
        return ByteRange(start: bits.contentStart + 1, count: bits.count - 1)
    }

    /// Whether authorityInfoAccess names an OCSP responder.
    package var hasResponder: Bool {
        var isNamed = false
        forEachAccessLocation { method, _ in
            if method == ObjectIdentifier.accessMethodOCSP { isNamed = true }
        }
        return isNamed
    }

    /// Walks authorityInfoAccess: each access method's code and location (RFC 5280 section 4.2.2.1).
    package func forEachAccessLocation(_ body: (UInt128, GeneralName) -> Void) {
        var reader = DERReader(layout.extensions.authorityInfoAccess)
        while let description = try? reader.next(.sequence, in: der.span) {
            var fields = description.reader
            guard let method = try? fields.next(.objectIdentifier, in: der.span),
                let location = try? GeneralName(fields.next(in: der.span), in: der.span)
            else { return }
            body(ObjectIdentifier.code(method.content, in: der.span), location)
        }
    }
}
