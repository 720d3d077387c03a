import TrustEngine

/// A CRL or OCSP response that does not count for a certificate: who answers for that, and what
/// would mend it, from the evidence and the certificate themselves.
///
/// One file because the sides and the advice on one problem must not contradict each other.
struct EvidenceFault {
    let certificate: CertificateReference
    let answer: RevocationAnswer
    let facts: RequestFacts
    private let subject: RequestFacts.Subject?
    private let supplied: RequestFacts.Supplied?

    /// Gathers the known facts about the evidence that gave an answer about a certificate.
    init(
        _ certificate: CertificateReference, _ answer: RevocationAnswer, _ facts: RequestFacts
    ) {
        self.certificate = certificate
        self.answer = answer
        self.facts = facts
        subject = facts.subjects[certificate.fingerprint]
        supplied = facts.supplied?.first {
            $0.source == answer.source && $0.digest == answer.digest
        }
    }

    // MARK: Facts

    private var problem: EvidenceProblem? {
        if case .unusable(let problem) = answer.finding { return problem }
        return nil
    }

    private var name: String { Words.name(certificate) }

    /// The issuer of a CRL, which publishes it; nil for another kind of evidence, and where it is
    /// not known.
    var listIssuer: String? {
        guard answer.source == .crl, case .list(let issuer)? = supplied?.about else { return nil }
        return "`\(Words.shortSubject(issuer))`"
    }

    /// Who publishes evidence of this kind about the certificate, as the subject of a sentence.
    private var publisher: String {
        listIssuer ?? subject.map { "`\(Words.shortSubject($0.issuer))`" }
            ?? "its issuer"
    }

    /// The addresses at which the certificate says that evidence of this kind is.
    private var addresses: [String] {
        switch answer.source {
        case .crl: return subject?.addresses.lists ?? []
        case .ocsp, .stapled: return subject?.addresses.responders ?? []
        case .crlite: return []
        }
    }

    /// The addresses as the end of a clause: ": `http://…`".
    private var at: String {
        addresses.isEmpty ? "" : ": \(Words.list(Array(addresses.prefix(2))))"
    }

    /// Which certificate a staple is about, where that is not the certificate in question.
    var stapleClause: String? {
        guard problem == .otherCertificate, case .serials(let serials)? = supplied?.about,
            let subject, let serial = serials.first
        else { return nil }
        return serials.contains(subject.serial)
            ? "it has its serial number `\(subject.serial)`, and another issuer"
            : "serial number `\(serial)`, and this one has `\(subject.serial)`"
    }

    /// The nouns of the sources whose answer would be enough for the rule, without staples: "CRL or
    /// OCSP response".
    static func nouns(_ sources: [RevocationSource]) -> String {
        [RevocationSource.crl, .ocsp].filter(sources.contains).map(EvidenceSentences.noun)
            .joined(separator: " or ")
    }

    /// The sources of which one good answer would be enough; all where that is not known.
    static func useful(
        _ certificate: CertificateReference, _ facts: RequestFacts
    ) -> [RevocationSource] {
        if let proven = facts.usefulSources[certificate.fingerprint] { return proven }
        return facts.askedSources.isEmpty ? [.crl, .ocsp] : facts.askedSources
    }

    private var useful: [RevocationSource] { EvidenceFault.useful(certificate, facts) }

    // MARK: Whose side it is

    private static let thief = "whoever holds a stolen key can keep the evidence away"
    private static let clock = SideReading(
        .thisMachine, "its clock, or the time that was asked about, is wrong")

