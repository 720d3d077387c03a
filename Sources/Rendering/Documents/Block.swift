/// A part of a document.
package struct Block: Sendable {
    /// The kinds of block.
    package indirect enum Content: Sendable {
        /// A line of a text, a paragraph of a page.
        case line(Line)
        /// Labels with texts and citations, in two levels.
        case tree(Tree)
        /// Names with their values.
        case fields(Fields)
        case table(Table)
        /// Entries, each with its blocks.
        case list(List)
        /// A message about lines of a file, with the lines.
        case excerpt(Excerpt)
        /// HTML that another type has made: a drawing, a calendar.
        case drawing(HTML)
        /// A command, ready to paste.
        case command(String)
        /// Lines to write into a policy.
        case snippet(Snippet)
        /// Blocks under a title.
        case section(Section)
    }

    package var content: Content
    package var rank: Rank
    package var room: Room
    /// The blanks before each line of a text.
    package var indent: Int

    package init(
        _ content: Content, rank: Rank = .usual, room: Room = .everywhere, indent: Int = 0
    ) {
        self.content = content
        self.rank = rank
        self.room = room
        self.indent = indent
    }

    // MARK: The kinds

    /// The block as a list; nil for another block.
    var list: List? {
        guard case .list(let list) = content else { return nil }
        return list
    }

    /// A line of a text, a paragraph of a page. A text wraps it and indents further lines by `hang`
    /// blanks; nil for the indent of the first line.
    package static func line(
        _ text: DocumentText, word: Word? = nil, citation: String? = nil, hang: Int? = nil,
        isApart: Bool = false, isWhole: Bool = false, weight: Int = 0, rank: Rank = .usual,
        room: Room = .everywhere, indent: Int = 0
    ) -> Block {
        Block(
            .line(
                Line(
                    word: word, text: text, citation: citation, hang: hang, isApart: isApart,
                    isWhole: isWhole, weight: weight)), rank: rank, room: room, indent: indent)
    }

    /// An empty line of a text. Pages keep their own distances.
    package static func gap(rank: Rank = .usual) -> Block {
        .line("", rank: rank, room: .screen)
    }

    /// A tree. Its nodes have ranks.
    package static func tree(_ tree: Tree, room: Room = .everywhere) -> Block {
        Block(.tree(tree), room: room)
    }

    /// Names with their values, one a line.
    package static func fields(
        _ rows: [Field], labels: Fields.Width = .longest(), values: Fields.Width = .free,
        rank: Rank = .usual, room: Room = .everywhere, indent: Int = 0
    ) -> Block {
        Block(
            .fields(Fields(rows: rows, labels: labels, values: values)), rank: rank, room: room,
            indent: indent)
    }

    /// A table. A text has only its rows.
    ///
    /// - Parameters:
    ///   - caption: the title of the table.
    ///   - head: the column that names the row.
    ///   - widest: the most columns that a cell of a text is padded to.
    package static func table(
        _ caption: String, _ columns: [String], _ rows: [Row], noun: Noun = .row, head: Int = 0,
        widest: Int = .max, rank: Rank = .usual, room: Room = .everywhere, indent: Int = 2
    ) -> Block {
        Block(
            .table(
                Table(
                    caption: caption, columns: columns, rows: rows, noun: noun, head: head,
                    widest: widest)),
            rank: rank, room: room, indent: indent)
    }

    /// Entries in their order, each with its blocks.
    package static func list(
        _ entries: [Entry], noun: Noun = .entry, spacing: List.Spacing = .none,
        bullet: String = "", rank: Rank = .usual, room: Room = .everywhere, indent: Int = 0
    ) -> Block {
        Block(
            .list(List(entries: entries, noun: noun, spacing: spacing, bullet: bullet)),
            rank: rank, room: room, indent: indent)
    }

    /// Entries of which a text shows only the first, and then counts the others. A page shows all.
    ///
    /// - Parameters:
    ///   - most: the number of entries in a text.
    ///   - words: the words after the number of the others.
    package static func list(
        _ entries: [Entry], onScreen most: Int, andMore words: String, noun: Noun = .entry,
        bullet: String = "", indent: Int = 0
    ) -> [Block] {
        let shown = Array(entries.prefix(most))
        let others = Cut.others(entries.count - most, after: words)
        return [
            .list(shown, noun: noun, bullet: bullet, room: .screen, indent: indent),
            .list(entries, noun: noun, room: .page),
        ] + others.map { .line(DocumentText(bullet + $0), room: .screen, indent: indent) }
    }

    /// A list of sentences for a page.
    package static func sentences(
        _ sentences: [String], noun: Noun = .entry, rank: Rank = .usual, room: Room = .page,
        indent: Int = 0
    ) -> Block {
        .list(
            sentences.map { Entry(DocumentText($0)) }, noun: noun, rank: rank, room: room,
            indent: indent)
    }

    /// HTML that another type has made.
    package static func drawing(_ drawing: HTML) -> Block { Block(.drawing(drawing), room: .page) }

    /// A command, ready to paste.
    package static func command(
        _ command: String, rank: Rank = .usual, room: Room = .everywhere, indent: Int = 0
    ) -> Block {
        Block(.command(command), rank: rank, room: room, indent: indent)
    }

    /// Lines to write into a policy, below a title that says where.
    package static func snippet(
        _ title: String, _ lines: [String], rank: Rank = .usual, room: Room = .everywhere
    ) -> Block {
        Block(.snippet(Snippet(title: title, lines: lines)), rank: rank, room: room)
    }

    /// Blocks under a title. A section without blocks is not written.
    ///
    /// - Parameter screen: the title in a text, below an empty line; nil for none.
    package static func section(
        _ id: String, _ title: String, _ blocks: [Block], screen: String? = nil,
        isFolded: Bool = false, rank: Rank = .usual, room: Room = .everywhere
    ) -> Block {
        Block(
            .section(
                Section(id: id, title: title, blocks: blocks, screen: screen, isFolded: isFolded)),
            rank: rank, room: room)
    }
}

