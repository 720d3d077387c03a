extension RevocationSet {
    /// Writes a set of CRLs. Each must be prepared with the certificate of its signer. A CRL that
    /// is given twice is written once. The same CRLs give the same octets in any order.
    ///
    /// - Throws: `RevocationSetObstacle`, which says why one of the CRLs cannot be put into a set.
    package static func encode(
        _ lists: [PreparedEvidence], crypto: some CryptoBackend
    ) throws(RevocationSetObstacle) -> [UInt8] {
        var records: [(digest: [UInt8], octets: [UInt8])] = []
        for list in lists where !records.contains(where: { $0.digest == list.digest.bytes }) {
            records.append((list.digest.bytes, try RevocationSetEncoder.record(of: list)))
        }
        guard records.count <= RevocationSetFormat.maximumLists else { throw .tooLarge }
        records.sort { $0.digest.lexicographicallyPrecedes($1.digest) }
        var bytes = RevocationSetFormat.magic
        bytes.append32(RevocationSetFormat.version)
        bytes.append32(records.count)
        let length =
            RevocationSetFormat.headSize + records.reduce(0) { $0 + $1.octets.count }
            + RevocationSetFormat.sealSize
        guard length <= maximumSize else { throw .tooLarge }
        bytes.append64(UInt64(length))
        for record in records { bytes += record.octets }
        return bytes + crypto.digest(.sha256, of: bytes.span).bytes
    }

    /// Why evidence cannot be put into a set; nil when it can.
    package static func obstacle(to evidence: PreparedEvidence) -> RevocationSetObstacle? {
        do throws(RevocationSetObstacle) {
            _ = try RevocationSetEncoder.list(of: evidence)
            return nil
        } catch {
            return error
        }
    }
}

/// Writes CRLs as records of a set.
private enum RevocationSetEncoder {
    /// An entry with the values that are written.
    private struct Entry {
        let serial: ByteRange
        let date: UTCInstant
        let reason: RevocationReason
        /// Number of its certificate issuer among the list's issuers, from 1; 0 for the CRL's own
        /// issuer.
        let issuer: UInt32
    }

    static func list(
        of evidence: PreparedEvidence
    ) throws(RevocationSetObstacle) -> CertificateRevocationList {
        guard case .list(let prepared) = evidence.content, prepared.revocationSet == nil else {
            throw .notAList
        }
        let list = prepared.list
        guard list.layout.unknownCritical.isEmpty else {
            throw .unknownCritical(
                ObjectIdentifier.text(
                    of: list.der.span.extracting(list.layout.unknownCritical.indices)))
        }
        guard !evidence.signingKeys.isEmpty else { throw .notVerified }
        return list
    }

    static func record(of evidence: PreparedEvidence) throws(RevocationSetObstacle) -> [UInt8] {
        let list = try list(of: evidence)
        var octets = evidence.digest.bytes
        func append(_ part: [UInt8]) {
            octets.append32(part.count)
            octets += part
        }
        append(skeleton(of: list))
        let keys = Set(evidence.signingKeys).sorted { $0.lexicographicallyPrecedes($1) }
        octets.append16(UInt16(truncatingIfNeeded: keys.count))
        for key in keys { append(key) }
        let (entries, issuers) = try entries(of: list)
        let base = entries.map(\.date).min() ?? UTCInstant(secondsSinceEpoch: 0)
        octets.append64(base.secondsSinceEpoch)
        octets.append32(issuers.count)
        for issuer in issuers { append(issuer) }
        let runs = Dictionary(grouping: entries, by: \.serial.count).sorted { $0.key < $1.key }
        guard runs.allSatisfy({ $0.key <= UInt32(UInt16.max) }) else { throw .tooLarge }
        octets.append16(UInt16(truncatingIfNeeded: runs.count))
        for (width, run) in runs {
            octets.append16(UInt16(truncatingIfNeeded: width))
            octets.append32(run.count)
            RevocationSetEncoder.append(
                run, of: list, since: base, hasIssuers: list.layout.isIndirect, to: &octets)
        }
        return octets
    }

    /// The CRL without entries and signature. The octets still parse as a CRL.
    private static func skeleton(of list: CertificateRevocationList) -> [UInt8] {
        let bytes = list.der.span
        var fields: [UInt8] = []
        var sequences = 0
        var outer = DERReader(list.layout.tbs)
        if var reader = try? outer.next(.sequence, in: bytes).reader {
            while let field = try? reader.next(in: bytes) {
                // The first SEQUENCE is the algorithm, the second the issuer, the third
                // revokedCertificates.
                if field.tag == .sequence { sequences += 1 }
                if field.tag != .sequence || sequences <= 2 { fields += bytes.copied(field.whole) }
            }
        }
        return DERTag.sequence.element(
            DERTag.sequence.element(fields), bytes.copied(list.layout.outerAlgorithm),
            DERTag.bitString.element([0]))
    }

    /// All entries in their order, and the certificate issuers of an indirect CRL, each once.
    private static func entries(
        of list: CertificateRevocationList
    ) throws(RevocationSetObstacle) -> ([Entry], issuers: [[UInt8]]) {
        let bytes = list.der.span
        var entries: [Entry] = []
        entries.reserveCapacity(list.layout.entryCount)
        var issuers: [[UInt8]] = []
        var numbers: [[UInt8]: UInt32] = [:]
        // An issuer holds until the next entry that names one (RFC 5280 section 5.3.3).
        var issuer: UInt32 = 0
        var reader = DERReader(list.layout.entries)
        while let element = try? reader.next(.sequence, in: bytes),
            let entry = try? RevocationEntry.read(element, in: bytes)
        {
            if !entry.certificateIssuer.isEmpty {
                let names = bytes.copied(entry.certificateIssuer)
                if let known = numbers[names] {
                    issuer = known
                } else {
                    issuers.append(names)
                    issuer = UInt32(truncatingIfNeeded: issuers.count)
                    numbers[names] = issuer
                }
            }
            entries.append(
                Entry(
                    serial: entry.serial, date: entry.date, reason: entry.reason, issuer: issuer))
        }
        // INVARIANT (parsed): every entry was read when the CRL was parsed.
        precondition(entries.count == list.layout.entryCount)
        return (entries, issuers)
    }

    /// Appends the records of entries, sorted by serial number. Entries with equal serial numbers
    /// keep their order.
    private static func append(
        _ run: [Entry], of list: CertificateRevocationList, since base: UTCInstant,
        hasIssuers: Bool, to octets: inout [UInt8]
    ) {
        let der = list.der
        let order = run.indices.sorted { left, right in
            let bytes = der.span
            let mine = bytes.extracting(run[left].serial.indices)
            let theirs = bytes.extracting(run[right].serial.indices)
            if CompactEntries.precedes(mine, theirs) { return true }
            return left < right && !CompactEntries.precedes(theirs, mine)
        }
        for index in order {
            let entry = run[index]
            octets += der[entry.serial.indices]
            let seconds = UInt64(entry.date.secondsSinceEpoch - base.secondsSinceEpoch)
            octets.append32(UInt32(truncatingIfNeeded: seconds))
            octets.append(UInt8(truncatingIfNeeded: seconds >> 32))
            octets.append(entry.reason.rawValue)
            if hasIssuers { octets.append32(entry.issuer) }
        }
    }
}
