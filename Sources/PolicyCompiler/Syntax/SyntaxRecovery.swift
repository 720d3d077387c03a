/// Lines that were removed from a text because they could not be read.
struct RemovedRegion {
    var range: Range<Int>
    /// The number of blanks before the text of the first line.
    var column: Int
    /// Whether a bracket or quote was open in the region, so that the lines below may belong to it.
    var isOpen: Bool
}

/// Removes parts of a text that cannot be read until the rest can be read, so that one syntax error
/// does not hide what stands elsewhere.
///
/// libyaml stops at the first error. The entry in which it stopped (its line, and the lines below
/// that are indented deeper) is overwritten with blanks, which keeps every other offset, and the
/// text is read again. The tree gets an error node at that range. If the same error comes again,
/// the entry around it is removed too. Each round removes at least one visible byte, and the number
/// of rounds is limited. After the last round, everything from the last error on is removed.
struct SyntaxRecovery {
    private(set) var input: [UInt8]
    private(set) var removed: [RemovedRegion] = []
    private var rounds = 0
    private let lines: LineIndex

    init(_ input: [UInt8]) {
        self.input = input
        lines = LineIndex(input)
    }

    /// What a round removed.
    enum Removal {
        /// A part was removed for the first time. Its problem is reported.
        case removed(Range<Int>)
        /// Everything from here on was removed, because there is too much to remove part by part.
        case removedRest(Range<Int>)
        /// The problem belongs to a part that was removed before; a larger part was removed now.
        case widened(Range<Int>)
        /// Nothing is left to remove.
        case exhausted
    }

    /// Removes the entry that contains a problem, or the whole text if the rest of the file is not
    /// worth reading.
    mutating func remove(_ problem: SyntaxProblem) -> Removal {
        if problem.isLast { return exhaust() }
        rounds += 1
        guard var first = visibleLine(at: problem.region) else { return exhaust() }
        if rounds > Self.mostRounds || rounds * input.count > Self.mostBytes {
            let rest = lines.starts[first]..<input.count
            guard case .removed(let range) = blank(rest, column: indentation(first), problem)
            else { return exhaust() }
            return .removedRest(range)
        }
        var isWider = false
        var region = entry(from: first)
        while true {
            if let last = openRegion(before: first) {
                // The lines after an open bracket or quote most likely belong inside it.
                first = lines.line(of: last.range.lowerBound)
                region = last.range.lowerBound..<region.upperBound
                isWider = true
            }
            let overlapping = removed.filter { $0.range.overlaps(region) }
            for other in overlapping {
                region =
                    min(
                        region.lowerBound, other.range.lowerBound)..<max(
                        region.upperBound, other.range.upperBound)
                isWider = true
            }
            if hasVisible(region) { break }
            guard let parent = parent(of: first) else { return exhaust() }
            first = parent
            region = entry(from: parent)
        }
        let removal = blank(region, column: indentation(lines.line(of: region.lowerBound)), problem)
        guard isWider, case .removed(let range) = removal else { return removal }
        return .widened(range)
    }

    private mutating func exhaust() -> Removal {
        guard hasVisible(0..<input.count) else { return .exhausted }
        for index in input.indices where input[index] != 0x0A { input[index] = 0x20 }
        removed = [RemovedRegion(range: 0..<input.count, column: 0, isOpen: false)]
        return .widened(0..<input.count)
    }

    private mutating func blank(
        _ range: Range<Int>, column: Int, _ problem: SyntaxProblem
    ) -> Removal {
        let inside = removed.filter { $0.range.overlaps(range) }
        var whole = range
        var isOpen = problem.isOpen
        for region in inside {
            whole =
                min(
                    whole.lowerBound, region.range.lowerBound)..<max(
                    whole.upperBound, region.range.upperBound)
            isOpen = isOpen || region.isOpen
        }
        for index in whole where input[index] != 0x0A { input[index] = 0x20 }
        removed.removeAll { $0.range.overlaps(whole) }
        // The region begins with its text, so that the error node's span is the text itself.
        let start = min(whole.lowerBound + column, whole.upperBound)
        removed.append(
            RemovedRegion(range: start..<whole.upperBound, column: column, isOpen: isOpen))
        removed.sort { $0.range.lowerBound < $1.range.lowerBound }
        return .removed(whole)
    }

