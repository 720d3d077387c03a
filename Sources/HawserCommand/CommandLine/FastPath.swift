import PolicyTools
import Rendering

/// The calls that a hook makes, and `help` about a page, answered without the argument parser.
/// Setting up the parser takes over a millisecond, several times the rest of a start.
enum FastPath {
    /// The exit status of a call that was answered here; nil for every other call.
    static func run(_ arguments: [String]) -> ExitStatus? {
        switch arguments.first {
        case "--version", "version":
            guard arguments.count == 1 else { return nil }
            return StandardStreams.write(HawserVersion.text + "\n", to: .output)
                ? .clean : .couldNotAsk
        case "help":
            // The parser's `help` knows only commands.
            guard arguments.count == 2 else { return nil }
            return help(arguments[1])
        case "check":
            return check(arguments.dropFirst())
        case "fmt":
            return format(arguments.dropFirst())
        case "lint":
            guard let run = LintArguments.read(arguments.dropFirst()) else { return nil }
            return Report.answer { () throws(CommandFailure) in try run.answer() }
        default:
            return nil
        }
    }

    /// `help` about a page; nil if the word does not name a page.
    private static func help(_ name: String) -> ExitStatus? {
        guard name == PrintedPage.language.rawValue || name.hasSuffix(".md") else { return nil }
        return Report.answer { () throws(CommandFailure) in
            guard let page = PrintedPage(named: name) else {
                let pages = PrintedPage.allCases.map { "`\($0.rawValue)`" }
                throw .couldNotAsk(
                    "there is no page `\(name)`; the pages are \(pages.joined(separator: ", "))")
            }
            try Report.print(page.text)
            return .clean
        }
    }

    /// `check` of paths, with options that need no help text.
    private static func check(_ arguments: ArraySlice<String>) -> ExitStatus? {
        var paths: [String] = []
        var format = FindingAnswer.usual
        var outputs: [String] = []
        var colour = Report.ColourChoice.auto
        var rest = arguments
        while let argument = rest.popFirst() {
            guard isOption(argument) else {
                paths.append(argument)
                continue
            }
            let parts = argument.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                return nil
            }
            switch parts[0] {
            case "--format":
                guard let known = NamedFormat(value), FindingAnswer.formats.contains(known) else {
                    return nil
                }
                format = known
            case "--output", "-o": outputs.append(value)
            case "--color":
                guard let known = Report.ColourChoice(rawValue: value) else { return nil }
                colour = known
            default: return nil
            }
        }
        guard !paths.isEmpty else { return nil }
        return Report.answer { () throws(CommandFailure) in
            try PolicyCheck.run(
                paths: paths, AnswerOutput(format, outputs, colour: colour))
        }
    }

    /// `fmt` of paths. Standard input is left to the parser.
    private static func format(_ arguments: ArraySlice<String>) -> ExitStatus? {
        let flags = arguments.filter(isOption)
        let paths = arguments.filter { !isOption($0) }
        guard !paths.isEmpty, flags.allSatisfy(["--check", "--diff", "--sort"].contains) else {
            return nil
        }
        return Report.answer { () throws(CommandFailure) in
            try PolicyLayout.run(
                paths: Array(paths), check: flags.contains("--check"),
                diff: flags.contains("--diff"), sort: flags.contains("--sort"))
        }
    }

    /// Whether an argument is an option; otherwise it is a path.
    private static func isOption(_ argument: String) -> Bool {
        argument.utf8.first == UInt8(ascii: "-")
    }
}
