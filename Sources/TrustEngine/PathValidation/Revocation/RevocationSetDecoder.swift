// Reads a revocation set from octets that may be hostile. Anybody can compute a seal, so a right
// seal proves nothing. Every length, order, date and code that a search relies on is checked here,
// in time linear in the octets. Later code reads checked octets without failing.

/// Reads the lists of a set one after the other.
struct RevocationSetDecoder {
    private let bytes: [UInt8]
    private var position = RevocationSetFormat.headSize
    private let end: Int

    /// The evidence in the octets of a set.
    static func decode(
        _ bytes: [UInt8], crypto: some CryptoBackend
    ) throws(RevocationSetError) -> [PreparedEvidence] {
        try checkEnvelope(bytes, crypto: crypto)
        var decoder = RevocationSetDecoder(bytes)
        let count = Int(bytes.number32(at: RevocationSetFormat.magic.count + 4))
        guard count <= RevocationSetFormat.maximumLists else {
            throw .malformed("\(count) lists, where a set has at most 65,536")
        }
        var evidence: [PreparedEvidence] = []
        for _ in 0..<count {
            let piece = try decoder.readList()
            if let last = evidence.last,
                !last.digest.bytes.lexicographicallyPrecedes(piece.digest.bytes)
            {
                throw .malformed("lists that are not in the order of their digests")
            }
            evidence.append(piece)
        }
        guard decoder.position == decoder.end else {
            throw .malformed("octets behind the last list")
        }
        return evidence
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        self.end = bytes.count - RevocationSetFormat.sealSize
    }

    /// Checks magic, version, length and seal.
    private static func checkEnvelope(
        _ bytes: [UInt8], crypto: some CryptoBackend
    ) throws(RevocationSetError) {
        guard bytes.prefix(8).elementsEqual(RevocationSetFormat.magic.prefix(bytes.count)) else {
            throw RevocationSetError(
                code: .notASet, context: "it does not begin as a revocation set does")
        }
        func truncated(_ wanted: UInt64) -> RevocationSetError {
            RevocationSetError(
                code: .truncated, context: "\(bytes.count) of \(wanted) octets are there")
        }
        let smallest = RevocationSetFormat.headSize + RevocationSetFormat.sealSize
        guard bytes.count >= smallest else { throw truncated(UInt64(smallest)) }
        let version = bytes.number32(at: RevocationSetFormat.magic.count)
        guard version == RevocationSetFormat.version else {
            throw RevocationSetError(
                code: .unsupportedVersion,
                context: "format version \(version), where this program reads version 1")
        }
        let length = bytes.number64(at: RevocationSetFormat.lengthOffset)
        guard length <= UInt64(bytes.count) else { throw truncated(length) }
        let seal = bytes.count - RevocationSetFormat.sealSize
        guard length == UInt64(bytes.count), bytes.count <= RevocationSet.maximumSize,
            bytes[seal...].elementsEqual(
                crypto.digest(.sha256, of: bytes.span.extracting(0..<seal)).bytes)
        else {
            throw RevocationSetError(
                code: .altered, context: "the octets are not those that were sealed")
        }
    }

    // MARK: One list

    private mutating func readList() throws(RevocationSetError) -> PreparedEvidence {
        guard let digest = Digest(.sha256, bytes: bytes[try take(32).indices]) else {
            throw .malformed("a digest that is none")
        }
        let list = try readSkeleton()
        let keys = try readKeys()
        let base = Int64(bitPattern: bytes.number64(at: try offset(8)))
        guard UTCInstant.calendarSeconds.contains(base) else {
            throw .malformed("a date outside the years 0000 to 9999")
        }
        let issuers = try readIssuers(of: list)
        var runs: [CompactEntries.Run] = []
        for _ in 0..<Int(bytes.number16(at: try offset(2))) {
            let run = try readRun(of: list, since: base, issuers: issuers.count)
            guard runs.last.map({ $0.width < run.width }) ?? true else {
                throw .malformed("lengths of serial numbers that do not ascend")
            }
            runs.append(run)
        }
        let entries = CompactEntries(
            octets: bytes, runs: runs, base: UTCInstant(secondsSinceEpoch: base), issuers: issuers)
        return PreparedEvidence(PreparedRevocationList(list, entries), digest: digest, keys: keys)
    }

