// OCSP responses (RFC 6960). As with CRLs, *revoked* counts after nextUpdate, and every other
// answer needs a current response. A response counts only when the issuer or a responder that the
// issuer delegated to has signed it. For *good* the response must also have been produced by now
// and say nothing else of the certificate.
extension RevocationJudge {
    /// The signer of a response.
    private enum Responder {
        /// The issuer itself, or a delegate whose certificate is valid now.
        case authorised
        /// A signer that counts when it says *revoked*, and in no other case, for this problem.
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
            // A response that names no certificate counts for the end entity when it is a staple,
            // and otherwise where the certificate names a responder.
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

    /// The answers of a response about the certificate, one for each single response about it. None
    /// of them is `good` when another one says something else.
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
        // A responder may name one certificate twice, by two hashes. A signer of contradicting
        // answers has made an error, and the milder answer must not be believed.
        let isContradictory = singles.contains { !isInKeepingWithGood($0) }
        return singles.map { single in
            let conclusion = conclusion(single, in: bytes, layout, responder)
            return RevocationAnswer(
                source: piece.source, digest: piece.digest, thisUpdate: single.thisUpdate,
                nextUpdate: single.nextUpdate,
                finding: conclusion == .good && isContradictory
                    ? .unusable(.contradicted) : conclusion)
        }
    }

    /// Whether a single response does not contradict a `good` about the same certificate in the
    /// same response. A `good` of any time does not contradict it, and a suspension that has ended
    /// does not. `revoked` and `unknown` of any time contradict it. So does a single response with
    /// an unknown critical extension, because its meaning is not known.
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

