import ArgumentParser

/// A command that ends with one of our exit statuses.
protocol Answering: ParsableCommand {
    func answer() throws(CommandFailure) -> ExitStatus
}

extension Answering {
    mutating func run() throws {
        let command = self
        throw Finished(
            status: Report.answer { () throws(CommandFailure) in try command.answer() })
    }
}

/// Carries a command's exit status through the argument parser.
struct Finished: Error {
    let status: ExitStatus
}
