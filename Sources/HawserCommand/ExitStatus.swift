/// What the command says to whoever started it. The output format never changes it.
enum ExitStatus: Int32 {
    /// Clean, or an accept, reported findings included.
    case clean = 0
    /// Findings, or a reject.
    case findings = 1
    /// The question could not be asked: bad usage, unreadable inputs, no connection, a policy that does
    /// not compile where an answer needs it.
    case couldNotAsk = 2
    /// No answer because of our own fault.
    case ownFault = 3
}

/// Why a command gives up, for standard error.
struct CommandFailure: Error {
    let status: ExitStatus
    /// Lower case, no full stop; not escaped yet.
    let message: String

    /// The question could not be asked.
    static func couldNotAsk(_ message: String) -> CommandFailure {
        CommandFailure(status: .couldNotAsk, message: message)
    }

    /// Our own fault.
    static func ownFault(_ message: String) -> CommandFailure {
        CommandFailure(status: .ownFault, message: message)
    }
}
