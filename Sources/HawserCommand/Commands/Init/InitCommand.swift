import ArgumentParser
import Hawser
import HawserYAML
import PolicyTools
import Rendering
import TrustEngine

/// `hawser init`: writes a first policy, its tests, and the hooks that lint and test it.
struct InitCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract:
            "Write a starter policy, its tests, its schema for editors, and hooks for pre-commit.",
        usage: """
            hawser init [<folder>]
            hawser init [<folder>] --private-ca [<file> ...] [--host <pattern> ...]
            """,
        discussion: """
            `policy.yaml`, `policy.test.yaml`, `policy.assert.yaml` and `policy.schema.json` are written into \
            the folder, which is made if it does not exist. `.pre-commit-config.yaml` is written at the top of the git repository around it, \
            or into the folder if there is no repository. No file is overwritten. If the folder has a \
            policy, nothing is written; if there are hooks, the command prints what to add to them.

            With `--private-ca` the policy trusts a CA of your own for the hosts of `--host`. The files \
            with its certificates are copied to `anchors` in the folder: a path may end at the roots, \
            and certificates that another CA issued are offered to the path search. What \
            `hawser lint` says of them is printed. A file with a private key is refused. Without a \
            file the policy says where to put one.
            """)

    @Argument(
        help: ArgumentHelp(
            "The folder, by default the current one; with --private-ca also the files with the CA's certificates.",
            valueName: "path"),
        completion: .file())
    var paths: [String] = []

    @Flag(help: "Trust a CA of your own, whose certificates are in the files named.")
    var privateCA = false

    @Option(
        help: ArgumentHelp(
            "With --private-ca: the hosts of the rule, a pattern as policies write it; may be repeated.",
            valueName: "pattern"))
    var host: [String] = []

    func answer() throws(CommandFailure) -> ExitStatus {
        let (folder, files) = try named()
        let start = try Start(folder, try authority(files))
        try start.refuseWhatStands()
        let lint = try start.lint()
        try start.write()
        try Report.print(try start.page() + (lint ?? ""))
        return .clean
    }

    private func authority(_ files: [String]) throws(CommandFailure) -> PrivateCA? {
        guard privateCA else {
            guard host.isEmpty else {
                throw .couldNotAsk("`--host` is for `--private-ca`, whose rule has the hosts")
            }
            return nil
        }
        return try PrivateCA(files: files, hosts: host)
    }

    /// The folder and the files among the paths. A path that is a file, or is named like a
    /// certificate's file, is a file.
    private func named() throws(CommandFailure) -> (folder: String, files: [String]) {
        let endings = [".pem", ".crt", ".cer", ".der"]
        let files = paths.filter { path in
            privateCA && !NamedPath.isFolder(path)
                && (NamedPath.exists(path) || endings.contains { path.lowercased().hasSuffix($0) })
        }
        let folders = paths.filter { !files.contains($0) }
        guard folders.count < 2 else {
            throw .couldNotAsk(
                "a policy begins in one folder; named are "
                    + folders.map { "`\($0)`" }.joined(separator: " and "))
        }
        return (folders.first ?? ".", files)
    }
}

/// The folder in which a unit begins, and the files to write there.
private struct Start {
    /// The folder as it was named, without slashes at its end.
    private let named: String
    /// Its absolute path. Links are resolved in the part that exists.
    private let folder: String
    /// The folders on the way to it that must be made, outermost first.
    private let missing: [String]
    /// The path of the hooks' file: at the top of the git repository around the folder, or in the
    /// folder itself.
    private let hooks: String
    /// Whether the hooks' file exists. Decided before anything is written.
    private let hasHooks: Bool
    /// The CA of `--private-ca`.
    private let authority: PrivateCA?

