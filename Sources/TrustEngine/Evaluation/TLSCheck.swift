/// TLS parameters against a rule (LANGUAGE sections 8 and 12.3). Of the states of knowledge only what
/// was observed, or what a configuration derived from this very rule enforces, counts as known; what
/// the caller merely says is believed and listed.
struct TLSCheck {
    let demands: Demands
    let table: PolicyTable

    /// What is known of a connection.
    private struct Known {
        let parameters: TLSParameters
        /// Whether a parameter that is not named meets the rule all the same: its configuration, or
        /// the caller, answers for it.
        let restIsMet: Bool
    }

    private struct Finding {
        var failures: [Demands.Failure] = []
        var matches: [CheckStep.TLSMatch] = []
    }

    /// Judges the parameters of a connection.
    func judge(_ state: TLSState) -> (outcome: CheckStep.Outcome, notices: [Notice]) {
        let known = known(state)
        var finding = Finding()
        judgeVersion(known, into: &finding)
        judgeForwardSecrecy(known, into: &finding)
        let parameters = known.parameters
        let tls = demands.requirements.tls
        judge("cipher-suite", parameters.cipherSuite, among: tls.cipherSuites, known, &finding)
        judge("group", parameters.group, among: tls.groups, known, &finding)
        judge(
            "signature-scheme", parameters.signatureScheme, among: tls.signatureSchemes, known,
            &finding)
        judge("alpn", parameters.alpn, among: tls.alpn, known, &finding)
        let passed = parameters.version.map {
            CheckStep.Passed.tls(
                version: $0, minimum: tls.minimumVersion, maximum: tls.maximumVersion,
                parameters: finding.matches)
        }
        var notices: [Notice] = []
        if case .assumed = state { notices.append(.tlsAssumed) }
        return (Demands.outcome(of: finding.failures, passed: passed), notices)
    }

    private func known(_ state: TLSState) -> Known {
        switch state {
        case .observed(let parameters):
            return Known(parameters: parameters, restIsMet: false)
        case .enforced(let parameters, let ruleID, let policyDigest)
        where ruleID == table.text(demands.rule.id) && policyDigest == table.policyDigest:
            return Known(parameters: parameters, restIsMet: true)
        case .assumed(let parameters):
            return Known(parameters: parameters, restIsMet: true)
        case .enforced, .notSupplied, .cleartext:
            return Known(parameters: TLSParameters(), restIsMet: false)
        }
    }

    /// The version is demanded always. One that is missing, or that fails the baseline, is not
    /// reported but rejects (LANGUAGE section 9).
    private func judgeVersion(_ known: Known, into finding: inout Finding) {
        guard let version = known.parameters.version else {
            if !known.restIsMet {
                finding.failures.append(
                    Demands.Failure(violation: .tlsNotSupplied(parameter: "version"), excuse: nil))
            }
            return
        }
        let tls = demands.requirements.tls
        guard version < tls.minimumVersion || version > tls.maximumVersion else { return }
        let baseline = TLSRequirement()
        var excuse: Leniency.Excuse?
        if version >= baseline.minimumVersion, version <= baseline.maximumVersion,
            let until = demands.reportMode(of: .tls)
        {
            excuse = .reported(until: until)
        } else if let waiver = demands.waiver(of: .tls), case .tls(let lowest) = waiver.tolerance,
            version < tls.minimumVersion, version >= lowest
        {
            excuse = .waived(until: waiver.until)
        }
        finding.failures.append(
            Demands.Failure(
                violation: .tlsVersion(
                    version, minimum: tls.minimumVersion, maximum: tls.maximumVersion),
                excuse: excuse))
    }

    /// TLS 1.3 has it always (a resumption by a shared key alone is no handshake that shows a
    /// certificate); before that the suite must name an ephemeral key exchange (RFC 5246 appendix
    /// A.5, RFC 8422): `TLS_DH_` and `TLS_ECDH_` are static.
    private func judgeForwardSecrecy(_ known: Known, into finding: inout Finding) {
        guard demands.requirements.tls.requiresForwardSecrecy else { return }
        if known.parameters.version == .tls13 { return }
        guard let suite = known.parameters.cipherSuite else {
            if !known.restIsMet {
                finding.failures.append(reported(.tlsNotSupplied(parameter: "cipher-suite")))
            }
            return
        }
        guard suite.hasPrefix("TLS_ECDHE_") || suite.hasPrefix("TLS_DHE_") else {
            finding.failures.append(reported(.tlsForwardSecrecy(cipherSuite: suite)))
            return
        }
        finding.matches.append(
            CheckStep.TLSMatch(parameter: "forward-secrecy", found: suite, allowed: []))
    }

    private func judge(
        _ parameter: String, _ found: String?, among allowed: [String], _ known: Known,
        _ finding: inout Finding
    ) {
        guard !allowed.isEmpty else { return }
        guard let found else {
            let violation = Violation.tlsNotSupplied(parameter: parameter)
            let isNamed = finding.failures.contains { $0.violation == violation }
            if !known.restIsMet, !isNamed { finding.failures.append(reported(violation)) }
            return
        }
        guard allowed.contains(found) else {
            finding.failures.append(
                reported(.tlsParameter(parameter, found: found, allowed: allowed)))
            return
        }
        finding.matches.append(
            CheckStep.TLSMatch(parameter: parameter, found: found, allowed: allowed))
    }

    /// A failure of what the baseline does not demand.
    private func reported(_ violation: Violation) -> Demands.Failure {
        Demands.Failure(
            violation: violation,
            excuse: demands.reportMode(of: .tls).map { .reported(until: $0) })
    }
}
