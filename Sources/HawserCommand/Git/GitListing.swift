import Hawser

/// Where files of a repository are listed from.
enum GitSource: Hashable, Sendable {
    case commit(GitCommit)
    case index

    /// The commit, if it is one.
    var commit: GitCommit? {
        switch self {
        case .commit(let commit): return commit
        case .index: return nil
        }
    }

    /// For people.
    var words: String {
        switch self {
        case .commit(let commit): return commit.words
        case .index: return "the index"
        }
    }
}

/// Finds a unit in a commit or in the index, and lists its files.
struct GitListing: Sendable {
    /// What a path from the repository's top stands for (LANGUAGE section 2.1).
    enum Place: Hashable, Sendable {
        /// A unit, by its folder.
        case unit(String)
        /// A file outside any unit, by its folder and name.
        case file(String, String)
    }

    private let repository: GitRepository
    private let source: GitSource
    /// Entries of the index, by their paths from the top. Empty for a commit.
    private let indexed: [GitEntry]

    /// - Parameter path: the path that will be asked for; the index is listed as far as it needs.
    init(
        _ repository: GitRepository, _ source: GitSource, near path: String
    ) throws(NotCompared) {
        self.repository = repository
        self.source = source
        switch source {
        case .commit: indexed = []
        case .index: indexed = try GitListing.index(repository, near: path)
        }
    }

    // MARK: A path

    /// The entry at a path. Throws `absent` if nothing is there.
    func place(of path: String) throws(NotCompared) -> Place {
        let names = path.split(separator: "/").map(String.init)
        let (folders, file) = try descend(names)
        // A folder stands only for its own unit. The unit above it is another one: a policy that
        // was moved away must not be compared with the files that are left around it.
        if file == nil, let last = folders.last, !has("policy.yaml", last) {
            throw NotCompared(
                .absent, "\(source.words) has no `policy.yaml` in `\(path.isEmpty ? "." : path)`")
        }
        for (depth, entries) in folders.enumerated().reversed() where has("policy.yaml", entries) {
            return .unit(names[..<depth].joined(separator: "/"))
        }
        guard let file else {
            throw NotCompared(.noPolicy, "\(source.words) has no `policy.yaml` in `\(path)`")
        }
        return .file(names.dropLast().joined(separator: "/"), file)
    }

    /// The entries of every folder on the way, from the top, and the name of the file at the end;
    /// nil where a folder is at the end.
    private func descend(
        _ names: [String]
    ) throws(NotCompared) -> (folders: [[GitEntry]], file: String?) {
        var folders = [try entries(of: top)]
        var inner = ""
        for (index, name) in names.enumerated() {
            inner += inner.isEmpty ? name : "/\(name)"
            let entry = folders[folders.count - 1].first { $0.path.elementsEqual(name.utf8) }
            switch entry?.kind {
            case .folder?:
                folders.append(try entries(of: Folder(path: inner, id: entry?.id ?? "")))
            case .file? where index == names.count - 1: return (folders, name)
            case .file?, nil:
                throw NotCompared(.absent, "\(source.words) has no `\(inner)`")
            case .link?:
                throw NotCompared(
                    .link,
                    "`\(inner)` is a symbolic link in \(source.words); links are not followed, name "
                        + "the folder itself")
            case .submodule?:
                throw NotCompared(
                    .submodule,
                    "`\(inner)` is a submodule in \(source.words), whose files are in another "
                        + "repository")
            }
        }
        return (folders, nil)
    }

    private func has(_ name: String, _ entries: [GitEntry]) -> Bool {
        entries.contains { $0.path.elementsEqual(name.utf8) }
    }

    // MARK: A unit

    /// Everything below a folder that `place(of:)` has found.
    func tree(below folder: String, _ limits: RootFolder.Limits) throws(NotCompared) -> GitTree {
        var entries = try everything(below: folder)
        let ids = entries.lazy.filter { $0.kind == .file || $0.kind == .link }.map(\.id)
        let objects = try GitObjects(
            Array(ids), git: repository.hook, folder: repository.folder)
        if source == .index, entries.contains(where: { objects.size(of: $0.id) == 0 }) {
            let later = try intended(below: folder)
            let prefix = prefix(folder)
            entries.removeAll { later.contains(prefix + $0.path) }
        }
        return try GitTree(entries, objects: objects, limits: limits) { link, target in
            leadsToFolder(target, from: folder.isEmpty ? link : "\(folder)/\(link)")
        }
    }

