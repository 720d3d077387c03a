import TrustEngine

extension StapleMissingTexts {
    private var name: String { Words.name(certificate) }

    private var staple: RevocationAnswer? { answers.first { $0.source == .stapled } }

    /// The fault of the staple that was handed over.
    private func fault(_ facts: RequestFacts) -> EvidenceFault? {
        staple.map { EvidenceFault(certificate, $0, facts) }
    }

    /// Whether the certificate names no responder, so that the server has nowhere to get a staple.
    private func lacksResponder(_ facts: RequestFacts) -> Bool {
        facts.subjects[certificate.fingerprint]?.lacksResponderForStaple == true
    }

    var headline: String {
        "\(name) demands a stapled OCSP response, and "
            + (staple.map { "\(EvidenceSentences.name($0)) \(EvidenceSentences.clause($0))" }
                ?? "none was handed over")
    }

    func addition(_ situation: Situation) -> String? {
        fault(situation.facts)?.stapleClause.map { "it is about \($0)" }
    }

    var citation: String { "RFC 7633" }

    func forEndUser(_ situation: Situation) -> String {
        "`\(situation.host)` did not show that its certificate has not been revoked, as the "
            + "certificate itself demands"
    }

    func readings(_ situation: Situation) -> [SideReading] {
        let lacksResponder = lacksResponder(situation.facts)
        if !lacksResponder, let readings = fault(situation.facts)?.readings { return readings }
        return [
            declared(
                lacksResponder
                    ? "its certificate demands a staple and names no responder"
                    : "it staples no OCSP response that counts"),
            .impostor("whoever holds a stolen key leaves it out"),
        ]
    }

    func repairs(_ reject: Reject) -> [Repair] {
        guard lacksResponder(reject.facts) else {
            return [
                fault(reject.facts)?.cacheRepair
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
