import ArgumentParser
import CProgramStart
import Hawser
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// `hawser compile`: turns a unit into a table file.
struct CompileCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "compile", abstract: "Compile a policy into a table file.",
        discussion: """
            The same policy gives the same bytes, wherever and whenever it is compiled. `--revision` and \
            `--sign-key` write it as `hawser sign` would; what is signed states when it was issued, so give \
            `--issued` for the same bytes.
            """)

    @Argument(
        help: """
            Policy files or a folder; by default the unit of the current folder, or the only one below it.
            """,
        completion: .file())
    var unit: [String] = []

    @Option(
        name: [.short, .customLong("output")], help: "The table file to write.",
        completion: .file())
    var output: String

    @Flag(
        name: .customLong("no-provenance"),
        help: "Leave out the files and lines that explain and show cite.")
    var dropsProvenance = false

    @Option(help: "A revision: higher than that of the table that this one is to replace.")
    var revision: UInt64?

    @OptionGroup(title: "With `--revision`") var dates: TableTermsOptions

    @Option(
        name: .customLong("sign-key"), help: "A file with the private key to sign with, PEM.",
        completion: .file())
    var signKey: String?

    @Option(
        name: .customLong("color"),
        help: "Colours: auto, always or never. NO_COLOR turns auto off.")
    var colour: Report.ColourChoice = .auto

    func answer() throws(CommandFailure) -> ExitStatus {
        guard signKey == nil || revision != nil else {
            throw .couldNotAsk("what is signed has a revision; give it one, `--revision N`")
        }
        if revision == nil, let option = dates.firstGiven {
            throw .couldNotAsk("`\(option)` is for `--revision`")
        }
        hawser_start_return_large_memory()
        let (files, diagnostics, made) = CompilerPipeline.compileTable(
            of: try PolicySource.unit(unit), crypto: EngineLoader.crypto,
            memoryFreed: hawser_start_give_memory_back)
        guard let compiled = made else {
            try Report.print(
                LintDocument.text(diagnostics, files: files, colour: Report.colour(colour)))
            return .findings
        }
        if !diagnostics.isEmpty {
            StandardStreams.write(
                LintDocument.text(diagnostics, files: files), to: .error)
        }
        let table =
            dropsProvenance
            ? compiled.withoutProvenance(crypto: EngineLoader.crypto) : compiled
        var signed: SignedTable?
        var signer: TablePublicKey?
        if let revision {
            let numbered = try TableSigning.numbered(
                table, revision: revision, terms: try terms())
            signed = numbered
            if let signKey {
                let key = try TableSigning.key(signKey)
                signed = try TableSigning.sign(numbered, with: key)
                signer = key.publicKey
            }
        }
        try OutputFile.write(signed?.encoded ?? table.bytes, to: output)
        try Report.print(TableSigning.text(signed, table, signer))
        return .clean
    }

    /// A signed table states its time of issue. An unsigned table with a revision states it only if
    /// a date option is given.
    private func terms() throws(CommandFailure) -> TableTerms? {
        signKey == nil && dates.firstGiven == nil ? nil : try dates.terms()
    }
}
