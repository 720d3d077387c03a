/// Reads JSON (RFC 8259) one level at a time. It returns the members of an object or the elements
/// of a list as ranges of the text, and another reader reads those. The reader does not recurse.
/// Values that are skipped are checked completely, and nesting deeper than 64 is refused.
package struct JSONReader {
    /// A fault of the text, and its offset.
    package struct Problem: Error {
        /// Offset in the text.
        package let offset: Int
        /// The problem in words: lower case, no full stop.
        package let reason: String
    }

    /// A member of an object: the range of its name between the quotes, and the range of its value.
    package typealias Member = (name: Range<Int>, value: Range<Int>)

    private let bytes: [UInt8]
    private var at: Int
    private let end: Int

    /// Makes a reader over a whole text.
    package init(_ bytes: [UInt8]) {
        self.init(bytes, in: 0..<bytes.count)
    }

    /// Makes a reader over one value inside a text.
    package init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        self.at = range.lowerBound
        self.end = range.upperBound
    }

    /// The members of the object in their order; nil when the value is not an object. A name with
    /// escapes is given as it is written.
    ///
    /// - Parameter most: the most members that are read; with more, the text is refused.
    package mutating func members(most: Int = .max) throws(Problem) -> [Member]? {
        skipSpace()
        var members: [Member] = []
        guard next == UInt8(ascii: "{") else {
            try skipValue()
            try requireEnd()
            return nil
        }
        at += 1
        skipSpace()
        if !take("}") {
            repeat {
                guard members.count < most else { throw problem("more than \(most) members") }
                let name = try readKey()
                skipSpace()
                let start = at
                try skipValue()
                members.append((name, start..<at))
                skipSpace()
            } while take(",")
            guard take("}") else { throw problem("`,` or `}` is wanted") }
        }
        try requireEnd()
        return members
    }

    /// The elements of the list in their order; nil when the value is not a list.
    ///
    /// - Parameter most: the most elements that are read; with more, the text is refused.
    package mutating func elements(most: Int = .max) throws(Problem) -> [Range<Int>]? {
        skipSpace()
        var elements: [Range<Int>] = []
        guard take("[") else {
            try skipValue()
            try requireEnd()
            return nil
        }
        skipSpace()
        if !take("]") {
            repeat {
                guard elements.count < most else { throw problem("more than \(most) elements") }
                skipSpace()
                let start = at
                try skipValue()
                elements.append(start..<at)
                skipSpace()
            } while take(",")
            guard take("]") else { throw problem("`,` or `]` is wanted") }
        }
        try requireEnd()
        return elements
    }

    private var next: UInt8? { at < end ? bytes[at] : nil }

    private func problem(_ reason: String) -> Problem { Problem(offset: at, reason: reason) }

    private mutating func requireEnd() throws(Problem) {
        skipSpace()
        guard next == nil else { throw problem("something stands behind its end") }
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            at += 1
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        at += 1
        return true
    }

    /// Skips one value with everything inside it.
    private mutating func skipValue() throws(Problem) {
        var open: [UInt8] = []
        repeat {
            skipSpace()
            if take("{") {
                skipSpace()
                if !take("}") {
                    try enter(UInt8(ascii: "{"), &open)
                    _ = try readKey()
                    continue
                }
            } else if take("[") {
                skipSpace()
                if !take("]") {
                    try enter(UInt8(ascii: "["), &open)
                    continue
                }
            } else {
                try skipScalar()
            }
            try leave(&open)
        } while !open.isEmpty
    }

    private func enter(_ container: UInt8, _ open: inout [UInt8]) throws(Problem) {
        guard open.count < 64 else { throw problem("it nests deeper than 64") }
        open.append(container)
    }

    /// Reads what follows a value: the next element of its container, or the end of that container
    /// and of containers around it.
    private mutating func leave(_ open: inout [UInt8]) throws(Problem) {
        while let container = open.last {
            skipSpace()
            let isObject = container == UInt8(ascii: "{")
            if take(",") {
                if isObject { _ = try readKey() }
                return
            }
            guard take(isObject ? "}" : "]") else {
                throw problem("`,` or `\(isObject ? "}" : "]")` is wanted")
            }
            open.removeLast()
        }
    }

    /// Reads a member's name and the colon after it.
    private mutating func readKey() throws(Problem) -> Range<Int> {
        skipSpace()
        let start = at + 1
        try skipString()
        let end = at - 1
        skipSpace()
        guard take(":") else { throw problem("`:` is wanted") }
        return start..<end
    }

    private mutating func skipScalar() throws(Problem) {
        switch next {
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "-"): try skipNumber()
        case .some(let byte) where JSONReader.isDigit(byte): try skipNumber()
        default:
            for word in ["true", "false", "null"] where bytes[at..<end].starts(with: word.utf8) {
                at += word.utf8.count
                return
            }
            throw problem("a value is wanted")
        }
    }

    private mutating func skipString() throws(Problem) {
        guard take("\"") else { throw problem("a text in double quotes is wanted") }
        let start = at
        // Most texts are ASCII, in which there is nothing to validate.
        var all: UInt8 = 0
        while let byte = next {
            all |= byte
            switch byte {
            case UInt8(ascii: "\""):
                guard all < 0x80 || String(validating: bytes[start..<at], as: UTF8.self) != nil
                else {
                    throw Problem(offset: start, reason: "it is not UTF-8")
                }
                at += 1
                return
            case UInt8(ascii: "\\"): try skipEscape()
            case 0..<0x20: throw problem("a control character stands in a text")
            default: at += 1
            }
        }
        throw problem("a text has no end")
    }

    private mutating func skipEscape() throws(Problem) {
        let rest = bytes[at + 1..<end]
        if let first = rest.first, "\"\\/bfnrt".utf8.contains(first) {
            at += 2
            return
        }
        guard rest.first == UInt8(ascii: "u"), rest.dropFirst().prefix(4).count == 4,
            rest.dropFirst().prefix(4).allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit })
        else { throw problem("an escape that JSON does not have") }
        at += 6
    }

    private mutating func skipNumber() throws(Problem) {
        _ = take("-")
        if !take("0") { try skipDigits() }
        if take(".") { try skipDigits() }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(Problem) {
        let start = at
        while let byte = next, JSONReader.isDigit(byte) { at += 1 }
        guard at > start else { throw problem("a digit is wanted") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    // MARK: Texts

    /// The text of a string value, escapes resolved; nil when the value is not a string. Half of a
    /// surrogate pair is not a character and becomes U+FFFD.
    package static func text(_ bytes: [UInt8], _ range: Range<Int>) -> String? {
        guard range.count >= 2, bytes[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
        let content = bytes[range.lowerBound + 1..<range.upperBound - 1]
        // Most texts have no escape.
        guard content.contains(UInt8(ascii: "\\")) else {
            return String(decoding: content, as: UTF8.self)
        }
        var units: [UInt16] = []
        var rest = content
        while let byte = rest.first {
            guard byte == UInt8(ascii: "\\") else {
                let run = rest.prefix { $0 != UInt8(ascii: "\\") }
                units += Array(String(decoding: run, as: UTF8.self).utf16)
                rest = rest[run.endIndex...]
                continue
            }
            rest = rest.dropFirst()
            guard let kind = rest.popFirst() else { break }
            switch kind {
            case UInt8(ascii: "u"):
                let digits = String(decoding: rest.prefix(4), as: UTF8.self)
                units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
                rest = rest.dropFirst(4)
            case UInt8(ascii: "b"): units.append(0x08)
            case UInt8(ascii: "f"): units.append(0x0C)
            case UInt8(ascii: "n"): units.append(0x0A)
            case UInt8(ascii: "r"): units.append(0x0D)
            case UInt8(ascii: "t"): units.append(0x09)
            default: units.append(UInt16(kind))
            }
        }
        return String(decoding: units, as: UTF16.self)
    }
}
