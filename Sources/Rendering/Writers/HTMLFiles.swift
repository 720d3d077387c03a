/// Writes a document as HTML in as few files as browsers show at once. A document of usual size is
/// one page. Of a larger document the longest lists become files in a folder beside the first page.
/// Links lead from file to file, and nothing is omitted.
package struct HTMLFiles {
    /// A file to write.
    package struct File: Sendable {
        /// The name of the first page, or `FOLDER/NAME`.
        package let path: String
        package let text: String
    }

    /// A section that has a list or a table.
    private struct Part {
        /// The index of the section among the blocks of the document.
        let index: Int
        let section: Section
        /// The index of the list among the blocks of the section.
        let list: Int
        /// The octets of each item, with the policy lines that it cites.
        var sizes: [Int] = []

        var count: Int { sizes.count }
        var size: Int { sizes.reduce(0, +) }

        init?(_ block: Block, at index: Int) {
            guard case .section(let section) = block.content,
                let list = section.blocks.lastIndex(where: { HTMLFiles.count($0) > 0 })
            else { return nil }
            (self.index, self.section, self.list) = (index, section, list)
        }

        /// The list with some of its items.
        func slice(_ range: Range<Int>) -> Block {
            HTMLFiles.slice(section.blocks[list], range)
        }
    }

    /// The files of a part that moved.
    private struct Slice {
        let part: Int
        let items: Range<Int>
        /// The id of the section in its file; with `.html` its name.
        let id: String
    }

    private let document: Document
    private let folder: String
    /// The names of the files. The first is the first page; the others lie in the folder.
    private var names: [String]
    private var parts: [Part]
    private var slices: [Slice] = []
    /// The index of the file that has an id; none for the first page.
    private var homes: [String: Int] = [:]

    /// The files of a document, the first page first.
    ///
    /// - Parameters:
    ///   - main: the name of the first page.
    ///   - folder: the name of the folder beside it for the others.
    package static func write(_ document: Document, main: String, folder: String) -> [File] {
        let files = HTMLFiles(document, main: main, folder: folder)
        return files.names.indices.map { index in
            let page = index == 0 ? files.first() : files.page(of: index - 1)
            var writer = HTMLWriter(page, files: files, index: index)
            return File(
                path: index == 0 ? main : "\(folder)/\(files.names[index])", text: writer.page())
        }
    }

    private init(_ document: Document, main: String, folder: String) {
        self.document = document
        self.folder = folder
        names = [main]
        parts = document.blocks.enumerated().compactMap { Part($1, at: $0) }
        measure()
        var rest = parts.reduce(0) { $0 + $1.size }
        guard rest > HTMLFiles.largestWhole else { return }
        var moved: [Int] = []
        for part in parts.indices.sorted(by: { parts[$0].size > parts[$1].size })
        where rest > HTMLFiles.largestRest {
            moved.append(part)
            rest -= parts[part].size
        }
        for part in moved.sorted() {
            for (number, items) in HTMLFiles.ranges(parts[part].sizes).enumerated() {
                let id = "\(parts[part].section.id)-\(number + 1)"
                slices.append(Slice(part: part, items: items, id: id))
                for id in [id] + HTMLFiles.names(parts[part].slice(items)).map({ $0.id }) {
                    homes[id] = names.count
                }
                names.append("\(id).html")
            }
        }
    }

    /// Measures the items. The octets of the policy lines are shared out among the citations.
    private mutating func measure() {
        var writer = HTMLWriter(document)
        var lines: [[Int]] = []
        for part in parts.indices {
            let sizes = (0..<HTMLFiles.count(parts[part].section.blocks[parts[part].list])).map {
                writer.size(of: parts[part].slice($0..<$0 + 1))
            }
            parts[part].sizes = sizes.map { $0.octets }
            lines.append(sizes.map { $0.lines })
        }
        let all = lines.joined().reduce(0, +)
        guard all > 0 else { return }
        let line = writer.sourceSize / all
        for part in parts.indices {
            for (item, cited) in lines[part].enumerated() {
                parts[part].sizes[item] += cited * line
            }
        }
    }

    /// Items that lie in one file each.
    private static func ranges(_ sizes: [Int]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var (start, size) = (0, 0)
        for (index, own) in sizes.enumerated() {
            if index > start, size + own > largestFile {
                ranges.append(start..<index)
                (start, size) = (index, 0)
            }
            size += own
        }
        return ranges + [start..<sizes.count]
    }

    // MARK: Items

    /// The number of items of a list or a table.
    private static func count(_ block: Block) -> Int {
        if case .table(let table) = block.content { return table.rows.count }
        return block.list?.entries.count ?? 0
    }

    private static func slice(_ block: Block, _ range: Range<Int>) -> Block {
        var block = block
        if case .table(var table) = block.content {
            table.rows = Array(table.rows[range])
            block.content = .table(table)
        } else if var list = block.list {
            list.entries = Array(list.entries[range])
            block.content = .list(list)
        }
        return block
    }

    /// The items of a block that have an id, and the items inside them, with their labels.
    private static func names(_ block: Block) -> [(id: String, label: String)] {
        if case .table(let table) = block.content {
            return table.rows.compactMap { row in row.id.map { (id: $0, label: label(row)) } }
        }
        var names: [(id: String, label: String)] = []
        for entry in block.list?.entries ?? [] {
            if let id = entry.id { names.append((id: id, label: label(entry))) }
            for inner in entry.blocks { names += HTMLFiles.names(inner) }
        }
        return names
    }

    private static func label(_ row: Row) -> String { row.cells.first?.first?.raw ?? "" }

    private static func label(_ entry: Entry) -> String {
        entry.word.map { TextWrap.trimmed($0.text) }
            ?? entry.text.spans.first.map { DocumentText(spans: [$0]).raw } ?? ""
    }

    /// The label of the item at an index.
    private func label(_ part: Part, _ index: Int) -> String {
        let block = part.slice(index..<index + 1)
        if case .table(let table) = block.content { return table.rows.map(HTMLFiles.label)[0] }
        return block.list?.entries.first.map(HTMLFiles.label) ?? ""
    }

    // MARK: Pages

    /// The first page. A list that moved leaves the list of its files.
    private func first() -> Document {
        var first = document
        for (number, part) in parts.enumerated() {
            let own = slices.filter { $0.part == number }
            guard !own.isEmpty else { continue }
            let files = own.map { slice in
                Entry(
                    DocumentText(spans: [
                        .link("\(slice.id).html", to: slice.id),
                        .plain(": \(slice.items.count), from "),
                        .code(label(part, slice.items.lowerBound)), .plain(" to "),
                        .code(label(part, slice.items.upperBound - 1)),
                    ]))
            }
            var blocks: [Block] = [
                .line(
                    DocumentText(
                        "\(part.count) entries lie in \(Words.count(own.count, "file")) beside this "
                            + "page.")), .list(files),
            ]
            if let all = index(of: part) { blocks.append(all) }
            var section = part.section
            section.blocks.replaceSubrange(part.list...part.list, with: blocks)
            first.blocks[part.index].content = .section(section)
        }
        return first
    }

    /// The list of all entries that are folded, so that the filter of the first page finds them.
    private func index(of part: Part) -> Block? {
        let list = part.section.blocks[part.list]
        guard list.list?.entries.contains(where: \.isFolded) == true else { return nil }
        let entries = HTMLFiles.names(list).map { id, label in
            Entry(.link("`\(label)`", to: id), id: "to-\(id)")
        }
        let block = Block.section("", "All of them", [.list(entries)])
        var writer = HTMLWriter(document, files: self)
        return writer.size(of: block).octets > HTMLFiles.largestFile ? nil : block
    }

    private func page(of index: Int) -> Document {
        let slice = slices[index]
        let part = parts[slice.part]
        let siblings = slices.indices.filter { slices[$0].part == slice.part }
        let number = (siblings.firstIndex(of: index) ?? 0) + 1
        let links: [DocumentText?] = [
            .link("the first page", to: part.section.id),
            siblings.last { $0 < index }.map { .link("before", to: slices[$0].id) },
            siblings.first { $0 > index }.map { .link("after", to: slices[$0].id) },
        ]
        var page = document
        page.title = "\(document.title ?? document.headline.title), \(slice.id)"
        page.headline.lead =
            "\(part.section.title), file \(number) of \(siblings.count)"
        var section = part.section
        section.id = slice.id
        section.blocks = [part.slice(slice.items)]
        page.blocks = [
            .line(.joined(links.compactMap(\.self), by: " · ")),
            Block(.section(section)),
        ]
        return page
    }

    // MARK: Addresses

    /// The address of an id from a file. It begins with a dot or a number sign, so that no name is
    /// read as a scheme.
    func address(of id: String, from index: Int) -> String {
        let home = homes[id] ?? 0
        guard home != index else { return "#\(id)" }
        let name = HTMLFiles.encoded(names[home])
        let folder = home == 0 ? ".." : index == 0 ? "./\(HTMLFiles.encoded(self.folder))" : "."
        return "\(folder)/\(name)#\(id)"
    }

    /// A name as a segment of a path (RFC 3986 section 3.3).
    private static func encoded(_ name: String) -> String {
        SARIFDocument.reference(name).replacing("/", with: "%2F")
    }

    /// Octets of items that still are one page. With its frame it stays below two megabytes.
    private static let largestWhole = 1_850_000
    /// Octets of items that stay on the first page of a split document.
    private static let largestRest = 600_000
    /// Octets of items in a file.
    private static let largestFile = 800_000
}
