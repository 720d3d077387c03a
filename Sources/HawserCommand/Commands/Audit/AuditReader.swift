import Hawser
import PolicyTools
import TrustEngine

/// Rows that one thread judges together: the lines of one piece of an input.
struct AuditBatch: Sendable {
    /// A line: where it stands in the text, or that it is too long and was dropped.
    enum Row: Sendable {
        case line(number: Int, octets: Range<Int>)
        case tooLong(number: Int)
    }

    /// The batch's number, from 0 in the order of the rows.
    let number: Int
    /// The input as it was named; nil for standard input.
    let input: String?
    let text: [UInt8]
    let rows: [Row]
    /// Where the batch ends.
    let end: AuditPlace
}

/// A place between two rows of the inputs.
struct AuditPlace: Hashable, Sendable {
    /// The input's index.
    var input = 0
    /// Octets and lines of that input before the place.
    var octets = 0
    var lines = 0
    /// The hash of all octets before the place, batch by batch; nil where it is not wanted.
    var digest: Digest?
}

/// Cuts inputs into batches of lines. The batches of files depend only on the files, so that a run
/// that goes on from a place reads the same batches again. The memory does not grow with the input:
/// a batch has one piece of it, and the line that the piece ends in.
struct AuditReader {
    /// The octets that are read at once.
    static let piece = 256 << 10

    /// The inputs as they were named, with the octets of the files.
    let names: [String?]
    /// The octets of all inputs; nil where one is a stream.
    let total: Int?
    private let longest: Int
    private let isHashed: Bool
    private var sources: [OctetSource]
    private(set) var place = AuditPlace()
    private var next = 0
    /// Octets of inputs that ended.
    private var finished = 0
    /// What was read and is in no batch yet.
    private var rest: [UInt8] = []
    /// Whether `rest` belongs to a line that is too long.
    private var isDropping = false

    /// Opens every input: what cannot be opened is found before the first row is judged.
    ///
    /// - Parameters:
    ///   - longest: the most octets of a row.
    ///   - isHashed: whether places have digests.
    init(_ paths: [String], longest: Int, isHashed: Bool) throws(CommandFailure) {
        var sources: [OctetSource] = []
        var names: [String?] = []
        for path in paths {
            guard path != InputFile.standardInput else {
                guard !StandardStreams.isInputTerminal else {
                    throw .couldNotAsk(
                        "rows are read from standard input, which is this terminal; name a file, or "
                            + "pipe into it")
                }
                sources.append(OctetSource(descriptor: 0, name: "standard input"))
                names.append(nil)
                continue
            }
            try asking { () throws(FileReadError) in sources.append(try OctetSource(path: path)) }
            names.append(path)
        }
        self.sources = sources
        self.names = names
        self.longest = longest
        self.isHashed = isHashed
        total = sources.reduce(0 as Int?) { sum, source in
            sum.flatMap { sum in source.size.map { sum + $0 } }
        }
        let none: [UInt8] = []
        if isHashed { place.digest = EngineLoader.digests.digest(.sha256, of: none.span) }
    }

    /// Octets of all inputs that are read.
    var octets: Int { finished + place.octets }

    /// Whether every input is a regular file.
    var isOfFiles: Bool { sources.allSatisfy(\.isRegular) }

    /// The next batch with at least one line; nil at the end of the last input.
    mutating func batch() throws(CommandFailure) -> AuditBatch? {
        while place.input < sources.count {
            var rows: [AuditBatch.Row] = []
            let begun = rest.count
            let count = try asking { () throws(FileReadError) in
                try sources[place.input].read(AuditReader.piece, into: &rest)
            }
            let end = lines(from: begun, isEnd: count == 0, into: &rows)
            let input = names[place.input]
            pass(end)
            let text = rest
            rest = Array(rest[end...])
            let here = place
            if count == 0 {
                finished += place.octets
                place = AuditPlace(input: place.input + 1, digest: place.digest)
            }
            guard !rows.isEmpty else { continue }
            defer { next += 1 }
            return AuditBatch(number: next, input: input, text: text, rows: rows, end: here)
        }
        return nil
    }

    /// Finds the lines of `rest`, of which the octets before `begun` have no line end. Returns
    /// where the octets end that are done with.
    private mutating func lines(
        from begun: Int, isEnd: Bool, into rows: inout [AuditBatch.Row]
    ) -> Int {
        var start = 0
        var from = begun
        while let feed = OctetSource.lineFeed(in: rest, from: from) {
            close(start..<feed, into: &rows)
            start = feed + 1
            from = start
        }
        if isEnd {
            if start < rest.count || isDropping { close(start..<rest.count, into: &rows) }
            return rest.count
        }
        guard isDropping || rest.count - start > longest else { return start }
        // The line is too long for a row. Its octets are dropped, and it is counted when it ends.
        isDropping = true
        return rest.count
    }

    /// Ends a line. An empty line does not count as a row.
    private mutating func close(_ octets: Range<Int>, into rows: inout [AuditBatch.Row]) {
        place.lines += 1
        if isDropping || octets.count > longest {
            isDropping = false
            rows.append(.tooLong(number: place.lines))
            return
        }
        let isBlank = rest[octets].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        if isBlank { return }
        rows.append(.line(number: place.lines, octets: octets))
    }

    /// Moves the place behind the first octets of `rest`.
    private mutating func pass(_ count: Int) {
        place.octets += count
        guard isHashed, count > 0, let digest = place.digest else { return }
        let crypto = EngineLoader.makeBackend()
        let own = crypto.digest(.sha256, of: rest.span.extracting(0..<count))
        place.digest = crypto.digest(.sha256, of: Array((digest.hex + own.hex).utf8).span)
    }

    /// Reads on to a place that a batch ended at, and judges nothing; false where the inputs are
    /// not those that the place is of.
    mutating func skip(to wanted: AuditPlace) throws(CommandFailure) -> Bool {
        guard wanted != place else { return true }
        while let batch = try batch() {
            if batch.end == wanted {
                next = 0
                return true
            }
            guard (batch.end.input, batch.end.octets) < (wanted.input, wanted.octets) else {
                return false
            }
        }
        return false
    }
}
