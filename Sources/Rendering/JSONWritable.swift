/// A value that can be written as JSON.
package protocol JSONWritable {
    var json: JSONValue { get }
}

/// An object of an answer. `generate-tables` makes the types from the answer's schema.
package protocol JSONObject: JSONWritable {}

extension JSONObject {
    /// The object on several lines, with a line end at its end.
    package var document: String { json.render(.pretty) + "\n" }

    /// The object on one line, with its line end.
    package var line: String { json.render(.compact) + "\n" }
}

extension JSONValue: JSONWritable {
    package var json: JSONValue { self }
}

extension String: JSONWritable {
    package var json: JSONValue { .string(self) }
}

extension Bool: JSONWritable {
    package var json: JSONValue { .bool(self) }
}

extension Int: JSONWritable {}

extension BinaryInteger {
    /// The number; one that does not fit 64 bits is clamped.
    package var json: JSONValue { .integer(self) }
}

extension Array: JSONWritable where Element: JSONWritable {
    package var json: JSONValue { .array(map(\.json)) }
}
