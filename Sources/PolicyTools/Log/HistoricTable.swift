import Rendering
package import TrustEngine

/// The table of one version of a unit. What a comparison needs of it is read once, however many
/// versions it is compared with.
package final class HistoricTable {
    package let table: PolicyTable
    let behaviours: PolicyBehaviours
    let places: FieldPlaces

    /// The first instant of all. A history is compared at every instant, because the dates of
    /// commits are what their authors wrote.
    package static let beginning = UTCInstant(secondsSinceEpoch: -62_135_596_800)

    /// Cost: linear in the table.
    package init(_ table: PolicyTable) {
        self.table = table
        behaviours = PolicyBehaviours(table, since: HistoricTable.beginning)
        places = FieldPlaces(table, behaviours.contents)
    }

    /// What decides a host: the index of a rule, or `HostClass.byDefault`.
    func decider(of host: CanonicalHost, port: UInt16) -> Int {
        table.lookUp(host, port: port).map { Int($0.rule) } ?? HostClass.byDefault
    }
}

/// How the behaviour of one host differs between two versions of a unit, by the same order and in
/// the same words as in `hawser diff`.
package struct HostChange: Sendable {
    /// A field during a part of time.
    package struct Field: Hashable, Sendable {
        package let field: PolicyDiff.Field
        /// The first instant; nil where it has none.
        package let from: UTCInstant?
        /// The first instant at which it holds no more; nil where it has none.
        package let until: UTCInstant?
    }

    package let relation: Relation
    package let fields: [Field]
    package let rules: PolicyDiff.RulePair
    package let authorities: PolicyDiff.AuthorityChange

    /// Compares two versions at every instant.
    ///
    /// - Returns: nil where the host is decided alike.
    package static func between(
        _ old: HistoricTable, _ new: HistoricTable, host: CanonicalHost, port: UInt16,
        crypto: any CryptoBackend
    ) -> HostChange? {
        if old.table.policyDigest == new.table.policyDigest { return nil }
        let pair = DecidingPair(
            old: old.decider(of: host, port: port), new: new.decider(of: host, port: port))
        var answers = PairAnswers(
            old.behaviours, new.behaviours, oldPlaces: old.places, since: HistoricTable.beginning,
            store: nil, crypto: crypto)
        let (relation, timelines) = answers.whole(of: pair)
        guard relation != .equal || !timelines.isEmpty else { return nil }
        return HostChange(
            relation: relation, fields: timelines.flatMap(spans),
            rules: PolicyDiff.RulePair(
                old: old.places.rule(pair.old).reference,
                new: new.places.rule(pair.new).reference),
            authorities: PolicyDiff.AuthorityChange(timelines.map(\.authorities)))
    }

    /// The parts of time in which a field differs.
    private static func spans(_ timeline: FieldTimeline) -> [Field] {
        let entries = timeline.entries
        return entries.indices.compactMap { index in
            guard let field = entries[index].field else { return nil }
            let from = entries[index].from
            return Field(
                field: field, from: from == HistoricTable.beginning ? nil : from,
                until: index + 1 < entries.count ? entries[index + 1].from : nil)
        }
    }

    /// Whether every difference had ended before an instant.
    package func hasEnded(by time: UTCInstant) -> Bool {
        fields.allSatisfy { field in field.until.map { $0 <= time } ?? false }
    }
}

/// Who could have vouched for one host under a version of a unit, at an instant.
package struct HostSpeakers: Sendable {
    /// A waiver or an entry of `report-only` that is in force.
    package struct Exception: Hashable, Sendable {
        /// `waivers.path`.
        package let path: String
        package let until: UTCInstant
        /// What the exception lets pass, where it makes the authorities void: anyone can speak.
        package let opens: String?
        /// The owner of a waiver.
        package let owner: String?
    }

    /// The rule that decides; `default` where the id is empty.
    package let rule: RuleReference
    package let denies: Bool
    /// The authorities of the rule's anchor sets.
    package let authorities: [PolicyDiff.Authority]
    /// The pin sets of the rule, with what a mismatch does.
    package let pins: [(id: String, state: String)]
    /// Whether the pinned keys are the authorities.
    package let arePinnedKeys: Bool
    package let exceptions: [Exception]

    /// - Parameters:
    ///   - start: the first instant of the asked time. What ends after it counts.
    ///   - end: the last instant, as of which pins are told.
    package init(
        _ version: HistoricTable, host: CanonicalHost, port: UInt16, from start: UTCInstant,
        through end: UTCInstant, crypto: any CryptoBackend
    ) {
        let index = version.decider(of: host, port: port)
        rule = version.places.rule(index).reference
        guard let body = version.behaviours.body(of: index),
            case .body(let behaviour) = version.behaviours.behaviour(of: index)
        else {
            denies = true
            (authorities, pins, arePinnedKeys, exceptions) = ([], [], false, [])
            return
        }
        denies = false
        authorities = behaviour.anchors.authorities.map { PolicyDiff.Authority($0, crypto: crypto) }
        arePinnedKeys = behaviour.anchorsArePinnedKeys
        let sets = version.behaviours.contents.pinSets
        pins = body.pins.compactMap { id in
            sets.first { $0.id == id }.map { (id, PinSetChange.state($0, at: end)) }
        }
        exceptions =
            body.waivers.filter { $0.isInForce(at: start) }.map { waiver in
                Exception(
                    path: "waivers.\(waiver.tolerance.name)", until: waiver.until,
                    opens: HostSpeakers.opens(waiver.tolerance), owner: waiver.owner)
            }
            + body.reportOnly.filter { DatedTerm.isInForce(until: $0.until, at: start) }.map {
                Exception(
                    path: "report-only.\($0.check.name)", until: $0.until, opens: nil, owner: nil)
            }
    }

    /// Whom an exception lets speak besides the authorities; nil for nobody.
    private static func opens(_ tolerance: Waiver.Tolerance) -> String? {
        switch tolerance {
        case .path: return "anyone, by any certificate"
        case .cleartext: return "anyone, without TLS"
        case .identity: return "whoever has a certificate of the authorities, for any name"
        case .expired, .revocation, .pins, .transparency, .tls, .keys, .issuance, .signatures:
            return nil
        }
    }
}
