import TrustEngine

/// The side at fault for an unknown revocation status, and the repairs. `EvidenceFault` tells the
/// faults of the evidence itself.
extension RevocationSentences {
    /// The readings of a status that is not known.
    static func readings(
        _ certificate: CertificateReference, _ cause: RevocationCause,
        _ answers: [RevocationAnswer], _ situation: Situation
    ) -> [SideReading] {
        let facts = situation.facts
        let thief = "whoever holds a stolen key can keep the evidence away"
        if let source = unasked(certificate, cause, answers, facts) {
            return [
                .init(
                    .policy,
                    "the rule does not ask for \(EvidenceSentences.one(source)), which there is"),
                .init(.server, "its issuer offers nothing that the rule asks"),
            ]
        }
        if let answer = EvidenceSentences.unusable(answers, for: cause),
            let readings = EvidenceFault(certificate, answer, facts).readings
        {
            return readings
        }
        switch cause {
        case .unreachable where isOfOthers(certificate, answers, facts):
            return [
                .init(.network, "no evidence about it was at hand; \(thief)"),
                .init(.thisMachine, "what was handed over is about other certificates"),
            ]
        case .unreachable where EvidenceFault.useful(certificate, facts) == [.stapled]:
            return [
                .init(.server, "it staples no OCSP response, and the rule asks for nothing else"),
                impostorWithoutStaple,
            ]
        case .unreachable, .stale, .malformed, .unknown, .notCovered:
            return [
                .init(.network, "no current evidence was at hand; \(thief)"),
                .init(.thisMachine, "none was handed over"),
            ]
        case .noEndpoint:
            return [
                .init(.server, "its issuer names no place where evidence is published"),
                .init(.network, "what is published elsewhere was not handed over"),
            ]
        }
    }

    private static let impostorWithoutStaple = SideSentences.impostor(
        "whoever holds a stolen key leaves it out")

    /// Whether evidence was supplied, and none of it is about a certificate.
    private static func isOfOthers(
        _ certificate: CertificateReference, _ answers: [RevocationAnswer], _ facts: RequestFacts
    ) -> Bool {
        answers.isEmpty && facts.supplied?.isEmpty == false
            && facts.subjects[certificate.fingerprint] != nil
    }

    /// What to do about a status that is not known, without what lets more pass.
    static func repairs(
        _ certificate: CertificateReference, _ cause: RevocationCause,
        _ answers: [RevocationAnswer], _ facts: RequestFacts, ruleName: String, place: String?
    ) -> [Repair] {
        let name = Words.name(certificate)
        if let source = unasked(certificate, cause, answers, facts) {
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
        if let answer = EvidenceSentences.unusable(answers, for: cause) {
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
        case .unreachable, .stale, .unknown, .malformed, .notCovered:
            let useful = EvidenceFault.useful(certificate, facts)
            let nouns = EvidenceFault.nouns(useful)
            guard !nouns.isEmpty else {
                return [
                    Repair("have the server staple a current OCSP response about \(name)")
                ]
            }
            let subject = facts.subjects[certificate.fingerprint]
            let issuer = subject.map { " of `\(Words.shortSubject($0.issuer))`" } ?? ""
            let of = isOfOthers(certificate, answers, facts) && useful.contains(.crl) ? issuer : ""
            return [
                Repair(
                    "hand over a current "
                        + nouns.replacing("CRL", with: "CRL\(of)") + " about \(name)")
            ]
        }
    }
}
