import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

extension ExplainCommand {
    /// The answer to `--why-not`, which needs only the policy.
    func whyNotAnswer(_ rule: String) throws(CommandFailure) -> String {
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
        let document = WhyNotDocument.document(
            answer, assumptions: target.assumptions,
            commands: [ShellWords.line(["hawser", "show", target.text] + question.policy.words)],
            version: HawserVersion.number)
        switch output.format {
        case .text: break
        case .json: return WhyNotDocument.renderJSON(answer, assumptions: target.assumptions)
        case .html: return HTMLWriter.write(document)
        case .markdown: return MarkdownWriter.write(document)
        case .sarif, .junit:
            throw .couldNotAsk(
                "`--why-not` is answered as text, json, markdown or html, not as "
                    + output.format.rawValue)
        }
        return TextWriter.write(
            document, colour: Report.colour(output.colour), columns: Report.pageSize().columns)
    }
}
