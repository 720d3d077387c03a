/// A CRL that can be searched for serial numbers. It has an index; or it comes with a request, and
/// then each search reads all entries; or its entries stand in a revocation set.
package struct PreparedRevocationList: Sendable {
    /// The CRL. A CRL of a revocation set has neither entries nor a signature.
    package let list: CertificateRevocationList
    private let entries: Entries

    private enum Entries {
        case scanned
        case indexed(RevocationIndex)
        case compact(CompactEntries)
    }

    /// An entry with the serial number that was searched.
    package struct Match: Hashable, Sendable, BitwiseCopyable {
        package let entry: RevocationEntry
        /// Content of the GeneralNames of the certificate issuer of the entry, in `entryOctets`;
        /// empty for the CRL's own issuer.
        package let issuer: ByteRange
    }

    /// Makes the value from a CRL. An index is made when more than one evaluation will search the
    /// CRL.
    package init(_ list: CertificateRevocationList, isIndexed: Bool) {
        self.list = list
        self.entries = isIndexed ? .indexed(RevocationIndex(list)) : .scanned
    }

    /// Makes the value from a CRL of a revocation set: the CRL without entries, and the entries.
    init(_ list: CertificateRevocationList, _ entries: CompactEntries) {
        self.list = list
        self.entries = .compact(entries)
    }

    /// Number of entries.
    package var count: Int {
        guard case .compact(let entries) = entries else { return list.layout.entryCount }
        return entries.count
    }

    /// The octets that the ranges of a match point into.
    var entryOctets: [UInt8] { revocationSet ?? list.der }

    /// The octets of the revocation set that the CRL belongs to; nil for a single CRL.
    var revocationSet: [UInt8]? {
        guard case .compact(let entries) = entries else { return nil }
        return entries.octets
    }

    /// The entries with a serial number, in their order in the CRL. Cost: a binary search where
    /// there is an index, otherwise one unit for each kilobyte of entries, and for each half
    /// kilobyte of an indirect CRL, whose entries are read whole; and one unit for each entry that
    /// is found.
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
        var rank = index.firstRank(of: serial, in: bytes)
        while let offset = index.offset(atRank: rank, ifSerial: serial, in: bytes) {
            try budget.take(1)
            if let entry = entry(at: offset) {
                matches.append(Match(entry: entry, issuer: index.issuer(ofEntryAt: offset)))
            }
            rank += 1
        }
        return matches
    }

    private func scan(
        _ serial: Span<UInt8>, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> [Match] {
        try budget.take(1 + Int(list.layout.entries.count) / (list.layout.isIndirect ? 512 : 1_024))
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
