/// Ranges of code points, each with a value, searched by halves.
package struct CodePointRanges: Sendable {
    /// One range.
    package struct Entry: Sendable, BitwiseCopyable {
        package let first: UInt32
        package let last: UInt32
        package let value: Int32
    }

    /// INVARIANT (sorted, apart)
    private var entries: [Entry] = []

    /// No ranges.
    package init() {}

    /// Adds a range of at least one code point, all of them behind those that are there.
    package mutating func append(first: UInt32, last: UInt32, value: Int32) {
        entries.append(Entry(first: first, last: last, value: value))
    }

    /// The range that holds a code point, or nil. O(log ranges).
    package func entry(holding code: UInt32) -> Entry? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].last < code { low = middle + 1 } else { high = middle }
        }
        guard low < entries.count, entries[low].first <= code else { return nil }
        return entries[low]
    }
}
