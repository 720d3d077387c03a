/// Finds tabs in indentation and guesses the blanks that their author saw, so that one tab does not
/// hide what stands after it.
///
/// The guess follows the lines before. A line that is indented by the same characters as an open
/// level belongs to that level. After a line that ends with `:` a new level opens, with the width
/// of the next line that is indented with blanks, or two. Any other line continues an open level:
/// an item a level of items, a key a level of keys that does not have this key yet. The line below
/// is inside the line if the line ends with `:`, and otherwise it is not. Among several levels, the
/// guess is the one at which the file writes this key elsewhere, then the one at the width of the
/// tabs in an editor, then the one of the next line, then the innermost. Inside a literal scalar, a
/// tab after enough blanks is text and is not reported.
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
        var isItem: Bool
        /// The keys that stand at this level.
        var keys: Set<ArraySlice<UInt8>> = []
    }

    static func repairs(_ bytes: [UInt8]) -> [Repair] {
        var repairs: [Repair] = []
        let columns = keyColumns(bytes)
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
                column = guess(line, written, levels, lineBefore, bytes, columns)
                repairs.append(line.repair(column))
            }
            var settled = line
            settled.column = column
            lineBefore = settled
            enter(settled, written, bytes, &levels)
            if line.opensLiteral(bytes) {
                literal = LiteralContent(parent: settled.contentColumn(bytes), column: nil)
            }
        }
        return repairs
    }

    /// Closes the levels that a line ends, and enters it at its own. An item that holds a map opens
    /// the level of the map's keys, too.
    private static func enter(
        _ line: IndentedLine, _ written: ArraySlice<UInt8>, _ bytes: [UInt8],
        _ levels: inout [Level]
    ) {
        let isItem = line.isListItem(bytes)
        func open(_ column: Int, _ isItem: Bool, _ key: ArraySlice<UInt8>?) {
            // A list may stand at the column of its key.
            while let last = levels.last,
                last.column > column || last.column == column && last.isItem && !isItem
            {
                levels.removeLast()
            }
            if levels.last?.column != column || levels.last?.isItem != isItem {
                levels.append(Level(written: written, column: column, isItem: isItem))
            }
            levels[levels.count - 1].written = written
            if let key { levels[levels.count - 1].keys.insert(key) }
        }
        let key = line.key(bytes)
        if isItem {
            // The keys of the item before do not belong to this item.
            while let last = levels.last, last.column > line.column { levels.removeLast() }
            open(line.column, true, nil)
            if let key {
                levels.append(
                    Level(
                        written: [], column: line.contentColumn(bytes), isItem: false, keys: [key]))
            }
        } else {
            open(line.column, false, key)
        }
    }

    private static func guess(
        _ line: IndentedLine, _ written: ArraySlice<UInt8>, _ levels: [Level],
        _ before: IndentedLine?, _ bytes: [UInt8], _ columns: [ArraySlice<UInt8>: Set<Int>]
    ) -> Int {
        if let level = levels.last(where: { $0.written == written }) { return level.column }
        guard let before else { return 0 }
        let parent = before.contentColumn(bytes)
        let below = lineBelow(line, bytes)
        let opens = line.lastVisible(bytes) == 0x3A
        if before.lastVisible(bytes) == 0x3A {
            // What stands below a line that ends with `:` is inside it.
            if opens, let below, below.column > parent + 1, !below.isListItem(bytes) {
                return min(parent + 2, below.column - 1)
            }
            let next = nextIndentation(after: line, bytes)
            if opens, below == nil {
                let width = tabWidth(below: line, next, bytes)
                return width > parent ? width : parent + 2
            }
            return next > parent ? next : parent + 2
        }
        let isItem = line.isListItem(bytes)
        let key = isItem ? nil : line.key(bytes)
        var fitting = levels.filter { level in
            level.isItem == isItem && !(key.map { level.keys.contains($0) } ?? false)
        }.map(\.column)
        // The line below is inside this one if this one ends with `:`, and otherwise it is not.
        if let below, !isItem {
            let nested = fitting.filter {
                opens
                    ? $0 < below.column || $0 == below.column && below.isListItem(bytes)
                    : $0 >= below.column
            }
            if !nested.isEmpty { fitting = opens ? Array(nested.suffix(1)) : nested }
        }
        guard let innermost = fitting.last else { return isItem ? before.column : parent }
        // Rules with other names stand beside each other and begin alike: `{ hosts: …`.
        for sign in [key, line.flowKey(bytes)] {
            let known = fitting.filter { sign.flatMap { columns[$0] }?.contains($0) ?? false }
            if known.count == 1 { return known[0] }
            if !known.isEmpty { fitting = known }
        }
        for stop in tabStops {
            let width = written.reduce(0) { $1 == 0x09 ? ($0 / stop + 1) * stop : $0 + 1 }
            if fitting.contains(width) { return width }
        }
        let next = nextIndentation(after: line, bytes)
        return fitting.contains(next) ? next : innermost
    }

    /// The number of blanks that the tabs of a line stand for, when the line below has more tabs
    /// and `next`, the column of the next line with blanks, is a multiple of their number;
    /// otherwise 0.
    private static func tabWidth(below line: IndentedLine, _ next: Int, _ bytes: [UInt8]) -> Int {
        guard line.end + 1 < bytes.count else { return 0 }
        let deeper = IndentedLine(bytes, at: line.end + 1).whitespace
        let areTabs = bytes[deeper].allSatisfy { $0 == 0x09 }
        guard areTabs, deeper.count > line.whitespace.count, next % deeper.count == 0,
            bytes[line.whitespace].allSatisfy({ $0 == 0x09 })
        else { return 0 }
        return next / deeper.count * line.whitespace.count
    }

    /// The next line with text, if it is indented with blanks.
    private static func lineBelow(_ line: IndentedLine, _ bytes: [UInt8]) -> IndentedLine? {
        var offset = line.end + 1
        for _ in 0..<linesAhead where offset < bytes.count {
            let next = IndentedLine(bytes, at: offset)
            offset = next.end + 1
            if next.isBlank || bytes[next.whitespace.upperBound] == 0x23 { continue }
            return next.tabs == nil ? next : nil
        }
        return nil
    }

    /// The columns at which each key stands in lines that are indented with blanks.
    private static func keyColumns(_ bytes: [UInt8]) -> [ArraySlice<UInt8>: Set<Int>] {
        var columns: [ArraySlice<UInt8>: Set<Int>] = [:]
        var offset = 0
        while offset < bytes.count {
            let line = IndentedLine(bytes, at: offset)
            offset = line.end + 1
            guard !line.isBlank, line.tabs == nil else { continue }
            for sign in [line.key(bytes), line.flowKey(bytes)] {
                if let sign { columns[sign, default: []].insert(line.contentColumn(bytes)) }
            }
        }
        return columns
    }

    /// The widths of a tab in editors, the likeliest first.
    private static let tabStops = [4, 8, 2]

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

    /// The key with which the text begins, after the dashes of list items; nil where it begins with
    /// none.
    func key(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        let start = whitespace.upperBound + contentColumn(bytes) - column
        let text = bytes[start..<end]
        guard let first = text.first, (0x61...0x7A).contains(first | 0x20),
            let colon = text.firstIndex(of: 0x3A),
            colon + 1 >= end || bytes[colon + 1] == 0x20 || bytes[colon + 1] == 0x0D,
            text[..<colon].allSatisfy({ $0 > 0x20 })
        else { return nil }
        return text[..<colon]
    }

    /// The brace and the first key in it, where the value of the line's key is a map in braces. It
    /// is compared with the braces of other lines.
    func flowKey(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard let key = key(bytes),
            let brace = bytes[(key.endIndex + 1)..<max(end, key.endIndex + 1)]
                .firstIndex(where: { $0 != 0x20 }), bytes[brace] == 0x7B,
            let colon = bytes[brace..<end].firstIndex(of: 0x3A)
        else { return nil }
        return bytes[brace..<colon]
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
