// The values by which two policies, tables or rules are compared.

/// How a host is decided: nothing is accepted, or a body with every field resolved decides.
package enum Behaviour: Sendable {
    case deny
    case body(BehaviourBody)

    /// The behaviour as of an instant: waivers, report modes and enforcement that have ended by
    /// then are removed; those that are in force then count as lasting for ever. Logs are compared
    /// as of every time from that instant on.
    package func asOf(_ time: UTCInstant) -> Behaviour {
        guard case .body(let body) = self else { return self }
        return .body(body.asOf(time))
    }
}

/// The demands of a rule or of `default`, by content. Ids, owners and notes are left out. The sets
/// that the rule refers to are resolved.
package struct BehaviourBody: Sendable {
    /// The members of the rule's anchor sets; empty where the pinned keys are the anchors.
    package var anchors: TrustedMembers
    /// The ids of anchors that the policy lists, for readers.
    package var anchorNames: [String]
    package var anchorsArePinnedKeys: Bool
    /// The pin sets of the rule. A path must meet every one.
    package var pins: [PinDemand]
    /// The pin sets whose keys are the anchors, where the pinned keys are the anchors. Sets whose
    /// enforcement has ended are included.
    package let pinnedAnchors: [PinDemand]
    package var requirements: Requirements
    /// The log list in use.
    package var logListTerms: LogListTerms?
    package var identity: IdentityRequirement
    package var exceptions: [DatedException]
    /// Only requests that are judged at this instant or later are compared; nil for every request.
    package var since: UTCInstant?

    package init(
        anchors: TrustedMembers, anchorNames: [String], anchorsArePinnedKeys: Bool,
        pins: [PinDemand], requirements: Requirements, logList: LogListTerms?,
        identity: IdentityRequirement, waivers: [Waiver], reportOnly: [ReportOnly]
    ) {
        self.anchors = anchors
        self.anchorNames = anchorNames
        self.anchorsArePinnedKeys = anchorsArePinnedKeys
        self.pins = pins
        self.pinnedAnchors = anchorsArePinnedKeys ? pins : []
        self.requirements = requirements
        self.logListTerms = logList
        self.identity = identity
        self.exceptions = DatedException.all(waivers, reportOnly)
    }

    /// SHA-256 of the log list in use.
    package var logList: Digest? { logListTerms?.digest }

    fileprivate func asOf(_ time: UTCInstant) -> BehaviourBody {
        var body = self
        body.since = time
        body.exceptions = exceptions.compactMap { $0.asOf(time) }
        body.pins = pins.compactMap { $0.asOf(time) }
        return body
    }

    /// Whether a mismatch of at least one pin set rejects on every day.
    var pinsBind: Bool {
        pins.contains { $0.end == nil } && !exceptions.contains { $0.lets(.pins) }
    }

    /// The ids of anchor sets whose paths need no timestamps.
    var exemptSets: Set<String> { Set(requirements.transparency.exemptAnchors) }
}
