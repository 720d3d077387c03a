// How the fields of a profile act on one another, and the types of their values: what the schema
// cannot say.

extension Requirements {
    /// The baseline. Tables and comparisons compare values with it.
    package static let baseline = Requirements()

    /// Writes a field over the values of farther layers. A preset counts as writing every field
    /// that it stands for, and `maximum-lifetime` removes the steps of farther layers. Other fields
    /// of the same layer are written after these (the order of `ProfileField`).
    ///
    /// - Returns: whether the field can have the value. If not, nothing is written.
    @discardableResult
    package mutating func write(_ field: ProfileField, _ value: FieldValue) -> Bool {
        guard field.descriptor.admits(value) else { return false }
        assign(field, value)
        if field == .revocationPreset { revocation.causes = RevocationCauses(revocation.preset) }
        if field == .transparencyPreset {
            transparency.minimumSCTs = nil
            transparency.minimumOperators = nil
        }
        if field == .maximumLifetime { lifetimeSteps = [] }
        return true
    }

    /// The longest lifetime of an end entity issued at `notBefore`, in seconds; nil for no limit.
    /// It is the maximum of the latest step at or before that instant, or `maximumLifetime` where
    /// no step applies.
    package func maximumLifetime(issuedAt notBefore: UTCInstant) -> Int64? {
        lifetimeSteps.last { $0.issuedFrom <= notBefore }?.maximum ?? maximumLifetime
    }
}

extension TransparencyRequirement {
    /// Whether the rule demands transparency.
    package var isDemanded: Bool { preset != .none }

    /// The last second at which a log list of an instant is young enough.
    package func isFreshUntil(listOf issued: UTCInstant) -> UTCInstant {
        issued.advanced(bySeconds: logListMaximumAge)
    }

    /// Whether a log list of an instant is too old at the validation time. A list of a later day is
    /// fresh.
    package func isStale(listOf issued: UTCInstant, at time: UTCInstant) -> Bool {
        isFreshUntil(listOf: issued) < time
    }
}

/// One item of `validity.lifetime-steps`.
package struct LifetimeStep: Hashable, Sendable, BitwiseCopyable {
    /// First second of notBefore for which the step holds.
    package var issuedFrom: UTCInstant
    /// Longest lifetime, in seconds.
    package var maximum: Int64

    package init(issuedFrom: UTCInstant, maximum: Int64) {
        self.issuedFrom = issuedFrom
        self.maximum = maximum
    }
}

/// The action of each cause of `revocation.causes`.
package struct RevocationCauses: Hashable, Sendable {
    private var actions: [CauseAction]

    private init(_ actions: [CauseAction]) { self.actions = actions }

    /// The actions that `preset: best-effort` stands for.
    package static let bestEffort = RevocationCauses(
        [.report, .pass, .report, .report, .report, .report, .report])
    /// The actions that `preset: require` stands for.
    package static let require = RevocationCauses(
        [.fail, .fail, .fail, .fail, .fail, .fail, .fail])

    /// Makes the baseline, which is `preset: best-effort`.
    package init() { self = .bestEffort }

    /// Makes the actions that a preset stands for.
    package init(_ preset: RevocationPreset) {
        self = preset == .bestEffort ? .bestEffort : .require
    }

    package subscript(cause: RevocationCause) -> CauseAction {
        get { actions[Int(cause.rawValue)] }
        set { actions[Int(cause.rawValue)] = newValue }
    }

    /// Whether at least one cause rejects.
    package var someFail: Bool { actions.contains(.fail) }
    /// Whether at least one cause is reported.
    package var someReport: Bool { actions.contains(.report) }
}

/// An entry of `forbidden-keys`. A path that holds the key is never accepted.
package struct ForbiddenKey: Hashable, Sendable {
    package var id: String
    /// The key matches of the entry, sorted; at least one. The path holds the key when one of them
    /// matches.
    package var matches: [KeyMatch]
    /// The window of notBefore of the end entities that the entry applies to; nil for every end
    /// entity.
    package var notBefore: DateWindow?

    package init(id: String, matches: [KeyMatch], notBefore: DateWindow? = nil) {
        self.id = id
        self.matches = matches
        self.notBefore = notBefore
    }
}
