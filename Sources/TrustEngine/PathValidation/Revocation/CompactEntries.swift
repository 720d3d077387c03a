/// The entries of one CRL in a revocation set. For each length of serial number there is a run of
/// records of one size, sorted, and searched in the set's octets. A record becomes a value only
/// when it is found.
struct CompactEntries: Sendable {
    /// The octets of the whole revocation set.
    let octets: [UInt8]
    /// One run for each length of serial number. INVARIANT (inside `octets`): the records of a run
    /// are sorted by serial number, and records with equal serial numbers stand in their order in
    /// the CRL.
    private let runs: [Run]
    /// The instant that the dates of records are counted from.
    private let base: UTCInstant
    /// Content of the GeneralNames of each certificate issuer of an indirect CRL. Records refer to
    /// them by number, from 1.
    private let issuers: [ByteRange]

    /// The records whose serial numbers have one length.
    struct Run: Sendable {
        /// Octets of a serial number.
        let width: Int
        /// Octets of a record, which is also the distance between two records.
        let stride: Int
        /// Offset of the first record.
        let start: Int
        let count: Int
        let directory: SerialDirectory

        /// Makes the run of records at an offset of a set.
        init(width: Int, stride: Int, start: Int, count: Int, in octets: [UInt8]) {
            self.width = width
            self.stride = stride
            self.start = start
            self.count = count
            self.directory = SerialDirectory(count: count, in: octets) {
                ByteRange(start: start + $0 * stride, count: width)
            }
        }

        /// Range of the serial number of the record with a rank.
        func serial(_ rank: Int) -> Range<Int> {
            start + rank * stride..<start + rank * stride + width
        }
    }

    init(octets: [UInt8], runs: [Run], base: UTCInstant, issuers: [ByteRange]) {
        self.octets = octets
        self.runs = runs
        self.base = base
        self.issuers = issuers
    }

    /// Number of entries.
    var count: Int { runs.reduce(0) { $0 + $1.count } }

    /// The entries with a serial number, in their order in the CRL. Cost: the same as with an
    /// index.
    func matches(
        _ serial: Span<UInt8>, budget: inout WorkBudget
    ) throws(WorkExhausted) -> [PreparedRevocationList.Match] {
        try budget.take(1)
        var matches: [PreparedRevocationList.Match] = []
        let bytes = octets.span
        for run in runs where run.width == serial.count {
            let ranks = run.directory.ranks(of: serial)
            var low = ranks.lowerBound
            var high = ranks.upperBound
            while low < high {
                let middle = low + (high - low) / 2
                if CompactEntries.precedes(bytes.extracting(run.serial(middle)), serial) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            while low < run.count, bytes.extracting(run.serial(low)).octetsEqual(serial) {
                try budget.take(1)
                matches.append(match(at: run.serial(low)))
                low += 1
            }
        }
        return matches
    }

    private func match(at serial: Range<Int>) -> PreparedRevocationList.Match {
        let bytes = octets.span
        let tail = serial.upperBound
        var entry = RevocationEntry(
            start: serial.lowerBound,
            serial: ByteRange(start: serial.lowerBound, count: serial.count),
            date: base.advanced(bySeconds: CompactEntries.seconds(at: tail, in: bytes)))
        // The decoder of the set has checked that every reason is known.
        let reason = bytes[tail + RevocationSetFormat.dateSize]
        entry.reason = RevocationReason(rawValue: reason) ?? .unspecified
        var issuer = ByteRange(start: 0, count: 0)
        if !issuers.isEmpty {
            let number = Int(bytes.number32(at: tail + RevocationSetFormat.tailSize))
            if number > 0 { issuer = issuers[number - 1] }
        }
        return PreparedRevocationList.Match(entry: entry, issuer: issuer)
    }

    /// The seconds of a date after the base, encoded in five octets.
    static func seconds(at offset: Int, in bytes: Span<UInt8>) -> Int64 {
        Int64(bytes.number32(at: offset)) | Int64(bytes[offset + 4]) << 32
    }

    /// Whether a serial number stands before another one of the same length.
    static func precedes(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        for index in left.indices where left[index] != right[index] {
            return left[index] < right[index]
        }
        return false
    }
}
