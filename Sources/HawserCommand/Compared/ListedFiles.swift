import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import TrustEngine

/// Every regular file of one side of a comparison, with what stands for its content: of a commit,
/// of the index, of a work tree, or of a folder.
final class ListedFiles: Sendable {
    /// Where the files are.
    enum Place: Sendable {
        case source(GitRepository, GitSource)
        case workTree(GitRepository)
        /// A folder outside any comparison of revisions: its absolute path, and the path that a
        /// reader knows it by.
        case folder(String, shown: String)
    }

    let place: Place
    /// The ids of the blobs, or digests, by the paths from the top.
    let identities: [String: String]
    /// The files that a sparse checkout leaves out of its work tree, and their ids in the index.
    private let leftOut: [String: String]
    private let units = Monitor<[String: Compiled]>([:])

    /// A unit of this side.
    private struct Compiled {
        let resources: (any UnitResources)?
        let policy: GuardTree.Policy?
    }

    /// Octets of all files that are read for one comparison.
    private static let largestRead = 1 << 30
    /// A work tree has more files than a unit, and deeper folders.
    private static let limits = RootFolder.Limits(
        octets: largestRead, entries: 16 << 20, depth: 256)

    init(_ place: Place) throws(NotCompared) {
        self.place = place
        switch place {
        case .source(let repository, let source):
            identities = try ListedFiles.identities(repository, source)
            leftOut = [:]
        case .workTree(let repository):
            leftOut = try ListedFiles.leftOut(repository)
            identities = try ListedFiles.identities(repository).merging(leftOut) { one, _ in one }
        case .folder(let path, _):
            identities = try ListedFiles.identities(below: path)
            leftOut = [:]
        }
    }

    // MARK: Listing

    private static func identities(
        _ repository: GitRepository, _ source: GitSource
    ) throws(NotCompared) -> [String: String] {
        let arguments: [String]
        switch source {
        case .commit(let commit): arguments = ["ls-tree", "-r", "-z", "--full-tree", commit.id]
        case .index: arguments = ["ls-files", "-z", "--stage"]
        }
        let answer = try repository.run(arguments)
        guard answer.status == 0 else { throw GitCommand.failure(arguments, answer) }
        var found: [String: String] = [:]
        for entry in try GitEntry.read(answer.output) where entry.kind == .file {
            found[String(decoding: entry.path, as: UTF8.self)] = entry.id
        }
        return found
    }

