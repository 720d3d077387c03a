/// A profile that is part of the language. This is the one place that says what it writes.
package enum BuiltInProfile: String, Hashable, Sendable, CaseIterable {
    /// What holds where no layer writes a field; the floor of the limits that only a waiver lowers.
    case baseline
    /// App Transport Security: the column `ats:` of LANGUAGE section 8.
    case ats

    /// What a rule under this profile that writes nothing itself is judged by.
    package var requirements: Requirements {
        var requirements = Requirements()
        for (_, write) in settings { write(&requirements) }
        return requirements
    }

    /// Whether the profile writes a field, given as the end of a JSON pointer: `tls/forward-secrecy`.
    /// A field can be written with the value that the baseline has.
    package func writes(_ pointer: String) -> Bool {
        settings.contains { $0.field.pointer == pointer }
    }

    /// In the order of the language.
    private var settings: [(field: ProfileField, write: (inout Requirements) -> Void)] {
        switch self {
        case .baseline: return []
        case .ats:
            return [
                (.rsaMinimum, { $0.rsaMinimum = 2048 }),
                (.minimumHash, { $0.minimumHash = .sha256 }),
                (.transparencyPreset, { $0.transparency.preset = .apple }),
                (.minimumVersion, { $0.tls.minimumVersion = .tls12 }),
                (.forwardSecrecy, { $0.tls.requiresForwardSecrecy = true }),
            ]
        }
    }
}
