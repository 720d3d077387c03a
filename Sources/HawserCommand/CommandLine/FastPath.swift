import PolicyTools

/// The calls that a hook makes, and `help` about a page, answered without the argument parser
/// (`HookOption` says why).
enum FastPath {
    /// The exit status of a call that was answered here; nil for every other call.
    ///
    /// - Parameter arguments: as `plain` returns them.
    static func run(_ arguments: [String]) -> ExitStatus? {
        let rest = arguments.dropFirst()
        switch arguments.first {
        case "--version", "version":
            // `version --verbose` is left to the parser.
            guard rest.isEmpty else { return nil }
            return StandardStreams.write(HawserVersion.text + "\n", to: .output)
                ? .clean : .couldNotAsk
        case "help":
            // The parser's `help` knows only commands.
            guard rest.count == 1 else { return nil }
            return help(arguments[1])
        case "check":
            return HookOption.read(rest, into: PolicyCheck(), by: PolicyCheck.options, path: add)
                .map { run in Report.answer { () throws(CommandFailure) in try run.answer() } }
        case "fmt":
            // Standard input is left to the parser.
            guard
                let run = HookOption.read(
                    rest, into: PolicyLayout(), by: PolicyLayout.options,
                    path: { $0.paths.append($1) }),
                !run.paths.isEmpty, !run.paths.contains(InputFile.standardInput)
            else { return nil }
            return Report.answer { () throws(CommandFailure) in try run.answer() }
        case "lint":
            return HookOption.read(rest, into: LintRun(), by: LintRun.options, path: add)
                .map { run in Report.answer { () throws(CommandFailure) in try run.answer() } }
        default:
            return nil
        }
    }

    /// The arguments without options that have an optional value, which neither reader has.
    static func plain(_ arguments: [String]) -> [String] {
        let plainForms: [String: String]
        switch arguments.first {
        case "lint": plainForms = ["--fix=safe": "--fix", "--fix=unsafe": "--fix-unsafe"]
        case "test": plainForms = ["--update=weaker": "--update-weaker"]
        // Other commands have no such options.
        default: return arguments
        }
        let options = arguments.prefix { $0 != "--" }
        return options.map { plainForms[$0] ?? $0 } + arguments[options.endIndex...]
    }

    private static func add<Call: FindingCall>(_ call: inout Call, _ path: String) {
        call.paths.append(path)
    }

    /// `help` about a page; nil if the word does not name a page.
    private static func help(_ name: String) -> ExitStatus? {
        guard name == PrintedPage.language.rawValue || name.hasSuffix(".md") else { return nil }
        return Report.answer { () throws(CommandFailure) in
            guard let page = PrintedPage(named: name) else {
                let pages = PrintedPage.allCases.map { "`\($0.rawValue)`" }
                throw .couldNotAsk(
                    "hawser has no page `\(name)`; the pages are \(pages.joined(separator: ", "))")
            }
            try Report.print(page.text)
            return .clean
        }
    }
}
