/// Marks that a shell or a template engine would replace: `${NAME}` and `{{ … }}`. Nothing replaces
/// them in a policy, so they are texts like any other.
package enum Placeholder {
    /// The help beside every diagnostic about a placeholder.
    package static let help =
        "nothing is expanded in a policy: write the value, or fill the file in before it is read"

    /// Whether a text may have a mark: one comparison for nearly every octet.
    package static func mayBeIn(_ bytes: [UInt8]) -> Bool {
        var previous: UInt8 = 0
        for byte in bytes {
            if byte == 0x7B, previous == 0x7B || previous == 0x24 { return true }
            previous = byte
        }
        return false
    }

    /// The first mark in a text; nil if it has none.
    package static func first(in text: some StringProtocol) -> String? {
        let bytes = Array(text.utf8)
        var offset = 0
        while offset + 1 < bytes.count {
            if let range = mark(bytes, at: offset, bytes.count) {
                return String(decoding: bytes[range], as: UTF8.self)
            }
            offset += 1
        }
        return nil
    }

    /// Whether a mark shares an octet with a range.
    static func touches(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        var offset = max(0, range.lowerBound - longest)
        while offset < range.upperBound {
            if let mark = mark(bytes, at: offset, bytes.count), mark.upperBound > range.lowerBound {
                return true
            }
            offset += 1
        }
        return false
    }

    /// The mark that begins at an offset and ends before another one, on the same line.
    private static func mark(_ bytes: [UInt8], at offset: Int, _ end: Int) -> Range<Int>? {
        guard offset + 1 < end, bytes[offset + 1] == 0x7B else { return nil }
        let isTemplate = bytes[offset] == 0x7B
        guard isTemplate || bytes[offset] == 0x24 else { return nil }
        // Long enough for a mark, and short enough to be looked for at each brace.
        let limit = min(end, offset + longest)
        var close = offset + 2
        while close < limit, bytes[close] != 0x0A {
            // Another mark begins: each octet is looked at for one mark.
            if bytes[close] == 0x7B, !isTemplate || bytes[close - 1] == 0x7B { return nil }
            if bytes[close] == 0x7D {
                if !isTemplate { return close > offset + 2 ? offset..<close + 1 : nil }
                if close + 1 < limit, bytes[close + 1] == 0x7D { return offset..<close + 2 }
            }
            close += 1
        }
        return nil
    }

    /// The most octets of a mark.
    private static let longest = 256

    /// The marks that YAML does not read as text: `{{` where a value begins, and both marks in
    /// brackets. Takes time in proportion to the octets.
    static func misread(_ bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var passed = 0
        for part in UnquotedText(bytes).parts {
            for token in part.tokens where token.offset >= passed {
                // In brackets a `{` ends the text before it, so a mark there is looked for in all
                // of the text.
                var offset = token.offset
                let last = token.isFlow ? part.endOfText(from: offset, bytes) : offset + 1
                while offset < last {
                    let isMisread = token.isFlow || bytes[offset] == 0x7B
                    // A mark may hold quotes, which end the part.
                    if isMisread, let range = mark(bytes, at: offset, bytes.count) {
                        found.append(range)
                        passed = range.upperBound
                        break
                    }
                    offset += 1
                }
            }
        }
        return found
    }
}

extension UnquotedText.Part {
    /// The end of the text that begins at an offset in brackets.
    fileprivate func endOfText(from offset: Int, _ bytes: [UInt8]) -> Int {
        var end = offset
        while end < range.upperBound, ![0x2C, 0x5D, 0x7D].contains(bytes[end]) {
            if end > offset, bytes[end] == 0x7B, bytes[end - 1] != 0x24 { break }
            end += 1
        }
        return end
    }
}
