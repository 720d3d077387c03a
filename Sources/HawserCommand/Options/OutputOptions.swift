import ArgumentParser
import PolicyTools

/// The value of `--format`.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

extension Report.ColourChoice: ExpressibleByArgument {}
extension DiagnosticFormat: ExpressibleByArgument {}

/// The options of every command that prints diagnostics.
struct FindingOptions: ParsableArguments {
    @Option(
        help: "How findings are written; html is a page for a browser.")
    var format: DiagnosticFormat = .text

    @Option(
        name: .customLong("color"),
        help: "Colours: auto, always or never. NO_COLOR turns auto off.")
    var colour: Report.ColourChoice = .auto
}

/// The options of every command that prints an answer.
struct OutputOptions: ParsableArguments {
    @Option(help: "How the answer is written: text or json.")
    var format: OutputFormat = .text

    @Option(
        name: .customLong("color"),
        help: "Colours: auto, always or never. NO_COLOR turns auto off.")
    var colour: Report.ColourChoice = .auto
}
