/// An answer that is written in formats: its row of the table of answers and formats.
package protocol FormattedAnswer {
    /// The formats of the answer in the order of the help, each with its writer.
    static var writers: FormatWriters<Self> { get }

    /// The formats that make no sense for the answer, each with the reason, as it stands behind
    /// `because`.
    static var senseless: [AnswerFormat: String] { get }
}

extension FormattedAnswer {
    package static var senseless: [AnswerFormat: String] { [:] }
}

/// How an answer may look where it is read. Only texts use it.
package struct AnswerStyle: Sendable {
    package let colour: TextWriter.Colour
    package let columns: Int
    /// The rows of the screen; nil for a file or a pipe, which have no end.
    package let rows: Int?

    package init(colour: TextWriter.Colour = .plain, columns: Int = 100, rows: Int? = nil) {
        self.colour = colour
        self.columns = columns
        self.rows = rows
    }
}

/// The writers of an answer, one for each of its formats. The list is the list of its formats, so
/// that no format is offered that nothing writes.
package struct FormatWriters<Answer>: Sendable {
    /// Writes the answer. The text is escaped for its format.
    package typealias Write = @Sendable (_ answer: Answer, _ style: AnswerStyle) -> String

    private let all: [(format: NamedFormat, write: Write)]

    package init(_ all: KeyValuePairs<NamedFormat, Write>) {
        self.all = all.map { (format: $0.key, write: $0.value) }
    }

    /// The formats, in the order of the help.
    package var formats: [NamedFormat] { all.map { $0.format } }

    /// The writer of a format; nil if the answer does not have the format.
    package subscript(_ format: NamedFormat) -> Write? {
        all.first { $0.format == format }?.write
    }
}