    // MARK: Lines

    /// A line and the lines below that belong to it: deeper lines, the items of its list even if
    /// they are not indented, and closing brackets. Blank lines and comments at the end do not
    /// belong to it.
    private func entry(from first: Int) -> Range<Int> {
        let column = indentation(first)
        let isItem = isListItem(first)
        var last = first
        var line = first + 1
        while line < lines.starts.count {
            defer { line += 1 }
            guard let start = firstVisible(line) else { continue }
            if input[start] == 0x23, start - lines.starts[line] <= column { continue }
            let belongs =
                start - lines.starts[line] > column
                || start - lines.starts[line] == column
                    && (input[start] == 0x5D || input[start] == 0x7D
                        || !isItem && isListItem(line))
            guard belongs else { break }
            last = line
        }
        return lines.starts[first]..<end(of: last)
    }

    private func parent(of line: Int) -> Int? {
        let column = originalIndentation(line)
        var above = line - 1
        while above >= 0 {
            if let start = firstVisible(above), input[start] != 0x23,
                start - lines.starts[above] < column
            {
                return above
            }
            above -= 1
        }
        return nil
    }

    /// The removed region with an open bracket or quote that ends directly above a line.
    private func openRegion(before line: Int) -> RemovedRegion? {
        guard let last = removed.last(where: { $0.range.upperBound <= lines.starts[line] }),
            last.isOpen,
            !hasVisible(last.range.upperBound..<lines.starts[line])
        else { return nil }
        // A line that is a key itself is not inside the bracket or quote above it.
        return looksLikeKey(line) ? nil : last
    }

    private func looksLikeKey(_ line: Int) -> Bool {
        guard let start = firstVisible(line) else { return false }
        let text = input[start..<end(of: line)]
        guard let first = text.first,
            (0x61...0x7A).contains(first) || (0x41...0x5A).contains(first),
            let colon = text.firstIndex(of: 0x3A)
        else { return false }
        let word = text[..<colon]
        return word.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x2C && $0 != 0x5D }
    }

    private func visibleLine(at offset: Int) -> Int? {
        guard !input.isEmpty else { return nil }
        var line = lines.line(of: min(max(0, offset), input.count - 1))
        let there = line
        while line >= 0 {
            if let start = firstVisible(line), input[start] != 0x23 { return line }
            line -= 1
        }
        line = there
        while line < lines.starts.count {
            if let start = firstVisible(line), input[start] != 0x23 { return line }
            line += 1
        }
        return nil
    }

    private func end(of line: Int) -> Int {
        var end = line + 1 < lines.starts.count ? lines.starts[line + 1] - 1 : input.count
        if end > lines.starts[line], input[end - 1] == 0x0D { end -= 1 }
        return end
    }

    private func firstVisible(_ line: Int) -> Int? {
        var offset = lines.starts[line]
        let end = end(of: line)
        while offset < end, input[offset] <= 0x20 { offset += 1 }
        return offset < end ? offset : nil
    }

    private func indentation(_ line: Int) -> Int {
        firstVisible(line).map { $0 - lines.starts[line] } ?? originalIndentation(line)
    }

    /// The indentation of a line, which may have been removed.
    private func originalIndentation(_ line: Int) -> Int {
        if let start = firstVisible(line) { return start - lines.starts[line] }
        let region = removed.first { $0.range.contains(lines.starts[line]) }
        return region?.column ?? 0
    }

    private func isListItem(_ line: Int) -> Bool {
        guard let start = firstVisible(line), input[start] == 0x2D else { return false }
        return start + 1 >= input.count || input[start + 1] <= 0x20
    }

    private func hasVisible(_ range: Range<Int>) -> Bool {
        input[range].contains { $0 > 0x20 }
    }

    private static let mostRounds = 64
    /// The most bytes that all rounds together read again.
    private static let mostBytes = 512 << 20
}