    init(_ named: String, _ authority: PrivateCA?) throws(CommandFailure) {
        self.authority = authority
        guard !named.isEmpty else { throw .couldNotAsk("the folder has an empty name") }
        var end = named[...]
        while end.utf8.count > 1, end.hasSuffix("/") { end = end.dropLast() }
        self.named = String(end)
        var standing = self.named
        var names: [String] = []
        while standing != ".", standing != "/", !NamedPath.exists(standing) {
            let slash = standing.lastIndex(of: "/")
            let name = slash.map { standing[standing.index(after: $0)...] } ?? standing[...]
            // `a/..` is `.` only if `a` exists, and with a link it may be another folder.
            guard name != ".." else {
                throw .couldNotAsk("`\(named)` leads through a folder that does not exist")
            }
            if !name.isEmpty, name != "." { names.append(String(name)) }
            standing =
                slash.map { $0 == standing.startIndex ? "/" : String(standing[..<$0]) } ?? "."
        }
        let base = try InputFile.resolve(standing)
        guard NamedPath.isFolder(base) else {
            throw .couldNotAsk("`\(standing)` is not a folder")
        }
        var folder = base
        var missing: [String] = []
        for name in names.reversed() {
            folder = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            missing.append(folder)
        }
        self.folder = folder
        self.missing = missing
        let top = Start.repository(around: base) ?? folder
        hooks = "\(top == "/" ? "" : top)/.pre-commit-config.yaml"
        hasHooks = NamedPath.exists(hooks)
    }

    /// The nearest folder, from this one upwards, that git knows as the top of a repository.
    private static func repository(around folder: String) -> String? {
        var folder = folder
        while !NamedPath.exists(folder == "/" ? "/.git" : folder + "/.git") {
            guard folder != "/" else { return nil }
            let slash = folder.lastIndex(of: "/") ?? folder.startIndex
            folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
        }
        return folder
    }

    // MARK: What stands already

    /// Refuses a folder that contains policy files or lies in a unit. Units do not nest, and
    /// existing files stay as they are.
    func refuseWhatStands() throws(CommandFailure) {
        if let unit = UnitLoader.unitFolder(from: folder) {
            throw .couldNotAsk(
                unit == folder
                    ? "`\(shown("policy.yaml"))` exists; nothing was written"
                    : "`\(named)` lies in the unit of `\(unit)/policy.yaml`, and units do not nest; "
                        + "nothing was written (a file `NAME.policy.yaml` adds to that unit)")
        }
        if NamedPath.exists("\(folder)/policy.schema.json") {
            throw .couldNotAsk(
                "`\(shown("policy.schema.json"))` exists; nothing was written "
                    + "(`hawser schema -o` writes it anew)")
        }
        if NamedPath.exists("\(folder)/policy.assert.yaml") {
            throw .couldNotAsk("`\(shown("policy.assert.yaml"))` exists; nothing was written")
        }
        guard missing.isEmpty else { return }
        let below = try asking { () throws(FileReadError) in try PolicyFiles.below(folder) }
        if let first = below.first {
            throw .couldNotAsk(
                "`\(shown(first))` is policy already, and would be one unit with a `policy.yaml` here; "
                    + "nothing was written")
        }
    }

    /// A file of the folder, as messages name it.
    private func shown(_ name: String) -> String {
        if named == "." { return name }
        return named == "/" ? "/\(name)" : "\(named)/\(name)"
    }

    // MARK: Writing

    func write() throws(CommandFailure) {
        let policy = authority.map { StarterFiles.policy(of: $0) } ?? StarterFiles.policy
        let tests =
            authority.map {
                StarterFiles.tests(
                    "a-private-host", host: $0.exampleRequest, rule: "private-hosts",
                    anchors: "private-ca")
            }
            ?? StarterFiles.tests(
                "the-website", host: "www.example.com", rule: "website", anchors: "system")
        let copies = try self.copies()
        var files = [
            ("\(folder)/policy.schema.json", Array(PrintedSchema.policy.text.utf8)),
            ("\(folder)/policy.yaml", Array(policy.utf8)),
            ("\(folder)/policy.test.yaml", Array(tests.utf8)),
            ("\(folder)/policy.assert.yaml", Array(StarterFiles.assertions.utf8)),
        ]
        files += copies.map { ("\(folder)/\($0.path)", $0.bytes) }
        if !hasHooks { files.append((hooks, Array(StarterFiles.hookConfiguration.utf8))) }
        let folders = missing + (copies.isEmpty ? [] : ["\(folder)/anchors"])
        var made: [String] = []
        do throws(OutputFile.Problem) {
            for path in folders where try OutputFile.makeFolder(path) { made.append(path) }
            for (path, bytes) in files {
                try OutputFile.create(path, with: bytes)
                made.append(path)
            }
        } catch {
            for path in made.reversed() { OutputFile.remove(path) }
            throw .couldNotAsk(error.context + "; nothing was written")
        }
    }

