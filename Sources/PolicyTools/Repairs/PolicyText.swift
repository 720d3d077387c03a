import PolicyCompiler

/// The text of one policy file while keys are written into it. Each step works on the syntax tree
/// of the text after the step before.
struct PolicyText {
    private var file: SourceFile
    /// Whether the text was in canonical layout before the first step.
    private let wasCanonical: Bool

    init(_ file: SourceFile) {
        self.file = file
        wasCanonical = PolicyText.canonical(file) == file.bytes
    }

    /// The tree of the text as it is now.
    func tree(_ index: Int = 0) -> SyntaxTree { SyntaxParser.parse(file, fileIndex: index) }

    /// The text in canonical layout if it was so before; otherwise as it is.
    var formatted: [UInt8] {
        wasCanonical ? PolicyText.canonical(file) ?? file.bytes : file.bytes
    }

    /// The lines of the text in canonical layout.
    var formattedLines: [String] {
        var lines = String(decoding: PolicyText.canonical(file) ?? file.bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    private static func canonical(_ file: SourceFile) -> [UInt8]? {
        try? PolicyFormatter.format(SyntaxParser.parse(file, fileIndex: 0))
    }

    // MARK: Places

    /// The entry at a path of keys; nil if there is none.
    func entry(_ path: [String]) -> SyntaxPart? {
        var node = tree().root
        var found: SyntaxPart?
        for key in path {
            found = node.flatMap { PolicyText.part(key, of: $0) }
            node = found?.value
        }
        return found
    }

    private static func part(_ key: String, of node: SyntaxNode) -> SyntaxPart? {
        guard node.kind == .map else { return nil }
        return (0..<node.partCount).lazy.map { node.part($0) }.first { $0.key?.text == key }
    }

    func column(of offset: Int) -> Int { offset - file.lines.starts[file.lines.line(of: offset)] }

    /// Whether the line above an offset is blank.
    func isBlank(before offset: Int) -> Bool {
        let line = file.lines.line(of: offset)
        return line > 0 && file.bytes[file.line(line - 1)].allSatisfy { $0 == 0x20 }
    }

    /// Whether the line above an offset is only a comment.
    func isComment(before offset: Int) -> Bool {
        let line = file.lines.line(of: offset)
        return line > 0 && file.isComment(line: line - 1)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: file.bytes[range], as: UTF8.self)
    }

    /// The last line of a part.
    private func lastLine(of part: SyntaxPart) -> Int {
        file.lines.line(of: max(part.start, part.end - 1))
    }

    // MARK: Copies

    /// A document that holds one rule: the lines of an entry of `rules`. Nil if something else
    /// stands on its lines, as in a map in brackets.
    func lines(of part: SyntaxPart) -> String? {
        let first = file.lines.line(of: part.start)
        let start = file.lines.starts[first]
        guard file.bytes[start..<part.start].allSatisfy({ $0 == 0x20 }), part.start > start else {
            return nil
        }
        return "rules:\n" + text(start..<file.line(lastLine(of: part)).upperBound) + "\n"
    }

    /// A document that holds one rule with the value of a top-level entry.
    func lines(of part: SyntaxPart, asRule name: String) -> String? {
        let value = part.value
        guard value.kind == .map else { return nil }
        guard value.style == .block else {
            return "rules:\n  \(name): " + text(Int(value.span.start)..<part.end) + "\n"
        }
        let first = file.lines.line(of: Int(value.span.start))
        let lines = (first...lastLine(of: part)).map { "  " + text(file.line($0)) }
        return "rules:\n  \(name):\n" + lines.joined(separator: "\n") + "\n"
    }

    // MARK: Steps

    /// Applies an edit whose span is of the text as it is now.
    mutating func apply(_ edit: FixIt.Edit) {
        file = SourceFile(path: file.path, bytes: LintFixes.bytes(of: file, after: [edit]))
    }

    /// Writes lines after an entry of a block, each `indentedBy` columns to the right.
    mutating func insert(
        _ lines: [String], indentedBy column: Int, after part: SyntaxPart, isSetOff: Bool
    ) {
        let blanks = String(repeating: " ", count: column)
        let text = lines.map { $0.isEmpty ? "\n" : "\n" + blanks + $0 }.joined()
        insert((isSetOff ? "\n" : "") + text, at: file.line(lastLine(of: part)).upperBound)
    }

    /// Writes lines at the end of the text.
    mutating func append(_ lines: [String]) {
        let isEnded = file.bytes.last == 0x0A || file.bytes.isEmpty
        let text = lines.map { $0 + "\n" }.joined()
        insert((isEnded ? "" : "\n") + text, at: file.bytes.count)
    }

    /// Writes a line above the line with this index (from 0), with the same indentation.
    mutating func insert(_ line: String, above index: Int) {
        let range = file.line(index)
        let blanks = file.bytes[range].prefix { $0 == 0x20 }.count
        insert(String(repeating: " ", count: blanks) + line + "\n", at: range.lowerBound)
    }

    /// Writes a key with its value into the map at `path`. The leading keys of `keys` that exist
    /// are followed; the others are made. False if the last key exists, or if a value on the way is
    /// not a map.
    mutating func insert(_ value: String, at path: [String], _ keys: [String]) -> Bool {
        guard let entry = entry(path) else { return false }
        var node = entry.value
        var parent = entry
        var rest = keys[...]
        while let key = rest.first, let part = PolicyText.part(key, of: node) {
            rest.removeFirst()
            node = part.value
            parent = part
        }
        guard !rest.isEmpty, node.kind == .map, node.partCount > 0 else { return false }
        let last = node.part(node.partCount - 1)
        guard node.style == .block else {
            let inner = rest.dropFirst().reversed().reduce(value) { "{ \($1): \($0) }" }
            insert(", \(rest[rest.startIndex]): \(inner)", at: last.end)
            return true
        }
        let column = column(of: node.part(0).start)
        let step = max(2, column - self.column(of: parent.start))
        var text = ""
        for (depth, key) in rest.enumerated() {
            text += "\n" + String(repeating: " ", count: column + depth * step) + key + ":"
        }
        insert(text + " " + value, at: file.line(lastLine(of: last)).upperBound)
        return true
    }

    /// Writes a value in place of a list in brackets. False if another value stands at `path`.
    mutating func replace(_ value: String, at path: [String]) -> Bool {
        guard let old = entry(path)?.value, old.kind == .list, old.style == .flow else {
            return false
        }
        apply(FixIt.Edit(old.span, value))
        return true
    }

    private mutating func insert(_ text: String, at offset: Int) {
        apply(FixIt.Edit(SourceSpan(file: 0, start: offset, end: offset), text))
    }
}
