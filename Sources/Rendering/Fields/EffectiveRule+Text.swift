package import PolicyReading

// How the fields of a rule read.
extension EffectiveRule.Field {
    /// The value on one line. A list shows at most `most` items and counts the others.
    package func text(most: Int = .max) -> String {
        let shown = value == .null ? absent : FlowText.render(value, most: most)
        return shown + (remark.map { " (\($0))" } ?? "")
    }

    /// The word that is shown where the value is null.
    package var absent: String {
        switch absence {
        case .none: return "none"
        case .any: return "any"
        case .asPreset(let preset): return "as `\(preset)` says"
        }
    }

    /// What a reader must know besides the value.
    package var remark: String? {
        exception.map { "until \($0.until), then \($0.then)" }
    }
}
