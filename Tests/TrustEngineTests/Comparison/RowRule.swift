import TestPKI
import TrustEngine

/// A rule that a row of the tests of the order compares: by default one that trusts one root and
/// pins nothing.
struct RowRule: Sendable {
    var sets = [RowRule.set()]
    var pins: [PinSetContents] = []
    var anchorsArePinnedKeys = false
    var requirements = Requirements()
    var identity = IdentityRequirement()
    var waivers: [Waiver] = []
    var reportOnly: [ReportOnly] = []

    init(_ change: (inout RowRule) -> Void = { _ in }) { change(&self) }

    func with(_ change: (inout RowRule) -> Void) -> RowRule {
        var rule = self
        change(&rule)
        return rule
    }

    /// An anchor set with one group.
    static func set(
        _ id: String = "corp", _ members: [[UInt8]] = [Chains.root.der],
        kind: AnchorKind = .root, standard: Standard = .rfc5280, ignoring limits: AnchorLimits = []
    ) -> AnchorSetContents {
        AnchorSetContents(
            id: id,
            groups: [
                AnchorGroup(
                    source: .members(members), kind: kind, standard: standard,
                    ignoredLimits: limits)
            ])
    }

    /// The machine's store, held to constraints and filters.
    static func store(
        _ constraints: [AnchorConstraints] = [], _ filters: [AnchorFilter] = []
    ) -> RowRule {
        RowRule {
            $0.sets = [
                AnchorSetContents(
                    id: "store",
                    groups: [
                        AnchorGroup(
                            source: .system, standard: .webPKI, constraints: constraints,
                            filters: filters)
                    ])
            ]
        }
    }

    static func pinSet(
        _ id: String, _ keys: [(match: KeyMatch, at: PinPosition)],
        certificates: [[UInt8]] = [], _ change: (inout PinSetContents) -> Void = { _ in }
    ) -> PinSetContents {
        var set = PinSetContents(
            id: id,
            keys: keys.enumerated().map { index, key in
                PinContents(
                    id: "key-\(index)", matches: [key.match], position: key.at,
                    certificates: certificates, note: nil)
            },
            backups: [], match: 1, warnFrom: nil, enforceUntil: nil, onExpiry: .fail, owner: nil,
            note: nil)
        change(&set)
        return set
    }

    mutating func waive(_ tolerance: Waiver.Tolerance, until: UTCInstant = .day(100)) {
        waivers.append(
            Waiver(tolerance: tolerance, until: until, reason: "r", owner: "o", ticket: nil))
    }

    mutating func report(_ check: ReportOnly.Check, until: UTCInstant = .day(100)) {
        reportOnly.append(ReportOnly(check: check, until: until, note: nil))
    }

    static func waiving(
        _ tolerance: Waiver.Tolerance, until: UTCInstant = .day(100)
    ) -> RowRule {
        RowRule { $0.waive(tolerance, until: until) }
    }

    static func reporting(
        _ check: ReportOnly.Check, until: UTCInstant = .day(100)
    ) -> RowRule {
        RowRule { $0.report(check, until: until) }
    }

    var body: BehaviourBody {
        let body = RuleBody(
            anchors: anchorsArePinnedKeys ? [] : sets.map(\.id).sorted(),
            anchorsArePinnedKeys: anchorsArePinnedKeys, pins: pins.map(\.id), profile: "baseline",
            requirements: requirements, identity: identity, reportOnly: reportOnly,
            waivers: waivers, owner: nil, note: nil)
        return TrustedSets(anchorSets: sets, pinSets: pins, logLists: RandomPolicies.logLists)
            .behaviour(of: body)
    }

    var behaviour: Behaviour { .body(body) }
}
