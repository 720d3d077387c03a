/// The index of a directory of filters, "upkiidx1" (c2sp.org/upki-revocation): which filters cover
/// which time of which log. It is read whole, because it has some octets for each log and filter.
package struct CacheIndex: Sendable {
    /// An entry: one filter covers an interval of one log.
    package struct Entry: Hashable, Sendable {
        /// The filter's number in `names`.
        package let filter: Int
        /// The interval. The filter states its own, too, and the filter's own decides.
        package let interval: LogInterval
    }

    /// The names of the filters' files, which consist of letters, digits, `-`, `.` and `_`. No name
    /// is `.` or `..`, so none leads out of the directory.
    package let names: [String]
    /// The number of octets.
    package let octetCount: Int
    /// INVARIANT (sorted): by log, no log twice. The entries of a log are next to each other.
    package let entries: [Entry]
    /// INVARIANT (sorted): by log, no log twice, each with its places in `entries`.
    private let logs: [(log: Digest256, entries: Range<Int>)]

    /// The number of logs.
    package var logCount: Int { logs.count }
    /// The name of the index's file.
    package static let fileName = "index.bin"
    /// The most octets of an index that is read: 65,535 filters with some hundred logs each.
    package static let largest = 256 << 20

    private static let magic = Array("upkiidx1".utf8)
    private static let nameOctets = 32
    private static let logOctets = 42
    private static let entryOctets = 18

    /// Whether octets begin as an index does, of any version.
    package static func isIndex(_ head: [UInt8]) -> Bool {
        head.starts(with: magic.dropLast())
    }

    /// Reads an index.
    package init(reading bytes: Span<UInt8>) throws(FilterDamage) {
        try CacheIndex.checkMagic(bytes)
        var place = FilterOctets(at: CacheIndex.magic.count, of: bytes, isBigEndian: true)
        let nameCount = try place.number(2, in: bytes, "the number of filters")
        let logCount = try place.number(4, in: bytes, "the number of logs")
        guard
            Int(nameCount) * CacheIndex.nameOctets + Int(logCount) * CacheIndex.logOctets
                <= place.left
        else {
            throw FilterDamage(
                .truncated,
                "\(nameCount) filters and \(logCount) logs are announced, and \(place.left) octets "
                    + "are left")
        }
        names = try CacheIndex.names(Int(nameCount), &place, bytes)
        let sections = try CacheIndex.sections(Int(logCount), &place, bytes)
        try CacheIndex.check(sections, behind: place.offset)
        var entries: [Entry] = []
        var logs: [(log: Digest256, entries: Range<Int>)] = []
        logs.reserveCapacity(sections.count)
        for section in sections {
            let start = entries.count
            var place = FilterOctets(at: section.offset, of: bytes, isBigEndian: true)
            for _ in 0..<section.count {
                entries.append(
                    try CacheIndex.entry(of: section.log, names.count, &place, bytes))
            }
            logs.append((section.log, start..<entries.count))
        }
        self.entries = entries
        self.logs = logs
        octetCount = bytes.count
    }

    /// The numbers of all filters that cover one of the timestamps, ascending, each once.
    package func filters(for timestamps: [LogTime]) -> [Int] {
        var found: Set<Int> = []
        for time in timestamps {
            for entry in entries[range(of: time.log)]
            where entry.interval.contains(time.milliseconds) {
                found.insert(entry.filter)
            }
        }
        return found.sorted()
    }

    /// The newest millisecond that any filter covers; nil for an index without entries.
    package var newest: UInt64? {
        entries.map(\.interval).filter { $0.low <= $0.high }.map(\.high).max()
    }

    private func range(of log: Digest256) -> Range<Int> {
        var low = 0
        var high = logs.count
        while low < high {
            let middle = low + (high - low) / 2
            if logs[middle].log == log { return logs[middle].entries }
            if logs[middle].log < log { low = middle + 1 } else { high = middle }
        }
        return 0..<0
    }
}

// MARK: Reading

