import PolicyCompiler

/// Makes Swift source from `grammar/diagnostics.yaml`: the codes, and the values that `hawser
/// check` needs of a code. `DiagnosticCode.page` reads the rest of an entry in the embedded file.
enum DiagnosticCatalogueSource {
    /// The text of `DiagnosticCatalogue+Generated.swift`.
    static func catalogue(_ tree: SyntaxTree) throws(ContractProblem) -> String {
        let entries = try entries(tree)
        var text = header
        text += "/// A code of the diagnostic catalogue.\n"
        text += "package enum DiagnosticCode: String, Hashable, Sendable, CaseIterable {\n"
        for entry in entries {
            text += "    /// \(capitalised(entry.title)).\n"
            text += "    case \(entry.name) = \"\(entry.code)\"\n"
        }
        text += "\n    /// The severity of every diagnostic with this code.\n"
        text += "    package var severity: Diagnostic.Severity {\n        switch self {\n"
        for severity in ["warning", "info"] {
            let names = entries.filter { $0.severity == severity }.map { ".\($0.name)" }
            if names.isEmpty { continue }
            text += wrapped("        case ", names, ":\n")
            text += "            return .\(severity)\n"
        }
        text += "        default:\n            return .error\n        }\n    }\n"
        text += "\n    /// The command that finds this code.\n"
        text += "    package var finder: Finder {\n        switch self {\n"
        for finder in Entry.finders {
            let names = entries.filter { $0.finder == finder }.map { ".\($0.name)" }
            text += wrapped("        case ", names, ":\n")
            text += "            return .\(finder)\n"
        }
        text += "        default:\n            return .check\n        }\n    }\n"
        text += "\n    /// The code's name in words: `duplicate-key`.\n"
        text += strings("slug", entries) { $0.slug }
        text += "\n    /// The title, in lower case and without a full stop.\n"
        text += strings("title", entries) { $0.title }
        return text + "}\n"
    }

    // MARK: Reading

    struct Entry {
        var code: String
        var slug: String
        var severity: String
        var title: String
        /// The only command that finds the diagnostic; nil when `check` and `lint` find it.
        var finder: String?
        /// The paths of the keys that the diagnostic looks at. Empty for a diagnostic of the text,
        /// of any key, or of no key.
        var keys: [String]

        /// The values of `command`.
        static let finders = ["lint", "diff", "base", "test", "assert", "import", "export"]

        /// The slug as a Swift name.
        var name: String {
            let parts = slug.split(separator: "-")
            return parts.enumerated().map { index, part in
                index == 0 ? String(part) : capitalised(String(part))
            }.joined()
        }
    }

    /// Every code of the catalogue, in the catalogue's order.
    ///
    /// - Throws: when a required field is missing, or the severity or `command` is unknown.
    static func entries(_ tree: SyntaxTree) throws(ContractProblem) -> [Entry] {
        guard let root = tree.root,
            let codes = root.entries.first(where: { $0.key.text == "codes" })?.value
        else { throw ContractProblem(message: "`codes` is missing") }
        var entries: [Entry] = []
        for (key, value) in codes.entries {
            let fields = Dictionary(
                value.entries.map { ($0.key.text, $0.value.text) }, uniquingKeysWith: { $1 })
            func field(_ name: String) throws(ContractProblem) -> String {
                guard let text = fields[name], !text.isEmpty else {
                    throw ContractProblem(message: "`\(key.text)` has no `\(name)`")
                }
                return text
            }
            let severity = try field("severity")
            guard Diagnostic.Severity(rawValue: severity) != nil else {
                throw ContractProblem(message: "`\(key.text)` has the severity `\(severity)`")
            }
            let finder = fields["command"]
            guard finder.map(Entry.finders.contains) ?? true else {
                throw ContractProblem(
                    message: "`\(key.text)` has a `command` other than "
                        + Entry.finders.map { "`\($0)`" }.joined(separator: " and "))
            }
            for name in ["explanation", "bad", "good", "fix"] { _ = try field(name) }
            try entries.append(
                Entry(
                    code: key.text, slug: field("slug"), severity: severity,
                    title: field("title"), finder: finder,
                    keys: value["keys"]?.items.map(\.text) ?? []))
        }
        return entries
    }

    // MARK: Writing

    private static let header = """
        // Generated from grammar/diagnostics.yaml by `swift run generate-tables`. Do not edit.


        """

    private static func strings(
        _ property: String, _ entries: [Entry], _ value: (Entry) -> String
    ) -> String {
        var text = "    package var \(property): String {\n        switch self {\n"
        for entry in entries {
            let line = "        case .\(entry.name): return \(literal(value(entry)))\n"
            text +=
                line.count <= 101
                ? line
                : "        case .\(entry.name):\n            return \(literal(value(entry)))\n"
        }
        return text + "        }\n    }\n"
    }

    /// Joins words by commas, in lines of at most 100 characters.
    private static func wrapped(_ start: String, _ words: [String], _ end: String) -> String {
        var lines = [start]
        for (index, word) in words.enumerated() {
            let piece = word + (index + 1 < words.count ? "," : "")
            let last = lines[lines.count - 1]
            if last.count + piece.count + 1 > 99 {
                lines.append("            " + piece)
            } else {
                lines[lines.count - 1] = last + (index == 0 ? "" : " ") + piece
            }
        }
        return lines.joined(separator: "\n") + end
    }

    private static func literal(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if character == "\"" || character == "\\" { escaped.append("\\") }
            escaped.append(character)
        }
        return "\"\(escaped)\""
    }

    private static func capitalised(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}
