import PolicyCompiler
import TrustEngine

/// Compares what two assertions demand, each with the sets of its own policy.
struct DemandComparison {
    private let was: PolicyBehaviours
    private let now: PolicyBehaviours
    private let since: UTCInstant
    private let order = BehaviourOrder()
    /// A body with the values of the baseline, without anchors, pins and exceptions.
    let neutral: BehaviourBody

    init(_ was: AssertionGuard, _ now: AssertionGuard, since: UTCInstant) {
        self.init(was.policy.table, now.policy.table, since: since)
    }

    /// - Parameters:
    ///   - was: the policy of the demands that are to be implied.
    ///   - now: the policy of the demands that imply.
    init(_ was: PolicyTable, _ now: PolicyTable, since: UTCInstant) {
        self.was = PolicyBehaviours(was, since: since)
        self.now = PolicyBehaviours(now, since: since)
        self.since = since
        let body = RuleBody(
            anchors: [], pins: [], profile: BuiltInProfile.baseline.rawValue,
            requirements: .baseline, identity: IdentityRequirement(), waivers: [], owner: nil,
            note: nil)
        guard case .body(let neutral) = self.now.behaviour(ofBody: body) else {
            preconditionFailure("a body has the behaviour of a body")
        }
        self.neutral = neutral
    }

    // MARK: Behaviours

    func isNoWeaker(_ body: BehaviourBody, than other: BehaviourBody) -> Bool {
        isNoWeaker(Behaviour.body(body), than: .body(other))
    }

    private func isNoWeaker(_ one: Behaviour, than other: Behaviour) -> Bool {
        order.timeline(one, other, since: since)
            .allSatisfy { $0.comparison.relation.isNoWeaker }
    }

    func isNoWeaker(rule new: String, than old: String) -> Bool {
        guard let one = now.contents.rules.firstIndex(where: { $0.id == new }),
            let other = was.contents.rules.firstIndex(where: { $0.id == old })
        else { return false }
        return isNoWeaker(now.behaviour(of: one), than: was.behaviour(of: other))
    }

    var isDefaultNoWeaker: Bool {
        isNoWeaker(
            now.behaviour(of: DecidingBehaviours.byDefault),
            than: was.behaviour(of: DecidingBehaviours.byDefault))
    }

    // MARK: `at-least`

    /// Whether one demand of a floor is implied by another floor. Nil for a demand that is not
    /// known here.
    func isImplied(_ name: String, of old: AssertedFloor, by new: AssertedFloor) -> Bool? {
        switch name {
        case "pins": return new.bindsPins || !old.bindsPins
        case "anchors": return areAnchorsImplied(old.anchors, by: new.anchors)
        case ProfileField.forbiddenKeys.rawValue:
            return order.isEmpty(
                shortfallsOf: body(new), below: floor(old, settings: [], old.forbiddenKeys),
                at: since)
        // Any other name is a field's, or is not known.
        default:
            guard let field = ProfileField(rawValue: name),
                let wanted = old.settings.first(where: { $0.field == field })
            else { return nil }
            return isImplied(wanted, of: old, by: new)
        }
    }

    private func isImplied(
        _ wanted: BoundSetting, of old: AssertedFloor, by new: AssertedFloor
    ) -> Bool {
        let field = wanted.field
        let own = new.settings.first { $0.field == field }
        if own?.value == wanted.value { return true }
        // A preset stands for the causes that are not written beside it.
        let isStoodFor =
            field.section == "revocation.causes"
            && new.settings.contains { $0.field == .revocationPreset }
        guard own != nil || isStoodFor else { return false }
        return order.isEmpty(
            shortfallsOf: body(new, beside: old, field),
            below: floor(old, settings: [(field, wanted.value)], []), at: since)
    }

    /// The body that has exactly what a floor demands, and otherwise the baseline's values.
    private func body(
        _ floor: AssertedFloor, beside old: AssertedFloor? = nil, _ field: ProfileField? = nil
    ) -> BehaviourBody {
        var requirements = Requirements.baseline
        // The fields of transparency say how and not whether. They are compared where timestamps
        // are demanded, whichever preset demands them.
        if let field, field != .transparencyPreset, field.rawValue.hasPrefix("transparency."),
            let preset = old?.settings.first(where: { $0.field == .transparencyPreset })?.value
                ?? DemandComparison.demandedTimestamps
        {
            requirements.write(.transparencyPreset, preset)
        }
        for setting in floor.settings { requirements.write(setting.field, setting.value) }
        requirements.forbiddenKeys = floor.forbiddenKeys
        return neutral.held(to: requirements, reportOnly: [], logLists: floor.logLists)
    }

