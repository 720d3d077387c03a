// The order of all profile fields. A field is compared by itself where the schema says which
// direction is stricter. Fields whose effects depend on each other are compared together, by a
// function of this file; each such comparison holds whatever the remaining fields are.

/// Compares the resolved fields of two profiles or rules.
package struct RequirementOrder {
    /// How revocation evidence limits the order of fields that decide which evidence counts.
    let evidence: EvidenceOrder
    private let here: Requirements
    private let there: Requirements
    private let logLists: LogLists
    /// Whether exempt anchors are compared by the ids of their sets. Where the sets are at hand,
    /// the exemption is a term of each anchor (`AnchorTerms`).
    private let comparesExemptNames: Bool

    /// The log lists in use on the two sides.
    struct LogLists {
        let here: LogListTerms?
        let there: LogListTerms?
        /// Only requests that are judged at this instant or later are compared.
        let since: UTCInstant?
        let order: LogListOrder

        init(here: BehaviourBody, there: BehaviourBody, order: LogListOrder) {
            self.here = here.logListTerms
            self.there = there.logListTerms
            since = BehaviourOrder.since(here, there)
            self.order = order
        }

        /// The lists that requirements name. Their logs are not at hand.
        fileprivate init(_ here: Requirements, _ there: Requirements) {
            self.here = here.transparency.logList.map { LogListTerms(named: $0) }
            self.there = there.transparency.logList.map { LogListTerms(named: $0) }
            since = nil
            order = LogListOrder()
        }

        fileprivate var change: LogListChange { order.change(here, there, since: since) }
    }

    /// A group of fields that are compared together.
    private struct Group {
        let fields: [ProfileField]
        let compare: @Sendable (RequirementOrder) -> [FieldComparison]
    }

    private static let groups = [
        Group(fields: [.maximumLifetime, .lifetimeSteps]) { $0.lifetimes() },
        Group(fields: [.revocationSources]) { $0.sources() },
        Group(
            fields: [
                .transparencyPreset, .transparencyMinimumSCTs, .transparencyMinimumOperators,
                .transparencyLogList, .transparencyLogListMaximumAge, .transparencyWhenStale,
                .transparencyExemptAnchors,
            ]
        ) { $0.transparency() },
    ]

    /// The fields that are compared in groups (`x-hawser-stricter: together`).
    package static let grouped = groups.flatMap(\.fields)

    /// Compares the fields that profiles or rules of one policy write, where anchor sets are not at
    /// hand.
    package init(_ here: Requirements, _ there: Requirements) {
        self.init(here, there, logLists: LogLists(here, there), comparesExemptNames: true)
    }

    init(
        _ here: Requirements, _ there: Requirements, logLists: LogLists, comparesExemptNames: Bool
    ) {
        self.here = here
        self.there = there
        self.logLists = logLists
        self.comparesExemptNames = comparesExemptNames
        evidence = EvidenceOrder(here.revocation.causes, there.revocation.causes)
    }

    /// The fields that differ, in the order of the language.
    package func fields() -> [FieldComparison] {
        var parts = here.differences(from: there).map(RequirementOrder.part)
        // Two engines can use two different log lists under one digest.
        if logLists.here != logLists.there {
            parts.append(RequirementOrder.part(of: .transparencyLogList))
        }
        guard !parts.isEmpty else { return [] }
        let found = ProfileField.allCases.filter(parts.contains).flatMap {
            field -> [FieldComparison] in
            // The entries of this field are compared one by one; each has a path of its own.
            if field == .forbiddenKeys { return forbiddenKeys() }
            return RequirementOrder.group(of: field)?.compare(self) ?? plain(field)
        }
        return found + (found.contains(where: disturbsEvidence) ? [EvidenceOrder.disturbance] : [])
    }

    /// Whether a difference can work against its own order, because it also decides which evidence
    /// counts or where it comes from.
    private func disturbsEvidence(_ found: FieldComparison) -> Bool {
        guard let field = ProfileField(rawValue: found.path) else { return false }
        if field == .revocationSources {
            return found.relation != .incomparable && found.leaning == .incomparable
        }
        return evidence.disturbs(found.relation, field.descriptor.evidence)
    }

    /// The group that a field is compared in; nil for a field that is compared by itself.
    private static func group(of field: ProfileField) -> Group? {
        guard field.descriptor.stricter == .together else { return nil }
        return groups.first { $0.fields.contains(field) }
    }

    /// The field at whose place a field is compared: the first of its group, or itself.
    private static func part(of field: ProfileField) -> ProfileField {
        group(of: field)?.fields.first ?? field
    }

    private func plain(_ field: ProfileField) -> [FieldComparison] {
        let (own, other) = (here.value(of: field), there.value(of: field))
        guard own != other else { return [] }
        let relation = FieldOrder.relation(of: field, own, other)
        return [
            FieldComparison(
                field.rawValue, EvidenceOrder.relation(relation, field.descriptor.evidence),
                leaning: relation, .field(field, own), .field(field, other))
        ]
    }

    // MARK: Lifetimes

    /// The longest lifetime depends on the day of issue. It is compared on every day on which
    /// either side changes: before the first of these days only by `maximum-lifetime`, from each of
    /// these days on by the steps.
    private func lifetimes() -> [FieldComparison] {
        let days = Set((here.lifetimeSteps + there.lifetimeSteps).map(\.issuedFrom)).sorted()
        let start = days.first?.advanced(bySeconds: -1) ?? UTCInstant(secondsSinceEpoch: 0)
        func compare(
            _ field: ProfileField, at day: UTCInstant, _ remark: FieldComparison.Remark
        ) -> FieldComparison? {
            let (own, other) = (
                here.maximumLifetime(issuedAt: day), there.maximumLifetime(issuedAt: day)
            )
            guard own != other else { return nil }
            return FieldComparison(
                field.rawValue,
                Relation(
                    isNoWeaker: own ?? .max <= other ?? .max,
                    isNoStricter: own ?? .max >= other ?? .max), .seconds(own), .seconds(other),
                remark: remark)
        }
        return
            ([compare(.maximumLifetime, at: start, .none)]
            + days.map { compare(.lifetimeSteps, at: $0, .issuedFrom($0)) }).compactMap { $0 }
    }

    // MARK: Sources of revocation

    /// Compares the sources of revocation evidence. One more source can say *good* where no other
    /// source does, which is weaker. But it can also bring a cause with a harsher action. So the
    /// order holds by itself only where one action, `fail` or `report`, is the action of every
    /// cause of a side, or lies for every cause between the actions of the stricter and the weaker
    /// side. Elsewhere the field leans no way, and `EvidenceOrder.disturbance` is told beside it.
    /// Where every cause of a side passes, sources do not matter. The order of sources is only a
    /// preference: *revoked* from any source wins.
    private func sources() -> [FieldComparison] {
        let (own, other) = (here.revocation.sources, there.revocation.sources)
        guard own != other else { return [] }
        let field = ProfileField.revocationSources
        func comparison(_ relation: Relation) -> FieldComparison {
            FieldComparison(
                field.rawValue, relation, .field(field, here.value(of: field)),
                .field(field, there.value(of: field)))
        }
        let plain = Relation(
            isNoWeaker: Set(own).isSubset(of: other), isNoStricter: Set(other).isSubset(of: own))
        let (ours, theirs) = (here.revocation.causes, there.revocation.causes)
        if plain == .equal || all(ours, are: .pass) || all(theirs, are: .pass) {
            return [comparison(.equal)]
        }
        let isOneAction = [CauseAction.fail, .report].contains { action in
            all(ours, are: action) || all(theirs, are: action)
                || (plain.isNoWeaker ? lies(action, between: ours, theirs) : false)
                || (plain.isNoStricter ? lies(action, between: theirs, ours) : false)
        }
        return [isOneAction ? comparison(plain) : comparison(plain).withoutLeaning]
    }

    private func all(_ causes: RevocationCauses, are action: CauseAction) -> Bool {
        RevocationCause.allCases.allSatisfy { causes[$0] == action }
    }

    private func lies(
        _ action: CauseAction, between strict: RevocationCauses, _ weak: RevocationCauses
    ) -> Bool {
        RevocationCause.allCases.allSatisfy {
            strict[$0].rawValue <= action.rawValue && action.rawValue <= weak[$0].rawValue
        }
    }

    // MARK: Transparency

    /// Compares the fields of transparency. Where a side demands no timestamps, only the preset
    /// matters: what `constraints.sct` of an anchor demands of the log list is a term of that
    /// anchor. Two presets demand different things: two operators besides the certificate, or a log
    /// of RFC 6962. Two log lists are compared by their logs and by their dates (`LogListOrder`),
    /// each with an entry of its own. The dates have no effect where neither side looks at them.
    private func transparency() -> [FieldComparison] {
        let (own, other) = (here.transparency, there.transparency)
        let preset = FieldComparison(
            ProfileField.transparencyPreset.rawValue,
            Relation(
                isNoWeaker: own.preset == other.preset || !other.isDemanded,
                isNoStricter: own.preset == other.preset || !own.isDemanded),
            .word(own.preset.name), .word(other.preset.name))
        let presets = own.preset == other.preset ? [] : [preset]
        guard own.isDemanded, other.isDemanded else { return presets }
        var found = presets
        found += numbers(.transparencyMinimumSCTs, \.minimumSCTs) { $0.needs($1).logs }
        found += numbers(.transparencyMinimumOperators, \.minimumOperators) {
            $0.needs($1).operators
        }
        if logLists.here != logLists.there {
            let change = logLists.change
            let looksAtDates = own.whenStale != .pass || other.whenStale != .pass
            let dates = looksAtDates ? issued(change) : []
            if change.logs != .equal || dates.isEmpty {
                found.append(
                    FieldComparison(
                        ProfileField.transparencyLogList.rawValue, change.logs, .word("another"),
                        .word("this"), remark: .logList(change)))
            }
            found += dates
        }
        found += smaller(.transparencyLogListMaximumAge) { $0.transparency.logListMaximumAge }
        found += smaller(.transparencyWhenStale) { Int64($0.transparency.whenStale.rawValue) }
        let (exempt, others) = (Set(own.exemptAnchors), Set(other.exemptAnchors))
        if comparesExemptNames, exempt != others {
            found.append(
                FieldComparison(
                    ProfileField.transparencyExemptAnchors.rawValue,
                    Relation(
                        isNoWeaker: exempt.isSubset(of: others),
                        isNoStricter: others.isSubset(of: exempt)), .words(own.exemptAnchors),
                    .words(other.exemptAnchors)))
        }
        return found
    }

    /// The path under which the dates of two log lists are compared.
    package static let logListDate = ProfileField.transparencyLogList.rawValue + ".issued"

    /// The dates of two log lists that are at hand, where they differ.
    private func issued(_ change: LogListChange) -> [FieldComparison] {
        guard let own = change.issuedHere, let other = change.issuedThere, own != other else {
            return []
        }
        return [
            FieldComparison(
                RequirementOrder.logListDate, change.age, .instant(own), .instant(other))
        ]
    }

    private func smaller(
        _ field: ProfileField, _ value: (Requirements) -> Int64
    ) -> [FieldComparison] {
        let (own, other) = (value(here), value(there))
        guard own != other else { return [] }
        return [
            FieldComparison(
                field.rawValue, own < other ? .stricter : .weaker,
                .field(field, here.value(of: field)), .field(field, there.value(of: field)))
        ]
    }

    /// Compares the number of timestamps, or of operators, that is wanted in each way of meeting
    /// the demand. A written number is wanted of every certificate. The number of a preset depends
    /// on the lifetime and on how the timestamps are delivered. Where neither side writes a number,
    /// the preset's own comparison says all.
    private func numbers(
        _ field: ProfileField, _ written: (TransparencyRequirement) -> Int?,
        _ byPreset: (TransparencyPreset, TransparencyWay) -> Int
    ) -> [FieldComparison] {
        func needs(_ value: TransparencyRequirement) -> TransparencyNeeds {
            TransparencyNeeds { way in written(value) ?? byPreset(value.preset, way) }
        }
        let (own, other) = (needs(here.transparency), needs(there.transparency))
        guard written(here.transparency) != nil || written(there.transparency) != nil,
            own != other
        else { return [] }
        return [
            FieldComparison(
                field.rawValue,
                Relation(
                    isNoWeaker: !own.isLess(than: other), isNoStricter: !other.isLess(than: own)),
                leaning: .weaker, .needs(own), .needs(other))
        ]
    }

    // MARK: Forbidden keys

    /// Compares forbidden keys entry by entry. An entry that forbids a path which the other side
    /// does not forbid is stricter, whatever its name.
    private func forbiddenKeys() -> [FieldComparison] {
        let (own, other) = (here.forbiddenKeys, there.forbiddenKeys)
        guard own != other else { return [] }
        func lost(
            _ from: [ForbiddenKey], _ to: [ForbiddenKey]
        ) -> [(id: String, rest: FieldComparison.Value)] {
            from.filter { key in !key.isForbidden(by: to) }.map { key in
                (
                    key.id,
                    to.contains { $0.id == key.id } ? .word("forbidden in part") : .absent
                )
            }
        }
        func path(_ id: String) -> String { "\(ProfileField.forbiddenKeys.rawValue).\(id)" }
        return lost(other, own).map {
            FieldComparison(path($0.id), .weaker, $0.rest, .word("forbidden"))
        }
            + lost(own, other).map {
                FieldComparison(path($0.id), .stricter, .word("forbidden"), $0.rest)
            }
    }
}

