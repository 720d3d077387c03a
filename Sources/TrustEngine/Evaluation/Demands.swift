/// The demands of one rule at one instant: every check with the effect of its failure, decided once
/// before anything is looked at. Waivers, pins and report modes end by the validation time without
/// skew (LANGUAGE section 12.6). Several checks of an evaluation hold a copy: a copy is two
/// references, and a third where the rule has demands with dates.
struct Demands: Sendable {
    /// A pin set of the rule and the present effect of its mismatch.
    struct PinDemand: Sendable {
        /// Index of the set in the table.
        let number: Int
        let set: PinSetRecord
        /// Nil when a mismatch rejects.
        let excuse: Reported.Reason?
    }

    /// A failure of a check.
    struct Failure {
        let violation: Violation
        /// Why the failure does not reject; nil when it does.
        let excuse: Leniency.Excuse?
    }

    /// The parts that have a last day, or may have one.
    private final class Dated: Sendable {
        /// The waivers in force.
        let waivers: [Waiver]
        /// The entries of `report-only` in force.
        let reportModes: [ReportOnly]
        /// Pin sets that are looked at; one that is `unpinned` after its last day is not.
        let pins: [PinDemand]

        init(of rule: RuleRecord, in table: PolicyTable, at time: UTCInstant) {
            var waivers: [Waiver] = []
            for position in 0..<Int(rule.waivers.count) {
                let waiver = table.waiver(rule, position)
                if waiver.isInForce(at: time) { waivers.append(waiver) }
            }
            self.waivers = waivers
            var reportModes: [ReportOnly] = []
            for position in 0..<Int(rule.reportModes.count) {
                let mode = table.reportMode(rule, position)
                if DatedTerm.isInForce(until: mode.until, at: time) { reportModes.append(mode) }
            }
            self.reportModes = reportModes
            let waiver = waivers.first { $0.tolerance == .pins }
            let mode = reportModes.first { $0.check == .pins }
            var pins: [PinDemand] = []
            for position in 0..<Int(rule.pins.count) {
                let number = table.index(rule.pins, position)
                let set = table.pinSet(at: number)
                var excuse =
                    waiver.map { Reported.Reason.waived(until: $0.until) }
                    ?? mode.map { .reportOnly(until: $0.until) }
                if let last = set.enforceUntil, !DatedTerm.isInForce(until: last, at: time) {
                    switch set.onExpiry {
                    case .fail: break
                    case .report: excuse = excuse ?? .reportOnly(until: nil)
                    case .unpinned: continue
                    }
                }
                pins.append(PinDemand(number: number, set: set, excuse: excuse))
            }
            self.pins = pins
        }
    }

    private let engine: Engine
    /// Index of the rule in the table; the number of rules for `default`.
    private let index: Int
    let rule: RuleRecord
    private let prepared: PreparedRequirements
    /// Whether some set of the rule has constraints.
    private let isConstrained: Bool
    /// Nil where the rule has no waivers, report modes and pins.
    private let dated: Dated?

    init(engine: Engine, rule index: Int, at time: UTCInstant) {
        let rule = engine.table.rule(at: index)
        self.engine = engine
        self.index = index
        self.rule = rule
        self.prepared = engine.requirements[Int(rule.requirements)]
        self.isConstrained = engine.isConstrained(rule)
        let isUndated =
            rule.waivers.count == 0 && rule.reportModes.count == 0 && rule.pins.count == 0
        self.dated = isUndated ? nil : Dated(of: rule, in: engine.table, at: time)
    }

    private var waivers: [Waiver] {
        @inline(__always) get { dated?.waivers ?? [] }
    }

    private var reportModes: [ReportOnly] {
        @inline(__always) get { dated?.reportModes ?? [] }
    }

    /// Pin sets that are looked at; one that is `unpinned` after its last day is not.
    var pins: [PinDemand] {
        @inline(__always) get { dated?.pins ?? [] }
    }

    /// The identity that the rule demands. Its lists are allocated.
    var identity: IdentityRequirement { engine.table.identity(at: Int(rule.identity)) }

    /// The demands that runs of public vectors lift.
    var overrides: EngineOverrides {
        @inline(__always) get { engine.overrides }
    }

    /// The rule's flattened requirements.
    var requirements: Requirements {
        @inline(__always) get { prepared.requirements }
    }

    /// JSON pointer of the rule: `/rules/api` or `/default`.
    private var base: String {
        index == engine.table.ruleCount
            ? "/default" : "/rules/\(engine.table.text(rule.id))"
    }

    // MARK: The checks

