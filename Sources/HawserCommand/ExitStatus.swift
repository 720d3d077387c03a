import PolicyTools

/// The exit status of the command. The output format never changes it.
enum ExitStatus: Int32 {
    /// No findings, or an accept, even with reported violations.
    case clean = 0
    /// Findings, or a reject.
    case findings = 1
    /// The question could not be asked: wrong usage, inputs that cannot be read, no connection, or
    /// a policy that does not compile where an answer needs it.
    case couldNotAsk = 2
    /// A fault of ours prevented the answer.
    case ownFault = 3
    /// `diff --detailed-exitcode`: the new policy is stricter, and nowhere weaker.
    case stricter = 10
    /// `diff --detailed-exitcode`: the new policy is weaker for at least one class of hosts.
    case weaker = 11
    /// `diff --detailed-exitcode`: no class is weaker, and at least one is incomparable.
    case incomparable = 12
    /// `run`: the program was not started, because of a fault of ours or of the command line. This
    /// status and the next two are as in `env`; common programs do not use them.
    case runFailed = 125
    /// `run`: the program cannot be judged, or the system does not execute it.
    case notStarted = 126
    /// `run`: the program was not found.
    case notFound = 127
}

/// Why a command ends without an answer, for standard error.
struct CommandFailure: Error {
    let status: ExitStatus
    /// What happened, without the words that say what was not done. Lower case, no full stop. Not
    /// escaped.
    let reason: String
    /// Whether policies were to be compared and were not. The message says so first.
    let isNotCompared: Bool

    init(status: ExitStatus, message: String) {
        self.status = status
        reason = message
        isNotCompared = false
    }

    private init(notCompared reason: String, status: ExitStatus) {
        self.status = status
        self.reason = reason
        isNotCompared = true
    }

    /// The sentence for standard error. Lower case, no full stop. Not escaped.
    var message: String {
        isNotCompared ? DiffReport.sentence(AnswerFailure(reason)) : reason
    }

    /// Policies were to be compared and were not.
    static func notCompared(
        _ reason: String, status: ExitStatus = .couldNotAsk
    ) -> CommandFailure {
        CommandFailure(notCompared: reason, status: status)
    }

    /// The question could not be asked.
    static func couldNotAsk(_ message: String) -> CommandFailure {
        CommandFailure(status: .couldNotAsk, message: message)
    }

    /// A fault of ours.
    static func ownFault(_ message: String) -> CommandFailure {
        CommandFailure(status: .ownFault, message: message)
    }
}
