/// Where each part of a policy is written, as the compiler hands it to a table: the pointers lie
/// end to end in one buffer. A unit of ten megabytes has half a million of them, and as texts in a
/// dictionary they would cost more than reading the unit does. Those that are added in the order of
/// a table, which is that of their octets, are written without being sorted.
package struct WrittenLocations: Sendable {
    private struct Entry: BitwiseCopyable {
        let file: UInt32
        let line: UInt32
        let column: UInt32
    }

    /// The JSON pointers of `Provenance.locations`, end to end. A pointer that is added again
    /// replaces the location that it had.
    private var pointers: [UInt8] = []
    /// The offset of each pointer, and behind them the end of the last one.
    private var starts: [UInt32] = [0]
    private var locations: [Entry] = []
    /// Whether each pointer sorts behind the one before it.
    private var isAscending = true
    /// The files of the locations, as paths relative to the root of the unit.
    private let files: [String]
    /// The profile that each profile extends, as `Provenance.parents`.
    private let parents: [(profile: String, parent: String)]

    /// Makes a list without a location.
    ///
    /// - Parameters:
    ///   - files: the files that locations name by their index. Each must have a location at the
    ///     end.
    ///   - parents: the profile that each profile extends; each profile once.
    ///   - count: the number of locations that will be added, as far as it is known.
    ///   - octets: the number of octets of their pointers.
    package init(
        files: [String], parents: [(profile: String, parent: String)], count: Int = 0,
        octets: Int = 0
    ) {
        self.files = files
        self.parents = parents
        pointers.reserveCapacity(octets)
        starts.reserveCapacity(count + 1)
        locations.reserveCapacity(count)
    }

    /// The locations of a provenance.
    init(_ provenance: Provenance) {
        let files = Set(provenance.locations.values.lazy.map(\.file)).sorted()
        self.init(files: files, parents: provenance.parents.map { ($0.key, $0.value) })
        let numbers = Dictionary(
            uniqueKeysWithValues: files.enumerated().map { ($0.element, $0.offset) })
        for (pointer, location) in provenance.locations {
            add(
                Array(pointer.utf8), file: numbers[location.file, default: 0], line: location.line,
                column: location.column)
        }
    }

    /// The locations as a provenance, for a policy that is shown and not compiled.
    package var provenance: Provenance {
        var provenance = Provenance()
        for (profile, parent) in parents { provenance.parents[profile] = parent }
        for (index, location) in locations.enumerated() {
            let pointer = String(decoding: pointers[range(index)], as: UTF8.self)
            provenance.locations[pointer] = Provenance.Location(
                file: files[Int(location.file)], line: Int(location.line),
                column: Int(location.column))
        }
        return provenance
    }

    /// Adds a location: a JSON pointer, in two parts, the index of a file, and line and column,
    /// which count from 1.
    package mutating func add(
        _ base: [UInt8], _ rest: ArraySlice<UInt8> = [], file: Int, line: Int, column: Int
    ) {
        pointers += base
        pointers += rest
        precondition(pointers.count < 1 << 32, "too many locations for one table")
        starts.append(UInt32(truncatingIfNeeded: pointers.count))
        locations.append(
            Entry(
                file: UInt32(clamping: file), line: UInt32(clamping: line),
                column: UInt32(clamping: column)))
        let last = locations.count - 1
        guard isAscending, last > 0 else { return }
        let (previous, added) = (range(last - 1), range(last))
        let order = BlobList.order(pointers.span, previous, pointers.span, added)
        isAscending = order < 0
    }

    private func range(_ index: Int) -> Range<Int> {
        Int(starts[index])..<Int(starts[index + 1])
    }

    /// The bytes of the two sections of provenance. Time is linear in the locations and their
    /// pointers, and n log n where these do not ascend.
    consuming func encoded() -> (texts: [UInt8], records: [UInt8]) {
        let list = isAscending ? self : sorted()
        // Files and profiles stand among the pointers, each text once.
        let paths = list.files.map { Array($0.utf8) }
        let extended = list.parents.map { (Array($0.profile.utf8), Array($0.parent.utf8)) }
        let others = Set(paths + extended.flatMap { [$0.0, $0.1] }).sorted {
            $0.lexicographicallyPrecedes($1)
        }
        var numbers: [[UInt8]: Int] = [:]
        var inserted: [InsertedText] = []
        for text in others {
            let index = list.first(notBefore: text)
            // A text that is also a pointer has the number of that pointer.
            numbers[text] = index + inserted.count
            let isPointer =
                index < list.locations.count && list.pointers[list.range(index)] == text[...]
            if !isPointer { inserted.append(InsertedText(octets: text, before: index)) }
        }
        let records = list.records(
            files: paths.map { numbers[$0, default: 0] },
            parents: extended.map { (numbers[$0.0, default: 0], numbers[$0.1, default: 0]) },
            inserted)
        return (list.texts(inserted), records)
    }

    /// A text that stands among the pointers, before the pointer with an index.
    private struct InsertedText {
        let octets: [UInt8]
        let before: Int
    }

    /// The same locations in the order of their pointers, of a repeated pointer the last.
    private func sorted() -> WrittenLocations {
        var list = WrittenLocations(
            files: files, parents: parents, count: locations.count, octets: pointers.count)
        var last = -1
        func add() {
            guard last >= 0 else { return }
            let entry = locations[last]
            list.add(
                [], pointers[range(last)], file: Int(entry.file), line: Int(entry.line),
                column: Int(entry.column))
        }
        for (index, isRepeated) in BlobOrder.sorted(pointers, starts.map { Int($0) }) {
            if !isRepeated {
                add()
                last = -1
            }
            last = max(last, index)
        }
        add()
        return list
    }

    /// The index of the first pointer that does not sort before a text. Time is logarithmic in the
    /// pointers.
    private func first(notBefore text: [UInt8]) -> Int {
        var (low, high) = (0, locations.count)
        while low < high {
            let middle = (low + high) / 2
            let order = BlobList.order(pointers.span, range(middle), text.span, 0..<text.count)
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The section of the texts.
    private func texts(_ inserted: [InsertedText]) -> [UInt8] {
        let count = locations.count + inserted.count
        let octets = inserted.reduce(pointers.count) { $0 + $1.octets.count }
        var section: [UInt8] = []
        section.reserveCapacity(8 + 4 * count + octets)
        section.append32(count)
        var (moved, next) = (0, 0)
        for index in starts.indices {
            while next < inserted.count, inserted[next].before == index {
                section.append32(Int(starts[index]) + moved)
                moved += inserted[next].octets.count
                next += 1
            }
            section.append32(Int(starts[index]) + moved)
        }
        var written = 0
        for text in inserted {
            let end = Int(starts[text.before])
            section += pointers[written..<end]
            section += text.octets
            written = end
        }
        section += pointers[written...]
        return section
    }

    /// The section of the records. `files` and `parents` hold numbers of texts.
    private func records(
        files: [Int], parents: [(Int, Int)], _ inserted: [InsertedText]
    ) -> [UInt8] {
        var section: [UInt8] = []
        section.reserveCapacity(
            8 + TableFormat.locationSize * locations.count
                + TableFormat.parentSize * parents.count)
        section.append32(locations.count)
        section.append32(parents.count)
        var next = 0
        for (index, location) in locations.enumerated() {
            while next < inserted.count, inserted[next].before <= index { next += 1 }
            section.append32(index + next)
            section.append32(files[Int(location.file)])
            section.append32(location.line)
            section.append32(location.column)
        }
        for (profile, parent) in parents.sorted(by: { $0.0 < $1.0 }) {
            section.append32(profile)
            section.append32(parent)
        }
        return section
    }
}
