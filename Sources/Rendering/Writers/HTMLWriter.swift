import TrustEngine

/// Writes a document as one page for a browser, a file that fetches nothing: the headline, each
/// section of the rooms `.everywhere` and `.page`, and the lines of the files that the document
/// cites. Every place of these files is a link to its line. All text goes through `HTML`.
package struct HTMLWriter {
    private let document: Document
    private var source: PolicySourceView
    /// The file of each id; nil for a document of one page.
    private let files: HTMLFiles?
    /// The index of this page among the files.
    private let index: Int

    /// The page as text.
    package static func write(_ document: Document) -> String {
        var writer = HTMLWriter(document)
        return writer.page()
    }

    /// Writes one file of a document.
    init(_ document: Document, files: HTMLFiles? = nil, index: Int = 0) {
        self.document = document
        self.files = files
        self.index = index
        source = PolicySourceView(
            document.sources, longest: document.sourceLines.longest,
            around: document.sourceLines.around)
    }

    mutating func page() -> String {
        let headline = document.headline
        var head: [HTML] = [.element("h1", [HTML(sentence: headline.title)])]
        if !headline.words.isEmpty {
            head.append(
                .element(
                    "p",
                    headline.words.enumerated().flatMap { index, word in
                        [HTML(index == 0 ? "" : " "), self.word(word, isVerdict: index == 0)]
                    }))
        }
        if let lead = headline.lead {
            head.append(.element("p", ["class": "lead"], [HTML(sentence: lead)]))
        }
        if !headline.fields.isEmpty { head.append(facts(headline.fields)) }
        if let filter = document.filter { head.append(PageFilter.box(placeholder: filter)) }
        var sections: [HTMLPage.Section] = []
        for block in document.blocks where block.room != .screen {
            guard case .section(let section) = block.content else {
                head += html(block)
                continue
            }
            let content = section.blocks.flatMap { html($0) }
            sections.append(HTMLPage.Section(section.id, section.title, content))
        }
        var footer: [Field] = document.footer
        if let command = document.command { footer.append(Field("command", .code(command))) }
        footer.append(Field("written by", .plain("hawser \(document.version)")))
        let foot = facts(footer)
        sections.append(HTMLPage.Section("policy", "Policy", source.content()))
        return HTMLPage.render(
            title: document.title ?? "\(document.kind): \(headline.title)", kind: document.kind,
            head: head, sections: sections, footer: [foot],
            script: document.filter == nil ? nil : .filter)
    }

    /// The octets of a block, and the number of policy lines that it cites and no block before it.
    mutating func size(of block: Block) -> (octets: Int, lines: Int) {
        let before = source.citedLines
        let octets = html(block).reduce(0) { $0 + $1.markup.utf8.count }
        return (octets, source.citedLines - before)
    }

    /// The octets of the policy lines that were cited.
    var sourceSize: Int { HTML.joined(source.content()).markup.utf8.count }

    // MARK: Blocks

    private mutating func html(_ block: Block, isInside: Bool = false) -> [HTML] {
        guard block.room != .screen else { return [] }
        switch block.content {
        case .line(let line):
            guard line.word != nil || !line.text.isEmpty else { return [] }
            let place = line.citation.map { [HTML(" "), cited($0)] } ?? []
            return [.element("p", leading(line.word) + text(line.text) + place)]
        case .tree(let tree): return [list(tree.nodes.map { node($0) })]
        case .fields(let fields): return [facts(fields.rows)]
        case .table(let table):
            return [self.table(table)].filter { _ in !table.rows.isEmpty }
        case .list(let list):
            guard !list.entries.isEmpty else { return [] }
            return [self.list(list, isInside: isInside)]
        case .excerpt(let excerpt): return [self.excerpt(excerpt)]
        case .drawing(let drawing): return [drawing]
        case .command(let command): return [HTML.code([command])]
        case .snippet(let snippet): return self.snippet(snippet)
        case .section(let section):
            let content = section.blocks.flatMap { html($0, isInside: true) }
            guard !content.isEmpty else { return [] }
            let title = HTML(sentence: section.title)
            return section.isFolded
                ? [HTML.folded([title], content)] : [.element("h3", [title])] + content
        }
    }

    /// - Parameter isInside: whether the list belongs to an entry, or to a section of a section. If
    ///   its entries have no blocks, each is then a line.
    private mutating func list(_ list: List, isInside: Bool) -> HTML {
        let isPlain = isInside && list.entries.allSatisfy(\.blocks.isEmpty)
        let isTree = list.entries.contains { $0.isFolded && $0.id != nil }
        let isLong = document.filter != nil && list.entries.count > HTMLWriter.mostLaidOut
        let name = (isPlain ? [] : [isTree ? "tree" : "list"]) + (isLong ? ["lazy"] : [])
        return .element(
            "ul", ["class": name.isEmpty ? nil : name.joined(separator: " ")],
            list.entries.map { entry -> HTML in
                let depth = entry.stepsOnPage
                let isRow = document.filter != nil && entry.id != nil
                let names = (isRow ? [PageFilter.row] : []) + (depth > 0 ? ["d\(depth)"] : [])
                return .element(
                    "li",
                    [
                        "id": entry.isFolded ? nil : entry.id,
                        "class": names.isEmpty ? nil : names.joined(separator: " "),
                    ],
                    isPlain
                        ? head(entry) + (entry.citation.map { [HTML(" "), cited($0)] } ?? [])
                        : self.entry(entry))
            })
    }

    private mutating func head(_ entry: Entry) -> [HTML] {
        leading(entry.word) + text(entry.text)
    }

    private mutating func entry(_ entry: Entry) -> [HTML] {
        var parts: [HTML] = []
        let head = self.head(entry)
        if !entry.isFolded { parts.append(.element(entry.blocks.isEmpty ? "p" : "h3", head)) }
        if let citation = entry.citation {
            parts.append(.element("p", ["class": "place"], [cited(citation)]))
        }
        parts += entry.blocks.flatMap { html($0, isInside: true) }
        guard entry.isFolded else { return parts }
        let isGroup = entry.blocks.contains { $0.list?.entries.contains { $0.id != nil } == true }
        return [
            .element(
                "details", ["id": entry.id, "class": isGroup ? PageFilter.group : nil],
                [.element("summary", head)] + parts)
        ]
    }

    private mutating func facts(_ rows: [Field]) -> HTML {
        HTML.facts(
            rows.map { row in
                (
                    row.label,
                    text(row.value) + (row.citation.map { [HTML(" "), cited($0)] } ?? [])
                )
            })
    }

    private mutating func table(_ table: Table) -> HTML {
        let rows = table.rows.map { row -> HTML in
            .element(
                "tr",
                [
                    "id": row.id,
                    "class": document.filter != nil && row.id != nil ? PageFilter.row : nil,
                ],
                row.cells.enumerated().map { index, cell in
                    let cell = cell + (index == 0 ? row.notes : [])
                    // A cell of one paragraph needs no element of its own.
                    let content =
                        cell.count == 1
                        ? text(cell[0]) : cell.map { HTML.element("p", text($0)) }
                    return index == table.head
                        ? .element("th", ["scope": "row"], content)
                        : .element("td", ["class": HTMLWriter.name(of: cell)], content)
                })
        }
        return .element(
            "table", ["class": "wide"],
            [
                .element("caption", [HTML(sentence: table.caption)]),
                .element(
                    "thead",
                    [
                        .element(
                            "tr", table.columns.map { .element("th", ["scope": "col"], $0) })
                    ]),
                .element("tbody", rows),
            ])
    }

    /// The class of a cell: one that is a place is quiet.
    private static func name(of cell: [DocumentText]) -> String? {
        guard cell.count == 1, cell[0].spans.count == 1, case .place = cell[0].spans[0] else {
            return nil
        }
        return "place"
    }

    private func list(_ items: [[HTML]]) -> HTML {
        .element("ul", ["class": "list"], items.map { .element("li", $0) })
    }

    private mutating func node(_ node: Tree.Node) -> [HTML] {
        guard !node.isCommand else { return [.element("p", "run next"), .code([node.text])] }
        let label = ["", "-"].contains(node.label.text) ? nil : node.label
        var parts: [HTML] = [.element("p", leading(label) + [HTML(sentence: node.text)])]
        if let citation = node.citation {
            parts.append(.element("p", ["class": "place"], [cited(citation)]))
        }
        parts += HTML.sentences(node.details)
        if let snippet = node.snippet { parts += self.snippet(snippet) }
        if !node.children.isEmpty { parts.append(list(node.children.map { self.node($0) })) }
        return parts
    }

    private mutating func snippet(_ snippet: Snippet) -> [HTML] {
        [.element("p", ["class": "place"], [cited(snippet.title)]), HTML.code(snippet.lines)]
    }

    /// A message with the places that it is about. The lines themselves are below, underlined.
    private mutating func excerpt(_ excerpt: Excerpt) -> HTML {
        var parts: [HTML] = excerpt.word.map { [.element("h3", leading($0))] } ?? []
        parts.append(.paragraph(excerpt.message))
        for group in excerpt.groups {
            for line in group.lines {
                for mark in line.marks.sorted(by: { $0.isPrimary && !$1.isPrimary }) {
                    let link = source.link(
                        Provenance.Location(
                            file: group.path, line: line.number,
                            column: scalars(line.octets, before: mark.range.lowerBound) + 1),
                        before: scalars(line.octets, before: mark.range.upperBound) + 1)
                    let words = mark.text.isEmpty ? "" : ": \(mark.text)"
                    parts.append(
                        .element("p", ["class": "place"], [link, HTML(sentence: words)]))
                }
            }
        }
        parts += excerpt.notes.map { .paragraph("\($0.kind): \($0.text)") }
        return .element("div", parts)
    }

    private func scalars(_ octets: ArraySlice<UInt8>, before offset: Int) -> Int {
        String(decoding: octets.prefix(offset), as: UTF8.self).unicodeScalars.count
    }

    // MARK: Text

    private func leading(_ word: Word?) -> [HTML] {
        word.map { [self.word($0), HTML(" ")] } ?? []
    }

    private func word(_ word: Word, isVerdict: Bool = false) -> HTML {
        switch word.tone {
        case .plain: return HTML(word.text)
        case .good: return .word(.good, word.text, isVerdict: isVerdict)
        case .bad: return .word(.bad, word.text, isVerdict: isVerdict)
        case .warn: return .word(.warn, word.text, isVerdict: isVerdict)
        case .soft: return .word(.soft, word.text)
        }
    }

    private mutating func text(_ text: DocumentText) -> [HTML] {
        text.spans.map { span in
            switch span {
            case .sentence(let text): return HTML(sentence: text)
            case .plain(let text): return HTML(text)
            case .code(let text): return .element("code", text)
            case .place(let text): return cited(text)
            case .word(let word): return self.word(word)
            case .link(let text, let id):
                let address = files?.address(of: id, from: index) ?? "#\(id)"
                return .element("a", ["href": address], [HTML(sentence: text)])
            }
        }
    }

    private mutating func cited(_ text: String) -> HTML { source.link(text: text) }

    /// Most entries of a list that a browser lays out before they are scrolled into view.
    private static let mostLaidOut = 50
}
