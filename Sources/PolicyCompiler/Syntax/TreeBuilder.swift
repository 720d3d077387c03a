/// Builds the tree from libyaml's events and holds the text to our subset of YAML.
///
/// libyaml drops comments: they are the `#` runs in the gaps between consecutive events, so each gap
/// is read as it is passed. Offsets here are those of the prepared text; what goes into the tree
/// leads back to the file.
///
/// One file because the builder is one state machine: gaps, nesting and repairs change the same tree.
struct TreeBuilder {
    /// Maps and lists in one another (LANGUAGE section 1.6).
    static let deepestNesting = 16
    /// Nodes of a unit, and so of a file (LANGUAGE section 1.6).
    static let mostNodes = 10_000_000

    let fileIndex: Int
    /// The file itself, which the tree's spans point into.
    private let sourceBytes: [UInt8]
    let input: [UInt8]
    let prepared: PreparedText
    /// Parts taken out because they could not be read, in order.
    let removed: [RemovedRegion]

    private(set) var nodes: [SyntaxNode.Storage] = []
    private(set) var children: [Int32] = []
    private(set) var texts: [String] = []
    private(set) var comments: [SourceSpan] = []
    private(set) var diagnostics: [Diagnostic] = []
    private(set) var rootIndex = -1
    /// Where the last scalar in quotes began, if it ran over several lines: an open quote often
    /// shows only further down.
    private(set) var lastLongQuote: Range<Int>?

    /// Finished nodes that wait for their collection to end.
    private var pending: [Int32] = []
    private var frames: [Frame] = []
    /// End of the last event.
    private var passed = 0
    private var nextRemoved = 0
    private var documents = 0
    /// The last merge key.
    private var mergeKey: Int32 = -2

    private struct Frame {
        var node: Int
        var isMap: Bool
        var isKey: Bool
        var firstPending: Int
        /// Column of a block collection; -1 for flow.
        var column: Int
    }

    init(
        file: SourceFile, prepared: PreparedText, input: [UInt8], fileIndex: Int,
        removed: [RemovedRegion]
    ) {
        sourceBytes = file.bytes
        self.prepared = prepared
        self.input = input
        self.fileIndex = fileIndex
        self.removed = removed
    }

    /// Reads the whole text; what stopped it before the end, if anything did.
    mutating func read() -> SyntaxProblem? {
        var reader = LibYAMLReader(input, isASCII: prepared.isASCII)
        while true {
            let event: YAMLEvent
            do {
                event = try reader.next()
            } catch {
                return SyntaxProblem(error, input: input, longQuote: lastLongQuote)
            }
            readGap(passed..<max(passed, event.start))
            attachRemoved(before: event)
            if let problem = take(event, reader) { return problem }
            passed = max(passed, event.end)
            if event.kind == .streamEnd { break }
        }
        readGap(passed..<max(passed, input.count))
        if rootIndex < 0, let first = removed.first {
            rootIndex = Int(addError(first.range))
        }
        return nil
    }

    // MARK: Events

    private mutating func take(
        _ event: YAMLEvent, _ reader: borrowing LibYAMLReader
    ) -> SyntaxProblem? {
        switch event.kind {
        case .streamStart, .streamEnd: break
        case .documentStart: startDocument(event)
        case .documentEnd:
            if !event.isImplicit {
                report(.manyDocuments, Self.documentEnd, event.start..<event.end)
            }
        case .alias:
            // Behind `<<` the merge key has been told already.
            if pending.last != mergeKey {
                report(
                    .aliasOrMerge, "an alias stands here; a policy says everything where it counts",
                    event.start..<event.end, label: "alias", help: Self.profileHelp)
            }
            finish(addError(event.start..<event.end))
        case .scalar:
            finish(scalar(event, reader))
        case .listStart, .mapStart:
            return open(event)
        case .listEnd, .mapEnd:
            close(event)
        }
        if nodes.count > Self.mostNodes {
            return SyntaxProblem(
                code: .limits,
                message: "the file has more than \(Self.mostNodes) keys and values",
                primary: event.start..<event.start, region: event.start)
        }
        return nil
    }

