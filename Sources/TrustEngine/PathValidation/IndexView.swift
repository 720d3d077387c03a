/// The elements of a list of indices in the bytes of a policy table, ascending. They are read where
/// they lie, so that no list is allocated.
///
/// INVARIANT (ascending): a table whose lists do not ascend is refused.
package struct IndexView: RandomAccessCollection, Sendable {
    private let bytes: [UInt8]
    private let start: Int
    /// Number of elements.
    package let count: Int
    private let addend: Int

    /// The elements that lie in a table's bytes from an offset.
    init(_ bytes: [UInt8], at start: Int, count: Int, addend: Int) {
        self.bytes = bytes
        self.start = start
        self.count = count
        self.addend = addend
    }

    /// The elements of an array, sorted.
    package init(_ indices: some Collection<Int>) {
        var bytes: [UInt8] = []
        for index in indices.sorted() { bytes.append32(index) }
        self.init(bytes, at: 0, count: indices.count, addend: 0)
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { count }
    package subscript(position: Int) -> Int {
        precondition(position >= 0 && position < count, "an index beyond the list")
        return addend + Int(bytes.number32(at: start + 4 * position))
    }

    /// Whether an index is in the list. Cost: the logarithm of the list's length.
    package func contains(_ index: Int) -> Bool {
        var low = 0
        var high = count
        while low < high {
            let middle = (low &+ high) / 2
            let found = self[middle]
            if found == index { return true }
            if found < index { low = middle &+ 1 } else { high = middle }
        }
        return false
    }
}
