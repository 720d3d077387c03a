import PolicyCompiler
import TrustEngine

/// The parameters by which rules judge the certificates that they trust. Used for the few
/// certificates with a fault: a waiver in force may tolerate the fault.
struct AnchorUses {
    /// The parameters of the rules that trust one certificate.
    struct Answer {
        /// Each once. The parameters of the baseline if no rule trusts the certificate.
        var parameters: [PathParameters]
        /// False if another rule may judge the certificate by other parameters: a rule that could
        /// not be read, or one beyond the limit.
        var isComplete: Bool
    }

    private struct Uses {
        /// Each once, by the parts that matter for a single certificate.
        var parameters: [Judged: PathParameters] = [:]
        var isComplete = true
    }

    private struct Judged: Hashable {
        let keyPurposes: KeyPurposes
        let clockSkew: Int64
        let keyTypes: KeyTypeSet
        let leafKeyTypes: KeyTypeSet
        let rsaMinimum: Int
        let enforcesIssuance: Bool
        let leniency: Leniency
    }

    private let baseline: PathParameters
    /// By the id of the set that a rule names.
    private var bySet: [String: Uses] = [:]

    /// The most different parameters that are kept for a set. A usual policy has a few.
    private static let most = 64

    init(_ context: LintContext) {
        baseline = PathParameters(
            Requirements(), leniency: Leniency(), issuedAt: context.time, at: context.time)
        for (decider, body) in context.judgedBodies {
            let ids = (body.anchors?.items ?? []).map(\.value)
                .filter { context.parts.anchorSets[$0] != nil }
            guard !ids.isEmpty else { continue }
            let parameters = context.body(of: decider)?.parameters(at: context.time)
            for id in Set(ids) { add(parameters, to: id) }
        }
    }

    private mutating func add(_ parameters: PathParameters?, to id: String) {
        var uses = bySet.removeValue(forKey: id) ?? Uses()
        if let parameters, uses.parameters.count < AnchorUses.most {
            let key = Judged(
                keyPurposes: parameters.keyPurposes, clockSkew: parameters.clockSkew,
                keyTypes: parameters.keyTypes, leafKeyTypes: parameters.leafKeyTypes,
                rsaMinimum: parameters.rsaMinimum, enforcesIssuance: parameters.enforcesIssuance,
                leniency: parameters.leniency.withoutDates)
            uses.parameters[key] = parameters
        } else {
            uses.isComplete = false
        }
        bySet[id] = uses
    }

    /// The parameters by which a certificate that a set names itself is judged.
    func parameters(
        of certificate: Certificate, _ terms: AnchorTerms, in sets: ResolvedAnchorSets,
        budget: inout WorkBudget
    ) -> Answer {
        var answer = Answer(parameters: [], isComplete: true)
        for (id, uses) in bySet {
            let groups = sets[id]?.groups ?? []
            guard budget.spend(groups.count) else {
                return Answer(parameters: [baseline], isComplete: false)
            }
            guard groups.contains(where: { terms.hold(certificate, in: $0) }) else { continue }
            answer.parameters += uses.parameters.values
            if !uses.isComplete { answer.isComplete = false }
        }
        if answer.parameters.isEmpty { answer.parameters = [baseline] }
        return answer
    }
}

extension LintContext {
    /// The parameters of the rules that trust a certificate of a set.
    func uses(of certificate: Certificate, _ terms: AnchorTerms) -> AnchorUses.Answer {
        anchorUses.parameters(
            of: certificate, terms, in: parts.anchorSets, budget: &anchorWork)
    }

    /// Whether some rule that trusts a certificate rejects it for a problem. A certificate that no
    /// rule trusts is judged by the baseline.
    func isRejected(
        _ certificate: Certificate, _ terms: AnchorTerms,
        _ problem: (PathParameters) -> CertificateProblem?
    ) -> Bool {
        uses(of: certificate, terms).parameters.contains { parameters in
            guard let found = problem(parameters) else { return false }
            return parameters.leniency.excuse(found, of: certificate, at: time) == nil
        }
    }
}

extension RuleBody {
    /// The inputs of path validation under this body, with its waivers and report modes that are in
    /// force.
    func parameters(at time: UTCInstant) -> PathParameters {
        PathParameters(
            requirements,
            leniency: Leniency(
                waivers: waivers.filter { $0.isInForce(at: time) },
                reportOnly: reportOnly.filter { DatedTerm.isInForce(until: $0.until, at: time) }),
            issuedAt: time, at: time)
    }
}
