import ArgumentParser
import Rendering

/// The table of answers and formats: a row for each command that writes its answer in formats.
enum AnswerTable {
    struct Row: Sendable {
        let command: String
        /// The formats in which the answer is written.
        let formats: [NamedFormat]
        /// The formats that make no sense for it, each with the reason.
        let senseless: [AnswerFormat: String]
    }

    static let rows = CommandTree.configuration.subcommands.compactMap { command -> Row? in
        (command as? any FormattedCommand.Type).map { row($0) }
    }

    private static func row<Command: FormattedCommand>(_ command: Command.Type) -> Row {
        Row(
            command: command.configuration.commandName ?? "", formats: Command.Answer.formats,
            senseless: Command.Answer.senseless)
    }
}
