/// A line and a character as the Language Server Protocol counts them: both from 0, characters in
/// units of the agreed encoding.
struct EditorPosition: Hashable, Comparable {
    var line: Int
    var character: Int

    static func < (left: EditorPosition, right: EditorPosition) -> Bool {
        (left.line, left.character) < (right.line, right.character)
    }
}

/// The units in which an editor counts the characters of a line.
enum PositionUnits: String {
    case utf8 = "utf-8"
    case utf16 = "utf-16"
}

/// The text of a document, as an editor has it. Its lines end as the protocol says: with LF, CR LF
/// or CR. A policy has other lines, which `SourceFile` knows.
struct EditorText {
    /// UTF-8, and `HalfPairs` where an edit has cut a surrogate pair.
    private(set) var octets: [UInt8]
    /// Where each line begins.
    private var starts: [Int]
    /// Whether there may be half of a surrogate pair.
    private var mayHaveHalves: Bool

    init(_ octets: [UInt8]) {
        self.octets = octets
        starts = EditorText.starts(of: octets)
        mayHaveHalves = EditorText.holdsSurrogates(octets[...])
    }

    /// The text as it would be saved.
    var saved: [UInt8] { mayHaveHalves ? HalfPairs.replaced(octets) : octets }

    /// The number of lines; an empty text has one.
    var lineCount: Int { starts.count }

    // MARK: Positions

    /// A place between two units of UTF-16. If `cutsPair`, the character at `offset` is of two
    /// units, and the place is between them.
    private struct Place {
        var offset: Int
        var cutsPair = false
    }

    /// The offset of a position. A line behind the last one is the end of the text, a character
    /// behind the end of its line is that end, and a position inside a character is its beginning.
    func offset(of position: EditorPosition, _ units: PositionUnits) -> Int {
        place(of: position, units).offset
    }

    private func place(of position: EditorPosition, _ units: PositionUnits) -> Place {
        guard position.line >= 0 else { return Place(offset: 0) }
        guard position.line < starts.count else { return Place(offset: octets.count) }
        let end = lineEnd(position.line)
        var offset = starts[position.line]
        var left = position.character
        while left > 0, offset < end {
            let length = EditorText.length(octets[offset])
            let width = EditorText.width(length, units)
            guard width <= left else {
                return Place(offset: offset, cutsPair: units == .utf16)
            }
            left -= width
            offset += length
        }
        return Place(offset: min(offset, end))
    }

    /// The position of an offset. An offset behind the end is the end.
    func position(of offset: Int, _ units: PositionUnits) -> EditorPosition {
        let offset = min(max(0, offset), octets.count)
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        var (at, character) = (starts[low], 0)
        while at < offset {
            let length = EditorText.length(octets[at])
            if at + length > offset { break }
            at += length
            character += EditorText.width(length, units)
        }
        return EditorPosition(line: low, character: character)
    }

    /// The octets of a line without its end.
    func line(_ index: Int) -> Range<Int> { starts[index]..<lineEnd(index) }

    private func lineEnd(_ line: Int) -> Int {
        guard line + 1 < starts.count else { return octets.count }
        var end = starts[line + 1] - 1
        if end > starts[line], octets[end] == 0x0A, octets[end - 1] == 0x0D { end -= 1 }
        return end
    }

    // MARK: Edits

    /// Replaces the text between two positions. A position between the units of a pair cuts the
    /// pair.
    mutating func replace(
        from first: EditorPosition, to last: EditorPosition, _ units: PositionUnits,
        with text: [UInt8]
    ) {
        let start = place(of: min(first, last), units)
        let end = place(of: max(first, last), units)
        var (from, to) = (start.offset, end.offset)
        var parts: [ArraySlice<UInt8>] = []
        if start.cutsPair { parts.append(HalfPairs.halves(octets, at: from).high[...]) }
        parts.append(text[...])
        if end.cutsPair {
            parts.append(HalfPairs.halves(octets, at: to).low[...])
            to += 4
        }
        // Halves beside the edit may become characters with its ends.
        if from >= 3, HalfPairs.unit(octets[...], at: from - 3) != nil {
            from -= 3
            parts.insert(octets[from..<from + 3], at: 0)
        }
        if HalfPairs.unit(octets[...], at: to) != nil {
            parts.append(octets[to..<to + 3])
            to += 3
        }
        var new: [UInt8] = []
        for part in parts { HalfPairs.append(part, to: &new) }
        octets.replaceSubrange(from..<max(from, to), with: new)
        mayHaveHalves = mayHaveHalves || EditorText.holdsSurrogates(new[...])
        starts = EditorText.starts(of: octets)
    }

    // MARK: Octets

    /// The octets of the character that begins with an octet.
    private static func length(_ first: UInt8) -> Int {
        switch first {
        case 0xC0...0xDF: return 2
        case 0xE0...0xEF: return 3
        case 0xF0...0xFF: return 4
        default: return 1
        }
    }

    /// The units of a character with a number of octets.
    private static func width(_ length: Int, _ units: PositionUnits) -> Int {
        switch units {
        case .utf8: return length
        case .utf16: return length == 4 ? 2 : 1
        }
    }

    private static func holdsSurrogates(_ octets: ArraySlice<UInt8>) -> Bool {
        var rest = octets
        while let index = rest.firstIndex(of: 0xED) {
            if HalfPairs.unit(octets, at: index) != nil { return true }
            rest = rest[(index + 1)...]
        }
        return false
    }

    private static func starts(of octets: [UInt8]) -> [Int] {
        var starts = [0]
        starts.reserveCapacity(octets.count / 24)
        let span = octets.span
        for index in span.indices {
            let octet = span[index]
            guard octet <= 0x0D else { continue }
            if octet == 0x0A
                || octet == 0x0D && (index + 1 == span.count || span[index + 1] != 0x0A)
            {
                starts.append(index + 1)
            }
        }
        return starts
    }
}
