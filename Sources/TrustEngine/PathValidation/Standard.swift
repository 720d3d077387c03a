/// The validation rules by which a path is judged.
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
    /// Certificates of any kind. The anchor vouches only for itself.
    case leaf = 2

    /// As the policy writes it.
    package var name: String {
        switch self {
        case .root: return "root"
        case .intermediate: return "intermediate"
        case .leaf: return "leaf"
        }
    }
}

/// `ignore-limits`: limits in an anchor's certificate that do not bind. The last two have no word
/// in the language and stand in no table. They serve runs of public test vectors
/// (`EngineOverrides`).
package struct AnchorLimits: OptionSet, Hashable, Sendable, BitwiseCopyable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The validity period.
    package static let dates = AnchorLimits(rawValue: 1)
    package static let nameConstraints = AnchorLimits(rawValue: 2)
    /// The extended key usage.
    package static let keyPurposes = AnchorLimits(rawValue: 4)
    /// The pathLenConstraint of the basic constraints.
    package static let pathLength = AnchorLimits(rawValue: 8)
    /// The properties that make the anchor an authority, and all other limits of its certificate:
    /// cA, key usage, critical extensions, certificate policies, the standard's demands on anchors.
    package static let authority = AnchorLimits(rawValue: 16)
    /// The presence of basic constraints. When they are present they still bind.
    package static let basicConstraintsPresence = AnchorLimits(rawValue: 32)
    /// The version of a root of version 1, which cannot say that it is a CA. A policy that names
    /// the certificate as `root` says so in its place (LANGUAGE section 5, `kind`). This limit has
    /// no word in the language and stands in no table: the engine sets it for such members.
    package static let version1 = AnchorLimits(rawValue: 64)
    /// Every limit but the validity period: the anchor is a name and a key (RFC 5280 section
    /// 6.1.1(d)).
    package static let allButDates: AnchorLimits = [
        .nameConstraints, .keyPurposes, .pathLength, .authority,
    ]

    /// Each limit with its word of the language, in the order of the language.
    package static let named: [(limit: AnchorLimits, name: String)] = [
        (.dates, "dates"), (.nameConstraints, "name-constraints"), (.keyPurposes, "key-purposes"),
        (.pathLength, "path-length"),
    ]

    /// The words of these limits, in the order of the language.
    package var names: [String] {
        AnchorLimits.named.filter { contains($0.limit) }.map(\.name)
    }
}
