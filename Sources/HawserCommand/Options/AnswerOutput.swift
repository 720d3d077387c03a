import Hawser
import PolicyTools
import Rendering

/// Writes the answer of a command, or why it is missing, in every format of the command line.
///
/// Only the extension demands an `OfferedAnswer`. If the type demanded it, its first use would
/// search all conformances of the program, which is a fourteenth of the work of a short `lint`.
struct AnswerOutput<Answer> {
    private struct File {
        let format: NamedFormat
        let path: String
    }

    /// The format on standard output.
    let format: NamedFormat
    /// The file that `--output` names without a format.
    private(set) var plainFile: String?
    private let colour: Report.ColourChoice
    private var files: [File] = []

    /// The files that have a format.
    var paths: [String] { files.map(\.path) }
}

extension AnswerOutput where Answer: OfferedAnswer {
    init(_ options: AnswerOptions<Answer>) throws(CommandFailure) {
        try self.init(options.format.named, options.output, colour: options.colour)
    }

    /// - Parameter outputs: the values of `--output`.
    init(
        _ format: NamedFormat, _ outputs: [String], colour: Report.ColourChoice
    ) throws(CommandFailure) {
        guard Answer.formats.contains(format) else {
            throw .couldNotAsk(AnswerOutput.refusal(of: format.name))
        }
        self.format = format
        self.colour = colour
        for word in outputs {
            let file = try AnswerOutput.file(word, usual: format)
            guard !files.contains(where: { $0.path == file.path }), plainFile != file.path else {
                throw .couldNotAsk("`--output` names `\(file.path)` twice")
            }
            guard file.isPlain else {
                files.append(File(format: file.format, path: file.path))
                continue
            }
            if let plainFile {
                throw .couldNotAsk(
                    "`--output` names two files without a format, `\(plainFile)` and "
                        + "`\(file.path)`")
            }
            plainFile = file.path
        }
    }

    /// Writes the answer: the files first, so that they are there if the reader of standard output
    /// goes away. An empty text is a file without octets.
    func write(_ answer: Answer) throws(CommandFailure) {
        let failure = writeFiles(answer)
        if let plainFile {
            try AnswerOutput.write(answer, format, to: plainFile)
        } else if try !answer.write(format, to: nil) {
            let page = Report.pageSize()
            let style = AnswerStyle(
                colour: Report.colour(colour), columns: page.columns, rows: page.rows)
            let text = Answer.writers[format]?(answer, style) ?? ""
            if !text.isEmpty { try Report.print(text) }
        }
        if let failure { throw failure }
    }

    /// Writes why the answer is missing, and returns the failure for standard error. Programs that
    /// read standard output find the failure there too.
    func failed(_ failure: CommandFailure, _ answer: Answer) -> CommandFailure {
        var other: CommandFailure?
        if format == .answer(.text),
            StandardStreams.isTerminal(.output) || StandardStreams.haveOneReader
        {
            // The text is on standard error.
            other = writeFiles(answer)
        } else {
            do throws(CommandFailure) { try write(answer) } catch { other = error }
        }
        guard let other else { return failure }
        return CommandFailure(
            status: failure.status, message: "\(failure.message); \(other.message)")
    }

    /// Tries to write every file. The first that cannot be written is the failure.
    private func writeFiles(_ answer: Answer) -> CommandFailure? {
        var failure: CommandFailure?
        for file in files {
            do throws(CommandFailure) {
                try AnswerOutput.write(answer, file.format, to: file.path)
            } catch {
                failure = failure ?? error
            }
        }
        return failure
    }

    private static func write(
        _ answer: Answer, _ format: NamedFormat, to path: String
    ) throws(CommandFailure) {
        guard try !answer.write(format, to: path) else { return }
        // Files are never coloured.
        let text = Answer.writers[format]?(answer, AnswerStyle()) ?? ""
        try OutputFile.write(Array(text.utf8), to: path)
    }

    // MARK: Words of the command line

    private static func file(
        _ word: String, usual: NamedFormat
    ) throws(CommandFailure) -> (format: NamedFormat, path: String, isPlain: Bool) {
        let equals = word.utf8.firstIndex(of: 0x3D)
        let name = equals.map { String(word[..<$0]) }
        let format = name.flatMap(NamedFormat.init)
        if Answer.plainFile != nil, format == nil { return (usual, word, true) }
        guard let equals, let name else {
            throw .couldNotAsk(
                "`--output` takes a format and a file, as in `\(Answer.example)`, not `\(word)`")
        }
        guard let format, Answer.formats.contains(format) else {
            throw .couldNotAsk(refusal(of: name))
        }
        let path = String(word[word.utf8.index(after: equals)...])
        guard !path.isEmpty else {
            throw .couldNotAsk("`--output` takes a file after `\(name)=`")
        }
        return (format, path, false)
    }

    /// Why the answer is not written in a format.
    private static func refusal(of name: String) -> String {
        let formats = Answer.formats.map { "`\($0.name)`" }.joined(separator: ", ")
        let reason = NamedFormat(name).flatMap(Answer.reason)
            .map { "this answer is not written as `\(name)`, because \($0)" }
        return "\(reason ?? "`--output` knows no format `\(name)`"); the formats are \(formats)"
    }
}