    private static var demandedTimestamps: FieldValue? {
        guard case .word(let words) = ProfileField.transparencyPreset.descriptor.kind,
            let number = words.number(of: "chrome")
        else { return nil }
        return .word(number)
    }

    private func floor(
        _ floor: AssertedFloor, settings: [(field: ProfileField, value: FieldValue)],
        _ keys: [ForbiddenKey], _ anchors: DemandFloor.Anchors = .any
    ) -> DemandFloor {
        DemandFloor(
            settings: settings, forbiddenKeys: keys, anchors: anchors, bindsPins: false,
            logLists: floor.logLists)
    }

    private func areAnchorsImplied(
        _ old: AssertedFloor.Anchors?, by new: AssertedFloor.Anchors?
    ) -> Bool {
        switch (old, new) {
        case (nil, _), (.noSystem, .noSystem), (.noSystem, .pinnedKeys), (.pinnedKeys, .pinnedKeys):
            return true
        case (.noSystem, .sets(let ids)):
            return meets(now.members(of: ids), .listed)
        case (.sets(let wanted), .sets(let ids)):
            return meets(now.members(of: ids), .within(was.members(of: wanted), names: wanted))
        case (.noSystem, nil), (.sets, nil), (.pinnedKeys, nil), (.sets, .noSystem),
            (.sets, .pinnedKeys), (.pinnedKeys, .noSystem), (.pinnedKeys, .sets):
            return false
        }
    }

    private func meets(_ members: TrustedMembers, _ anchors: DemandFloor.Anchors) -> Bool {
        var body = neutral
        body.anchors = members
        let floor = DemandFloor(
            settings: [], forbiddenKeys: [], anchors: anchors, bindsPins: false, logLists: [])
        return order.isEmpty(shortfallsOf: body, below: floor, at: since)
    }
}

extension BehaviourOrder {
    fileprivate func isEmpty(
        shortfallsOf body: BehaviourBody, below floor: DemandFloor, at time: UTCInstant
    ) -> Bool {
        shortfalls(of: .body(body), below: floor, at: time).isEmpty
    }
}

/// Compares two values of one field by the order, as texts that a policy or a test writes.
struct ValueOrder {
    private let comparison: DemandComparison
    private let crypto: any CryptoBackend

    init(crypto: any CryptoBackend) {
        let table = PolicyTable.encode(
            PolicyContents(defaultRule: .deny, rules: [], anchorSets: [], pinSets: []),
            provenance: nil, crypto: crypto)
        // No value of a field depends on an instant.
        comparison = DemandComparison(table, table, since: UTCInstant(secondsSinceEpoch: 0))
        self.crypto = crypto
    }

    /// How `to` compares with `from`; nil where one of them is not a value that can be demanded.
    func relation(_ field: ProfileField, from: String, to: String) -> Relation? {
        guard let old = floor(field, from), let new = floor(field, to),
            let isImplied = comparison.isImplied(field.rawValue, of: old, by: new),
            let implies = comparison.isImplied(field.rawValue, of: new, by: old)
        else { return nil }
        switch (isImplied, implies) {
        case (true, true): return .equal
        case (true, false): return .stricter
        case (false, true): return .weaker
        case (false, false): return .incomparable
        }
    }

    /// The value as a demand of `at-least`, which takes what a profile takes.
    private func floor(_ field: ProfileField, _ value: String) -> AssertedFloor? {
        let text =
            "hawser-assert: 1\nassertions:\n  value:\n    hosts: all\n    at-least: { "
            + "\(field.rawValue): \(value) }\n"
        let file = SourceFile(path: "value.assert.yaml", bytes: Array(text.utf8))
        let read = AssertionFile.read(file, of: nil, resources: NoResources(), crypto: crypto)
        guard case .atLeast(let floor)? = read.assertions?.first?.demands.first?.statement else {
            return nil
        }
        return floor
    }
}

/// A value of a field names no file that can be read here.
private struct NoResources: UnitResources {
    func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
        throw ResourceError(code: .notFound, context: "there is no file `\(path)`")
    }

    func list(_ folder: String) throws(ResourceError) -> [String] { [] }
}
