import ArgumentParser
import Hawser
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// `hawser import chrome-root-store`: writes a unit from Chromium's `root_store.textproto`.
struct ImportChromeCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "chrome-root-store",
        abstract:
            "Write the anchors of a Chrome Root Store, each with the constraints that it has.",
        discussion: """
            TEXTPROTO is Chromium's `root_store.textproto`, which names certificates by digest; \
            the certificates are in the files of `--certificates`. The folder gets \
            `policy.yaml`, whose `default` trusts the anchors for every host, and a file for each \
            certificate. The constraints become `constraints` of anchor sets: no path is accepted \
            that the store's own terms refuse. Sets of constraints are alternatives, so an anchor \
            with two is two sets over one file.

            An anchor without its certificate, or with a constraint that the policy language has \
            no word for, or with a field that this version does not know, is left out and listed \
            with its place and the reason.

            The policy needs Chrome's log list, `log_list.json` beside it; `--log-list` copies one.

            Ends with 0 if every anchor for servers was taken over, and with 1 if something was \
            left out.
            """)

    @Argument(help: "The text of the root store.", completion: .file())
    var textproto: String

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Files with certificates, PEM or DER; those that the store does not name are not used.",
            valueName: "file"), completion: .file())
    var certificates: [String]

    @Option(
        name: [.short, .customLong("output")],
        help: ArgumentHelp("The folder to write, which must not exist.", valueName: "folder"),
        completion: .directory)
    var output: String

    @Option(
        help: ArgumentHelp(
            "Take the constraints for this version of Chrome, by default for the newest.",
            valueName: "version"))
    var chromeVersion: String?

    @Option(
        help: ArgumentHelp("Chrome's log list, copied beside the policy.", valueName: "file"),
        completion: .file())
    var logList: String?

    func answer() throws(CommandFailure) -> ExitStatus {
        let version = try wantedVersion()
        try InputFile.refuseSecondInput([
            ("TEXTPROTO", [textproto]), ("--certificates", certificates),
        ])
        let folder = try ImportedFolder(output)
        let source = SourceFile(
            path: citedName,
            bytes: try InputFile.readStream(textproto, limit: ImportChromeCommand.limit))
        var ders: [[UInt8]] = []
        for path in certificates {
            ders += try CertificateFile.octets(path, limit: CertificateFile.limit)
        }
        let imported: ChromeRootImport
        do throws(TextFormatError) {
            imported = try ChromeRootImport(
                source, certificates: ders, version: version, crypto: EngineLoader.makeBackend())
        } catch {
            throw .couldNotAsk("\(place(error.offset, in: source)): \(error.message)")
        }
        guard !imported.sets.isEmpty else {
            throw .couldNotAsk(
                "no anchor can be taken over; "
                    + (imported.remarks.first.map { "\(place($0.offset, in: source)): \($0.text)" }
                        ?? "the store has none for servers"))
        }
        try folder.write(try files(imported))
        try Report.print(page(imported, source))
        return imported.remarks.contains(where: \.isLoss) ? .findings : .clean
    }

    /// The largest text of a store. Chromium's has 0.2 MB.
    private static let limit = 4 << 20

    private func wantedVersion() throws(CommandFailure) -> ChromeVersion? {
        guard let chromeVersion else { return nil }
        guard let version = ChromeVersion(chromeVersion) else {
            throw .couldNotAsk(
                "`--chrome-version` takes a version such as `153.0.8010.0`; found "
                    + "`\(chromeVersion)`")
        }
        return version
    }

    /// The name of the text as notes cite it: without its folder, and safe in every policy.
    private var citedName: String {
        guard textproto != InputFile.standardInput else { return "root_store.textproto" }
        let name = textproto.split(separator: "/").last ?? ""
        return String(
            name.unicodeScalars.prefix(120).map { scalar in
                scalar.isASCII && scalar.value > 0x20 && scalar.value < 0x7F
                    && !"\"\\`".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
            })
    }

    private func place(_ offset: Int, in source: SourceFile) -> String {
        let position = source.position(of: offset)
        let name = textproto == InputFile.standardInput ? "standard input" : textproto
        return "\(name):\(position.line):\(position.column)"
    }

    // MARK: The files

    /// The files of the unit. Before they are written, the unit is compiled in memory.
    private func files(_ imported: ChromeRootImport) throws(CommandFailure) -> ImportedFolder.Files
    {
        let policy = Array(ChromeRootPolicy.text(imported, source: citedName).utf8)
        var files: ImportedFolder.Files = [("policy.yaml", policy)]
        var names: Set<String> = []
        for set in imported.sets where names.insert(set.file).inserted {
            files.append((set.file, PEMText.certificates([set.der])))
        }
        if let logList {
            files.append((ChromeRootPolicy.logList, try InputFile.read(logList, limit: 16 << 20)))
        }
        try check(files)
        return files
    }

    /// Refuses a unit that `hawser check` would refuse for anything but a log list that is still
    /// missing.
    private func check(_ files: ImportedFolder.Files) throws(CommandFailure) {
        var named = Dictionary(files.map { ($0.name, $0.octets) }) { first, _ in first }
        if logList == nil { named[ChromeRootPolicy.logList] = ImportChromeCommand.emptyLogList }
        let unit = PolicyUnit(
            files: [SourceFile(path: "policy.yaml", bytes: named["policy.yaml"] ?? [])],
            resources: FilesOfMemory(named), isDirectory: true)
        let compiled = CompilerPipeline.compile(unit, crypto: EngineLoader.makeBackend())
        guard let error = compiled.diagnostics.first(where: { $0.severity == .error }) else {
            return
        }
        let words = ([error.message] + error.help).joined(separator: "; ")
        guard logList == nil else {
            throw .couldNotAsk("the policy would not compile: \(words); nothing was written")
        }
        throw .ownFault("the policy would not compile: \(words); nothing was written")
    }

    /// A log list without logs, in place of one that is still to come.
    private static let emptyLogList = Array(
        "{\"log_list_timestamp\":\"2026-01-01T00:00:00Z\",\"operators\":[]}".utf8)

    // MARK: The output

    private func page(_ imported: ChromeRootImport, _ source: SourceFile) -> String {
        let constrained = imported.sets.count { $0.isConstrained }
        var lines = [
            "wrote \(output)/policy.yaml: \(imported.taken) of \(imported.anchors) anchors of "
                + "\(imported.storeText) in \(imported.sets.count) anchor sets, "
                + "\(constrained) with constraints, for \(imported.versionText)"
        ]
        let losses = imported.remarks.filter(\.isLoss)
        if !losses.isEmpty {
            lines += ["", "not taken over (\(losses.count)):"]
            lines += losses.map { "  \(place($0.offset, in: source)): \($0.text)" }
        }
        let others = imported.remarks.filter { !$0.isLoss }
        if !others.isEmpty {
            lines += ["", "also:"]
            lines += grouped(others, source)
        }
        lines += [
            "",
            "stricter than Chrome: dates and limits in an anchor's own certificate bind here, a "
                + "limit on",
            "  timestamps is up to a second tighter, and names permitted are asked of IP addresses "
                + "too",
        ]
        if logList == nil {
            lines += [
                "",
                "put Chrome's log list at \(output)/\(ChromeRootPolicy.logList); until then "
                    + "`hawser check` refuses the policy",
            ]
        }
        lines += [
            "", "next:", "  " + ShellWords.line(["hawser", "check", output]),
            "  "
                + ShellWords.line([
                    "hawser", "explain", "www.example.com", "--connect", "www.example.com",
                    "--policy", output,
                ]),
        ]
        return lines.map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    /// A line for each text, with the lines that it is about.
    private func grouped(
        _ remarks: [ChromeRootImport.Remark], _ source: SourceFile
    ) -> [String] {
        var order: [String] = []
        var offsets: [String: [Int]] = [:]
        for remark in remarks {
            if offsets[remark.text] == nil { order.append(remark.text) }
            offsets[remark.text, default: []].append(remark.offset)
        }
        return order.map { text in
            let places = offsets[text] ?? []
            if places.count == 1 { return "  \(place(places[0], in: source)): \(text)" }
            let numbers = places.map { "\(source.lines.line(of: $0) + 1)" }
            return "  \(text): \(places.count) times, in lines \(numbers.joined(separator: ", "))"
        }
    }
}
