// Demands that every behaviour of a class must enforce (`hawser assert`, `at-least`). The floor is
// the behaviour itself with the demanded values in place of its own, so that each field is compared
// by its own entry of the order, whatever the other fields say.

/// Demands that a behaviour must enforce at least.
package struct DemandFloor: Sendable {
    /// The anchors that may be trusted.
    package enum Anchors: Sendable {
        case any
        /// Any but the machine's store.
        case listed
        /// The members of these sets, on the terms of these sets.
        case within(TrustedMembers, names: [String])
        /// The keys that the rule pins.
        case pinnedKeys
    }

    /// Fields with the values that are demanded, in the order of `ProfileField`: a preset comes
    /// before the fields that refine it.
    package let settings: [(field: ProfileField, value: FieldValue)]
    package let forbiddenKeys: [ForbiddenKey]
    package let anchors: Anchors
    /// Whether every accepted path must match a pin set that is enforced.
    package let bindsPins: Bool
    /// The log list that `settings` demands.
    private let logList: LogListTerms?

    /// Makes a floor.
    ///
    /// - Parameter logLists: the contents of the log list that `settings` demands.
    package init(
        settings: [(field: ProfileField, value: FieldValue)], forbiddenKeys: [ForbiddenKey],
        anchors: Anchors, bindsPins: Bool, logLists: [LogListContents]
    ) {
        self.settings = settings
        self.forbiddenKeys = forbiddenKeys
        self.anchors = anchors
        self.bindsPins = bindsPins
        var written = Requirements.baseline
        for (field, value) in settings { written.write(field, value) }
        logList = written.transparency.logList.map { LogListTerms($0, among: logLists) }
    }

    fileprivate var limitsAnchors: Bool {
        switch anchors {
        case .any: return false
        case .listed, .within, .pinnedKeys: return true
        }
    }

    /// The fields that are demanded, `forbidden-keys` among them.
    fileprivate var fields: [ProfileField] {
        settings.map(\.field) + (forbiddenKeys.isEmpty ? [] : [.forbiddenKeys])
    }

    /// Whether a value demands nothing and stands in the way of what other fields demand: `none` as
    /// the preset of transparency, beside numbers of timestamps.
    private func isMoot(_ field: ProfileField, _ value: FieldValue) -> Bool {
        guard field == .transparencyPreset else { return false }
        var written = Requirements.baseline
        written.write(field, value)
        return !written.transparency.isDemanded
            && fields.contains { $0.isOfTransparency && $0 != .transparencyPreset }
    }

    /// A body with the demanded values in place of its own.
    fileprivate func under(_ body: BehaviourBody) -> BehaviourBody {
        var floor = body
        for (field, value) in settings where !isMoot(field, value) {
            floor.requirements.write(field, value)
        }
        floor.requirements.forbiddenKeys = forbiddenKeys
        // A demand for timestamps applies to every path unless it lists exempt anchors.
        if fields.contains(where: \.isOfTransparency), !fields.contains(.transparencyExemptAnchors)
        {
            floor.requirements.transparency.exemptAnchors = []
        }
        if let logList { floor.logListTerms = logList }
        return floor
    }
}

/// Why a behaviour does not enforce a demand.
package struct Shortfall: Hashable, Sendable {
    /// What stands in the way.
    package enum Cause: Hashable, Sendable {
        /// A field demands less, or something else where neither implies the other.
        case field(FieldComparison)
        /// An exception that is in force lets failures pass: its path and its last second.
        case excepted(by: String, until: UTCInstant)
        /// No pin set is enforced. The ids of the sets that the rule names.
        case unbound([String])
        /// An authority that must not be an anchor.
        case trusts(TrustedMember)
        /// The machine's store is trusted, and its filters do not exclude the key. The id of the
        /// anchor set.
        case keepsInStore(String)
        /// A pinned key is the anchor. `isKnown` is false where the pin's digest does not tell
        /// whether it is the key.
        case pinned(PinnedKey, isKnown: Bool)
        /// The rule's pinned keys are not its anchors.
        case notPinnedKeys([String])
        /// No entry of `forbidden-keys` names the key at every date of issue.
        case notForbidden
        /// The behaviour as a whole, where no field tells it.
        case whole(Relation)
        /// A body decides, and nothing should be accepted.
        case decides
        /// A listed name suffices in place of the host.
        case listedNames
        /// The pin set of this id is past its last day of enforcement, and a mismatch does not
        /// reject.
        case unenforced(String, PinDemand.End)
        /// The owner of the rule that decides; nil where it has none.
        case owned(by: String?)
    }

    /// The demand, by its path with dots.
    package let path: String
    package let cause: Cause
}

