// Reads a table from bytes that may be hostile. Bytes are refused in this order: they are not a
// table, have another version, are cut off, are altered (the digests), have sections at wrong
// offsets; then each section is checked. Anybody can compute a seal, so a right seal proves
// nothing: sections are checked as if there were no seal. Every count, index, order, text and code
// that a view relies on is checked here, in time linear in the bytes and without an allocation for
// each pattern. One file because the sections are checked in one pass, by one cursor over their
// lists.

/// The checks of bytes that become a table.
struct TableDecoder {
    private let bytes: [UInt8]
    private let layout: TableLayout

    /// Reads the table in the bytes. The digests and the sections are the two long checks, about
    /// equally long, and neither depends on the other. `beside` may begin the check of digests and
    /// let it run while the sections are checked.
    ///
    /// - Throws: `TableDecodingError` with the first problem. A problem of the digests comes first.
    static func decode<Crypto: CryptoBackend>(
        _ bytes: [UInt8], crypto: Crypto, beside: PolicyTable.Beside
    ) throws(TableDecodingError) -> PolicyTable {
        let head = try Head(bytes)
        let digestsHold = beside { head.digestsHold(bytes, crypto: crypto) }
        let layout = checked(bytes, crypto)
        guard digestsHold() else { throw Head.altered }
        return PolicyTable(
            bytes: bytes, layout: try layout.get(), policyDigest: head.policyDigest,
            fileDigest: head.seal)
    }

    /// Checks every section and returns the layout.
    private static func checked(
        _ bytes: [UInt8], _ crypto: some CryptoBackend
    ) -> Result<TableLayout, TableDecodingError> {
        do throws(TableDecodingError) {
            let layout = try layout(of: bytes)
            let decoder = TableDecoder(bytes: bytes, layout: layout)
            try decoder.checkSections()
            try decoder.checkLogLists(crypto)
            return .success(layout)
        } catch {
            return .failure(error)
        }
    }

    /// Magic, version, length, and the digests that the head states.
    private struct Head: Sendable {
        let policyDigest: Digest
        let seal: Digest
        private let meaningEnd: Int

        static let altered = TableDecodingError(
            code: .altered, context: "the bytes are not those that were sealed")

        init(_ bytes: [UInt8]) throws(TableDecodingError) {
            guard !bytes.isEmpty else { throw .empty }
            guard bytes.prefix(8).elementsEqual(TableFormat.magic.prefix(bytes.count)) else {
                throw .otherBeginning(bytes)
            }
            func truncated(_ wanted: UInt64) -> TableDecodingError {
                TableDecodingError(
                    code: .truncated, context: "\(bytes.count) of \(wanted) bytes are there")
            }
            guard bytes.count >= TableFormat.versionOffset + 4 else {
                throw truncated(UInt64(TableFormat.smallestTable))
            }
            let version = bytes.number32(at: TableFormat.versionOffset)
            guard version == TableFormat.version else {
                throw .otherVersion(version, of: "format", reads: TableFormat.version)
            }
            guard bytes.count >= TableFormat.smallestTable else {
                throw truncated(UInt64(TableFormat.smallestTable))
            }
            let length = bytes.number64(at: TableFormat.lengthOffset)
            guard length <= UInt64(bytes.count) else { throw truncated(length) }
            let sealOffset = bytes.count - TableFormat.sealSize
            let meaningEnd = bytes.number64(at: TableFormat.meaningEndOffset)
            let written = TableFormat.policyDigestOffset
            guard length == UInt64(bytes.count), meaningEnd >= UInt64(TableFormat.sectionsOffset),
                meaningEnd <= UInt64(sealOffset),
                let policyDigest = Digest(.sha256, bytes: bytes[written..<written + 32]),
                let seal = Digest(.sha256, bytes: bytes[sealOffset...])
            else { throw Head.altered }
            self.policyDigest = policyDigest
            self.seal = seal
            self.meaningEnd = Int(meaningEnd)
        }

