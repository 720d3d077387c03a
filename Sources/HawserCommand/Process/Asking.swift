import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools

/// Runs work of another part of the program. An error of that part becomes the command's failure,
/// in the error's own words.
@discardableResult
func asking<Value, Problem: CommandProblem>(
    _ work: () throws(Problem) -> Value
) throws(CommandFailure) -> Value {
    do throws(Problem) {
        return try work()
    } catch {
        throw error.failure
    }
}

/// An error of another part that becomes the failure of a command.
protocol CommandProblem: Error {
    var failure: CommandFailure { get }
}

/// An error that says in `context` why a command cannot ask.
protocol ProblemInContext: CommandProblem {
    /// Lower case, no full stop.
    var context: String { get }
}

extension ProblemInContext {
    var failure: CommandFailure { .couldNotAsk(context) }
}

extension EvidenceFolderProblem: ProblemInContext {}
extension FileReadError: ProblemInContext {}
extension GrowingFile.Problem: ProblemInContext {}
extension NamedKeyProblem: ProblemInContext {}
extension OutputFile.Problem: ProblemInContext {}
extension ResourceError: ProblemInContext {}
extension UnitLoadError: ProblemInContext {}

extension AnswerFailure: CommandProblem {
    var failure: CommandFailure { CommandFailure(self) }
}

extension ScalarProblem: CommandProblem {
    var failure: CommandFailure { .couldNotAsk(message) }
}
