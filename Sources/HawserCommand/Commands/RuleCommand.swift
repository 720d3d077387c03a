import ArgumentParser
import PolicyCompiler
import PolicyTools

/// `hawser rule`: prints the page of a code.
struct RuleCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "rule", abstract: "Explain what a finding's code means.")

    @Argument(help: "Codes such as HW211, or their names.", completion: .codes)
    var codes: [String] = []

    @Flag(help: "Every code.")
    var all = false

    @Option(help: "How the pages are written: text, json or markdown.")
    var format: PageFormat = .text

    /// The value of `--format`.
    enum PageFormat: String, ExpressibleByArgument, CaseIterable {
        case text, json, markdown
    }

    func answer() throws(CommandFailure) -> ExitStatus {
        guard all != !codes.isEmpty else {
            throw .couldNotAsk(
                all ? "`--all` is every code; name none beside it" : "name a code, or give `--all`")
        }
        let named = all ? DiagnosticCode.allCases : try codes.map(RuleCommand.code)
        switch format {
        case .text: try Report.print(RulePage.text(named))
        case .json: try Report.print(RulePage.json(named))
        case .markdown: try Report.print(RulePage.markdown(named))
        }
        return .clean
    }

    private static func code(_ word: String) throws(CommandFailure) -> DiagnosticCode {
        if let code = DiagnosticCode(named: word) { return code }
        let names = DiagnosticCode.allCases.map(\.slug)
        let hint = DidYouMean.question(for: word, among: names)
        throw .couldNotAsk("there is no code `\(word)`\(hint) (`--all` shows every one)")
    }
}
