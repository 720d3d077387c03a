// Provenance in a table: two sections that may be dropped. The first section holds the texts
// (pointers, files, profile ids). The second holds a count of locations and a count of parents, the
// locations (pointer, file, line, column) sorted by pointer, and the parents (a profile, and the
// profile that it extends) sorted by profile.

extension Provenance {
    /// Reads sections that were checked before.
    init(_ bytes: [UInt8], _ layout: TableLayout) {
        self.init()
        let list = LocationList(bytes, layout)
        for number in 0..<list.count {
            let pointer = String(
                decoding: bytes[list.pointer(number, bytes.span)], as: UTF8.self)
            locations[pointer] = list.location(number, bytes)
        }
        parents = Provenance.parents(bytes, layout)
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

    /// One location of sections that were checked before. Time is logarithmic in the pointers.
    static func location(
        of pointer: String, _ bytes: [UInt8], _ layout: TableLayout
    ) -> Location? {
        let list = LocationList(bytes, layout)
        return list.number(of: pointer.utf8.span, in: 0..<list.count, bytes.span)
            .map { list.location($0, bytes) }
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

/// The places in a table, sorted by pointer, in sections that were checked before.
struct LocationList {
    let count: Int
    private let texts: BlobList
    private let start: Int

    init(_ bytes: [UInt8], _ layout: TableLayout) {
        texts = BlobList(bytes.span, layout[.provenanceTexts])
        count = Int(bytes.number32(at: layout[.provenance].start))
        start = layout[.provenance].start + 8
    }

    /// The pointer of a place, as indices of the table.
    func pointer(_ number: Int, _ bytes: Span<UInt8>) -> Range<Int> {
        texts.range(Int(bytes.number32(at: start + number * TableFormat.locationSize)), bytes)
    }

    func location(_ number: Int, _ bytes: [UInt8]) -> Provenance.Location {
        let position = start + number * TableFormat.locationSize
        return Provenance.Location(
            file: texts.text(Int(bytes.number32(at: position + 4)), bytes),
            line: Int(bytes.number32(at: position + 8)),
            column: Int(bytes.number32(at: position + 12)))
    }

    /// The number of the first pointer that does not sort before a text; `count` where all do. Time
    /// is logarithmic in the places.
    func first(notBefore text: [UInt8], _ bytes: Span<UInt8>) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low &+ high) / 2
            let order = BlobList.order(
                bytes, pointer(middle, bytes), text.span, 0..<text.count)
            if order < 0 { low = middle &+ 1 } else { high = middle }
        }
        return low
    }

    /// The number of a pointer among some places; nil where none of them has it. Time is
    /// logarithmic in these places.
    func number(
        of pointer: Span<UInt8>, in numbers: Range<Int>, _ bytes: Span<UInt8>
    ) -> Int? {
        var (low, high) = (numbers.lowerBound, numbers.upperBound)
        while low < high {
            let middle = (low &+ high) / 2
            let order = BlobList.order(
                bytes, self.pointer(middle, bytes), pointer, 0..<pointer.count)
            if order == 0 { return middle }
            if order < 0 { low = middle &+ 1 } else { high = middle }
        }
        return nil
    }
}
