/// The checks that are asked once of a request, before and beside the search.
enum RequestChecks {
    /// TLS parameters (LANGUAGE section 12.3): of the three states only what was observed, or what a
    /// configuration derived from this very rule enforces, counts as known; what the caller merely
    /// says is believed and listed.
    static func tls(
        _ state: TLSState, demands: Demands, engine: Engine
    ) -> (outcome: CheckStep.Outcome, notices: [Notice]) {
        let minimum = demands.requirements.tls.minimumVersion
        let maximum = demands.requirements.tls.maximumVersion
        func judge(_ version: TLSVersion) -> CheckStep.Outcome {
            version >= minimum && version <= maximum
                ? .passed(.tlsVersion(version, minimum: minimum, maximum: maximum))
                : .failed([.tlsVersion(version, minimum: minimum, maximum: maximum)])
        }
        let missing = CheckStep.Outcome.failed([.tlsNotSupplied(parameter: "version")])
        switch state {
        case .observed(let parameters):
            return (parameters.version.map(judge) ?? missing, [])
        case .enforced(let parameters, let ruleID, let policyDigest):
            guard ruleID == engine.table.text(demands.rule.id),
                policyDigest == engine.table.policyDigest
            else { return (missing, []) }
            return (parameters.version.map(judge) ?? .passed(nil), [])
        case .assumed(let parameters):
            return (parameters.version.map(judge) ?? .passed(nil), [.tlsAssumed])
        case .notSupplied:
            return (missing, [])
        }
    }

    /// Revocation evidence is not judged by this version: a request that carries some rejects, lest
    /// a `revoked` in it be passed over.
    static func evidence(_ evidence: Evidence) -> CheckStep.Outcome {
        var kinds: [String] = []
        if evidence.stapledOCSP != nil { kinds.append("stapled OCSP response") }
        if !evidence.ocspResponses.isEmpty { kinds.append("OCSP response") }
        if !evidence.crls.isEmpty { kinds.append("CRL") }
        return kinds.isEmpty
            ? .passed(nil) : .failed(kinds.map { .evidenceNotEvaluated(kind: $0) })
    }
}
