import ArgumentParser
import Hawser
import PolicyTools
import Rendering

/// `hawser inspect`: what a table file holds.
struct InspectCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show what a table file holds.",
        discussion: "A file that is truncated or altered is refused, with the reason.")

    @Argument(help: "The table file.", completion: .file())
    var file: String

    @OptionGroup var output: OutputOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        let table = try PolicySource.decode(file)
        switch output.format {
        case .text:
            try Report.print(TableText.render(table, crypto: EngineLoader.crypto))
        case .json:
            try Report.print(TableText.renderJSON(table, crypto: EngineLoader.crypto))
        }
        return .clean
    }
}
