import Rendering
import TrustEngine

// The pages of a report. A report of usual size is one page. A larger one is split: the sections
// that are too long become files of their own in a folder beside the first page, so that every file
// is small enough for a browser to show at once. Which file holds what must be known before any
// link is written, so the items are measured first.

/// Writes a report as pages.
package struct UnitReportPages {
    /// A file to write.
    package struct File: Sendable {
        /// The name of the first page, or `FOLDER/NAME`.
        package let path: String
        package let text: String
    }

    /// Which file holds an item, and the addresses from one to another.
    struct Layout {
        /// The names of the files; the first page is at 0, the others lie in the folder.
        fileprivate(set) var names: [String]
        let folder: String
        /// The index of the file, by the id of an item; 0 for others.
        fileprivate(set) var homes: [String: Int] = [:]

        /// The address of an id from a page.
        func address(of id: String, from page: Int) -> String {
            let home = homes[id] ?? 0
            return home == page ? "#\(id)" : "\(address(ofPage: home, from: page))#\(id)"
        }

        /// The address of a file from another. It begins with a dot, so that no name is read as a
        /// scheme.
        func address(ofPage home: Int, from page: Int) -> String {
            let name = Layout.encoded(names[home])
            if home == 0 { return "../\(name)" }
            return page == 0 ? "./\(Layout.encoded(folder))/\(name)" : "./\(name)"
        }

        /// A name as a segment of a path (RFC 3986, section 3.3): characters that are not
        /// unreserved are percent-encoded.
        private static func encoded(_ name: String) -> String {
            var text = ""
            for octet in name.utf8 {
                switch octet {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: "_"), UInt8(ascii: "~"):
                    text.unicodeScalars.append(Unicode.Scalar(octet))
                default:
                    let digits = String(octet, radix: 16, uppercase: true)
                    text += "%" + (digits.count == 1 ? "0" : "") + digits
                }
            }
            return text
        }
    }

    /// What the items of a page are written with.
    struct Context {
        let layout: Layout
        let page: Int
        var source: PolicySourceView

        func link(_ id: String, _ content: [HTML]) -> HTML {
            .element("a", ["href": layout.address(of: id, from: page)], content)
        }
    }

    /// One thing of a section: a class of hosts, a finding.
    struct Item {
        let id: String
        /// The name by which a list of files tells where it is.
        let label: String
        /// The lines of the policy that it cites.
        var citations = 0
        /// The things inside it that others link to, by id, with their labels; empty for a thing
        /// that stands by itself.
        var members: [(id: String, label: String)] = []
        let content: (inout Context) -> HTML
    }

    /// A section: what stands on top, and items that may move to files of their own.
    struct Part {
        enum Wrapper {
            case list
            case tree
            /// The heads of columns.
            case table([String])
        }

        let id: String
        let title: String
        var intro: [HTML] = []
        var wrapper = Wrapper.list
        var items: [Item] = []
        /// Whether the first page lists every item that moved, if there is room.
        var isIndexed = false
    }

    /// The pages of a report, the first page first.
    ///
    /// - Parameters:
    ///   - main: the file name of the first page.
    ///   - folder: the name of the folder beside it for the others.
    package static func render(
        _ document: UnitReportDocument, main: String, folder: String
    ) -> [File] {
        let parts = UnitReportSections(document.report).parts()
        let pages = UnitReportPages(
            document: document, parts: parts, sizes: sizes(parts, source(document.report)),
            main: main, folder: folder)
        return pages.layout.names.indices.map { page in
            File(
                path: page == 0 ? main : "\(folder)/\(pages.layout.names[page])",
                text: pages.page(page))
        }
    }

    private let document: UnitReportDocument
    private let parts: [Part]
    /// The items of each file, by the index of the part.
    private var slices: [(part: Int, items: Range<Int>)]
    /// The parts that moved.
    private var moved: Set<Int> = []
    private var layout: Layout

    private var report: UnitReport { document.report }

    private init(
        document: UnitReportDocument, parts: [Part], sizes: [[Int]], main: String, folder: String
    ) {
        self.document = document
        self.parts = parts
        layout = Layout(names: [main], folder: folder)
        slices = []
        let totals = sizes.map { $0.reduce(0, +) }
        var rest = totals.reduce(0, +)
        if rest > UnitReportPages.largestWhole {
            for part in parts.indices.sorted(by: { totals[$0] > totals[$1] })
            where rest > UnitReportPages.largestRest {
                moved.insert(part)
                rest -= totals[part]
            }
        }
        for part in parts.indices where moved.contains(part) {
            for range in UnitReportPages.ranges(sizes[part]) {
                layout.names.append("\(parts[part].id)-\(number(of: part) + 1).html")
                slices.append((part, range))
                for item in parts[part].items[range] {
                    let home = layout.names.count - 1
                    layout.homes[item.id] = home
                    for member in item.members { layout.homes[member.id] = home }
                }
            }
        }
    }

    /// The number of files of a part so far.
    private func number(of part: Int) -> Int { slices.count { $0.part == part } }

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
        if start < sizes.count { ranges.append(start..<sizes.count) }
        return ranges
    }

    /// The octets of each item. The octets of the policy's lines are shared out among the
    /// citations.
    private static func sizes(_ parts: [Part], _ source: PolicySourceView) -> [[Int]] {
        var context = Context(
            layout: Layout(names: [""], folder: ""), page: 0, source: source)
        let own = parts.map { part in part.items.map { $0.content(&context).markup.utf8.count } }
        let lines = HTML.joined(context.source.content()).markup.utf8.count
        let citations = parts.reduce(0) { $0 + $1.items.reduce(0) { $0 + $1.citations } }
        return zip(parts, own).map { part, sizes in
            zip(part.items, sizes).map { item, size in
                size + (citations == 0 ? 0 : lines * item.citations / citations)
            }
        }
    }

    /// The lines of the policy as a page of the report shows them.
    private static func source(_ report: UnitReport) -> PolicySourceView {
        UnitReportSections.isShort(report)
            ? PolicySourceView(report.files)
            : PolicySourceView(report.files, longest: 0, around: around)
    }

    // MARK: A page

    private func page(_ page: Int) -> String {
        var context = Context(
            layout: layout, page: page, source: UnitReportPages.source(report))
        let sections =
            page == 0
            ? parts.indices.map { first($0, &context) }
            : [slice(slices[page - 1], &context)]
        let policy = HTMLPage.Section("policy", "Policy", context.source.content())
        let name = page == 0 ? "" : ", \(layout.names[page].prefix { $0 != "." })"
        return HTMLPage.render(
            title: "report of \(report.name)\(name)", kind: "report",
            head: page == 0 ? head() : subhead(page), sections: sections + [policy],
            footer: footer(), script: .filter)
    }

    /// A section of the first page. A part that moved leaves the list of its files.
    private func first(_ index: Int, _ context: inout Context) -> HTMLPage.Section {
        let part = parts[index]
        guard moved.contains(index) else {
            return HTMLPage.Section(
                part.id, part.title,
                part.intro + UnitReportPages.wrapped(part, part.items, &context))
        }
        let files = slices.indices.filter { slices[$0].part == index }
        let rows = files.map { slice -> HTML in
            let items = parts[index].items[slices[slice].items]
            let address = layout.address(ofPage: slice + 1, from: 0)
            let range = [items.first, items.last].compactMap { $0?.label }
            return .element(
                "li",
                [
                    .element("a", ["href": address], layout.names[slice + 1]),
                    HTML(": \(items.count), from "),
                    .element("code", range.first ?? ""), HTML(" to "),
                    .element("code", range.last ?? ""),
                ])
        }
        var content = part.intro
        content.append(
            .element(
                "p",
                "\(part.items.count) entries lie in "
                    + "\(Words.count(files.count, "file", "files")) beside this page."))
        content.append(.element("ul", rows))
        let index = UnitReportPages.index(part, context)
        if part.isIndexed, index.markup.utf8.count <= UnitReportPages.largestFile {
            content += [.element("h3", "All of them"), index]
        }
        return HTMLPage.Section(part.id, part.title, content)
    }

    /// Every item by its label, so that the filter of the first page finds it.
    private static func index(_ part: Part, _ context: Context) -> HTML {
        .element(
            "ul", ["class": "tree lazy"],
            part.items.flatMap { item in
                item.members.isEmpty ? [(item.id, item.label)] : item.members
            }.map { id, label in
                .element(
                    "li", ["class": PageFilter.row], [context.link(id, [.element("code", label)])])
            })
    }

    private func slice(
        _ slice: (part: Int, items: Range<Int>), _ context: inout Context
    ) -> HTMLPage.Section {
        let part = parts[slice.part]
        return HTMLPage.Section(
            part.id, part.title,
            UnitReportPages.wrapped(part, Array(part.items[slice.items]), &context))
    }

    private static func wrapped(
        _ part: Part, _ items: [Item], _ context: inout Context
    ) -> [HTML] {
        guard !items.isEmpty else { return [] }
        let content = items.map { $0.content(&context) }
        switch part.wrapper {
        case .list: return [.element("ul", ["class": "list lazy"], content)]
        case .tree: return [.element("ul", ["class": "tree lazy"], content)]
        case .table(let heads):
            return [
                .element(
                    "table", ["class": "wide"],
                    [
                        .element(
                            "thead",
                            [
                                .element(
                                    "tr",
                                    heads.map { .element("th", ["scope": "col"], $0) })
                            ]), .element("tbody", content),
                    ])
            ]
        }
    }

    // MARK: Head and foot

    private func head() -> [HTML] {
        var rows: [(String, [HTML])] = [
            ("as of", [HTML(report.time.description)]),
            ("ends are told up to", [HTML(report.until.description)]),
            ("policy", [.element("code", report.policyDigest.text)]),
        ]
        if let findings = report.findings {
            rows.append(
                (
                    "findings",
                    [
                        .element(
                            "a", ["href": "#findings"],
                            findings.tally)
                    ]
                ))
        }
        rows.append(
            (
                "rejects next",
                [
                    HTML(
                        sentence: report.next.map(UnitReportSentences.next)
                            ?? "nothing up to \(report.until.description), as far as the policy alone "
                            + "says")
                ]
            ))
        return [
            .element("h1", report.name),
            .element("p", ["class": "lead"], [HTML(sentence: UnitReportSentences.lead(report))]),
            HTML.facts(rows), PageFilter.box(placeholder: "a host, a rule, an owner, a code"),
        ]
    }

    private func subhead(_ page: Int) -> [HTML] {
        let slice = slices[page - 1]
        let siblings = slices.indices.filter { slices[$0].part == slice.part }
        let number = (siblings.firstIndex(of: page - 1) ?? 0) + 1
        func link(_ sibling: Int?, _ words: String) -> [HTML] {
            guard let sibling else { return [] }
            return [
                HTML(" · "),
                .element(
                    "a", ["href": layout.address(ofPage: sibling + 1, from: page)], words),
            ]
        }
        return [
            .element("h1", report.name),
            .element(
                "p", ["class": "lead"],
                "\(parts[slice.part].title), file \(number) of \(siblings.count), as of "
                    + report.time.description),
            .element(
                "p",
                [
                    .element(
                        "a", ["href": layout.address(ofPage: 0, from: page)], "the whole report")
                ]
                    + link(siblings.last { $0 < page - 1 }, "before")
                    + link(siblings.first { $0 > page - 1 }, "after")),
            PageFilter.box(placeholder: "a host, a rule, an owner, a code"),
        ]
    }

    private func footer() -> [HTML] {
        [
            .element(
                "p",
                [
                    HTML("hawser \(document.version); the same again: "),
                    .element("code", document.command),
                ])
        ]
    }

    /// Octets of items that still are one page. With its frame it stays below two megabytes.
    private static let largestWhole = 1_850_000
    /// Octets of items that stay on the first page of a split report.
    private static let largestRest = 600_000
    /// Octets of items in a file.
    private static let largestFile = 800_000
    /// Lines before and after a cited one that a long report shows.
    private static let around = 1
}
