/// Reads a text in protobuf's text format. No schema is needed, so no field is lost.
///
/// The text may be hostile. Nothing here recurses: open messages stand on a stack of bounded depth.
/// Linear in the text.
package struct TextFormatReader {
    /// The most messages inside one another. A root store has two.
    package static let deepest = 16
    /// The most fields of all messages together. A root store has about a thousand.
    package static let mostFields = 20_000

    /// A message that is not closed yet.
    private struct Open {
        /// The field that the message is the value of.
        let name: String
        let offset: Int
        /// The bracket that closes it.
        let closer: UInt8
        /// Whether the message is an element of a list.
        let isElement: Bool
        var message = TextMessage()
    }

    private var scanner: TextFormatScanner
    private var open: [Open] = []
    private var root = TextMessage()
    private var count = 0

    private init(_ bytes: [UInt8]) { scanner = TextFormatScanner(bytes) }

    /// The message of a whole text.
    ///
    /// - Throws: the first place that is not of the format, or over a limit.
    package static func read(_ bytes: [UInt8]) throws(TextFormatError) -> TextMessage {
        var reader = TextFormatReader(bytes)
        return try reader.read()
    }

    private mutating func read() throws(TextFormatError) -> TextMessage {
        while true {
            try scanner.skipBlanks()
            guard let byte = scanner.next else {
                if let last = open.last {
                    throw TextFormatError(
                        "the message of `\(last.name)` is not closed", at: last.offset)
                }
                return root
            }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: ">") {
                try close(byte)
            } else {
                try field()
            }
        }
    }

    // MARK: Fields

    private mutating func field() throws(TextFormatError) {
        let offset = scanner.at
        let name = try scanner.name()
        try scanner.skipBlanks()
        let hasColon = scanner.take(":")
        try scanner.skipBlanks()
        if let closer {
            return try push(name, offset, closer, isElement: false)
        }
        guard scanner.next != UInt8(ascii: "[") else {
            return try list(name, offset, hasColon: hasColon)
        }
        guard hasColon else {
            throw TextFormatError(
                "after `\(name)` stands `:` and a value, or a message in `{}`", at: scanner.at)
        }
        try add(name, offset, try scanner.scalar())
        try endField()
    }

    /// What closes the message that begins here; nil where none does.
    private var closer: UInt8? {
        switch scanner.next {
        case UInt8(ascii: "{"): UInt8(ascii: "}")
        case UInt8(ascii: "<"): UInt8(ascii: ">")
        default: nil
        }
    }

    /// A list: of messages, which end in `close`, or of other values, which end here.
    private mutating func list(
        _ name: String, _ offset: Int, hasColon: Bool
    ) throws(TextFormatError) {
        let start = scanner.at
        _ = scanner.take("[")
        try scanner.skipBlanks()
        if scanner.take("]") {
            try add(name, offset, .emptyList)
            return try endField()
        }
        if let closer { return try push(name, scanner.at, closer, isElement: true) }
        guard hasColon else {
            throw TextFormatError("before a list of values stands `:`", at: start)
        }
        while true {
            try add(name, scanner.at, try scanner.scalar())
            try scanner.skipBlanks()
            if scanner.take("]") { return try endField() }
            guard scanner.take(",") else {
                throw TextFormatError("in a list stands `,` or `]` after a value", at: scanner.at)
            }
            try scanner.skipBlanks()
        }
    }

    /// After a field may stand one `,` or `;`.
    private mutating func endField() throws(TextFormatError) {
        try scanner.skipBlanks()
        _ = scanner.take(",") || scanner.take(";")
    }

    private mutating func add(
        _ name: String, _ offset: Int, _ value: TextValue
    ) throws(TextFormatError) {
        count += 1
        guard count <= Self.mostFields else {
            throw TextFormatError("the text has over \(Self.mostFields) fields", at: offset)
        }
        let field = TextField(name: name, offset: offset, value: value)
        if open.isEmpty {
            root.fields.append(field)
        } else {
            open[open.count - 1].message.fields.append(field)
        }
    }

    // MARK: Messages

    private mutating func push(
        _ name: String, _ offset: Int, _ closer: UInt8, isElement: Bool
    ) throws(TextFormatError) {
        guard open.count < Self.deepest else {
            throw TextFormatError(
                "messages stand at most \(Self.deepest) deep in one another", at: offset)
        }
        _ = scanner.take("{") || scanner.take("<")
        open.append(Open(name: name, offset: offset, closer: closer, isElement: isElement))
    }

    private mutating func close(_ byte: UInt8) throws(TextFormatError) {
        let here = scanner.at
        guard let last = open.popLast() else {
            throw TextFormatError("`\(Unicode.Scalar(byte))` closes no message", at: here)
        }
        guard last.closer == byte, scanner.take(Unicode.Scalar(byte)) else {
            throw TextFormatError(
                "the message of `\(last.name)` is closed by `\(Unicode.Scalar(last.closer))`",
                at: here)
        }
        try add(last.name, last.offset, .message(last.message))
        guard last.isElement else { return try endField() }
        try scanner.skipBlanks()
        if scanner.take("]") { return try endField() }
        guard scanner.take(",") else {
            throw TextFormatError("in a list stands `,` or `]` after a message", at: scanner.at)
        }
        try scanner.skipBlanks()
        guard let closer else {
            throw TextFormatError("a list of messages has a message here", at: scanner.at)
        }
        try push(last.name, scanner.at, closer, isElement: true)
    }
}
