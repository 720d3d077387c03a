import TrustEngine

/// Builds the tree from libyaml's events and refuses what our subset of YAML does not have.
///
/// libyaml drops comments. They are the `#` texts in the gaps between consecutive events, so each
/// gap is read when the builder passes it. Offsets here count in the prepared text; spans in the
/// tree count in the file.
///
/// One file because the builder is one state machine: gaps, nesting and repairs change the
/// same tree.
struct TreeBuilder {
    /// The most maps and lists inside each other (LANGUAGE section 1.6).
    static let deepestNesting = 16
    /// The most nodes of a unit (LANGUAGE section 1.6).
    package static let mostNodes = 10_000_000

    /// The most problems of a file that are reported.
    static let mostProblems = 1_000

    let fileIndex: Int
    /// The nodes that the files before this one left of the unit's limit.
    private let mostNodes: Int
    /// The bytes of the file, into which the tree's spans point.
    private let sourceBytes: [UInt8]
    let input: [UInt8]
    let prepared: PreparedText
    /// The parts that were removed because they could not be read, in order.
    let removed: [RemovedRegion]

    private(set) var nodes: [SyntaxNode.Storage] = []
    private(set) var children: [Int32] = []
    private(set) var texts: [String] = []
    var comments: [SourceSpan] = []
    private(set) var diagnostics: [Diagnostic] = []
    private(set) var rootIndex = -1
    /// Where the last quoted scalar began, if it spans several lines. An open quote is often
    /// noticed only further down.
    private(set) var lastLongQuote: Range<Int>?

    /// Finished nodes whose collection has not ended yet.
    var pending: [Int32] = []
    var frames: [Frame] = []
    /// End of the last event.
    private var passed = 0
    var nextRemoved = 0
    private var documents = 0
    private var untold = 0
    /// The node of the last merge key.
    private var mergeKey: Int32 = -2

    struct Frame {
        var node: Int
        var isMap: Bool
        var isKey: Bool
        var firstPending: Int
        /// The column of a block collection; -1 for flow.
        var column: Int
    }

    init(
        file: SourceFile, prepared: PreparedText, input: [UInt8], fileIndex: Int, mostNodes: Int,
        removed: [RemovedRegion]
    ) {
        self.mostNodes = mostNodes
        sourceBytes = file.bytes
        self.prepared = prepared
        self.input = input
        self.fileIndex = fileIndex
        self.removed = removed
    }

    /// Reads the whole text. Returns the problem that stopped it, if there was one.
    mutating func read() -> SyntaxProblem? {
        // A usual policy has a node for each dozen octets, so the lists are seldom moved.
        nodes.reserveCapacity(min(input.count / 12, mostNodes))
        children.reserveCapacity(min(input.count / 12, mostNodes))
        let problem = LibYAMLReader.read(input, isASCII: prepared.isASCII) { reader in
            readEvents(&reader)
        }
        if let problem { return problem }
        readGap(passed..<max(passed, input.count))
        if untold > 0 {
            diagnostics[diagnostics.count - 1].notes.append(
                "\(untold) more findings of this file are not shown")
        }
        if rootIndex < 0, let first = removed.first {
            rootIndex = Int(addError(first.range))
        }
        return nil
    }

    // MARK: Events

    /// Reads events up to the end of the stream. Returns the problem that stopped it, if there was
    /// one.
    private mutating func readEvents(_ reader: inout LibYAMLReader) -> SyntaxProblem? {
        while true {
            let event: YAMLEvent
            do {
                event = try reader.next()
            } catch {
                return SyntaxProblem(error, input: input, longQuote: lastLongQuote)
            }
            readGap(passed..<max(passed, event.start))
            if nextRemoved < removed.count { attachRemoved(before: event) }
            if let problem = take(event, reader) { return problem }
            passed = max(passed, event.end)
            if event.kind == .streamEnd { return nil }
        }
    }

