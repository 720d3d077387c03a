/// The checks that are asked once of a request, before and beside the search.
enum RequestChecks {
    /// Revocation evidence is not judged by this version: a request that carries some rejects, lest
    /// a `revoked` in it be passed over. Only the waiver of `revocation` tolerates that one;
    /// report-only never does.
    static func evidence(_ evidence: Evidence, demands: Demands) -> CheckStep.Outcome {
        var kinds: [String] = []
        if evidence.stapledOCSP != nil { kinds.append("stapled OCSP response") }
        if !evidence.ocspResponses.isEmpty { kinds.append("OCSP response") }
        if !evidence.crls.isEmpty { kinds.append("CRL") }
        guard !kinds.isEmpty else { return .passed(nil) }
        let violations = kinds.map { Violation.evidenceNotEvaluated(kind: $0) }
        guard let waiver = demands.waiver(of: .revocation) else { return .failed(violations) }
        return .tolerated(
            violations.map { Reported(violation: $0, reason: .waived(until: waiver.until)) })
    }
}
