import Hawser

/// Reads files named on the command line.
enum InputFile {
    /// The word for standard input, in place of a path.
    static let standardInput = "-"

    /// Every path of standard input.
    private static let namesOfInput = [standardInput, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]

    /// The seconds in which standard input or a FIFO must end. A probe has the same time.
    static let seconds = 15

    /// The absolute path without links of a file or a folder.
    static func resolve(_ path: String) throws(CommandFailure) -> String {
        try asking { () throws(FileReadError) in try NamedPath.resolve(path) }
    }

    /// Reads a regular file.
    static func read(_ path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
        try asking { () throws(FileReadError) in
            try FileReader.read(path: path, limit: limit)
        }
    }

    /// Reads a regular file, a FIFO (for example of a process substitution), or standard input,
    /// which is `-`. This is for inputs of one question. Policies and the files that they name are
    /// regular files.
    static func readStream(_ path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
        let isInput = path == standardInput
        guard !isInput || !StandardStreams.isInputTerminal else {
            throw .couldNotAsk(
                "`-` is standard input, which is this terminal; pipe into it, as in "
                    + "`openssl s_client -showcerts -connect HOST:PORT </dev/null | hawser explain "
                    + "HOST --chain -`")
        }
        let bytes: [UInt8]
        do throws(FileReadError) {
            bytes =
                isInput
                ? try FileReader.readStream(
                    descriptor: 0, name: name(path), limit: limit, seconds: seconds)
                : try FileReader.readNamed(path: path, limit: limit, seconds: seconds)
        } catch {
            // Most often it is `openssl s_client`, which waits for typed input.
            let waits = error.context.hasSuffix("within \(seconds) seconds")
            throw .couldNotAsk(
                error.context
                    + (waits
                        ? "; a command that waits for input ends with `</dev/null` behind it" : ""))
        }
        guard !bytes.isEmpty else {
            throw .couldNotAsk(
                "\(name(path)) is empty"
                    + (isInput ? "; the command before the pipe wrote nothing" : "")
            )
        }
        return bytes
    }

    /// A path as messages name it.
    static func name(_ path: String) -> String {
        path == standardInput ? "standard input" : "`\(path)`"
    }

    /// Refuses a second `-`: standard input can be read once. `given` has every option that reads a
    /// file, with its values.
    static func refuseSecondInput(_ given: [(String, [String])]) throws(CommandFailure) {
        let options = given.flatMap { option, values in
            values.filter { namesOfInput.contains($0) }.map { _ in option }
        }
        guard options.count > 1 else { return }
        let both =
            options[0] == options[1]
            ? "`\(options[0])` twice" : "`\(options[0])` and `\(options[1])`"
        throw .couldNotAsk(
            "\(both) would read standard input, which is read once; give files for the others")
    }
}
