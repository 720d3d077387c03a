import TrustEngine

/// The words for a certificate whose revocation status is not known: the sources that it names and
/// that the rule asks, and the evidence that was supplied instead.
enum RevocationSentences {
    /// Why the status is not known. Nil for `situation` where only the violation is at hand.
    static func headline(
        _ certificate: CertificateReference, _ cause: RevocationCause,
        _ answers: [RevocationAnswer], _ situation: Situation?
    ) -> String {
        let id = isAboutTrust(cause, answers) ? "counts as `\(cause.name)`" : "`\(cause.name)`"
        return "whether \(Words.name(certificate)) is revoked is not known (\(id)): "
            + reason(certificate, cause, answers, situation)
    }

    private static func reason(
        _ certificate: CertificateReference, _ cause: RevocationCause,
        _ answers: [RevocationAnswer], _ situation: Situation?
    ) -> String {
        if let answer = EvidenceSentences.unusable(answers, for: cause) {
            return clause(answer, about: certificate, situation?.facts)
        }
        let subject = situation?.facts.subjects[certificate.fingerprint]
        let asked = situation.flatMap { asks($0) }
        var clauses: [String] = []
        switch (cause, subject, asked) {
        case (.noEndpoint, let subject?, let asked?) where !subject.namedSources.isEmpty:
            clauses.append("it names \(names(subject)), and \(asked)")
        case (.noEndpoint, _, _):
            clauses.append("it names no source")
        default:
            clauses.append("it names a source")
        }
        // An answer that is told here is of a source that the rule does not ask.
        if let answer = answers.first {
            clauses.append(
                "\(EvidenceSentences.name(answer)) \(EvidenceSentences.clause(answer)), and "
                    + "the rule asks for no \(EvidenceSentences.noun(answer.source))")
            return clauses.joined(separator: "; ")
        }
        let supplied = situation?.facts.supplied
        let lack = supplied?.isEmpty == true ? "no answer" : "no answer about it"
        clauses[0] +=
            clauses[0].contains(", and ") ? "; \(lack) was supplied" : ", and \(lack) was supplied"
        if let subject, let supplied { clauses += others(supplied, than: subject) }
        return clauses.joined(separator: "; ")
    }

    /// The words about an answer, with further facts about the evidence: who publishes a CRL, and
    /// which certificate a staple is about.
    static func clause(
        _ answer: RevocationAnswer, about certificate: CertificateReference, _ facts: RequestFacts?
    ) -> String {
        let fault = facts.map { EvidenceFault(certificate, answer, $0) }
        let publisher = fault?.listIssuer.map { " of \($0)" } ?? ""
        return EvidenceSentences.name(answer) + publisher + " "
            + EvidenceSentences.clause(answer) + (fault?.stapleClause.map { ": \($0)" } ?? "")
    }

    /// Whether evidence does not count because of who signed it. The cause's name speaks of
    /// something else then.
    private static func isAboutTrust(
        _ cause: RevocationCause, _ answers: [RevocationAnswer]
    ) -> Bool {
        guard let answer = EvidenceSentences.unusable(answers, for: cause),
            case .unusable(let problem) = answer.finding
        else { return false }
        switch problem {
        case .signerNotFound, .signerNotAllowed: return true
        case .unreadable, .unknownCriticalExtension, .algorithmMismatch, .algorithmNotAllowed,
            .badSignature, .notYetValid, .notYetProduced, .expired, .tooOld, .otherCertificate,
            .otherScope, .someReasonsOnly, .baseMissing, .unknownToResponder, .contradicted,
            .responderError:
            return false
        }
    }

    // MARK: Sources and addresses

    /// The sources that the rule asks, as a clause: "rule `svc` asks `ocsp` alone".
    private static func asks(_ situation: Situation) -> String? {
        let asked = situation.facts.askedSources.map { "`\($0.name)`" }
        guard let last = asked.last else { return nil }
        return asked.count == 1
            ? "\(situation.rule) asks only `\(situation.facts.askedSources[0].name)`"
            : "\(situation.rule) asks only " + asked.dropLast().joined(separator: ", ")
                + " and \(last)"
    }

    private static func names(_ subject: RequestFacts.Subject) -> String {
        switch (subject.namedSources.contains(.crl), subject.namedSources.contains(.ocsp)) {
        case (true, true): return "a CRL and a responder"
        case (true, false): return "a CRL and no responder"
        case (false, true): return "a responder and no CRL"
        case (false, false): return "no source"
        }
    }

    /// What the supplied evidence is about, where none of it is about a certificate.
    private static func others(
        _ supplied: [RequestFacts.Supplied], than subject: RequestFacts.Subject
    ) -> [String] {
        var issuers: [String] = []
        var serials: [String] = []
        var unread = 0
        for piece in supplied {
            switch piece.about {
            case .list(let issuer): issuers.append(Words.shortSubject(issuer))
            case .serials(let some): serials += some.prefix(1)
            case .error, .unread: unread += 1
            }
        }
        var clauses: [String] = []
        if !issuers.isEmpty {
            let own = Words.shortSubject(subject.issuer)
            clauses.append(
                "\(Words.count(issuers.count, "CRL")) \(were(issuers.count)) supplied, "
                    + "of \(Words.list(unique(issuers)))"
                    + (issuers.contains(own)
                        ? ", and none is of the `\(own)` that issued it"
                        : "; none is of `\(own)`"))
        }
        if !serials.isEmpty {
            clauses.append(
                "\(Words.count(serials.count, "OCSP response")) \(were(serials.count)) "
                    + "supplied, about "
                    + (serials.contains(subject.serial)
                        ? "its serial number `\(subject.serial)`, but of another issuer"
                        : "serial number \(Words.list(unique(serials))); none is about "
                            + "`\(subject.serial)`"))
        }
        if unread > 0 {
            clauses.append("\(unread) more \(unread == 1 ? "says" : "say") of no certificate")
        }
        return clauses
    }

    private static func were(_ count: Int) -> String { count == 1 ? "was" : "were" }

    private static func unique(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }
    }

    // MARK: Whose side it is

    /// A source that would have an answer and that the rule does not ask: one whose evidence says
    /// that the certificate is good, or one that the certificate names. Nil where the rule asks
    /// what there is.
    static func unasked(
        _ certificate: CertificateReference, _ cause: RevocationCause,
        _ answers: [RevocationAnswer], _ facts: RequestFacts
    ) -> RevocationSource? {
        let asked = facts.askedSources
        guard !asked.isEmpty else { return nil }
        // A staple is what the peer itself hands over, which never leads to a change.
        let good = answers.first {
            $0.finding == .good && $0.source != .stapled && !asked.contains($0.source)
        }
        if let good { return good.source }
        guard cause == .noEndpoint else { return nil }
        return facts.subjects[certificate.fingerprint]?.namedSources.first {
            !asked.contains($0)
        }
    }

    /// What to do where no staple came that the certificate demands.
    static func stapleRepairs(
        _ certificate: CertificateReference, _ answers: [RevocationAnswer], _ facts: RequestFacts
    ) -> [Repair] {
        let name = Words.name(certificate)
        guard facts.subjects[certificate.fingerprint]?.lacksResponderForStaple == true else {
            let staple = answers.first { $0.source == .stapled }
            return [
                staple.flatMap { EvidenceFault(certificate, $0, facts).cacheRepair }
                    ?? Repair("have the server staple a current OCSP response to its handshake")
            ]
        }
        return [
            Repair(
                "have \(name) issued anew, with a responder or without the demand for a staple: it "
                    + "names no responder, so the server has nowhere to get one")
        ]
    }
}
