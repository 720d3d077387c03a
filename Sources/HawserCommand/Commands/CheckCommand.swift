import ArgumentParser
import Hawser
import PolicyCompiler
import PolicyTools
import Rendering

/// `hawser check`: reports what a load would refuse. Does not read the clock.
struct CheckCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Say what a load of the policy would refuse.")

    @Argument(
        help: """
            Policy files or folders; by default the unit of the current folder, or the only one below it.
            """,
        completion: .file())
    var paths: [String] = []

    @OptionGroup var output: FindingOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        try PolicyCheck.run(
            paths: paths, format: output.format, colour: Report.colour(output.colour))
    }
}

/// The work of `check`. The fast path calls it too.
enum PolicyCheck {
    static func run(
        paths: [String], format: DiagnosticFormat, colour: TraceText.Colour
    ) throws(CommandFailure) -> ExitStatus {
        let crypto = EngineLoader.crypto
        KeptUntilExit.keep(crypto)
        let compilation = try PolicySource.check(paths: paths, crypto: crypto)
        KeptUntilExit.keep(compilation)
        if format.isDocument || !compilation.diagnostics.isEmpty {
            try Report.print(
                format.render(
                    compilation.diagnostics, files: compilation.files, trees: compilation.trees,
                    colour: colour, version: HawserVersion.number))
        }
        if compilation.diagnostics.isEmpty {
            let count = compilation.files.count
            Report.progress("\(count) file\(count == 1 ? "" : "s") checked: nothing found")
        }
        return compilation.hasErrors ? .findings : .clean
    }
}
