import ArgumentParser
import PolicyCompiler
import PolicyTools

/// `hawser rule`: prints the page of a code, or the entry of a key of the language.
struct RuleCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "rule",
        abstract: "Explain what a finding's code means, or a key of the language.",
        discussion: """
            A key is written as in the reference (`revocation.causes`), by its end (`hosts`), or by its \
            path in a policy (`rules.payments.hosts`). `hawser help language` prints the whole reference.
            """)

    @Argument(
        help: "Codes such as HW211, or their names; keys such as revocation.causes.",
        completion: .codesAndKeys)
    var codes: [String] = []

    @Flag(help: "Every code; with `--format json` every key, too.")
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
                all
                    ? "`--all` is every code; name none beside it"
                    : "name a code or a key of the language, or give `--all`")
        }
        var named: [DiagnosticCode] = all ? DiagnosticCode.allCases : []
        var keys: [LanguageKey] = all && format == .json ? LanguageKey.all : []
        for word in codes {
            let meant = LanguageKey.named(word)
            if let code = DiagnosticCode(named: word) {
                named.append(code)
            } else if meant.isEmpty {
                throw .couldNotAsk(RuleCommand.unknown(word))
            }
            keys += meant
        }
        switch format {
        case .json: try Report.print(RulePage.json(named, keys))
        case .text:
            let pages = [RulePage.text(named), KeyPage.text(keys)].filter { !$0.isEmpty }
            try Report.print(pages.joined(separator: "\n"))
        case .markdown:
            let pages = [
                named.isEmpty ? "" : RulePage.markdown(named),
                keys.isEmpty ? "" : KeyPage.markdown(keys) + "\n",
            ]
            try Report.print(pages.filter { !$0.isEmpty }.joined(separator: "\n"))
        }
        return .clean
    }

    /// The message about a word that is neither a code nor a key.
    private static func unknown(_ word: String) -> String {
        let hint = DidYouMean.question(
            for: word, among: DiagnosticCode.allCases.map(\.slug) + LanguageKey.words)
        return
            "there is no code and no key `\(word)`\(hint) (`hawser rule --all` shows every code, "
            + "`hawser help language` every key)"
    }
}