        /// Whether both digests match the bytes. Each byte is hashed once.
        func digestsHold(_ bytes: [UInt8], crypto: some CryptoBackend) -> Bool {
            PolicyDigest.ofMeaning(bytes.span, end: meaningEnd, crypto: crypto) == policyDigest
                && PolicyDigest.seal(
                    of: bytes.span, meaningEnd: meaningEnd,
                    end: bytes.count - TableFormat.sealSize, crypto: crypto) == seal
        }
    }

    /// Reads the directories. Every section must be at the one offset that is right for it, with
    /// only zero octets between sections.
    private static func layout(
        of bytes: [UInt8]
    ) throws(TableDecodingError) -> TableLayout {
        let magic = TableFormat.meaningOffset..<TableFormat.meaningOffset + 8
        guard bytes.number32(at: 12) == 0, bytes[magic].elementsEqual(TableFormat.meaningMagic),
            bytes.number32(at: magic.upperBound) == bytes.number32(at: TableFormat.versionOffset),
            Int(bytes.number32(at: magic.upperBound + 4)) == TableSection.meaning.count
        else { throw .malformed("the head is not that of a table") }
        var layout = TableLayout()
        let end = bytes.count - TableFormat.sealSize
        var next = try locate(
            TableSection.meaning, at: TableFormat.meaningDirectoryOffset, in: bytes, &layout,
            from: TableFormat.sectionsOffset, to: end)
        guard bytes.number64(at: TableFormat.meaningEndOffset) == UInt64(next) else {
            throw .malformed("the meaning does not end where the head says")
        }
        next = try locate(
            TableSection.droppable, at: TableFormat.droppableDirectoryOffset, in: bytes, &layout,
            from: next, to: end)
        guard next == end else { throw .malformed("bytes behind the last section") }
        guard layout[.annotations].isAbsent == layout[.annotationTexts].isAbsent,
            layout[.provenance].isAbsent == layout[.provenanceTexts].isAbsent
        else { throw .malformed("half of a droppable section is there") }
        return layout
    }

    /// Reads one directory. Returns the offset behind its last section.
    private static func locate(
        _ sections: [TableSection], at directory: Int, in bytes: [UInt8],
        _ layout: inout TableLayout, from start: Int, to end: Int
    ) throws(TableDecodingError) -> Int {
        var next = start
        for (index, section) in sections.enumerated() {
            let entry = directory + index * TableFormat.directoryEntrySize
            let offset = bytes.number64(at: entry + 8)
            let count = bytes.number64(at: entry + 16)
            guard bytes.number32(at: entry) == section.rawValue,
                bytes.number32(at: entry + 4) == 0
            else { throw .malformed("section \(section.rawValue) is not in its directory") }
            if offset == 0, count == 0, section.rawValue < 16 { continue }
            guard offset == UInt64(next), count <= UInt64(end - next) else {
                throw .malformed("section \(section.rawValue) is not in its place")
            }
            layout[section] = TableLayout.Extent(start: next, count: Int(count))
            next += Int(count)
            while next % 8 != 0 {
                guard next < end, bytes[next] == 0 else {
                    throw .malformed("section \(section.rawValue) is not padded with zeros")
                }
                next += 1
            }
        }
        return next
    }

