/// Ranges of code points, each with a value. A range is found by binary search.
package struct CodePointRanges: Sendable {
    /// One range with its value.
    package struct ValuedRange: Sendable, BitwiseCopyable {
        package let first: UInt32
        package let last: UInt32
        package let value: Int32
    }

    /// INVARIANT (sorted, disjoint)
    private var ranges: [ValuedRange] = []

    /// Makes an empty list of ranges.
    package init() {}

    /// Adds a range of at least one code point. It must lie above every range that was added
    /// before.
    package mutating func append(first: UInt32, last: UInt32, value: Int32) {
        ranges.append(ValuedRange(first: first, last: last, value: value))
    }

    /// The range that holds a code point; nil when none does. Cost: O(log ranges).
    package func range(holding code: UInt32) -> ValuedRange? {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].last < code { low = middle + 1 } else { high = middle }
        }
        guard low < ranges.count, ranges[low].first <= code else { return nil }
        return ranges[low]
    }
}
