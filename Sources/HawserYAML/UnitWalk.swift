import Hawser
import PolicyCompiler

/// Walks through the folders of a unit once. Finds its policy files, and every file that looks like
/// one but has a name that would be skipped (LANGUAGE sections 2.1 and 2.4).
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
        var folders = [""]
        while let folder = folders.popLast() {
            let items = try root.entries(of: folder)
            for item in items {
                let path = folder.isEmpty ? item.name : "\(folder)/\(item.name)"
                if item.kind == .folder, !item.name.hasPrefix("."), !PolicyName.isOne(item.name) {
                    folders.append(path)
                } else {
                    try take(item, path: path, isRoot: folder.isEmpty)
                }
            }
        }
        files = read.sorted { $0.path < $1.path }.map { SourceFile(path: $0.path, bytes: $0.bytes) }
        read = []
        mentioned.sort { $0.path < $1.path }
    }

    private mutating func take(
        _ item: RootFolder.Entry, path: String, isRoot: Bool
    ) throws(FileReadError) {
        guard PolicyName.isYAML(item.name) else {
            if item.kind == .linkToFolder, !item.name.hasPrefix(".") {
                mention(
                    path, [],
                    "`\(path)` is a symbolic link to a folder, so policies in it would be skipped",
                    help: "a unit's folders stand in it; move the folder here or delete the link")
            }
            return
        }
        switch PolicyName(item.name) {
        case .policy where item.kind != .regular, .unit where item.kind != .regular,
            .misspelt where item.kind != .regular:
            mention(
                path, [], "`\(path)` has a policy's name but is \(item.kind.words)",
                help: "policy files are regular files inside their unit")
        case .unit where isRoot, .policy:
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
        case .companion: break
        case .other:
            guard item.kind == .regular else { return }
            let bytes = try root.read(path, limit: UnitLoader.largestFile)
            guard FirstKey.hawser(in: bytes) != nil else { return }
            mention(
                path, bytes,
                "`\(path)` begins with `hawser` but its name is not a policy's, so it would be "
                    + "skipped",
                help: "rename it to `NAME.policy.yaml`")
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
            let key = FirstKey.hawser(in: problem.file.bytes) ?? 0..<0
            let span = SourceSpan(
                file: files.count + index, start: key.lowerBound, end: key.upperBound)
            return Diagnostic(
                .policyFileMisnamed, problem.message, at: Diagnostic.Label(span),
                help: [problem.help])
        }
    }
}

/// Finds the first key of a YAML text, well enough to recognise a policy. A byte order mark,
/// comments, directives, blank lines and a leading `---` are skipped.
private enum FirstKey {
    /// The range of the first key, if it is `hawser`.
    static func hawser(in bytes: [UInt8]) -> Range<Int>? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            var rest = line[...]
            if rest.starts(with: "---".utf8) { rest = rest.dropFirst(3) }
            rest = rest.drop { " \t{".utf8.contains($0) }
            guard let first = rest.first, !"#%".utf8.contains(first) else { continue }
            if "\"'".utf8.contains(first) { rest = rest.dropFirst() }
            let key = rest.prefix(6)
            guard key.elementsEqual("hawser".utf8), let next = rest.dropFirst(6).first,
                ":\"' \t".utf8.contains(next)
            else { return nil }
            return key.startIndex..<key.endIndex
        }
        return nil
    }
}