extension BehaviourOrder {
    /// The demands of a floor that a behaviour does not enforce at an instant; empty if it enforces
    /// all. `deny` enforces every demand.
    package func shortfalls(
        of behaviour: Behaviour, below floor: DemandFloor, at time: UTCInstant
    ) -> [Shortfall] {
        guard case .body(let body) = behaviour, case .body(let now) = behaviour.asOf(time) else {
            return []
        }
        var found = excepted(floor, body, now, at: time)
        found += fields(now, floor).map { Shortfall(path: $0.path, cause: .field($0)) }
        if floor.bindsPins, !now.pins.contains(where: { $0.end == nil }) {
            found.append(Shortfall(path: "pins", cause: .unbound(body.pins.map(\.id))))
        }
        return found + anchors(now, floor.anchors)
    }

    /// How a behaviour is not known to be as strict as another at an instant; empty if it is.
    package func shortfalls(
        of behaviour: Behaviour, against other: Behaviour, at time: UTCInstant
    ) -> [Shortfall] {
        let comparison = compare(behaviour.asOf(time), other.asOf(time))
        guard !comparison.relation.isNoWeaker else { return [] }
        let fields = comparison.fields.filter { !$0.relation.isNoWeaker }
        guard !fields.isEmpty else {
            return [Shortfall(path: "rule", cause: .whole(comparison.relation))]
        }
        return fields.map { Shortfall(path: $0.path, cause: .field($0)) }
    }

    /// The demands that exceptions in force suspend.
    private func excepted(
        _ floor: DemandFloor, _ body: BehaviourBody, _ now: BehaviourBody, at time: UTCInstant
    ) -> [Shortfall] {
        let inForce = body.exceptions.filter {
            DatedTerm.isInForce(until: $0.until, at: time) && !$0.isIdle(in: now)
        }
        return inForce.flatMap { exception in
            var paths = floor.fields.filter { exception.suspends($0) }.map(\.rawValue)
            if floor.bindsPins, exception.lets(.pins) || exception.letsAnyone {
                paths.append("pins")
            }
            if floor.limitsAnchors, exception.letsAnyone { paths.append("anchors") }
            return paths.map {
                Shortfall(
                    path: $0, cause: .excepted(by: exception.path, until: exception.until))
            }
        }
    }

    /// The demanded fields in which a body is not as strict.
    private func fields(_ now: BehaviourBody, _ floor: DemandFloor) -> [FieldComparison] {
        let there = floor.under(now)
        let order = RequirementOrder(
            now.requirements, there.requirements, logLists: logLists(of: now, there),
            comparesExemptNames: true)
        // A value that is stricter by its field's own order meets the demand, also where it changes
        // which revocation evidence counts (`EvidenceOrder`). Only an equal value meets a demand on
        // a field that has no stricter direction.
        let found = order.fields().filter { field in
            field.relation != .equal && !field.leaning.isNoWeaker
        }
        // The order of transparency says nothing where neither side demands any.
        guard !now.requirements.transparency.isDemanded,
            !there.requirements.transparency.isDemanded
        else { return found }
        return found
            + floor.settings.filter { $0.field.isOfTransparency && $0.field != .transparencyPreset }
            .map {
                FieldComparison($0.field.rawValue, .weaker, .absent, .field($0.field, $0.value))
            }
    }

