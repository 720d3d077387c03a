import TrustEngine

/// Reads the tokens of protobuf's text format (the text format language specification of
/// protobuf.dev): blanks and comments, names, strings and numbers. Linear in the text.
struct TextFormatScanner {
    let bytes: [UInt8]
    /// The next octet to read.
    private(set) var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next octet; nil at the end.
    var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    /// Reads one octet if it is the next.
    mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: mark) else { return false }
        at += 1
        return true
    }

    /// Skips blanks, line ends and comments. A comment ends at the line feed. A carriage return
    /// without one is refused: an editor shows what follows it as a line of its own, and the
    /// format takes it for a part of the comment.
    mutating func skipBlanks() throws(TextFormatError) {
        var isComment = false
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\n"): isComment = false
            case UInt8(ascii: "\r"):
                guard at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "\n") else {
                    throw TextFormatError(
                        "a carriage return without a line feed; write a line feed", at: at)
                }
            case UInt8(ascii: "\t"), UInt8(ascii: " "): break
            case UInt8(ascii: "#"): isComment = true
            case 0..<0x20, 0x7F:
                throw TextFormatError("a control character; remove it", at: at)
            default:
                guard isComment else { return }
            }
            at += 1
        }
    }

    // MARK: Names

    /// The longest name or number, in octets.
    private static let longestWord = 256

    /// Reads the name of a field: letters, digits and underscores, or an extension in brackets.
    mutating func name() throws(TextFormatError) -> String {
        let start = at
        guard let first = next else { throw TextFormatError("a field's name is missing", at: at) }
        if first == UInt8(ascii: "[") {
            at += 1
            while let byte = next, Self.isWord(byte) || "./-%".utf8.contains(byte) { at += 1 }
            guard at > start + 1, take("]") else {
                throw TextFormatError(
                    "the name of an extension is `[NAME]`, of letters, digits, `_`, `.` and `/`",
                    at: start)
            }
        } else {
            guard Self.isWord(first), !Self.isDigit(first) else {
                throw TextFormatError(
                    "found \(shown(first)) where the name of a field begins, or its message ends",
                    at: at)
            }
            while let byte = next, Self.isWord(byte) { at += 1 }
        }
        guard at - start <= Self.longestWord else {
            throw TextFormatError(
                "a name has at most \(Self.longestWord) characters", at: start)
        }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    // MARK: Values

    /// Reads a value that is not a message: a string, a number or a word.
    mutating func scalar() throws(TextFormatError) -> TextValue {
        guard let first = next else { throw TextFormatError("a value is missing", at: at) }
        if Self.isQuote(first) { return .string(try strings()) }
        let start = at
        let isNegative = take("-")
        if isNegative { try skipBlanks() }
        let from = at
        while let byte = next, Self.isWord(byte) || byte == UInt8(ascii: ".") || isExponent(from) {
            at += 1
        }
        guard at > from else {
            throw TextFormatError(
                "found \(next.map(shown) ?? "the end") where a value begins: a string in quotes, "
                    + "a number, a word or a message in `{}`", at: at)
        }
        guard at - from <= Self.longestWord else {
            throw TextFormatError(
                "a value without quotes has at most \(Self.longestWord) characters", at: from)
        }
        let word = bytes[from..<at]
        guard let head = word.first, Self.isDigit(head) || head == UInt8(ascii: ".") else {
            let text = String(decoding: word, as: UTF8.self)
            guard !word.contains(UInt8(ascii: ".")),
                !isNegative || ["inf", "infinity", "nan"].contains(text.lowercased())
            else { throw TextFormatError("`\(text)` is no number and no word", at: start) }
            return .word((isNegative ? "-" : "") + text)
        }
        return try number(word, isNegative: isNegative, at: start)
    }

    /// Whether the next octet is the sign of an exponent, in a number that begins at `from`.
    private func isExponent(_ from: Int) -> Bool {
        guard at > from, let byte = next, byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"),
            bytes[at - 1] | 0x20 == UInt8(ascii: "e")
        else { return false }
        return bytes[from..<at - 1].allSatisfy { Self.isDigit($0) || $0 == UInt8(ascii: ".") }
    }

    private func number(
        _ word: ArraySlice<UInt8>, isNegative: Bool, at start: Int
    ) throws(TextFormatError) -> TextValue {
        let text = String(decoding: word, as: UTF8.self)
        let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
        let isOctal = !isHexadecimal && word.count > 1 && word.first == UInt8(ascii: "0")
        let digits = isHexadecimal ? word.dropFirst(2) : word
        let radix = isHexadecimal ? 16 : isOctal ? 8 : 10
        let isWhole =
            !digits.isEmpty
            && digits.allSatisfy { isHexadecimal ? Self.value(ofHex: $0) != nil : Self.isDigit($0) }
        guard isWhole else {
            // A fraction or an exponent, which no field of a root store has.
            guard !isHexadecimal, Self.isFraction(word) else {
                throw TextFormatError("`\(text)` is no number", at: start)
            }
            return .word((isNegative ? "-" : "") + text)
        }
        guard !isOctal || !digits.contains(where: { $0 > UInt8(ascii: "7") }) else {
            throw TextFormatError(
                "`\(text)` begins with 0, so its digits are octal: 0 to 7", at: start)
        }
        guard let magnitude = UInt64(String(decoding: digits, as: UTF8.self), radix: radix) else {
            throw TextFormatError("`\(text)` does not fit in 64 bits", at: start)
        }
        return .integer(isNegative: isNegative, magnitude: magnitude)
    }

    /// Whether a word is digits with at most one dot, then an exponent or an `f` or nothing.
    private static func isFraction(_ word: ArraySlice<UInt8>) -> Bool {
        var rest = word
        let whole = rest.prefix(while: isDigit)
        rest = rest.dropFirst(whole.count)
        var decimals = rest.prefix(0)
        if rest.first == UInt8(ascii: ".") {
            decimals = rest.dropFirst().prefix(while: isDigit)
            rest = rest.dropFirst(1 + decimals.count)
        }
        guard !whole.isEmpty || !decimals.isEmpty else { return false }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, "+-".utf8.contains(sign) { rest = rest.dropFirst() }
            let exponent = rest.prefix(while: isDigit)
            guard !exponent.isEmpty else { return false }
            rest = rest.dropFirst(exponent.count)
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "f") { rest = rest.dropFirst() }
        return rest.isEmpty
    }

    // MARK: Strings

    /// Reads adjacent literals, which are one string.
    private mutating func strings() throws(TextFormatError) -> [UInt8] {
        var octets: [UInt8] = []
        while let byte = next, Self.isQuote(byte) {
            try string(into: &octets)
            try skipBlanks()
        }
        return octets
    }

    private mutating func string(into octets: inout [UInt8]) throws(TextFormatError) {
        let start = at
        let quote = bytes[at]
        at += 1
        while let byte = next {
            at += 1
            switch byte {
            case quote: return
            case UInt8(ascii: "\\"): try escape(into: &octets)
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                throw TextFormatError("this string does not end on its line", at: start)
            case 0..<0x20, 0x7F:
                throw TextFormatError(
                    "a control character in a string; write it as an escape", at: at - 1)
            default: octets.append(byte)
            }
        }
        throw TextFormatError("this string has no end", at: start)
    }

    /// Reads what follows a backslash.
    private mutating func escape(into octets: inout [UInt8]) throws(TextFormatError) {
        let start = at - 1
        guard let byte = next else { throw TextFormatError("this escape has no end", at: start) }
        at += 1
        if let plain = Self.escapes[byte] { return octets.append(plain) }
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            at -= 1
            guard let value = UInt8(exactly: digits(atMost: 3, radix: 8).value) else {
                throw TextFormatError("an octal escape is at most \\377", at: start)
            }
            octets.append(value)
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            let (value, count) = digits(atMost: 2, radix: 16)
            guard count > 0 else {
                throw TextFormatError("`\\x` wants one or two hexadecimal digits", at: start)
            }
            octets.append(UInt8(truncatingIfNeeded: value))
        case UInt8(ascii: "u"), UInt8(ascii: "U"):
            let wanted = byte == UInt8(ascii: "u") ? 4 : 8
            let (value, count) = digits(atMost: wanted, radix: 16)
            guard count == wanted, let scalar = Unicode.Scalar(value) else {
                throw TextFormatError(
                    "`\\u` wants four hexadecimal digits and `\\U` eight, of a character",
                    at: start)
            }
            octets.append(contentsOf: Array(String(Character(scalar)).utf8))
        default:
            throw TextFormatError("a backslash and \(shown(byte)) is no escape", at: start)
        }
    }

    /// Reads digits as far as they go.
    private mutating func digits(
        atMost limit: Int, radix: UInt32
    ) -> (value: UInt32, count: Int) {
        var value: UInt32 = 0
        var count = 0
        while count < limit, let byte = next, let digit = Self.value(ofHex: byte), digit < radix {
            value = value &* radix &+ digit
            count += 1
            at += 1
        }
        return (value, count)
    }

    /// What a letter after a backslash stands for.
    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10,
        UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9, UInt8(ascii: "v"): 11,
        UInt8(ascii: "?"): UInt8(ascii: "?"), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
        UInt8(ascii: "'"): UInt8(ascii: "'"), UInt8(ascii: "\""): UInt8(ascii: "\""),
    ]

    // MARK: Octets

    private static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
            || byte == UInt8(ascii: "_")
    }

    private static func value(ofHex byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// An octet as messages name it.
    private func shown(_ byte: UInt8) -> String {
        0x21..<0x7F ~= byte
            ? "`\(Unicode.Scalar(byte))`" : "the octet 0x" + Hexadecimal.encode([byte])
    }
}