    private mutating func startDocument(_ event: YAMLEvent) {
        documents += 1
        guard documents > 1, !event.isImplicit else { return }
        report(
            .manyDocuments, "a second document begins here; a policy file is one document",
            event.start..<event.end, label: "nothing below belongs to the policy",
            help: ["put it into a file of its own, `NAME.policy.yaml`, beside this one"])
    }

    private mutating func open(_ event: YAMLEvent) -> SyntaxProblem? {
        if frames.count >= Self.deepestNesting {
            return SyntaxProblem(
                code: .limits,
                message: "maps and lists are nested more than \(Self.deepestNesting) deep",
                primary: event.start..<max(event.end, event.start + 1), region: event.start)
        }
        var start = event.start
        if event.hasTag || event.hasAnchor {
            start = max(readProperties(event), event.style == .flow ? start : event.end)
            if event.style == .flow { start = event.end - 1 }
        }
        // `[a: b]` holds a map that no brace opens.
        let isFlow = event.style == .flow && event.end > event.start
        let node = nodes.count
        nodes.append(
            SyntaxNode.Storage(
                kind: event.kind == .mapStart ? .map : .list, style: event.style,
                span: span(start..<max(start, isFlow ? event.end : start))))
        frames.append(
            Frame(
                node: node, isMap: event.kind == .mapStart, isKey: expectsKey,
                firstPending: pending.count, column: event.style == .flow ? -1 : column(start)))
        return nil
    }

    private mutating func close(_ event: YAMLEvent) {
        guard let frame = frames.popLast() else { return }
        let first = Int32(children.count)
        let members = pending[frame.firstPending...]
        if frame.isMap {
            appendEntries(Array(members))
        } else {
            children.append(contentsOf: members)
        }
        let lastEnd = members.last.map { nodes[Int($0)].span.end }
        pending.removeLast(pending.count - frame.firstPending)
        var storage = nodes[frame.node]
        storage.firstChild = first
        storage.childCount = Int32(children.count) - first
        let isWritten = storage.style == .flow && storage.span.end > storage.span.start
        let end =
            isWritten ? Int32(sourceRange(event.start..<event.end).upperBound) : lastEnd ?? 0
        storage.span = SourceSpan(
            file: fileIndex, start: Int(storage.span.start),
            end: Int(max(storage.span.start, end)))
        storage.content = storage.span
        nodes[frame.node] = storage
        if storage.childCount == 0 { refuseEmpty(frame) }
        if frame.isKey {
            diagnostics.append(
                Diagnostic(
                    .yamlFeature,
                    "a \(frame.isMap ? "map" : "list") stands as a key; a key is text",
                    at: Diagnostic.Label(storage.span, "key")))
            makeError(frame.node)
        }
        finish(Int32(frame.node))
    }

    private mutating func refuseEmpty(_ frame: Frame) {
        let what = frame.isMap ? "map" : "list"
        diagnostics.append(
            Diagnostic(
                .emptyValue, "this \(what) is empty; it needs at least one entry",
                at: Diagnostic.Label(nodes[frame.node].span, "empty \(what)"),
                help: ["leave the key out where nothing is to be said"]))
        makeError(frame.node)
    }

    // MARK: Scalars

    private mutating func scalar(
        _ event: YAMLEvent, _ reader: borrowing LibYAMLReader
    ) -> Int32 {
        var start = event.start
        if event.hasTag || event.hasAnchor { start = min(readProperties(event), event.end) }
        let isKey = expectsKey
        var written = start..<event.end
        var content = written
        switch event.style {
        case .plain: break
        case .singleQuoted, .doubleQuoted:
            content = min(start + 1, event.end)..<max(start + 1, event.end - 1)
            if spansLines(written) { lastLongQuote = written }
        default:
            readLiteralHeader(written)
            written = trimmed(written)
            content = written
        }
        if event.length == 0 { return empty(event, written, isKey: isKey) }
        if event.isFolded {
            report(
                .yamlFeature, "folded text (`>`) stands here; a policy takes literal text (`|`)",
                written.prefix(1), label: "folded",
                help: ["write `|`, which keeps the lines as they are"])
            return addError(written)
        }
        let isVerbatim = event.style != .literal && reader.scalarMatches(content)
        if isKey, isVerbatim, event.style == .plain, content.count == 2,
            input[content.lowerBound] == 0x3C, input[content.lowerBound + 1] == 0x3C
        {
            report(
                .aliasOrMerge, "a merge key stands here; a policy says everything where it counts",
                written, label: "merge key", help: Self.profileHelp)
            mergeKey = addError(written)
            return mergeKey
        }
        var textIndex: Int32 = -1
        if !isVerbatim {
            let text = reader.scalarText()
            if event.style == .doubleQuoted, refuseHiddenEscapes(text, content) {
                return addError(written)
            }
            textIndex = Int32(texts.count)
            texts.append(text)
        }
        let source = span(written)
        nodes.append(
            SyntaxNode.Storage(
                kind: isMasked(source) ? .error : .scalar, style: event.style, span: source,
                text: textIndex, content: span(content)))
        return Int32(nodes.count - 1)
    }

