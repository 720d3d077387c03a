/// A JSON value. An object keeps its keys in the order in which they were written, so the same
/// input gives the same bytes.
package enum JSONValue: Hashable, Sendable {
    case object([Member])
    case array([JSONValue])
    case string(String)
    case integer(Int64)
    case bool(Bool)
    case null

    /// One key of an object.
    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: JSONValue

        package init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// An object from its keys in order; a nil value leaves the key out.
    package static func object(_ members: [(String, JSONValue?)]) -> JSONValue {
        .object(
            members.compactMap { key, value in
                value.map { Member(key, $0) }
            })
    }

    /// An integer of any width; an integer that does not fit 64 bits is clamped.
    package static func integer(_ value: some BinaryInteger) -> JSONValue {
        .integer(Int64(clamping: value))
    }

    /// A string; nil for nil, and `object` then leaves the key out.
    package static func optional(_ text: String?) -> JSONValue? {
        text.map { .string($0) }
    }

    /// An object from its members, in order.
    package static func object(_ members: JSONMembers) -> JSONValue { .object(members.list) }

    /// An object from its members, in order.
    package static func members(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { Member($0.0, $0.1) })
    }

    /// A list of strings.
    package static func strings(_ texts: [String]) -> JSONValue {
        .array(texts.map { .string($0) })
    }

    /// A whole number of any width.
    package static func whole(_ number: some BinaryInteger) -> JSONValue {
        .integer(Int64(clamping: number))
    }
}
