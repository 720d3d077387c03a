package import TrustEngine

/// The fields of LANGUAGE section 8 that one layer writes. A class, as `BoundBody` is: checks and
/// lint rules ask every layer for a few fields.
package final class BoundFields: Sendable {
    /// Each field once. INVARIANT (in the order of `ProfileField`): a preset comes before the
    /// fields that refine it, and `maximum-lifetime` before the steps, which it would otherwise
    /// undo.
    package let settings: [BoundSetting]
    /// The entries of `forbidden-keys`, in source order, each id once.
    package let forbiddenKeys: [BoundForbiddenKey]
    /// Fields whose values are ids: the ids that could be read, in source order.
    package let ids: [ProfileField: [Located<String>]]
    /// The entries of `report-only`, in source order, each check once.
    package let reportOnly: [BoundReportOnly]
    /// Fields that are written, or may be written, and could not be read.
    package let unread: Set<ProfileField>

    /// The fields of a layer that writes none.
    package static let none = BoundFields(Draft())

    /// The fields while they are read.
    struct Draft {
        private(set) var settings: [BoundSetting] = []
        var forbiddenKeys: [BoundForbiddenKey] = []
        var ids: [ProfileField: [Located<String>]] = [:]
        var reportOnly: [BoundReportOnly] = []
        var unread: Set<ProfileField> = []

        /// Adds a field. It must come after the fields that are already there.
        mutating func append(_ setting: BoundSetting) { settings.append(setting) }

        /// The fields as they were read.
        var bound: BoundFields {
            let holdsNothing =
                settings.isEmpty && forbiddenKeys.isEmpty && ids.isEmpty && reportOnly.isEmpty
                && unread.isEmpty
            return holdsNothing ? .none : BoundFields(self)
        }
    }

    private init(_ draft: Draft) {
        settings = draft.settings
        forbiddenKeys = draft.forbiddenKeys
        ids = draft.ids
        reportOnly = draft.reportOnly
        unread = draft.unread
    }

    var isEmpty: Bool { settings.isEmpty && forbiddenKeys.isEmpty }

    /// Whether the layer writes nothing at all, as far as it could be read.
    var holdsNothing: Bool { self === BoundFields.none }

    /// The layer's setting of a field; nil if the layer does not write it.
    package func setting(_ field: ProfileField) -> BoundSetting? {
        index(of: field).map { settings[$0] }
    }

    /// Whether the layer writes a field.
    package func writes(_ field: ProfileField) -> Bool { index(of: field) != nil }

    /// Whether the layer writes at least one of some fields.
    package func writes(oneOf fields: [ProfileField]) -> Bool {
        settings.indices.contains { fields.contains(settings[$0].field) }
    }

    private func index(of field: ProfileField) -> Int? {
        settings.indices.first { settings[$0].field == field }
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
