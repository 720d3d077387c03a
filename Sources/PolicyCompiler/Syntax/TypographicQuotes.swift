/// Typographic quotation marks, which a word processor or a chat writes in place of `"` and `'`.
/// YAML reads them as text, so a value that seems to be quoted contains its quotes.
package enum TypographicQuotes {
    /// The text between such marks at both ends of a plain scalar. Nil if the scalar does not begin
    /// and end with them, and if they also stand inside it, as in a text that quotes two words.
    static func inner(of text: String) -> String? {
        let scalars = text.unicodeScalars
        guard scalars.count > 1, let first = scalars.first, let last = scalars.last,
            isMark(first), isMark(last)
        else { return nil }
        let inner = scalars.dropFirst().dropLast()
        guard !inner.contains(first), !inner.contains(last) else { return nil }
        return String(inner)
    }

    /// The marks that close the mark with which a text begins. Nil if the text begins with no such
    /// mark, or has another one.
    static func closing(of text: String) -> Set<Unicode.Scalar>? {
        guard let first = text.unicodeScalars.first, isMark(first),
            !text.unicodeScalars.dropFirst().contains(where: isMark)
        else { return nil }
        switch first {
        case "\u{201C}", "\u{201E}", "\u{201F}": return ["\u{201C}", "\u{201D}"]
        case "\u{2018}", "\u{201A}", "\u{201B}": return ["\u{2018}", "\u{2019}"]
        case "\u{00AB}": return ["\u{00BB}"]
        case "\u{00BB}": return ["\u{00AB}"]
        case "\u{2039}": return ["\u{203A}"]
        case "\u{203A}": return ["\u{2039}"]
        default: return [first]
        }
    }

    /// Whether a text can be written in straight quotes unchanged.
    static func canBeQuoted(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
            first != " ", last != " "
        else { return false }
        return text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }
    }

    /// The first such mark of a text.
    static func mark(in text: String) -> Unicode.Scalar? {
        text.unicodeScalars.first(where: isMark)
    }

    /// Whether a character is a quotation mark outside ASCII, or a prime or accent that looks like
    /// one. The marks of East Asian text are left out, because nobody writes them for straight
    /// quotes.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2018...0x201F, 0x2032...0x2037, 0x00AB, 0x00BB, 0x2039, 0x203A, 0x00B4, 0xFF02,
            0xFF07:
            return true
        default: return false
        }
    }
}
