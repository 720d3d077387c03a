/// The manual page: man(7) text made from the command tree, so that it has the text of `--help`,
/// and sections that apply to every command.
struct ManualPage {
    private var lines: [String] = []

    /// The whole page, `hawser.1`.
    static func text(_ command: CommandDescription, version: String) -> String {
        var page = ManualPage()
        page.lines = [
            ".\\\" Made by `hawser man`. Do not edit.",
            ".TH HAWSER 1 \"\" \"\(version)\" \"User Commands\"",
        ]
        page.head(command)
        page.section("COMMANDS")
        for subcommand in command.subcommands { page.add(subcommand, below: command.name) }
        page.everyCommand()
        return page.lines.map { $0 + "\n" }.joined()
    }

    // MARK: Parts

    private mutating func head(_ command: CommandDescription) {
        section("NAME")
        let abstract = command.abstract
        let first = abstract.prefix(1).lowercased() + abstract.dropFirst()
        let title = first.hasSuffix(".") ? first.dropLast() : first[...]
        lines.append("\(command.name) \\- " + protect(title))
        section("SYNOPSIS")
        lines.append(
            "\\fB\(command.name)\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]")
        section("DESCRIPTION")
        paragraph(
            """
            A security team writes, in reviewed YAML, which hosts are trusted through which anchors, with \
            which pins. `hawser` checks, lints and formats that policy, compiles it into the table that \
            services load, and explains why a certificate chain is trusted or is not.
            """)
        paragraph(
            """
            A folder that holds `policy.yaml` is a unit: that file and every `NAME.policy.yaml` below it, \
            which are compiled together. `hawser init` writes one to begin with. `hawser help language` \
            prints the reference of the language: every key with its type, its default, its meaning and an \
            example, and whole policies for common tasks.
            """)
    }

    /// Adds a command and then its subcommands, whose names follow it.
    private mutating func add(_ command: CommandDescription, below parent: String) {
        let name = "\(parent) \(command.name)"
        lines.append(".SS \(escape(name))")
        var synopsis = "\\fB\(escape(name))\\fR"
        if command.arguments.contains(where: { $0.kind != .positional && $0.isOptional }) {
            synopsis += " [\\fIOPTIONS\\fR]"
        }
        for argument in command.arguments where argument.kind != .flag {
            guard argument.kind == .positional || !argument.isOptional else { continue }
            var word = "\\fI\(escape(argument.value.uppercased()))\\fR"
            if let name = argument.names.first { word = "\\fB\(escape(name))\\fR \(word)" }
            if argument.isRepeating { word += " ..." }
            if argument.isBehindTerminator {
                synopsis += " \\fB\(escape("--"))\\fR \(word)"
                continue
            }
            synopsis += " " + (argument.isOptional ? "[\(word)]" : word)
        }
        begin()
        lines.append(synopsis)
        paragraph(command.abstract)
        for text in command.discussion { paragraph(text) }
        for argument in command.arguments { add(argument) }
        for subcommand in command.subcommands { add(subcommand, below: name) }
    }

    private mutating func add(_ argument: CommandDescription.Argument) {
        var names = argument.names.map { "\\fB\(escape($0))\\fR" }.joined(separator: ", ")
        let value = "\\fI\(escape(argument.value.uppercased()))\\fR"
        switch argument.kind {
        case .positional: names = value
        case .option: names += " \(value)"
        case .flag: break
        }
        lines += [".TP", names]
        var help = argument.help
        // Most help texts name the words that can be chosen. Where one does not, the words follow
        // it.
        if !argument.allValues.allSatisfy(help.contains) {
            help += " One of: \(argument.allValues.joined(separator: ", "))."
        }
        if let value = argument.defaultValue, !help.contains("by default") {
            help += " Default: \(value)."
        }
        lines += inline(help)
    }

