// A section that is a list of byte strings: a count, count + 1 offsets, then the strings end to
// end. The strings are sorted and each stands once. So a string has one number, and comparing
// numbers gives the same answer as comparing strings.

/// Byte strings that are collected for one section: in one buffer, sorted, each once.
struct BlobPool {
    private let data: [UInt8]
    /// The offset of each string in `data`, and behind them the end of the last string.
    private let starts: [Int]

    /// Makes a pool of strings, which may come in any order and repeatedly.
    init(_ strings: some Sequence<[UInt8]>) { self = BlobPool.gather(strings).pool }

    fileprivate init(data: [UInt8], starts: [Int]) {
        self.data = data
        self.starts = starts
    }

    /// Makes a pool of strings. `numbers` are the numbers of the given strings, in the order in
    /// which they were given.
    ///
    /// Time is n log n in the strings and linear in their octets.
    static func gather<Given: Sequence>(
        _ strings: Given
    ) -> (pool: BlobPool, numbers: [Int]) where Given.Element: Collection<UInt8> {
        var collected = ByteStrings()
        for string in strings { collected.append(string) }
        return collected.gathered()
    }

    /// Number of strings in the pool.
    var count: Int { starts.count - 1 }

    /// The number of a string in the pool. Time is logarithmic in the strings.
    func number(of string: some Collection<UInt8>) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            let found = data[starts[middle]..<starts[middle + 1]]
            if found.lexicographicallyPrecedes(string) { low = middle + 1 } else { high = middle }
        }
        guard low < count, data[starts[low]..<starts[low + 1]].elementsEqual(string) else {
            preconditionFailure("a string of the policy was not gathered")
        }
        return low
    }

    func number(of text: String) -> Int { number(of: text.utf8) }

    /// The section's bytes.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 + 4 * count + data.count)
        bytes.append32(count)
        for start in starts { bytes.append32(start) }
        bytes += data
        return bytes
    }
}

/// Byte strings, end to end in the order in which they are added.
package struct ByteStrings {
    private var data: [UInt8] = []
    /// The offset of each string, and behind them the end of the last one.
    private var starts = [0]

    package init() {}

    /// Adds a string. Returns its index.
    @discardableResult
    package mutating func append(_ string: some Collection<UInt8>) -> Int {
        data.append(contentsOf: string)
        starts.append(data.count)
        return starts.count - 2
    }

    /// The indices of the strings in the order of their octets. Time is n log n in the strings and
    /// linear in their octets.
    package var sortedIndices: [Int] { BlobOrder.sorted(data, starts).map(\.index) }

    /// The pool of the strings, and for each string its number there.
    func gathered() -> (pool: BlobPool, numbers: [Int]) {
        let order = BlobOrder.sorted(data, starts)
        var numbers = [Int](repeating: 0, count: order.count)
        var sorted: [UInt8] = []
        sorted.reserveCapacity(data.count)
        var ends = [0]
        for (index, isRepeated) in order {
            if !isRepeated {
                sorted += data[starts[index]..<starts[index + 1]]
                ends.append(sorted.count)
            }
            numbers[index] = ends.count - 2
        }
        return (BlobPool(data: sorted, starts: ends), numbers)
    }
}

/// Sorts byte strings eight octets at a time: all strings by their first eight octets, then strings
/// that are equal in these by the next eight, and so on. Strings of a policy have long common
/// beginnings (`/rules/team-…`), which makes comparing whole strings slow.
enum BlobOrder {
    private struct Item {
        /// Eight octets of the string, the first octet highest. Zeros stand behind the end of the
        /// string.
        var key: UInt64
        /// Number of octets from `key` on; 9 stands for more than eight. Of two strings with equal
        /// keys the shorter one is first, because the longer one continues it.
        var rest: UInt8
        var index: Int32

        static func precedes(_ left: Item, _ right: Item) -> Bool {
            left.key != right.key ? left.key < right.key : left.rest < right.rest
        }

        func agrees(with other: Item) -> Bool { key == other.key && rest == other.rest }
    }

    /// The indices of the strings in sorted order, and whether each string repeats the one before
    /// it.
    static func sorted(_ data: [UInt8], _ starts: [Int]) -> [(index: Int, isRepeated: Bool)] {
        var items = (0..<starts.count - 1).map { Item(key: 0, rest: 9, index: Int32($0)) }
        var repeated = [Bool](repeating: false, count: items.count)
        // Ranges of strings that are equal up to a depth. They are kept here and not on the stack.
        var work = [(range: items.indices, depth: 0)]
        while let (range, depth) = work.popLast() {
            for position in range {
                let index = Int(items[position].index)
                let start = starts[index] + depth
                load(&items[position], data, start..<starts[index + 1])
            }
            sort(&items, range)
            var first = range.lowerBound
            for position in range.dropFirst() where !items[position].agrees(with: items[first]) {
                settle(first..<position)
                first = position
            }
            settle(first..<range.upperBound)

            func settle(_ run: Range<Int>) {
                guard run.count > 1 else { return }
                if items[run.lowerBound].rest > 8 {
                    work.append((run, depth + 8))
                } else {
                    for position in run.dropFirst() { repeated[position] = true }
                }
            }
        }
        return items.indices.map { (Int(items[$0].index), repeated[$0]) }
    }

