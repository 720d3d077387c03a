import ArgumentParser
import PolicyCompiler
import PolicyTools
import Rendering

/// `hawser rule`: prints the page of a code, or the entry of a key of the language.
struct RuleCommand: FormattedCommand {
    typealias Answer = RulePages

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

    @OptionGroup var output: AnswerOptions<RulePages>

    func answer() throws(CommandFailure) -> ExitStatus {
        let output = try AnswerOutput(output)
        guard all != !codes.isEmpty else {
            throw .couldNotAsk(
                all
                    ? "`--all` is every code; name none beside it"
                    : "name a code or a key of the language, or give `--all`")
        }
        var named: [DiagnosticCode] = all ? DiagnosticCode.allCases : []
        var keys: [LanguageKey] = []
        for word in codes {
            let meant = LanguageKey.named(word)
            if let code = DiagnosticCode(named: word) {
                named.append(code)
            } else if meant.isEmpty {
                throw .couldNotAsk(RuleCommand.unknown(word))
            }
            keys += meant
        }
        try output.write(RulePages(codes: named, keys: keys, isAll: all))
        return .clean
    }

    /// The message about a word that is neither a code nor a key.
    private static func unknown(_ word: String) -> String {
        let hint = DidYouMean.question(
            for: word, among: DiagnosticCode.allCases.map(\.slug) + LanguageKey.words)
        return
            "hawser has no code or key `\(word)`\(hint) (`hawser rule --all` shows every code, "
            + "`hawser help language` every key)"
    }
}

/// The pages of codes and of keys of the language.
struct RulePages: OfferedAnswer {
    let codes: [DiagnosticCode]
    let keys: [LanguageKey]
    /// Whether every code was asked for. The JSON then has every key, too.
    let isAll: Bool

    static let writers = FormatWriters<RulePages>([
        .answer(.text): { pages, _ in
            RulePages.joined(RulePage.text(pages.codes), KeyPage.text(pages.keys))
        },
        .answer(.json): { pages, _ in
            RulePage.json(pages.codes, pages.isAll ? LanguageKey.all : pages.keys)
        },
        .answer(.markdown): { pages, _ in
            RulePages.joined(
                pages.codes.isEmpty ? "" : RulePage.markdown(pages.codes),
                pages.keys.isEmpty ? "" : KeyPage.markdown(pages.keys) + "\n")
        },
    ])

    private static func joined(_ codes: String, _ keys: String) -> String {
        codes.isEmpty || keys.isEmpty ? codes + keys : codes + "\n" + keys
    }
}
