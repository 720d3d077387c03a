internal import TrustEngine

/// A value of a YAML document that another system reads, with its place.
package struct DocumentNode: Sendable {
    /// The kinds of values.
    package enum Content: Sendable {
        /// The entries in their order. No key stands twice.
        case map([(key: String, keyRange: Range<Int>, value: DocumentNode)])
        case list([DocumentNode])
        /// A scalar. `isPlain` if it has no quotes, so that YAML may take it for a number.
        case text(String, isPlain: Bool)
        /// A missing value, `null` or `~`.
        case nothing
    }

    package let content: Content
    /// The octets of the value in the file.
    package let range: Range<Int>
}

/// Reads the YAML documents of other systems: one stream with any number of documents, empty values
/// and folded text, which a policy does not have. JSON is read, too.
///
/// Anchors, aliases, merge keys and tags are refused, so the tree is never larger than the text.
/// Characters that an editor does not show are refused as in a policy (`BytePrepass`).
package enum DocumentStream {
    /// Why a stream is refused. The message is in lower case and has no full stop.
    package struct Problem: Error {
        package let message: String
        package let range: Range<Int>
    }

    /// The largest stream, in octets.
    package static let largest = 4 << 20
    /// The longest line, in octets. A certificate bundle in base64 may stand on one line.
    static let longestLine = 1 << 20
    /// The most values.
    static let mostValues = 100_000
    /// The most maps and lists inside each other.
    static let deepest = 64

    /// The root values of the documents. Documents without a value are left out.
    package static func read(_ bytes: [UInt8]) throws(Problem) -> [DocumentNode] {
        guard bytes.count <= largest else {
            throw Problem(
                message: "the file has \(bytes.count) octets; at most \(largest) are read",
                range: 0..<0)
        }
        try refuseLongLines(bytes)
        let prepared = BytePrepass.prepare(
            SourceFile(path: "", bytes: bytes), fileIndex: 0)
        // A tab before JSON is a blank. libyaml refuses tabs that indent a block.
        if let hidden = prepared.diagnostics.first(where: { $0.code != .tabIndent }) {
            throw problem(hidden, bytes)
        }
        return try LibYAMLReader.read(bytes, isASCII: bytes.allSatisfy { $0 < 0x80 }) {
            (reader) -> Result<[DocumentNode], Problem> in
            var builder = DocumentBuilder(end: bytes.count)
            return builder.read(&reader)
        }.get()
    }

    private static func refuseLongLines(_ bytes: [UInt8]) throws(Problem) {
        var start = 0
        for (offset, byte) in bytes.enumerated() {
            if byte == 0x0A { start = offset + 1 }
            guard offset - start < longestLine else {
                throw Problem(
                    message: "a line of more than \(longestLine) octets; break it",
                    range: start..<start)
            }
        }
    }

    /// The problem of a finding of the pre-pass, whose words are about policies.
    private static func problem(_ found: Diagnostic, _ bytes: [UInt8]) -> Problem {
        let span = found.primary.span
        let range = Int(span.start)..<Int(span.end)
        guard found.code == .hiddenText,
            let scalar = UTF8Step.decode(bytes, at: range.lowerBound).scalar
        else {
            return Problem(
                message: found.code == .yamlFeature
                    ? "a YAML directive stands here; delete the line"
                    : "the text is not UTF-8 without a byte order mark, or lines end in another way "
                        + "than with a line feed",
                range: range)
        }
        return Problem(
            message: "`\(HiddenCharacter.name(scalar))` stands here, which editors do not show or "
                + "show as a blank; delete it", range: range)
    }
}

/// Builds the values from libyaml's events. It does not recurse.
private struct DocumentBuilder {
    /// A map or list that is not closed.
    private struct Open {
        let isMap: Bool
        let isFlow: Bool
        let start: Int
        var items: [DocumentNode] = []
        var entries: [(key: String, keyRange: Range<Int>, value: DocumentNode)] = []
        var key: (text: String, range: Range<Int>)?
        var keys: Set<String> = []
    }

