import ArgumentParser
import PolicyCompiler
import PolicyTools

/// `hawser check`: what a load would refuse. Reads no clock.
struct CheckCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Say what a load of the policy would refuse.")

    @Argument(help: "Policy files or folders; by default the unit of the current folder.")
    var paths: [String] = []

    @OptionGroup var output: OutputOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        try PolicyCheck.run(
            paths: paths, format: output.format, colour: Report.colour(output.colour))
    }
}

/// The work of `check`, which the fast path calls too.
enum PolicyCheck {
    static func run(
        paths: [String], format: OutputFormat, colour: TraceText.Colour
    ) throws(CommandFailure) -> ExitStatus {
        let compilation = try PolicySource.compile(paths: paths)
        switch format {
        case .text:
            if !compilation.diagnostics.isEmpty {
                try Report.print(
                    DiagnosticText(files: compilation.files, colour: colour)
                        .render(compilation.diagnostics))
            }
        case .json:
            try Report.print(
                DiagnosticJSON.value(compilation.diagnostics, files: compilation.files)
                    .render(pretty: true) + "\n")
        }
        if compilation.diagnostics.isEmpty {
            let count = compilation.files.count
            Report.progress("\(count) file\(count == 1 ? "" : "s") checked: nothing found")
        }
        return compilation.hasErrors ? .findings : .clean
    }
}
