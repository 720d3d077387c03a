import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import TrustEngine

/// A folder that becomes a case: where it lies, and how it is written. It appears under its name as
/// a whole, after its files were read back and judged again.
struct CaseFolder {
    /// The folder as it was named, without `/` at its end.
    let path: String
    /// The folder from which paths of the test file count, as an absolute path.
    private let base: String
    /// The path of the case from there.
    let relative: String
    private let replaces: Bool

    /// The most octets of a case. Tests are kept beside the policy and read at every run.
    static let mostOctets = 32 << 20

    /// The most folders that are looked at above the case for a test file or a policy.
    private static let mostParents = 32

    /// Finds where the case belongs: to the nearest folder upwards that has a test file, up to the
    /// nearest one that has a policy. Without either, to the folder that the case is in.
    ///
    /// - Parameter replaces: whether a case that is there already is replaced.
    init(_ path: String, replaces: Bool) throws(CommandFailure) {
        var end = path[...]
        while end.count > 1, end.hasSuffix("/") { end = end.dropLast() }
        let slash = end.lastIndex(of: "/")
        let name = slash.map { end[end.index(after: $0)...] } ?? end
        guard !name.isEmpty, name != ".", name != ".." else {
            throw .couldNotAsk(
                "`\(path)` cannot be the name of a new folder; the case is named after its folder")
        }
        let parent = slash.map { $0 == end.startIndex ? "/" : String(end[..<$0]) } ?? "."
        self.path = String(end)
        self.replaces = replaces
        let resolved: String
        try asking { () throws(OutputFile.Problem) in try OutputFile.makeFolder(parent) }
        resolved = try InputFile.resolve(parent)
        (base, relative) = CaseFolder.place(of: String(name), in: resolved)
        try refuseWhatStands()
    }

    private func refuseWhatStands() throws(CommandFailure) {
        guard NamedPath.exists(path) else { return }
        guard replaces else {
            throw .couldNotAsk("`\(path)` is there already; `--replace` writes it again")
        }
        guard NamedPath.exists("\(path)/\(CapturedCase.requestName)") else {
            throw .couldNotAsk(
                "`\(path)` is not a case, as it has no `\(CapturedCase.requestName)`; it is not "
                    + "replaced")
        }
    }

    private static func place(
        of name: String, in parent: String
    ) -> (base: String, relative: String) {
        var (folder, relative) = (parent, name)
        for _ in 0..<mostParents {
            let names = (try? RootFolder(path: folder).entries(of: ""))?.map(\.name) ?? []
            let isTest = names.contains { $0.hasSuffix(".test.yaml") }
            if isTest || names.contains(where: { PolicyName.isCompiled($0) }) {
                return (folder, relative)
            }
            guard folder != "/", let slash = folder.lastIndex(of: "/") else { break }
            relative = "\(folder[folder.index(after: slash)...])/\(relative)"
            folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
        }
        return (parent, name)
    }

    // MARK: Writing

    /// Files by their paths below the folder, sorted. At most one folder lies between.
    typealias Files = [(name: String, octets: [UInt8])]

    /// Writes the files beside the folder, reads them back and hands them over, and only then gives
    /// the folder its name. Nothing is left behind if `check` throws.
    func write(
        _ files: Files, check: (Files) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        let octets = files.reduce(0) { $0 + $1.octets.count }
        guard octets <= CaseFolder.mostOctets else {
            throw .couldNotAsk(
                "the chain and the evidence have \(octets) octets, and a case has at most "
                    + "\(CaseFolder.mostOctets)")
        }
        let temporary = try asking { () throws(OutputFile.Problem) in
            try OutputFile.makeFolder(beside: path)
        }
        do throws(CommandFailure) {
            try fill(temporary, with: files)
            try check(try read(files.map(\.name), in: temporary))
            try give(temporary, files)
        } catch {
            remove(files, in: temporary)
            throw error
        }
    }

