/// An answer as its reader is told it, in no format. The answer makes the document, and a writer
/// (`Rendering/Writers`) writes it: no writer knows an answer, and no answer knows a format.
///
/// To tell an answer, write one function from the answer to a document:
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
/// document.command = "hawser forecast acme"                           // what shows all of it
/// ```
///
/// Then `TextWriter`, `MarkdownWriter`, `HTMLWriter`, `SARIFWriter`, `GitHubWriter` or
/// `JUnitWriter` writes it: `.write(document)`. A sentence is a `String` in which user text stands
/// in backticks; text that is no sentence is `.plain`, `.code`, `.place` or `.word`
/// (`DocumentText`). No text is escaped: the writer does that. A block for a terminal is in the
/// room `.screen`, a block for Markdown and HTML in `.page`. Lists are whole: a writer cuts them by
/// `Rank`, and counts the rest. Where a screen has a shorter list than a page, `Cut` makes it.
package struct Document: Sendable {
    /// The command that answers: `explain`.
    package var kind: String
    /// The name under which annotations and suites stand: `hawser explain`.
    package var name: String
    /// The version of the tool, by Semantic Versioning.
    package var version: String
    /// The title of a page; nil for the kind with the headline.
    package var title: String?
    /// What Markdown and HTML open with. A text has it as a line of its own where it wants it.
    package var headline: Headline
    package var blocks: [Block] = []
    /// Facts about the answer as a whole that stand below everything, on a page.
    package var footer: [Field] = []
    package var findings = Findings()
    /// Nil for an answer that has no cases.
    package var suites: Suites?
    /// The files that places and citations of the document are in.
    package var sources: [PolicySourceFile] = []
    /// The command that shows all of the answer.
    package var command: String?
    /// What a program finds the comment of an earlier run by: a name of ours, and what the answer
    /// is about. Nil where there is no such program.
    package var marker: (name: String, subject: String?)?
    /// How lines of a text are wrapped.
    package var wrapping = Wrapping.none
    /// The last line of a text that was cut.
    package var closing = Closing.none

    /// An empty document.
    ///
    /// - Parameters:
    ///   - kind: the command that answers.
    ///   - name: the name under which annotations and suites stand; nil for `hawser KIND`.
    package init(kind: String, name: String? = nil, version: String) {
        self.kind = kind
        self.name = name ?? "hawser \(kind)"
        self.version = version
        headline = Headline("")
    }
}

/// What an answer opens with where it has a heading.
package struct Headline: Sendable {
    /// What the answer is about, or the answer itself.
    package var title: String
    /// The answer in a word or a few: `reject`, `3 weaker`.
    package var words: [Word]
    /// The answer in a sentence.
    package var lead: String?
    /// Who asked for what: the rule, the time.
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

/// What a word says of a thing. No meaning depends on a colour alone.
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

/// Where a block has a place.
package enum Room: Hashable, Sendable {
    case everywhere
    /// A terminal: `text`.
    case screen
    /// A page that is scrolled: `html`, and `markdown` as far as its octets reach.
    case page
}

/// What a block or a part of one is for, and so how long it stays where there is little room. What
/// has the greatest order is left out first.
package struct Rank: Hashable, Comparable, Sendable {
    package let order: Int
    /// Whether it stays on a page of any height.
    package let isNeeded: Bool
    /// The words by which what was left out is counted; nil for what is not counted.
    package let noun: Noun?

    package init(_ order: Int, isNeeded: Bool = false, noun: Noun? = nil) {
        self.order = order
        self.isNeeded = isNeeded
        self.noun = noun
    }

    package static func < (left: Rank, right: Rank) -> Bool { left.order < right.order }

    /// What is never left out.
    package static let needed = Rank(0, isNeeded: true)
    /// What answers ask of no page in particular.
    package static let usual = Rank(50)
    /// What goes first.
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
    package func count(_ number: Int) -> String { "\(number) \(number == 1 ? one : many)" }
}

/// How the lines of a text are wrapped to the columns of its page.
package enum Wrapping: Hashable, Sendable {
    case none
    /// Every line fits; a word that is longer than a line breaks wherever the line ends.
    case columns
    /// A word that is longer than a line stays whole, so that it can be copied.
    case words
    /// What does not fit is cut from the line, unless the line says where it hangs. Fields have a
    /// shorter place where the whole one has no room.
    case clipped
}

/// The last line of a text that has a height.
package enum Closing: Sendable {
    case none
    /// What is not shown by intent, and then what had no room: `3 checks passed; no room for 2
    /// notes; COMMAND shows everything`. `pointer` ends the line.
    case counted([String], pointer: String)
    /// How many fields are not shown, and the command that shows them, in a shorter form where the
    /// whole one has no room. `all` is the number of fields that there are.
    case fields(all: Int, command: String, short: String)
}
