/// A run of bytes in a buffer, as offsets. Parsed structures point into their buffer with it and do
/// not hold the buffer.
public struct ByteRange: Hashable, Sendable, BitwiseCopyable {
    /// Offset of the first byte.
    public let start: UInt32
    /// Number of bytes.
    public let count: UInt32

    /// A range of `count` bytes from `start`. Buffers are at most 64 MiB, so 32 bits suffice.
    package init(start: Int, count: Int) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.count = UInt32(truncatingIfNeeded: count)
    }

    /// The range as indices of the buffer.
    public var indices: Range<Int> { Int(start)..<Int(start) + Int(count) }

    /// Whether the range holds no byte.
    public var isEmpty: Bool { count == 0 }
}
