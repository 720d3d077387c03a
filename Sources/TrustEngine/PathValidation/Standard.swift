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

/// `ignore-limits`: limits inside an anchor certificate that do not bind.
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