    /// The readings: one or two, of different sides. Nil where the answer counts.
    var readings: [SideReading]? {
        guard let problem else { return nil }
        if let ofFilters { return ofFilters.readings }
        let isStaple = answer.source == .stapled
        switch problem {
        case .unreadable:
            return isStaple
                ? cached("that cannot be read")
                : [
                    withheld("the evidence does not count"),
                    .init(
                        .thisMachine,
                        "the file that was handed over is not \(EvidenceSentences.one(answer.source))"
                    ),
                ]
        case .unknownCriticalExtension, .algorithmMismatch:
            return isStaple
                ? cached("that does not count")
                : [
                    withheld("the evidence does not count"),
                    .init(.server, "\(publisher) made it so that it does not count"),
                ]
        case .algorithmNotAllowed:
            return [
                .init(
                    .server, "\(publisher) signs it by an algorithm that the rule does not allow"),
                .init(.policy, "the rule's `signatures` allow less than \(publisher) uses"),
            ]
        case .badSignature:
            return isStaple
                ? cached("with a signature that does not verify")
                : [
                    withheld("the evidence was altered, or somebody else signed it"),
                    .init(.server, "\(publisher) signs with a key that the path does not have"),
                ]
        case .signerNotFound, .signerNotAllowed(.noPath):
            return [
                isStaple
                    ? .init(.server, "it staples a response of a signer whom nobody vouches for")
                    : withheld("the evidence does not count"),
                .init(.policy, "the rule trusts nobody who vouches for the signer"),
            ]
        case .signerNotAllowed:
            return isStaple
                ? cached("of a signer who may not vouch")
                : [
                    withheld("the evidence is of a signer who may not vouch"),
                    .init(.server, "\(publisher) lets somebody sign who may not"),
                ]
        case .notYetValid, .notYetProduced:
            return [
                EvidenceFault.clock,
                isStaple
                    ? .init(.server, "it staples a response that is dated ahead")
                    : .init(.server, "\(publisher) dates its evidence ahead"),
            ]
        case .expired: return isStaple ? cached("that has ended") : ended
        case .tooOld(let maximum): return isStaple ? oldStaple : old(maximum)
        case .otherCertificate: return cached("about another certificate")
        case .otherScope:
            return [
                withheld("no evidence speaks for this certificate"),
                .init(
                    .server, "its issuer issued the certificate and the CRL for different places"),
            ]
        case .someReasonsOnly:
            return [
                withheld("the CRLs for the other reasons were not at hand"),
                .init(.server, "\(publisher) publishes CRLs for some reasons only"),
            ]
        case .baseMissing:
            return [
                withheld("the complete CRL of \(publisher) was not at hand"),
                .init(.thisMachine, "only the delta CRL was handed over"),
            ]
        case .unknownToResponder:
            return [
                .impostor(
                    "the responder of \(publisher) does not know the certificate, and a forged one "
                        + "is not known to it either"),
                .init(.server, "its issuer has not told the responder of the certificate"),
            ]
        case .contradicted:
            return isStaple
                ? cached("that contradicts itself")
                : [
                    withheld("the evidence does not count"),
                    .init(.server, "the responder of \(publisher) contradicts itself"),
                ]
        case .responderError(let status):
            return isStaple
                ? cached("that is the error `\(status.name)` of a responder")
                : [
                    withheld("no current evidence was at hand"),
                    .init(
                        .server, "the responder of \(publisher) answers with `\(status.name)`"),
                ]
        case .noFilterCovers, .issuerNotEnrolled, .expiredBeforeFilter, .filtersRefused,
            .filtersMissing:
            return nil
        }
    }

    /// The advice on filters; nil for other evidence.
    private var ofFilters: FilterAdvice? {
        guard answer.source == .crlite, let problem else { return nil }
        return FilterAdvice(name: name, problem: problem, filters: answer.filters)
    }

    private func withheld(_ words: String) -> SideReading {
        .init(.network, "\(words); \(EvidenceFault.thief)")
    }

    /// The readings of a staple that no server should keep. `what` follows "a response".
    private func cached(_ what: String) -> [SideReading] {
        [
            .init(.server, "its OCSP cache staples a response \(what)"),
            .impostor("whoever holds a stolen key can staple any response"),
        ]
    }

    private var oldStaple: [SideReading] {
        [
            .init(.server, "its OCSP cache staples a response that is older than the rule allows"),
            .init(.policy, "the rule's `maximum-age` is shorter than its issuer's interval"),
        ]
    }

    private var ended: [SideReading] {
        [
            withheld(
                "no newer \(EvidenceSentences.noun(answer.source)) of \(publisher) was at hand"),
            .init(.server, "\(publisher), who publishes it, has not renewed it"),
        ]
    }

    /// The readings of evidence that is older than the rule allows. Its own window says whether its
    /// publisher renews it so seldom.
    private func old(_ maximum: Int64) -> [SideReading] {
        guard let from = answer.thisUpdate, let until = answer.nextUpdate,
            until.secondsSinceEpoch - from.secondsSinceEpoch > maximum
        else { return ended }
        let interval = Words.duration(
            until.secondsSinceEpoch - from.secondsSinceEpoch)
        return [
            ended[0],
            .init(
                .policy,
                "the rule's `maximum-age` of \(Words.duration(maximum)) is shorter than "
                    + "the \(interval) for which \(publisher) publishes it"),
        ]
    }

    // MARK: What to do

    /// What mends a staple in the server's cache; nil where that cache is not at fault.
    var cacheRepair: Repair? {
        guard answer.source == .stapled, let problem else { return nil }
        switch problem {
        case .notYetValid, .notYetProduced, .algorithmNotAllowed, .signerNotFound,
            .signerNotAllowed(.noPath), .unknownToResponder, .noFilterCovers, .issuerNotEnrolled,
            .expiredBeforeFilter, .filtersRefused, .filtersMissing:
            return nil
        case .unreadable, .unknownCriticalExtension, .algorithmMismatch, .badSignature,
            .signerNotAllowed, .expired, .tooOld, .otherCertificate, .otherScope,
            .someReasonsOnly, .baseMissing, .contradicted, .responderError:
            break
        }
        let serial = subject.map { ", serial number `\($0.serial)`" } ?? ""
        let reload =
            problem == .otherCertificate
            ? "; after a certificate was replaced, a server may keep the old staple until it is "
                + "restarted or the file that it staples is replaced" : ""
        return Repair(
            "have the server renew its OCSP cache, so that it staples a current response about "
                + "\(name)\(serial)\(reload)")
    }

