import TrustEngine

/// One line of a policy as a terminal shows it: untrusted characters escaped, tabs widened. It
/// knows the cell in which each byte of the line is shown.
package struct SourceLine {
    /// The text that is shown.
    package let text: String
    /// The cells of the whole line.
    package let width: Int
    /// The number of cells before each byte of the line, and after the last.
    private let cells: [Int]
    /// The number of cells left out on the left, less the cells of the mark that stands for them.
    private let shift: Int
    private let end: Int

    /// Creates a line from its octets, without its line end. If it is wider than `width` cells, the
    /// shown part begins shortly before the first of `marks`, the offsets that are underlined.
    package init(_ bytes: [UInt8], around marks: [Range<Int>], width: Int) {
        var pieces: [(text: String, width: Int)] = []
        var cells: [Int] = []
        var total = 0
        var offset = 0
        while offset < bytes.count {
            let step = UTF8Step.decode(bytes, at: offset)
            let length = min(step.length, bytes.count - offset)
            let piece = Self.piece(step.scalar, bytes[offset..<offset + length], at: total)
            pieces.append(piece)
            cells.append(contentsOf: repeatElement(total, count: length))
            total += piece.width
            offset += length
        }
        cells.append(total)
        self.cells = cells
        self.width = total
        guard total > width else {
            text = Self.withoutTrailingBlanks(pieces.map(\.text).joined())
            shift = 0
            end = total
            return
        }
        let lead = marks.map(\.lowerBound).min() ?? 0
        let wanted = cells[min(max(0, lead), cells.count - 1)]
        let first = max(0, min(wanted - Self.before, total - width))
        let last = first + width
        var shown = first > 0 ? "…" : ""
        var at = 0
        var start: Int?
        var stop = first
        for piece in pieces {
            if at >= first, at + piece.width <= last {
                start = start ?? at
                shown += piece.text
                stop = at + piece.width
            }
            at += piece.width
        }
        text = shown + (stop < total ? "…" : "")
        shift = (start ?? first) - (first > 0 ? 1 : 0)
        end = stop
    }

    /// The number of shown cells before an octet of the line.
    package func cells(before offset: Int) -> Int {
        max(0, min(column(offset), end) - shift)
    }

    /// The number of cells of a range of bytes, as far as they are shown.
    package func cells(of range: Range<Int>) -> Int {
        cells(before: range.upperBound) - cells(before: range.lowerBound)
    }

    private func column(_ offset: Int) -> Int {
        cells[min(max(0, offset), cells.count - 1)]
    }

    /// The text in which one character is shown, and its cells.
    private static func piece(
        _ scalar: Unicode.Scalar?, _ bytes: ArraySlice<UInt8>, at column: Int
    ) -> (text: String, width: Int) {
        guard let scalar else {
            let text = bytes.map { byte in
                let digits = String(byte, radix: 16, uppercase: true)
                return "\\x" + (digits.count < 2 ? "0" : "") + digits
            }.joined()
            return (text, text.utf8.count)
        }
        if scalar == "\t" {
            let count = tabStop - column % tabStop
            return (String(repeating: " ", count: count), count)
        }
        if TerminalEscape.needsEscape(scalar) {
            var text = ""
            TerminalEscape.append(scalar, to: &text)
            return (text, text.utf8.count)
        }
        return (String(scalar), CellWidth.of(scalar))
    }

    private static func withoutTrailingBlanks(_ text: String) -> String {
        var text = text[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    private static let tabStop = 4
    /// The number of cells shown before the first underline, if the line is cut.
    private static let before = 24
}

/// The number of cells of a terminal that a character takes.
enum CellWidth {
    /// 0 for marks that are drawn on the letter before them, 2 for wide letters of East Asia and
    /// for pictographs (Unicode 16.0, East_Asian_Width W and F, by block), 1 for all others.
    static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
            0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
