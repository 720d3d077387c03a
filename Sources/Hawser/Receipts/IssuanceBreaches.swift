import TrustEngine

extension Verdict {
    /// The breaches of demands on issuers that an accept has a notice of; empty for a reject.
    var issuanceBreaches: [IssuanceBreach] {
        guard case .accept(let acceptance) = outcome else { return [] }
        return acceptance.notices.flatMap { notice -> [IssuanceBreach] in
            if case .issuance(let breaches) = notice { breaches } else { [] }
        }
    }

    /// The ids of the demands in `issuanceBreaches`, each once.
    var issuanceDemands: [String] {
        var demands: [String] = []
        for breach in issuanceBreaches where !demands.contains(breach.demand) {
            demands.append(breach.demand)
        }
        return demands
    }
}
