/// The files of `--output FORMAT=FILE`, which may be repeated.
struct FormatFiles<Format: RawRepresentable & CaseIterable> where Format.RawValue == String {
    private struct File {
        let format: Format
        let path: String
    }

    private let files: [File]

    /// Reads the words of the option. No file may be named twice.
    init(_ words: [String]) throws(CommandFailure) {
        var files: [File] = []
        for word in words {
            let file = try FormatFiles.file(word)
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
                "`--output` takes a format and a file, as in `markdown=comment.md`, not `\(word)`")
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

    /// Tries to write every file. The first that cannot be written is the failure.
    func write(_ text: (Format) -> String) -> CommandFailure? {
        var failure: CommandFailure?
        for file in files {
            do throws(OutputFile.Problem) {
                try OutputFile.replace(file.path, with: Array(text(file.format).utf8))
            } catch {
                failure = failure ?? .couldNotAsk(error.context)
            }
        }
        return failure
    }
}
