// Puts a table together of its sections.

/// The sections of a table that is being made.
package struct TableSections: Sendable {
    private var bodies: [TableSection: [UInt8]]

    init(_ bodies: [TableSection: [UInt8]]) {
        self.bodies = bodies
    }

    /// Makes a table of the sections, and of the locations where its policy is written, which are
    /// given up as soon as they are written.
    package consuming func table(
        locations: consuming WrittenLocations?, crypto: some CryptoBackend
    ) -> PolicyTable {
        if let encoded = (consume locations)?.encoded() {
            bodies[.provenanceTexts] = encoded.texts
            bodies[.provenance] = encoded.records
        }
        return assembled(crypto: crypto)
    }

    /// Makes the table: the head, the sections aligned to eight bytes, the seal. Each section is
    /// given up when it is copied: together they are as large as the table.
    private consuming func assembled(crypto: some CryptoBackend) -> PolicyTable {
        var layout = TableLayout()
        var bytes = [UInt8](repeating: 0, count: TableFormat.sectionsOffset)
        bytes.reserveCapacity(
            bodies.values.reduce(bytes.count + TableFormat.sealSize) { $0 + $1.count + 7 })
        var meaningEnd = 0
        for section in TableSection.meaning + TableSection.droppable {
            // The sections that may be dropped stand behind the meaning.
            guard let body = bodies.removeValue(forKey: section) else { continue }
            layout[section] = TableLayout.Extent(start: bytes.count, count: body.count)
            bytes += body
            while bytes.count % 8 != 0 { bytes.append(0) }
            if section.rawValue >= 16 { meaningEnd = bytes.count }
        }
        bytes.replace(
            at: 0,
            with: TableSections.head(
                layout, totalCount: bytes.count + TableFormat.sealSize, meaningEnd: meaningEnd))
        let policyDigest = PolicyDigest.ofMeaning(bytes.span, end: meaningEnd, crypto: crypto)
        bytes.replace(at: TableFormat.policyDigestOffset, with: policyDigest.bytes)
        let seal = PolicyDigest.seal(
            of: bytes.span, meaningEnd: meaningEnd, end: bytes.count, crypto: crypto)
        bytes += seal.bytes
        return PolicyTable(
            bytes: bytes, layout: layout, policyDigest: policyDigest, fileDigest: seal)
    }

    /// The header and the directories. The octets of the policy digest are zero.
    private static func head(
        _ layout: TableLayout, totalCount: Int, meaningEnd: Int
    ) -> [UInt8] {
        var head = TableFormat.magic
        head.append32(TableFormat.version)
        head.append32(0)
        head.append64(UInt64(totalCount))
        head.append64(UInt64(meaningEnd))
        head += [UInt8](repeating: 0, count: 32)
        func appendDirectory(_ sections: [TableSection]) {
            for section in sections {
                head.append32(section.rawValue)
                head.append32(0)
                head.append64(UInt64(layout[section].start))
                head.append64(UInt64(layout[section].count))
            }
        }
        appendDirectory(TableSection.droppable)
        head += TableFormat.meaningMagic
        head.append32(TableFormat.version)
        head.append32(TableSection.meaning.count)
        appendDirectory(TableSection.meaning)
        return head
    }
}