    /// The sections that the command tree does not contain, because they apply to every command.
    private mutating func everyCommand() {
        section("EXIT STATUS")
        for (status, meaning) in [
            ("0", "Clean, or an accept, reported findings included."),
            (
                "1",
                "Findings, or a reject: errors for `check` and `compile`, whatever `--fail-on` names for "
                    + "`lint`. No format changes it."
            ),
            (
                "2",
                "The question could not be asked: bad usage, unreadable or missing inputs, no connection, "
                    + "or a policy that does not compile where an answer needs it."
            ),
            ("3", "No answer because of a fault of hawser."),
            (
                "125, 126, 127",
                "Only of `run`, whose status is otherwise the program's: hawser failed, the program "
                    + "cannot be judged or executed, the program was not found."
            ),
        ] {
            item("\\fB\(status)\\fR", meaning)
        }
        section("ENVIRONMENT")
        item("\\fBNO_COLOR\\fR", "If set to anything, `--color auto` colours nothing.")
        item(
            "\\fBHAWSER_POLICY\\fR, \\fBHAWSER_TABLE\\fR",
            "A policy, or a compiled table, for commands that ask one and are given none. What they name is "
                + "said on standard error. `check`, `lint`, `diff`, `test`, `assert` and `compile` do not read "
                + "them.")
        item("\\fBTERM\\fR", "If `dumb`, `--color auto` colours nothing.")
        item(
            "\\fBPGSSLMODE\\fR",
            "`run` sets it to `require` for its program, unless it is higher or `--report-only` is given."
        )
        item(
            "\\fBLD_PRELOAD\\fR, \\fBHAWSER_RUN\\fR",
            "`run` sets them for its program: the library that judges, and where it finds the policy."
        )
        section("FILES")
        item("\\fIpolicy.yaml\\fR, \\fINAME.policy.yaml\\fR", "Trust policies.")
        item(
            "\\fIpolicy.schema.json\\fR",
            "The language's JSON Schema, from `hawser schema`, for editors.")
        item("\\fI.pre\\-commit\\-config.yaml\\fR", "Where a repository names the hooks to run.")
        section("EXAMPLES")
        for (meaning, example) in [
            (
                "Begin, and look at what there is:",
                ["hawser init policies", "hawser lint policies"]
            ),
            (
                "Begin with a CA of your own:",
                ["hawser init policies --private-ca corp-root.pem --host '**.corp.example'"]
            ),
            (
                "Which rule decides a host, and is its server trusted now:",
                [
                    "hawser show api.example.com --policy policies",
                    "hawser explain api.example.com --policy policies --connect api.example.com",
                ]
            ),
            ("What a service loads:", ["hawser compile policies -o hawser.table"]),
            (
                "A program that knows nothing of it, judged:",
                ["hawser run --policy policies -- curl https://api.example.com/"]
            ),
            ("What a finding means:", ["hawser rule HW211"]),
            (
                "The policy language, and one key of it:",
                ["hawser help language | less", "hawser rule revocation.causes"]
            ),
        ] {
            paragraph(meaning)
            lines += [".PP", ".RS 4", ".nf"] + example.map(escape) + [".fi", ".RE"]
        }
        section("SEE ALSO")
        lines.append("\\fBopenssl\\fR(1), \\fBpre\\-commit\\fR(1)")
    }

    // MARK: Text

    private mutating func section(_ title: String) { lines.append(".SH \(title)") }

    private mutating func paragraph(_ text: String) {
        begin()
        lines += inline(text)
    }

    /// Begins a paragraph. After a heading a paragraph begins without a request.
    private mutating func begin() {
        if let last = lines.last, last.hasPrefix(".SH") || last.hasPrefix(".SS") { return }
        lines.append(".PP")
    }

    private mutating func item(_ title: String, _ text: String) {
        lines += [".TP", title] + inline(text)
    }

    /// Running text as lines. Text between backticks is bold.
    private func inline(_ text: String) -> [String] {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        // A backtick without a second one is an ordinary character.
        guard parts.count % 2 == 1 else { return filled(protect(text)) }
        var line = ""
        for (index, part) in parts.enumerated() {
            let isWord = index % 2 == 1
            line += isWord ? "\\fB\(protect(part))\\fR" : protect(part)
        }
        return filled(line)
    }

    /// Text in lines short enough for a reader of the source. No font is open across a line's end.
    private func filled(_ text: String) -> [String] {
        var filled = [""]
        var isOpen = false
        for word in text.split(separator: " ") {
            let line = filled[filled.count - 1]
            if line.isEmpty {
                filled[filled.count - 1] = String(word)
            } else if isOpen || line.utf8.count + word.utf8.count < ManualPage.lineLength {
                filled[filled.count - 1] = "\(line) \(word)"
            } else {
                filled.append(String(word))
            }
            if word.contains("\\fB") { isOpen = true }
            if word.contains("\\fR") { isOpen = false }
        }
        return filled.map(begun)
    }

    private static let lineLength = 80

    /// Escapes text for the page. All text goes through this function, so nothing in it is a
    /// request or an escape of roff.
    private func escape(_ text: some StringProtocol) -> String { begun(protect(text)) }

    private func protect(_ text: some StringProtocol) -> String {
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": line += "\\e"
            case "-": line += "\\-"
            case "`": line += "\\(ga"
            case "\n", "\r": line += " "
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    /// Escapes the start of a line that would be a request.
    private func begun(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }
}
