/// A value that can be written as JSON.
package protocol JSONWritable {
    var json: JSONValue { get }
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
extension Int32: JSONWritable {}
extension Int64: JSONWritable {}
extension UInt16: JSONWritable {}
extension UInt32: JSONWritable {}
extension UInt64: JSONWritable {}

extension BinaryInteger {
    /// The number; one that does not fit 64 bits is clamped.
    package var json: JSONValue { .integer(self) }
}

extension Array: JSONWritable where Element: JSONWritable {
    package var json: JSONValue { .array(map(\.json)) }
}
