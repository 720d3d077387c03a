/// The one way in which lists are cut, and what is left out is counted. Where a list ends, a reader
/// must know that it goes on, how far, and where the rest is.
package enum Cut {
    /// What stands for items that are left out: `and 3 more ways, which `--format json` lists`.
    package static func more(_ left: Int, before: String = "", after: String = "") -> String {
        "\(before)\(left) more\(after)"
    }

    /// The first items of a list, and a line for the others, if there are any.
    package static func list(
        _ items: [String], most: Int, before: String = "and ", after: String = ""
    ) -> [String] {
        guard items.count > most else { return items }
        return items.prefix(most) + [more(items.count - most, before: before, after: after)]
    }

    /// The first scalars of a text, and how many follow.
    package static func text(_ text: String, most: Int) -> String {
        let left = text.unicodeScalars.count - most
        guard left > 0 else { return text }
        return String(text.unicodeScalars.prefix(most))
            + more(left, before: " … (", after: " characters)")
    }
}