    private var open: [Open] = []
    private var roots: [DocumentNode] = []
    private var values = 0
    private let end: Int

    init(end: Int) { self.end = end }

    mutating func read(
        _ reader: inout LibYAMLReader
    ) -> Result<[DocumentNode], DocumentStream.Problem> {
        while true {
            do throws(DocumentStream.Problem) {
                let event: YAMLEvent
                do throws(YAMLProblem) {
                    event = try reader.next()
                } catch {
                    let at = min(error.offset, end)
                    throw DocumentStream.Problem(
                        message: "the file cannot be read as YAML here: \(error.problem)",
                        range: at..<at)
                }
                if event.kind == .streamEnd { return .success(roots) }
                try take(event, reader)
            } catch {
                return .failure(error)
            }
        }
    }

    private mutating func take(
        _ event: YAMLEvent, _ reader: borrowing LibYAMLReader
    ) throws(DocumentStream.Problem) {
        let range = event.start..<min(max(event.start, event.end), max(event.start, end))
        guard event.kind != .alias, !event.hasAnchor else {
            throw DocumentStream.Problem(
                message: "an anchor or alias of YAML stands here; write the value where it counts",
                range: range)
        }
        guard !event.hasTag else {
            throw DocumentStream.Problem(
                message: "a tag of YAML stands here; delete it", range: range)
        }
        switch event.kind {
        case .streamStart, .streamEnd, .documentStart, .documentEnd, .alias: return
        case .mapStart, .listStart:
            guard open.count < DocumentStream.deepest else {
                throw DocumentStream.Problem(
                    message: "maps and lists are more than \(DocumentStream.deepest) inside each "
                        + "other", range: range)
            }
            try refuseAsKey(range)
            open.append(
                Open(
                    isMap: event.kind == .mapStart, isFlow: event.style == .flow,
                    start: event.start))
        case .mapEnd, .listEnd:
            guard let closed = open.popLast() else { return }
            let last = closed.items.last?.range ?? closed.entries.last?.value.range
            let stop = closed.isFlow ? range.upperBound : last?.upperBound ?? closed.start
            let range = closed.start..<max(closed.start, stop)
            try finish(
                DocumentNode(
                    content: closed.isMap ? .map(closed.entries) : .list(closed.items),
                    range: range))
        case .scalar:
            let text = reader.scalarText()
            let isPlain = event.style == .plain
            if let at = open.indices.last, open[at].isMap, open[at].key == nil {
                guard !(isPlain && text == "<<") else {
                    throw DocumentStream.Problem(
                        message: "a merge key of YAML stands here; write the entries out",
                        range: range)
                }
                guard open[at].keys.insert(text).inserted else {
                    throw DocumentStream.Problem(
                        message: "the key `\(text.prefix(60))` stands twice in a map", range: range)
                }
                open[at].key = (text, range)
                return
            }
            let isNothing = isPlain && ["", "~", "null", "Null", "NULL"].contains(text)
            try finish(
                DocumentNode(
                    content: isNothing ? .nothing : .text(text, isPlain: isPlain), range: range))
        }
    }

    private func refuseAsKey(_ range: Range<Int>) throws(DocumentStream.Problem) {
        guard let map = open.last, map.isMap, map.key == nil else { return }
        throw DocumentStream.Problem(
            message: "a map or list stands as a key; a key is text", range: range)
    }

    private mutating func finish(_ node: DocumentNode) throws(DocumentStream.Problem) {
        values += 1
        guard values <= DocumentStream.mostValues else {
            throw DocumentStream.Problem(
                message: "the file has more than \(DocumentStream.mostValues) values",
                range: node.range)
        }
        guard let last = open.indices.last else {
            if case .nothing = node.content { return }
            roots.append(node)
            return
        }
        if open[last].isMap {
            guard let key = open[last].key else { return }
            open[last].key = nil
            open[last].entries.append((key.text, key.range, node))
        } else {
            open[last].items.append(node)
        }
    }
}
