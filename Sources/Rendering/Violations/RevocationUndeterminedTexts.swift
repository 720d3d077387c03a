import TrustEngine

/// The sources that the certificate names and that the rule asks, and the evidence that was
/// supplied instead. `EvidenceFault` has the texts about a fault of the evidence itself.
///
/// One file because the sides and the advice must not contradict each other.
extension RevocationUndeterminedTexts {
    private var name: String { Words.name(certificate) }

    /// The answer that does not count and makes the cause.
    private var unusable: RevocationAnswer? {
        EvidenceSentences.unusable(answers, for: cause)
    }

    var headline: String { headline(nil) }

    func headline(_ situation: Situation) -> String { headline(.some(situation)) }

    /// Why the status is not known. Nil for `situation` where only the violation is at hand.
    private func headline(_ situation: Situation?) -> String {
        let id = isAboutTrust ? "counts as `\(cause.name)`" : "`\(cause.name)`"
        return "whether \(name) is revoked is not known (\(id)): \(reason(situation))"
    }

    private func reason(_ situation: Situation?) -> String {
        if let answer = unusable {
            return clause(answer, situation?.facts)
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
    private func clause(_ answer: RevocationAnswer, _ facts: RequestFacts?) -> String {
        let fault = facts.map { EvidenceFault(certificate, answer, $0) }
        let publisher = fault?.listIssuer.map { " of \($0)" } ?? ""
        return EvidenceSentences.name(answer) + publisher + " "
            + EvidenceSentences.clause(answer) + (fault?.stapleClause.map { ": \($0)" } ?? "")
    }

    /// Whether evidence does not count because of who signed it. The cause's name speaks of
    /// something else then.
    private var isAboutTrust: Bool {
        guard let answer = unusable,
            case .unusable(let problem) = answer.finding
        else { return false }
        switch problem {
        case .signerNotFound, .signerNotAllowed: return true
        case .unreadable, .unknownCriticalExtension, .algorithmMismatch, .algorithmNotAllowed,
            .badSignature, .notYetValid, .notYetProduced, .expired, .tooOld, .otherCertificate,
            .otherScope, .someReasonsOnly, .baseMissing, .unknownToResponder, .contradicted,
            .responderError, .noFilterCovers, .issuerNotEnrolled, .expiredBeforeFilter,
            .filtersRefused, .filtersMissing:
            return false
        }
    }

    func forEndUser(_ situation: Situation) -> String {
        "whether \(Words.bearer(certificate, situation.host)) was revoked is not known"
    }

    // MARK: The question and named

    /// The sources that the rule asks, as a clause: "rule `svc` asks `ocsp` alone".
    private func asks(_ situation: Situation) -> String? {
        let asked = situation.facts.askedSources.map { "`\($0.name)`" }
        guard let last = asked.last else { return nil }
        return asked.count == 1
            ? "\(situation.rule) asks only `\(situation.facts.askedSources[0].name)`"
            : "\(situation.rule) asks only " + asked.dropLast().joined(separator: ", ")
                + " and \(last)"
    }

    private func names(_ subject: RequestFacts.Subject) -> String {
        switch (subject.namedSources.contains(.crl), subject.namedSources.contains(.ocsp)) {
        case (true, true): return "a CRL and a responder"
        case (true, false): return "a CRL and no responder"
        case (false, true): return "a responder and no CRL"
        case (false, false): return "no source"
        }
    }

    /// What the supplied evidence is about, where none of it is about a certificate.
    private func others(
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
            clauses.append(
                Cut.more(unread, after: " \(unread == 1 ? "says" : "say") of no certificate"))
        }
        return clauses
    }

    private func were(_ count: Int) -> String { count == 1 ? "was" : "were" }

    private func unique(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }
    }

    // MARK: Whose side it is