    /// Checks every section. A section is checked before the sections that refer to it.
    private func checkSections() throws(TableDecodingError) {
        let span = bytes.span
        let texts = try BlobList(checking: span, layout[.texts], "texts")
        try texts.checkTexts(span, "texts")
        let requirements = try BlobList(checking: span, layout[.requirements], "requirements")
        for index in 0..<requirements.count {
            _ = try Requirements(decoding: span.extracting(requirements.range(index, span)))
        }
        let identities = try BlobList(checking: span, layout[.identities], "identities")
        for index in 0..<identities.count {
            _ = try IdentityRequirement(
                decoding: span.extracting(identities.range(index, span)), texts: texts,
                table: bytes)
        }
        let anchors = try BlobList(checking: span, layout[.anchors], "anchors")
        let groups = try BlobList(checking: span, layout[.anchorGroups], "anchor groups")
        for index in 0..<groups.count {
            _ = try AnchorGroup(
                decoding: Array(bytes[groups.range(index, span)]), anchors: anchors, table: bytes)
        }
        let sizes = RecordCounts(
            texts: texts.count, anchors: anchors.count, anchorGroups: groups.count,
            requirements: requirements.count,
            identities: identities.count,
            anchorSets: try records(.anchorSets, TableFormat.anchorSetSize),
            pinSets: try records(.pinSets, TableFormat.pinSetSize),
            pins: try records(.pins, TableFormat.pinSize),
            keyMatches: try records(.keyMatches, TableFormat.keyMatchSize),
            waivers: try records(.waivers, TableFormat.waiverSize),
            reportModes: try records(.reportModes, TableFormat.reportModeSize),
            lists: try records(.lists, 4))
        var cursor = Cursor()
        let ruleCount = try checkRulesAndSets(sizes, &cursor)
        try checkPinSets(sizes, &cursor)
        guard cursor.list == sizes.lists, cursor.waiver == sizes.waivers,
            cursor.reportMode == sizes.reportModes
        else { throw .malformed("lists, waivers or report modes that nothing uses") }
        try NameIndex.check(
            slots: span.extracting(layout[.nameSlots].range),
            names: span.extracting(layout[.names].range), ruleCount: ruleCount)
        try AddressIndex.check(
            span.extracting(layout[.addresses].range), ruleCount: ruleCount)
        if !layout[.annotations].isAbsent { try Annotations.check(span, layout) }
        if !layout[.provenance].isAbsent { try Provenance.check(span, layout) }
    }

    /// Checks the log lists: each has its digest, and they are exactly the lists that requirements
    /// name.
    private func checkLogLists(_ crypto: some CryptoBackend) throws(TableDecodingError) {
        let span = bytes.span
        let requirements = BlobList(span, layout[.requirements])
        let lists = try BlobList(checking: span, layout[.logLists], "log lists")
        var named: Set<Digest> = []
        for index in 0..<requirements.count {
            let range = requirements.range(index, span)
            let digest = try Requirements(decoding: span.extracting(range)).transparency.logList
            if let digest { named.insert(digest) }
        }
        for index in 0..<lists.count {
            let range = lists.range(index, span)
            guard range.count > 32,
                let digest = Digest(.sha256, bytes: bytes[range.prefix(32)]),
                named.remove(digest) != nil,
                crypto.digest(.sha256, of: span.extracting(range.dropFirst(32))) == digest
            else { throw .malformed("log list \(index) is not the one that is named") }
        }
        guard named.isEmpty else { throw .malformed("a log list is named and not there") }
    }

    /// A record by its kind and index. It becomes text only when the record is refused.
    private struct RecordName: CustomStringConvertible {
        private let kind: StaticString
        private let index: Int

        init(_ kind: StaticString, _ index: Int) {
            self.kind = kind
            self.index = index
        }

        var description: String { "\(kind) \(index)" }
    }

    /// Number of records in each section.
    private struct RecordCounts {
        let texts: Int
        let anchors: Int
        let anchorGroups: Int
        let requirements: Int
        let identities: Int
        let anchorSets: Int
        let pinSets: Int
        let pins: Int
        let keyMatches: Int
        let waivers: Int
        let reportModes: Int
        let lists: Int
    }

    private func records(
        _ section: TableSection, _ size: Int
    ) throws(TableDecodingError) -> Int {
        guard layout[section].count % size == 0 else {
            throw .malformed("section \(section.rawValue): a record is cut off")
        }
        return layout[section].count / size
    }

