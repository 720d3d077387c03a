/// A file's text as libyaml gets it: what editors hide is masked, and every place leads back to the
/// bytes of the file.
struct PreparedText {
    /// The text to read.
    var input: [UInt8]
    /// From `input` back to the file.
    var offsets: OffsetMap
    /// Whether `input` is ASCII throughout, so that characters are bytes.
    var isASCII: Bool
    /// Byte ranges of the file that were masked inside a line, in order: text that touches one is
    /// not what its author sees.
    var masked: [Range<Int>]
    /// What was found, in source order.
    var diagnostics: [Diagnostic]
    /// False for a file that cannot be read as text at all.
    var isReadable: Bool
}

/// Byte offsets of a text with some runs replaced by others of another length, and those of the
/// file it came from.
struct OffsetMap {
    /// From this offset of the text on, the file's offset is `source` and counts alike.
    struct Break {
        var input: Int
        var source: Int
    }

    /// Ascending; empty when both texts are the same.
    private(set) var breaks: [Break] = []

    /// States that the text from `input` on comes from `source` on.
    mutating func add(input: Int, source: Int) {
        breaks.append(Break(input: input, source: source))
    }

    /// Where a byte of the text stands in the file. O(log breaks).
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

    /// A range of the text as a range of the file: it ends with its last byte, not before the next.
    func source(_ range: Range<Int>) -> Range<Int> {
        if breaks.isEmpty { return range }
        let start = source(range.lowerBound)
        guard !range.isEmpty else { return start..<start }
        return start..<max(start, source(range.upperBound - 1) + 1)
    }
}
