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
            now.behaviour(of: HostClass.byDefault),
            than: was.behaviour(of: HostClass.byDefault))
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
