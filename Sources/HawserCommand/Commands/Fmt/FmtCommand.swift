import ArgumentParser
import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import Rendering

/// `hawser fmt`: writes policy files in the canonical layout.
struct FmtCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "fmt", abstract: "Write policy files in canonical layout.",
        discussion: """
            Only the named files are changed. A folder stands for the policy files and the files of
            assertions below it, and - for standard input, whose canonical layout is written to standard output. Comments and meaning
            do not change.
            """)

    @Argument(
        help: "Policy files or folders, or -; by default the current folder.", completion: .file())
    var paths: [String] = []

    @Flag(help: "Write nothing; list the files that are not in canonical layout, and end with 1.")
    var check = false

    @Flag(help: "Write nothing; show what would change, and end with 1 if anything would.")
    var diff = false

    @Flag(
        help: """
            Sort too: keys as the language orders them, named things by id, lists whose order has no \
            meaning.
            """)
    var sort = false

    @Option(
        name: .customLong("stdin-filename"), help: "The name of standard input in messages.")
    var inputName = "standard input"

    func answer() throws(CommandFailure) -> ExitStatus {
        if paths == ["-"] {
            var formatting = Formatting(
                order: sort ? .sorted : .asWritten, check: check, diff: diff)
            return try formatting.input(named: inputName)
        }
        guard !paths.contains("-") else {
            throw .couldNotAsk("`-` stands alone: standard input is one file")
        }
        return try PolicyLayout(
            paths: paths.isEmpty ? ["."] : paths, check: check, diff: diff, sort: sort
        ).answer()
    }
}

/// One call of `fmt` for files: its options, whichever way they were read, and its work.
struct PolicyLayout {
    var paths: [String] = []
    var check = false
    var diff = false
    var sort = false

    /// The options of `FmtCommand` for files.
    static let options: [HookOption<PolicyLayout>] = [
        .flag("--check") { $0.check = true }, .flag("--diff") { $0.diff = true },
        .flag("--sort") { $0.sort = true },
    ]

    func answer() throws(CommandFailure) -> ExitStatus {
        var formatting = Formatting(order: sort ? .sorted : .asWritten, check: check, diff: diff)
        for path in paths { try formatting.path(path) }
        return try formatting.finish()
    }
}

/// One run of `fmt` over some files.
private struct Formatting {
    let order: PolicyFormatter.Order
    let check: Bool
    let diff: Bool
    private var seen: Set<String> = []
    private var changed = 0
    private var refused = 0

    init(order: PolicyFormatter.Order, check: Bool, diff: Bool) {
        self.order = order
        self.check = check
        self.diff = diff
    }

    /// Formats a file or folder that was named on the command line.
    mutating func path(_ path: String) throws(CommandFailure) {
        try PolicySource.refuseOthers([path])
        let absolute = try InputFile.resolve(path)
        guard NamedPath.isFolder(absolute) else {
            return try file(absolute, named: path)
        }
        let files = try asking { () throws(FileReadError) in
            try PolicyFiles.formatted(below: absolute)
        }
        guard !files.isEmpty else {
            throw .couldNotAsk("there is no policy file below `\(path)`")
        }
        for name in files {
            let shown = path == "." ? name : path.hasSuffix("/") ? path + name : "\(path)/\(name)"
            try file("\(absolute)/\(name)", named: shown)
        }
    }

    private mutating func file(_ path: String, named name: String) throws(CommandFailure) {
        guard seen.insert(path).inserted else { return }
        let old = try InputFile.read(path, limit: UnitLoader.largestFile)
        guard let new = try format(old, named: name), new != old else { return }
        changed += 1
        if diff { try Report.print(LineDiff.unified(path: name, from: old, to: new)) }
        if check { try Report.print(TerminalEscape.escape(name) + "\n") }
        guard !diff, !check else { return }
        try OutputFile.write(new, to: path)
        Report.progress("\(name): formatted")
    }

    /// The new text; nil if the old text cannot be read, which is reported on standard error.
    private mutating func format(
        _ bytes: [UInt8], named name: String
    ) throws(CommandFailure) -> [UInt8]? {
        let file = SourceFile(path: name, bytes: bytes)
        let tree = SyntaxParser.parse(file, fileIndex: 0)
        do throws(PolicyFormatter.Problem) {
            return try PolicyFormatter.format(tree, order: order)
        } catch {
            guard error == .syntax else {
                throw .ownFault(
                    "formatting `\(name)` would change its meaning; the file stays as it is")
            }
            let errors = tree.diagnostics.filter { $0.severity == .error }
            StandardStreams.write(LintDocument.text(errors, files: [file]), to: .error)
            Report.progress("\(name): not formatted, because it cannot be read as a policy")
            refused += 1
            return nil
        }
    }

    /// Formats standard input to standard output.
    mutating func input(named name: String) throws(CommandFailure) -> ExitStatus {
        guard let old = StandardStreams.readInput(limit: UnitLoader.largestFile) else {
            throw .couldNotAsk("standard input cannot be read, or is larger than a policy file")
        }
        guard let new = try format(old, named: name) else { return .couldNotAsk }
        if new != old { changed += 1 }
        if diff { try Report.print(LineDiff.unified(path: name, from: old, to: new)) }
        if check, changed > 0 { try Report.print(TerminalEscape.escape(name) + "\n") }
        guard !diff, !check else { return changed > 0 ? .findings : .clean }
        try Report.print(bytes: new)
        return .clean
    }

    func finish() throws(CommandFailure) -> ExitStatus {
        let total = seen.count
        let files = "\(total) file\(total == 1 ? "" : "s")"
        if changed == 0, refused == 0 { Report.progress("\(files): nothing to change") }
        if refused > 0 { return .couldNotAsk }
        return (check || diff) && changed > 0 ? .findings : .clean
    }
}
