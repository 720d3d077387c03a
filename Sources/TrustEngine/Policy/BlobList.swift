// A section that is a list of byte strings: a count, count + 1 offsets, then the strings end to end.
// Strings are sorted and each stands once, so a number names a string, equal strings have equal
// numbers, and comparing numbers compares strings.

/// Byte strings gathered for one section.
struct BlobPool {
    private let strings: [[UInt8]]
    private let numbers: [[UInt8]: Int]

    /// A pool of these strings, in any order, with repetitions.
    init(_ strings: some Sequence<[UInt8]>) {
        let sorted = Set(strings).sorted { $0.lexicographicallyPrecedes($1) }
        self.strings = sorted
        self.numbers = Dictionary(
            uniqueKeysWithValues: sorted.enumerated().map { ($0.element, $0.offset) })
    }

    /// A pool of texts, told apart by their octets (and not by canonical equivalence).
    init(texts: some Sequence<String>) { self.init(texts.map { Array($0.utf8) }) }

    /// The number of a string that was put in.
    func number(of string: [UInt8]) -> Int {
        guard let number = numbers[string] else {
            preconditionFailure("a string of the policy was not gathered")
        }
        return number
    }

    func number(of text: String) -> Int { number(of: Array(text.utf8)) }

    /// The section.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append32(strings.count)
        var offset = 0
        bytes.append32(offset)
        for string in strings {
            offset += string.count
            bytes.append32(offset)
        }
        for string in strings { bytes += string }
        return bytes
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

    /// Checks that every string is UTF-8.
    func checkTexts(_ bytes: Span<UInt8>, _ section: String) throws(TableDecodingError) {
        for index in 0..<count {
            do {
                _ = try UTF8Span(validating: bytes.extracting(range(index, bytes)))
            } catch {
                throw .malformed("\(section): string \(index) is not UTF-8")
            }
        }
    }

    private static func precedes(
        _ bytes: Span<UInt8>, _ left: Range<Int>, _ right: Range<Int>
    ) -> Bool {
        for index in 0..<min(left.count, right.count) {
            let ours = bytes[left.lowerBound + index]
            let theirs = bytes[right.lowerBound + index]
            if ours != theirs { return ours < theirs }
        }
        return left.count < right.count
    }
}