    private static func load(_ item: inout Item, _ data: [UInt8], _ string: Range<Int>) {
        var key: UInt64 = 0
        for offset in 0..<min(8, string.count) {
            key |= UInt64(data[string.lowerBound + offset]) << UInt64(56 - 8 * offset)
        }
        item.key = key
        item.rest = UInt8(min(string.count, 9))
    }

    /// Sorts a part in place. Small parts, which are most, are not copied out.
    private static func sort(_ items: inout [Item], _ range: Range<Int>) {
        guard range.count <= 24 else {
            items[range].sort(by: Item.precedes)
            return
        }
        for position in range.dropFirst() {
            let item = items[position]
            var hole = position
            while hole > range.lowerBound, Item.precedes(item, items[hole - 1]) {
                items[hole] = items[hole - 1]
                hole -= 1
            }
            items[hole] = item
        }
    }
}

/// A list of byte strings inside a table.
struct BlobList {
    let count: Int
    private let offsets: Int
    private let data: Int

    /// The list in a section that was checked before.
    init(_ bytes: Span<UInt8>, _ extent: TableLayout.Extent) {
        self.count = extent.isAbsent ? 0 : Int(bytes.number32(at: extent.start))
        self.offsets = extent.start + 4
        self.data = extent.start + 8 + 4 * count
    }

    /// Checks a section: there is room for the offsets, the offsets ascend to the end of the
    /// section, the strings are sorted and each stands once. Time is linear in the section.
    init(
        checking bytes: Span<UInt8>, _ extent: TableLayout.Extent, _ section: String
    ) throws(TableDecodingError) {
        guard extent.count >= 8 else { throw .malformed("\(section): no room for a count") }
        let count = Int(bytes.number32(at: extent.start))
        guard count <= (extent.count - 8) / 4 else {
            throw .malformed("\(section): \(count) strings do not fit")
        }
        self.init(bytes, extent)
        let length = extent.count - 8 - 4 * count
        guard bytes.number32(at: offsets) == 0 else {
            throw .malformed("\(section): the first string does not begin at 0")
        }
        var previous = data..<data
        for index in 0..<count {
            let start = previous.upperBound
            let end = data &+ Int(bytes.number32(at: offsets &+ 4 &* index &+ 4))
            guard start <= end, end <= data &+ length else {
                throw .malformed("\(section): string \(index) is out of range")
            }
            if index > 0, BlobList.order(bytes, previous, bytes, start..<end) >= 0 {
                throw .malformed("\(section): string \(index) is out of order")
            }
            previous = start..<end
        }
        guard previous.upperBound == data &+ length else {
            throw .malformed("\(section): bytes behind the last string")
        }
    }

    /// The bytes of one string, as indices of the table.
    @inline(__always)
    func range(_ index: Int, _ bytes: Span<UInt8>) -> Range<Int> {
        let start = Int(bytes.number32(at: offsets + 4 * index))
        let end = Int(bytes.number32(at: offsets + 4 * index + 4))
        return data + start..<data + end
    }

    func text(_ index: Int, _ bytes: [UInt8]) -> String {
        String(decoding: bytes[range(index, bytes.span)], as: UTF8.self)
    }

    /// Checks that every string is UTF-8. That holds when the octets of all strings end to end are
    /// UTF-8 and no string begins inside a character.
    func checkTexts(_ bytes: Span<UInt8>, _ section: String) throws(TableDecodingError) {
        guard count > 0 else { return }
        do {
            let text = try UTF8Span(
                validating: bytes.extracting(
                    range(0, bytes).lowerBound..<range(count - 1, bytes).upperBound))
            // In ASCII every octet is a character.
            if text.isKnownASCII { return }
        } catch {
            throw .malformed("\(section): a string is not UTF-8")
        }
        for index in 0..<count {
            let string = range(index, bytes)
            guard string.isEmpty || bytes[string.lowerBound] & 0xC0 != 0x80 else {
                throw .malformed("\(section): string \(index) is not UTF-8")
            }
        }
    }

    /// How two strings are ordered: negative where the first stands before the second, 0 where they
    /// are equal.
    static func order(
        _ ours: Span<UInt8>, _ left: Range<Int>, _ theirs: Span<UInt8>, _ right: Range<Int>
    ) -> Int {
        let common = min(left.count, right.count)
        var index = 0
        while index &+ 8 <= common {
            let own = ours.number64(at: left.lowerBound &+ index)
            let other = theirs.number64(at: right.lowerBound &+ index)
            // The first octet that differs decides, and it is the lowest octet of the number.
            if own != other { return own.byteSwapped < other.byteSwapped ? -1 : 1 }
            index &+= 8
        }
        while index < common {
            let own = ours[left.lowerBound &+ index]
            let other = theirs[right.lowerBound &+ index]
            if own != other { return own < other ? -1 : 1 }
            index &+= 1
        }
        return left.count &- right.count
    }
}