    /// The files of a work tree that are tracked, or are not ignored. The ids are from their octets
    /// as they are: filters are not run.
    private static func identities(
        _ repository: GitRepository
    ) throws(NotCompared) -> [String: String] {
        guard let top = repository.top else {
            throw NotCompared(
                .noIndex, "`\(repository.directory)` is a bare repository, which has no files")
        }
        let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        let answer = try repository.run(arguments)
        guard answer.status == 0 else { throw GitCommand.failure(arguments, answer) }
        let listed = Set(
            answer.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
        let paths = try regular(listed, below: top)
        // A path of `hash-object` ends with the line, and begins with no quotation mark.
        let hashable = paths.filter { path in
            !path.hasPrefix("\"") && !path.utf8.contains { $0 == 0x0A || $0 == 0x0D }
        }
        var found = Dictionary(uniqueKeysWithValues: paths.map { ($0, "not hashed") })
        guard !hashable.isEmpty else { return found }
        let hashing = ["hash-object", "--no-filters", "--stdin-paths"]
        let input = Array((hashable.joined(separator: "\n") + "\n").utf8)
        let ids = try repository.run(hashing, input: input)
        guard let text = ids.text else { throw GitCommand.failure(hashing, ids) }
        let lines = text.split(separator: "\n").map(String.init)
        guard lines.count == hashable.count, lines.allSatisfy(GitEntry.isID) else {
            throw GitCommand.failure(hashing, ids)
        }
        for (path, id) in zip(hashable, lines) { found[path] = id }
        return found
    }

    /// The files that the index marks as not in the work tree (`skip-worktree`).
    private static func leftOut(_ repository: GitRepository) throws(NotCompared) -> [String: String]
    {
        let arguments = ["ls-files", "-z", "-t"]
        let answer = try repository.run(arguments)
        guard answer.status == 0 else { throw GitCommand.failure(arguments, answer) }
        let mark = Array("S ".utf8)
        let marked = Set(
            answer.output.split(separator: 0).filter { $0.starts(with: mark) }
                .map { String(decoding: $0.dropFirst(mark.count), as: UTF8.self) })
        guard !marked.isEmpty else { return [:] }
        return try identities(repository, .index).filter { marked.contains($0.key) }
    }

    /// The paths at which a work tree has a regular file, sorted.
    private static func regular(
        _ paths: Set<String>, below top: String
    ) throws(NotCompared) -> [String] {
        do throws(FileReadError) {
            let root = try RootFolder(path: top, limits: limits)
            var found: [String] = []
            for (folder, names) in Dictionary(grouping: paths, by: GuardTree.folder) {
                let entries: [RootFolder.Entry]
                do throws(FileReadError) {
                    entries = try root.entries(of: folder)
                } catch {
                    // A tracked folder that is gone, or a link in its place.
                    guard error.code == .notFound || error.code == .notRegular else { throw error }
                    continue
                }
                let files = Set(
                    entries.filter { $0.kind == .regular }.map {
                        folder.isEmpty ? $0.name : "\(folder)/\($0.name)"
                    })
                found += names.filter(files.contains)
            }
            return found.sorted()
        } catch {
            throw NotCompared(
                error.code == .tooLarge ? .tooLarge : .failed, "the work tree: \(error.context)")
        }
    }

    /// The files below a folder, without hidden folders. No link is followed.
    private static func identities(below path: String) throws(NotCompared) -> [String: String] {
        do throws(FileReadError) {
            let root = try RootFolder(path: path, limits: limits)
            var found: [String: String] = [:]
            var folders = [""]
            while let folder = folders.popLast() {
                for item in try root.entries(of: folder) {
                    let inner = folder.isEmpty ? item.name : "\(folder)/\(item.name)"
                    switch item.kind {
                    case .folder where !item.name.hasPrefix("."): folders.append(inner)
                    case .regular:
                        let bytes = try root.read(inner, limit: UnitLoader.largestFile)
                        found[inner] =
                            EngineLoader.crypto.digest(.sha256, of: bytes.span).text
                    case .folder, .linkToFile, .linkToFolder, .linkOut, .other: break
                    }
                }
            }
            return found
        } catch {
            throw NotCompared(error.code == .tooLarge ? .tooLarge : .failed, error.context)
        }
    }

    /// What stands for a content in `identities`.
    func identity(of bytes: [UInt8]) throws(NotCompared) -> String {
        switch place {
        case .source(let repository, _), .workTree(let repository):
            let arguments = ["hash-object", "--no-filters", "--stdin"]
            let answer = try repository.run(arguments, input: bytes)
            guard let id = answer.text, GitEntry.isID(id) else {
                throw GitCommand.failure(arguments, answer)
            }
            return id
        case .folder: return EngineLoader.crypto.digest(.sha256, of: bytes.span).text
        }
    }

    // MARK: Reading

    /// The contents of the files that `isKept` keeps. A file of more than 64 MiB does not count as
    /// a guard.
    func read(
        _ paths: Set<String>, where isKept: (String, [UInt8]) -> Bool
    ) throws(NotCompared) -> [String: [UInt8]] {
        let wanted = paths.filter { identities[$0] != nil }.sorted()
        var kept: [String: [UInt8]] = [:]
        switch place {
        case .source(let repository, _): try read(wanted, of: repository, isKept, into: &kept)
        case .workTree(let repository):
            let absent = wanted.filter { leftOut[$0] != nil && leftOut[$0] == identities[$0] }
            try read(absent, of: repository, isKept, into: &kept)
            let there = wanted.filter { kept[$0] == nil && !absent.contains($0) }
            try read(there, below: repository.top ?? repository.folder, isKept, into: &kept)
        case .folder(let root, _): try read(wanted, below: root, isKept, into: &kept)
        }
        return kept
    }

    private func read(
        _ wanted: [String], of repository: GitRepository, _ isKept: (String, [UInt8]) -> Bool,
        into kept: inout [String: [UInt8]]
    ) throws(NotCompared) {
        let objects = try GitObjects(
            wanted.compactMap { identities[$0] }, git: repository.hook, folder: repository.folder)
        var left = ListedFiles.largestRead
        for path in wanted {
            guard let id = identities[path], let size = objects.size(of: id) else {
                throw NotCompared(
                    .missingObject,
                    "`\(path)` is not in the repository: a partial clone, or a damaged one")
            }
            guard size <= UnitLoader.largestFile else { continue }
            left -= size
            guard left >= 0 else { throw ListedFiles.tooMuch }
            let bytes = try objects.read(id)
            if isKept(path, bytes) { kept[path] = bytes }
        }
    }

    private func read(
        _ wanted: [String], below root: String, _ isKept: (String, [UInt8]) -> Bool,
        into kept: inout [String: [UInt8]]
    ) throws(NotCompared) {
        let folder: RootFolder
        do throws(FileReadError) {
            folder = try RootFolder(path: root, limits: ListedFiles.limits)
        } catch {
            throw NotCompared(.failed, error.context)
        }
        var left = ListedFiles.largestRead
        for path in wanted {
            let bytes: [UInt8]
            do throws(FileReadError) {
                bytes = try folder.read(path, limit: UnitLoader.largestFile)
            } catch {
                guard error.code == .tooLarge else { throw NotCompared(.failed, error.context) }
                continue
            }
            left -= bytes.count
            guard left >= 0 else { throw ListedFiles.tooMuch }
            if isKept(path, bytes) { kept[path] = bytes }
        }
    }

    private static let tooMuch = NotCompared(
        .tooLarge, "the change has more than 1 GiB of files, so guards are not looked for in it")

    // MARK: Units

    /// The folder of the outermost unit that a path lies in; nil if it lies in none.
    func unit(of path: String) -> String? {
        var found: String?
        var folder = ""
        if identities["policy.yaml"] != nil { found = "" }
        for name in path.split(separator: "/").dropLast() where found == nil {
            folder += folder.isEmpty ? String(name) : "/\(name)"
            if identities[folder + "/policy.yaml"] != nil { found = folder }
        }
        return found
    }

    /// Whether a folder is a unit's.
    func hasUnit(_ folder: String) -> Bool {
        identities[folder.isEmpty ? "policy.yaml" : folder + "/policy.yaml"] != nil
    }

    /// The unit of a folder, or the policies outside any unit in it; each is compiled once.
    private func compiled(_ root: String) -> Compiled {
        if let known = units.withLock({ $0[root] }) { return known }
        let made: Compiled
        if let unit = unit(in: root) {
            let compilation = PolicySource.compile(unit.ofPoliciesAlone)
            var policy: GuardTree.Policy?
            if let checked = compilation.policy, let table = compilation.table {
                policy = GuardTree.Policy(checked: checked, table: table)
            }
            made = Compiled(resources: unit.resources, policy: policy)
        } else {
            made = Compiled(resources: nil, policy: nil)
        }
        units.withLock { $0[root] = made }
        return made
    }

    private func unit(in root: String) -> PolicyUnit? {
        let loose = identities.keys.filter {
            GuardTree.folder(of: $0) == root && $0.hasSuffix(".policy.yaml")
        }
        let isUnit = hasUnit(root)
        switch place {
        case .source(let repository, let source):
            let path = isUnit ? root : loose.min() ?? root
            do throws(NotCompared) {
                let read: RevisionUnit
                switch source {
                case .commit(let commit): read = try repository.unit(of: commit, path: path)
                case .index: read = try repository.indexUnit(path: path)
                }
                return read.unit
            } catch {
                return nil
            }
        case .workTree(let repository):
            return onDisk(repository.top ?? repository.folder, root, isUnit, loose)
        case .folder(let top, _): return onDisk(top, root, isUnit, loose)
        }
    }

    private func onDisk(
        _ top: String, _ root: String, _ isUnit: Bool, _ loose: [String]
    ) -> PolicyUnit? {
        do throws(FileReadError) {
            let folder = try RootFolder(path: root.isEmpty ? top : "\(top)/\(root)")
            let names = loose.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
            return isUnit
                ? try UnitLoader.unit(in: folder)
                : try UnitLoader.looseUnit(of: names.sorted(), in: folder)
        } catch {
            return nil
        }
    }

    /// This side as guards are compared, with the contents of some files.
    func tree(_ files: [String: [UInt8]]) -> GuardTree {
        let prefix: String
        switch place {
        case .source, .workTree: prefix = ""
        case .folder(_, let shown): prefix = shown.isEmpty ? "" : shown + "/"
        }
        return GuardTree(
            prefix: prefix, identities: identities, files: files,
            resources: { self.compiled($0).resources }, policy: { self.compiled($0).policy })
    }
}