    private mutating func readSkeleton() throws(RevocationSetError) -> CertificateRevocationList {
        let range = try takeCounted()
        let list: CertificateRevocationList
        do throws(EvidenceError) {
            list = try CertificateRevocationList(der: Array(bytes[range.indices]))
        } catch {
            throw .malformed("a CRL that does not parse: `\(error.field)`: \(error.reason)")
        }
        guard list.layout.entries.isEmpty, list.layout.signature.isEmpty,
            list.layout.unknownCritical.isEmpty
        else { throw .malformed("a CRL with entries, a signature or an unknown extension") }
        return list
    }

    private mutating func readKeys() throws(RevocationSetError) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        for _ in 0..<Int(bytes.number16(at: try offset(2))) {
            let key = Array(bytes[try takeCounted().indices])
            guard keys.last.map({ $0.lexicographicallyPrecedes(key) }) ?? true else {
                throw .malformed("keys that are not in order")
            }
            keys.append(key)
        }
        guard !keys.isEmpty else { throw .malformed("a CRL that no key signed") }
        return keys
    }

    private mutating func readIssuers(
        of list: CertificateRevocationList
    ) throws(RevocationSetError) -> [ByteRange] {
        let count = Int(bytes.number32(at: try offset(4)))
        guard count == 0 || list.layout.isIndirect else {
            throw .malformed("issuers of entries in a CRL that is not indirect")
        }
        var issuers: [ByteRange] = []
        for _ in 0..<count {
            let names = try takeCounted()
            var reader = GeneralNameReader(names)
            do throws(DERError) {
                var found = 0
                while try reader.next(in: bytes.span) != nil { found += 1 }
                guard found > 0 else { throw DERError(.emptySequence, at: Int(names.start)) }
            } catch {
                throw .malformed("an issuer that is no list of names")
            }
            issuers.append(names)
        }
        return issuers
    }

    // MARK: Records

    private mutating func readRun(
        of list: CertificateRevocationList, since base: Int64, issuers: Int
    ) throws(RevocationSetError) -> CompactEntries.Run {
        let width = Int(bytes.number16(at: try offset(2)))
        let count = Int(bytes.number32(at: try offset(4)))
        let stride =
            width + RevocationSetFormat.tailSize
            + (list.layout.isIndirect ? RevocationSetFormat.issuerSize : 0)
        guard count > 0, width > 0 else { throw .malformed("a run without entries") }
        guard count <= (end - position) / stride else {
            throw .malformed("\(count) entries, for which there is no room")
        }
        let start = position
        position += count * stride
        let span = bytes.span
        for rank in 0..<count {
            let record = start + rank * stride
            let tail = record + width
            let seconds = CompactEntries.seconds(at: tail, in: span)
            guard UTCInstant.calendarSeconds.contains(base + seconds) else {
                throw .malformed("a date outside the years 0000 to 9999")
            }
            let code = span[tail + RevocationSetFormat.dateSize]
            guard let reason = RevocationReason(rawValue: code),
                reason != .removeFromCRL || list.layout.isDelta
            else { throw .malformed("reason \(code), which such a CRL has not") }
            if list.layout.isIndirect {
                let issuer = span.number32(at: tail + RevocationSetFormat.tailSize)
                guard Int(issuer) <= issuers else {
                    throw .malformed("an entry of issuer \(issuer), of \(issuers)")
                }
            }
            if rank > 0,
                CompactEntries.precedes(
                    span.extracting(record..<tail),
                    span.extracting(record - stride..<record - stride + width))
            {
                throw .malformed("serial numbers that are not in order")
            }
        }
        return CompactEntries.Run(
            width: width, stride: stride, start: start, count: count, in: bytes)
    }

    // MARK: Octets

    private mutating func offset(_ count: Int) throws(RevocationSetError) -> Int {
        let start = position
        guard count <= end - start else { throw .malformed("a list that is cut off") }
        position += count
        return start
    }

    private mutating func take(_ count: Int) throws(RevocationSetError) -> ByteRange {
        ByteRange(start: try offset(count), count: count)
    }

    /// Reads octets that have their number before them.
    private mutating func takeCounted() throws(RevocationSetError) -> ByteRange {
        try take(Int(bytes.number32(at: try offset(4))))
    }
}

extension RevocationSetError {
    fileprivate static func malformed(_ context: String) -> RevocationSetError {
        RevocationSetError(code: .malformed, context: context)
    }
}
