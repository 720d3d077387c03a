/// Texts inside the values of fields.
package enum WrittenText {
    /// A duration in the largest unit of the language that divides it without remainder.
    package static func duration(_ seconds: Int64) -> String {
        if seconds != 0, seconds % 86_400 == 0 { return "\(seconds / 86_400)d" }
        if seconds != 0, seconds % 3_600 == 0 { return "\(seconds / 3_600)h" }
        if seconds != 0, seconds % 60 == 0 { return "\(seconds / 60)min" }
        return "\(seconds)s"
    }

    /// A text cut to a number of characters.
    package static func shortened(_ text: String, to limit: Int) -> String {
        // A character can be any number of scalars; the octets are bounded too.
        guard text.utf8.count > limit else { return text }
        guard text.count > limit || text.utf8.count > limit * 8 else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(limit - 1) { result.append(scalar) }
        return String(result) + "…"
    }
}
