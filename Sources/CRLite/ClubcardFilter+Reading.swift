// The parts of a filter, in the order of the file. `grammar/crlite.md` has both formats.

extension ClubcardFilter {
    /// The format, from the first two octets.
    static func format(of bytes: Span<UInt8>) throws(FilterDamage) -> Format {
        guard bytes.count >= 2 else {
            throw FilterDamage(
                .truncated, "a filter begins with 2 octets, and the file has \(bytes.count)")
        }
        guard bytes.count <= largest else {
            throw FilterDamage(
                .malformed,
                "the file has \(bytes.count) octets, and filters are read up to \(largest)")
        }
        guard let format = Format(rawValue: bytes[0]) else {
            // Versions 0 to 2 were cascades of Bloom filters.
            throw bytes[0] < 3
                ? FilterDamage(
                    .unsupportedVersion,
                    "the filter has version \(bytes[0]); versions 3 and 4 are "
                        + "read")
                : FilterDamage(
                    .notAFilter, "the first octet is \(bytes[0]), and a filter begins with 3 or 4")
        }
        guard bytes[1] == 0 else {
            throw FilterDamage(
                .malformed, "the reserved second octet is \(bytes[1]), and must be 0")
        }
        return format
    }

    /// The covered logs, sorted.
    static func coverage(
        _ place: inout FilterOctets, _ bytes: Span<UInt8>, _ format: Format
    ) throws(FilterDamage) -> [LogInterval] {
        let count = try place.count(format.width(2), of: 48, in: bytes, "covered logs")
        var coverage: [LogInterval] = []
        coverage.reserveCapacity(count)
        for _ in 0..<count {
            coverage.append(
                LogInterval(
                    log: try place.digest(in: bytes, "the covered logs"),
                    low: try place.number(8, in: bytes, "the covered logs"),
                    high: try place.number(8, in: bytes, "the covered logs")))
        }
        coverage.sort { $0.log < $1.log }
        // The file has them in any order.
        for (one, next) in zip(coverage, coverage.dropFirst()) where one.log == next.log {
            throw FilterDamage(.malformed, "log \(one.log.hex) is covered twice")
        }
        return coverage
    }

    /// A column, whose words are not read.
    static func column(
        _ place: inout FilterOctets, _ bytes: Span<UInt8>, _ format: Format, _ what: String
    ) throws(FilterDamage) -> Column {
        let words = try place.count(format.width(4), of: 8, in: bytes, what)
        let offset = place.offset
        try place.skip(8 * words, what)
        return Column(offset: offset, words: words)
    }

    /// The entry of an issuer: which rows of the columns are its own, and how they are read.
    struct Block {
        let approximateRows: Int
        /// The number of columns that are read.
        let rank: Int
        let approximateOffset: Int
        let exactRows: Int
        let exactOffset: Int
        /// Whether the block has the certificates that are not revoked.
        let isInverted: Bool
        let exceptionCount: Int
        /// The offset of the first exception.
        let exceptions: Int

        /// Reads an entry behind the issuer's digest, up to its exceptions.
        init(
            _ place: inout FilterOctets, _ bytes: Span<UInt8>, _ format: Format
        ) throws(FilterDamage) {
            let what = "the issuers"
            approximateRows = try Block.row(&place, bytes, format)
            // The formats have the five numbers in another order.
            switch format {
            case .upki:
                rank = Int(try place.number(1, in: bytes, what))
                approximateOffset = try Block.row(&place, bytes, format)
                exactRows = try Block.row(&place, bytes, format)
            case .bincode:
                exactRows = try Block.row(&place, bytes, format)
                rank = try Block.row(&place, bytes, format)
                approximateOffset = try Block.row(&place, bytes, format)
            }
            exactOffset = try Block.row(&place, bytes, format)
            let inverted = try place.number(1, in: bytes, what)
            guard inverted <= 1 else {
                throw FilterDamage(
                    .malformed, "an issuer is inverted by \(inverted), and it must be 0 or 1")
            }
            isInverted = inverted == 1
            exceptionCount = try place.count(
                format.width(2), of: format.width(1) + 1, in: bytes, "exceptions")
            guard exceptionCount <= Block.mostExceptions else {
                throw FilterDamage(
                    .malformed,
                    "an issuer has \(exceptionCount) exceptions, and at most "
                        + "\(Block.mostExceptions) are read")
            }
            exceptions = place.offset
        }

        private static func row(
            _ place: inout FilterOctets, _ bytes: Span<UInt8>, _ format: Format
        ) throws(FilterDamage) -> Int {
            let row = try place.number(format.width(4), in: bytes, "the issuers")
            guard row <= UInt64(UInt32.max) else {
                throw FilterDamage(
                    .malformed, "an issuer has the number \(row), and its numbers have 32 bits")
            }
            return Int(row)
        }

        /// Format 4 has two octets for their number.
        private static let mostExceptions = 65_535

