import ArgumentParser
import Hawser
import PolicyTools
import Rendering

/// A format of a command that can write its answer in several formats in one run.
protocol AnswerFormat: ExpressibleByArgument, CaseIterable, Equatable, RawRepresentable, Sendable
where RawValue == String {
    /// The format for a terminal, which is the default.
    static var text: Self { get }
    /// A word of `--output` for the help, as in `markdown=comment.md`.
    static var outputExample: String { get }
}

/// Where a command writes its answer: one format on standard output, and any number in files.
struct FormatOptions<Format: AnswerFormat>: ParsableArguments {
    @Option(help: FormatOptions.formatHelp)
    var format: Format = .text

    @Option(
        help: FormatOptions.outputHelp,
        completion: .list(Format.allCases.map { "\($0.rawValue)=" }))
    var output: [String] = []

    private static var formatHelp: ArgumentHelp {
        let names = Format.allCases.map(\.rawValue)
        let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        return ArgumentHelp("How the answer is written: \(list).")
    }

    private static var outputHelp: ArgumentHelp {
        ArgumentHelp(
            "A format and a file to write besides, as in \(Format.outputExample); may be repeated.",
            valueName: "format=file")
    }
}

/// Writes what a command has to say, or that it has nothing to say, in every format that was asked
/// for.
struct FormatOutput<Format: AnswerFormat> {
    /// Writes an answer in a format. Files are never coloured.
    typealias Renderer = (_ format: Format, _ colour: TextWriter.Colour) -> String

    private struct File {
        let format: Format
        let path: String
    }

    private let format: Format
    private let colour: Report.ColourChoice
    private let files: [File]

    init(
        _ options: FormatOptions<Format>, colour: Report.ColourChoice
    ) throws(CommandFailure) {
        format = options.format
        self.colour = colour
        var files: [File] = []
        for word in options.output {
            let file = try FormatOutput.file(word)
            guard !files.contains(where: { $0.path == file.path }) else {
                throw .couldNotAsk("`--output` names `\(file.path)` twice")
            }
            files.append(file)
        }
        self.files = files
    }

    private static func file(_ word: String) throws(CommandFailure) -> File {
        guard let equals = word.utf8.firstIndex(of: 0x3D) else {
            throw .couldNotAsk(
                "`--output` takes a format and a file, as in `\(Format.outputExample)`, not `\(word)`"
            )
        }
        let name = String(word[..<equals])
        let path = String(word[word.utf8.index(after: equals)...])
        guard let format = Format(rawValue: name) else {
            throw .couldNotAsk(
                "`--output` knows no format `\(name)`; the formats are "
                    + Format.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "))
        }
        guard !path.isEmpty else {
            throw .couldNotAsk("`--output` takes a file after `\(name)=`")
        }
        return File(format: format, path: path)
    }

    /// Writes the answer: the files first, so that they are there if the reader of standard output
    /// goes away.
    func write(_ render: Renderer) throws(CommandFailure) {
        let failure = writeFiles(render)
        try Report.print(render(format, Report.colour(colour)))
        if let failure { throw failure }
    }

    /// Writes why the answer is missing, and returns the failure for standard error. Programs that
    /// read standard output find the failure there too.
    func failed(_ failure: CommandFailure, _ render: Renderer) -> CommandFailure {
        var other: CommandFailure?
        if format == .text,
            StandardStreams.isTerminal(.output) || StandardStreams.haveOneReader
        {
            // The text is on standard error.
            other = writeFiles(render)
        } else {
            do throws(CommandFailure) { try write(render) } catch { other = error }
        }
        guard let other else { return failure }
        return CommandFailure(
            status: failure.status, message: "\(failure.message); \(other.message)")
    }

    /// Tries to write every file. The first that cannot be written is the failure.
    private func writeFiles(_ render: Renderer) -> CommandFailure? {
        var failure: CommandFailure?
        for file in files {
            do throws(OutputFile.Problem) {
                try OutputFile.replace(file.path, with: Array(render(file.format, .plain).utf8))
            } catch {
                failure = failure ?? .couldNotAsk(error.context)
            }
        }
        return failure
    }
}
