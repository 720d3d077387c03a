import ArgumentParser
import Hawser
import PolicyTools
import Rendering

/// `hawser inspect`: prints the contents of a table file.
struct InspectCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show what a table file holds.",
        discussion: """
            A file that is truncated or altered is refused, with the reason; so is one that the trusted \
            keys have not signed, where some are given.
            """)

    @Argument(help: "The table file.", completion: .file())
    var file: String

    @OptionGroup var trusted: TrustedKeyOptions

    @OptionGroup var output: OutputOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        let found = try PolicySource.open(file, trustedKeys: try trusted.keys())
        let envelope = found.revision.map {
            TableEnvelope(
                revision: $0, terms: found.terms, signatures: found.signatures,
                verified: Set(found.signers.map(\.id)))
        }
        switch output.format {
        case .text:
            try Report.print(TableText.render(found.table, envelope, crypto: EngineLoader.crypto))
        case .json:
            try Report.print(
                TableText.renderJSON(found.table, envelope, crypto: EngineLoader.crypto))
        }
        return .clean
    }
}