    /// What to do: what mends the evidence itself first, then what else the rule takes. `ruleName`
    /// is the name of the deciding rule in a sentence.
    func repairs(ruleName: String) -> [Repair] {
        guard let problem else { return [] }
        let instead = EvidenceFault.handOver(certificate, facts, but: answer.source)
        if let cacheRepair { return [cacheRepair] + instead("or ") }
        if let ofFilters { return ofFilters.repairs(ruleName: ruleName) + instead("or ") }
        let noun = EvidenceSentences.noun(answer.source)
        switch problem {
        case .unreadable:
            return [
                Repair(
                    "see whether what was handed over is \(EvidenceSentences.one(answer.source)), "
                        + "PEM or DER, and hand over the one about \(name) as its authority has it")
            ]
        case .signerNotAllowed(.noPath), .signerNotFound:
            let sources = EvidenceFault.nouns(useful)
            let article = useful.contains(.crl) ? "a" : "an"
            return [
                sources.isEmpty
                    ? Repair(
                        "have the server staple a response about \(name) that its issuer signed")
                    : Repair(
                        "hand over \(article) \(sources) about \(name) that its issuer signed, or "
                            + "the signer's certificate beside it"),
                Repair(
                    "whether \(ruleName) should trust the authority above that signer is for its "
                        + "owner to say: it would vouch for servers too"),
            ]
        case .otherScope:
            return [
                Repair("hand over the CRL at a place that \(name) names, if there is one\(at)"),
                Repair(
                    "otherwise its authority must act: issue a CRL that covers \(name), or "
                        + "issue \(name) anew with the place of the CRL that does"),
            ]
        case .notYetValid, .notYetProduced:
            return [
                Repair(
                    "look at the clock of the machine that judges: what was handed over about "
                        + "\(name) is from a later time")
            ]
        case .expired: return [newer(unless: "has ended")] + instead("or ")
        case .tooOld(let maximum):
            let policy = Repair(
                "or ask whoever owns \(ruleName) whether `revocation.maximum-age` of "
                    + "\(Words.duration(maximum)) is meant, if \(publisher) does not "
                    + "publish more often")
            return [newer(unless: "is too old")] + instead("or ") + [policy]
        case .someReasonsOnly:
            return [
                Repair("hand over the CRLs of \(publisher) for the other reasons too\(at)")
            ] + instead("or ")
        case .baseMissing:
            return [
                Repair(
                    "hand over the complete CRL of \(publisher) too, which the delta CRL continues"
                        + at)
            ] + instead("or ")
        case .unknownToResponder:
            return [
                Repair(
                    "ask \(publisher) whether it issued \(name)"
                        + (subject.map { ", serial number `\($0.serial)`" } ?? "")
                        + ", which its responder does not know\(at)")
            ] + instead("if it did, ")
        case .contradicted, .responderError:
            return [
                Repair(
                    "ask \(publisher), who runs the responder, why it fails\(at)")
            ] + instead("or ")
        case .algorithmNotAllowed:
            return [
                Repair(
                    "have \(publisher) sign its evidence as the `signatures` of \(ruleName) allow")
            ] + instead("or ")
        case .badSignature, .unknownCriticalExtension, .algorithmMismatch, .signerNotAllowed,
            .otherCertificate:
            return [
                Repair("hand over another \(noun) about \(name), as \(publisher) publishes it\(at)")
            ] + instead("or ")
        case .noFilterCovers, .issuerNotEnrolled, .expiredBeforeFilter, .filtersRefused,
            .filtersMissing:
            return instead("")
        }
    }

    /// What to do about evidence that has ended: its publisher has a newer one, or must make one.
    /// `fault` is what would be wrong with the newer one too.
    private func newer(unless fault: String) -> Repair {
        let noun = EvidenceSentences.noun(answer.source)
        guard answer.source == .crl else {
            return Repair("hand over a newer \(noun) about \(name), of its responder\(at)")
        }
        let place = addresses.isEmpty ? "" : " at \(Words.list(addresses))"
        return Repair(
            "fetch the CRL anew from its publisher, \(publisher),\(place) and hand it over; if that "
                + "one \(fault) too, \(publisher) must publish a newer one")
    }

    /// Advice to hand over evidence of the sources that the rule takes besides `source`, as a
    /// function of the words before it. No advice where the rule takes no other.
    static func handOver(
        _ certificate: CertificateReference, _ facts: RequestFacts, but source: RevocationSource?
    ) -> (_ before: String) -> [Repair] {
        let useful = useful(certificate, facts).filter { $0 != source }
        let name = Words.name(certificate)
        let named = facts.subjects[certificate.fingerprint]?.namedSources
        // A certificate that names no place of a kind rarely has evidence of that kind.
        let nouns = nouns(useful.filter { named?.contains($0) ?? true })
        guard !nouns.isEmpty else { return { _ in [] } }
        return { before in [Repair("\(before)hand over a current \(nouns) about \(name)")] }
    }
}
