import PolicyTools
import Rendering

/// Writes answers to standard output and everything else to standard error. Untrusted text is
/// escaped.
enum Report {
    /// The value of `--color`.
    enum ColourChoice: String, CaseIterable {
        case auto, always, never
    }

    /// Whether to use colour. `NO_COLOR`, and output that is not a terminal, turn it off unless
    /// colour was asked for.
    static func colour(_ choice: ColourChoice) -> TextWriter.Colour {
        switch choice {
        case .always: return .terminal
        case .never: return .plain
        case .auto:
            // https://no-color.org: set and not empty, with any value.
            if let value = StandardStreams.environment("NO_COLOR"), !value.isEmpty {
                return .plain
            }
            if StandardStreams.environment("TERM") == "dumb" { return .plain }
            return StandardStreams.isTerminal(.output) ? .terminal : .plain
        }
    }

    /// Runs a command's work and reports its failure.
    static func answer(_ work: () throws(CommandFailure) -> ExitStatus) -> ExitStatus {
        do throws(CommandFailure) {
            return try work()
        } catch {
            failure(error.message, error.status)
            return error.status
        }
    }

    /// Reports why the answer is missing: on standard error, and as a document on standard output
    /// where the answer was asked for as JSON.
    static func failure(_ message: String, _ status: ExitStatus) {
        progress("error: " + message)
        document(message, status)
    }

    /// The document of an error (`grammar/error.schema.json`), where JSON was asked for and nothing
    /// was printed yet.
    static func document(_ message: String, _ status: ExitStatus) {
        guard isJSONAsked(StandardStreams.arguments.dropFirst()),
            !StandardStreams.hasWrittenOutput
        else { return }
        let document = JSONValue.object([
            "schema": "hawser/error/1", "error": message, "status": status.rawValue,
        ])
        StandardStreams.write(document.render(pretty: true) + "\n", to: .output)
    }

    /// Whether a command line asks for JSON. It is read from the words themselves: a command line
    /// that the parser refuses is to be answered as well.
    static func isJSONAsked(_ arguments: some Collection<String>) -> Bool {
        var format: String?
        var isValue = false
        for argument in arguments {
            if isValue {
                format = argument
                isValue = false
            } else if argument == "--" {
                break
            } else if argument == "--format" {
                isValue = true
            } else if argument.hasPrefix("--format=") {
                format = String(argument.dropFirst("--format=".count))
            }
        }
        return format == "json"
    }

    /// How large a text on standard output may be: the size of the terminal if it is one, the width
    /// of files and pipes otherwise. One row is left for the prompt that follows.
    static func pageSize() -> (columns: Int, rows: Int?) {
        guard StandardStreams.isTerminal(.output) else { return (100, nil) }
        let window = StandardStreams.windowSize(.output)
        let columns = askedColumns ?? window?.columns ?? 80
        let rows = number("LINES") ?? window?.rows ?? 24
        return (columns, max(1, rows - 1))
    }

    /// What `COLUMNS` asks for; nil where it is not set.
    static var askedColumns: Int? { number("COLUMNS") }

    /// A positive number of the environment.
    private static func number(_ name: String) -> Int? {
        StandardStreams.environment(name).flatMap { Int(decimalDigits: $0) }.flatMap {
            (1...10_000).contains($0) ? $0 : nil
        }
    }

    /// Writes the answer.
    static func print(_ text: String) throws(CommandFailure) {
        guard StandardStreams.write(text, to: .output) else {
            throw .couldNotAsk("standard output cannot be written")
        }
    }

    /// Writes the answer's bytes unchanged.
    static func print(bytes: [UInt8]) throws(CommandFailure) {
        guard StandardStreams.write(bytes: bytes, to: .output) else {
            throw .couldNotAsk("standard output cannot be written")
        }
    }

    /// Writes a line for the person at the terminal, to standard error.
    static func progress(_ line: String) {
        StandardStreams.write(TerminalEscape.escape(line) + "\n", to: .error)
    }
}
