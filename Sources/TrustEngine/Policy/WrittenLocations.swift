/// Where each part of a policy is written, as the compiler hands it to a table: the pointers lie
/// end to end in one buffer. A unit of ten megabytes has half a million of them, and as texts in a
/// dictionary they would cost more than reading the unit does. Locations that are added in the
/// order of a table, the order of their octets, are written without being sorted.
package struct WrittenLocations: Sendable {
    /// Where something is written in the files of the policy.
    package struct Location: BitwiseCopyable {
        /// The index of the file.
        fileprivate let file: UInt32
        fileprivate let line: UInt32
        fileprivate let column: UInt32

        /// `file` is an index in the list of files; line and column count from 1.
        package init(file: Int, line: Int, column: Int) {
            self.file = UInt32(clamping: file)
            self.line = UInt32(clamping: line)
            self.column = UInt32(clamping: column)
        }
    }

    /// The JSON pointers of `Provenance.locations`, end to end. A pointer that is added again
    /// replaces the location that it had.
    private var pointers: [UInt8] = []
    /// The offset of each pointer, and behind them the end of the last one.
    private var starts: [UInt32] = [0]
    /// For each pointer the index of its location.
    private var indices: [UInt32] = []
    /// In any order.
    private let locations: [Location]
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
    ///   - locations: the locations that pointers will be added for.
    ///   - octets: the number of octets of the pointers, as far as it is known.
    package init(
        files: [String], parents: [(profile: String, parent: String)], locations: [Location],
        octets: Int = 0
    ) {
        self.files = files
        self.parents = parents
        self.locations = locations
        pointers.reserveCapacity(octets)
        starts.reserveCapacity(locations.count + 1)
        indices.reserveCapacity(locations.count)
    }

    /// The locations of a provenance.
    init(_ provenance: Provenance) {
        let files = Set(provenance.locations.values.lazy.map(\.file)).sorted()
        let numbers = Dictionary(
            uniqueKeysWithValues: files.enumerated().map { ($0.element, $0.offset) })
        let written = Array(provenance.locations)
        self.init(
            files: files, parents: provenance.parents.map { ($0.key, $0.value) },
            locations: written.map { _, location in
                Location(
                    file: numbers[location.file, default: 0], line: location.line,
                    column: location.column)
            })
        for (index, entry) in written.enumerated() {
            add(Array(entry.key.utf8), location: index)
        }
    }

    /// The locations as a provenance, for a policy that is shown and not compiled.
    package var provenance: Provenance {
        var provenance = Provenance()
        for (profile, parent) in parents { provenance.parents[profile] = parent }
        for (number, index) in indices.enumerated() {
            let pointer = String(decoding: pointers[range(number)], as: UTF8.self)
            let location = locations[Int(index)]
            provenance.locations[pointer] = Provenance.Location(
                file: files[Int(location.file)], line: Int(location.line),
                column: Int(location.column))
        }
        return provenance
    }

    /// Adds a JSON pointer, in two parts, and the index of its location.
    package mutating func add(
        _ base: [UInt8], _ rest: ArraySlice<UInt8> = [], location index: Int
    ) {
        pointers += base
        pointers += rest
        precondition(pointers.count < 1 << 32, "too many locations for one table")
        starts.append(UInt32(truncatingIfNeeded: pointers.count))
        indices.append(UInt32(truncatingIfNeeded: index))
        let last = indices.count - 1
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
                index < list.indices.count && list.pointers[list.range(index)] == text[...]
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
            files: files, parents: parents, locations: locations, octets: pointers.count)
        var last = -1
        func add() {
            guard last >= 0 else { return }
            list.add([], pointers[range(last)], location: Int(indices[last]))
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
        var (low, high) = (0, indices.count)
        while low < high {
            let middle = (low + high) / 2
            let order = BlobList.order(pointers.span, range(middle), text.span, 0..<text.count)
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The section of the texts.
    private func texts(_ inserted: [InsertedText]) -> [UInt8] {
        let count = indices.count + inserted.count
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
            8 + TableFormat.locationSize * indices.count
                + TableFormat.parentSize * parents.count)
        section.append32(indices.count)
        section.append32(parents.count)
        var next = 0
        for (number, index) in indices.enumerated() {
            while next < inserted.count, inserted[next].before <= number { next += 1 }
            section.append32(number + next)
            let location = locations[Int(index)]
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