    private func conclusion(
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
            // A suspension ends with the window of the response.
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

    /// Section 4.1.1: compares the serial number and the hashes of the issuer's name and key.
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
        let issuer = subject.issuer
        // Hashing takes a microsecond a kilobyte.
        try budget.take(
            2
                + Int(certificate.layout.issuer.count + issuer.layout.publicKey.spki.count)
                / 1_024)
        return isHash(
            bytes.span.extracting(name.issuerName.indices), hash,
            of: certificate.der.span.extracting(certificate.layout.issuer.indices))
            && issuer.keyBitsOfAnyEncoding { key in
                isHash(bytes.span.extracting(name.issuerKey.indices), hash, of: key)
            }
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

    /// Section 4.2.2.2: the issuer, or a certificate that the issuer itself issued for OCSP
    /// signing.
    private mutating func responder(
        _ index: Int, _ evidence: PreparedEvidence, _ prepared: PreparedResponse,
        _ layout: OCSPResponseLayout, _ subject: RevocationSubject, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> Responder {
        if let problem = problem(with: layout.signatureAlgorithm) { return .none(problem) }
        let shortfall = shortfall(of: layout.signatureAlgorithm)
        let bytes = prepared.response.der
        let issuer = subject.issuer
        var problem = EvidenceProblem.signerNotFound
        if try layout.responder.names(issuer, in: bytes.span, crypto: crypto, budget: &budget) {
            if try verify(index, evidence, under: issuer, budget: &budget) {
                if let limit = subject.limitOfIssuer {
                    return .revokesOnly(.signerNotAllowed(limit))
                }
                return shortfall.map { .revokesOnly($0) } ?? .authorised
            }
            problem = .badSignature
        }
        for (number, delegate) in prepared.certificates.enumerated()
        where try layout.responder.names(
            delegate, in: bytes.span, crypto: crypto, budget: &budget)
        {
            guard !delegate.hasKey(of: issuer) else { continue }
            if let obstacle = try obstacle(
                to: delegate, number, index, evidence, producedAt: layout.producedAt, subject,
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
            if let limit = subject.limit(ofDelegate: delegate) {
                return .revokesOnly(.signerNotAllowed(limit))
            }
            return meetsFloors(delegate, parameters)
                ? .authorised : .revokesOnly(.signerNotAllowed(.notDelegated))
        }
        return .none(problem)
    }

    /// Why a certificate is not the issuer's delegate; nil when it is. A delegate is issued by the
    /// issuer's name and key and names OCSP signing; anyExtendedKeyUsage is not enough. It has no
    /// unknown critical extension and is not below the rule's floors. It was valid when it signed
    /// or is valid now. CRLs that the issuer signed do not list it.
    ///
    /// id-pkix-ocsp-nocheck (section 4.2.2.2.1) exempts a delegate from the search for its status.
    /// Without that extension no further evidence is fetched either: the supplied evidence is all
    /// there is, and missing evidence says nothing. A delegate that is known to be revoked counts
    /// in neither case.
    private mutating func obstacle(
        to delegate: Certificate, _ number: Int, _ index: Int, _ evidence: PreparedEvidence,
        producedAt: UTCInstant, _ subject: RevocationSubject, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> EvidenceProblem.SignerProblem? {
        let issuer = subject.issuer
        let extensions = delegate.layout.extensions
        guard delegate.isIssued(byNameOf: issuer, budget: &budget),
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
                index, evidence, .certificate(number), under: issuer, budget: &budget)
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
    /// Whether the response names a certificate's key as its signer (RFC 6960 section 4.2.2.3).
    /// Only names are compared; no signature is verified. `bytes` are the response's octets. Cost:
    /// as for comparing long names (`NameComparison`), or one unit for each kilobyte of a key.
    func names(
        _ certificate: Certificate, in bytes: Span<UInt8>, crypto: some CryptoBackend,
        budget: inout WorkBudget
    ) throws(WorkExhausted) -> Bool {
        let der = certificate.der.span
        switch self {
        case .name(let name):
            return try DistinguishedName.isEqual(
                bytes.extracting(name.indices),
                der.extracting(certificate.layout.subject.indices), budget: &budget)
        case .keyHash(let hash):
            try budget.take(Int(certificate.layout.publicKey.spki.count) / 1_024)
            return certificate.keyBitsOfAnyEncoding { key in
                crypto.identifierSHA1(of: key)?.isEqual(to: bytes.extracting(hash.indices)) ?? false
            }
        }
    }
}

extension Certificate {
    /// The content of the subjectPublicKey BIT STRING without its count of unused bits. OCSP names
    /// a key by the hash of these octets (RFC 6960 section 4.1.1).
    package var keyBits: ByteRange {
        var reader = DERReader(layout.publicKey.spki)
        guard var fields = try? reader.next(.sequence, in: der.span).reader,
            (try? fields.next(.sequence, in: der.span)) != nil,
            let bits = try? fields.next(.bitString, in: der.span), bits.count > 0
        else { return ByteRange(start: 0, count: 0) }
        return ByteRange(start: bits.contentStart + 1, count: bits.count - 1)
    }

    /// Whether `isWanted` holds for `keyBits`, or, for a point that is compressed in the
    /// certificate, for the bits of its canonical encoding: a responder hashes the key as its own
    /// certificate encodes it.
    func keyBitsOfAnyEncoding(_ isWanted: (Span<UInt8>) -> Bool) -> Bool {
        if isWanted(der.span.extracting(keyBits.indices)) { return true }
        guard case .ec(_, let point) = layout.publicKey.material, let canonicalSPKI else {
            return false
        }
        let octets = 2 * Int(point.count) - 1
        return isWanted(
            canonicalSPKI.span.extracting(canonicalSPKI.count - octets..<canonicalSPKI.count))
    }

    /// Whether authorityInfoAccess names an OCSP responder.
    package var hasResponder: Bool {
        let der = der
        var reader = AccessLocationReader(layout.extensions.authorityInfoAccess)
        while let entry = reader.next(in: der.span) {
            if entry.method == ObjectIdentifier.accessMethodOCSP { return true }
        }
        return false
    }
}

/// Walks the entries of authorityInfoAccess in their order (RFC 5280 section 4.2.2.1).
struct AccessLocationReader: BitwiseCopyable {
    private var reader: DERReader

    /// Begins a walk over the content of the extension's SEQUENCE.
    init(_ content: ByteRange) { reader = DERReader(content) }

    /// The code of the next entry's access method, and its location; nil at the end. No parsed
    /// certificate contains octets that end the walk before.
    mutating func next(in bytes: Span<UInt8>) -> (method: UInt128, location: GeneralName)? {
        guard !reader.isAtEnd,
            var fields = (try? reader.next(.sequence, in: bytes))?.reader,
            let method = try? fields.next(.objectIdentifier, in: bytes),
            let location = try? GeneralName(fields.next(in: bytes), in: bytes)
        else { return nil }
        return (ObjectIdentifier.code(method.content, in: bytes), location)
    }
}
