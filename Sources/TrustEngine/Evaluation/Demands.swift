/// What one rule demands at one instant: every check with what its failure does, decided once before
/// anything is looked at. Waivers, pins and report modes end by the validation time without skew
/// (LANGUAGE section 12.6).
struct Demands {
    /// A pin set of the rule and what its mismatch does now.
    struct PinDemand {
        let set: PinSetRecord
        /// Nil when a mismatch rejects.
        let excuse: Reported.Reason?
    }

    /// JSON pointer of the rule: `/rules/api` or `/default`.
    let base: String
    let rule: RuleRecord
    let requirements: Requirements
    let identity: IdentityRequirement
    /// Pin sets that are looked at; one that is `unpinned` after its last day is not.
    let pins: [PinDemand]
    /// Whether some set of the rule has constraints.
    private let isConstrained: Bool
    private(set) var identityWaiver: UTCInstant?
    private(set) var pathWaiver: UTCInstant?
    private(set) var pinsWaiver: UTCInstant?
    private(set) var expiredWaiver: (until: UTCInstant, tolerance: Int64)?

    init(engine: borrowing Engine, rule index: Int, at time: UTCInstant) {
        let table = engine.table
        let rule = table.rule(at: index)
        self.rule = rule
        self.base = index == table.ruleCount ? "/default" : "/rules/\(table.text(rule.id))"
        self.requirements = engine.requirements[Int(rule.requirements)]
        self.identity = table.identity(at: Int(rule.identity))
        let constrained = engine.isConstrained
        self.isConstrained = engine.setsTrusted(by: rule).contains { constrained[$0] }
        for position in 0..<Int(rule.waivers.count) {
            let waiver = table.waiver(rule, position)
            guard waiver.isInForce(at: time) else { continue }
            switch waiver.tolerance {
            case .identity: identityWaiver = waiver.until
            case .path: pathWaiver = waiver.until
            case .pins: pinsWaiver = waiver.until
            case .expired(let seconds): expiredWaiver = (waiver.until, seconds)
            case .revocation, .transparency, .tls, .keys, .signatures, .cleartext: break
            }
        }
        var pins: [PinDemand] = []
        for position in 0..<Int(rule.pins.count) {
            let set = table.pinSet(at: table.index(rule.pins, position))
            var excuse = pinsWaiver.map { Reported.Reason.waived(until: $0) }
            if let last = set.enforceUntil, !InForce.until(last, at: time) {
                switch set.onExpiry {
                case .fail: break
                case .report: excuse = excuse ?? .reportOnly
                case .unpinned: continue
                }
            }
            pins.append(PinDemand(set: set, excuse: excuse))
        }
        self.pins = pins
    }

    /// The checks asked of every candidate path, in the order in which they are made and traced:
    /// cheap ones first, signatures last.
    var pathChecks: [Check] {
        var checks: [Check] = [
            .anchor, .validity, .basicConstraints, .pathLength, .keyUsage, .extendedKeyUsage,
            .criticalExtensions, .algorithmAgreement, .keys, .signatureAlgorithms,
        ]
        if requirements.maximumLifetime != nil { checks.append(.lifetime) }
        checks.append(.standard)
        if isConstrained { checks.append(.anchorConstraints) }
        checks.append(.identity)
        if !pins.isEmpty { checks.append(.pins) }
        checks += [.revocation, .nameConstraints, .certificatePolicies, .signatures]
        return checks
    }

    /// What a failure of a check does.
    func enforcement(of check: Check) -> DemandStep.Enforcement {
        switch check {
        case .identity:
            return identityWaiver.map { .waived(until: $0, limit: nil) } ?? .enforced
        case .anchor:
            return pathWaiver.map { .waived(until: $0, limit: nil) } ?? .enforced
        case .validity:
            return expiredWaiver.map { .waived(until: $0.until, limit: $0.tolerance) } ?? .enforced
        case .pins:
            if let pinsWaiver { return .waived(until: pinsWaiver, limit: nil) }
            return pins.contains { $0.excuse != nil } ? .reported : .enforced
        case .revocation:
            return requirements.revocation.preset == .bestEffort ? .reported : .enforced
        default:
            return .enforced
        }
    }

    /// Where a demand is written, for a renderer to resolve through the layers of the rule.
    func pointer(of check: Check) -> String? {
        switch check {
        case .rule: return base
        case .anchor, .anchorConstraints: return base + "/anchors"
        case .validity: return base + "/validity/clock-skew"
        case .pathLength: return base + "/path/maximum-intermediates"
        case .extendedKeyUsage: return base + "/path/key-purposes"
        case .keys: return base + "/keys"
        case .signatureAlgorithms: return base + "/signatures"
        case .lifetime: return base + "/validity/maximum-lifetime"
        case .identity: return base + "/identity"
        case .pins: return base + "/pins"
        case .revocation: return base + "/revocation"
        case .tls: return base + "/tls"
        default: return nil
        }
    }

    /// The inputs of path validation.
    func pathParameters(at time: UTCInstant) -> PathParameters {
        PathParameters(
            time: time, clockSkew: requirements.clockSkew, keyPurposes: requirements.keyPurposes,
            maximumIntermediates: requirements.maximumIntermediates,
            keyTypes: requirements.keyTypes, leafKeyTypes: requirements.leafKeyTypes,
            rsaMinimum: requirements.rsaMinimum, minimumHash: requirements.minimumHash,
            signatureSchemes: requirements.signatureSchemes,
            maximumLifetime: requirements.maximumLifetime,
            expiredTolerance: expiredWaiver?.tolerance)
    }
}
