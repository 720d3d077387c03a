/// A JSON text read strictly (RFC 8259): a second key of one name, a comment, or a trailing comma
/// is an error, so that output tested with it is what every reader sees.
package indirect enum JSONDocument: Hashable, Sendable {
    case object([String: JSONDocument])
    case array([JSONDocument])
    case string(String)
    case integer(Int64)
    case number(Double)
    case bool(Bool)
    case null

    /// Why a text is not JSON.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads a whole text.
    package init(text: String) throws {
        var reader = JSONReader(Array(text.utf8))
        self = try reader.document()
    }

    /// A member of an object.
    package subscript(key: String) -> JSONDocument? {
        if case .object(let members) = self { return members[key] }
        return nil
    }

    /// The items of an array, or nothing.
    package var items: [JSONDocument] {
        if case .array(let items) = self { return items }
        return []
    }

    /// The text of a string.
    package var text: String? {
        if case .string(let text) = self { return text }
        return nil
    }
}

private struct JSONReader {
    private let bytes: [UInt8]
    private var offset = 0
    private static let maximumDepth = 200

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws -> JSONDocument {
        let value = try value(depth: 0)
        skipSpace()
        guard offset == bytes.count else { throw problem("text after the document") }
        return value
    }

    private mutating func value(depth: Int) throws -> JSONDocument {
        guard depth < JSONReader.maximumDepth else { throw problem("nested too deep") }
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws -> JSONDocument {
        offset += 1
        var members: [String: JSONDocument] = [:]
        skipSpace()
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw problem("a key is wanted") }
            let key = try string()
            skipSpace()
            guard take(":") else { throw problem("`:` is wanted") }
            guard members[key] == nil else { throw problem("key `\(key)` stands twice") }
            members[key] = try value(depth: depth + 1)
            skipSpace()
        } while take(",")
        guard take("}") else { throw problem("`}` is wanted") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws -> JSONDocument {
        offset += 1
        var items: [JSONDocument] = []
        skipSpace()
        if take("]") { return .array(items) }
        repeat {
            items.append(try value(depth: depth + 1))
            skipSpace()
        } while take(",")
        guard take("]") else { throw problem("`]` is wanted") }
        return .array(items)
    }

    private mutating func string() throws -> String {
        offset += 1
        var result: [UInt8] = []
        while let byte = peek {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: result, as: UTF8.self) else {
                    throw problem("a string that is not UTF-8")
                }
                return text
            case UInt8(ascii: "\\"): result += Array(String(try escape()).utf8)
            case 0..<0x20: throw problem("a control character in a string")
            default: result.append(byte)
            }
        }
        throw problem("a string without end")
    }

    private mutating func escape() throws -> Unicode.Scalar {
        guard let byte = peek else { throw problem("an escape without end") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let first = try codeUnit()
            guard (0xD800..<0xDC00).contains(first) else {
                guard let scalar = Unicode.Scalar(first) else { throw problem("a lone surrogate") }
                return scalar
            }
            guard take("\\"), take("u") else { throw problem("a lone surrogate") }
            let second = try codeUnit()
            guard (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            else { throw problem("a lone surrogate") }
            return scalar
        default: throw problem("an escape that JSON does not have")
        }
    }

    private mutating func codeUnit() throws -> UInt32 {
        guard offset + 4 <= bytes.count,
            let text = String(validating: bytes[offset..<offset + 4], as: UTF8.self),
            let value = UInt32(text, radix: 16)
        else { throw problem("four hex digits are wanted") }
        offset += 4
        return value
    }

    private mutating func number() throws -> JSONDocument {
        let start = offset
        while let byte = peek, "+-.0123456789eE".utf8.contains(byte) { offset += 1 }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        let digits = text.drop { $0 == "-" }
        guard let first = digits.first, first.isNumber, !text.hasPrefix("--"),
            !(first == "0" && digits.dropFirst().first?.isNumber == true)
        else { throw problem("a value is wanted") }
        if let integer = Int64(text) { return .integer(integer) }
        guard let double = Double(text) else { throw problem("`\(text)` is no number") }
        return .number(double)
    }

    private mutating func word(_ word: String, _ value: JSONDocument) throws -> JSONDocument {
        guard bytes[offset...].starts(with: word.utf8) else { throw problem("a value is wanted") }
        offset += word.utf8.count
        return value
    }

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            offset += 1
        }
    }

    private func problem(_ text: String) -> JSONDocument.Problem {
        JSONDocument.Problem(description: "octet \(offset): \(text)")
    }
}
