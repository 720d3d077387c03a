import PolicyTools

extension CommandFailure {
    /// Policies were to be compared and were not.
    static func notCompared(
        _ reason: String, status: ExitStatus = .couldNotAsk
    ) -> CommandFailure {
        CommandFailure(status: status, message: reason, undone: DiffReport.undone)
    }

    /// The comparison has no answer.
    static func notCompared(_ failure: AnswerFailure) -> CommandFailure {
        CommandFailure(failure, undone: DiffReport.undone)
    }

    /// A revision or a folder cannot be read.
    static func notCompared(_ problem: NotCompared) -> CommandFailure {
        .notCompared(problem.context)
    }
}

extension NotCompared {
    /// A policy cannot be read or does not compile.
    init(_ failure: CommandFailure) { self.init(.noPolicy, failure.message) }
}