        /// Goes past the exceptions.
        func skipExceptions(
            _ place: inout FilterOctets, _ bytes: Span<UInt8>, _ format: Format
        ) throws(FilterDamage) {
            for _ in 0..<exceptionCount { _ = try Block.exception(&place, bytes, format) }
        }

        /// Whether a serial number is an exception.
        func hasException(
            _ serial: [UInt8], _ bytes: Span<UInt8>, _ format: Format, _ work: inout Int
        ) throws(FilterDamage) -> Bool {
            var place = FilterOctets(at: exceptions, of: bytes, isBigEndian: format == .upki)
            for _ in 0..<exceptionCount {
                work += 1
                let exception = try Block.exception(&place, bytes, format)
                guard exception.count == serial.count else { continue }
                if serial.indices.allSatisfy({ serial[$0] == bytes[exception.lowerBound + $0] }) {
                    return true
                }
            }
            return false
        }

        /// The offsets of the next exception's octets.
        private static func exception(
            _ place: inout FilterOctets, _ bytes: Span<UInt8>, _ format: Format
        ) throws(FilterDamage) -> Range<Int> {
            let count = try place.count(
                format.width(1), of: 1, in: bytes, "octets of an exception")
            guard count > 0 else {
                throw FilterDamage(.malformed, "an exception is empty, and serial numbers are not")
            }
            let start = place.offset
            try place.skip(count, "the exceptions")
            return start..<place.offset
        }
    }

    /// The offsets of the entries of all issuers.
    static func entries(
        _ place: inout FilterOctets, _ bytes: Span<UInt8>, _ format: Format
    ) throws(FilterDamage) -> [UInt32] {
        let isLong = format == .bincode
        let count = try place.count(format.width(4), of: isLong ? 89 : 52, in: bytes, "issuers")
        var entries: [UInt32] = []
        entries.reserveCapacity(count)
        var last: Digest256?
        for _ in 0..<count {
            if isLong {
                let length = try place.number(8, in: bytes, "the issuers")
                guard length == UInt64(Digest256.octetCount) else {
                    throw FilterDamage(
                        .malformed, "an issuer's digest has \(length) octets, and must have 32")
                }
            }
            // `largest` has 31 bits.
            entries.append(UInt32(place.offset))
            let issuer = try place.digest(in: bytes, "the issuers")
            if let last, last >= issuer {
                throw FilterDamage(
                    .malformed,
                    last == issuer
                        ? "issuer \(issuer.hex) stands twice in the index"
                        : "the issuers are not sorted: \(issuer.hex) stands behind \(last.hex)")
            }
            last = issuer
            let block = try Block(&place, bytes, format)
            try block.skipExceptions(&place, bytes, format)
        }
        return entries
    }

    /// Refuses blocks that read columns that are not there. The columns follow the entries in the
    /// file, so the entries are read a second time.
    ///
    /// A column may be shorter than the rows of its blocks, since words of zeros at its end are
    /// left out. So a block may begin behind the end of a column. But blocks follow each other, so
    /// none begins behind both the column and the rows of all other blocks.
    static func check(
        _ entries: [UInt32], _ columns: [Column], _ exact: Column, _ bytes: Span<UInt8>,
        _ format: Format
    ) throws(FilterDamage) {
        var rows = (approximate: 0, exact: 0)
        for entry in entries {
            let block = try block(at: entry, bytes, format)
            rows.approximate += block.approximateRows + overhang
            rows.exact += block.exactRows + overhang
        }
        for entry in entries {
            let block = try block(at: entry, bytes, format)
            guard block.rank <= columns.count else {
                throw FilterDamage(
                    .malformed,
                    "issuer \(Digest256(reading: bytes, at: Int(entry)).hex) has \(block.rank) "
                        + "columns, and the filter has \(columns.count)")
            }
            // A block without rows reads no column.
            guard block.approximateRows > 0 else { continue }
            let words = columns[..<block.rank].map(\.words).max()
            try check(
                block.approximateOffset, words, rows.approximate - block.approximateRows, entry,
                bytes, "its columns end")
            try check(
                block.exactOffset, exact.words, rows.exact - block.exactRows, entry, bytes,
                "the exact column ends")
        }
    }

    private static func check(
        _ row: Int, _ words: Int?, _ others: Int, _ entry: UInt32, _ bytes: Span<UInt8>,
        _ what: String
    ) throws(FilterDamage) {
        guard let words, row > max(64 * words, others - overhang) else { return }
        throw FilterDamage(
            .malformed,
            "issuer \(Digest256(reading: bytes, at: Int(entry)).hex) begins at row \(row), and "
                + "\(what) at row \(64 * words)")
    }

    /// The rows behind a block's own that its equations may use, and so the most rows between the
    /// end of a block and the next block.
    private static let overhang = 255

    /// The block of an entry, by the entry's offset.
    static func block(
        at entry: UInt32, _ bytes: Span<UInt8>, _ format: Format
    ) throws(FilterDamage) -> Block {
        var place = FilterOctets(
            at: Int(entry) + Digest256.octetCount, of: bytes, isBigEndian: format == .upki)
        return try Block(&place, bytes, format)
    }
}
