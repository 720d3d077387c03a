import Rendering

/// The difference of two texts as a unified diff (the format of POSIX `diff -u`), found by Myers'
/// greedy method (An O(ND) Difference Algorithm and Its Variations, 1986).
package enum LineDiff {
    /// The most changed lines that are searched for one by one. If two texts differ in more, the
    /// diff replaces all of one by all of the other. The work is at most this number times the
    /// number of lines.
    private static let mostChanges = 4_000
    private static let context = 3

    /// The diff from a file's old bytes to its new bytes, with escaped lines. Empty if they are
    /// equal.
    package static func unified(path: String, from old: [UInt8], to new: [UInt8]) -> String {
        guard old != new else { return "" }
        let before = lines(old)
        let after = lines(new)
        var page = "--- \(TerminalEscape.escape(path))\n+++ \(TerminalEscape.escape(path))\n"
        for hunk in hunks(edits(before, after)) { page += hunk.text(before, after) }
        return page
    }

    /// Two lines side by side, by their numbers from 1; nil where one side has none.
    package struct Pair: Hashable, Sendable {
        package let old: Int?
        package let new: Int?
        /// Whether the lines are equal.
        package let isKept: Bool
    }

    /// Two texts side by side. Between kept lines, the first line that goes stands beside the first
    /// that comes.
    package static func pairs(from old: [UInt8], to new: [UInt8]) -> [Pair] {
        var pairs: [Pair] = []
        var (gone, come): ([Int], [Int]) = ([], [])
        func close() {
            for index in 0..<max(gone.count, come.count) {
                pairs.append(
                    Pair(
                        old: index < gone.count ? gone[index] : nil,
                        new: index < come.count ? come[index] : nil, isKept: false))
            }
            (gone, come) = ([], [])
        }
        for edit in edits(lines(old), lines(new)) {
            switch edit {
            case .keep(let old, let new):
                close()
                pairs.append(Pair(old: old + 1, new: new + 1, isKept: true))
            case .delete(let old, _): gone.append(old + 1)
            case .insert(_, let new): come.append(new + 1)
            }
        }
        close()
        return pairs
    }

    /// One line of a diff. The indices of lines are from 0.
    private enum Edit {
        case keep(old: Int, new: Int)
        case delete(old: Int, new: Int)
        case insert(old: Int, new: Int)

        var isChange: Bool {
            if case .keep = self { return false }
            return true
        }

        var lineIndices: (old: Int, new: Int) {
            switch self {
            case .keep(let old, let new), .delete(let old, let new), .insert(let old, let new):
                return (old, new)
            }
        }
    }

    private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// The shortest list of edits from one list of lines to the other.
    private static func edits(
        _ before: [ArraySlice<UInt8>], _ after: [ArraySlice<UInt8>]
    ) -> [Edit] {
        let limit = min(before.count + after.count, mostChanges)
        // INVARIANT: `ends[k + limit]` is how far the best way along diagonal k reaches in
        // `before`.
        var ends = [Int](repeating: 0, count: 2 * limit + 2)
        var steps: [[Int]] = []
        for count in 0...limit {
            steps.append(Array(ends[(limit - count)...(limit + count)]))
            for diagonal in stride(from: -count, through: count, by: 2) {
                let index = diagonal + limit
                let isInsertion =
                    diagonal == -count
                    || (diagonal != count && ends[index - 1] < ends[index + 1])
                var old = isInsertion ? ends[index + 1] : ends[index - 1] + 1
                while old < before.count, old - diagonal < after.count,
                    before[old] == after[old - diagonal]
                {
                    old += 1
                }
                ends[index] = old
                if old >= before.count, old - diagonal >= after.count {
                    return backtrack(steps, before.count, after.count)
                }
            }
        }
        return before.indices.map { .delete(old: $0, new: 0) }
            + after.indices.map { .insert(old: before.count, new: $0) }
    }

    private static func backtrack(_ steps: [[Int]], _ oldCount: Int, _ newCount: Int) -> [Edit] {
        var edits: [Edit] = []
        var old = oldCount
        var new = newCount
        for count in stride(from: steps.count - 1, through: 0, by: -1) {
            let ends = steps[count]
            let diagonal = old - new
            func end(_ diagonal: Int) -> Int { ends[diagonal + count] }
            guard count > 0 else { break }
            let isInsertion =
                diagonal == -count || (diagonal != count && end(diagonal - 1) < end(diagonal + 1))
            let from = isInsertion ? diagonal + 1 : diagonal - 1
            let fromOld = end(from)
            let fromNew = fromOld - from
            while old > fromOld + (isInsertion ? 0 : 1), new > fromNew + (isInsertion ? 1 : 0) {
                old -= 1
                new -= 1
                edits.append(.keep(old: old, new: new))
            }
            if isInsertion {
                new -= 1
                edits.append(.insert(old: old, new: new))
            } else {
                old -= 1
                edits.append(.delete(old: old, new: new))
            }
        }
        while old > 0, new > 0 {
            old -= 1
            new -= 1
            edits.append(.keep(old: old, new: new))
        }
        return edits.reversed()
    }

    /// Changes near each other, with the lines around them.
    private struct Hunk {
        var edits: ArraySlice<Edit>

        func text(_ before: [ArraySlice<UInt8>], _ after: [ArraySlice<UInt8>]) -> String {
            guard let first = edits.first?.lineIndices else { return "" }
            var olds = 0
            var news = 0
            var body = ""
            for edit in edits {
                switch edit {
                case .keep(let old, _):
                    body += " " + shown(before[old])
                    olds += 1
                    news += 1
                case .delete(let old, _):
                    body += "-" + shown(before[old])
                    olds += 1
                case .insert(_, let new):
                    body += "+" + shown(after[new])
                    news += 1
                }
            }
            return "@@ -\(range(first.old, olds)) +\(range(first.new, news)) @@\n" + body
        }

        private func shown(_ line: ArraySlice<UInt8>) -> String {
            TerminalEscape.escape(bytes: line) + "\n"
        }

        /// Lines are numbered from 1. An empty range has the number of the line before it.
        private func range(_ start: Int, _ count: Int) -> String {
            "\(count == 0 ? start : start + 1),\(count)"
        }
    }

    private static func hunks(_ edits: [Edit]) -> [Hunk] {
        var hunks: [Hunk] = []
        var start: Int?
        var lastChange = 0
        for (index, edit) in edits.enumerated() where edit.isChange {
            if let begun = start, index - lastChange > 2 * context {
                hunks.append(
                    Hunk(edits: edits[begun..<min(edits.count, lastChange + context + 1)]))
                start = nil
            }
            if start == nil { start = max(0, index - context) }
            lastChange = index
        }
        if let begun = start {
            hunks.append(Hunk(edits: edits[begun..<min(edits.count, lastChange + context + 1)]))
        }
        return hunks
    }
}