    private func anchors(_ now: BehaviourBody, _ wanted: DemandFloor.Anchors) -> [Shortfall] {
        switch wanted {
        case .any: return []
        case .listed:
            let stores = now.anchors.members.filter { $0.certificate == nil }
            return stores.prefix(1).map { Shortfall(path: "anchors", cause: .trusts($0)) }
        case .within(let members, let names):
            var floor = now
            floor.anchors = members
            floor.anchorNames = names
            floor.anchorsArePinnedKeys = false
            let relation = anchors.relation(now, floor)
            guard !relation.isNoWeaker else { return [] }
            let fields = anchors.compare(now, floor).filter { !$0.relation.isNoWeaker }
            guard !fields.isEmpty else {
                return [Shortfall(path: "anchors", cause: .whole(relation))]
            }
            return fields.map { Shortfall(path: $0.path, cause: .field($0)) }
        case .pinnedKeys:
            return now.anchorsArePinnedKeys
                ? [] : [Shortfall(path: "anchors", cause: .notPinnedKeys(now.anchorNames))]
        }
    }
}

extension BehaviourBody {
    /// The body with every field of LANGUAGE section 8 as a profile has it, and with the exceptions
    /// of the profile in place of its own. A profile has no waivers, so the names and the pins of
    /// the body are enforced. A profile that names no log list takes the list of the body.
    package func held(
        to requirements: Requirements, reportOnly: [ReportOnly], logLists: [LogListContents]
    ) -> BehaviourBody {
        var held = self
        held.requirements = requirements
        if let list = requirements.transparency.logList {
            held.logListTerms = LogListTerms(list, among: logLists)
        } else {
            held.requirements.transparency.logList = self.requirements.transparency.logList
        }
        held.exceptions = DatedException.all([], reportOnly)
        return held
    }
}

extension ProfileField {
    /// Whether no value of the field changes a verdict, neither by itself nor by the fields that it
    /// stands for.
    package var decidesNothing: Bool {
        guard descriptor.stricter == .none, case .word(let words) = descriptor.kind else {
            return false
        }
        return words.words.allSatisfy { word in
            var written = Requirements.baseline
            written.write(self, .word(word.number))
            return written.differences(from: .baseline).allSatisfy { $0 == self }
        }
    }

    fileprivate var isOfTransparency: Bool { rawValue.hasPrefix("transparency.") }
}

extension DatedException {
    /// Whether a request can be accepted under the exception that does not meet what a field
    /// demands.
    func suspends(_ field: ProfileField) -> Bool {
        func isOf(_ section: String) -> Bool { field.rawValue.hasPrefix(section + ".") }
        switch kind {
        case .waiver(.cleartext): return true
        // Then the path is only the leaf. The demands on the leaf and on TLS still apply.
        case .waiver(.path):
            return !isOf("tls")
                && ![.maximumLifetime, .lifetimeSteps, .leafKeyTypes].contains(field)
        case .waiver(.identity), .waiver(.pins), .report(.pins): return false
        case .waiver(.expired): return field == .clockSkew
        case .waiver(.revocation), .report(.revocation): return isOf("revocation")
        case .waiver(.transparency), .report(.transparency): return isOf("transparency")
        case .waiver(.tls), .report(.tls): return isOf("tls")
        case .waiver(.keys), .report(.keys): return isOf("keys")
        case .waiver(.signatures), .report(.signatures): return isOf("signatures")
        case .waiver(.issuance): return field == .enforcesIssuance
        case .report(.lifetime): return field == .maximumLifetime || field == .lifetimeSteps
        case .report(.custom): return field == .checks
        }
    }

    /// Whether the peer is accepted without the word of an anchor of the rule: a leaf of any
    /// issuer, or a connection that shows no certificate.
    var letsAnyone: Bool { kind == .waiver(.path) || letsCleartext }

    /// Whether a connection without TLS is accepted.
    var letsCleartext: Bool { kind == .waiver(.cleartext) }

    /// Whether a certificate for another name is accepted.
    var letsAnyName: Bool { kind == .waiver(.identity) || letsCleartext }
}

extension LogListTerms {
    /// A list by its digest, with its logs where one of the given lists has them.
    fileprivate init(_ digest: Digest, among lists: [LogListContents]) {
        guard let list = lists.first(where: { $0.digest == digest }) else {
            self.init(named: digest)
            return
        }
        self.init(list)
    }
}
