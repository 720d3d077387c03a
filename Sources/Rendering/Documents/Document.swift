/// An answer in the order in which its reader gets it, without a format. The answer makes the
/// document, and a writer (`Rendering/Writers`) writes it. Writers do not know answers; answers do
/// not know formats.
///
/// To present an answer, write one function from the answer to a document:
///
/// ```swift
/// var document = Document(kind: "forecast", version: version)
/// document.headline = Headline("acme", words: [.bad("2 rejects")], lead: "two dates draw near")
/// document.blocks = [
///     .line("what follows from `acme` in 90 days", room: .screen),   // text alone: no heading
///     .section("changes", "What changes", [
///         .list([
///             Entry(word: .bad("rejects"), "pin set `api` ends", citation: "policy.yaml:9:5", [
///                 .fields([Field("owner", Text(owner)), Field("hosts", .code(host))], indent: 6)
///             ])
///         ], noun: .entry)
///     ]),
///     .section("chains", "Chains", [.table(caption, ["verdict", "host"], rows)], room: .page),
/// ]
/// document.findings.results = changes.map { Finding(...) }           // SARIF and GitHub
/// document.suites = Suites(...)                                       // JUnit
/// document.command = "hawser forecast acme"                           // shows all of it
/// ```
///
/// Then `TextWriter`, `MarkdownWriter`, `HTMLWriter`, `SARIFWriter`, `GitHubWriter` or
/// `JUnitWriter` writes it: `.write(document)`. A sentence is a `String` with user text in
/// backticks; other text is `.plain`, `.code`, `.place` or `.word` (`DocumentText`). The document
/// has raw text: the writer escapes it. A block for a terminal is in the room `.screen`, a block
/// for Markdown and HTML in `.page`. The document has whole lists: a writer cuts them by `Rank`,
/// and counts the rest. If a screen has a shorter list than a page, `Cut` makes it.
package struct Document: Sendable {
    /// The command that answers: `explain`.
    package var kind: String
    /// The name of the tool in annotations and suites: `hawser explain`.
    package var name: String
    /// The version of the tool, by Semantic Versioning.
    package var version: String
    /// The title of a page; nil for the kind, followed by the title of the headline.
    package var title: String?
    /// The heading of Markdown and HTML. A text shows it only if a block repeats it.
    package var headline: Headline
    package var blocks: [Block] = []
    /// Facts about the whole answer. A page shows them last.
    package var footer: [Field] = []
    package var findings = Findings()
    /// Nil for an answer without cases.
    package var suites: Suites?
    /// The policy files to which places and citations of the document refer.
    package var sources: [PolicySourceFile] = []
    /// The lines of a policy file that a page shows: all of a file of at most `longest` lines, and
    /// of a longer one each cited line with `around` lines before and after it.
    package var sourceLines = (longest: 200, around: 6)
    /// An example for the box that filters the rows of a page; nil for a page without one.
    package var filter: String?
    /// The command that shows all of the answer.
    package var command: String?
    /// The marker by which a program finds the comment of an earlier run: a name that Hawser
    /// chooses, and the subject of the answer. Nil if no program looks for the comment.
    package var marker: (name: String, subject: String?)?
    /// How lines of a text are wrapped.
    package var wrapping = Wrapping.none
    /// The last line of a text that was cut.
    package var closing = Closing.none

    /// An empty document.
    ///
    /// - Parameters:
    ///   - kind: the command that answers.
    ///   - name: the name of the tool in annotations and suites; nil for `hawser KIND`.
    package init(kind: String, name: String? = nil, version: String) {
        self.kind = kind
        self.name = name ?? "hawser \(kind)"
        self.version = version
        headline = Headline("")
    }
}

/// The heading of a page.
package struct Headline: Sendable {
    /// The subject of the answer, or the answer itself.
    package var title: String
    /// The answer in a few words: `reject`, `3 weaker`.
    package var words: [Word]
    /// The answer in a sentence.
    package var lead: String?
    /// The facts of the question: the rule, the time.
    package var fields: [Field]

    package init(
        _ title: String, words: [Word] = [], lead: String? = nil, fields: [Field] = []
    ) {
        self.title = title
        self.words = words
        self.lead = lead
        self.fields = fields
    }
}

/// The judgement that a word expresses. The text has the whole meaning; a colour only repeats it.
package enum Tone: Hashable, Sendable {
    case plain, good, bad, warn, soft
}

/// A word that may be coloured.
package struct Word: Hashable, Sendable {
    package var text: String
    package var tone: Tone

    package init(_ text: String, _ tone: Tone = .plain) {
        self.text = text
        self.tone = tone
    }

    package static func good(_ text: String) -> Word { Word(text, .good) }
    package static func bad(_ text: String) -> Word { Word(text, .bad) }
    package static func warn(_ text: String) -> Word { Word(text, .warn) }
    package static func soft(_ text: String) -> Word { Word(text, .soft) }
}

/// The formats that show a block.
package enum Room: Hashable, Sendable {
    case everywhere
    /// A terminal: `text`.
    case screen
    /// A page that is scrolled: `html`, and `markdown` as far as its octets reach.
    case page
}

/// How important a part of a document is. If space is short, a writer drops the parts with the
/// greatest order first.
package struct Rank: Hashable, Comparable, Sendable {
    package let order: Int
    /// Whether it stays on a page of any height.
    package let isNeeded: Bool
    /// The words that count dropped parts of this rank; nil if they are not counted.
    package let noun: Noun?

    package init(_ order: Int, isNeeded: Bool = false, noun: Noun? = nil) {
        self.order = order
        self.isNeeded = isNeeded
        self.noun = noun
    }

    package static func < (left: Rank, right: Rank) -> Bool { left.order < right.order }

    /// The rank of parts that a writer never drops.
    package static let needed = Rank(0, isNeeded: true)
    /// The rank of a part for which the answer does not choose one.
    package static let usual = Rank(50)
    /// The rank of parts that a writer drops first.
    package static let last = Rank(100)
}

/// The words for one thing and for several.
package struct Noun: Hashable, Sendable {
    package let one: String
    package let many: String

    package init(_ one: String, _ many: String) {
        self.one = one
        self.many = many
    }

    package static let entry = Noun("entry", "entries")
    package static let row = Noun("row", "rows")

    /// A number of these things.
    package func count(_ number: Int) -> String { Words.count(number, one, many) }
}

/// How the lines of a text are wrapped to the columns of its page.
package enum Wrapping: Hashable, Sendable {
    case none
    /// Every line fits; a word that is longer than a line breaks wherever the line ends.
    case columns
    /// A word that is longer than a line stays whole, so that it can be copied.
    case words
    /// A line that is too long is cut, unless it has a `hang`. A field shows its `briefCitation` if
    /// the whole citation does not fit.
    case clipped
}

/// The last line of a text whose height is limited.
package enum Closing: Sendable {
    case none
    /// The parts that the answer hides, then a count of the parts that did not fit: `3 checks
    /// passed; no room for 2 notes; COMMAND shows everything`. `pointer` ends the line.
    case counted([String], pointer: String)
    /// The number of hidden fields, and the command that shows them; `short` replaces the command
    /// if the line would be too long. `all` is the number of all fields.
    case fields(all: Int, command: String, short: String)
}