    private mutating func take(
        _ event: YAMLEvent, _ reader: borrowing LibYAMLReader
    ) -> SyntaxProblem? {
        switch event.kind {
        case .streamStart, .streamEnd: break
        case .documentStart: startDocument(event)
        case .documentEnd:
            if !event.isImplicit {
                report(
                    .manyDocuments, Self.documentEnd, event.start..<event.end,
                    help: ["delete the line"])
            }
        case .alias:
            // The merge key `<<` before the alias was reported already.
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
        if nodes.count > mostNodes {
            return SyntaxProblem(
                code: .limits,
                message: "the unit goes past \(Self.mostNodes) keys and values here",
                primary: event.start..<event.start,
                help: ["write hosts with the same terms under one rule, or split the unit"],
                region: event.start, isLast: true)
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
                primary: event.start..<max(event.end, event.start + 1),
                help: ["take away the brackets around it: no field has so many"],
                region: event.start)
        }
        var start = event.start
        if event.hasTag || event.hasAnchor {
            start = max(readProperties(event), event.style == .flow ? start : event.end)
            if event.style == .flow { start = event.end - 1 }
        }
        // `[a: b]` contains a map that no brace opens.
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
        // No slice of `pending` may exist while `pending` changes: each close would copy all of it.
        let lastEnd =
            pending.count > frame.firstPending ? nodes[Int(pending[pending.count - 1])].span.end : 0
        if frame.isMap {
            appendEntries(from: frame.firstPending)
        } else {
            children.append(contentsOf: pending[frame.firstPending...])
        }
        pending.removeLast(pending.count - frame.firstPending)
        var storage = nodes[frame.node]
        storage.firstChild = first
        storage.childCount = Int32(children.count) - first
        let isWritten = storage.style == .flow && storage.span.end > storage.span.start
        let end =
            isWritten ? Int32(sourceRange(event.start..<event.end).upperBound) : lastEnd
        storage.span = SourceSpan(
            file: fileIndex, start: Int(storage.span.start),
            end: Int(max(storage.span.start, end)))
        storage.content = storage.span
        nodes[frame.node] = storage
        if storage.childCount == 0 { refuseEmpty(frame) }
        if frame.isKey {
            tell(
                Diagnostic(
                    .yamlFeature,
                    "a \(frame.isMap ? "map" : "list") stands as a key; a key is text",
                    at: Diagnostic.Label(storage.span, "key"),
                    help: ["write a word before the `:`; put text that holds `[` or `{` in quotes"])
            )
            makeError(frame.node)
        }
        finish(Int32(frame.node))
    }

