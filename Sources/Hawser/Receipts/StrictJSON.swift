import TrustEngine

/// Why a text is not a receipt.
public struct ReceiptError: Error, Hashable, Sendable {
    /// The reason's stable name.
    public enum Code: String, Hashable, Sendable {
        /// The text is longer than the longest receipt that is read.
        case tooLong = "too-long"
        /// The text is not JSON.
        case notJSON = "not-json"
        /// The text has another format, or a version that is not known here.
        case otherFormat = "other-format"
        /// A member is missing, is unknown, or has a value that it cannot have.
        case malformed
    }

    /// The reason.
    public let code: Code
    /// What was found: lower case, no full stop. Text of the file in it is not escaped.
    public let context: String

    /// Makes an error from its values.
    package init(code: Code, context: String) {
        self.code = code
        self.context = context
    }
}

/// One JSON value of a stranger's text, which is read strictly. The reader asks for each member by
/// name. A member that nobody asked for, or that is there twice, is an error. `JSONReader` checks
/// the whole of each part that it finds, so no value here is malformed JSON.
package struct StrictJSON {
    private let bytes: [UInt8]
    private let range: Range<Int>
    /// The value's name in errors, such as `request.tls`; empty for the whole.
    private let name: String
    /// What the whole is called in errors.
    private let whole: String

    /// The value of a whole text, which errors call `whole`.
    package init(_ bytes: [UInt8], whole: String = "the receipt") {
        self.init(bytes, 0..<bytes.count, "", whole)
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>, _ name: String, _ whole: String) {
        self.bytes = bytes
        self.range = range
        self.name = name
        self.whole = whole
    }

    /// An error about this value.
    package func problem(_ what: String) -> ReceiptError {
        ReceiptError(
            code: .malformed, context: (name.isEmpty ? whole : "`\(name)`") + " " + what)
    }

    /// Reads an object: `read` takes its members, and no member may be left.
    package func object<Value>(
        _ read: (inout Members) throws(ReceiptError) -> Value
    ) throws(ReceiptError) -> Value {
        guard
            let found = try found({ (reader) throws(JSONReader.Problem) in
                try reader.members()
            })
        else { throw problem("is not an object") }
        var members = Members(owner: self, values: [:])
        for member in found {
            let key = String(decoding: bytes[member.name], as: UTF8.self)
            let path = name.isEmpty ? key : "\(name).\(key)"
            let value = StrictJSON(bytes, member.value, path, whole)
            guard members.values.updateValue(value, forKey: key) == nil else {
                throw value.problem("stands there twice")
            }
        }
        let value = try read(&members)
        if let left = members.values.min(by: { $0.key < $1.key }) {
            throw left.value.problem("is no member that is known here")
        }
        return value
    }

    /// Reads a list.
    package func list<Value>(
        _ read: (StrictJSON) throws(ReceiptError) -> Value
    ) throws(ReceiptError) -> [Value] {
        guard
            let elements = try found({ (reader) throws(JSONReader.Problem) in
                try reader.elements()
            })
        else { throw problem("is not a list") }
        var values: [Value] = []
        for (index, element) in elements.enumerated() {
            values.append(try read(StrictJSON(bytes, element, "\(name)[\(index)]", whole)))
        }
        return values
    }

    /// Whether the value is null.
    package var isNull: Bool { bytes[range].elementsEqual("null".utf8) }

    /// Reads a value; nil for null.
    package func optional<Value>(
        _ read: (StrictJSON) throws(ReceiptError) -> Value
    ) throws(ReceiptError) -> Value? {
        isNull ? nil : try read(self)
    }

    /// Reads a text.
    package func text() throws(ReceiptError) -> String {
        guard let text = JSONReader.text(bytes, range) else { throw problem("is no text") }
        return text
    }

    /// Reads a text that is one of the words of a type.
    package func word<Word: RawRepresentable & CaseIterable>(
        _ type: Word.Type
    ) throws(ReceiptError) -> Word where Word.RawValue == String {
        let text = try text()
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            throw problem("is `\(text.prefix(40))`, none of \(known)")
        }
        return word
    }

    /// Reads octets in base64 (RFC 4648 section 4).
    package func base64() throws(ReceiptError) -> [UInt8] {
        guard range.count >= 2, bytes[range.lowerBound] == UInt8(ascii: "\"") else {
            throw problem("is no text")
        }
        // The alphabet has nothing that must be escaped; a text with escapes is resolved first.
        let content = bytes[range.lowerBound + 1..<range.upperBound - 1]
        if let octets = Base64.decode(content) { return octets }
        guard content.contains(UInt8(ascii: "\\")),
            let octets = Base64.decode(try text().utf8)
        else { throw problem("is no base64") }
        return octets
    }

    /// Whether the value is a text.
    package var isText: Bool { bytes[range].first == UInt8(ascii: "\"") }

    /// Whether the value is a text that begins so, as it is written.
    package func begins(with beginning: String) -> Bool {
        isText && bytes[range].dropFirst().starts(with: beginning.utf8)
    }

    /// Reads a whole number without sign, fraction or exponent.
    package func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ type: Number.Type
    ) throws(ReceiptError) -> Number {
        let digits = bytes[range]
        guard digits.count <= 20, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Number(String(decoding: digits, as: UTF8.self))
        else { throw problem("is no whole number up to \(Number.max)") }
        return number
    }

    private func found<Parts>(
        _ read: (inout JSONReader) throws(JSONReader.Problem) -> Parts
    ) throws(ReceiptError) -> Parts {
        var reader = JSONReader(bytes, in: range)
        do throws(JSONReader.Problem) {
            return try read(&reader)
        } catch {
            throw ReceiptError(
                code: .notJSON, context: "it is not JSON at octet \(error.offset): \(error.reason)")
        }
    }

    /// The members of an object that were not taken yet.
    package struct Members {
        fileprivate let owner: StrictJSON
        fileprivate var values: [String: StrictJSON]

        /// Takes the member with this name. It throws when there is none.
        package mutating func take(_ name: String) throws(ReceiptError) -> StrictJSON {
            guard let value = values.removeValue(forKey: name) else {
                throw owner.problem("has no `\(name)`")
            }
            return value
        }

        /// Takes the member with this name; nil when there is none.
        package mutating func takeIfPresent(_ name: String) -> StrictJSON? {
            values.removeValue(forKey: name)
        }

        /// Reads the member with this name; nil when there is none, and for null.
        package mutating func optional<Value>(
            _ name: String, _ read: (StrictJSON) throws(ReceiptError) -> Value
        ) throws(ReceiptError) -> Value? {
            try takeIfPresent(name)?.optional(read)
        }

        /// Leaves the members that were not taken to another reader.
        package mutating func leaveRest() { values = [:] }
    }
}
