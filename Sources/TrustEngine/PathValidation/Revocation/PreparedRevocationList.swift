/// A CRL ready to be asked about serial numbers: with an index; without one, as a request brings it, so
/// that each question reads all entries; or with the entries of a revocation set.
package struct PreparedRevocationList: Sendable {
    /// The CRL. One of a revocation set has neither entries nor a signature.
    package let list: CertificateRevocationList
    private let entries: Entries

    private enum Entries {
        case scanned
        case indexed(RevocationIndex)
        case compact(CompactEntries)
    }

    /// One entry that has the serial number asked for.
    package struct Match: Hashable, Sendable, BitwiseCopyable {
        package let entry: RevocationEntry
        /// Content of the GeneralNames of the issuer that the entry is for, in `entryOctets`; empty for the
        /// CRL's own.
        package let issuer: ByteRange
    }

    /// A CRL, indexed when more than one evaluation will ask it.
    package init(_ list: CertificateRevocationList, isIndexed: Bool) {
        self.list = list
        self.entries = isIndexed ? .indexed(RevocationIndex(list)) : .scanned
    }

    /// A CRL of a revocation set: what it says but for its entries, and those.
    init(_ list: CertificateRevocationList, _ entries: CompactEntries) {
        self.list = list
        self.entries = .compact(entries)
    }

    /// How many entries there are.
    package var count: Int {
        guard case .compact(let entries) = entries else { return list.layout.entryCount }
        return entries.count
    }

    /// What the ranges of a match point into.
    var entryOctets: [UInt8] { revocationSet ?? list.der }

    /// The octets of the revocation set that it belongs to; nil for a CRL by itself.
    var revocationSet: [UInt8]? {
        guard case .compact(let entries) = entries else { return nil }
        return entries.octets
    }

    /// The entries that have a serial number, in their order in the CRL. Cost: a search by halves where
    /// there is an index, otherwise one unit a kilobyte of entries; one more for each entry found.
    package func matches(
        _ serial: Span<UInt8>, budget: inout WorkBudget
    ) throws(WorkExhausted) -> [Match] {
        switch entries {
        case .scanned: return try scan(serial, &budget)
        case .indexed(let index): return try matches(serial, index, &budget)
        case .compact(let entries): return try entries.matches(serial, budget: &budget)
        }
    }

    private func matches(
        _ serial: Span<UInt8>, _ index: RevocationIndex, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> [Match] {
        try budget.take(1)
        let bytes = list.der.span
        var matches: [Match] = []
        var place = index.firstPlace(of: serial, in: bytes)
        while let offset = index.offset(at: place, ifSerial: serial, in: bytes) {
            try budget.take(1)
            if let entry = entry(at: offset) {
                matches.append(Match(entry: entry, issuer: index.issuer(ofEntryAt: offset)))
            }
            place += 1
        }
        return matches
    }

    private func scan(
        _ serial: Span<UInt8>, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> [Match] {
        try budget.take(1 + Int(list.layout.entries.count) / 1_024)
        let bytes = list.der.span
        var matches: [Match] = []
        var issuer = ByteRange(start: 0, count: 0)
        var reader = DERReader(list.layout.entries)
        while let element = try? reader.next(.sequence, in: bytes) {
            let found = RevocationIndex.serial(at: element.start, in: bytes)
            let isMatch = bytes.extracting(found.indices).octetsEqual(serial)
            guard isMatch || list.layout.isIndirect,
                let entry = try? RevocationEntry.read(element, in: bytes)
            else { continue }
            if !entry.certificateIssuer.isEmpty { issuer = entry.certificateIssuer }
            if isMatch {
                try budget.take(1)
                matches.append(Match(entry: entry, issuer: issuer))
            }
        }
        return matches
    }

    private func entry(at offset: Int) -> RevocationEntry? {
        let bytes = list.der.span
        var reader = DERReader(ByteRange(start: offset, count: bytes.count - offset))
        guard let element = try? reader.next(.sequence, in: bytes) else { return nil }
        return try? RevocationEntry.read(element, in: bytes)
    }
}