    /// Every check of candidate paths, in the order in which they are made and traced: cheap ones
    /// first, then the checks that the program registers, then signatures. Revocation and
    /// timestamps come last: they use keys that the path's signatures must prove first.
    static let pathChecks: [CandidateCheck] = [
        .anchor, .validator(.validity), .validator(.basicConstraints), .validator(.pathLength),
        .validator(.keyUsage), .validator(.extendedKeyUsage), .validator(.criticalExtensions),
        .validator(.algorithmAgreement), .validator(.keys), .validator(.signatureAlgorithms),
        .validator(.lifetime), .forbiddenKeys, .validator(.standard), .anchorConstraints, .identity,
        .pins, .validator(.nameConstraints), .validator(.certificatePolicies), .checks,
        .validator(.signatures), .transparency, .revocation,
    ]

    /// Whether the rule asks a check of candidate paths. Most checks are asked by every rule.
    func asks(_ check: CandidateCheck) -> Bool {
        switch check {
        case .validator(.lifetime):
            return requirements.maximumLifetime != nil || !requirements.lifetimeSteps.isEmpty
        case .forbiddenKeys: return !requirements.forbiddenKeys.isEmpty
        case .anchorConstraints: return isConstrained
        case .pins: return !pins.isEmpty
        case .checks: return !requirements.checks.isEmpty
        case .transparency: return requirements.transparency.isDemanded
        case .validator, .anchor, .identity, .revocation: return true
        }
    }

    /// The effect of a failure of a check.
    func enforcement(of check: Check) -> DemandStep.Enforcement {
        if let waiver = waiver(of: check) {
            return .waived(until: waiver.until, limit: waiver.tolerance.limit)
        }
        if let until = reportMode(of: check) { return .reported(until: until) }
        switch check {
        case .pins: return pins.contains { $0.excuse != nil } ? .reported(until: nil) : .enforced
        case .revocation:
            return requirements.revocation.mayReport ? .reported(until: nil) : .enforced
        case .transparency:
            return requirements.transparency.whenStale == .report
                ? .reported(until: nil) : .enforced
        case .host, .freshness, .rule, .cleartext, .endEntity, .tls, .evidence, .anchor,
            .anchorConstraints, .signatures, .algorithmAgreement, .validity, .basicConstraints,
            .pathLength, .keyUsage, .extendedKeyUsage, .nameConstraints, .certificatePolicies,
            .criticalExtensions, .keys, .signatureAlgorithms, .lifetime, .standard, .forbiddenKeys,
            .identity, .checks:
            return .enforced
        }
    }

    /// Where a demand is written, for a renderer to resolve through the layers of the rule.
    func pointer(of check: Check) -> String? {
        switch check {
        case .rule: return base
        case .cleartext: return base + "/waivers/cleartext"
        case .anchor, .anchorConstraints: return base + "/anchors"
        case .validity: return base + "/validity/clock-skew"
        case .pathLength: return base + "/path/maximum-intermediates"
        case .extendedKeyUsage: return base + "/path/key-purposes"
        case .standard: return requirements.enforcesIssuance ? base + "/path/issuance" : nil
        case .certificatePolicies:
            return requirements.requiresExplicitPolicy ? base + "/path/explicit-policy" : nil
        case .keys: return base + "/keys"
        case .signatureAlgorithms: return base + "/signatures"
        case .lifetime:
            // Steps that a nearer maximum undoes are not in the table.
            return base
                + (requirements.lifetimeSteps.isEmpty
                    ? "/validity/maximum-lifetime" : "/validity/lifetime-steps")
        case .forbiddenKeys: return base + "/forbidden-keys"
        case .identity: return base + "/identity"
        case .pins: return base + "/pins"
        case .checks: return base + "/checks"
        case .transparency: return base + "/transparency"
        case .revocation, .evidence: return base + "/revocation"
        case .tls: return base + "/tls"
        case .host, .freshness, .endEntity, .algorithmAgreement, .basicConstraints, .keyUsage,
            .criticalExtensions, .nameConstraints, .signatures:
            return nil
        }
    }

    /// The inputs of path validation for an end entity.
    func pathParameters(for endEntity: Certificate, at time: UTCInstant) -> PathParameters {
        var parameters = PathParameters(
            requirements,
            leniency: Leniency(waivers: waivers, reportOnly: reportModes),
            issuedAt: endEntity.layout.notBefore, at: time)
        parameters.endEntityKeyUsage = overrides.endEntityKeyUsage
        return parameters
    }

