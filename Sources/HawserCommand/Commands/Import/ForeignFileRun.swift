import ArgumentParser
import Hawser
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// The options that every import of a configuration file has.
struct ForeignFileOptions: ParsableArguments {
    @Option(
        name: [.short, .customLong("output")],
        help: ArgumentHelp("The folder to write, which must not exist.", valueName: "folder"),
        completion: .directory)
    var output: String

    @Option(
        help: ArgumentHelp(
            "The owner of every rule and waiver; a rule without one is a warning of `lint`.",
            valueName: "team"))
    var owner: String?

    @Option(
        help: ArgumentHelp(
            "The instant at which `lint` is asked about the new policy; by default now.",
            valueName: "instant"))
    var at: String?
}

/// Imports a configuration file of another system: reads it, writes the unit, and prints where the
/// two differ.
struct ForeignFileRun {
    private let path: String
    private let options: ForeignFileOptions
    private let instant: UTCInstant
    private let folder: ImportedFolder

    /// - Throws: when the folder exists, or the instant cannot be read.
    init(_ path: String, _ options: ForeignFileOptions) throws(CommandFailure) {
        self.path = path
        self.options = options
        instant = try AskedInstant.read(options.at)
        folder = try ImportedFolder(options.output)
    }

    /// Reads the file, writes the unit, and prints the findings.
    ///
    /// - Parameters:
    ///   - usual: the name that the policy cites for standard input.
    ///   - text: the text in which findings have their places; nil for the octets of the file.
    ///   - read: the reader of the format.
    ///   - policy: what the file means.
    func answer<File>(
        named usual: String,
        text: (([UInt8]) throws(ForeignError) -> [UInt8])? = nil,
        read: ([UInt8]) throws(ForeignError) -> File,
        policy: (File, SourceFile) throws(CommandFailure) -> ForeignImport
    ) throws(CommandFailure) -> ExitStatus {
        var source = SourceFile(path: citedName(or: usual), bytes: try self.read())
        let file: File
        do throws(ForeignError) {
            if let text {
                source = SourceFile(path: source.path, bytes: try text(source.bytes))
            }
            file = try read(source.bytes)
        } catch {
            return try refuse(error, in: source)
        }
        return try write(policy(file, source), of: source)
    }

    /// The octets of the file.
    func read() throws(CommandFailure) -> [UInt8] {
        try InputFile.readStream(path, limit: MarkupReader.largestFile)
    }

    /// The name of the file as the policy cites it: without its folder, and safe in every policy.
    func citedName(or usual: String) -> String {
        guard path != InputFile.standardInput else { return usual }
        let name = path.split(separator: "/").last ?? ""
        return String(
            name.unicodeScalars.prefix(120).map { scalar in
                scalar.isASCII && scalar.value > 0x20 && scalar.value < 0x7F
                    && !"\"\\`".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
            })
    }

    // MARK: The answer

    /// Reports that the file is refused.
    func refuse(_ error: ForeignError, in source: SourceFile) throws(CommandFailure) -> ExitStatus {
        try tell([error.diagnostic], source)
        Report.progress("nothing was written")
        return .findings
    }

    /// Writes the unit, and prints the findings.
    func write(
        _ imported: ForeignImport, of source: SourceFile
    ) throws(CommandFailure) -> ExitStatus {
        guard !imported.findings.contains(where: { $0.severity == .error }) else {
            try tell(imported.findings, source)
            Report.progress("nothing was written")
            return .findings
        }
        let lint = Linter.lint(
            imported.unit, LintOptions(time: instant), crypto: EngineLoader.makeBackend())
        if let error = lint.compilation.diagnostics.first(where: { $0.severity == .error }) {
            try tell(imported.findings, source)
            let words = ([error.message] + error.help).joined(separator: "; ")
            throw .couldNotAsk("the policy would not compile: \(words); nothing was written")
        }
        try folder.write(imported.unitFiles)
        try tell(imported.findings, source)
        try Report.print(summary(imported, lint).map { TerminalEscape.escape($0) + "\n" }.joined())
        return imported.findings.contains { $0.severity > .info } ? .findings : .clean
    }

    private func tell(
        _ findings: [Diagnostic], _ source: SourceFile
    ) throws(CommandFailure) {
        guard !findings.isEmpty else { return }
        let name = path == InputFile.standardInput ? "standard input" : path
        // An error is never cut.
        let findings =
            findings.filter { $0.severity == .error } + findings.filter { $0.severity < .error }
        let text = LintDocument.text(
            Array(findings.prefix(Self.mostFindings)), files: [SourceFile(source, path: name)],
            colour: Report.colour(.auto))
        try Report.print(text + "\n")
        let left = findings.dropFirst(Self.mostFindings)
        guard !left.isEmpty else { return }
        try Report.print(
            Cut.more(left.count, before: "and ", after: " findings: \(Self.counts(left))") + "\n\n")
    }

    /// The most findings that are printed whole. The others are counted by their codes.
    private static let mostFindings = 500

    /// The codes of findings, each with its number: `HX301, HX304 (3 times)`.
    private static func counts(_ findings: some Sequence<Diagnostic>) -> String {
        var counts: [(code: String, count: Int)] = []
        for finding in findings {
            let code = finding.code.rawValue
            if let known = counts.firstIndex(where: { $0.code == code }) {
                counts[known].count += 1
            } else {
                counts.append((code, 1))
            }
        }
        return counts.map { $0.count == 1 ? $0.code : "\($0.code) (\($0.count) times)" }
            .joined(separator: ", ")
    }

    private func summary(_ imported: ForeignImport, _ lint: LintResult) -> [String] {
        let policy = imported.policy
        var lines = [
            "wrote \(options.output)/policy.yaml: \(Words.count(policy.rules.count, "rule")), "
                + "\(Words.count(policy.pinSets.count, "pin set")), "
                + (policy.defaultBody == nil ? "and no other host" : "and the default")
        ]
        lines.append(
            lint.findings.isEmpty
                ? "`hawser lint` finds nothing in it"
                : "`hawser lint` finds \(Self.counts(lint.findings)) in it; each says why")
        lines += ["", "next:"]
        lines.append("  " + ShellWords.line(["hawser", "lint", options.output]))
        let host = policy.rules.first?.hosts.first ?? "www.example.com"
        lines.append("  " + ShellWords.line(["hawser", "show", host, "--policy", options.output]))
        return lines
    }
}
