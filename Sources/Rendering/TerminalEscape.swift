import TrustEngine

/// The one way hostile text reaches a terminal: everything that a terminal obeys, an editor hides
/// or a log reader takes for a new line is shown as `\u{1B}` and cannot act.
package enum TerminalEscape {
    /// The text with control characters (line ends and tabs among them), DEL, C1, U+2028, U+2029,
    /// bidirectional, zero-width and other format characters as `\u{HEX}`; `\n`, `\r` and `\t` by
    /// those names; a backslash stays as it is.
    package static func escape(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: needsEscape) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars { append(scalar, to: &shown) }
        return shown
    }

    /// Bytes of unknown origin: UTF-8 where they are, `\u{FFFD}` shown for what is not.
    package static func escape(bytes: some Sequence<UInt8>) -> String {
        escape(String(decoding: Array(bytes), as: UTF8.self))
    }

    /// What one scalar is shown as.
    package static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        switch scalar {
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        default:
            if HiddenCharacter.isHidden(scalar) {
                text += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// Whether a scalar is shown as something other than itself.
    package static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\t" || HiddenCharacter.isHidden(scalar)
    }
}
