/// An object of an answer. `generate-tables` makes the types from the answer's schema.
package protocol JSONObject: JSONWritable {}

extension JSONObject {
    /// The object on several lines, with a line end at its end.
    package var document: String { json.render(.pretty) + "\n" }

    /// The object on one line, with its line end.
    package var line: String { json.render(.compact) + "\n" }
}
