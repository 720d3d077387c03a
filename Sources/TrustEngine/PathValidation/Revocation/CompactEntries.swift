/// The entries of one CRL in a revocation set: records of one size for each length of serial number,
/// sorted, and searched where they lie. Nothing is made of a record until it is found.
struct CompactEntries: Sendable {
    /// The whole set's.
    let octets: [UInt8]
    /// One for each length of serial number. INVARIANT: inside `octets`, the records of each sorted by
    /// their serial numbers; equal ones in their order in the CRL.
    private let runs: [Run]
    /// What dates are counted from.
    private let base: UTCInstant
    /// Content of the GeneralNames that records of an indirect CRL number from 1.
    private let issuers: [ByteRange]

    /// Records whose serial numbers are of one length.
    struct Run: Sendable {
        /// Octets of a serial number.
        let width: Int
        /// Octets of a record.
        let stride: Int
        /// Where the first record begins.
        let start: Int
        let count: Int
        let directory: SerialDirectory

        /// The run of records that lies somewhere in a set.
        init(width: Int, stride: Int, start: Int, count: Int, in octets: [UInt8]) {
            self.width = width
            self.stride = stride
            self.start = start
            self.count = count
            self.directory = SerialDirectory(count: count, in: octets) {
                ByteRange(start: start + $0 * stride, count: width)
            }
        }

        /// Where the serial number at a place lies.
        func serial(_ place: Int) -> Range<Int> {
            start + place * stride..<start + place * stride + width
        }
    }

    init(octets: [UInt8], runs: [Run], base: UTCInstant, issuers: [ByteRange]) {
        self.octets = octets
        self.runs = runs
        self.base = base
        self.issuers = issuers
    }

    /// How many entries there are.
    var count: Int { runs.reduce(0) { $0 + $1.count } }

    /// The entries that have a serial number, in their order in the CRL. Cost: as with an index.
    func matches(
        _ serial: Span<UInt8>, budget: inout WorkBudget
    ) throws(WorkExhausted) -> [PreparedRevocationList.Match] {
        try budget.take(1)
        var matches: [PreparedRevocationList.Match] = []
        let bytes = octets.span
        for run in runs where run.width == serial.count {
            let places = run.directory.places(of: serial)
            var low = places.lowerBound
            var high = places.upperBound
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
        // Which reasons there are was checked when the set was decoded.
        let reason = bytes[tail + RevocationSetFormat.dateSize]
        entry.reason = RevocationReason(rawValue: reason) ?? .unspecified
        var issuer = ByteRange(start: 0, count: 0)
        if !issuers.isEmpty {
            let number = Int(bytes.number32(at: tail + RevocationSetFormat.tailSize))
            if number > 0 { issuer = issuers[number - 1] }
        }
        return PreparedRevocationList.Match(entry: entry, issuer: issuer)
    }

    /// Seconds after the first date, five octets.
    static func seconds(at offset: Int, in bytes: Span<UInt8>) -> Int64 {
        Int64(bytes.number32(at: offset)) | Int64(bytes[offset + 4]) << 32
    }

    /// Whether the octets of one serial number come before those of another of the same length.
    static func precedes(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        for index in left.indices where left[index] != right[index] {
            return left[index] < right[index]
        }
        return false
    }
}
