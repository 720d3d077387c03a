import ArgumentParser
import Hawser
import PolicyTools
import Rendering
import TrustEngine

/// `hawser inspect`: prints the contents of a table file.
struct InspectCommand: FormattedCommand {
    typealias Answer = InspectedTable

    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show what a table file holds.",
        discussion: """
            A file that is truncated or altered is refused, with the reason; so is one that the trusted \
            keys have not signed, where some are given.
            """)

    @Argument(help: "The table file.", completion: .file())
    var file: String

    @OptionGroup var trusted: TrustedKeyOptions

    @OptionGroup var output: AnswerOptions<InspectedTable>

    func answer() throws(CommandFailure) -> ExitStatus {
        let output = try AnswerOutput(output)
        let found = try PolicySource.open(file, trustedKeys: try trusted.keys())
        let envelope = found.revision.map {
            TableEnvelope(
                revision: $0, terms: found.terms, signatures: found.signatures,
                verified: Set(found.signers.map(\.id)))
        }
        try output.write(InspectedTable(table: found.table, envelope: envelope))
        return .clean
    }
}

/// The contents of a table file.
struct InspectedTable: OfferedAnswer {
    let table: PolicyTable
    let envelope: TableEnvelope?

    static let writers = FormatWriters<InspectedTable>([
        .answer(.text): { found, _ in
            TableText.render(found.table, found.envelope, crypto: EngineLoader.crypto)
        },
        .answer(.json): { found, _ in
            TableText.renderJSON(found.table, found.envelope, crypto: EngineLoader.crypto)
        },
    ])
}
