import PolicyCompiler
import Rendering

/// The entries of keys, as `hawser rule KEY` prints them and as `grammar/language.md` has them.
package enum KeyPage {
    /// Entries as text, with an empty line between them.
    package static func text(_ keys: [LanguageKey]) -> String {
        keys.map(text).joined(separator: "\n")
    }

    private static func text(_ key: LanguageKey) -> String {
        var text = "\(key.path) (LANGUAGE §\(key.section))\n"
        text += facts(key).map { "\($0.name): \($0.value)\n" }.joined()
        text += "\n" + paragraphs(key).map(filled).joined(separator: "\n")
        text += "\nExample:\n\n" + indented(key.example)
        guard !key.guards.isEmpty else { return text }
        text += "\nGuarded by:\n\n"
        for code in key.guards {
            let title = DiagnosticCode(rawValue: code.code)?.title ?? code.name
            text += "    \(code.code) \(code.name): \(title)\n"
        }
        return text
    }

    /// Entries as Markdown, each with its heading. No line end stands at the end.
    package static func markdown(_ keys: [LanguageKey]) -> String {
        keys.map(markdown).joined(separator: "\n\n")
    }

    private static func markdown(_ key: LanguageKey) -> String {
        var text = "#### `\(key.path)`\n\n"
        text += paragraphs(key).map(filled).joined(separator: "\n") + "\n"
        var facts = facts(key)
        if !key.guards.isEmpty {
            let codes = key.guards.map { "\($0.code) `\($0.name)`" }
            facts.append(("guarded by", codes.joined(separator: ", ")))
        }
        text += facts.map { filled("- \($0.name): \($0.value)", indent: "  ") }.joined()
        return text + "\n```yaml\n\(key.example)```"
    }

    /// The entry as JSON.
    static func json(_ key: LanguageKey) -> RulePageJSON.Key {
        RulePageJSON.Key(
            key: key.path, section: key.section, type: key.type, required: key.isRequired,
            absent: key.absent, meaning: key.meaning, notes: key.notes, example: key.example,
            codes: key.guards.map(\.code))
    }

    // MARK: Parts

    private static func facts(_ key: LanguageKey) -> [(name: String, value: String)] {
        [("type", key.type)]
            + (key.isRequired ? [("required", "yes")] : [])
            + (key.absent.map { [("when not written", $0)] } ?? [])
    }

    private static func paragraphs(_ key: LanguageKey) -> [String] {
        [key.meaning] + (key.notes.map { [$0] } ?? [])
    }

    /// A paragraph in lines of at most 100 characters, each with its line end. Text between
    /// backticks is broken like any other text.
    private static func filled(_ text: String) -> String { filled(text, indent: "") }

    private static func filled(_ text: String, indent: String) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty || line == indent {
                lines[lines.count - 1] += word
            } else if line.count + word.count < 100 {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(indent + word)
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "    \($0)\n" }.joined()
    }
}
