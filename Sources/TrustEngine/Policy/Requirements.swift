// What the schema cannot say of the fields of a profile: how they act on one another, and the types of their
// values.

extension Requirements {
    /// The baseline, against which tables and comparisons hold a value.
    package static let baseline = Requirements()

    /// Writes a field over what farther layers wrote. A preset counts as writing everything that it stands
    /// for in its layer, and `maximum-lifetime` undoes the steps of farther layers; what the same layer writes
    /// besides is written after it (the order of `ProfileField`).
    ///
    /// - Returns: whether the field can have the value; if not, nothing is written.
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

    /// The longest lifetime of an end entity issued at `notBefore`, seconds: the latest step at or
    /// before that instant, else `maximumLifetime`; nil for none.
    package func maximumLifetime(issuedAt notBefore: UTCInstant) -> Int64? {
        lifetimeSteps.last { $0.issuedFrom <= notBefore }?.maximum ?? maximumLifetime
    }
}

extension TransparencyRequirement {
    /// Whether transparency is demanded at all.
    package var isDemanded: Bool { preset != .none }
}

/// An item of `validity.lifetime-steps`.
package struct LifetimeStep: Hashable, Sendable, BitwiseCopyable {
    /// First second of notBefore for which it holds.
    package var issuedFrom: UTCInstant
    /// Seconds.
    package var maximum: Int64

    package init(issuedFrom: UTCInstant, maximum: Int64) {
        self.issuedFrom = issuedFrom
        self.maximum = maximum
    }
}

/// The action of each cause.
package struct RevocationCauses: Hashable, Sendable {
    private var actions: [CauseAction]

    private init(_ actions: [CauseAction]) { self.actions = actions }

    /// What `preset: best-effort` stands for.
    package static let bestEffort = RevocationCauses(
        [.report, .pass, .report, .report, .report, .report])
    /// What `preset: require` stands for.
    package static let require = RevocationCauses([.fail, .fail, .fail, .fail, .fail, .fail])

    /// The baseline: what `preset: best-effort` stands for.
    package init() { self = .bestEffort }

    /// What a preset stands for.
    package init(_ preset: RevocationPreset) {
        self = preset == .bestEffort ? .bestEffort : .require
    }

    package subscript(cause: RevocationCause) -> CauseAction {
        get { actions[Int(cause.rawValue)] }
        set { actions[Int(cause.rawValue)] = newValue }
    }

    /// Whether some cause rejects.
    package var someFail: Bool { actions.contains(.fail) }
    /// Whether some cause is reported.
    package var someReport: Bool { actions.contains(.report) }
}

/// An entry of `forbidden-keys`: a path that holds the key is never accepted.
package struct ForbiddenKey: Hashable, Sendable {
    package var id: String
    /// Any one of these on the path; sorted, at least one.
    package var matches: [KeyMatch]
    /// Only for an end entity whose notBefore lies in the window; nil for every one.
    package var notBefore: DateWindow?

    package init(id: String, matches: [KeyMatch], notBefore: DateWindow? = nil) {
        self.id = id
        self.matches = matches
        self.notBefore = notBefore
    }
}
