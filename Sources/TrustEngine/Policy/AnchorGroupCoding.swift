// A group of anchors in a table. A group is one record, so that sets that trust the same members on
// the same terms share it. The record: source (1: members 0, system 1), kind, standard and ignored
// limits (1 each), then three lists, each with its count (4): members as numbers of anchors (4
// each), constraints, filters.

extension AnchorGroup {
    /// The record. `anchors` holds the members.
    func encoded(anchors: BlobPool) -> [UInt8] {
        guard case .members(let members) = source else { return encoded(members: []) }
        return encoded(members: Set(members.map { anchors.number(of: $0) }).sorted())
    }

    /// The key by which the groups of one set are ordered: their terms, then their members. Unlike
    /// the record it does not depend on the rest of the table.
    var sortKey: [UInt8] {
        var key = encoded(members: [])
        if case .members(let members) = source { for member in members { key += member } }
        return key
    }

    /// The record, with the numbers of the members. Constraints and filters are sorted: their order
    /// has no meaning, because each only removes certificates.
    private func encoded(members: [Int]) -> [UInt8] {
        var bytes: [UInt8] = [
            source == .system ? 1 : 0, kind.rawValue, standard.rawValue, ignoredLimits.rawValue,
        ]
        bytes.append32(members.count)
        for number in members { bytes.append32(number) }
        for list in [constraints.map(\.encoded), filters.map(\.encoded)] {
            let records = Set(list).sorted { $0.lexicographicallyPrecedes($1) }
            bytes.append32(records.count)
            for record in records { bytes += record }
        }
        return bytes
    }

    /// Reads the group in a record.
    ///
    /// - Throws: `malformed` for a record that is cut off, is not in canonical form, or contradicts
    ///   itself.
    init(
        decoding record: [UInt8], anchors: BlobList, table: [UInt8]
    ) throws(TableDecodingError) {
        var reader = RecordReader(record)
        let isSystem = reader.octet() == 1
        let kind = AnchorKind(rawValue: reader.octet())
        let standard = Standard(rawValue: reader.octet())
        let ignored = reader.octet()
        let numbers = reader.list { $0.number() }
        let constraints = reader.list { AnchorConstraints(reading: &$0) }
        let filters = reader.list { AnchorFilter(reading: &$0) }
        guard reader.isWhole, let kind, let standard, ignored < 16,
            numbers.isEmpty == isSystem, isSystem || filters.isEmpty,
            numbers.allSatisfy({ $0 < anchors.count })
        else { throw .malformed("an anchor group is cut off or contradicts itself") }
        self.init(
            source: isSystem
                ? .system
                : .members(numbers.map { Array(table[anchors.range($0, table.span)]) }),
            kind: kind, standard: standard, ignoredLimits: AnchorLimits(rawValue: ignored),
            constraints: constraints, filters: filters)
        guard zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }),
            encoded(members: numbers) == record
        else { throw .malformed("an anchor group is not in its one form") }
    }
}

extension AnchorConstraints {
    /// Permitted names, excluded names and permitted URIs (lists), two windows, key purposes (a
    /// string, empty for no demand), maximum lifetime (8, signed, -1 for none).
    var encoded: [UInt8] {
        var bytes = RecordWriter.hostPatterns(permittedNames)
        bytes += RecordWriter.hostPatterns(excludedNames)
        let uris = Set(permittedURIs).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        bytes.append32(uris.count)
        for uri in uris {
            bytes.append32(uri.utf8.count)
            bytes += Array(uri.utf8)
        }
        bytes += RecordWriter.window(notBefore)
        bytes += RecordWriter.window(sct)
        let purposes = keyPurposes?.encoded ?? []
        bytes.append32(purposes.count)
        bytes += purposes
        bytes.append64(maximumLifetime ?? -1)
        return bytes
    }

    init(reading reader: inout RecordReader) {
        self.init()
        permittedNames = reader.hostPatterns().sorted()
        excludedNames = reader.hostPatterns().sorted()
        permittedURIs = reader.texts()
        if !permittedURIs.allSatisfy(URIPattern.isCanonical) { reader.fail() }
        notBefore = reader.window()
        sct = reader.window()
        let purposes = reader.string()
        if !purposes.isEmpty {
            keyPurposes = KeyPurposes(decoding: purposes)
            if keyPurposes == nil { reader.fail() }
        }
        let lifetime = reader.signed()
        maximumLifetime = lifetime < 0 ? nil : lifetime
    }
}

extension AnchorFilter {
    /// Whether `only` is written (1), the key matches of `only`, the key matches of `exclude`.
    var encoded: [UInt8] {
        [only == nil ? 0 : 1] + RecordWriter.keyMatches(only ?? [])
            + RecordWriter.keyMatches(exclude)
    }

    init(reading reader: inout RecordReader) {
        let hasOnly = reader.octet() == 1
        let only = reader.keyMatches()
        self.init(only: hasOnly ? only : nil, exclude: reader.keyMatches())
    }
}
