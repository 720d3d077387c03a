// A filter of CRLite, a "clubcard": for every certificate that the logs had at a time, one bit,
// revoked or not. `grammar/crlite.md` has the two formats octet by octet, and their sources.
//
// The columns of a filter are megabytes, and they are not read when the filter is opened. This type
// keeps offsets only. Its caller has the octets, as a rule a file that is mapped into memory, and
// hands them to every call. So all processes that map the file share its memory.
//
// The octets may be hostile, and may change after the filter was opened. Therefore every reading is
// checked against the end of the octets, also when the filter is asked. Opening a filter takes time
// and memory for its index; each count is compared with the octets that are left before anything
// is allocated. A question takes time for the words of at most 256 columns and for the exceptions
// of one issuer, at most 65,535; `FilterAnswer.work` counts them.

/// An opened filter, without its octets.
package struct ClubcardFilter: Sendable {
    /// The formats that are read.
    package enum Format: UInt8, Hashable, Sendable, CaseIterable {
        /// Version 3, little-endian, as bincode writes it: the filters that Firefox reads.
        case bincode = 3
        /// Version 4, big-endian: c2sp.org/upki-revocation.
        case upki = 4
    }

    /// A column of bits: the offset of its first word, and the number of its words of 64 bits.
    struct Column: Sendable {
        let offset: Int
        let words: Int
    }

    /// The format of the octets.
    package let format: Format
    /// The number of octets.
    package let octetCount: Int
    /// The time of each log that the filter covers. INVARIANT (sorted): by log, no log twice.
    package let coverage: [LogInterval]
    /// INVARIANT (sorted): the offsets of the entries of issuers, by issuer, no issuer twice.
    private let entries: [UInt32]
    private let approximate: [Column]
    private let exact: Column

    /// The issuers of whose certificates the filter knows.
    package var issuerCount: Int { entries.count }
    /// SHA-256 of the SubjectPublicKeyInfos of all issuers, ascending. `bytes` are the octets from
    /// which the filter was opened; the list is empty if their number has changed.
    package func issuers(in bytes: Span<UInt8>) -> [Digest256] {
        guard bytes.count == octetCount else { return [] }
        var issuers: [Digest256] = []
        issuers.reserveCapacity(entries.count)
        for entry in entries { issuers.append(Digest256(reading: bytes, at: Int(entry))) }
        return issuers
    }
    /// The octets of all columns.
    package var columnOctets: Int {
        8 * (approximate.reduce(0) { $0 + $1.words } + exact.words)
    }
    /// The number of columns, the exact one included.
    package var columnCount: Int { approximate.count + 1 }

    /// The newest millisecond that the filter covers for any log: its age, because a filter states
    /// no time of its own. Nil for a filter that covers nothing.
    package var newest: UInt64? { coverage.filter { $0.low <= $0.high }.map(\.high).max() }
    /// The oldest millisecond that the filter covers for any log.
    package var oldest: UInt64? { coverage.filter { $0.low <= $0.high }.map(\.low).min() }

    /// The most octets of a file that is read. Filters of the public web had some 10 million in
    /// 2026, and all offsets fit into 32 bits.
    package static let largest = 1 << 30

    /// Opens a filter: reads everything but its columns.
    package init(reading bytes: Span<UInt8>) throws(FilterDamage) {
        let format = try ClubcardFilter.format(of: bytes)
        var place = FilterOctets(at: 2, of: bytes, isBigEndian: format == .upki)
        let coverage = try ClubcardFilter.coverage(&place, bytes, format)
        let entries = try ClubcardFilter.entries(&place, bytes, format)
        let columns = try place.count(
            format.width(1), of: format.width(4), in: bytes, "columns")
        guard columns <= ClubcardFilter.mostColumns else {
            throw FilterDamage(
                .malformed,
                "\(columns) columns are announced, and a filter has at most "
                    + "\(ClubcardFilter.mostColumns)")
        }
        var approximate: [Column] = []
        approximate.reserveCapacity(columns)
        for number in 0..<columns {
            approximate.append(
                try ClubcardFilter.column(&place, bytes, format, "words of column \(number + 1)"))
        }
        let exact = try ClubcardFilter.column(&place, bytes, format, "words of the exact column")
        guard place.left == 0 else {
            throw FilterDamage(
                .trailing,
                "the exact column ends at offset \(place.offset), and the file has "
                    + "\(bytes.count) octets")
        }
        try ClubcardFilter.check(entries, approximate, exact, bytes, format)
        self.format = format
        self.octetCount = bytes.count
        self.coverage = coverage
        self.entries = entries
        self.approximate = approximate
        self.exact = exact
    }

    /// Format 4 has one octet for the number of columns.
    static let mostColumns = 255

    /// Whether octets begin as a filter does, damaged or not.
    package static func isFilter(_ head: [UInt8]) -> Bool {
        head.count >= 2 && Format(rawValue: head[0]) != nil && head[1] == 0
    }

    // MARK: Questions

    /// Answers a question. `bytes` are the octets from which the filter was opened. It throws
    /// `changed` when they visibly are not.
    package func answer(
        _ question: FilterQuestion, in bytes: Span<UInt8>
    ) throws(FilterDamage) -> FilterAnswer {
        guard bytes.count == octetCount else {
            throw FilterDamage(
                .changed, "the file had \(octetCount) octets, and has \(bytes.count) now")
        }
        // The order is the specification's: a filter that does not cover the certificate says
        // nothing of the issuer.
        guard let cover = cover(of: question.timestamps) else {
            return FilterAnswer(status: .notCovered, cover: nil, work: 0)
        }
        guard let block = try block(of: question.issuer, bytes) else {
            return FilterAnswer(status: .notEnrolled, cover: cover, work: 0)
        }
        var work = 0
        let isMember = try isMember(question, block, bytes, &work)
        return FilterAnswer(
            status: isMember != block.isInverted ? .revoked : .good, cover: cover, work: work)
    }

    /// The first timestamp that the filter covers.
    package func cover(of timestamps: [LogTime]) -> FilterAnswer.Cover? {
        for time in timestamps {
            guard let interval = interval(of: time.log), interval.contains(time.milliseconds) else {
                continue
            }
            return FilterAnswer.Cover(time: time, interval: interval)
        }
        return nil
    }

    private func interval(of log: Digest256) -> LogInterval? {
        var low = 0
        var high = coverage.count
        while low < high {
            let middle = low + (high - low) / 2
            if coverage[middle].log == log { return coverage[middle] }
            if coverage[middle].log < log { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// The issuer's block; nil if the filter does not have the issuer.
    private func block(
        of issuer: Digest256, _ bytes: Span<UInt8>
    ) throws(FilterDamage) -> Block? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = low + (high - low) / 2
            let found = Digest256(reading: bytes, at: Int(entries[middle]))
            if found == issuer {
                return try ClubcardFilter.block(at: entries[middle], bytes, format)
            }
            if found < issuer { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// Whether the block has the certificate in the set that it encodes: the revoked ones, or the
    /// others if it is inverted. An equation over 256 bits of each column must come to 0. An
    /// exception with the serial number takes the certificate out.
    private func isMember(
        _ question: FilterQuestion, _ block: Block, _ bytes: Span<UInt8>, _ work: inout Int
    ) throws(FilterDamage) -> Bool {
        // Every equation over no rows comes to 0, but a block without rows has no member.
        guard block.approximateRows > 0 else { return false }
        guard block.rank <= approximate.count else {
            throw FilterDamage(
                .changed, "an issuer has \(block.rank) columns, and there are \(approximate.count)")
        }
        let equation = Equation(question.key)
        var row = block.approximateOffset + equation.row(of: block.approximateRows)
        for column in approximate[..<block.rank] {
            work += Equation.words
            guard !equation.isOdd(row, in: column, bytes, format) else { return false }
        }
        row = block.exactOffset + equation.row(of: block.exactRows)
        work += Equation.words
        guard !equation.isOdd(row, in: exact, bytes, format) else { return false }
        return try !block.hasException(question.serial, bytes, format, &work)
    }
}

extension ClubcardFilter.Format {
    /// The octets of a number that format 4 writes with `octets`. Format 3 writes each number with
    /// eight.
    func width(_ octets: Int) -> Int {
        switch self {
        case .bincode: return 8
        case .upki: return octets
        }
    }
}
