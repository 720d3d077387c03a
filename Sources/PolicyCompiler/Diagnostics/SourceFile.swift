/// One policy file as it was read. Every span is an index into its bytes.
package final class SourceFile: Sendable {
    /// The path from the unit's root, with `/`.
    package let path: String
    /// The bytes, exactly as read.
    package let bytes: [UInt8]
    /// Where each line starts.
    package let lines: LineIndex

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        self.lines = LineIndex(bytes)
    }

    /// The same file under another path.
    package init(_ file: SourceFile, path: String) {
        self.path = path
        self.bytes = file.bytes
        self.lines = file.lines
    }
}

/// A range of bytes in one file of a unit.
package struct SourceSpan: Hashable, Sendable, BitwiseCopyable {
    /// Index of the file in the unit's list of files.
    package let file: Int32
    /// Byte offsets. `end` is that after the last byte. An empty span stands for the offset between
    /// two bytes.
    package let start: Int32
    package let end: Int32

    package init(file: Int, start: Int, end: Int) {
        self.file = Int32(truncatingIfNeeded: file)
        self.start = Int32(truncatingIfNeeded: start)
        self.end = Int32(truncatingIfNeeded: end)
    }
}

/// The offsets at which lines begin. Turns byte offsets into lines and columns.
package struct LineIndex: Sendable {
    /// Byte offset of the first byte of each line. The first is 0.
    package let starts: Starts

    /// Offsets in four octets each: a large unit has a million lines, and spans take no more.
    package struct Starts: RandomAccessCollection, Sendable {
        private let offsets: [UInt32]

        fileprivate init(_ offsets: [UInt32]) { self.offsets = offsets }

        package var startIndex: Int { 0 }
        package var endIndex: Int { offsets.count }
        package subscript(line: Int) -> Int { Int(offsets[line]) }
    }

    package init(_ bytes: [UInt8]) {
        var starts: [UInt32] = [0]
        // A usual policy has a line for each two dozen octets, so the list is seldom moved.
        starts.reserveCapacity(bytes.count / 24)
        for (offset, byte) in bytes.enumerated() where byte == 0x0A {
            starts.append(UInt32(truncatingIfNeeded: offset + 1))
        }
        self.starts = Starts(starts)
    }

    /// The line that contains an offset, as an index of `starts`. O(log lines).
    package func line(of offset: Int) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }
}
