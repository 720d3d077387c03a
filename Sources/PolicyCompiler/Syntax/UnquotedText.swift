import TrustEngine
internal import TrustEngine

/// The parts of a text that are neither in quotes nor in comments nor in literal text, line by
/// line.
///
/// It is read before libyaml and from bytes that need not be YAML, so it is a guess wherever the
/// text is not. It decides only which diagnostic replaces libyaml's.
struct UnquotedText {
    /// A part of one line.
    struct Part {
        var range: Range<Int>
        /// The line's text begins in this part.
        var beginsLine: Bool
        /// Only a comment, or nothing, follows on the line.
        var endsLine: Bool
        /// The places at which a key or a value begins, in order.
        var tokens: [Token]

        /// The index of the first token at or behind an offset.
        func firstToken(from offset: Int) -> Int {
            var low = 0
            var high = tokens.count
            while low < high {
                let middle = (low + high) / 2
                if tokens[middle].offset < offset { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// A place where a key or a value begins.
    struct Token {
        var offset: Int
        /// Whether the place is in brackets.
        var isFlow: Bool
    }

    private(set) var parts: [Part] = []
    /// The indentation of lines of literal text that has other spaces than blanks, as far as it
    /// counts as indentation.
    private(set) var literalIndents: [Range<Int>] = []

    private let bytes: [UInt8]
    private var quote: UInt8?
    private var depth = 0
    private var literal: (parent: Int, column: Int?)?

    /// Reads a text. Takes time in proportion to its octets.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != 0x0A { end += 1 }
            readLine(start..<end)
            start = end + 1
        }
    }

    /// The octets of a space of Unicode at an offset; nil where none begins there.
    static func space(_ bytes: [UInt8], _ offset: Int) -> (scalar: Unicode.Scalar, length: Int)? {
        guard bytes[offset] >= 0x80 else { return nil }
        let step = UTF8Step.decode(bytes, at: offset)
        guard let scalar = step.scalar, HiddenCharacter.isSpace(scalar) else { return nil }
        return (scalar, step.length)
    }

    /// The length of a blank, tab or space of Unicode at an offset; 0 where there is none.
    private func white(_ offset: Int) -> Int {
        if bytes[offset] == 0x20 || bytes[offset] == 0x09 { return 1 }
        return UnquotedText.space(bytes, offset)?.length ?? 0
    }

    private mutating func readLine(_ line: Range<Int>) {
        var offset = line.lowerBound
        var column = 0
        while offset < line.upperBound {
            let length = white(offset)
            if length == 0 { break }
            offset += length
            column += 1
        }
        let isBlank = line[offset...].allSatisfy { bytes[$0] == 0x0D }
        if let open = literal {
            if isBlank { return }
            if column > open.parent {
                let content = open.column ?? column
                literal?.column = content
                noteLiteralIndent(line.lowerBound..<offset, upTo: content)
                return
            }
            literal = nil
        }
        readText(line, from: offset, column: column)
    }

    private mutating func noteLiteralIndent(_ white: Range<Int>, upTo column: Int) {
        var offset = white.lowerBound
        var passed = 0
        while offset < white.upperBound, passed < column {
            offset += self.white(offset)
            passed += 1
        }
        let indent = white.lowerBound..<offset
        if bytes[indent].contains(where: { $0 >= 0x80 }) { literalIndents.append(indent) }
    }

    private mutating func readText(_ line: Range<Int>, from first: Int, column: Int) {
        var part = line.lowerBound
        var offset = first
        var tokens: [Token] = []
        var mayBegin = quote == nil
        var contentColumn = column
        var isAtStart = true
        var literalParent: Int?
        func isWhite(_ offset: Int) -> Bool {
            offset >= line.upperBound || bytes[offset] == 0x0D || white(offset) > 0
        }
        while offset < line.upperBound {
            if let open = quote {
                offset = endOfQuote(open, offset, line.upperBound)
                if quote != nil { return }
                part = offset
                mayBegin = false
                isAtStart = false
                continue
            }
            let byte = bytes[offset]
            let length = white(offset)
            if length > 0 {
                offset += length
                continue
            }
            if byte == 0x23, offset == first || white(before: offset, line.lowerBound) {
                break
            }
            if mayBegin, byte == 0x22 || byte == 0x27 {
                add(part..<offset, line, tokens, endsLine: false)
                tokens = []
                quote = byte
                offset += 1
                continue
            }
            if mayBegin { tokens.append(Token(offset: offset, isFlow: depth > 0)) }
            let begins = mayBegin
            mayBegin = false
            switch byte {
            case 0x5B, 0x7B:
                if begins || depth > 0 {
                    depth += 1
                    mayBegin = true
                }
            case 0x5D, 0x7D: depth = max(0, depth - 1)
            case 0x2C: mayBegin = depth > 0
            case 0x3A: mayBegin = isWhite(offset + 1)
            case 0x2D:
                if begins, isWhite(offset + 1) {
                    mayBegin = true
                    if isAtStart {
                        var next = offset + 1
                        var columns = 1
                        while next < line.upperBound, white(next) > 0 {
                            next += white(next)
                            columns += 1
                        }
                        contentColumn += columns
                    }
                }
            case 0x7C, 0x3E:
                if begins, depth == 0, isLiteralHeader(offset..<line.upperBound) {
                    literalParent = isAtStart ? column : contentColumn
                }
            default: break
            }
            if byte != 0x2D || !mayBegin { isAtStart = false }
            offset += 1
        }
        add(part..<offset, line, tokens, endsLine: true)
        if let literalParent { literal = (literalParent, nil) }
    }

    /// Whether nothing but the header of literal text stands in a range.
    private func isLiteralHeader(_ range: Range<Int>) -> Bool {
        var offset = range.lowerBound + 1
        while offset < range.upperBound,
            [0x2B, 0x2D].contains(bytes[offset])
                || (0x31...0x39).contains(bytes[offset])
        {
            offset += 1
        }
        while offset < range.upperBound, bytes[offset] == 0x0D || white(offset) > 0 {
            offset += max(white(offset), 1)
        }
        return offset >= range.upperBound || bytes[offset] == 0x23
    }

    private func white(before offset: Int, _ start: Int) -> Bool {
        offset > start && white(bytes[start...].characterStart(offset - 1)) > 0
    }

    private mutating func add(
        _ range: Range<Int>, _ line: Range<Int>, _ tokens: [Token], endsLine: Bool
    ) {
        guard !range.isEmpty else { return }
        parts.append(
            Part(
                range: range, beginsLine: range.lowerBound == line.lowerBound, endsLine: endsLine,
                tokens: tokens))
    }

    /// The offset behind the quote that closes, or the end of the line.
    private mutating func endOfQuote(_ open: UInt8, _ start: Int, _ end: Int) -> Int {
        var offset = start
        while offset < end {
            let byte = bytes[offset]
            if byte == 0x5C, open == 0x22 {
                offset += 2
                continue
            }
            if byte == open {
                if open == 0x27, offset + 1 < end, bytes[offset + 1] == open {
                    offset += 2
                    continue
                }
                quote = nil
                return offset + 1
            }
            offset += 1
        }
        return end
    }
}
