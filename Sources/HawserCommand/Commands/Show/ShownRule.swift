import PolicyTools
import Rendering

/// The answer of `show`: one rule with its fields, or the classes of hosts. Each case has a
/// command: for a rule, the command that prints every field; for the classes, the command that
/// asked.
enum ShownRule: OfferedAnswer {
    /// If `isWhole`, the text has every field.
    case rule(EffectiveRule, isWhole: Bool, command: String)
    case classes(PolicyClasses, command: String)

    static let writers = FormatWriters<ShownRule>([
        .answer(.text): { $0.text($1) },
        .answer(.json): { shown, _ in
            switch shown {
            case .rule(let rule, isWhole: _, command: _): RuleFields.renderJSON(rule)
            case .classes(let classes, command: _): PolicyClassesDocument(classes).json()
            }
        },
        .domain(.flat): { shown, _ in
            switch shown {
            case .rule(let rule, isWhole: _, command: _): RuleFields.renderFlat(rule)
            case .classes(let classes, command: _): PolicyClassesDocument(classes).flat()
            }
        },
        .answer(.markdown): { shown, _ in MarkdownWriter.write(shown.document) },
        .answer(.html): { shown, _ in HTMLWriter.write(shown.document) },
    ])

    static var formatNote: String? {
        "flat is one line for each field, for comparing; html is a page for a browser"
    }

    static let senseless: [AnswerFormat: String] = [
        .sarif: "a rule is not a finding", .github: "a rule is not a finding",
        .junit: "a rule is neither passed nor failed",
    ]

    private var document: Document {
        let version = HawserVersion.number
        switch self {
        case .rule(let rule, let isWhole, let command):
            return RuleDocument.document(rule, isWhole: isWhole, command: command, version: version)
        case .classes(let classes, let command):
            return PolicyClassesDocument(classes).document(command: command, version: version)
        }
    }

    /// The text that fits the terminal, or a terminal of the usual size if the output is not a
    /// terminal.
    private func text(_ style: AnswerStyle) -> String {
        guard case .rule(_, isWhole: false, command: _) = self else {
            return TextWriter.write(document)
        }
        guard let rows = style.rows else {
            return TextWriter.write(document, columns: 80, rows: 21)
        }
        // Notes on standard error take two lines.
        return TextWriter.write(
            document, columns: max(40, style.columns), rows: max(8, rows - 2))
    }
}
