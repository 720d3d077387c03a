import PolicyTools

/// Why a command ends without an answer, for standard error.
struct CommandFailure: Error {
    let status: ExitStatus
    /// What happened, without the words that say what was not done. Lower case, no full stop. Not
    /// escaped.
    let reason: String
    /// What was not done. The message says so first. Nil where the reason says it.
    private let undone: String?

    /// - Parameter undone: what was not done, for the beginning of the message.
    init(status: ExitStatus, message: String, undone: String? = nil) {
        self.status = status
        reason = message
        self.undone = undone
    }

    /// A question about policies has no answer.
    init(_ failure: AnswerFailure, undone: String? = nil) {
        self.init(
            status: failure.isOurs ? .ownFault : .couldNotAsk, message: failure.context,
            undone: undone)
    }

    /// The sentence for standard error. Lower case, no full stop. Not escaped.
    var message: String { undone.map { "\($0): \(reason)" } ?? reason }

    /// The same for the report that a question has no answer.
    var answerFailure: AnswerFailure { AnswerFailure(reason, isOurs: status == .ownFault) }

    /// The question could not be asked.
    static func couldNotAsk(_ message: String) -> CommandFailure {
        CommandFailure(status: .couldNotAsk, message: message)
    }

    /// A fault of ours.
    static func ownFault(_ message: String) -> CommandFailure {
        CommandFailure(status: .ownFault, message: message)
    }
}
