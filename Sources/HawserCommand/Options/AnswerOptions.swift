import ArgumentParser
import Rendering

/// A command that writes its answer in formats.
protocol FormattedCommand: Answering {
    associatedtype Answer: OfferedAnswer
}

/// An answer with what the help of its command needs.
protocol OfferedAnswer: FormattedAnswer {
    /// The formats in the order of the help.
    static var formats: [NamedFormat] { get }
    /// The format of a command line that names none.
    static var usual: NamedFormat { get }
    /// A remark about a format in the help of `--format`; nil if there is none.
    static var formatNote: String? { get }
    /// A word of `--output` for the help, as in `markdown=comment.md`.
    static var example: String { get }
    /// The help of an `--output FILE` without a format; nil if it is refused.
    static var plainFile: String? { get }

    /// Writes a format that is several files, or another thing than the text of its writer. False
    /// if the writer's text is the whole answer, as for most.
    ///
    /// - Parameter path: the file that was named; nil for standard output.
    func write(_ format: NamedFormat, to path: String?) throws(CommandFailure) -> Bool
}

extension OfferedAnswer {
    static var formats: [NamedFormat] { writers.formats }
    static var usual: NamedFormat { .answer(.text) }
    static var formatNote: String? {
        formats.contains(.answer(.html)) ? "html is a page for a browser" : nil
    }
    static var example: String { "json=answer.json" }
    static var plainFile: String? { nil }

    func write(_ format: NamedFormat, to path: String?) throws(CommandFailure) -> Bool { false }

    /// Why the answer makes no sense in a format; nil if nothing says so.
    static func reason(against format: NamedFormat) -> String? {
        switch format {
        case .answer(let format): return senseless[format]
        case .domain: return nil
        }
    }
}

/// How a command writes its answer: one format on standard output, and any number in files.
struct AnswerOptions<Answer: OfferedAnswer>: ParsableArguments {
    @Option(help: AnswerOptions.formatHelp)
    var format = AskedFormat<Answer>(Answer.usual)

    @Option(
        name: [.short, .customLong("output")], help: AnswerOptions.outputHelp,
        completion: .list(Answer.formats.map { "\($0.name)=" }))
    var output: [String] = []

    @Option(
        name: .customLong("color"),
        help: "Colours: auto, always or never. NO_COLOR turns auto off.")
    var colour: Report.ColourChoice = .auto

    static var formatHelp: ArgumentHelp {
        let names = Answer.formats.map(\.name)
        let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        let note = Answer.formatNote.map { "; \($0)" } ?? ""
        return ArgumentHelp("How the answer is written: \(list)\(note).")
    }

    private static var outputHelp: ArgumentHelp {
        let besides =
            "format and a file to write besides, as in \(Answer.example); may be repeated."
        return ArgumentHelp(
            Answer.plainFile.map { "\($0); or a \(besides)" } ?? "A \(besides)",
            valueName: Answer.plainFile == nil ? "format=file" : "[format=]file")
    }
}

/// A value of `--format`: a format of the answer, or one that makes no sense for it, which is
/// refused with the reason. Every other word is refused by the parser.
struct AskedFormat<Answer: OfferedAnswer>: ExpressibleByArgument {
    let named: NamedFormat

    init(_ named: NamedFormat) { self.named = named }

    init?(argument: String) {
        guard let named = NamedFormat(argument),
            Answer.formats.contains(named) || Answer.reason(against: named) != nil
        else { return nil }
        self.named = named
    }

    static var allValueStrings: [String] { Answer.formats.map(\.name) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
    var defaultValueDescription: String { named.name }
}

extension Report.ColourChoice: ExpressibleByArgument {}