    /// The demands on evidence and on its signers: the demands on a path, without the demands whose
    /// failures are only reported. Evidence that broke a demand would not count at all.
    func evidenceParameters(_ parameters: PathParameters) -> PathParameters {
        var floors = parameters
        // Demands on issuers are judged of the path. Neither a waiver of them nor their enforcement
        // decides whose evidence is heard.
        floors.leniency.issuanceWaiver = nil
        floors.enforcesIssuance = false
        if let bits = parameters.leniency.reportedRSAMinimum?.limit {
            floors.rsaMinimum = min(floors.rsaMinimum, bits)
        }
        if let types = parameters.leniency.reportedKeyTypes?.limit {
            floors.keyTypes.formUnion(types)
            floors.leafKeyTypes.formUnion(types)
        }
        if let hash = parameters.leniency.reportedHash?.limit {
            floors.minimumHash = min(floors.minimumHash, hash)
        }
        if let schemes = parameters.leniency.reportedSchemes?.limit {
            floors.signatureSchemes.formUnion(schemes)
        }
        return floors
    }

    /// The demands on evidence that says *revoked*: the least that any rule demands. Otherwise a
    /// rule that demands more would accept a certificate that another rule refuses.
    static func revokingParameters(_ parameters: PathParameters) -> PathParameters {
        let baseline = Requirements()
        var floors = parameters
        floors.rsaMinimum = min(floors.rsaMinimum, baseline.rsaMinimum)
        floors.minimumHash = min(floors.minimumHash, baseline.minimumHash)
        floors.keyTypes.formUnion(baseline.keyTypes)
        floors.leafKeyTypes.formUnion(baseline.leafKeyTypes)
        floors.signatureSchemes.formUnion(baseline.signatureSchemes)
        // The path to its signer may be as long as any rule allows, under any certificate policies.
        floors.maximumIntermediates = Requirements.mostIntermediates
        floors.certificatePolicies = CertificatePolicyGraph.Inputs()
        floors.enforcesIssuance = baseline.enforcesIssuance
        return floors
    }

    // MARK: What lets failures through

    /// The waiver in force of a check.
    func waiver(of check: Check) -> Waiver? {
        waivers.first { $0.tolerance.checks.contains(check) }
    }

    /// The last second of report-only of a check, while it is in force; of a registered check, the
    /// last second of any entry for registered checks.
    func reportMode(of check: Check) -> UTCInstant? {
        reportModes.first { $0.check.check == check }?.until
    }

    /// Why a failure of a whole check does not reject; nil when it does. For checks whose failures
    /// a waiver or report mode covers without a limit.
    func excuse(of check: Check) -> Reported.Reason? {
        waiver(of: check).map { .waived(until: $0.until) }
            ?? reportMode(of: check).map { .reportOnly(until: $0) }
    }

    /// Why a registered check that fails does not reject; nil when it does.
    func excuse(ofRegistered name: String) -> Reported.Reason? {
        reportModes.first { $0.check == .custom(name) }.map { .reportOnly(until: $0.until) }
    }

    /// The outcome of a check with these failures. Failures that reject hide those that do not: the
    /// latter are of no use before the former are mended.
    static func outcome(
        of failures: [Failure], passed: CheckStep.Passed? = nil
    ) -> CheckStep.Outcome {
        var rejecting: [Violation] = []
        var reported: [Reported] = []
        for failure in failures {
            guard let excuse = failure.excuse else {
                rejecting.append(failure.violation)
                continue
            }
            if let reason = Reported.Reason(excuse) {
                reported.append(Reported(violation: failure.violation, reason: reason))
            }
        }
        if !rejecting.isEmpty { return .failed(rejecting) }
        return reported.isEmpty ? .passed(passed) : .tolerated(reported)
    }
}

extension Waiver.Tolerance {
    /// The checks whose violations a waiver names.
    fileprivate var checks: [Check] {
        switch self {
        case .identity: return [.identity]
        case .path: return [.anchor]
        case .expired: return [.validity]
        case .revocation: return [.revocation]
        case .pins: return [.pins]
        case .transparency: return [.transparency]
        case .tls: return [.tls]
        case .keys: return [.keys]
        case .issuance: return [.standard]
        case .signatures: return [.signatureAlgorithms]
        case .cleartext: return [.cleartext]
        }
    }

    /// How far it goes, where that is said.
    fileprivate var limit: DemandStep.WaiverLimit? {
        switch self {
        case .expired(let seconds): return .tolerance(seconds: seconds)
        case .tls(let version): return .minimumVersion(version)
        case .keys(let bits): return .rsaMinimum(bits)
        case .signatures(let hash): return .minimumHash(hash)
        case .issuance(let demands): return .demands(demands.ids)
        case .identity, .path, .revocation, .pins, .transparency, .cleartext: return nil
        }
    }
}

extension ReportOnly.Check {
    /// The check whose violations an entry of `report-only` speaks of.
    fileprivate var check: Check {
        switch self {
        case .pins: return .pins
        case .revocation: return .revocation
        case .transparency: return .transparency
        case .tls: return .tls
        case .keys: return .keys
        case .signatures: return .signatureAlgorithms
        case .lifetime: return .lifetime
        case .custom: return .checks
        }
    }
}
