package import PolicyCompiler
import Rendering

/// The pages of `hawser rule`: what a code means, why it exists, an example with it and without it,
/// and how to correct it. Everything comes from the catalogue.
package enum RulePage {
    /// Pages as text, with an empty line between them.
    package static func text(_ codes: [DiagnosticCode]) -> String {
        codes.map(text).joined(separator: "\n")
    }

    private static func text(_ code: DiagnosticCode) -> String {
        let page = code.page
        var text = "\(code.rawValue) \(code.slug): \(code.title)\n"
        text += "\(facts(code).map { "\($0.name): \($0.value)" }.joined(separator: "; "))\n\n"
        text += ended(page.explanation) + "\nBad:\n\n" + indented(page.bad)
        text += "\nGood:\n\n" + indented(page.good) + "\nFix:\n\n" + ended(page.fix)
        if let options = page.options { text += "\nOptions:\n\n" + ended(options) }
        return text + "\n" + ended(hiding(code))
    }

    /// Pages as a Markdown document.
    package static func markdown(_ codes: [DiagnosticCode]) -> String {
        var text = "# What Hawser says of policy text\n\n"
        text += "Made by `hawser rule --all --format markdown` from `grammar/diagnostics.yaml`.\n"
        text += "`hawser rule CODE` prints one page of it.\n\n"
        text += "| code | name | severity | about |\n|---|---|---|---|\n"
        for code in codes {
            text += "| [\(code.rawValue)](#\(code.rawValue.lowercased())-\(code.slug)) "
            text += "| `\(code.slug)` | \(code.severity.rawValue) | \(code.title) |\n"
        }
        return text + codes.map { "\n" + markdown($0) }.joined()
    }

    private static func markdown(_ code: DiagnosticCode) -> String {
        let page = code.page
        let language = page.bad.hasPrefix("<") ? "xml" : "yaml"
        var text = "## \(code.rawValue) \(code.slug)\n\n**\(code.title)**\n\n"
        text += facts(code).map { "- \($0.name): \($0.value)\n" }.joined() + "\n"
        text += ended(page.explanation) + "\nBad:\n\n```\(language)\n" + ended(page.bad) + "```\n"
        text += "\nGood:\n\n```\(language)\n" + ended(page.good) + "```\n\n" + ended(page.fix)
        if let options = page.options { text += "\n" + ended(options) }
        return text + "\n" + ended(hiding(code))
    }

    /// Pages of codes and entries of keys as JSON, with a line end at its end.
    package static func json(_ codes: [DiagnosticCode], _ keys: [LanguageKey] = []) -> String {
        RulePageJSON.Document(rules: codes.map(rule), keys: keys.map(KeyPage.json)).document
    }

    private static func rule(_ code: DiagnosticCode) -> RulePageJSON.Rule {
        let page = code.page
        let rule = LintRules.all.first { $0.code == code }
        return RulePageJSON.Rule(
            code: code.rawValue, name: code.slug, severity: code.severity.rawValue,
            title: code.title, group: LintGroup(code).name, foundBy: code.finder.rawValue,
            level: (rule?.level ?? .default).rawValue,
            errorWhenStrict: rule?.isErrorWhenStrict ?? false,
            canBeIgnored: LintRules.isSuppressible(code), explanation: page.explanation,
            bad: page.bad, good: page.good, fix: page.fix, options: page.options)
    }

    // MARK: Parts

    /// The short facts about a code.
    private static func facts(_ code: DiagnosticCode) -> [(name: String, value: String)] {
        let rule = LintRules.all.first { $0.code == code }
        var severity = code.severity.rawValue
        if let rule, rule.isErrorWhenStrict, code.severity < .error {
            severity += " (error with `--level strict`)"
        }
        var by =
            switch code.finder {
            case .check: "`hawser check` and `hawser lint`"
            case .lint: "`hawser lint`"
            case .diff: "`hawser diff --allow`"
            case .base: "`hawser lint --base`"
            case .test:
                (rule == nil ? "`hawser test`, and " : "")
                    + "`hawser lint` of a unit with a test file"
            case .assert: "`hawser assert` and `hawser lint`"
            case .import: "`hawser import`"
            case .export: "`hawser export`"
            }
        if let rule, rule.level > .default { by += " with `--level \(rule.level.rawValue)`" }
        return [("severity", severity), ("about", LintGroup(code).name), ("found by", by)]
    }

    private static func hiding(_ code: DiagnosticCode) -> String {
        guard LintRules.isSuppressible(code) else {
            return "It cannot be hidden by a comment."
        }
        let date = code.severity == .error ? " until=YYYY-MM-DD" : ""
        return "A comment hides it: `# hawser:ignore \(code.rawValue)\(date) -- REASON`."
    }

    private static func ended(_ text: String) -> String {
        text.hasSuffix("\n") ? text : text + "\n"
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
    }
}
