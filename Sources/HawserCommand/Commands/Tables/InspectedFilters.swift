import CRLite
import Hawser
import Rendering
import TrustEngine

/// The contents of a filter of CRLite, of an index of filters, or of a directory with both.
/// Nothing is decided by them, so other users may write the files.
struct InspectedFilters {
    /// An index with its digest.
    private let index: (path: String, index: CacheIndex, digest: Digest)?
    private let filters: [Opened]

    /// An opened filter, with what must be read of its file.
    private struct Opened {
        let file: FilterFile
        let digest: Digest
        let issuers: [Digest256]

        init(_ file: FilterFile) throws(FilterFileError) {
            self.file = file
            digest = try file.digest()
            issuers = try file.issuers()
        }
    }

    /// Opens a filter, an index or a directory; nil for anything else.
    static func open(_ path: String) throws(CommandFailure) -> InspectedFilters? {
        do throws(FilterFileError) {
            if NamedPath.isFolder(path) {
                guard NamedPath.exists("\(path)/\(CacheIndex.fileName)") else { return nil }
                return try InspectedFilters(folder: path)
            }
            guard let head = FileReader.beginning(of: path, count: headOctets) else { return nil }
            if CacheIndex.isIndex(head) { return try InspectedFilters(index: path) }
            guard ClubcardFilter.isFilter(head) || endings.contains(where: path.hasSuffix) else {
                return nil
            }
            return InspectedFilters(
                index: nil, filters: [try Opened(FilterFile(path: path, ownership: .any))])
        } catch {
            if case .file(let file) = error { throw .couldNotAsk(file.context) }
            throw .couldNotAsk("refused, \(error.code): \(error.context)")
        }
    }

    /// Octets by which a file is known.
    private static let headOctets = 8
    /// Names of filters, of which a damaged one is refused as a filter.
    private static let endings = [".filter", ".clubcard"]

    private init(
        index: (path: String, index: CacheIndex, digest: Digest)?, filters: [Opened]
    ) {
        self.index = index
        self.filters = filters
    }

    private init(folder path: String) throws(FilterFileError) {
        let folder = try FilterFolder(path: path, ownership: .any)
        let index = folder.index
        var filters: [Opened] = []
        var names: Set<String> = []
        for name in index.names where names.insert(name).inserted {
            filters.append(try Opened(folder.filter(name)))
        }
        self.init(
            index: ("\(path)/\(CacheIndex.fileName)", index, folder.indexDigest), filters: filters)
    }

    private init(index path: String) throws(FilterFileError) {
        let octets: [UInt8]
        do throws(FileReadError) {
            octets = try FileReader.read(path: path, limit: CacheIndex.largest)
        } catch {
            throw .file(error)
        }
        do throws(FilterDamage) {
            let index = try CacheIndex(reading: octets.span)
            let digest = EngineLoader.digests.digest(.sha256, of: octets.span)
            self.init(index: (path, index, digest), filters: [])
        } catch {
            throw .damaged(path: path, error)
        }
    }

    // MARK: Text