    /// Checks rules and anchor sets, which share the section of lists. Each list begins where the
    /// list before it ends, so the whole section is read once.
    private func checkRulesAndSets(
        _ sizes: RecordCounts, _ cursor: inout Cursor
    ) throws(TableDecodingError) -> Int {
        let bytes = bytes.span
        let extent = layout[.rules]
        guard extent.count >= 8 else { throw .malformed("rules: no room for a count") }
        let ruleCount = Int(bytes.number32(at: extent.start))
        let defaultCount = Int(bytes.number32(at: extent.start + 4))
        guard defaultCount <= 1,
            extent.count == 8 + (ruleCount + defaultCount) * TableFormat.ruleSize
        else { throw .malformed("rules: their count does not fit") }
        var previousID = -1
        for index in 0..<ruleCount + defaultCount {
            let offset = extent.start + 8 + index * TableFormat.ruleSize
            let record = bytes.extracting(offset..<offset + TableFormat.ruleSize)
            let id = record.number32(at: 0)
            if index == ruleCount {
                guard id == TableFormat.noText else { throw .malformed("`default` has an id") }
            } else {
                guard Int(id) > previousID, Int(id) < sizes.texts else {
                    throw .malformed("rule \(index): its id is out of range or out of order")
                }
                previousID = Int(id)
            }
            try checkRule(record, RecordName("rule", index), sizes, &cursor)
        }
        previousID = -1
        for index in 0..<sizes.anchorSets {
            let offset = layout[.anchorSets].start + index * TableFormat.anchorSetSize
            let record = bytes.extracting(offset..<offset + TableFormat.anchorSetSize)
            let id = Int(record.number32(at: 0))
            let name = RecordName("anchor set", index)
            guard id > previousID, id < sizes.texts, record.number32(at: 4) == 0 else {
                throw .malformed("\(name): its id is not valid")
            }
            previousID = id
            let first = cursor.list
            let groups = try checkList(
                record, at: 8, below: sizes.anchorGroups, name, sizes, &cursor)
            let offered = try checkList(
                record, at: 16, below: sizes.anchors, name, sizes, &cursor)
            guard groups > 0 else { throw .malformed("\(name): nothing is in it") }
            guard isNamedRightly(id, groups: first..<first + groups, offered: offered) else {
                throw .malformed("\(name): it has the id of a built-in set and is another")
            }
        }
        return ruleCount
    }

    /// Whether an anchor set with the id of a built-in set is that set. A reader of a verdict must
    /// be able to take `system` for the machine's store.
    private func isNamedRightly(_ id: Int, groups: Range<Int>, offered: Int) -> Bool {
        let span = bytes.span
        switch BlobList(span, layout[.texts]).text(id, bytes) {
        case AnchorSetContents.pinnedKeysID: return false
        case AnchorSetContents.system.id:
            guard groups.count == 1, offered == 0 else { return false }
            let number = bytes.number32(at: layout[.lists].start + 4 * groups.lowerBound)
            let record = BlobList(span, layout[.anchorGroups]).range(Int(number), span)
            return bytes[record].elementsEqual(AnchorGroup.system.encoded(anchors: BlobPool([])))
        default: return true
        }
    }

    /// How far the shared sections have been used.
    private struct Cursor {
        var list = 0
        var waiver = 0
        var reportMode = 0
        var pin = 0
        var keyMatch = 0
    }

