import Hawser
import PolicyCompiler

/// Walks through the folders of a unit once. Finds its policy files, and every file that looks like
/// one, or like a file of another kind of Hawser's own, but has a name that would be skipped
/// (LANGUAGE sections 2.1 and 2.4).
struct UnitWalk {
    /// Policy files, sorted by path.
    private(set) var files: [SourceFile] = []
    /// Files that diagnostics name and that are not compiled.
    private(set) var mentioned: [SourceFile] = []
    private let root: any UnitTree
    /// The policy files that were read. They are sorted and numbered after all could be read.
    private var read: [(path: String, bytes: [UInt8])] = []
    private var problems: [(file: SourceFile, message: String, help: String)] = []

    init(root: any UnitTree) { self.root = root }

    mutating func run() throws(FileReadError) {
        let root = self.root
        var entries: [(item: RootFolder.Entry, path: String)] = []
        try root.walk(enters: { !PolicyName.isOne($0.name) }, failure: { $0 }) {
            (item, path) throws(FileReadError) in entries.append((item, path))
        }
        for (item, path) in entries { try take(item, path: path) }
        files = read.sorted { $0.path < $1.path }.map { SourceFile(path: $0.path, bytes: $0.bytes) }
        read = []
        mentioned.sort { $0.path < $1.path }
    }

    private mutating func take(
        _ item: RootFolder.Entry, path: String
    ) throws(FileReadError) {
        guard PolicyName.isYAML(item.name) else {
            if case .linkOut(isFolder: true) = item.kind, !item.name.hasPrefix(".") {
                mention(
                    path, [],
                    "`\(path)` is a symbolic link to a folder outside the unit, so policies in it "
                        + "would be skipped",
                    help: "a unit's folders stand in it; move the folder here or delete the link")
            }
            return
        }
        switch PolicyName(item.name) {
        case .policy where !item.kind.isFile, .unit where !item.kind.isFile,
            .misspelt where !item.kind.isFile:
            mention(
                path, [], "`\(path)` has a policy's name but is \(item.kind.words)",
                help: MisnamedFile.filesHelp)
        case .unit where !path.contains("/"), .policy:
            read.append((path, try root.read(path, limit: UnitLoader.largestFile)))
        case .unit:
            mention(
                path, try root.read(path, limit: UnitLoader.largestFile),
                "`\(path)` is a second `policy.yaml` below the first; units do not nest",
                help: "name it `\(path.dropLast("policy.yaml".count))NAME.policy.yaml`")
        case .misspelt(let right):
            mention(
                path, try root.read(path, limit: UnitLoader.largestFile),
                "`\(path)` would be skipped: policy files are named `policy.yaml` or "
                    + "`NAME.policy.yaml`",
                help: "rename it to `\(right)`")
        case .other:
            if let wrong = MisnamedFile(entry: item, at: path) {
                return mention(wrong.path, [], wrong.message, help: wrong.help)
            }
            guard item.kind.isFile else { return }
            let bytes = try root.read(path, limit: UnitLoader.largestFile)
            if let wrong = MisnamedFile(entry: item, at: path, holding: bytes) {
                mention(wrong.path, bytes, wrong.message, help: wrong.help)
            }
        }
    }

    private mutating func mention(
        _ path: String, _ bytes: [UInt8], _ message: String, help: String
    ) {
        let file = SourceFile(path: path, bytes: bytes)
        mentioned.append(file)
        problems.append((file, message, help))
    }

    /// The problems of the walk as diagnostics. Mentioned files are numbered after the policy
    /// files.
    func diagnostics() -> [Diagnostic] {
        problems.compactMap { problem in
            guard let index = mentioned.firstIndex(where: { $0.path == problem.file.path }) else {
                return nil
            }
            let key = OwnFileKind.kind(of: problem.file.bytes)?.key ?? 0..<0
            let span = SourceSpan(
                file: files.count + index, start: key.lowerBound, end: key.upperBound)
            return Diagnostic(
                .policyFileMisnamed, problem.message, at: Diagnostic.Label(span),
                help: [problem.help])
        }
    }
}
