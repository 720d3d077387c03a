// What two units, tables or rules are compared by.

/// What decides a host: nothing is accepted, or a body does with every field resolved.
package enum Behaviour: Sendable {
    case deny
    case body(BehaviourBody)

    /// As of an instant: what has ended by then is gone, and what is in force counts as lasting.
    package func asOf(_ time: UTCInstant) -> Behaviour {
        guard case .body(let body) = self else { return self }
        return .body(body.asOf(time))
    }
}

/// What a rule, or `default`, demands, by content: ids, owners and notes are left out, and what it
/// refers to is looked up.
package struct BehaviourBody: Sendable {
    /// Whom it trusts; empty where the anchors are the pinned keys.
    package var anchors: TrustedMembers
    /// The ids that the policy lists, for readers.
    package var anchorNames: [String]
    package var anchorsArePinnedKeys: Bool
    /// Every one must be met.
    package var pins: [PinDemand]
    /// What is the anchors where pinned keys are: also the sets that are not enforced any more.
    package let pinnedAnchors: [PinDemand]
    package var requirements: Requirements
    /// The log list in use.
    package var logList: Digest?
    package var identity: IdentityRequirement
    package var exceptions: [DatedException]

    package init(
        anchors: TrustedMembers, anchorNames: [String], anchorsArePinnedKeys: Bool,
        pins: [PinDemand], requirements: Requirements, logList: Digest?,
        identity: IdentityRequirement, waivers: [Waiver], reportOnly: [ReportOnly]
    ) {
        self.anchors = anchors
        self.anchorNames = anchorNames
        self.anchorsArePinnedKeys = anchorsArePinnedKeys
        self.pins = pins
        self.pinnedAnchors = anchorsArePinnedKeys ? pins : []
        self.requirements = requirements
        self.logList = logList
        self.identity = identity
        self.exceptions =
            waivers.map { DatedException(.waiver($0.tolerance), until: $0.until) }
            + reportOnly.map { DatedException(.report($0.check), until: $0.until) }
    }

    fileprivate func asOf(_ time: UTCInstant) -> BehaviourBody {
        var body = self
        body.exceptions = exceptions.compactMap { $0.asOf(time) }
        body.pins = pins.compactMap { $0.asOf(time) }
        return body
    }

    /// Whether a mismatch of some pin set rejects, whatever the day.
    var pinsBind: Bool {
        pins.contains { $0.end == nil } && !exceptions.contains { $0.lets(.pins) }
    }

    /// The ids of anchor sets whose paths need no timestamps.
    var exemptSets: Set<String> { Set(requirements.transparency.exemptAnchors) }
}