/// A line of a text, a paragraph of a page.
package struct Line: Sendable {
    /// The word before the text. A terminal shows it unchanged, with its blanks.
    package var word: Word?
    package var text: DocumentText
    /// It may begin with a place.
    package var citation: String?
    /// The indent of further lines of a text; nil for the indent of the first line.
    package var hang: Int?
    /// Whether a text has an empty line before it.
    package var isApart: Bool
    /// Whether a text never wraps it.
    package var isWhole: Bool
    /// How many fields of the answer the line shows.
    package var weight: Int
}

/// Names with their values and places.
package struct Fields: Sendable {
    /// How wide the cells of a column are.
    package enum Width: Hashable, Sendable {
        /// Each cell has its own width, and two blanks.
        case free
        /// This number of columns, blanks included. One blank follows a longer cell.
        case fixed(Int)
        /// At least this number of columns, and two blanks.
        case least(Int)
        /// The width of the widest cell but at most `most`, and two blanks.
        case longest(most: Int = .max)
        /// The width of the widest cell; if that is more than `most`, each cell has its own width.
        /// Two blanks.
        case alike(most: Int)
    }

    package var rows: [Field]
    package var labels: Width
    package var values: Width
}

/// A name with its value: a row of `Fields`.
package struct Field: Sendable {
    package var label: String
    package var value: DocumentText
    /// The source of the value. It may begin with a place.
    package var citation: String?
    /// A shorter citation, for lines on which the whole one does not fit.
    package var briefCitation: String?
    package var rank: Rank?
    /// How many of the answer's fields the row shows.
    package var weight: Int

    /// A field. Without a rank it has the rank of its block.
    package init(
        _ label: String, _ value: DocumentText, citation: String? = nil, rank: Rank? = nil,
        weight: Int = 0
    ) {
        self.label = label
        self.value = value
        self.citation = citation
        self.rank = rank
        self.weight = weight
    }
}

/// A table. In a text every column except the last is as wide as its widest cell.
package struct Table: Sendable {
    /// The title of the table.
    package var caption: String
    package var columns: [String]
    package var rows: [Row]
    package var noun: Noun
    /// The column that names the row.
    package var head: Int
    /// The most columns that a cell of a text is padded to.
    package var widest: Int
}

/// A row of a table.
package struct Row: Sendable {
    /// The paragraphs of each cell, one cell for each column.
    package var cells: [[DocumentText]]
    /// Notes about the row. A text has them below the row, a page in the row's first cell.
    package var notes: [DocumentText]
    package var rank: Rank?
    package var id: String?

    /// A row. Without a rank it has the rank of its block.
    package init(
        _ cells: [[DocumentText]], notes: [DocumentText] = [], rank: Rank? = nil,
        id: String? = nil
    ) {
        self.cells = cells
        self.notes = notes
        self.rank = rank
        self.id = id
    }
}

