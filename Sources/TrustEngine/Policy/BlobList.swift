// A section that is a list of byte strings: a count, count + 1 offsets, then the strings end to end.
// Strings are sorted and each stands once, so a number names a string, equal strings have equal
// numbers, and comparing numbers compares strings.

/// Byte strings gathered for one section: end to end in one buffer, in their order, each once.
struct BlobPool {
    private let data: [UInt8]
    /// Where each string begins in `data`, and behind them the end of the last.
    private let starts: [Int]

    /// A pool of these strings, in any order, with repetitions.
    init(_ strings: some Sequence<[UInt8]>) { self = BlobPool.gather(strings).pool }

    /// A pool of texts, told apart by their octets (and not by canonical equivalence).
    init(texts: some Sequence<String>) { self = BlobPool.gather(texts.lazy.map(\.utf8)).pool }

    private init(data: [UInt8], starts: [Int]) {
        self.data = data
        self.starts = starts
    }

    /// A pool of strings, and the number that each of them got, in the order in which they came.
    ///
    /// Time n log n in the strings and linear in their octets.
    static func gather<Strings: Sequence>(
        _ strings: Strings
    ) -> (pool: BlobPool, numbers: [Int]) where Strings.Element: Collection<UInt8> {
        var data: [UInt8] = []
        var starts = [0]
        for string in strings {
            data.append(contentsOf: string)
            starts.append(data.count)
        }
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

    /// Strings in the pool.
    var count: Int { starts.count - 1 }

    /// The number of a string that was put in. Time logarithmic in the strings.
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

    /// The section.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 + 4 * count + data.count)
        bytes.append32(count)
        for start in starts { bytes.append32(start) }
        bytes += data
        return bytes
    }
}

/// Puts byte strings in order, eight octets at a time: sorts all by their first eight, then those that
/// agree in them by the next eight, and so on. Strings of a policy begin alike (`/rules/team-…`), which
/// makes comparing them whole slow.
private enum BlobOrder {
    private struct Entry {
        /// Eight octets, the first one highest, zeros behind the end of the string.
        var key: UInt64
        /// Octets from `key` on, 9 standing for all that are more than eight. Among equal keys the
        /// shorter string goes first, since the longer one continues it.
        var rest: UInt8
        var index: Int32

        static func precedes(_ left: Entry, _ right: Entry) -> Bool {
            left.key != right.key ? left.key < right.key : left.rest < right.rest
        }

        func agrees(with other: Entry) -> Bool { key == other.key && rest == other.rest }
    }

    /// The indices of strings in their order, and whether each is a repetition of the one before.
    static func sorted(_ data: [UInt8], _ starts: [Int]) -> [(index: Int, isRepeated: Bool)] {
        var entries = (0..<starts.count - 1).map { Entry(key: 0, rest: 9, index: Int32($0)) }
        var repeated = [Bool](repeating: false, count: entries.count)
        // Ranges of strings that agree up to a depth, kept here and not on the stack.
        var work = [(range: entries.indices, depth: 0)]
        while let (range, depth) = work.popLast() {
            for position in range {
                let index = Int(entries[position].index)
                let start = starts[index] + depth
                load(&entries[position], data, start..<starts[index + 1])
            }
            sort(&entries, range)
            var first = range.lowerBound
            for position in range.dropFirst() where !entries[position].agrees(with: entries[first])
            {
                settle(first..<position)
                first = position
            }
            settle(first..<range.upperBound)

            func settle(_ run: Range<Int>) {
                guard run.count > 1 else { return }
                if entries[run.lowerBound].rest > 8 {
                    work.append((run, depth + 8))
                } else {
                    for position in run.dropFirst() { repeated[position] = true }
                }
            }
        }
        return entries.indices.map { (Int(entries[$0].index), repeated[$0]) }
    }

    private static func load(_ entry: inout Entry, _ data: [UInt8], _ string: Range<Int>) {
        var key: UInt64 = 0
        for offset in 0..<min(8, string.count) {
            key |= UInt64(data[string.lowerBound + offset]) << UInt64(56 - 8 * offset)
        }
        entry.key = key
        entry.rest = UInt8(min(string.count, 9))
    }

    /// Sorts a part in place; small ones, which are most, without copying them out.
    private static func sort(_ entries: inout [Entry], _ range: Range<Int>) {
        guard range.count <= 24 else {
            entries[range].sort(by: Entry.precedes)
            return
        }
        for position in range.dropFirst() {
            let entry = entries[position]
            var hole = position
            while hole > range.lowerBound, Entry.precedes(entry, entries[hole - 1]) {
                entries[hole] = entries[hole - 1]
                hole -= 1
            }
            entries[hole] = entry
        }
    }
}

/// A list of byte strings inside a table.
struct BlobList {
    let count: Int
    private let offsets: Int
    private let data: Int

    /// The list in a section that was checked.
    init(_ bytes: Span<UInt8>, _ extent: TableLayout.Extent) {
        self.count = extent.isAbsent ? 0 : Int(bytes.number32(at: extent.start))
        self.offsets = extent.start + 4
        self.data = extent.start + 8 + 4 * count
    }

    /// Checks a section: room for the offsets, offsets that ascend to its very end, strings sorted
    /// and each once. Time linear in the section.
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
        for index in 0..<count {
            let start = Int(bytes.number32(at: offsets + 4 * index))
            let end = Int(bytes.number32(at: offsets + 4 * index + 4))
            guard start <= end, end <= length else {
                throw .malformed("\(section): string \(index) is out of range")
            }
            if index > 0, !BlobList.precedes(bytes, range(index - 1, bytes), range(index, bytes)) {
                throw .malformed("\(section): string \(index) is out of order")
            }
        }
        guard Int(bytes.number32(at: offsets + 4 * count)) == length else {
            throw .malformed("\(section): bytes behind the last string")
        }
    }

    /// The bytes of one string, as indices of the table.
    func range(_ index: Int, _ bytes: Span<UInt8>) -> Range<Int> {
        let start = Int(bytes.number32(at: offsets + 4 * index))
        let end = Int(bytes.number32(at: offsets + 4 * index + 4))
        return data + start..<data + end
    }

    func text(_ index: Int, _ bytes: [UInt8]) -> String {
        String(decoding: bytes[range(index, bytes.span)], as: UTF8.self)
    }

    /// Checks that every string is UTF-8: all of them are when their octets end to end are and no string
    /// begins inside a character.
    func checkTexts(_ bytes: Span<UInt8>, _ section: String) throws(TableDecodingError) {
        guard count > 0 else { return }
        do {
            _ = try UTF8Span(
                validating: bytes.extracting(
                    range(0, bytes).lowerBound..<range(count - 1, bytes).upperBound))
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

    private static func precedes(
        _ bytes: Span<UInt8>, _ left: Range<Int>, _ right: Range<Int>
    ) -> Bool {
        let common = min(left.count, right.count)
        var index = 0
        while index &+ 8 <= common {
            let ours = bytes.number64(at: left.lowerBound &+ index)
            let theirs = bytes.number64(at: right.lowerBound &+ index)
            // The first octet decides, and it is the lowest of the number.
            if ours != theirs { return ours.byteSwapped < theirs.byteSwapped }
            index &+= 8
        }
        while index < common {
            let ours = bytes[left.lowerBound &+ index]
            let theirs = bytes[right.lowerBound &+ index]
            if ours != theirs { return ours < theirs }
            index &+= 1
        }
        return left.count < right.count
    }
}
