import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// One call of `lint`: its options, whichever way they were read, and its work.
struct LintRun {
    var paths: [String] = []
    var format = NamedFormat.answer(.text)
    /// The values of `--output`.
    var outputs: [String] = []
    var colour = Report.ColourChoice.auto
    var at: String?
    var horizon: String?
    var level = LintLevel.default
    var failOn = Diagnostic.Severity.warning
    /// Codes or names, separated by commas.
    var select: [String] = []
    var ignore: [String] = []
    var fix: LintFixes.Mode?
    var diff = false
    /// The revision to compare with.
    var base: String?
    var baseline: String?
    var writeBaseline: String?
    var exitZero = false
    /// The path that standard input stands for.
    var inputName: String?

    func answer() throws(CommandFailure) -> ExitStatus {
        let output = try AnswerOutput<FindingAnswer>(format, outputs, colour: colour)
        let options = try options()
        let known = try baseline.map(LintRun.read)
        let units = try located()
        if isInput, fix != nil && !diff || base != nil {
            throw .couldNotAsk(
                "`-` is standard input: `--fix` writes into files and `--base` asks a repository; "
                    + "give the policy as a file")
        }
        if base != nil, fix != nil || diff {
            throw .couldNotAsk("`--base` finds what no fix mends; give it without `--fix`")
        }
        guard outputs.isEmpty || !diff else {
            throw .couldNotAsk(
                "`--diff` shows what `--fix` would change; `--output` has no findings")
        }
        if fix != nil || diff { return try mend(units, options, known, output) }
        let crypto = EngineLoader.makeBackend()
        KeptUntilExit.keep(crypto)
        var report = FindingReport()
        for (index, unit) in units.enumerated() {
            var own = options
            if let base { own.bases = try DiffSides.bases(base, of: unit.root) }
            own = try LintedUnit.options(own, of: unit.unit, root: unit.root, in: unit.tree)
            let result = Linter.lint(unit.unit, own, crypto: crypto)
            report.add(result, below: unit.shown)
            // Where much is to be printed, that takes the memory of what was read.
            if index == units.count - 1, report.findings.count < 1_000 {
                KeptUntilExit.keep(result)
            }
        }
        return try tell(report, known, units, output)
    }

    // MARK: What was asked for

    private func options() throws(CommandFailure) -> LintOptions {
        var options = LintOptions(time: try instant())
        if let horizon {
            try asking { () throws(ScalarProblem) in
                options.horizon = try DurationScanner.scan(horizon, for: "--horizon")
            }
        }
        options.level = level
        options.selected = try LintRun.codes(select, of: "--select")
        options.ignored = try LintRun.codes(ignore, of: "--ignore")
        return options
    }

    private func instant() throws(CommandFailure) -> UTCInstant {
        try AskedInstant.read(at)
    }

    private static func codes(
        _ lists: [String], of option: String
    ) throws(CommandFailure) -> Set<DiagnosticCode> {
        var codes: Set<DiagnosticCode> = []
        for word in lists.flatMap({ $0.split { $0 == "," || $0 == " " } }).map(String.init) {
            guard let code = DiagnosticCode(named: word) else {
                throw .couldNotAsk(
                    "`\(option)` takes codes such as HW211; `\(word)` is not one "
                        + "(`hawser rule --all` lists them)")
            }
            if code.finder == .diff {
                throw .couldNotAsk(
                    "`\(code.rawValue)` is found by `hawser diff --allow`, never by `lint`")
            }
            if code.finder == .import || code.finder == .export {
                throw .couldNotAsk(
                    "`\(code.rawValue)` is found by `hawser \(code.finder.rawValue)`, never by "
                        + "`lint`")
            }
            if option == "--ignore", code.finder == .check, code.severity == .error {
                throw .couldNotAsk(
                    "`\(code.rawValue)` cannot be ignored: no load accepts a policy that has it")
            }
            codes.insert(code)
        }
        return codes
    }

    private static func read(_ path: String) throws(CommandFailure) -> LintBaseline {
        let bytes = try InputFile.read(path, limit: UnitLoader.largestFile)
        do throws(LintBaselineProblem) {
            return try LintBaseline(bytes)
        } catch {
            throw .couldNotAsk("`\(path)`: \(error.context)")
        }
    }

    // MARK: Units

    /// A unit with its folder as messages show it: from the current folder, empty if it is the
    /// current folder.
    private struct Shown {
        let root: String
        let shown: String
        let unit: PolicyUnit
        /// The files of the unit, where they are not those on disk.
        var tree: (any UnitTree)?
    }

    private func located() throws(CommandFailure) -> [Shown] {
        let here = try InputFile.resolve(".")
        guard !isInput else { return [try input(from: here)] }
        guard inputName == nil else {
            throw .couldNotAsk("`--stdin-filename` is for `-`, standard input")
        }
        guard !paths.contains(InputFile.standardInput) else {
            throw .couldNotAsk("`-` stands alone: standard input is one file")
        }
        try PolicySource.refuseOthers(paths)
        do throws(UnitLoadError) {
            return try UnitLoader.units(paths: paths.isEmpty ? ["."] : paths).map {
                Shown(
                    root: $0.root, shown: RelativePath.path(of: $0.root, from: here), unit: $0.unit)
            }
        } catch {
            throw .couldNotAsk(
                error.context + (paths.isEmpty ? OpenPolicy.advice(.argument) : ""))
        }
    }

