/// Asks the program's checks that a rule names under `checks` about one path.
struct RegisteredChecks {
    let checks: [String: CustomCheck]
    let demands: Demands
    let pool: CertificatePool
    let host: CanonicalHost
    let port: UInt16
    let time: UTCInstant

    /// Asks every check of the rule. A name without a registered check refuses the path. An engine
    /// does not load with an unregistered name.
    func judge(_ path: CandidatePath, budget: inout WorkBudget) -> CheckStep.Outcome {
        let subject = CustomCheck.Subject(
            path: (0..<path.count).map { path.certificate(at: $0, in: pool).der },
            host: host.text, port: port, time: time)
        var rejecting: [Violation] = []
        var reported: [Reported] = []
        for name in demands.requirements.checks {
            guard budget.spend(CustomCheck.cost) else {
                return .failed([.budgetExhausted(limit: budget.limit)])
            }
            guard let check = checks[name] else {
                return .failed([.engineError("nothing is registered for the check `\(name)`")])
            }
            guard case .fail(let reason) = check(subject) else { continue }
            let violation = Violation.checkFailed(name: name, reason: reason)
            if let excuse = demands.excuse(ofRegistered: name) {
                reported.append(Reported(violation: violation, reason: excuse))
            } else {
                rejecting.append(violation)
            }
        }
        if !rejecting.isEmpty { return .failed(rejecting) }
        return reported.isEmpty
            ? .passed(.checks(demands.requirements.checks)) : .tolerated(reported)
    }
}
