import Rendering

/// Text in reports of JUnit.
enum JUnitWriter {
    /// Escapes untrusted text for XML. Markup is escaped. Characters that XML 1.0 cannot hold
    /// (section 2.2) or that a viewer hides are shown as `\u{1B}`.
    static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            case "\n": escaped += "&#10;"
            case "\t": escaped += "&#9;"
            case "\u{FFFE}", "\u{FFFF}":
                escaped += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            default: TerminalEscape.append(scalar, to: &escaped)
            }
        }
        return escaped
    }
}