    private var isInput: Bool { paths == [InputFile.standardInput] }

    /// The unit of standard input. Under a name it is that file of its unit, as an editor has it
    /// before it is saved; without one it is a policy of its own in the current folder.
    private func input(from here: String) throws(CommandFailure) -> Shown {
        let bytes = try InputFile.readStream(
            InputFile.standardInput, limit: UnitLoader.largestFile)
        do throws(FileReadError) {
            guard let inputName else {
                let own = try UnitLoader.looseUnit(of: [], in: RootFolder(path: here))
                return Shown(
                    root: here, shown: "",
                    unit: PolicyUnit(
                        files: [SourceFile(path: "standard input", bytes: bytes)],
                        resources: own.resources, isDirectory: false))
            }
            let (folder, name) = LintRun.parts(of: inputName)
            let resolved = try NamedPath.resolve(folder)
            let own = UnitLoader.unitFolder(from: resolved)
            let root = own ?? resolved
            let inner = RelativePath.path(of: resolved, from: root)
            let path = inner.isEmpty ? name : "\(inner)/\(name)"
            let tree = try RootFolder(path: root)
            let file = SourceFile(path: path, bytes: bytes)
            guard own != nil else {
                return Shown(
                    root: root, shown: RelativePath.path(of: root, from: here),
                    unit: PolicyUnit(
                        files: [file],
                        resources: try UnitLoader.looseUnit(of: [], in: tree).resources,
                        isDirectory: name == "policy.yaml"))
            }
            guard PolicyName.isCompiled(name) else {
                throw FileReadError(
                    code: .notRegular,
                    context: "`\(inputName)` does not have the name of a policy file, which is "
                        + "`policy.yaml` or ends in `.policy.yaml`")
            }
            let edited = OverlaidTree(tree, texts: [path: bytes])
            return Shown(
                root: root, shown: RelativePath.path(of: root, from: here),
                unit: try UnitLoader.unit(in: edited), tree: edited)
        } catch {
            throw .couldNotAsk(error.context)
        }
    }

    /// The folder and the name of a path.
    private static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (folder, String(path[path.index(after: slash)...]))
    }

    // MARK: Answers

    private func tell(
        _ report: FindingReport, _ known: LintBaseline?, _ units: [Shown],
        _ output: AnswerOutput<FindingAnswer>
    ) throws(CommandFailure) -> ExitStatus {
        var report = report
        if let writeBaseline {
            try OutputFile.write(Array(LintBaseline.render(report).utf8), to: writeBaseline)
            Report.progress("`\(writeBaseline)` lists what was found")
        }
        if let known {
            let stale = known.stale(in: report)
            report.suppress(by: known)
            if stale > 0 {
                Report.progress(
                    "\(Words.count(stale, "finding")) of the baseline \(stale == 1 ? "is" : "are") "
                        + "gone; `--write-baseline` writes it anew")
            }
        }
        try output.write(
            FindingAnswer(
                report, version: HawserVersion.number,
                listsSuppressed: level == .audit && !report.suppressed.isEmpty))
        if !report.isWhole {
            Report.progress(
                "too many patterns or constraints overlap; not every rule on hosts and anchors could be "
                    + "applied")
        }
        if report.findings.isEmpty { Report.progress(LintRun.closing(report, units)) }
        if exitZero || writeBaseline != nil { return .clean }
        return report.reaches(failOn) ? .findings : .clean
    }

    private static func closing(_ report: FindingReport, _ units: [Shown]) -> String {
        let files = units.reduce(0) { $0 + $1.unit.files.count }
        let among = units.count == 1 ? "" : " of \(units.count) units"
        return "\(Words.count(files, "file"))\(among) linted: \(report.tally)"
    }

    // MARK: Fixes

    /// Applies fixes, or shows what they would change, and reports the findings that are left.
    private func mend(
        _ units: [Shown], _ options: LintOptions, _ known: LintBaseline?,
        _ output: AnswerOutput<FindingAnswer>
    ) throws(CommandFailure) -> ExitStatus {
        var report = FindingReport()
        var changes = 0
        for unit in units {
            let fixed = LintFixes.apply(
                to: unit.unit, options, fix ?? .safe, crypto: EngineLoader.makeBackend())
            for (index, bytes) in fixed.changed.sorted(by: { $0.key < $1.key }) {
                let file = unit.unit.files[index]
                let shown = unit.shown.isEmpty ? file.path : "\(unit.shown)/\(file.path)"
                changes += 1
                if diff {
                    try Report.print(
                        LineDiff.unified(path: shown, from: file.bytes, to: bytes))
                } else {
                    try OutputFile.write(bytes, to: "\(unit.root)/\(file.path)")
                    Report.progress("\(shown): mended")
                }
            }
            // With fixes that a person must check, the deleted text is shown.
            for gone in fixed.deletions where fix == .all {
                let shown = unit.shown.isEmpty ? gone.file : "\(unit.shown)/\(gone.file)"
                Report.progress("\(shown):\(gone.line): deleted `\(gone.text)`")
            }
            for fix in fixed.refused {
                Report.progress(
                    "left out, because the fix would change other verdicts: \(fix.title)")
            }
            report.add(fixed.result, below: unit.shown)
        }
        if diff { return changes > 0 && !exitZero ? .findings : .clean }
        return try tell(report, known, units, output)
    }
}
