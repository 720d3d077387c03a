/// Where each part of a policy is written, as the compiler hands it to a table: the pointers lie
/// end to end in one buffer. A unit of ten megabytes has half a million of them, and as texts in a
/// dictionary they would cost more than reading the unit does.
package struct WrittenLocations: Sendable {
    private struct Entry {
        let file: UInt32
        let line: UInt32
        let column: UInt32
    }

    /// The JSON pointers of `Provenance.locations`, end to end. A pointer that is added again
    /// replaces the location that it had.
    private var pointers: [UInt8] = []
    /// The offset of each pointer, and behind them the end of the last one.
    private var starts: [Int] = [0]
    private var locations: [Entry] = []
    /// The files of the locations, as paths relative to the root of the unit.
    private var files: [String]
    /// The profile that each profile extends, as `Provenance.parents`.
    private var parents: [(profile: String, parent: String)]

    /// Makes a list without a location.
    ///
    /// - Parameters:
    ///   - files: the files that locations name by their index. Each must have a location at the
    ///     end.
    ///   - parents: the profile that each profile extends; each profile once.
    package init(files: [String], parents: [(profile: String, parent: String)]) {
        self.files = files
        self.parents = parents
    }

    /// The locations of a provenance.
    init(_ provenance: Provenance) {
        files = Set(provenance.locations.values.lazy.map(\.file)).sorted()
        parents = provenance.parents.map { ($0.key, $0.value) }
        let numbers = Dictionary(
            uniqueKeysWithValues: files.enumerated().map { ($0.element, $0.offset) })
        for (pointer, location) in provenance.locations {
            add(
                pointer.utf8, file: numbers[location.file, default: 0], line: location.line,
                column: location.column)
        }
    }

    /// The locations as a provenance, for a policy that is shown and not compiled.
    package var provenance: Provenance {
        var provenance = Provenance()
        for (profile, parent) in parents { provenance.parents[profile] = parent }
        for (index, location) in locations.enumerated() {
            let pointer = String(
                decoding: pointers[starts[index]..<starts[index + 1]], as: UTF8.self)
            provenance.locations[pointer] = Provenance.Location(
                file: files[Int(location.file)], line: Int(location.line),
                column: Int(location.column))
        }
        return provenance
    }

    /// Adds a location: a JSON pointer, the index of a file, and line and column, which count from
    /// 1.
    package mutating func add(
        _ pointer: some Collection<UInt8>, file: Int, line: Int, column: Int
    ) {
        pointers.append(contentsOf: pointer)
        starts.append(pointers.count)
        locations.append(
            Entry(
                file: UInt32(clamping: file), line: UInt32(clamping: line),
                column: UInt32(clamping: column)))
    }

    /// The bytes of the two sections of provenance. Time is n log n in the locations and linear in
    /// their pointers.
    func encoded() -> (texts: [UInt8], records: [UInt8]) {
        // Files and profiles are gathered behind the pointers, each once.
        var octets = pointers
        var ends = starts
        for text in [files, parents.map(\.profile), parents.map(\.parent)].joined() {
            octets.append(contentsOf: text.utf8)
            ends.append(octets.count)
        }
        let (texts, numbers) = BlobPool.gather(octets, starts: ends)
        // The location of each text that is a pointer; of a pointer that was added again, the last.
        var entryOfText = [Int](repeating: -1, count: texts.count)
        for index in locations.indices { entryOfText[numbers[index]] = index }
        var records: [UInt8] = []
        records.reserveCapacity(8 + TableFormat.locationSize * locations.count)
        records.append32(entryOfText.count { $0 >= 0 })
        records.append32(parents.count)
        let firstFile = locations.count
        for index in entryOfText where index >= 0 {
            let location = locations[index]
            records.append32(numbers[index])
            records.append32(numbers[firstFile + Int(location.file)])
            records.append32(location.line)
            records.append32(location.column)
        }
        let firstProfile = firstFile + files.count
        let extended = parents.indices.map { index in
            (numbers[firstProfile + index], numbers[firstProfile + parents.count + index])
        }
        for (profile, parent) in extended.sorted(by: { $0.0 < $1.0 }) {
            records.append32(profile)
            records.append32(parent)
        }
        return (texts.encoded, records)
    }
}
