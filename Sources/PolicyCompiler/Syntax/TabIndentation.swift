/// Finds tabs in indentation and guesses the blanks that their author saw, so that one tab does not
/// hide what stands after it.
///
/// The guess follows the lines before. A line that is indented by the same characters as an open
/// level belongs to that level. After a line that ends with `:` a new level opens, with the width
/// of the next line that is indented with blanks, or two. Any other line is a sibling of the line
/// before. Inside a literal scalar, a tab after enough blanks is text and is not reported.
enum TabIndentation {
    struct Repair {
        /// The first tabs in the indentation; nil for a line that holds nothing else, which is not
        /// reported.
        var tabs: Range<Int>?
        /// The whole indentation.
        var whitespace: Range<Int>
        /// The number of blanks to write instead.
        var blanks: Int
    }

    /// An open level: its indentation as written, and its width.
    private struct Level {
        var written: ArraySlice<UInt8>
        var column: Int
    }

    static func repairs(_ bytes: [UInt8]) -> [Repair] {
        var repairs: [Repair] = []
        var levels: [Level] = []
        var lineBefore: IndentedLine?
        var literal: LiteralContent?
        var offset = 0
        while offset < bytes.count {
            let line = IndentedLine(bytes, at: offset)
            offset = line.end + 1
            if line.isBlank {
                if line.tabs != nil, literal == nil { repairs.append(line.blankRepair) }
                continue
            }
            let written = bytes[line.whitespace]
            let blanksFirst = written.prefix { $0 == 0x20 }.count
            if var content = literal {
                if blanksFirst > content.parent && blanksFirst >= content.column ?? 0 {
                    content.column = content.column ?? blanksFirst
                    literal = content
                    continue
                }
                let leaves =
                    line.tabs == nil || levels.contains { $0.written == written }
                if !leaves {
                    let column = content.column ?? content.parent + 2
                    content.column = column
                    literal = content
                    repairs.append(line.repair(column))
                    continue
                }
                literal = nil
            }
            var column = written.count
            if line.tabs != nil {
                column = guess(line, written, levels, lineBefore, bytes)
                repairs.append(line.repair(column))
            }
            while let last = levels.last, last.column >= column { levels.removeLast() }
            levels.append(Level(written: written, column: column))
            var settled = line
            settled.column = column
            lineBefore = settled
            if line.opensLiteral(bytes) {
                literal = LiteralContent(parent: settled.contentColumn(bytes), column: nil)
            }
        }
        return repairs
    }

    private static func guess(
        _ line: IndentedLine, _ written: ArraySlice<UInt8>, _ levels: [Level],
        _ before: IndentedLine?,
        _ bytes: [UInt8]
    ) -> Int {
        if let level = levels.last(where: { $0.written == written }) { return level.column }
        guard let before else { return 0 }
        let parent = before.contentColumn(bytes)
        if before.lastVisible(bytes) == 0x3A {
            let next = nextIndentation(after: line, bytes)
            return next > parent ? next : parent + 2
        }
        return line.isListItem(bytes) ? before.column : parent
    }

    /// The number of blanks before the next line that is indented with blanks only.
    private static func nextIndentation(after line: IndentedLine, _ bytes: [UInt8]) -> Int {
        var offset = line.end + 1
        for _ in 0..<linesAhead where offset < bytes.count {
            let next = IndentedLine(bytes, at: offset)
            offset = next.end + 1
            if !next.isBlank, next.tabs == nil { return next.whitespace.count }
        }
        return 0
    }

    private static let linesAhead = 16

    private struct LiteralContent {
        /// The column that the content must be right of.
        var parent: Int
        /// The column of the content, known after its first line.
        var column: Int?
    }
}

/// One line and its parts.
struct IndentedLine {
    let whitespace: Range<Int>
    /// End of the text, before the line feed.
    let end: Int
    /// First run of tabs in the indentation.
    let tabs: Range<Int>?
    /// The width of the indentation, once it is known.
    var column = 0

    init(_ bytes: [UInt8], at start: Int) {
        var offset = start
        var firstTab: Int?
        var lastTab = start
        while offset < bytes.count, bytes[offset] == 0x20 || bytes[offset] == 0x09 {
            if bytes[offset] == 0x09, firstTab == nil || lastTab == offset {
                firstTab = firstTab ?? offset
                lastTab = offset + 1
            }
            offset += 1
        }
        whitespace = start..<offset
        tabs = firstTab.map { $0..<lastTab }
        while offset < bytes.count, bytes[offset] != 0x0A { offset += 1 }
        end = offset
        column = whitespace.count
        isBlank =
            whitespace.upperBound == end
            || (whitespace.upperBound == end - 1 && bytes[end - 1] == 0x0D)
    }

    let isBlank: Bool

    func repair(_ column: Int) -> TabIndentation.Repair {
        TabIndentation.Repair(
            tabs: tabs ?? whitespace, whitespace: whitespace, blanks: column)
    }

    var blankRepair: TabIndentation.Repair {
        TabIndentation.Repair(tabs: nil, whitespace: whitespace, blanks: whitespace.count)
    }

    func isListItem(_ bytes: [UInt8]) -> Bool {
        let start = whitespace.upperBound
        return bytes[start] == 0x2D && (start + 1 >= end || bytes[start + 1] == 0x20)
    }

    /// The column of the text after the dashes of list items.
    func contentColumn(_ bytes: [UInt8]) -> Int {
        var offset = whitespace.upperBound
        while offset + 1 < end, bytes[offset] == 0x2D, bytes[offset + 1] == 0x20 {
            offset += 1
            while offset < end, bytes[offset] == 0x20 { offset += 1 }
        }
        return column + (offset - whitespace.upperBound)
    }

    /// The last character that is neither blank nor in a comment.
    func lastVisible(_ bytes: [UInt8]) -> UInt8? {
        var last: UInt8?
        var previous: UInt8 = 0x20
        for byte in bytes[whitespace.upperBound..<end] {
            if byte == 0x23, previous == 0x20 || previous == 0x09 { break }
            if byte != 0x20, byte != 0x09, byte != 0x0D { last = byte }
            previous = byte
        }
        return last
    }

    /// Whether the line ends with the header of a block scalar: `|`, `>-`, `|2`.
    func opensLiteral(_ bytes: [UInt8]) -> Bool {
        var words: [ArraySlice<UInt8>] = []
        for word in bytes[whitespace.upperBound..<end].split(whereSeparator: {
            $0 == 0x20 || $0 == 0x09 || $0 == 0x0D
        }) {
            if word.first == 0x23 { break }
            words.append(word)
        }
        guard words.count > 1, let last = words.last, let first = last.first,
            first == 0x7C || first == 0x3E, last.count <= 3
        else { return false }
        return last.dropFirst().allSatisfy {
            $0 == 0x2B || $0 == 0x2D || (0x31...0x39).contains($0)
        }
    }
}
