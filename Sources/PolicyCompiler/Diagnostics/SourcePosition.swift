import TrustEngine

/// Line and column in a file, as people and editors name them.
package struct SourcePosition: Hashable, Sendable {
    /// From 1.
    package let line: Int
    /// From 1, in Unicode scalars. A byte that is not UTF-8 counts as one together with the bytes
    /// after it, up to the next character.
    package let column: Int
    /// From 0, in bytes.
    package let offset: Int
}

extension SourceFile {
    /// Line and column of a byte offset. An offset after the end counts as the end. O(log lines +
    /// length of the line).
    package func position(of offset: Int) -> SourcePosition {
        let offset = min(max(0, offset), bytes.count)
        let line = lines.line(of: offset)
        var column = 1
        var at = lines.starts[line]
        while at < offset {
            let step = UTF8Step.decode(bytes, at: at).length
            if at + step > offset { break }
            at += step
            column += 1
        }
        return SourcePosition(line: line + 1, column: column, offset: offset)
    }

    /// The byte offset of a line and a column, both from 1. A place behind the end is the end.
    /// O(length of the line).
    package func offset(line: Int, column: Int) -> Int {
        guard lines.starts.indices.contains(line - 1) else { return bytes.count }
        var at = lines.starts[line - 1]
        for _ in 1..<max(1, column) where at < bytes.count {
            at += UTF8Step.decode(bytes, at: at).length
        }
        return at
    }

    /// Whether a line (index from 0) holds a comment and nothing else.
    package func isComment(line index: Int) -> Bool {
        bytes[line(index)].first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "#")
    }

    /// The bytes of a line (index from 0), without its line end.
    package func line(_ index: Int) -> Range<Int> {
        let start = lines.starts[index]
        var end = index + 1 < lines.starts.count ? lines.starts[index + 1] - 1 : bytes.count
        if end > start, bytes[end - 1] == 0x0D, end < bytes.count { end -= 1 }
        return start..<end
    }
}