    private mutating func refuseEmpty(_ frame: Frame) {
        let what = frame.isMap ? "map" : "list"
        tell(
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
        if event.style == .plain, input[content.lowerBound] >= 0x80,
            refuseTypographicQuotes(reader.scalarText(), written)
        {
            return addError(written)
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
            var emptySpan = span(written)
            var message = "nothing stands here; a value is wanted"
            if isQuoted {
                message =
                    isKey ? "this key has no characters" : "this text has no characters"
            } else if isKey {
                message = "a key is missing here"
                emptySpan = span(max(0, event.start - 1)..<event.start)
            } else if let frame = frames.last, frame.isMap, let key = pending.last {
                emptySpan = nodes[Int(key)].span
                message = "\(quoted(key)) has no value"
            } else if frames.last?.isMap == false, event.start > 0 {
                emptySpan = span(event.start - 1..<event.start)
                message = "this item of the list has no value"
            }
            if !isMasked(emptySpan) {
                tell(
                    Diagnostic(
                        .emptyValue, message, at: Diagnostic.Label(emptySpan, "empty"),
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

    /// Reports HW016 for a plain scalar that seems to be quoted. Returns whether it does.
    private mutating func refuseTypographicQuotes(_ text: String, _ written: Range<Int>) -> Bool {
        guard let inner = TypographicQuotes.inner(of: text) else {
            return refuseSplitQuotes(text, written)
        }
        let quotedSpan = span(written)
        let canBeQuoted = TypographicQuotes.canBeQuoted(inner) && !spansLines(written)
        guard !isMasked(quotedSpan) else { return true }
        tell(
            Diagnostic(
                .typographicQuotes,
                "typographic quotes stand around this text; only `\"` and `'` quote, so these would be "
                    + "part of it",
                at: Diagnostic.Label(quotedSpan),
                help: [
                    canBeQuoted
                        ? "write `\"\(inner)\"`" : "write straight quotes, or no quotes at all"
                ],
                fix: canBeQuoted
                    ? FixIt(
                        title: "write straight quotes", safety: .safe,
                        edits: [FixIt.Edit(quotedSpan, "\"\(inner)\"")]) : nil))
        return true
    }

    /// Reports HW016 for a plain scalar that begins with a typographic quote and whose other quote
    /// stands behind it on the same line: a comma or a colon between them ended the scalar. Returns
    /// whether it is one.
    private mutating func refuseSplitQuotes(_ text: String, _ written: Range<Int>) -> Bool {
        guard let closing = TypographicQuotes.closing(of: text), !spansLines(written) else {
            return false
        }
        let line = input[written.upperBound...].prefix { $0 != 0x0A }
        let rest = String(decoding: line, as: UTF8.self)
        guard let end = rest.unicodeScalars.firstIndex(where: closing.contains) else {
            return false
        }
        let between = rest.unicodeScalars[..<end]
        // Behind ` #` stands a comment.
        guard !String(between).contains(" #") else { return false }
        let inner = String(text.unicodeScalars.dropFirst()) + String(between)
        let length = String(rest.unicodeScalars[...end]).utf8.count
        let quotedSpan = span(written.lowerBound..<written.upperBound + length)
        guard !isMasked(quotedSpan) else { return true }
        let isWritten = TypographicQuotes.canBeQuoted(inner)
        tell(
            Diagnostic(
                .typographicQuotes,
                "typographic quotes stand around this text; only `\"` and `'` quote, so the text ends "
                    + "after `\(text)`",
                at: Diagnostic.Label(quotedSpan),
                help: [isWritten ? "write `\"\(inner)\"`" : "write straight quotes"],
                fix: isWritten
                    ? FixIt(
                        title: "write straight quotes", safety: .needsReview,
                        edits: [FixIt.Edit(quotedSpan, "\"\(inner)\"")]) : nil))
        return true
    }

    /// Reports HW010 for every escape that makes a hidden character. Returns whether there was one.
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

    /// Adds a finished node to the open collection, or makes it the root.
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

    /// Whether the open collection is in brackets.
    var isInFlow: Bool { (frames.last?.column ?? 0) < 0 }

    /// Whether the next node is the key of a map.
    var expectsKey: Bool {
        guard let frame = frames.last, frame.isMap else { return false }
        return (pending.count - frame.firstPending).isMultiple(of: 2)
    }

    /// Appends the entries of a map to `children`, without those whose key stood before.
    private mutating func appendEntries(from firstPending: Int) {
        let count = pending.count - firstPending
        if count <= 2 || (count <= DuplicateKeys.smallMap * 2 && hasEachKeyOnce(firstPending)) {
            children.append(contentsOf: pending[firstPending...])
            return
        }
        let members = Array(pending[firstPending...])
        let duplicates = duplicates(among: members)
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

    /// Whether no two keys of the finished members of a small map are equal, which is so for nearly
    /// every map.
    private func hasEachKeyOnce(_ firstPending: Int) -> Bool {
        for key in stride(from: firstPending + 2, to: pending.count, by: 2) {
            for other in stride(from: firstPending, to: key, by: 2)
            where sameText(nodes[Int(pending[other])], nodes[Int(pending[key])]) {
                return false
            }
        }
        return true
    }

    /// A method of its own that does not mutate. Inside a mutating method each comparison of keys
    /// would copy the builder.
    private func duplicates(among members: [Int32]) -> [DuplicateKeys.Duplicate] {
        DuplicateKeys.find(members) { left, right in
            sameText(nodes[Int(left)], nodes[Int(right)])
        } hash: { key in
            hash(nodes[Int(key)])
        }
    }

    private mutating func reportDuplicate(_ again: Int32, first: Int32) {
        tell(
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
            // Most keys of a map differ in their length or their last octet.
            let (one, other) = (left.content, right.content)
            let length = one.end - one.start
            guard length == other.end - other.start else { return false }
            var back: Int32 = 1
            while back <= length,
                sourceBytes[Int(one.end - back)] == sourceBytes[Int(other.end - back)]
            {
                back += 1
            }
            return back > length
        }
        // Octets are compared, not characters: two spellings of one letter are different keys.
        return text(of: left).utf8.elementsEqual(text(of: right).utf8)
    }

    private func hash(_ storage: SyntaxNode.Storage) -> Int {
        var hasher = Hasher()
        if storage.text < 0 {
            TreeBuilder.combine(contentBytes(storage), into: &hasher)
        } else {
            TreeBuilder.combine(text(of: storage).utf8, into: &hasher)
        }
        return hasher.finalize()
    }

    /// Adds octets to a hash, eight at a time and then their number: a hasher that gets single
    /// octets takes several times as long.
    private static func combine(_ octets: some Sequence<UInt8>, into hasher: inout Hasher) {
        var word: UInt64 = 0
        var count = 0
        for octet in octets {
            word = word << 8 | UInt64(octet)
            count += 1
            if count % 8 == 0 { hasher.combine(word) }
        }
        hasher.combine(word)
        hasher.combine(count)
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

    /// The number of bytes between the start of the line and an offset.
    private func column(_ offset: Int) -> Int {
        var start = offset
        while start > 0, input[start - 1] != 0x0A { start -= 1 }
        return offset - start
    }

    private func sourceRange(_ range: Range<Int>) -> Range<Int> {
        prepared.offsets.source(range)
    }

    func span(_ range: Range<Int>) -> SourceSpan {
        let source = sourceRange(range)
        return SourceSpan(file: fileIndex, start: source.lowerBound, end: source.upperBound)
    }

    /// Whether a span touches text that the pre-pass masked inside a line.
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

    mutating func addError(_ range: Range<Int>) -> Int32 {
        nodes.append(SyntaxNode.Storage(kind: .error, style: .plain, span: span(range)))
        return Int32(nodes.count - 1)
    }

    private mutating func makeError(_ node: Int) {
        nodes[node].kind = .error
        nodes[node].childCount = 0
    }

    /// Adds a diagnostic. After the first thousand they are only counted.
    private mutating func tell(_ diagnostic: Diagnostic) {
        if diagnostics.count < Self.mostProblems {
            diagnostics.append(diagnostic)
        } else {
            untold += 1
        }
    }

    mutating func report(
        _ code: DiagnosticCode, _ message: String, _ range: Range<Int>, label: String = "",
        help: [String] = []
    ) {
        tell(
            Diagnostic(
                code, message, at: Diagnostic.Label(span(range), label), help: help))
    }

    private static let documentEnd =
        "`...` ends a document here; a policy file is one document and ends with the file"
    static let profileHelp = [
        "name what is shared: a profile, an anchor set or a pin set can be used by many rules"
    ]
}

extension Range where Bound == Int {
    /// At most the first `count` of them.
    fileprivate func prefix(_ count: Int) -> Range<Int> {
        lowerBound..<Swift.min(upperBound, lowerBound + count)
    }
}
