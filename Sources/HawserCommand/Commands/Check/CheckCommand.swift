import ArgumentParser
import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import Rendering

/// `hawser check`: reports what a load would refuse. Does not read the clock.
struct CheckCommand: FormattedCommand {
    typealias Answer = FindingAnswer

    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Say what a load of the policy would refuse.")

    @Argument(
        help: """
            Policy files or folders; by default the unit of the current folder, or the only one below it.
            """,
        completion: .file())
    var paths: [String] = []

    @OptionGroup var output: AnswerOptions<FindingAnswer>

    func answer() throws(CommandFailure) -> ExitStatus {
        try PolicyCheck(
            paths: paths, format: output.format.named, outputs: output.output,
            colour: output.colour
        ).answer()
    }
}

/// One call of `check`: its options, whichever way they were read, and its work.
struct PolicyCheck: FindingCall {
    var paths: [String] = []
    var format = FindingAnswer.usual
    var outputs: [String] = []
    var colour = Report.ColourChoice.auto

    /// The options of `CheckCommand`.
    static let options: [HookOption<PolicyCheck>] = HookOption.answer

    func answer() throws(CommandFailure) -> ExitStatus {
        let output = try AnswerOutput<FindingAnswer>(format, outputs, colour: colour)
        let crypto = EngineLoader.makeBackend()
        KeptUntilExit.keep(crypto)
        let several = try PolicyCheck.severalUnits(paths)
        guard several.isEmpty else { return try PolicyCheck.check(several, output) }
        let compilation = try PolicySource.check(paths: paths, crypto: crypto)
        KeptUntilExit.keep(compilation)
        try output.write(
            FindingAnswer(
                FindingReport(
                    compilation.diagnostics, files: compilation.files, trees: compilation.trees),
                version: HawserVersion.number))
        if compilation.diagnostics.isEmpty {
            let count = compilation.files.count
            Report.progress("\(count) file\(count == 1 ? "" : "s") checked: nothing found")
        }
        return compilation.hasErrors ? .findings : .clean
    }

    /// The units of the paths, each once; empty where the paths belong to one unit, or to none.
    private static func severalUnits(_ paths: [String]) throws(CommandFailure) -> [LocatedUnit] {
        guard paths.count > 1 else { return [] }
        try PolicySource.refuseOthers(paths)
        let roots = paths.map { (try? UnitLoader.place(of: $0)).flatMap(\.unit) }
        guard Set(roots).count > 1 else { return [] }
        return try asking { () throws(UnitLoadError) in try UnitLoader.units(paths: paths) }
    }

    /// Checks several units. A file of each was named, as hooks name the files of a commit; each
    /// unit is checked once.
    private static func check(
        _ units: [LocatedUnit], _ output: AnswerOutput<FindingAnswer>
    ) throws(CommandFailure) -> ExitStatus {
        let here = try InputFile.resolve(".")
        var report = FindingReport()
        var hasErrors = false
        for unit in units {
            let compilation = CompilerPipeline.check(unit.unit, crypto: EngineLoader.makeBackend())
            hasErrors = hasErrors || compilation.hasErrors
            report.add(
                compilation.diagnostics, files: compilation.files, trees: compilation.trees,
                below: RelativePath.path(of: unit.root, from: here))
        }
        try output.write(FindingAnswer(report, version: HawserVersion.number))
        if report.findings.isEmpty {
            let files = units.reduce(0) { $0 + $1.unit.files.count }
            Report.progress(
                "\(Words.count(files, "file")) of \(units.count) units checked: nothing found")
        }
        return hasErrors ? .findings : .clean
    }
}