    private func checkRule(
        _ record: Span<UInt8>, _ name: RecordName, _ sizes: RecordCounts, _ cursor: inout Cursor
    ) throws(TableDecodingError) {
        let bytes = bytes.span
        let anchors = try checkList(
            record, at: 8, below: sizes.anchorSets, name, sizes, &cursor)
        let pins = try checkList(
            record, at: 16, below: sizes.pinSets, name, sizes, &cursor)
        switch record.number64(at: 48) {
        case 0 where anchors > 0: break
        case 1 where anchors == 0 && pins > 0: break
        default: throw .malformed("\(name): it has no anchors, or other flags than it can have")
        }
        guard Int(record.number32(at: 4)) < sizes.texts,
            Int(record.number32(at: 24)) < sizes.requirements,
            Int(record.number32(at: 28)) < sizes.identities
        else { throw .malformed("\(name): a reference is out of range") }
        let waivers = Int(record.number32(at: 36))
        guard Int(record.number32(at: 32)) == cursor.waiver,
            waivers <= sizes.waivers - cursor.waiver
        else { throw .malformed("\(name): its waivers are out of place") }
        var previous: UInt32 = 0
        for index in cursor.waiver..<cursor.waiver + waivers {
            let waiver = layout[.waivers].start + index * TableFormat.waiverSize
            let number = bytes.number32(at: waiver)
            guard number > previous, bytes.number32(at: waiver + 4) == 0,
                Waiver.Tolerance(number: number, value: bytes.signed64(at: waiver + 8)) != nil,
                UTCInstant.calendarSeconds.contains(bytes.signed64(at: waiver + 16))
            else { throw .malformed("\(name): a waiver is unknown, out of order or out of range") }
            previous = number
        }
        cursor.waiver += waivers
        try checkReportModes(record, name, sizes, &cursor)
    }

    /// Checks the report modes of a rule: consecutive, each check once, in their order.
    private func checkReportModes(
        _ record: Span<UInt8>, _ name: RecordName, _ sizes: RecordCounts, _ cursor: inout Cursor
    ) throws(TableDecodingError) {
        let bytes = bytes.span
        let count = Int(record.number32(at: 44))
        guard Int(record.number32(at: 40)) == cursor.reportMode,
            count <= sizes.reportModes - cursor.reportMode
        else { throw .malformed("\(name): its report modes are out of place") }
        let custom = ReportOnly.Check.builtIn.count + 1
        var previous = (number: 0, text: -1)
        for index in cursor.reportMode..<cursor.reportMode + count {
            let mode = layout[.reportModes].start + index * TableFormat.reportModeSize
            let number = Int(bytes.number32(at: mode))
            let text = bytes.number32(at: mode + 4)
            guard number > previous.number || number == custom, number <= custom,
                number == custom
                    ? Int(text) < sizes.texts && Int(text) > previous.text
                    : text == TableFormat.noText,
                UTCInstant.calendarSeconds.contains(bytes.signed64(at: mode + 8))
            else { throw .malformed("\(name): a report mode is unknown or out of order") }
            previous = (number, number == custom ? Int(text) : -1)
        }
        cursor.reportMode += count
    }

    /// Checks the list of ascending indices, each below `limit`, that a record names at `offset`.
    /// Returns the number of indices.
    @inline(__always)
    private func checkList(
        _ record: Span<UInt8>, at offset: Int, below limit: Int, _ name: RecordName,
        _ sizes: RecordCounts, _ cursor: inout Cursor
    ) throws(TableDecodingError) -> Int {
        let bytes = bytes.span
        let count = Int(record.number32(at: offset + 4))
        guard Int(record.number32(at: offset)) == cursor.list, count <= sizes.lists - cursor.list
        else { throw .malformed("\(name): a list is out of place") }
        var previous = -1
        for position in cursor.list..<cursor.list + count {
            let index = Int(bytes.number32(at: layout[.lists].start + 4 * position))
            guard index > previous, index < limit else {
                throw .malformed("\(name): a list has an index out of range or out of order")
            }
            previous = index
        }
        cursor.list += count
        return count
    }