    /// A value that is missing or has no characters.
    private mutating func empty(
        _ event: YAMLEvent, _ written: Range<Int>, isKey: Bool
    ) -> Int32 {
        if event.style == .plain, let region = removedValue(after: event.end) {
            return addError(region)
        }
        let isQuoted = event.style != .plain
        let isNothing = frames.isEmpty && !isQuoted
        if !isNothing {
            var place = span(written)
            var message = "nothing stands here; a value is wanted"
            if isQuoted {
                message =
                    isKey ? "this key has no characters" : "this text has no characters"
            } else if isKey {
                message = "a key is missing here"
                place = span(max(0, event.start - 1)..<event.start)
            } else if let frame = frames.last, frame.isMap, let key = pending.last {
                place = nodes[Int(key)].span
                message = "\(quoted(key)) has no value"
            } else if frames.last?.isMap == false, event.start > 0 {
                place = span(event.start - 1..<event.start)
                message = "this item of the list has no value"
            }
            if !isMasked(place) {
                diagnostics.append(
                    Diagnostic(
                        .emptyValue, message, at: Diagnostic.Label(place, "empty"),
                        help: ["write a value, or leave the entry out"]))
            }
        }
        return addError(written)
    }

    private func quoted(_ node: Int32) -> String {
        let storage = nodes[Int(node)]
        guard storage.kind == .scalar else { return "the key" }
        return "`\(text(of: storage).prefix(64))`"
    }

    private func text(of storage: SyntaxNode.Storage) -> String {
        if storage.text >= 0 { return texts[Int(storage.text)] }
        return String(decoding: contentBytes(storage), as: UTF8.self)
    }

    /// HW010 for every escape that makes a hidden character; whether there was one.
    private mutating func refuseHiddenEscapes(_ text: String, _ content: Range<Int>) -> Bool {
        guard text.unicodeScalars.contains(where: HiddenCharacter.isHidden) else { return false }
        var found = false
        for escape in EscapeScan.escapes(input, content) {
            guard HiddenCharacter.isHidden(escape.scalar) else { continue }
            found = true
            let name = HiddenCharacter.name(escape.scalar)
            report(
                .hiddenText,
                "this escape makes `\(name)`: \(HiddenCharacter.kind(escape.scalar))",
                escape.range, label: "escape",
                help: ["delete it; where it must be, give the name or text in ASCII"])
        }
        return found
    }

    // MARK: Collections

    /// Hands a finished node to the collection that is open, or makes it the root.
    private mutating func finish(_ node: Int32) {
        if frames.isEmpty {
            // An empty document, such as a file of comments, has no root.
            let storage = nodes[Int(node)]
            let isNothing = storage.kind == .error && storage.span.start == storage.span.end
            if documents == 1, rootIndex < 0, !isNothing { rootIndex = Int(node) }
        } else {
            pending.append(node)
        }
    }

    /// Whether the next node is the key of a map.
    private var expectsKey: Bool {
        guard let frame = frames.last, frame.isMap else { return false }
        return (pending.count - frame.firstPending).isMultiple(of: 2)
    }

