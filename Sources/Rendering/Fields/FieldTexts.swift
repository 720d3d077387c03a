import PolicyReading
package import TrustEngine

/// The words of a field's values.
package enum FieldTexts {
    /// The words of a value, as a policy writes them: the members of a list, or the value itself.
    package static func members(of value: FieldValue, _ field: ProfileField) -> [String] {
        switch EffectiveFields.json(value, of: field) {
        case .array(let items): return items.map { FlowText.render($0) }
        case .null: return []
        case let single: return [FlowText.render(single)]
        }
    }
}