    private func fill(_ folder: String, with files: Files) throws(CommandFailure) {
        try asking { () throws(OutputFile.Problem) in
            for file in files {
                if let slash = file.name.firstIndex(of: "/") {
                    try OutputFile.makeFolder("\(folder)/\(file.name[..<slash])")
                }
                try OutputFile.create("\(folder)/\(file.name)", with: file.octets)
            }
        }
    }

    private func read(_ names: [String], in folder: String) throws(CommandFailure) -> Files {
        do throws(FileReadError) {
            let root = try RootFolder(path: folder)
            var files: Files = []
            for name in names {
                files.append((name, try root.read(name, limit: CaseFolder.mostOctets)))
            }
            return files
        } catch {
            throw .couldNotAsk(error.context)
        }
    }

    /// Gives the written folder its name. A case that is replaced is put aside before and removed
    /// after.
    private func give(_ temporary: String, _ files: Files) throws(CommandFailure) {
        do throws(OutputFile.Problem) {
            guard replaces, NamedPath.exists(path) else {
                return try OutputFile.renameFolder(temporary, to: path)
            }
            let old = "\(temporary).old"
            try OutputFile.renameFolder(path, to: old)
            do throws(OutputFile.Problem) {
                try OutputFile.renameFolder(temporary, to: path)
            } catch {
                try OutputFile.renameFolder(old, to: path)
                throw error
            }
            CaseFolder.removeTree(old, depth: 2)
        } catch {
            throw .couldNotAsk(error.context)
        }
    }

    private func remove(_ files: Files, in folder: String) {
        for file in files { OutputFile.remove("\(folder)/\(file.name)") }
        let folders = Set(
            files.compactMap { file in file.name.firstIndex(of: "/").map { file.name[..<$0] } })
        for inner in folders { OutputFile.remove("\(folder)/\(inner)") }
        OutputFile.remove(folder)
    }

    /// Removes a folder that a case was in. What lies deeper than a case stays, and the folder with
    /// it.
    private static func removeTree(_ path: String, depth: Int) {
        let entries = (try? RootFolder(path: path).entries(of: "")) ?? []
        for entry in entries {
            let inner = "\(path)/\(entry.name)"
            if entry.kind == .folder, depth > 1 {
                removeTree(inner, depth: depth - 1)
            } else {
                OutputFile.remove(inner)
            }
        }
        OutputFile.remove(path)
    }

    // MARK: Judging

    /// What does not hold when the case is judged from written files, one line each: nothing for a
    /// case that is as it was captured.
    func differences(
        of files: Files, under table: PolicyTable
    ) throws(CommandFailure) -> [String] {
        let written = FilesOfMemory(files.map { ("\(relative)/\($0.name)", $0.octets) })
        let request = files.first { $0.name == CapturedCase.requestName }
        let source = SourceFile(
            path: "\(relative)/\(CapturedCase.requestName)", bytes: request?.octets ?? [])
        let (one, diagnostics) = TestFile.readRequest(
            source, of: "captured.test.yaml", crypto: EngineLoader.makeBackend())
        let suite = TestSuite(
            files: [source], trees: [], cases: [one].compactMap { $0 }, at: nil, system: nil,
            diagnostics: diagnostics)
        let tester = PolicyTester(
            table, suites: [suite], resources: written, below: "",
            crypto: EngineLoader.makeBackend())
        let problems = tester.files.flatMap { $0.diagnostics }.filter { $0.severity == .error }
        guard problems.isEmpty else {
            throw .couldNotAsk("the request cannot be written as a case: \(problems[0].message)")
        }
        let outcomes = tester.run(on: OneWorker())
        guard outcomes.count == 1 else { return ["the case is not read back"] }
        return outcomes[0].mismatches.map {
            "`\($0.field)` was \($0.expected) and is \($0.got)"
        } + (outcomes[0].agrees ? [] : ["`evaluate` and `explain` differ"])
    }
}