    /// Entries of a map into `children`, without those whose key stood before.
    private mutating func appendEntries(_ members: [Int32]) {
        let duplicates = DuplicateKeys.find(members) { left, right in
            sameText(nodes[Int(left)], nodes[Int(right)])
        } hash: { key in
            hash(nodes[Int(key)])
        }
        if duplicates.isEmpty {
            children.append(contentsOf: members)
            return
        }
        var next = 0
        for index in stride(from: 0, to: members.count - 1, by: 2) {
            if next < duplicates.count, duplicates[next].entry == index {
                reportDuplicate(members[index], first: members[duplicates[next].first])
                next += 1
            } else {
                children.append(members[index])
                children.append(members[index + 1])
            }
        }
    }

    private mutating func reportDuplicate(_ again: Int32, first: Int32) {
        diagnostics.append(
            Diagnostic(
                .duplicateKey, "\(quoted(again)) stands twice in one map",
                at: Diagnostic.Label(nodes[Int(again)].span, "again here"),
                labels: [Diagnostic.Label(nodes[Int(first)].span, "first here")],
                help: ["delete one of the two, or join what they hold under one key"]))
    }

    private func contentBytes(_ storage: SyntaxNode.Storage) -> ArraySlice<UInt8> {
        sourceBytes[Int(storage.content.start)..<Int(storage.content.end)]
    }

    private func sameText(_ left: SyntaxNode.Storage, _ right: SyntaxNode.Storage) -> Bool {
        guard left.kind == .scalar, right.kind == .scalar else { return false }
        if left.text < 0, right.text < 0 {
            return contentBytes(left).elementsEqual(contentBytes(right))
        }
        // Octets are compared, not characters: no two spellings of one letter are the same key.
        return text(of: left).utf8.elementsEqual(text(of: right).utf8)
    }

    private func hash(_ storage: SyntaxNode.Storage) -> Int {
        var hasher = Hasher()
        if storage.text < 0 {
            for byte in contentBytes(storage) { hasher.combine(byte) }
        } else {
            for byte in text(of: storage).utf8 { hasher.combine(byte) }
        }
        return hasher.finalize()
    }

    // MARK: Removed parts

    /// Puts an error node where a removed part stood, in the collection it belonged to: by its
    /// column, that which ends here, that which opens here, or the one around both.
    private mutating func attachRemoved(before event: YAMLEvent) {
        let ends = event.kind == .listEnd || event.kind == .mapEnd
        let opens = event.kind == .listStart || event.kind == .mapStart
        while nextRemoved < removed.count, removed[nextRemoved].range.lowerBound < event.start {
            guard let frame = frames.last else { return }
            let region = removed[nextRemoved]
            if ends, frame.column >= 0, region.column < frame.column { return }
            if opens, event.style == .block, region.column > frame.column { return }
            nextRemoved += 1
            // Between a key and its value there is no room for an entry.
            if frame.isMap, !expectsKey { continue }
            let node = addError(region.range)
            if frame.isMap { pending.append(node) }
            pending.append(node)
        }
    }

    /// A removed part that stood where a value is wanted: only blanks and comments lie between.
    private mutating func removedValue(after end: Int) -> Range<Int>? {
        guard nextRemoved < removed.count else { return nil }
        let region = removed[nextRemoved]
        guard region.range.lowerBound >= end, region.column > (frames.last?.column ?? -1)
        else { return nil }
        var isComment = false
        for byte in input[end..<region.range.lowerBound] {
            if byte == 0x0A { isComment = false }
            if byte == 0x23 { isComment = true }
            if !isComment, byte != 0x20, byte != 0x0A, byte != 0x0D, byte != 0x09 { return nil }
        }
        nextRemoved += 1
        return region.range
    }

    // MARK: Gaps

    /// Comments and stray indicators between two events.
    private mutating func readGap(_ gap: Range<Int>) {
        var offset = gap.lowerBound
        while offset < gap.upperBound {
            switch input[offset] {
            case 0x23: offset = readComment(offset, gap.upperBound)
            case 0x3F where offset + 1 < input.count && input[offset + 1] <= 0x20:
                report(
                    .yamlFeature, "a key written with `?` stands here; a key is text before `:`",
                    offset..<offset + 1, label: "`?`", help: ["write `KEY: VALUE`"])
                offset += 1
            default: offset += 1
            }
        }
    }

