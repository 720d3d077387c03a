/// Writes a document as one comment under a pull request, in GitHub's Markdown, of at most 60,000
/// octets: the headline, then the blocks of the rooms `.everywhere` and `.page`, then the command
/// that shows all of it. All text of policies, hosts and certificates goes through `MarkdownText`.
///
/// Items that do not fit are omitted in the order of `Rank`, the last of a list first, and each
/// list counts its omitted items. Every list gets its first item before any list gets a second.
package struct MarkdownWriter {
    /// GitHub refuses a comment of more than 65,536 characters. Octets are never fewer.
    package static let most = 60_000
    /// A comment shows at most this number of scalars of one text.
    private static let mostOfOne = 600
    /// The columns of a source line in a block of code.
    private static let columns = 100
    /// A comment shows at most this number of parts of one entry of a list.
    private static let mostParts = 50
    /// The octets reserved for the sentence that counts a list's omitted items.
    private static let cutSize = 220
    /// A first item goes before all others only if it has at most this number of octets.
    private static let largestFirst = 2_000

    /// A part of the page that is shown or omitted as a whole.
    private struct Item {
        let text: String
        let rank: Rank
        let list: Int

        var size: Int { text.utf8.count + 2 }
    }

    private indirect enum Chunk {
        /// Items, and the text before the first of them.
        case list(head: String, items: Range<Int>, noun: Noun)
        case frame(open: String, chunks: [Chunk], close: String)
    }

    private let document: Document
    private var items: [Item] = []
    private var lists = 0

    /// The comment, with a line end at its end.
    package static func write(_ document: Document) -> String {
        var writer = MarkdownWriter(document: document)
        let chunks = writer.chunks(document.blocks, depth: 4)
        return writer.page(chunks)
    }

    private init(document: Document) { self.document = document }

    // MARK: The page

    private func page(_ chunks: [Chunk]) -> String {
        let head = self.head()
        let tail = self.tail()
        // The frames are always written, so that every omission is counted.
        var room = MarkdownWriter.most - fixed(head + tail)
        let kept = chunks.prefix { chunk in
            let size = frame(chunk)
            guard size <= room else { return false }
            room -= size
            return true
        }
        let dropped = chunks.count - kept.count
        let shown = choice(Array(kept), room: room)
        var blocks = head + kept.flatMap { self.blocks($0, shown) }
        if dropped > 0 {
            blocks.append(
                "**"
                    + Cut.leftOut(
                        dropped, of: chunks.count, Noun("part", "parts"),
                        hasCommand: document.command != nil) + "**")
        }
        return (blocks + tail).joined(separator: "\n\n") + "\n"
    }

    private func head() -> [String] {
        let headline = document.headline
        var head: [String] = []
        // No name can end the comment: `>` is percent-encoded.
        if let marker = document.marker {
            let subject = marker.subject.map { ": \(SARIFDocument.reference($0))" } ?? ""
            head.append("<!-- \(marker.name)\(subject) -->")
        }
        if !headline.title.isEmpty { head.append("### \(prose(headline.title))") }
        if !headline.words.isEmpty {
            head.append(headline.words.map(word).joined(separator: ", "))
        }
        if let lead = headline.lead { head.append(prose(lead)) }
        if !headline.fields.isEmpty {
            head.append(headline.fields.map(field).joined(separator: "\n"))
        }
        return head
    }

    private func tail() -> [String] {
        var tail: [String] = []
        if let command = document.command {
            tail += ["The command that shows all of it:", MarkdownText.block(command, of: "sh")]
        }
        if !document.footer.isEmpty {
            tail.append(document.footer.map(field).joined(separator: "\n"))
        }
        return tail
    }

    // MARK: Room

    private func fixed(_ blocks: [String]) -> Int {
        blocks.reduce(MarkdownWriter.cutSize) { $0 + $1.utf8.count + 2 }
    }

    /// The octets of a chunk without its items.
    private func frame(_ chunk: Chunk) -> Int {
        switch chunk {
        case .list(let head, _, _): return head.utf8.count + MarkdownWriter.cutSize
        case .frame(let open, let inner, let close):
            return inner.reduce(open.utf8.count + close.utf8.count + 4) { $0 + frame($1) }
        }
    }

    private func ranges(_ chunk: Chunk) -> [Range<Int>] {
        switch chunk {
        case .list(_, let items, _): return [items]
        case .frame(_, let chunks, _): return chunks.flatMap(ranges)
        }
    }

    /// The items that have room.
    private func choice(_ chunks: [Chunk], room: Int) -> Set<Int> {
        let ranges = chunks.flatMap(ranges)
        var left = room
        var shown: Set<Int> = []
        for first in ranges.compactMap(\.first).sorted(by: { rank($0) < rank($1) })
        where items[first].size <= min(left, MarkdownWriter.largestFirst) {
            left -= items[first].size
            shown.insert(first)
        }
        var full: Set<Int> = []
        for index in ranges.joined().sorted(by: { rank($0) < rank($1) })
        where !shown.contains(index) && !full.contains(items[index].list) {
            guard items[index].size <= left else {
                full.insert(items[index].list)
                continue
            }
            left -= items[index].size
            shown.insert(index)
        }
        return shown
    }

    /// Items in the order in which they are given room.
    private func rank(_ index: Int) -> (Rank, Int) { (items[index].rank, index) }

    private func blocks(_ chunk: Chunk, _ shown: Set<Int>) -> [String] {
        switch chunk {
        case .frame(let open, let chunks, let close):
            return [open] + chunks.flatMap { blocks($0, shown) } + (close.isEmpty ? [] : [close])
        case .list(let head, let range, let noun):
            let own = range.filter(shown.contains).map { items[$0].text }
            let list = own.isEmpty ? [] : [head + own.joined(separator: "\n")]
            guard own.count < range.count else { return list }
            let words = Cut.leftOut(
                range.count - own.count, of: range.count, noun,
                hasCommand: document.command != nil)
            return list + ["**\(words)**"]
        }
    }

    // MARK: Blocks

    private mutating func chunks(_ blocks: [Block], depth: Int) -> [Chunk] {
        var chunks: [Chunk] = []
        for block in blocks where block.room != .screen {
            switch block.content {
            case .section(let section):
                let inner = self.chunks(section.blocks, depth: depth + 1)
                guard !inner.isEmpty else { continue }
                chunks.append(frame(section, inner, depth: depth))
            case .list(let list):
                add(
                    list.entries.map { (entry($0), $0.rank ?? block.rank) }, noun: list.noun,
                    to: &chunks)
            case .fields(let fields):
                add(
                    fields.rows.map { (field($0), $0.rank ?? block.rank) }, noun: .entry,
                    to: &chunks)
            case .table(let table):
                let head = cells(table.columns.map { prose($0) })
                let line = cells(table.columns.map { _ in "---" })
                add(
                    table.rows.map { (row($0), $0.rank ?? block.rank) }, noun: table.noun,
                    head: "\(head)\n\(line)\n", to: &chunks)
            case .tree(let tree):
                add(tree.nodes.map { (node($0), $0.rank) }, noun: .entry, to: &chunks)
            case .line, .excerpt, .drawing, .command, .snippet:
                let text = self.text(block)
                add(text.isEmpty ? [] : [(text, block.rank)], noun: .entry, to: &chunks)
            }
        }
        return chunks
    }

    private mutating func add(
        _ texts: [(text: String, rank: Rank)], noun: Noun, head: String = "",
        to chunks: inout [Chunk]
    ) {
        guard !texts.isEmpty else { return }
        let start = items.count
        items += texts.map { Item(text: $0.text, rank: $0.rank, list: lists) }
        lists += 1
        chunks.append(.list(head: head, items: start..<items.count, noun: noun))
    }

    private func frame(_ section: Section, _ inner: [Chunk], depth: Int) -> Chunk {
        guard section.isFolded else {
            let level = String(repeating: "#", count: min(depth, 6))
            return .frame(open: "\(level) \(prose(section.title))", chunks: inner, close: "")
        }
        let title = MarkdownText.proseInHTML(clipped(section.title))
        return .frame(
            open: "<details><summary>\(title)</summary>", chunks: inner, close: "</details>")
    }

    /// A block that stands by itself.
    private func text(_ block: Block) -> String {
        switch block.content {
        case .line(let line):
            return [line.word.map(word), text(line.text), line.citation.map(cited)]
                .compactMap(\.self)
                .filter { !$0.isEmpty }.joined(separator: " ")
        case .excerpt(let excerpt): return text(excerpt)
        case .command(let command): return MarkdownText.block(command, of: "sh")
        case .snippet(let snippet): return text(snippet)
        case .drawing, .section, .list, .fields, .table, .tree: return ""
        }
    }

    private func text(_ snippet: Snippet) -> String {
        prose(snippet.title) + "\n\n" + MarkdownText.block(snippet.lines, of: "yaml")
    }

    private func text(_ excerpt: Excerpt) -> String {
        let head = [excerpt.word.map(word), prose(excerpt.message)].compactMap(\.self)
        var parts = [head.joined(separator: " ")]
        let layout = TextLayout(
            colour: .plain, columns: MarkdownWriter.columns, wrapping: .none)
        let drawing = layout.drawing(of: excerpt)
        if !drawing.isEmpty { parts.append(MarkdownText.block(drawing, of: "text")) }
        let notes = excerpt.notes.map { "- \($0.kind): \(prose($0.text))" }
        if !notes.isEmpty { parts.append(notes.joined(separator: "\n")) }
        return parts.joined(separator: "\n\n")
    }

    // MARK: Items

    private func entry(_ entry: Entry) -> String {
        let parts = [
            entry.word.map(word), text(entry.text), entry.citation.map(cited),
        ].compactMap(\.self).filter { !$0.isEmpty }
        let margin = String(repeating: "  ", count: entry.stepsOnPage)
        return ("- " + parts.joined(separator: " ") + nested(entry.blocks))
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
    }

    /// What stands below an item of a list, indented.
    private func nested(_ blocks: [Block]) -> String {
        var text = ""
        for block in blocks where block.room != .screen {
            var lines: [String] = []
            var isTight = true
            switch block.content {
            case .section(let section):
                text += indented(
                    "- \(prose(section.title))" + nested(section.blocks), isTight: true)
                continue
            case .list(let list): lines = list.entries.map(entry)
            case .fields(let fields): lines = fields.rows.map(field)
            case .tree(let tree): lines = tree.nodes.map(node)
            case .table(let table):
                lines = table.rows.map { row in
                    "- "
                        + row.cells.map { $0.map(self.text).joined(separator: ", ") }
                        .filter { !$0.isEmpty }.joined(separator: "; ")
                }
            case .line:
                let line = self.text(block)
                lines = line.isEmpty ? [] : ["- \(line)"]
            case .excerpt, .command, .snippet, .drawing:
                isTight = false
                lines = [self.text(block)].filter { !$0.isEmpty }
            }
            let shown = Cut.list(lines, most: MarkdownWriter.mostParts, before: "- and ")
            guard !shown.isEmpty else { continue }
            text += indented(shown.joined(separator: "\n"), isTight: isTight)
        }
        return text
    }

    private func indented(_ text: String, isTight: Bool) -> String {
        (isTight ? "\n" : "\n\n")
            + text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
    }

    private func field(_ field: Field) -> String {
        let label = field.label.isEmpty ? "" : "\(prose(field.label)): "
        let parts = [text(field.value), field.citation.map(cited) ?? ""]
        return "- \(label)" + parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func node(_ node: Tree.Node) -> String {
        guard !node.isCommand else {
            return "- run next:\n\n  " + indentedBlock(MarkdownText.block(node.text, of: "sh"))
        }
        let label = ["", "-"].contains(node.label.text) ? nil : word(node.label)
        let parts = [
            label, node.text.isEmpty ? nil : prose(node.text), node.citation.map(cited),
        ].compactMap(\.self)
        let details = Cut.list(
            node.details.map { "  - \(prose($0))" }, most: MarkdownWriter.mostParts,
            before: "  - and ")
        let snippet = node.snippet.map { indented(text($0), isTight: false) } ?? ""
        let children = Cut.list(
            node.children.map { indented(self.node($0), isTight: true) },
            most: MarkdownWriter.mostParts, before: "\n  - and ")
        return "- " + parts.joined(separator: " ") + details.map { "\n\($0)" }.joined()
            + snippet + children.joined()
    }

    private func indentedBlock(_ text: String) -> String { text.replacing("\n", with: "\n  ") }

    private func row(_ row: Row) -> String {
        cells(
            row.cells.enumerated().map { index, cell in
                (cell + (index == 0 ? row.notes : [])).map(text).joined(separator: "<br>")
            })
    }

    private func cells(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }

    // MARK: Text

    private func word(_ word: Word) -> String {
        let text = prose(word.text.trimmingBlanks)
        switch word.tone {
        case .plain: return text
        case .good, .bad, .warn, .soft: return text.isEmpty ? "" : "**\(text)**"
        }
    }

    private func text(_ text: DocumentText) -> String {
        text.spans.reduce(into: [String]()) { parts, span in
            let part: String
            switch span {
            case .sentence(let text), .link(let text, _), .place(let text):
                part = prose(text, isFirst: parts.isEmpty)
            // A comma between links is not code.
            case .plain(", "): part = ","
            case .plain(let text): part = prose(text, isFirst: parts.isEmpty)
            case .code(let text): part = MarkdownText.code(clipped(text))
            case .word(let word): part = self.word(word)
            }
            let trimmed = part.trimmingBlanks
            if !trimmed.isEmpty { parts.append(trimmed) }
        }.reduce("") { text, span in
            // A comma stands behind the span before it.
            text.isEmpty || span == "," ? text + span : "\(text) \(span)"
        }
    }

    private func cited(_ citation: String) -> String {
        citation.isEmpty ? "" : "(\(prose(citation)))"
    }

    private func prose(_ text: String, isFirst: Bool = true) -> String {
        MarkdownText.prose(clipped(text), isFirst: isFirst)
    }

    private func clipped(_ text: String) -> String {
        Cut.text(text, most: MarkdownWriter.mostOfOne)
    }
}

extension String {
    fileprivate var trimmingBlanks: String { TextWrap.trimmed(String(drop { $0 == " " })) }
}
