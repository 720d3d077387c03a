package import TrustEngine

/// The fields of LANGUAGE section 8 that one layer writes.
package struct BoundFields: Sendable {
    /// Each field once. INVARIANT (in the order of `ProfileField`): a preset comes before the
    /// fields that refine it, and `maximum-lifetime` before the steps, which it would otherwise
    /// undo.
    package private(set) var settings: [BoundSetting] = []
    /// The entries of `forbidden-keys`, in source order, each id once.
    package var forbiddenKeys: [BoundForbiddenKey] = []
    /// Fields whose values are ids: the ids that could be read, in source order.
    package var ids: [ProfileField: [Located<String>]] = [:]
    /// The entries of `report-only`, in source order, each check once.
    package var reportOnly: [BoundReportOnly] = []
    /// Fields that are written, or may be written, and could not be read.
    package var unread: Set<ProfileField> = []

    var isEmpty: Bool { settings.isEmpty && forbiddenKeys.isEmpty }

    /// Whether the layer writes nothing at all, as far as it could be read.
    var holdsNothing: Bool {
        settings.isEmpty && forbiddenKeys.isEmpty && ids.isEmpty && reportOnly.isEmpty
            && unread.isEmpty
    }

    /// Adds a field. It must come after the fields that are already there.
    mutating func append(_ setting: BoundSetting) { settings.append(setting) }

    /// The layer's setting of a field; nil if the layer does not write it.
    package func setting(_ field: ProfileField) -> BoundSetting? {
        settings.first { $0.field == field }
    }

    /// Writes the fields of this layer into the requirements that the farther layers give.
    func write(over requirements: inout Requirements) {
        for setting in settings { requirements.write(setting.field, setting.value) }
        let keys = forbiddenKeys.compactMap(\.key)
        guard !keys.isEmpty else { return }
        requirements.forbiddenKeys = (requirements.forbiddenKeys + keys).sorted { $0.id < $1.id }
    }
}

/// One field as a layer writes it.
package struct BoundSetting: Sendable {
    package var field: ProfileField
    package var key: SourceSpan
    package var span: SourceSpan
    /// INVARIANT (a value that the field can have): the binder reports every other value.
    package var value: FieldValue
}

/// An entry of `forbidden-keys`.
package struct BoundForbiddenKey: Sendable {
    package var id: Located<String>
    /// The span of the digest or path; the span of the entry if the digest or path could not be
    /// read.
    package var span: SourceSpan
    /// Nil if a part of the key could not be read.
    package var key: ForbiddenKey?
    /// Whether the policy writes the digest; then no file holds the key or certificate.
    package var isByDigest = false
}
