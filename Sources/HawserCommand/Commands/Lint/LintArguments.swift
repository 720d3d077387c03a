import PolicyCompiler
import PolicyTools
import Rendering

/// Reads the arguments of `lint` without the argument parser, which takes longer than linting a
/// policy; a hook would wait for it. Any argument that needs an explanation is left to the parser.
enum LintArguments {
    /// The run that the arguments ask for; nil if the parser must read them.
    static func read(_ arguments: some Sequence<String>) -> LintRun? {
        var run = LintRun()
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            guard argument.utf8.first == UInt8(ascii: "-"), argument != InputFile.standardInput
            else {
                run.paths.append(argument)
                continue
            }
            let parts = argument.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            let attached = parts.count == 2 ? String(parts[1]) : nil
            if take(flag: name, attached, into: &run) { continue }
            guard let value = attached ?? rest.popFirst(), !value.hasPrefix("-"),
                take(option: name, value, into: &run)
            else { return nil }
        }
        return run
    }

    /// The arguments for the parser, which has no options with an optional value.
    static func forParser(_ arguments: [String]) -> [String] {
        let plainForms: [String: String]
        switch arguments.first {
        case "lint": plainForms = ["--fix=safe": "--fix", "--fix=unsafe": "--fix-unsafe"]
        case "test": plainForms = ["--update=weaker": "--update-weaker"]
        // Other commands have no such options.
        default: return arguments
        }
        let options = arguments.prefix { $0 != "--" }
        let plain = options.map { plainForms[$0] ?? $0 }
        return plain + arguments[options.endIndex...]
    }

    /// Reads an option that has no value, or needs none.
    private static func take(
        flag name: String, _ value: String?, into run: inout LintRun
    ) -> Bool {
        switch (name, value) {
        case ("--fix", nil), ("--fix", "safe"): run.fix = .safe
        case ("--fix", "unsafe"), ("--fix-unsafe", nil): run.fix = .all
        case ("--diff", nil): run.diff = true
        case ("--exit-zero", nil): run.exitZero = true
        default: return false
        }
        return true
    }

    private static func take(option name: String, _ value: String, into run: inout LintRun) -> Bool
    {
        switch name {
        case "--format":
            guard let format = NamedFormat(value), FindingAnswer.formats.contains(format) else {
                return false
            }
            run.format = format
        case "--output", "-o": run.outputs.append(value)
        case "--color":
            guard let colour = Report.ColourChoice(rawValue: value) else { return false }
            run.colour = colour
        case "--level":
            guard let level = LintLevel(rawValue: value) else { return false }
            run.level = level
        case "--fail-on":
            guard let severity = Diagnostic.Severity(rawValue: value) else { return false }
            run.failOn = severity
        case "--at": run.at = value
        case "--horizon": run.horizon = value
        case "--select": run.select.append(value)
        case "--ignore": run.ignore.append(value)
        case "--base": run.base = value
        case "--baseline": run.baseline = value
        case "--write-baseline": run.writeBaseline = value
        case "--stdin-filename": run.inputName = value
        default: return false
        }
        return true
    }
}
