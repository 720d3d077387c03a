/// Several items of a block list on one line, such as `- "a.example", "b.example"`. YAML takes one
/// item a line there.
struct OneLineItems {
    /// The text of each item as it is written, with its quotes.
    let texts: [String]
    /// From the first item to the end of the last.
    let range: Range<Int>
    /// What stands in place of the range where each item has a line.
    let lines: String

    /// The items of the line of an offset behind the first of them. Nil where the line is not an
    /// item, or holds anything but items: quoted text and plain words, with blanks, commas or
    /// dashes between.
    static func items(_ input: [UInt8], onTheLineOf offset: Int) -> OneLineItems? {
        let line = line(input, of: offset)
        let indented = IndentedLine(input, at: line.lowerBound)
        guard !indented.isBlank, indented.tabs == nil, indented.isListItem(input) else {
            return nil
        }
        var at = indented.whitespace.upperBound
        var items: [Range<Int>] = []
        while at < line.upperBound, items.count <= mostItems {
            let byte = input[at]
            let isDash =
                byte == UInt8(ascii: "-") && (at + 1 == line.upperBound || input[at + 1] == 0x20)
            if byte <= 0x20 || byte == UInt8(ascii: ",") || isDash {
                at += 1
            } else if byte == UInt8(ascii: "#"), input[at - 1] == 0x20 {
                break
            } else if let end = endOfItem(input, at..<line.upperBound) {
                items.append(at..<end)
                at = end
            } else {
                return nil
            }
        }
        guard (2...mostItems).contains(items.count), let first = items.first, let last = items.last,
            offset >= first.upperBound
        else { return nil }
        let texts = items.map { String(decoding: input[$0], as: UTF8.self) }
        let dash = String(repeating: " ", count: indented.whitespace.count) + "- "
        return OneLineItems(
            texts: texts, range: first.lowerBound..<last.upperBound,
            lines: texts.joined(separator: "\n" + dash))
    }

    /// The end of the item that begins a range: behind its closing quote, or behind a plain word
    /// without anything that means something to YAML.
    private static func endOfItem(_ input: [UInt8], _ range: Range<Int>) -> Int? {
        let first = input[range.lowerBound]
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            let inner = input[(range.lowerBound + 1)..<range.upperBound]
            guard let close = inner.firstIndex(of: first),
                !inner[..<close].contains(UInt8(ascii: "\\"))
            else { return nil }
            return close + 1
        }
        let word = input[range].prefix { $0 > 0x20 && $0 != UInt8(ascii: ",") }
        let isPlain =
            word.allSatisfy { $0 >= 0x80 || !marks.contains($0) } && word.last != UInt8(ascii: ":")
        return isPlain ? word.endIndex : nil
    }

    /// A list that begins on the line of its key: the edit that puts its first item on the next
    /// line, at the column of the items below or two blanks inside the key.
    static func list(_ input: [UInt8], at dash: Int) -> (range: Range<Int>, text: String)? {
        let line = line(input, of: dash)
        let indented = IndentedLine(input, at: line.lowerBound)
        let before = input[indented.whitespace.upperBound..<dash]
        var end = dash
        while end > line.lowerBound, input[end - 1] == 0x20 { end -= 1 }
        guard indented.tabs == nil, before.first != UInt8(ascii: "-"), end > line.lowerBound,
            input[end - 1] == UInt8(ascii: ":"), end < dash
        else { return nil }
        var column = indented.whitespace.count + 2
        if line.upperBound + 1 < input.count {
            let next = IndentedLine(input, at: line.upperBound + 1)
            let width = next.whitespace.count
            if !next.isBlank, next.isListItem(input), width >= indented.whitespace.count {
                column = width
            }
        }
        return (end..<dash, "\n" + String(repeating: " ", count: column))
    }

    /// The end of the quoted text before an offset on its line, where another quoted text begins:
    /// a comma is missing between them.
    static func missingComma(_ input: [UInt8], before offset: Int) -> Int? {
        guard offset < input.count, input[offset] == UInt8(ascii: "\"") else { return nil }
        var end = offset
        while end > 0, input[end - 1] == 0x20 { end -= 1 }
        return end > 0 && end < offset && input[end - 1] == UInt8(ascii: "\"") ? end : nil
    }

    private static func line(_ input: [UInt8], of offset: Int) -> Range<Int> {
        var start = min(offset, input.count)
        while start > 0, input[start - 1] != 0x0A { start -= 1 }
        var end = start
        while end < input.count, input[end] != 0x0A, input[end] != 0x0D { end += 1 }
        return start..<end
    }

    /// Characters that end a plain word or begin something else in YAML.
    private static let marks = Set("#[]{}&*!|>'\"%@`?".utf8)
    private static let mostItems = 32
}
