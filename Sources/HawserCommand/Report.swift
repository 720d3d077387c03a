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
    static func colour(_ choice: ColourChoice) -> TraceText.Colour {
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
            progress("error: " + error.message)
            return error.status
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
