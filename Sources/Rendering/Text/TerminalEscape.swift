import TrustEngine

/// The only way by which hostile text reaches a terminal. A character that a terminal obeys, that
/// an editor hides, or that a log reader takes for a new line is shown as `\u{1B}` and has no
/// effect.
package enum TerminalEscape {
    /// Escapes a text. Control characters, DEL, C1, U+2028, U+2029, bidirectional, zero-width and
    /// other format characters become `\u{HEX}`; line feed, carriage return and tab become `\n`,
    /// `\r` and `\t`. A backslash stays as it is.
    package static func escape(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: needsEscape) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars { append(scalar, to: &shown) }
        return shown
    }

    /// Escapes bytes of unknown origin. Bytes that are not UTF-8 are shown as `\u{FFFD}`.
    package static func escape(bytes: some Sequence<UInt8>) -> String {
        escape(String(decoding: Array(bytes), as: UTF8.self))
    }

    /// Appends one scalar to a text, escaped where it must be.
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

    /// Whether a scalar must be escaped.
    package static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\t" || HiddenCharacter.isHidden(scalar)
    }
}
