import TrustEngine

/// The words for each demand are the table in `StandardDemandTexts.swift`.
extension StandardNotMetTexts {
    var headline: String { "\(Words.name(certificate)) \(demand.flaw(found: found))" }

    var citation: String { demand.citation }

    func forEndUser(_ situation: Situation) -> String {
        if demand == .endEntityIsCA, let sentence = situation.wrongOrder { return sentence }
        return headline
    }

    func readings(_ situation: Situation) -> [SideReading] {
        ofIssuing(certificate, situation)
    }

    func repairs(_ reject: Reject) -> [Repair] {
        let isOfWebPKI = !demand.isIssuance && demand.isBaselineRequirement
        return [
            Repair("have \(Words.name(certificate)) issued again: \(demand.sentence)")
        ] + (isOfWebPKI ? [Reject.whetherPublic] : [])
    }

    /// The demands on issuers have one waiver together.
    func change(_ reject: Reject) -> PolicyChange? {
        guard demand.isIssuance else { return nil }
        let demands = reject.violations.compactMap { violation -> StandardDemand? in
            guard case .path(.standardNotMet(_, let demand, _)) = violation.reason,
                demand.isIssuance
            else { return nil }
            return demand
        }
        return PolicyChange(
            .waiver(.issuance(IssuanceDemands(demands)), reason: "being issued again"),
            cost: "certificates that break only this demand pass; no attack is known to use "
                + "the breach")
    }
}
