/// The validation rules a path is judged by.
public enum Standard: UInt8, Hashable, Sendable, BitwiseCopyable {
    case rfc5280 = 0
    case webPKI = 1

    /// The word in a policy.
    public var name: String { self == .rfc5280 ? "rfc5280" : "web-pki" }
}

/// What kind of certificates an anchor set holds (LANGUAGE section 5, `kind`).
package enum AnchorKind: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// Self-issued CA certificates.
    case root = 0
    /// CA certificates that are not self-issued.
    case intermediate = 1
    /// Any certificate; it vouches for itself alone.
    case leaf = 2
}

/// `ignore-limits`: limits inside an anchor certificate that do not bind. The last two have no word in
/// the language and no table holds them: they are for runs of public vectors (`EngineOverrides`).
package struct AnchorLimits: OptionSet, Hashable, Sendable, BitwiseCopyable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Its validity period.
    package static let dates = AnchorLimits(rawValue: 1)
    package static let nameConstraints = AnchorLimits(rawValue: 2)
    /// Its extended key usage.
    package static let keyPurposes = AnchorLimits(rawValue: 4)
    /// The pathLenConstraint of its basic constraints.
    package static let pathLength = AnchorLimits(rawValue: 8)
    /// What makes it an authority, and all else that its certificate says: cA, key usage, critical
    /// extensions, certificate policies, the standard's demands of anchors.
    package static let authority = AnchorLimits(rawValue: 16)
    /// That basic constraints are there; what they say where they are still binds.
    package static let basicConstraintsPresence = AnchorLimits(rawValue: 32)
    /// Every limit but the dates: the anchor is a name and a key (RFC 5280 section 6.1.1(d)).
    package static let allButDates: AnchorLimits = [
        .nameConstraints, .keyPurposes, .pathLength, .authority,
    ]

    /// Each with the word of the language, in its order.
    package static let named: [(limit: AnchorLimits, name: String)] = [
        (.dates, "dates"), (.nameConstraints, "name-constraints"), (.keyPurposes, "key-purposes"),
        (.pathLength, "path-length"),
    ]

    /// The words, in the order of the language.
    package var names: [String] {
        AnchorLimits.named.filter { contains($0.limit) }.map(\.name)
    }
}
