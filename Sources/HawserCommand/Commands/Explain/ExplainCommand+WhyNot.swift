import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

extension ExplainCommand {
    /// Answers `--why-not`, which needs only the policy.
    func answerWhyNot(_ rule: String) throws(CommandFailure) {
        let format = output.format.named
        guard AnsweredWhyNot.formats.contains(format) else {
            let names = AnsweredWhyNot.formats.map(\.name)
            let formats = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
            throw .couldNotAsk("`--why-not` is answered as \(formats), not as \(format.name)")
        }
        let output = try AnswerOutput<AnsweredWhyNot>(
            format, output.output, colour: output.colour)
        let target = try question.target()
        let host = try target.canonical()
        let table = try PolicySource.table(question.policy)
        let ids = (0..<table.ruleCount).map { table.text(table.rule(at: $0).id) }
        // A rule may have the id `default`. If none has, the word means the key `default`.
        let id = rule == "default" && !ids.contains(rule) ? "" : rule
        guard let answer = WhyNot(rule: id, table: table, host: host, port: target.port) else {
            throw .couldNotAsk(
                "the policy has no rule `\(rule)`" + DidYouMean.question(for: rule, among: ids))
        }
        if question.chain != nil || question.connect != nil {
            Report.progress("the chain is not looked at: `--why-not` asks the policy alone")
        }
        try output.write(
            AnsweredWhyNot(
                answer: answer, assumptions: target.assumptions,
                commands: [
                    ShellWords.line(["hawser", "show", target.text] + question.policy.words)
                ]))
    }
}

/// Why a rule does not decide a host.
struct AnsweredWhyNot: OfferedAnswer {
    let answer: WhyNot
    let assumptions: [String]
    let commands: [String]

    static let writers = FormatWriters<AnsweredWhyNot>([
        .answer(.text): { why, style in
            TextWriter.write(why.document, colour: style.colour, columns: style.columns)
        },
        .answer(.json): { why, _ in
            WhyNotDocument.renderJSON(why.answer, assumptions: why.assumptions)
        },
        .answer(.markdown): { why, _ in MarkdownWriter.write(why.document) },
        .answer(.html): { why, _ in HTMLWriter.write(why.document) },
    ])

    private var document: Document {
        WhyNotDocument.document(
            answer, assumptions: assumptions, commands: commands, version: HawserVersion.number)
    }
}
