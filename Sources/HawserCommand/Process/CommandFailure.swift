import PolicyTools

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