    private func checkPinSets(
        _ sizes: RecordCounts, _ cursor: inout Cursor
    ) throws(TableDecodingError) {
        let bytes = bytes.span
        var previousID = -1
        for index in 0..<sizes.pinSets {
            let offset = layout[.pinSets].start + index * TableFormat.pinSetSize
            let name = RecordName("pin set", index)
            let id = Int(bytes.number32(at: offset))
            let keys = Int(bytes.number32(at: offset + 8))
            let backups = Int(bytes.number32(at: offset + 12))
            let match = Int(bytes.number32(at: offset + 16))
            guard id > previousID, id < sizes.texts else {
                throw .malformed("\(name): its id is out of range or out of order")
            }
            previousID = id
            guard Int(bytes.number32(at: offset + 4)) == cursor.pin, keys > 0, backups > 0,
                keys + backups <= sizes.pins - cursor.pin, match > 0, match <= keys + backups
            else { throw .malformed("\(name): its pins are out of place or too few") }
            try checkExpiry(at: offset, name)
            try checkPins(keys, name, sizes, &cursor)
            try checkPins(backups, name, sizes, &cursor)
        }
        guard cursor.pin == sizes.pins, cursor.keyMatch == sizes.keyMatches else {
            throw .malformed("pins or digests that nothing uses")
        }
    }

    private func checkExpiry(at offset: Int, _ name: RecordName) throws(TableDecodingError) {
        let flags = bytes[offset + 21]
        let warnFrom = bytes.signed64(at: offset + 24)
        let enforceUntil = bytes.signed64(at: offset + 32)
        guard PinSetContents.OnExpiry(rawValue: bytes[offset + 20]) != nil, flags < 4,
            bytes.number16(at: offset + 22) == 0,
            flags & 1 == 0 ? warnFrom == 0 : UTCInstant.calendarSeconds.contains(warnFrom),
            flags & 2 == 0 ? enforceUntil == 0 : UTCInstant.calendarSeconds.contains(enforceUntil)
        else { throw .malformed("\(name): its dates are not valid") }
    }

    /// Checks the keys or the backups of one pin set.
    private func checkPins(
        _ count: Int, _ name: RecordName, _ sizes: RecordCounts, _ cursor: inout Cursor
    ) throws(TableDecodingError) {
        let bytes = bytes.span
        var previousID = -1
        for _ in 0..<count {
            let offset = layout[.pins].start + cursor.pin * TableFormat.pinSize
            let record = bytes.extracting(offset..<offset + TableFormat.pinSize)
            let id = Int(record.number32(at: 0))
            let matches = Int(record.number32(at: 12))
            guard id > previousID, id < sizes.texts,
                let position = UInt8(exactly: record.number32(at: 4)),
                PinPosition(rawValue: position) != nil
            else { throw .malformed("\(name): a pin's id or position is not valid") }
            previousID = id
            guard Int(record.number32(at: 8)) == cursor.keyMatch, matches > 0,
                matches <= sizes.keyMatches - cursor.keyMatch
            else { throw .malformed("\(name): a pin's digests are out of place") }
            for index in cursor.keyMatch..<cursor.keyMatch + matches {
                try checkKeyMatch(index, isFirst: index == cursor.keyMatch, name)
            }
            cursor.keyMatch += matches
            _ = try checkList(
                record, at: 16, below: sizes.anchors, name, sizes, &cursor)
            cursor.pin += 1
        }
    }

    private func checkKeyMatch(
        _ index: Int, isFirst: Bool, _ name: RecordName
    ) throws(TableDecodingError) {
        let size = TableFormat.keyMatchSize
        let start = layout[.keyMatches].start + index * size
        let record = bytes[start..<start + size]
        guard KeyMatch(decoding: Array(record)) != nil else {
            throw .malformed("\(name): a digest is not valid")
        }
        if !isFirst, !bytes[start - size..<start].lexicographicallyPrecedes(record) {
            throw .malformed("\(name): a digest is out of order")
        }
    }
}

extension Span<UInt8> {
    @inline(__always)
    fileprivate func signed64(at offset: Int) -> Int64 { Int64(bitPattern: number64(at: offset)) }
}
