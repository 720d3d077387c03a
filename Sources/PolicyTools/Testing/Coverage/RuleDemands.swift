import TrustEngine

/// A check that a rule's own fields demand, so that a test of the policy can see it pass and fail.
///
/// The checks that every rule makes of every chain, such as signatures and basic constraints, test
/// the engine and not the policy. They are left out. So are the fields that say what the baseline
/// says.
struct RuleDemand: Hashable {
    let check: Check
    /// The path with dots of the field that makes the demand: `pins`, `keys.rsa-minimum`.
    let path: String
    /// Whether some case can be accepted that meets the demand, and whether some case can be
    /// rejected by it, at an instant from the first one on.
    let canPass: Bool
    let canRefuse: Bool

    init(_ check: Check, _ path: String, canPass: Bool = true, canRefuse: Bool = true) {
        self.check = check
        self.path = path
        self.canPass = canPass
        self.canRefuse = canRefuse
    }

    /// The demands of a body in the order of `Check`; `default: deny` demands that a rule decides.
    ///
    /// - Parameter since: the earliest instant that is asked about. A pin set whose enforcement
    ///   ended before it rejects no case.
    static func all(
        of body: RuleBody?, sets: PolicySets, since: UTCInstant
    ) -> [RuleDemand] {
        guard let body else { return [RuleDemand(.rule, "default", canPass: false)] }
        var demands = [RuleDemand(.anchor, "anchors"), RuleDemand(.identity, "identity.reference")]
        if body.anchors.contains(where: { sets.isConstrained($0) }) {
            demands.append(RuleDemand(.anchorConstraints, "anchors"))
        }
        let pins = body.pins.compactMap { sets.pins[$0] }
        if !pins.isEmpty {
            let binds = pins.contains { set in
                guard let last = set.enforceUntil, set.onExpiry != .fail else { return true }
                return DatedTerm.isInForce(until: last, at: since)
            }
            demands.append(RuleDemand(.pins, "pins", canRefuse: binds))
        }
        if body.waivers.contains(where: { $0.tolerance == .cleartext }) {
            demands.append(RuleDemand(.cleartext, "waivers.cleartext"))
        }
        var seen: Set<Check> = []
        for field in ProfileField.allCases {
            let value = body.requirements.value(of: field)
            guard value != Requirements.baseline.value(of: field), isDemanded(field, body),
                seen.insert(field.check).inserted
            else { continue }
            demands.append(RuleDemand(field.check, field.rawValue))
        }
        return Check.allCases.flatMap { check in demands.filter { $0.check == check } }
    }

    /// Whether a field that differs from the baseline demands something.
    private static func isDemanded(_ field: ProfileField, _ body: RuleBody) -> Bool {
        field.check != .transparency || body.requirements.transparency.isDemanded
    }
}

/// The anchor sets and pin sets of a policy, by id.
struct PolicySets {
    let anchors: [String: AnchorSetContents]
    let pins: [String: PinSetContents]

    init(_ contents: PolicyContents) {
        anchors = Dictionary(
            contents.anchorSets.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        pins = Dictionary(
            contents.pinSets.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether an anchor set constrains what its members vouch for.
    func isConstrained(_ id: String) -> Bool {
        anchors[id]?.groups.contains { !$0.constraints.isEmpty } ?? false
    }
}

extension ProfileField {
    /// The check that fails where a request does not meet the field.
    var check: Check {
        switch self {
        case .maximumIntermediates: return .pathLength
        case .keyPurposes: return .extendedKeyUsage
        case .certificatePolicies, .requiresExplicitPolicy, .inhibitsPolicyMapping,
            .inhibitsAnyPolicy:
            return .certificatePolicies
        case .enforcesIssuance: return .standard
        case .keyTypes, .leafKeyTypes, .rsaMinimum: return .keys
        case .minimumHash, .signatureSchemes: return .signatureAlgorithms
        case .clockSkew: return .validity
        case .maximumLifetime, .lifetimeSteps: return .lifetime
        case .revocationPreset, .revocationCausesUnknown, .revocationCausesNoEndpoint,
            .revocationCausesUnreachable, .revocationCausesStale, .revocationCausesMalformed,
            .revocationCausesNotCovered, .revocationCausesNotEnrolled, .revocationSources,
            .revocationScope, .revocationNetwork,
            .revocationMaximumAge, .revocationShortLived, .revocationCrliteMaximumAge,
            .revocationCrliteGrace:
            return .revocation
        case .transparencyPreset, .transparencyMinimumSCTs, .transparencyMinimumOperators,
            .transparencyLogList, .transparencyLogListMaximumAge, .transparencyWhenStale,
            .transparencyExemptAnchors:
            return .transparency
        case .tlsMinimumVersion, .tlsMaximumVersion, .tlsRequiresForwardSecrecy, .tlsCipherSuites,
            .tlsGroups, .tlsSignatureSchemes, .tlsAlpn:
            return .tls
        case .forbiddenKeys: return .forbiddenKeys
        case .checks: return .checks
        }
    }
}
