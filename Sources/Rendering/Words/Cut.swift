/// Cuts lists and texts, and counts the rest; all formats use it. At the end of a cut list the
/// reader must learn that more items follow, how many, and where they are.
package enum Cut {
    /// The words for omitted items: `and 3 more ways, which `--format json` lists`.
    package static func more(_ left: Int, before: String = "", after: String = "") -> String {
        "\(before)\(left) more\(after)"
    }

    /// The first items of a list, and a line that counts the others if the list has more.
    package static func list(
        _ items: [String], most: Int, before: String = "and ", after: String = ""
    ) -> [String] {
        guard items.count > most else { return items }
        return items.prefix(most) + [more(items.count - most, before: before, after: after)]
    }

    /// The first scalars of a text, and the number of the others.
    package static func text(_ text: String, most: Int) -> String {
        let left = text.unicodeScalars.count - most
        guard left > 0 else { return text }
        return String(text.unicodeScalars.prefix(most))
            + more(left, before: " … (", after: " characters)")
    }

    /// The words for omitted items; empty if none are omitted.
    package static func rest(_ left: Int, before: String = "", after: String = "") -> String {
        left > 0 ? more(left, before: before, after: after) : ""
    }

    /// The words for omitted items as an item of its own, `and 3 more`; no item if none are
    /// omitted.
    package static func others(_ left: Int, after: String = "") -> [String] {
        left > 0 ? [more(left, before: "and ", after: after)] : []
    }

    /// The first items on one line, and the number of the others: `a, b and 3 more`.
    package static func line(
        _ items: [String], most: Int, between separator: String = ", ", before: String = " and "
    ) -> String {
        items.prefix(most).joined(separator: separator) + rest(items.count - most, before: before)
    }
}