    /// Lines with their line feeds, escaped.
    var text: String {
        var lines: [String] = []
        if let index {
            lines += [
                "index `\(index.path)`", "file digest \(index.digest.text)",
                "\(index.index.octetCount) octets: "
                    + Words.count(index.index.names.count, "filter") + ", "
                    + Words.count(index.index.logCount, "log"),
            ]
            for filter in InspectedFilters.named(index.index) {
                lines.append("  `\(filter.name)` \(InspectedFilters.cover(filter.intervals))")
            }
        }
        for filter in filters {
            if !lines.isEmpty { lines.append("") }
            lines += InspectedFilters.lines(filter)
        }
        return lines.map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    private static func lines(_ opened: Opened) -> [String] {
        let filter = opened.file.filter
        return [
            "filter `\(opened.file.path)`, format \(filter.format.rawValue)",
            "file digest \(opened.digest.text)",
            "\(filter.octetCount) octets: " + Words.count(filter.issuerCount, "issuer") + ", "
                + Words.count(filter.columnCount, "column") + " with \(filter.columnOctets) octets",
            cover(filter.coverage),
        ]
            + filter.coverage.map { interval in
                "  sha256:\(interval.log.hex)  "
                    + (interval.isEmpty
                        ? "at no time" : "\(time(interval.low)) to \(time(interval.high))")
            }
    }

    /// How many logs are covered, from the oldest time to the newest.
    private static func cover(_ intervals: [LogInterval]) -> String {
        let logs = Words.count(Set(intervals.map(\.log)).count, "log")
        guard let span = span(intervals) else { return "covers \(logs) at no time" }
        return "covers \(logs) from \(time(span.low)) to \(time(span.high))"
    }

    private static func span(_ intervals: [LogInterval]) -> (low: UInt64, high: UInt64)? {
        let intervals = intervals.filter { !$0.isEmpty }
        guard let low = intervals.map(\.low).min(), let high = intervals.map(\.high).max() else {
            return nil
        }
        return (low, high)
    }

    /// The second of a time in milliseconds, or the milliseconds of a time after the year 9999.
    private static func time(_ milliseconds: UInt64) -> String {
        instant(milliseconds)?.description ?? "millisecond \(milliseconds)"
    }

    /// The second of a time; nil after the year 9999.
    private static func instant(_ milliseconds: UInt64) -> UTCInstant? {
        milliseconds / 1_000 > UInt64(UTCInstant.calendarSeconds.upperBound)
            ? nil : UTCInstant(milliseconds: milliseconds)
    }

    /// The filters of an index, each with the intervals of its entries.
    private static func named(
        _ index: CacheIndex
    ) -> [(name: String, intervals: [LogInterval])] {
        let entries = Dictionary(grouping: index.entries, by: \.filter)
        return index.names.enumerated().map { number, name in
            (name, entries[number, default: []].map(\.interval))
        }
    }

    // MARK: JSON

    /// `grammar/filter.schema.json`.
    var json: JSONValue {
        .object([
            "schema": "hawser/filter/1",
            "index": index.map { InspectedFilters.json($0.index, $0.digest) } ?? .null,
            "filters": filters.map(InspectedFilters.json),
        ])
    }

    private static func json(_ index: CacheIndex, _ digest: Digest) -> JSONValue {
        .object([
            "fileDigest": digest.text, "octets": index.octetCount, "logs": index.logCount,
            "filters": named(index).map { filter in
                JSONValue.object(
                    ["file": filter.name] + ends(filter.intervals)
                        + ["coverage": filter.intervals.map(json)])
            },
        ])
    }

    private static func json(_ opened: Opened) -> JSONValue {
        let filter = opened.file.filter
        return .object(
            [
                "file": opened.file.path, "format": Int(filter.format.rawValue),
                "fileDigest": opened.digest.text, "octets": filter.octetCount,
                "columns": filter.columnCount, "columnOctets": filter.columnOctets,
            ] + ends(filter.coverage) + [
                "coverage": filter.coverage.map(json),
                "issuers": opened.issuers.map { "sha256:\($0.hex)" },
            ])
    }

    private static func ends(_ intervals: [LogInterval]) -> JSONMembers {
        let span = span(intervals)
        return ["oldest": json(time: span?.low), "newest": json(time: span?.high)]
    }

    private static func json(_ interval: LogInterval) -> JSONValue {
        .object([
            "log": "sha256:\(interval.log.hex)",
            "from": interval.isEmpty ? .null : json(time: interval.low),
            "to": interval.isEmpty ? .null : json(time: interval.high),
            "fromMilliseconds": String(interval.low),
            "toMilliseconds": String(interval.high),
        ])
    }

    private static func json(time milliseconds: UInt64?) -> JSONValue {
        milliseconds.flatMap(instant).map { .string($0.description) } ?? .null
    }
}

extension LogInterval {
    /// Whether no time lies in the interval.
    fileprivate var isEmpty: Bool { low > high }
}
