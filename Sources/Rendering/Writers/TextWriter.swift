import TrustEngine

/// Writes a document for a terminal or a log: the blocks of the rooms `.everywhere` and `.screen`.
/// Every line goes through `TerminalEscape`, and is wrapped by the document's `Wrapping`.
///
/// A text may have a height. Items that do not fit are omitted in the order of `Rank`, the last of
/// a rank first, and the document's `Closing` counts them. A text that must stay and is too long
/// loses its middle.
package struct TextWriter {
    /// Whether words are coloured. No meaning depends only on colour.
    package enum Colour: Hashable, Sendable {
        case plain
        case terminal
    }

    /// A part of the text that is omitted as a whole.
    private struct Item {
        enum Content {
            case line(Line, indent: Int)
            case tree([Tree.Node])
            case laidOut([String])
        }

        var content: Content
        let rank: Rank
        /// How many fields of the answer it shows.
        var weight = 0
    }

    /// The omitted items: the number of each rank, and the number of fields that they showed.
    private struct Removed {
        var counts: [Rank: Int] = [:]
        var fields = 0
        var isEmpty: Bool { counts.isEmpty }
    }

    private let document: Document
    private let layout: TextLayout

    /// The text; each line ends with a line feed.
    ///
    /// - Parameters:
    ///   - columns: the width that lines are wrapped to, at least 20. Source lines are cut to it.
    ///     Other lines are wrapped by the document's `Wrapping`.
    ///   - rows: the largest number of lines; nil for a text of any length.
    package static func write(
        _ document: Document, colour: Colour = .plain, columns: Int = 100, rows: Int? = nil
    ) -> String {
        let layout = TextLayout(
            colour: colour, columns: max(20, columns), wrapping: document.wrapping)
        let writer = TextWriter(document: document, layout: layout)
        guard let rows else { return writer.whole() }
        return writer.lines(atMost: rows).map { $0 + "\n" }.joined()
    }

    /// A text of any length. Only one block at a time is in lines.
    private func whole() -> String {
        var text = ""
        var told = 0
        func add(_ lines: [String]) {
            for line in lines {
                text += line
                text += "\n"
            }
        }
        for block in document.blocks {
            for item in items(block) {
                told += item.weight
                add(layOut(item))
            }
        }
        add(closing(told, Removed()))
        return text
    }

    private func lines(atMost rows: Int) -> [String] {
        var items = document.blocks.flatMap { self.items($0) }
        let told = items.reduce(0) { $0 + $1.weight }
        var removed = Removed()
        func lines() -> [String] {
            items.flatMap(layOut) + closing(told, removed)
        }
        var shown = lines()
        // Brief texts come first: they leave more lines for other items.
        if shown.count > rows {
            for index in items.indices { TextWriter.makeBrief(&items[index]) }
            shown = lines()
        }
        let ranks = Set(items.flatMap(TextWriter.ranks)).filter { !$0.isNeeded }
        for rank in ranks.sorted(by: >) {
            if shown.count > rows, TextWriter.removeSnippets(of: rank, from: &items) {
                shown = lines()
            }
            while shown.count > rows, TextWriter.removeLast(rank, from: &items, &removed) {
                shown = lines()
            }
        }
        // Only what must stay is left.
        var limit = 6
        while shown.count > rows, limit > 0, document.wrapping != .clipped {
            for index in items.indices { shorten(&items[index], to: limit * (layout.columns - 16)) }
            shown = lines()
            limit -= 1
        }
        return removed.isEmpty ? shown : TextWriter.withoutEmptyPairs(shown)
    }

    // MARK: Cutting

    private func items(_ block: Block, indent: Int = 0) -> [Item] {
        guard block.room != .page else { return [] }
        let indent = indent + block.indent
        func item(_ lines: [String], _ rank: Rank? = nil, weight: Int = 0) -> Item {
            Item(content: .laidOut(lines), rank: rank ?? block.rank, weight: weight)
        }
        switch block.content {
        case .line(let line):
            return [
                Item(content: .line(line, indent: indent), rank: block.rank, weight: line.weight)
            ]
        case .tree(let tree): return [Item(content: .tree(tree.nodes), rank: block.rank)]
        case .fields(let fields):
            return zip(fields.rows, layout.lines(fields, indent: indent)).map { row, lines in
                item(lines, row.rank, weight: row.weight)
            }
        case .table(let table):
            return zip(table.rows, layout.lines(table, indent: indent)).map { item($1, $0.rank) }
        case .list(let list):
            return list.entries.flatMap { entry -> [Item] in
                var own: [Item] = list.spacing == .before ? [item([""])] : []
                let indent = indent + 2 * entry.depth
                own.append(item(layout.lines(entry, bullet: list.bullet, indent: indent)))
                own += entry.blocks.flatMap { items($0, indent: indent) }
                if list.spacing == .after { own.append(item([""])) }
                // An entry that is omitted as a whole is one item.
                guard let rank = entry.rank else { return own }
                return [item(own.flatMap(layOut), rank, weight: own.reduce(0) { $0 + $1.weight })]
            }
        case .excerpt(let excerpt): return [item(layout.lines(excerpt))]
        case .drawing: return []
        case .command(let command):
            return [item(layout.wrapped(TextLayout.blanks(indent) + "`\(command)`"))]
        case .snippet(let snippet): return [item(layout.lines(snippet))]
        case .section(let section):
            let own = section.blocks.flatMap { items($0, indent: indent) }
            guard let title = section.screen, !own.isEmpty else { return own }
            return [item([""] + layout.wrapped(title))] + own
        }
    }

    private static func ranks(_ item: Item) -> [Rank] {
        guard case .tree(let nodes) = item.content else { return [item.rank] }
        let all = nodes + nodes.flatMap(\.children)
        return all.map(\.rank) + all.compactMap { $0.snippet?.rank }
    }

    /// Removes the last item of a rank with the lines below it. A node that has lost its last
    /// child, and has no text itself, goes with it. False if no item has the rank.
    private static func removeLast(
        _ rank: Rank, from items: inout [Item], _ removed: inout Removed
    ) -> Bool {
        for index in items.indices.reversed() {
            switch items[index].content {
            case .line, .laidOut:
                guard items[index].rank == rank else { continue }
                removed.fields += items[index].weight
                items.remove(at: index)
            case .tree(var nodes):
                guard remove(rank, from: &nodes) else { continue }
                items[index].content = .tree(nodes)
                if nodes.isEmpty { items.remove(at: index) }
            }
            removed.counts[rank, default: 0] += 1
            return true
        }
        return false
    }

    private static func remove(_ rank: Rank, from nodes: inout [Tree.Node]) -> Bool {
        for position in nodes.indices.reversed() {
            if let child = nodes[position].children.lastIndex(where: { $0.rank == rank }) {
                nodes[position].children.remove(at: child)
                if nodes[position].children.isEmpty, nodes[position].text.isEmpty {
                    nodes.remove(at: position)
                }
                return true
            }
            if nodes[position].rank == rank, !nodes[position].text.isEmpty {
                nodes.remove(at: position)
                return true
            }
        }
        return false
    }

    /// Changes every child of a tree.
    private static func forEachChild(of item: inout Item, _ change: (inout Tree.Node) -> Void) {
        guard case .tree(var nodes) = item.content else { return }
        for node in nodes.indices {
            for child in nodes[node].children.indices { change(&nodes[node].children[child]) }
        }
        item.content = .tree(nodes)
    }

    /// Removes the lines to write into a policy that have this rank, and adds their `pointer` to
    /// the text that owns them. False if no such lines exist.
    private static func removeSnippets(of rank: Rank, from items: inout [Item]) -> Bool {
        var removed = false
        for index in items.indices {
            forEachChild(of: &items[index]) { child in
                guard let snippet = child.snippet, snippet.rank == rank else { return }
                child.text += snippet.pointer
                child.snippet = nil
                removed = true
            }
        }
        return removed
    }

    /// Gives children their brief texts. Removes a child whose brief text is empty.
    private static func makeBrief(_ item: inout Item) {
        guard case .tree(var nodes) = item.content else { return }
        for node in nodes.indices {
            nodes[node].children = nodes[node].children.compactMap { child in
                guard let brief = child.brief else { return child }
                var child = child
                child.text = brief
                return brief.isEmpty ? nil : child
            }
        }
        item.content = .tree(nodes)
    }

    /// Shortens the texts that must stay to this number of columns.
    private func shorten(_ item: inout Item, to columns: Int) {
        func shortened(_ text: String) -> String {
            TextWrap.shortened(TerminalEscape.escape(text), to: columns)
        }
        switch item.content {
        case .laidOut: break
        case .line(var line, let indent):
            line.text = .plain(shortened(line.text.raw))
            item.content = .line(line, indent: indent)
        case .tree(var nodes):
            for node in nodes.indices {
                nodes[node].text = shortened(nodes[node].text)
                nodes[node].details = []
            }
            item.content = .tree(nodes)
            TextWriter.forEachChild(of: &item) { child in
                if child.rank.isNeeded { child.text = shortened(child.text) }
            }
        }
    }

    /// Omitted lines leave at most one empty line in a row, and none at the start.
    private static func withoutEmptyPairs(_ lines: [String]) -> [String] {
        var kept: [String] = []
        for line in lines where !(line.isEmpty && (kept.last?.isEmpty ?? true)) {
            kept.append(line)
        }
        return kept
    }

    /// The last line, which counts the omitted parts.
    private func closing(_ told: Int, _ removed: Removed) -> [String] {
        switch document.closing {
        case .none:
            return removed.isEmpty
                ? [] : [Cut.counts(removed.counts).map { "no room for \($0)" } ?? "…"]
        case .counted(let parts, let pointer):
            let all = parts + (Cut.counts(removed.counts).map { ["no room for \($0)"] } ?? [])
            return all.isEmpty ? [] : layout.wrapped((all + [pointer]).joined(separator: "; "))
        case .fields(let all, let command, let short):
            let hidden = all - told + removed.fields
            guard hidden > 0 || !removed.isEmpty else { return [] }
            let rest = Cut.counts(removed.counts).map { ", \($0)" } ?? ""
            let fields = Words.count(hidden, "more field") + rest
            let whole = TerminalEscape.escape("\(fields): `\(command)`")
            return [
                TextWrap.columns(whole) <= layout.columns
                    ? whole : TerminalEscape.escape("\(fields): \(short)")
            ]
        }
    }

    private func layOut(_ item: Item) -> [String] {
        switch item.content {
        case .line(let line, let indent): return layout.lines(line, indent: indent)
        case .tree(let nodes): return layout.lines(nodes)
        case .laidOut(let lines): return lines
        }
    }
}
