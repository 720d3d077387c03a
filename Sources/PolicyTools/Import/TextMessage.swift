/// A message of protobuf's text format, as it is written and without a schema: names and values
/// with their places.
package struct TextMessage: Hashable, Sendable {
    /// The fields in the order of the text. A list is as many fields as it has elements.
    package var fields: [TextField]

    package init(fields: [TextField] = []) { self.fields = fields }
}

/// One field of a message with one value.
package struct TextField: Hashable, Sendable {
    /// The name; an extension or an `Any` with its brackets.
    package let name: String
    /// Where the field's name begins, an offset in octets; in a list where the element begins.
    package let offset: Int
    package let value: TextValue
}

/// The value of a field.
package enum TextValue: Hashable, Sendable {
    /// Octets of one or more adjacent literals, escapes resolved.
    case string([UInt8])
    /// A whole number that fits in 64 bits, its sign apart.
    case integer(isNegative: Bool, magnitude: UInt64)
    /// An identifier such as `true` or an enumeration's word, or a number with a fraction.
    case word(String)
    case message(TextMessage)
    /// `[]`: the field is named and has no value.
    case emptyList
}

/// Why a text cannot be read.
package struct TextFormatError: Error, Hashable, Sendable {
    /// Where, an offset in octets.
    package let offset: Int
    /// The fault and the remedy. Lower case, no full stop. Not escaped.
    package let message: String

    package init(_ message: String, at offset: Int) {
        self.message = message
        self.offset = offset
    }
}
