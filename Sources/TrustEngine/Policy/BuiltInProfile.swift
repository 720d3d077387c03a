/// A profile that is part of the language. Only this file says which fields it writes.
package enum BuiltInProfile: String, Hashable, Sendable, CaseIterable {
    /// The values where no layer writes a field. They are also the floors of the limits that only a
    /// waiver lowers.
    case baseline
    /// App Transport Security: the column `ats:` of LANGUAGE section 8.
    case ats

    /// The requirements of a rule that names this profile and writes no field itself.
    package var requirements: Requirements {
        var requirements = Requirements()
        for (field, value) in settings { requirements.write(field, value) }
        return requirements
    }

    /// Whether the profile writes a field, given as the end of a JSON pointer:
    /// `tls/forward-secrecy`. A field may be written with the value that the baseline has.
    package func writes(_ pointer: String) -> Bool {
        settings.contains { $0.field.pointer == pointer }
    }

    /// The fields that the profile writes, in the order of the language.
    private var settings: [(field: ProfileField, value: FieldValue)] {
        switch self {
        case .baseline: return []
        case .ats:
            return [
                (.rsaMinimum, .integer(2048)),
                (.minimumHash, .word(Int(SignatureHash.sha256.rawValue))),
                (.transparencyPreset, .word(Int(TransparencyPreset.apple.rawValue))),
                (.tlsMinimumVersion, .word(Int(TLSVersion.tls12.rawValue))),
                (.tlsRequiresForwardSecrecy, .word(1)),
            ]
        }
    }
}
