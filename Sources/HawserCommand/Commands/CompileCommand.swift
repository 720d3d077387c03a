import ArgumentParser
import Hawser
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// `hawser compile`: a unit becomes a table file.
struct CompileCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "compile", abstract: "Compile a policy into a table file.",
        discussion: "The same policy gives the same bytes, wherever and whenever it is compiled.")

    @Argument(help: "Policy files or a folder.", completion: .file())
    var unit: [String]

    @Option(
        name: [.short, .customLong("output")], help: "The table file to write.",
        completion: .file())
    var output: String

    @Flag(
        name: .customLong("no-provenance"),
        help: "Leave out the files and lines that explain and show cite.")
    var dropsProvenance = false

    @Option(
        name: .customLong("color"),
        help: "Colours: auto, always or never. NO_COLOR turns auto off.")
    var colour: Report.ColourChoice = .auto

    func answer() throws(CommandFailure) -> ExitStatus {
        let compilation = try PolicySource.compile(paths: unit)
        guard let compiled = compilation.table else {
            try Report.print(
                DiagnosticText(files: compilation.files, colour: Report.colour(colour))
                    .render(compilation.diagnostics))
            return .findings
        }
        if !compilation.diagnostics.isEmpty {
            StandardStreams.write(
                DiagnosticText(files: compilation.files, colour: .plain)
                    .render(compilation.diagnostics),
                to: .error)
        }
        let table =
            dropsProvenance
            ? compiled.withoutProvenance(crypto: EngineLoader.crypto) : compiled
        do throws(OutputFile.Problem) {
            try OutputFile.replace(output, with: table.bytes)
        } catch {
            throw .couldNotAsk(error.context)
        }
        try Report.print(
            "policy digest \(table.policyDigest.text)\nfile digest \(table.fileDigest.text)\n")
        return .clean
    }
}
