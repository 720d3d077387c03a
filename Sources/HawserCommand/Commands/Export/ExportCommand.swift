import ArgumentParser
import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// `hawser export`: writes a policy as files of other systems, or checks these files.
struct ExportCommand: FormattedCommand {
    typealias Answer = ExportReport

    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a policy as configuration files of other systems, or check these files.",
        discussion: """
            Writes the files that `exports.yaml` in the folder of the policy lists, or with `--to` one \
            file. The hosts for which a file is weaker or stricter than the policy are printed, with \
            the place in the policy and an example. `hawser help exports.md` describes `exports.yaml`.

            With `--check` nothing is written: each file is compared with the file that would be \
            written, by their meaning; another layout is the same file.

            A file that no export wrote, and that means something else, is replaced with `--force` \
            only.

            Exit status: 0; 1 where a checked file means something else or is not there, or where \
            `--require` is not met; 2 where a file cannot be read or is not written; 3 for a fault of \
            hawser.
            """)

    @Argument(help: "The exports of `exports.yaml` to write, by their ids; by default all.")
    var names: [String] = []

    @OptionGroup var policy: PolicyOptions

    @Option(
        help: ArgumentHelp(
            "Write one file of this format, which `--output` names: \(ExportCommand.formats).",
            valueName: "format"), completion: .list(ForeignTargets.names))
    var to: String?

    @Option(
        help: ArgumentHelp(
            "With `--to`, a pattern of the only hosts; may be repeated.", valueName: "pattern"))
    var hosts: [String] = []

    @Option(
        help: ArgumentHelp(
            "With `--to nsc`, the `targetSdkVersion` of the app; by default 34.",
            valueName: "number"))
    var targetSdk: Int?

    @Flag(help: "Write nothing, and compare the files with what would be written.")
    var check = false

    @Flag(help: "Replace files that no export wrote, and files that cannot be read.")
    var force = false

    @Option(
        help: """
            Write only files that are no-weaker than the policy, or equal to it, at the instant of \
            the export.
            """)
    var require: ExportRun.Requirement?

    @Option(
        help: """
            The instant as of which the policy is exported, as 2026-11-21 or 2026-11-21T12:00:00Z; by \
            default now.
            """)
    var at: String?

    @OptionGroup var output: AnswerOptions<ExportReport>

    private static let formats = ForeignTargets.names.joined(separator: ", ")

    func answer() throws(CommandFailure) -> ExitStatus {
        let output = try AnswerOutput(output)
        let report: ExportReport
        do throws(CommandFailure) {
            report = try exported(output)
        } catch {
            throw output.failed(
                error,
                ExportReport(
                    .notAsked(error.answerFailure), command: command, isCheck: check,
                    namedFile: output.plainFile))
        }
        try output.write(report)
        if report.entries.contains(where: { $0.state.isFailure }) { return .couldNotAsk }
        return report.entries.contains { $0.state.isFinding } ? .findings : .clean
    }

    /// The command line that asks the same again.
    private var command: String {
        var words = ["hawser", "export"] + names + policy.words
        words += to.map { ["--to", $0] } ?? []
        words += hosts.flatMap { ["--hosts", $0] }
        words += targetSdk.map { ["--target-sdk", String($0)] } ?? []
        if check { words.append("--check") }
        if let require { words += ["--require", require.rawValue] }
        words += at.map { ["--at", $0] } ?? []
        return ShellWords.line(words)
    }

    // MARK: The question

    private func exported(
        _ output: AnswerOutput<ExportReport>
    ) throws(CommandFailure) -> ExportReport {
        let time = try AskedInstant.read(at)
        let run = ExportRun(
            isCheck: check, isForced: force, requirement: require,
            crypto: EngineLoader.makeBackend())
        guard let to else {
            try refuseOptionsOfOneFile(output.plainFile)
            return try listed(run, time)
        }
        return try single(to, run, time, output.plainFile)
    }

    /// The exports of `exports.yaml`.
    private func listed(
        _ run: ExportRun, _ time: UTCInstant
    ) throws(CommandFailure) -> ExportReport {
        let unit = try located()
        let here = try InputFile.resolve(".")
        let top = GitRepository.top(of: unit.root, from: here) ?? unit.root
        let folder = Self.path(of: unit.root, below: top)
        let shown = RelativePath.path(of: unit.root, from: here)
        let prefix = shown.isEmpty ? "" : shown + "/"
        let source = SourceFile(
            path: prefix + ExportsFile.name, bytes: try Self.exports(in: unit.root, prefix))
        let plan = ExportPlan.read(source, in: folder, crypto: run.crypto)
        if !plan.diagnostics.isEmpty {
            StandardStreams.write(
                LintDocument.text(plan.diagnostics, files: [source], colour: .plain), to: .error)
        }
        guard let exports = plan.exports else {
            throw .couldNotAsk("`\(source.path)` cannot be read")
        }
        let wanted = try chosen(exports)
        let table = try PolicySource.table(of: PolicySource.compile(unit.unit))
        var entries: [ExportReport.Entry] = []
        for export in wanted {
            let question = ExportQuestion(
                table, policyName: (folder.isEmpty ? "" : folder + "/") + "policy.yaml",
                target: export.target, fileName: export.fileName, hosts: export.hosts, at: time)
            let place = ExportPlace(top: top, path: export.path)
            entries.append(
                try run.export(
                    question, to: place, id: export.id,
                    path: RelativePath.path(of: place.absolute, from: here)))
        }
        return ExportReport(
            .answered(entries, at: time), command: command, isCheck: check, folder: shown)
    }

    /// The octets of `exports.yaml` in the folder of a policy. The file is opened once, beneath the
    /// folder.
    private static func exports(
        in root: String, _ prefix: String
    ) throws(CommandFailure) -> [UInt8] {
        do throws(FileReadError) {
            return try RootFolder(path: root).read(
                ExportsFile.name, limit: UnitLoader.largestFile)
        } catch {
            guard error.code == .notFound else { throw .couldNotAsk(error.context) }
            throw .couldNotAsk(
                "`\(prefix)\(ExportsFile.name)` was not found; `hawser help exports.md` describes it, "
                    + "and `--to FORMAT` exports one file without it")
        }
    }

    /// The exports that the command line names; all if it names none.
    private func chosen(
        _ exports: [ExportPlan.Export]
    ) throws(CommandFailure) -> [ExportPlan.Export] {
        let ids = exports.map(\.id)
        for name in names where !ids.contains(name) {
            throw .couldNotAsk(
                "`\(ExportsFile.name)` has no export `\(name)`"
                    + DidYouMean.question(for: name, among: ids))
        }
        return names.isEmpty ? exports : exports.filter { names.contains($0.id) }
    }

    /// The unit of the policy. A table has no `exports.yaml`.
    private func located() throws(CommandFailure) -> LocatedUnit {
        switch try OpenPolicy.choice(policy) {
        case .table:
            throw .couldNotAsk(
                "a table has no `\(ExportsFile.name)` beside it; name a format with `--to`")
        case .here: return try OpenPolicy.located(named: .options)
        case .unit(let path):
            try PolicySource.refuseOthers([path])
            let found = try asking { () throws(UnitLoadError) in
                try UnitLoader.units(paths: [path])
            }
            guard let unit = found.first, found.count == 1 else {
                throw .couldNotAsk("`\(path)` holds \(found.count) policies; name one")
            }
            return unit
        }
    }

    // MARK: One file

    private func single(
        _ name: String, _ run: ExportRun, _ time: UTCInstant, _ file: String?
    ) throws(CommandFailure) -> ExportReport {
        guard names.isEmpty else {
            throw .couldNotAsk("`--to` exports one file, and `\(names[0])` names an export")
        }
        guard let type = ForeignTargets.named(name) else {
            throw .couldNotAsk(
                "`--to` takes \(Self.formats); found `\(name)`"
                    + DidYouMean.question(for: name, among: ForeignTargets.names))
        }
        let target = type.init(try options(of: type))
        let (table, unit, _) = try PolicySource.source(policy)
        let named = policy.table ?? policy.policy ?? "policy.yaml"
        let last = named.split(separator: "/").last.map(String.init) ?? named
        let isFolder = unit?.isDirectory == true && !last.hasSuffix(".yaml")
        let cited = isFolder ? "\(last)/policy.yaml" : last
        var patterns: [HostPattern] = []
        for text in hosts {
            guard let scanned = try? HostPatternScanner.scan(text) else {
                throw .couldNotAsk("`--hosts` takes a host pattern; found `\(text)`")
            }
            patterns.append(scanned.pattern)
        }
        func question(_ fileName: String) -> ExportQuestion {
            ExportQuestion(
                table, policyName: cited, target: target, fileName: fileName, hosts: patterns,
                at: time)
        }
        let folder = unit.map { _ in OpenPolicy.path(policy).flatMap(DiffSides.shownFolder) ?? "" }
        guard let file else {
            guard !check else {
                throw .couldNotAsk("`--check` compares a file: name it with `--output FILE`")
            }
            let answer: ExportQuestion.Answer
            do throws(ExportQuestion.Problem) {
                answer = try question(type.usualFile).answer(over: nil, crypto: run.crypto)
            } catch {
                guard case .failed(let failure) = error else {
                    throw CommandFailure(AnswerFailure("a new file cannot be made", isOurs: true))
                }
                throw CommandFailure(failure)
            }
            let isMet = require?.isMet(by: answer.loss) ?? true
            let entry = ExportReport.Entry(
                id: nil, format: type.name, system: type.system, path: nil,
                state: isMet ? .printed(answer.file.octets) : .unmet, loss: answer.loss,
                companions: answer.file.companions.map(\.path), nextChange: answer.nextChange)
            return ExportReport(
                .answered([entry], at: time), command: command, isCheck: false,
                folder: folder ?? "")
        }
        let place = try Self.place(file)
        let entry = try run.export(
            question(place.path.split(separator: "/").last.map(String.init) ?? file), to: place,
            id: nil, path: file)
        return ExportReport(
            .answered([entry], at: time), command: command, isCheck: check, namedFile: file,
            folder: folder ?? "")
    }

    /// The place of a file that the command line names: its own folder and the folder above it,
    /// where a configuration keeps certificates.
    private static func place(_ file: String) throws(CommandFailure) -> ExportPlace {
        let slash = file.lastIndex(of: "/")
        let folder = slash.map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
        let name = slash.map { String(file[file.index(after: $0)...]) } ?? file
        guard !name.isEmpty, name != ".", name != ".." else {
            throw .couldNotAsk("`\(file)` does not end with the name of a file")
        }
        let resolved = try InputFile.resolve(folder)
        guard let above = resolved.lastIndex(of: "/"), resolved != "/" else {
            return ExportPlace(top: "/", path: name)
        }
        return ExportPlace(
            top: above == resolved.startIndex ? "/" : String(resolved[..<above]),
            path: "\(resolved[resolved.index(after: above)...])/\(name)")
    }

    private func options(
        of type: any ForeignTarget.Type
    ) throws(CommandFailure) -> [ForeignOption: Int] {
        guard let targetSdk else { return [:] }
        let option = ForeignOption.targetSDK
        guard type.options.contains(option) else {
            throw .couldNotAsk(
                "`--\(option.rawValue)` is not an option of the format `\(type.name)`")
        }
        guard option.range.contains(targetSdk) else {
            throw .couldNotAsk(
                "`--\(option.rawValue)` takes a number from \(option.range.lowerBound) to "
                    + "\(option.range.upperBound); found \(targetSdk)")
        }
        return [option: targetSdk]
    }

    private func refuseOptionsOfOneFile(_ file: String?) throws(CommandFailure) {
        let given = [
            (hosts.isEmpty ? nil : "--hosts"), targetSdk.map { _ in "--target-sdk" },
            file.map { _ in "--output FILE" },
        ].compactMap { $0 }
        guard let first = given.first else { return }
        throw .couldNotAsk(
            "`\(first)` belongs to `--to FORMAT`; without it `\(ExportsFile.name)` names the files")
    }

    private static func path(of folder: String, below top: String) -> String {
        folder == top ? "" : String(folder.dropFirst(top == "/" ? 1 : top.count + 1))
    }
}

extension ExportRun.Requirement: ExpressibleByArgument {}

extension ExportReport: OfferedAnswer {
    static var example: String { "json=export.json" }
    static var plainFile: String? { "The file of `--to`, which is printed by default" }

    /// The text of a report about a printed file goes to standard error, and the text about a file
    /// that `--output` names to standard output.
    func write(_ format: NamedFormat, to path: String?) throws(CommandFailure) -> Bool {
        guard format == .answer(.text) else {
            guard let path, path == namedFile else { return false }
            try Report.print(Self.writers[format]?(self, AnswerStyle()) ?? "")
            return true
        }
        let text = Self.writers[format]?(self, AnswerStyle()) ?? ""
        if path == nil, case .printed(let octets)? = entries.first?.state {
            try Report.print(String(decoding: octets, as: UTF8.self))
            StandardStreams.write(text, to: .error)
            return true
        }
        guard let path, path == namedFile else { return false }
        try Report.print(text)
        return true
    }
}