extension ForbiddenKey {
    /// Whether the given entries together forbid every path that this entry forbids.
    func isForbidden(by entries: [ForbiddenKey]) -> Bool {
        matches.allSatisfy { match in
            let windows = entries.filter { $0.matches.contains(match) }.map {
                $0.notBefore ?? DateWindow()
            }
            return (notBefore ?? DateWindow()).isFilled(by: windows)
        }
    }
}

extension DateWindow {
    /// Whether every instant of this window lies in at least one of the given windows.
    func isFilled(by windows: [DateWindow]) -> Bool {
        let end = until?.secondsSinceEpoch ?? .max
        var next = from?.secondsSinceEpoch ?? .min
        // A window that several windows leave over can be empty.
        guard next <= end else { return true }
        let starts = windows.map { ($0.from?.secondsSinceEpoch ?? .min, $0.until) }
            .sorted { $0.0 < $1.0 }
        for (start, until) in starts where start <= next {
            guard let last = until?.secondsSinceEpoch, last < end else { return true }
            next = max(next, last + 1)
        }
        return false
    }

    /// Whether every instant of this window lies in another window.
    package func lies(in other: DateWindow) -> Bool { isFilled(by: [other]) }

    /// The instants that lie in this window and in another window. The result may be empty; its end
    /// is then before its start.
    func narrowed(by other: DateWindow) -> DateWindow {
        DateWindow(
            from: [from, other.from].compactMap { $0 }.max(),
            until: [until, other.until].compactMap { $0 }.min())
    }
}
