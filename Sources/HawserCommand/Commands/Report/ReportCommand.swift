import ArgumentParser
import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// `hawser report`: a unit as a page for a browser.
struct ReportCommand: FormattedCommand {
    typealias Answer = UnitReportDocument

    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Write a unit as a page: who may speak for which hosts, until when.",
        discussion: """
            The page shows the trust surface, every class of hosts with the rule that decides it, anchors \
            and pins with their dates, waivers and report modes by end, how soon a revocation takes effect, \
            and what `lint` finds. It is one file that fetches nothing; one small script filters its rows, \
            and without scripts all of it is there.

            A report that is too large for one page is split: `-o FILE.html` is the first page, and the \
            others lie in the folder `FILE-pages` beside it. What an earlier run left there is named, and not \
            removed.
            """)

    @Argument(
        help: """
            Policy files or a folder, or a compiled table; by default the unit of the current folder, or \
            the only one below it.
            """, completion: .file())
    var unit: [String] = []

    @OptionGroup var output: AnswerOptions<UnitReportDocument>

    @Option(
        help: "The instant to look at, as 2026-11-21 or 2026-11-21T12:00:00Z; by default now.")
    var at: String?

    @Option(help: "How far ahead an end is told as ending, as 90d; by default 90d.")
    var horizon: String?

    @OptionGroup var trusted: TrustedKeyOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        let output = try AnswerOutput(output)
        // Nobody reads a page of HTML on a terminal.
        if output.format == .answer(.html), output.plainFile == nil,
            StandardStreams.isTerminal(.output)
        {
            throw .couldNotAsk(
                "the report is a page of HTML for a browser, and standard output is this terminal; "
                    + "write it to a file: `\(ShellWords.line(withFile))`")
        }
        let time = try AskedInstant.read(at)
        let seconds = try horizonSeconds()
        let source = try source(at: time, horizon: seconds)
        let report = try asking { () throws(AnswerFailure) in
            try UnitReporter(
                source.table, terms: source.terms, at: time,
                until: time.advanced(bySeconds: seconds), crypto: EngineLoader.makeBackend()
            ).report(name: source.name, findings: source.findings, files: source.files)
        }
        try output.write(
            UnitReportDocument(
                report, command: command(output, at: time), version: HawserVersion.number))
        return .clean
    }

    /// The command line that asks the same again, as of the same instant.
    private func command(
        _ output: AnswerOutput<UnitReportDocument>, at time: UTCInstant
    ) -> String {
        ShellWords.line(
            ["hawser", "report"] + unit + (output.plainFile.map { ["-o", $0] } ?? [])
                + (output.format == .answer(.html) ? [] : ["--format", output.format.name])
                + ["--at", time.description] + (horizon.map { ["--horizon", $0] } ?? [])
                + trusted.words)
    }

    /// The command line as it was given, with a file for the page.
    private var withFile: [String] {
        ["hawser"] + StandardStreams.arguments.dropFirst() + ["-o", "report.html"]
    }

    // MARK: The question

    /// The subject of the report.
    private struct Source {
        let name: String
        let table: PolicyTable
        var terms: TableTerms?
        var findings: FindingReport?
        var files: [PolicySourceFile] = []
    }

    private func source(
        at time: UTCInstant, horizon: Int64
    ) throws(CommandFailure) -> Source {
        let keys = try trusted.keys()
        if unit.count == 1, EngineLoader.isTable(unit[0]) {
            let opened = try PolicySource.open(unit[0], trustedKeys: keys)
            return Source(name: unit[0], table: opened.table, terms: opened.terms)
        }
        guard keys == nil else {
            throw .couldNotAsk("a policy is not signed, only a table is; name a table")
        }
        let located = try located()
        let table = try PolicySource.table(of: PolicySource.compile(located.unit))
        var options = LintOptions(time: time)
        options.horizon = horizon
        options = try LintedUnit.options(options, of: located.unit, root: located.root)
        var findings = FindingReport()
        findings.add(
            Linter.lint(located.unit, options, crypto: EngineLoader.makeBackend()), below: "")
        return Source(
            name: ReportCommand.name(unit, of: located.root), table: table,
            findings: findings,
            files: findings.files.map(PolicySourceFile.init))
    }

    /// The unit as it was named; the current folder by its own name.
    private static func name(_ paths: [String], of root: String) -> String {
        let named = paths.joined(separator: " ")
        return named.isEmpty || named == "." || named == "./"
            ? root.split(separator: "/").last.map(String.init) ?? root : named
    }

    /// The one unit that the paths name.
    private func located() throws(CommandFailure) -> LocatedUnit {
        try PolicySource.refuseOthers(unit)
        guard !unit.isEmpty else { return try OpenPolicy.located(named: .argument) }
        let units = try asking { () throws(UnitLoadError) in try UnitLoader.units(paths: unit) }
        guard let first = units.first, units.count == 1 else {
            throw .couldNotAsk(
                "the paths stand for \(units.count) units; a report is of one: name it")
        }
        return first
    }

    private func horizonSeconds() throws(CommandFailure) -> Int64 {
        guard let horizon else { return AskedHorizon.usual }
        return try AskedHorizon.seconds(horizon, of: "--horizon")
    }
}

extension UnitReportDocument: OfferedAnswer {
    static var usual: NamedFormat { .answer(.html) }
    static var example: String { "json=report.json" }
    static var plainFile: String? {
        "The file to write; by default standard output, which may not be a terminal for HTML"
    }

    /// Writes the pages, which may be several files.
    func write(_ format: NamedFormat, to path: String?) throws(CommandFailure) -> Bool {
        guard format == .answer(.html) else { return false }
        try writePages(to: path)
        return true
    }

    /// Writes the first page last, so that it never leads to a page that is not there.
    private func writePages(to output: String?) throws(CommandFailure) {
        let slash = output.flatMap { $0.lastIndex(of: "/") }
        let parent = slash.map { String((output ?? "")[...$0]) } ?? ""
        let main =
            slash.map { String((output ?? "")[$0...].dropFirst()) } ?? output ?? "report.html"
        guard !main.isEmpty else {
            throw .couldNotAsk("`-o \(output ?? "")` names a folder; name a file in it")
        }
        let stem = main.hasSuffix(".html") ? String(main.dropLast(5)) : main
        let folder = "\(stem)-pages"
        let pages = HTMLFiles.write(
            ReportDocument.document(self), main: main, folder: folder)
        guard pages.count > 1 else {
            guard let output else { return try Report.print(pages[0].text) }
            return try OutputFile.write(Array(pages[0].text.utf8), to: output)
        }
        guard output != nil else {
            throw .couldNotAsk(
                "the report is \(pages.count) files; name the first: `-o report.html`")
        }
        let names = Set(pages.dropFirst().map { $0.path.dropFirst(folder.count + 1) })
        try asking { () throws(OutputFile.Problem) in try OutputFile.makeFolder(parent + folder) }
        for page in pages.dropFirst() {
            try OutputFile.write(Array(page.text.utf8), to: parent + page.path)
        }
        try OutputFile.write(Array(pages[0].text.utf8), to: parent + main)
        Report.progress(
            "`\(parent)\(main)` is the first of \(pages.count) files; the others lie in "
                + "`\(parent)\(folder)`")
        let left = ((try? RootFolder(path: parent + folder).entries(of: "")) ?? []).map(\.name)
            .filter { !names.contains($0[...]) }.sorted()
        if !left.isEmpty {
            Report.progress(
                "`\(parent)\(folder)` also holds files that do not belong to this report: "
                    + Cut.line(left.map { "`\($0)`" }, most: 6))
        }
    }
}