extension CacheIndex {
    private static func checkMagic(_ bytes: Span<UInt8>) throws(FilterDamage) {
        guard bytes.count >= magic.count else {
            throw FilterDamage(
                .truncated,
                "an index begins with \(magic.count) octets, and the file has \(bytes.count)")
        }
        guard bytes.count <= largest else {
            throw FilterDamage(
                .malformed,
                "the file has \(bytes.count) octets, and indexes are read up to \(largest)")
        }
        let head = magic.indices.map { bytes[$0] }
        guard head != magic else { return }
        throw isIndex(head)
            ? FilterDamage(.unsupportedVersion, "the index has another version than `upkiidx1`")
            : FilterDamage(.notAFilter, "the file does not begin with `upkiidx1`")
    }

    private static func names(
        _ count: Int, _ place: inout FilterOctets, _ bytes: Span<UInt8>
    ) throws(FilterDamage) -> [String] {
        var names: [String] = []
        names.reserveCapacity(count)
        for number in 0..<count {
            let start = place.offset
            try place.skip(nameOctets, "the names of filters")
            let slot = (start..<place.offset).map { bytes[$0] }
            let name = slot.prefix { $0 != 0 }
            guard slot[name.count...].allSatisfy({ $0 == 0 }) else {
                throw FilterDamage(
                    .malformed, "the name of filter \(number + 1) goes on behind its end")
            }
            guard !name.isEmpty, name.allSatisfy(isNameOctet), name != [dot], name != [dot, dot]
            else {
                throw FilterDamage(
                    .malformed,
                    "the name of filter \(number + 1) is not one of letters, digits, `-`, `.` and "
                        + "`_` in the cache's directory")
            }
            names.append(String(decoding: name, as: UTF8.self))
        }
        return names
    }

    private static let dot = UInt8(ascii: ".")

    private static func isNameOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), dot, UInt8(ascii: "_"):
            return true
        default: return false
        }
    }

    /// Where the entries of a log stand.
    private struct Section {
        let log: Digest256
        let offset: Int
        let count: Int
        var end: Int { offset + count * entryOctets }
    }

    private static func sections(
        _ count: Int, _ place: inout FilterOctets, _ bytes: Span<UInt8>
    ) throws(FilterDamage) -> [Section] {
        var sections: [Section] = []
        sections.reserveCapacity(count)
        for _ in 0..<count {
            let log = try place.digest(in: bytes, "the logs")
            let offset = try place.number(8, in: bytes, "the logs")
            let entries = try place.number(2, in: bytes, "the logs")
            if let last = sections.last, last.log >= log {
                throw FilterDamage(
                    .malformed,
                    last.log == log
                        ? "log \(log.hex) stands twice in the index"
                        : "the logs are not sorted: \(log.hex) stands behind \(last.log.hex)")
            }
            guard offset <= UInt64(bytes.count),
                entries <= (UInt64(bytes.count) - offset) / UInt64(entryOctets)
            else {
                throw FilterDamage(
                    .truncated,
                    "log \(log.hex) has \(entries) entries at offset \(offset), and the file has "
                        + "\(bytes.count) octets")
            }
            sections.append(Section(log: log, offset: Int(offset), count: Int(entries)))
        }
        return sections
    }

    /// Refuses entries in the tables, and entries of two logs in one place. So all entries together
    /// fit into the file.
    private static func check(
        _ sections: [Section], behind tables: Int
    ) throws(FilterDamage) {
        var end = tables
        for section in sections.filter({ $0.count > 0 }).sorted(by: { $0.offset < $1.offset }) {
            guard section.offset >= end else {
                throw FilterDamage(
                    .malformed,
                    section.offset < tables
                        ? "the entries of log \(section.log.hex) stand in the tables before them"
                        : "the entries of log \(section.log.hex) overlap another log's")
            }
            end = section.end
        }
    }

    private static func entry(
        of log: Digest256, _ names: Int, _ place: inout FilterOctets, _ bytes: Span<UInt8>
    ) throws(FilterDamage) -> Entry {
        let filter = Int(try place.number(2, in: bytes, "the entries"))
        guard filter < names else {
            throw FilterDamage(
                .malformed,
                "log \(log.hex) is covered by filter \(filter), counted from 0, and the index has "
                    + "\(names)")
        }
        return Entry(
            filter: filter,
            interval: LogInterval(
                log: log, low: try place.number(8, in: bytes, "the entries"),
                high: try place.number(8, in: bytes, "the entries")))
    }
}