/// Entries in their order, each with its blocks.
package struct List: Sendable {
    /// The place of empty lines in a text.
    package enum Spacing: Hashable, Sendable {
        case none, before, after
    }

    package var entries: [Entry]
    package var noun: Noun
    package var spacing: Spacing
    /// The mark before each entry of a text.
    package var bullet = ""
}

/// An entry of a `List`, with the blocks that belong to it.
package struct Entry: Sendable {
    /// The word before the text. A terminal shows it unchanged, with its blanks.
    package var word: Word?
    package var text: DocumentText
    /// The blanks before further lines of a text.
    package var hang: Int?
    /// It may begin with a place.
    package var citation: String?
    package var blocks: [Block]
    package var rank: Rank?
    /// A page that can be filtered shows or hides the entries that have an id.
    package var id: String?
    /// Whether a page shows only the text until its reader opens the entry.
    package var isFolded = false
    /// The number of entries around it. Each is a step to the right.
    package var depth = 0
    /// The steps to the right on a page, which has room for four.
    var stepsOnPage: Int { min(depth, 4) }

    /// An entry. If it has a rank, a text drops or keeps it as a whole.
    package init(
        word: Word? = nil, _ text: DocumentText, hang: Int? = nil, citation: String? = nil,
        _ blocks: [Block] = [], rank: Rank? = nil, id: String? = nil
    ) {
        self.word = word
        self.text = text
        self.hang = hang
        self.citation = citation
        self.blocks = blocks
        self.rank = rank
        self.id = id
    }
}

/// Lines to write into a policy. The title names the place.
package struct Snippet: Sendable {
    package var title: String
    package var lines: [String]
    /// The rank at which a text replaces the lines by `pointer`. They are not counted.
    package var rank = Rank.usual
    /// The words that replace the lines, added to the text of the node that owns them.
    package var pointer = ""
}

/// Blocks under a title.
package struct Section: Sendable {
    /// The fragment of a page's address that leads to the section.
    package var id: String
    package var title: String
    package var blocks: [Block]
    /// The title in a text; nil for none.
    package var screen: String?
    /// Whether Markdown folds it.
    package var isFolded: Bool
}

/// A message about lines of a file, with the lines, in rustc's anatomy.
///
/// ```text
/// error[HW003]: `hosts` stands twice in one map
///   --> acme.policy.yaml:9:5
///    |
///  7 |     hosts: ["api.acme.example"]
///    |     ----- first here
/// ...
///  9 |     hosts: ["www.acme.example"]
///    |     ^^^^^ again here
///    |
///    = help: delete one of the two, or join what they hold under one key
/// ```
package struct Excerpt: Sendable {
    /// `error[HW003]`; nil if an entry of a list has it.
    package var word: Word?
    package var message: String
    package var groups: [Group]
    /// `help` and `note`, with their sentences.
    package var notes: [(kind: String, text: String)]

    package init(
        word: Word?, message: String, groups: [Group], notes: [(kind: String, text: String)]
    ) {
        self.word = word
        self.message = message
        self.groups = groups
        self.notes = notes
    }

    /// The lines of one file, in their order.
    package struct Group: Sendable {
        package var path: String
        /// The line of the group's headline, from 1.
        package var line: Int
        package var column: Int
        package var lines: [MarkedLine]

        package init(path: String, line: Int, column: Int, lines: [MarkedLine]) {
            self.path = path
            self.line = line
            self.column = column
            self.lines = lines
        }
    }

    /// A line with its underlined parts.
    package struct MarkedLine: Sendable {
        /// From 1.
        package var number: Int
        /// Without its line end: a part of the file, which is not copied.
        package var octets: ArraySlice<UInt8>
        package var marks: [Mark]

        package init(number: Int, octets: ArraySlice<UInt8>, marks: [Mark]) {
            self.number = number
            self.octets = octets
            self.marks = marks
        }
    }

    /// An underlined part of a line, with its label.
    package struct Mark: Sendable {
        /// Offsets into the octets of the line.
        package var range: Range<Int>
        package var text: String
        package var isPrimary: Bool

        package init(range: Range<Int>, text: String, isPrimary: Bool) {
            self.range = range
            self.text = text
            self.isPrimary = isPrimary
        }
    }
}
