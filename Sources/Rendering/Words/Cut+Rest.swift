// Ends of lists that may be whole.
extension Cut {
    /// What stands for items that are left out; empty where none is left out.
    package static func rest(_ left: Int, before: String = "", after: String = "") -> String {
        left > 0 ? more(left, before: before, after: after) : ""
    }

    /// The same as an item of its own: `and 3 more`; none where nothing is left out.
    package static func others(_ left: Int, after: String = "") -> [String] {
        left > 0 ? [more(left, before: "and ", after: after)] : []
    }

    /// The first items on one line, and how many more there are: `a, b and 3 more`.
    package static func line(
        _ items: [String], most: Int, between separator: String = ", ", before: String = " and "
    ) -> String {
        items.prefix(most).joined(separator: separator) + rest(items.count - most, before: before)
    }
}