    /// The files of the CA that are not in their places yet.
    private func copies() throws(CommandFailure) -> [PrivateCA.File] {
        guard let authority, missing.isEmpty else {
            return (authority?.anchors ?? []) + (authority?.intermediates ?? [])
        }
        var copies: [PrivateCA.File] = []
        for file in authority.anchors + authority.intermediates {
            let path = "\(folder)/\(file.path)"
            do throws(FileReadError) {
                if NamedPath.exists(path),
                    try NamedPath.resolve(path) == NamedPath.resolve(file.source)
                {
                    continue
                }
            } catch {
                throw .couldNotAsk(error.context)
            }
            copies.append(file)
        }
        return copies
    }

    // MARK: The output

    /// What the linter says of the policy of a CA; nil where it says nothing. Also refuses files
    /// with which the policy would not compile.
    func lint() throws(CommandFailure) -> String? {
        guard let authority else { return nil }
        var report = FindingReport()
        report.add(try authority.lint(), below: named == "." ? "" : named)
        // Of a policy without a file the page says where to put one.
        guard !report.findings.isEmpty, !authority.anchors.isEmpty else { return nil }
        return "\n"
            + TextWriter.write(
                LintDocument.document(report, [.text], version: HawserVersion.number),
                colour: Report.colour(.auto))
    }

    /// What was written, and what to do next.
    func page() throws(CommandFailure) -> String {
        let hooksFile = try shownHooks()
        var lines = [
            "wrote \(shown("policy.yaml")): one rule to begin with; hosts that it does not name are refused",
            "wrote \(shown("policy.test.yaml")): what the policy must say, which `hawser test` runs",
            "wrote \(shown("policy.schema.json")): what editors complete and explain keys by",
            "wrote \(shown("policy.assert.yaml")): what must stay true of it, which `hawser assert` proves",
        ]
        lines += linesOfAuthority
        if !hasHooks {
            lines.append(
                "wrote \(hooksFile): `hawser fmt`, `lint`, `test` and `assert` at every commit")
        } else if runsHawser() {
            lines.append("\(hooksFile) runs hawser already and stays as it is")
        } else {
            lines.append("\(hooksFile) exists and stays as it is; add below its `repos:`")
            lines += StarterFiles.hooks.split(separator: "\n").map(String.init)
        }
        let host = authority?.exampleHost ?? "www.example.com"
        lines += ["", "next, with a host of yours in place of \(host):"]
        let unit = named == "." ? [] : [named]
        let policy = unit.flatMap { ["--policy", $0] }
        for words in [
            ["lint"] + unit + (authority == nil ? [] : ["--level", "audit"]),
            ["test"] + unit,
            ["assert"] + unit,
            ["show", host] + policy,
            ["explain", host, "--connect", host] + policy,
        ] {
            lines.append("  " + ShellWords.line(["hawser"] + words))
        }
        if !hasHooks { lines.append("  pre-commit install") }
        return lines.map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    /// What was written of the CA, or is still to be written.
    private var linesOfAuthority: [String] {
        guard let authority else { return [] }
        guard !authority.anchors.isEmpty else {
            return [
                "put the certificate of your CA at \(shown(StarterFiles.missingPath)), "
                    + "which the policy names and which is missing"
            ]
        }
        func lines(_ files: [PrivateCA.File], _ use: String) -> [String] {
            files.flatMap { file in
                file.certificates.map { certificate in
                    let name = Words.shortSubject(certificate.subjectText)
                    let end = certificate.notAfter.description.prefix(10)
                    return "\(shown(file.path)): \(name), valid until \(end), \(use)"
                }
            }
        }
        return lines(authority.anchors, "an anchor")
            + lines(authority.intermediates, "offered to the path search")
    }

    /// The hooks' file, from the current folder.
    private func shownHooks() throws(CommandFailure) -> String {
        try asking { () throws(FileReadError) in
            RelativePath.path(of: hooks, from: try NamedPath.resolve("."))
        }
    }

    /// Whether the existing hooks contain a hawser command.
    private func runsHawser() -> Bool {
        do throws(CommandFailure) {
            let text = try InputFile.read(hooks, limit: 1 << 20)
            return String(decoding: text, as: UTF8.self).contains("hawser")
        } catch {
            // Then the page says what to add, which is also right for a file that cannot be read.
            return false
        }
    }
}
