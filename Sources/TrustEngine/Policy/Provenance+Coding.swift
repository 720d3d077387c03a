// Provenance in a table: two sections that may be dropped. The first section holds the texts
// (pointers, files, profile ids). The second holds a count of locations and a count of parents, the
// locations (pointer, file, line, column) sorted by pointer, and the parents (a profile, and the
// profile that it extends) sorted by profile.

extension Provenance {
    /// The bytes of the two sections.
    func encoded() -> (texts: [UInt8], records: [UInt8]) {
        let pointers = Array(locations)
        let profiles = Array(parents)
        // A file stands behind thousands of pointers, so each file is collected once.
        let files = Array(Set(pointers.map(\.value.file)))
        let (texts, numbers) = BlobPool.gather(
            [pointers.map(\.key), files, profiles.map(\.key), profiles.map(\.value)].joined()
                .lazy.map(\.utf8))
        let fileNumbers = Dictionary(
            uniqueKeysWithValues: zip(files, numbers[pointers.count...]))
        var records: [UInt8] = []
        records.append32(locations.count)
        records.append32(parents.count)
        var byNumber = [Int](repeating: -1, count: texts.count)
        for index in pointers.indices { byNumber[numbers[index]] = index }
        for index in byNumber where index >= 0 {
            let location = pointers[index].value
            records.append32(numbers[index])
            records.append32(fileNumbers[location.file, default: 0])
            records.append32(UInt32(clamping: location.line))
            records.append32(UInt32(clamping: location.column))
        }
        let extended = pointers.count + files.count
        let parentNumbers = zip(numbers[extended...], numbers[(extended + profiles.count)...])
        for (profile, parent) in parentNumbers.sorted(by: { $0.0 < $1.0 }) {
            records.append32(profile)
            records.append32(parent)
        }
        return (texts.encoded, records)
    }

    /// Reads sections that were checked before.
    init(_ bytes: [UInt8], _ layout: TableLayout) {
        self.init()
        let texts = BlobList(bytes.span, layout[.provenanceTexts])
        let start = layout[.provenance].start
        let count = Int(bytes.number32(at: start))
        var position = start + 8
        for _ in 0..<count {
            let pointer = texts.text(Int(bytes.number32(at: position)), bytes)
            locations[pointer] = Provenance.location(at: position, texts, bytes)
            position += TableFormat.locationSize
        }
        parents = Provenance.parents(bytes, layout)
    }

    private static func location(
        at position: Int, _ texts: BlobList, _ bytes: [UInt8]
    ) -> Location {
        Location(
            file: texts.text(Int(bytes.number32(at: position + 4)), bytes),
            line: Int(bytes.number32(at: position + 8)),
            column: Int(bytes.number32(at: position + 12)))
    }

    /// The parents of sections that were checked before.
    static func parents(_ bytes: [UInt8], _ layout: TableLayout) -> [String: String] {
        let texts = BlobList(bytes.span, layout[.provenanceTexts])
        let start = layout[.provenance].start
        var position = start + 8 + Int(bytes.number32(at: start)) * TableFormat.locationSize
        var parents: [String: String] = [:]
        for _ in 0..<Int(bytes.number32(at: start + 4)) {
            let profile = texts.text(Int(bytes.number32(at: position)), bytes)
            parents[profile] = texts.text(Int(bytes.number32(at: position + 4)), bytes)
            position += TableFormat.parentSize
        }
        return parents
    }

    /// One location of sections that were checked before: they are sorted by pointer. Time is
    /// logarithmic in the pointers.
    static func location(
        of pointer: String, _ bytes: [UInt8], _ layout: TableLayout
    ) -> Location? {
        let span = bytes.span
        let texts = BlobList(span, layout[.provenanceTexts])
        guard let wanted = texts.number(of: pointer.utf8.span, span) else { return nil }
        let start = layout[.provenance].start
        var (low, high) = (0, Int(span.number32(at: start)))
        while low < high {
            let middle = (low &+ high) / 2
            let position = start &+ 8 &+ middle &* TableFormat.locationSize
            let found = Int(span.number32(at: position))
            if found == wanted { return location(at: position, texts, bytes) }
            if found < wanted { low = middle &+ 1 } else { high = middle }
        }
        return nil
    }

    /// Checks both sections. Time is linear in them.
    static func check(
        _ bytes: Span<UInt8>, _ layout: TableLayout
    ) throws(TableDecodingError) {
        let texts = try BlobList(
            checking: bytes, layout[.provenanceTexts], "provenance texts")
        try texts.checkTexts(bytes, "provenance texts")
        let extent = layout[.provenance]
        guard extent.count >= 8 else { throw .malformed("provenance: no room for its counts") }
        let locations = Int(bytes.number32(at: extent.start))
        let parents = Int(bytes.number32(at: extent.start + 4))
        guard
            extent.count == 8 + locations * TableFormat.locationSize
                + parents * TableFormat.parentSize
        else { throw .malformed("provenance: its length does not fit its counts") }
        var position = extent.start + 8
        var previous = -1
        for _ in 0..<locations {
            let pointer = Int(bytes.number32(at: position))
            guard pointer > previous, pointer < texts.count,
                Int(bytes.number32(at: position + 4)) < texts.count
            else { throw .malformed("provenance: a text is out of range or out of order") }
            previous = pointer
            position += TableFormat.locationSize
        }
        previous = -1
        for _ in 0..<parents {
            let profile = Int(bytes.number32(at: position))
            guard profile > previous, profile < texts.count,
                Int(bytes.number32(at: position + 4)) < texts.count
            else { throw .malformed("provenance: a text is out of range or out of order") }
            previous = profile
            position += TableFormat.parentSize
        }
    }
}
