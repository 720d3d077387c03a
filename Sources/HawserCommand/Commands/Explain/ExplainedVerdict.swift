import Hawser
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// The verdict on a chain with the facts that its formats show.
struct ExplainedVerdict: OfferedAnswer {
    let explanation: Explanation
    let asked: AskedRequest
    /// The comparison with the verdict of a receipt; nil if none was replayed.
    let replay: ReplayAnswer?
    let repairs: [Repair]?
    /// Commands to run next.
    let commands: [String]
    /// How much the text shows.
    let detail: ExplainDocument.Detail
    /// The command that asked.
    let command: String

    static let writers = FormatWriters<ExplainedVerdict>([
        .answer(.text): { $0.text($1) },
        .answer(.json): { answer, _ in
            TraceJSON.render(
                answer.explanation, assumptions: answer.asked.assumptions,
                replay: answer.replay?.json, repairs: answer.repairs,
                certificates: answer.certificates, commands: answer.commands)
        },
        .answer(.markdown): { answer, _ in MarkdownWriter.write(answer.document) },
        .answer(.html): { answer, _ in HTMLWriter.write(answer.document) },
        .answer(.sarif): { answer, _ in SARIFWriter.write(answer.document) },
        .answer(.junit): { answer, _ in JUnitWriter.write(answer.document) },
    ])

    static var example: String { "html=verdict.html" }

    static let senseless: [AnswerFormat: String] = [
        .github: "a verdict on a chain is not a finding in a line of a change"
    ]

    private func text(_ style: AnswerStyle) -> String {
        let lines = replay?.lines.map { TerminalEscape.escape($0) + "\n" } ?? []
        // What stands before the screen takes rows of it.
        let taken = lines.reduce(0) { $0 + ($1.count + style.columns - 1) / style.columns }
        return lines.joined()
            + ExplainDocument.text(
                explanation, options, colour: style.colour, columns: style.columns,
                rows: style.rows.map { max(1, $0 - taken) })
    }

    private var options: ExplainDocument.Options {
        var options = ExplainDocument.Options(
            detail: detail, assumptions: asked.assumptions, commands: commands, repairs: repairs)
        options.version = HawserVersion.number
        return options
    }

    private var document: Document {
        var options = options
        options.certificates = certificates
        options.files = sources
        options.replay = replay?.lines ?? []
        options.command = command
        return ExplainDocument.document(explanation, options)
    }

    /// The presented certificates and the anchors above them.
    private var certificates: [CertificateFacts] {
        var seen: Set<Digest> = []
        return EvidenceSigners(asked.request, asked.engine).certificates
            .map { CertificateFacts($0, crypto: EngineLoader.crypto) }
            .filter { seen.insert($0.fingerprint).inserted }
    }

    /// The files of the policy; none of a table.
    private var sources: [PolicySourceFile] {
        (asked.rewriting?.unit.files ?? []).map(PolicySourceFile.init)
    }
}
