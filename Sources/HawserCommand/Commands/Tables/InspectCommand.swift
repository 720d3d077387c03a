import ArgumentParser
import Hawser
import PolicyTools
import Rendering
import TrustEngine

/// `hawser inspect`: prints the contents of a table file, or of filters of CRLite.
struct InspectCommand: FormattedCommand {
    typealias Answer = InspectedFile

    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show what a table file or a CRLite filter holds.",
        discussion: """
            A file that is truncated or altered is refused, with the reason; so is one that the trusted \
            keys have not signed, where some are given.
            """)

    @Argument(
        help: "The table file, the filter, or a directory of filters with its index.",
        completion: .file())
    var file: String

    @OptionGroup var trusted: TrustedKeyOptions

    @OptionGroup var output: AnswerOptions<InspectedFile>

    func answer() throws(CommandFailure) -> ExitStatus {
        let output = try AnswerOutput(output)
        if let filters = try InspectedFilters.open(file) {
            guard try trusted.keys() == nil else {
                throw .couldNotAsk("filters are not signed; leave out `--trusted-key`")
            }
            try output.write(.filters(filters))
            return .clean
        }
        let found = try PolicySource.open(file, trustedKeys: try trusted.keys())
        let envelope = found.revision.map {
            TableEnvelope(
                revision: $0, terms: found.terms, signatures: found.signatures,
                verified: Set(found.signers.map(\.id)))
        }
        try output.write(.table(found.table, envelope))
        return .clean
    }
}

/// The contents of a file.
enum InspectedFile: OfferedAnswer {
    case table(PolicyTable, TableEnvelope?)
    case filters(InspectedFilters)

    static let writers = FormatWriters<InspectedFile>([
        .answer(.text): { found, _ in
            switch found {
            case .table(let table, let envelope):
                TableText.render(table, envelope, crypto: EngineLoader.makeBackend())
            case .filters(let filters): filters.text
            }
        },
        .answer(.json): { found, _ in
            switch found {
            case .table(let table, let envelope):
                TableText.renderJSON(table, envelope, crypto: EngineLoader.makeBackend())
            case .filters(let filters): filters.json.render(.pretty) + "\n"
            }
        },
    ])
}