    /// Notes the comment at an offset; the offset of its line's end.
    private mutating func readComment(_ start: Int, _ limit: Int) -> Int {
        var end = start
        while end < limit, input[end] != 0x0A { end += 1 }
        let text = input[end - 1] == 0x0D ? start..<end - 1 : start..<end
        comments.append(span(text))
        return end
    }

    private mutating func readLiteralHeader(_ written: Range<Int>) {
        var offset = written.lowerBound
        while offset < written.upperBound, input[offset] != 0x0A {
            if input[offset] == 0x23 {
                _ = readComment(offset, written.upperBound)
                return
            }
            offset += 1
        }
    }

    /// Tags and anchors before a node; where they end.
    private mutating func readProperties(_ event: YAMLEvent) -> Int {
        var offset = event.start
        while offset < input.count {
            let byte = input[offset]
            if byte == 0x23 {
                offset = readComment(offset, input.count)
            } else if byte <= 0x20 {
                offset += 1
            } else if byte == 0x26 || byte == 0x21 {
                let end = propertyEnd(offset)
                if byte == 0x26 {
                    report(
                        .aliasOrMerge,
                        "an anchor of YAML stands here; a policy says everything where it counts",
                        offset..<end, label: "anchor", help: Self.profileHelp)
                } else {
                    report(
                        .explicitTag, "a tag stands here; in a policy the key decides the type",
                        offset..<end, label: "tag", help: ["delete it"])
                }
                offset = end
            } else {
                break
            }
            if event.kind == .scalar, offset >= event.end { return event.end }
        }
        return offset
    }

    private func propertyEnd(_ start: Int) -> Int {
        var end = start + 1
        let isInFlow = frames.last.map { $0.column < 0 } ?? false
        while end < input.count, input[end] > 0x20 {
            if isInFlow, [0x2C, 0x5B, 0x5D, 0x7B, 0x7D].contains(input[end]) { break }
            end += 1
        }
        return end
    }

    // MARK: Places

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound, input[end - 1] <= 0x20 { end -= 1 }
        return range.lowerBound..<end
    }

    private func spansLines(_ range: Range<Int>) -> Bool {
        input[range].contains(0x0A)
    }

    /// Bytes between the start of the line and an offset.
    private func column(_ offset: Int) -> Int {
        var start = offset
        while start > 0, input[start - 1] != 0x0A { start -= 1 }
        return offset - start
    }

    private func sourceRange(_ range: Range<Int>) -> Range<Int> {
        prepared.offsets.source(range)
    }

    private func span(_ range: Range<Int>) -> SourceSpan {
        let source = sourceRange(range)
        return SourceSpan(file: fileIndex, start: source.lowerBound, end: source.upperBound)
    }

    /// Whether a place touches what the pre-pass masked inside a line.
    private func isMasked(_ span: SourceSpan) -> Bool {
        guard !prepared.masked.isEmpty else { return false }
        var low = 0
        var high = prepared.masked.count
        while low < high {
            let middle = (low + high) / 2
            if prepared.masked[middle].upperBound <= Int(span.start) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < prepared.masked.count && prepared.masked[low].lowerBound < Int(span.end)
    }

    private mutating func addError(_ range: Range<Int>) -> Int32 {
        nodes.append(SyntaxNode.Storage(kind: .error, style: .plain, span: span(range)))
        return Int32(nodes.count - 1)
    }

    private mutating func makeError(_ node: Int) {
        nodes[node].kind = .error
        nodes[node].childCount = 0
    }

    private mutating func report(
        _ code: DiagnosticCode, _ message: String, _ range: Range<Int>, label: String = "",
        help: [String] = []
    ) {
        diagnostics.append(
            Diagnostic(
                code, message, at: Diagnostic.Label(span(range), label), help: help))
    }

    private static let documentEnd =
        "`...` ends a document here; a policy file is one document and ends with the file"
    private static let profileHelp = [
        "name what is shared: a profile, an anchor set or a pin set can be used by many rules"
    ]
}

extension Range where Bound == Int {
    /// At most the first `count` of them.
    fileprivate func prefix(_ count: Int) -> Range<Int> {
        lowerBound..<Swift.min(upperBound, lowerBound + count)
    }
}
