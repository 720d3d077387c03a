/// Judges TLS parameters by a rule (LANGUAGE sections 8 and 12.3). Parameters are known when they
/// were observed, or when the connection's configuration was derived from this rule. Parameters
/// that the caller only assumes are believed, and the accept lists the assumption.
struct TLSCheck {
    let demands: Demands
    let engine: Engine

    /// The known parameters of a connection.
    private struct Known {
        let parameters: TLSParameters
        /// Whether a parameter that is absent counts as met, because the configuration or the
        /// caller answers for it.
        let restIsMet: Bool
    }

    private struct Judgement {
        var failures: [Demands.Failure] = []
        var matches: [CheckStep.TLSMatch] = []
    }

    /// Judges the TLS parameters of a connection. A check that passes names its values where the
    /// evaluation is traced.
    func judge(
        _ state: TLSState, isTraced: Bool
    ) -> (outcome: CheckStep.Outcome, notices: [Notice]) {
        let known = known(state)
        var judgement = Judgement()
        judgeVersion(known, into: &judgement)
        judgeForwardSecrecy(known, into: &judgement)
        let parameters = known.parameters
        let tls = demands.requirements.tls
        judge("cipher-suite", parameters.cipherSuite, among: tls.cipherSuites, known, &judgement)
        judge("group", parameters.group, among: tls.groups, known, &judgement)
        judge(
            "signature-scheme", parameters.signatureScheme, among: tls.signatureSchemes, known,
            &judgement)
        judge("alpn", parameters.alpn, among: tls.alpn, known, &judgement)
        var passed: CheckStep.Passed?
        if isTraced, let version = parameters.version {
            passed = .tls(
                version: version, minimum: tls.minimumVersion, maximum: tls.maximumVersion,
                parameters: judgement.matches)
        }
        var notices: [Notice] = []
        if case .assumed = state { notices.append(.tlsAssumed) }
        return (Demands.outcome(of: judgement.failures, passed: passed), notices)
    }

    @inline(__always)
    private func known(_ state: TLSState) -> Known {
        switch state {
        case .observed(let parameters):
            return Known(parameters: parameters, restIsMet: false)
        case .enforced(let parameters, let ruleID, let policyDigest)
        where ruleID == engine.table.text(demands.rule.id)
            && policyDigest == engine.table.policyDigest:
            return Known(parameters: parameters, restIsMet: true)
        case .assumed(let parameters):
            return Known(parameters: parameters, restIsMet: true)
        case .enforced, .notSupplied, .cleartext:
            return Known(parameters: TLSParameters(), restIsMet: false)
        }
    }

    /// Judges the version, which every rule demands. An absent version, and a version that fails
    /// the baseline, rejects even under `report-only` (LANGUAGE section 9).
    private func judgeVersion(_ known: Known, into judgement: inout Judgement) {
        guard let version = known.parameters.version else {
            if !known.restIsMet {
                judgement.failures.append(
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
        judgement.failures.append(
            Demands.Failure(
                violation: .tlsVersion(
                    version, minimum: tls.minimumVersion, maximum: tls.maximumVersion),
                excuse: excuse))
    }

    /// Judges forward secrecy. Every handshake of TLS 1.3 that shows a certificate has forward
    /// secrecy. Before TLS 1.3 the suite must name an ephemeral key exchange.
    private func judgeForwardSecrecy(_ known: Known, into judgement: inout Judgement) {
        guard demands.requirements.tls.requiresForwardSecrecy else { return }
        if known.parameters.version == .tls13 { return }
        guard let suite = known.parameters.cipherSuite else {
            if !known.restIsMet {
                judgement.failures.append(reported(.tlsNotSupplied(parameter: "cipher-suite")))
            }
            return
        }
        guard CipherSuiteName.isEphemeral(suite) else {
            judgement.failures.append(reported(.tlsForwardSecrecy(cipherSuite: suite)))
            return
        }
        judgement.matches.append(
            CheckStep.TLSMatch(parameter: "forward-secrecy", found: suite, allowed: []))
    }

    private func judge(
        _ parameter: String, _ found: String?, among allowed: [String], _ known: Known,
        _ judgement: inout Judgement
    ) {
        guard !allowed.isEmpty else { return }
        guard let found else {
            let violation = Violation.tlsNotSupplied(parameter: parameter)
            let isNamed = judgement.failures.contains { $0.violation == violation }
            if !known.restIsMet, !isNamed { judgement.failures.append(reported(violation)) }
            return
        }
        guard allowed.contains(found) else {
            judgement.failures.append(
                reported(.tlsParameter(parameter, found: found, allowed: allowed)))
            return
        }
        judgement.matches.append(
            CheckStep.TLSMatch(parameter: parameter, found: found, allowed: allowed))
    }

    /// A failure of a demand that the baseline does not make.
    private func reported(_ violation: Violation) -> Demands.Failure {
        Demands.Failure(
            violation: violation,
            excuse: demands.reportMode(of: .tls).map { .reported(until: $0) })
    }
}
