/// The text of a file as libyaml gets it: hidden characters are masked, and every offset can be
/// traced back to the file.
struct PreparedText {
    /// The text for libyaml.
    var input: [UInt8]
    /// From offsets in `input` to offsets in the file.
    var offsets: OffsetMap
    /// Whether `input` is ASCII, so that each character is one byte.
    var isASCII: Bool
    /// The byte ranges of the file that were masked inside a line, in order. The author sees other
    /// text there.
    var masked: [Range<Int>]
    /// The diagnostics of the pre-pass, in source order.
    var diagnostics: [Diagnostic]
    /// False if the file cannot be read as text.
    var isReadable: Bool
}

/// Maps byte offsets of a text to offsets of the file from which it was made. Ranges of the file
/// were replaced by text of another length.
struct OffsetMap {
    /// From offset `input` on, offset `source` of the file corresponds, and both count alike.
    struct Break {
        var input: Int
        var source: Int
    }

    /// Ascending; empty if text and file are equal.
    private(set) var breaks: [Break] = []

    /// Adds a break: from `input` on, the text comes from `source` on.
    mutating func add(input: Int, source: Int) {
        breaks.append(Break(input: input, source: source))
    }

    /// The offset in the file of a byte of the text. O(log breaks).
    func source(_ input: Int) -> Int {
        if breaks.isEmpty { return input }
        var low = 0
        var high = breaks.count
        while low < high {
            let middle = (low + high) / 2
            if breaks[middle].input <= input { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return min(input, breaks[0].source) }
        let last = breaks[low - 1]
        let offset = last.source + (input - last.input)
        return low < breaks.count ? min(offset, breaks[low].source) : offset
    }

    /// The range of the file for a range of the text. It ends with the last byte of the range, not
    /// before the next byte.
    func source(_ range: Range<Int>) -> Range<Int> {
        if breaks.isEmpty { return range }
        let start = source(range.lowerBound)
        guard !range.isEmpty else { return start..<start }
        return start..<max(start, source(range.upperBound - 1) + 1)
    }
}