    private func everything(below folder: String) throws(NotCompared) -> [GitEntry] {
        switch source {
        case .index:
            let prefix = prefix(folder)
            return indexed.lazy.filter { $0.path.starts(with: prefix) }.map {
                GitEntry(kind: $0.kind, id: $0.id, path: Array($0.path.dropFirst(prefix.count)))
            }
        case .commit:
            var place = top
            for name in folder.split(separator: "/") {
                let inner = try entries(of: place).first { $0.path.elementsEqual(name.utf8) }
                guard let inner, inner.kind == .folder else {
                    throw NotCompared(.absent, "\(source.words) has no `\(folder)`")
                }
                place = Folder(path: "", id: inner.id)
            }
            return try list(["ls-tree", "-r", "-z", "--full-tree", place.id])
        }
    }

    /// Whether the target of a link that leaves its unit is a folder; nil if this cannot be told.
    private func leadsToFolder(_ target: String, from link: String) -> Bool? {
        guard let names = GitTree.follow(target, from: link) else { return nil }
        do throws(NotCompared) {
            let near = source == .index ? names.joined(separator: "/") : ""
            let listing = try GitListing(repository, source, near: near)
            return try listing.descend(names).file == nil
        } catch {
            // Nothing is there: a link that leads nowhere is not a folder.
            return error.code == .absent ? false : nil
        }
    }

    // MARK: Folders

    /// A folder that is listed: by its path in the index, by the id of its tree in a commit.
    private struct Folder {
        let path: String
        let id: String
    }

    private var top: Folder { Folder(path: "", id: source.commit?.id ?? "") }

    /// The entries directly in a folder, folders among them.
    private func entries(of folder: Folder) throws(NotCompared) -> [GitEntry] {
        switch source {
        case .commit: return try list(["ls-tree", "-z", "--full-tree", folder.id])
        case .index:
            let prefix = prefix(folder.path)
            var entries: [GitEntry] = []
            var last: [UInt8] = []
            // Entries of an index are sorted by path, so the entries of a folder stand together.
            for entry in indexed where entry.path.starts(with: prefix) {
                let rest = entry.path.dropFirst(prefix.count)
                guard let slash = rest.firstIndex(of: 0x2F) else {
                    entries.append(GitEntry(kind: entry.kind, id: entry.id, path: Array(rest)))
                    continue
                }
                let name = Array(rest[..<slash])
                if name != last { entries.append(GitEntry(kind: .folder, id: "", path: name)) }
                last = name
            }
            return entries
        }
    }

    private func prefix(_ folder: String) -> [UInt8] {
        folder.isEmpty ? [] : Array((folder + "/").utf8)
    }

    private func list(_ arguments: [String]) throws(NotCompared) -> [GitEntry] {
        let answer = try repository.run(arguments)
        guard answer.status == 0 else {
            throw NotCompared(
                .missingObject,
                "the tree of \(source.words) cannot be listed: a partial clone, or a damaged "
                    + "repository; fetch it first, as nothing is fetched here")
        }
        return try GitEntry.read(answer.output)
    }

    // MARK: The index

    /// The index as far as a path needs it: the folder that the path begins with, and the top's own
    /// policy.
    private static func index(
        _ repository: GitRepository, near path: String
    ) throws(NotCompared) -> [GitEntry] {
        let arguments = ["ls-files", "-z", "--stage", "--"] + pathspec(path)
        let answer = try repository.run(arguments)
        guard answer.status == 0 else { throw GitCommand.failure(arguments, answer) }
        return try GitEntry.read(answer.output)
    }

    private static func pathspec(_ path: String) -> [String] {
        guard let first = path.split(separator: "/").first else { return [] }
        return [String(first), "policy.yaml"]
    }

    /// Paths that `git add --intent-to-add` has noted: a commit does not take them. They have no
    /// content, and only the flags that `--debug` prints tell them from empty files.
    private func intended(below folder: String) throws(NotCompared) -> Set<[UInt8]> {
        let arguments = ["ls-files", "-z", "--debug", "--"] + GitListing.pathspec(folder)
        let answer = try repository.run(arguments)
        guard answer.status == 0 else { throw GitCommand.failure(arguments, answer) }
        var paths: Set<[UInt8]> = []
        var path: [UInt8]?
        // Path, zero octet, lines of numbers of which the last ends with the flags, next path.
        for part in answer.output.split(separator: 0, omittingEmptySubsequences: false) {
            guard let before = path else {
                path = Array(part)
                continue
            }
            let mark = Array("\tflags: ".utf8)
            guard let start = part.firstRange(of: mark)?.upperBound,
                let feed = part[start...].firstIndex(of: 0x0A),
                let flags = Int(String(decoding: part[start..<feed], as: UTF8.self), radix: 16)
            else { throw GitCommand.failure(arguments, answer) }
            if flags & GitListing.intentToAdd != 0 { paths.insert(before) }
            path = Array(part[(feed + 1)...])
        }
        return paths
    }

    /// `CE_INTENT_TO_ADD` of git's index.
    private static let intentToAdd = 1 << 29
}