    /// A source that would have an answer and that the rule does not ask: one whose evidence says
    /// that the certificate is good, or one that the certificate names. Nil where the rule asks
    /// what there is.
    private func unasked(_ facts: RequestFacts) -> RevocationSource? {
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

    func readings(_ situation: Situation) -> [SideReading] {
        let facts = situation.facts
        let thief = "whoever holds a stolen key can keep the evidence away"
        if let source = unasked(facts) {
            return [
                .init(
                    .policy,
                    "the rule does not ask for \(EvidenceSentences.one(source)), which there is"),
                .init(.server, "its issuer offers nothing that the rule asks"),
            ]
        }
        if let answer = unusable,
            let readings = EvidenceFault(certificate, answer, facts).readings
        {
            return readings
        }
        switch cause {
        case .unreachable where isOfOthers(facts):
            return [
                declared("no evidence about it was at hand; \(thief)"),
                .init(.thisMachine, "what was handed over is about other certificates"),
            ]
        case .unreachable where EvidenceFault.useful(certificate, facts) == [.stapled]:
            return [
                .init(.server, "it staples no OCSP response, and the rule asks for nothing else"),
                .impostor("whoever holds a stolen key leaves it out"),
            ]
        case .unreachable, .stale, .malformed, .unknown, .notCovered, .notEnrolled:
            return [
                declared("no current evidence was at hand; \(thief)"),
                .init(.thisMachine, "none was handed over"),
            ]
        case .noEndpoint:
            return [
                .init(.server, "its issuer names no place where evidence is published"),
                declared("evidence that is published elsewhere was not handed over"),
            ]
        }
    }

    /// Whether evidence was supplied, and none of it is about a certificate.
    private func isOfOthers(_ facts: RequestFacts) -> Bool {
        answers.isEmpty && facts.supplied?.isEmpty == false
            && facts.subjects[certificate.fingerprint] != nil
    }

    // MARK: What to do

    func repairs(_ reject: Reject) -> [Repair] {
        // Evidence, or a report mode, leaves the missing staple.
        guard
            reject.facts.subjects[certificate.fingerprint]?.lacksResponderForStaple != true
                || !reject.violations.contains(where: { $0.kind == .stapleMissing })
        else { return [] }
        let violation = Violation(
            .revocationUndetermined(certificate, cause: cause, answers: answers))
        let question = Repair(
            "ask the authority of \(name) whether it is revoked: whoever holds a stolen key can "
                + "keep the evidence away",
            brief: "ask the authority of \(name) whether it is revoked", kind: .question)
        return (reject.untilThen(violation, change(reject)).isEmpty ? [] : [question])
            + repairs(
                reject.facts, ruleName: reject.ruleName, place: reject.demandPlace(.revocation))
    }

    /// The advice without the question and without changes that let more pass.
    func repairs(_ facts: RequestFacts, ruleName: String, place: String?) -> [Repair] {
        if let source = unasked(facts) {
            let list = (facts.askedSources + [source]).map(\.name).joined(separator: ", ")
            let have =
                answers.contains { $0.source == source }
                ? "" : ", and hand over each \(EvidenceSentences.noun(source))"
            return [
                Repair(
                    "let `revocation.sources` of \(ruleName)\(place.map { ", \($0)," } ?? "") be "
                        + "`[\(list)]`\(have); then \(EvidenceSentences.one(source)) counts too, "
                        + "for every host of the rule", kind: .change)
            ]
        }
        if let answer = unusable {
            return EvidenceFault(certificate, answer, facts).repairs(ruleName: ruleName)
        }
        switch cause {
        case .noEndpoint:
            let useful = EvidenceFault.useful(certificate, facts)
            let places =
                (useful.contains(.crl) ? ["a CRL"] : [])
                + (useful == [.crl] ? [] : ["a responder"])
            return [
                Repair("have \(name) issued so that it names \(places.joined(separator: " or "))")
            ]
        case .unreachable, .stale, .unknown, .malformed, .notCovered, .notEnrolled:
            let useful = EvidenceFault.useful(certificate, facts)
            let nouns = EvidenceFault.nouns(useful)
            guard !nouns.isEmpty else {
                return [
                    Repair("have the server staple a current OCSP response about \(name)")
                ]
            }
            let subject = facts.subjects[certificate.fingerprint]
            let issuer = subject.map { " of `\(Words.shortSubject($0.issuer))`" } ?? ""
            let of = isOfOthers(facts) && useful.contains(.crl) ? issuer : ""
            return [
                Repair(
                    "hand over a current "
                        + nouns.replacing("CRL", with: "CRL\(of)") + " about \(name)")
            ]
        }
    }

    func change(_ reject: Reject) -> PolicyChange? {
        // A rule that asks a source which there is not asks another one, and stays a demand.
        if let source = unasked(reject.facts) { return asking(source, reject.facts) }
        // Evidence that nobody handed over shows nothing of the server: a service may have it.
        guard cause != .unreachable || !answers.isEmpty,
            !answers.contains(where: { $0.source == .stapled || $0.isFromTheFuture }),
            // Filters are this machine's: renewing them mends the verdict for every host.
            unusable?.source != .crlite,
            // A certificate that its authority does not know may be forged.
            !answers.contains(where: \.isUnknownToResponder)
        else { return nil }
        return PolicyChange(
            .reportOnly(.revocation), cost: "whoever holds a stolen key can keep the evidence away")
    }

    /// The change by which a rule asks one more source, whose evidence says that the certificate is
    /// not revoked. Nil while this evidence is not at hand.
    private func asking(_ source: RevocationSource, _ facts: RequestFacts) -> PolicyChange? {
        guard answers.contains(where: { $0.source == source && $0.finding == .good }) else {
            return nil
        }
        return PolicyChange(
            .revocationSources(facts.askedSources + [source]),
            cost:
                "its `sources` name `\(source.name)` too, and \(EvidenceSentences.one(source)) "
                + "that says `good` is enough then")
    }
}
