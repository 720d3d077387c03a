import Hawser
import HawserYAML

/// The files of a unit in a revision: a listing that was read at once, and contents that are read
/// when they are asked for. It is listed and read exactly as a folder of the machine is, with the
/// same limits and the same words.
///
/// What a folder cannot have (a submodule, a blob that is missing) makes the reading fail, and
/// `problem` says so: whoever compiles the unit asks for it afterwards.
final class GitTree: UnitTree {
    /// Something in a folder.
    private enum Node: Sendable {
        case file(id: String)
        case link(id: String)
        case submodule
        case folder

        init(_ entry: GitEntry) {
            switch entry.kind {
            case .file: self = .file(id: entry.id)
            case .link: self = .link(id: entry.id)
            case .submodule: self = .submodule
            case .folder: self = .folder
            }
        }
    }

    private let objects: any BlobSource
    /// All by their paths from the root.
    private let nodes: [String: Node]
    /// Names of the entries directly in each folder; `""` is the root.
    private let names: [String: [String]]
    /// Paths that are not looked up.
    private let badPaths: Set<String>
    private let allowance: ReadingAllowance
    /// What a link leads to that leaves the root, by its path from the root.
    private let leadsToFolder: @Sendable (_ link: String, _ target: String) -> Bool?
    private let found = Monitor<NotCompared?>(nil)

    /// - Parameters:
    ///   - entries: everything beneath the root.
    ///   - leadsToFolder: whether the target of a link, which leaves the root, is a folder; nil if
    ///     this cannot be told.
    init(
        _ entries: [GitEntry], objects: any BlobSource,
        limits: RootFolder.Limits = RootFolder.Limits(),
        leadsToFolder: @escaping @Sendable (_ link: String, _ target: String) -> Bool?
    ) throws(NotCompared) {
        var nodes: [String: Node] = ["": .folder]
        var names: [String: [String]] = ["": []]
        var badPaths: Set<String> = []
        for entry in entries {
            let (path, isBad) = try GitTree.path(entry.path)
            var folder = ""
            let parts = path.split(separator: "/").map(String.init)
            for (index, name) in parts.enumerated() {
                let inner = folder.isEmpty ? name : "\(folder)/\(name)"
                let isLast = index == parts.count - 1
                switch nodes[inner] {
                case .folder? where !isLast: break
                case nil:
                    names[folder, default: []].append(name)
                    nodes[inner] = isLast ? Node(entry) : .folder
                case .file?, .link?, .submodule?, .folder?:
                    throw NotCompared(.failed, "the tree has `\(inner)` twice")
                }
                if isLast, isBad { badPaths.insert(inner) }
                folder = inner
            }
        }
        self.objects = objects
        self.nodes = nodes
        self.names = names.mapValues { $0.sorted() }
        self.badPaths = badPaths
        self.allowance = ReadingAllowance(limits)
        self.leadsToFolder = leadsToFolder
    }

    /// Why something could not be read that a folder of the machine would have; nil if everything
    /// that was asked for could be.
    var problem: NotCompared? { found.withLock { $0 } }

    /// Whether there is anything at a path from the root.
    func has(_ path: String) -> Bool { nodes[path] != nil }

    // MARK: Reading

    func entries(of folder: String) throws(FileReadError) -> [RootFolder.Entry] {
        let (place, node) = folder.isEmpty ? ("", .folder) : try node(folder)
        switch node {
        case .folder: break
        case .submodule:
            throw fail(
                .submodule,
                "`\(folder)` is a submodule, whose files are in another repository; a unit's "
                    + "folders stand in it")
        case .file, .link: throw .notThere(folder)
        }
        var entries: [RootFolder.Entry] = []
        for name in names[place] ?? [] {
            try allowance.takeEntry(of: folder)
            let path = place.isEmpty ? name : "\(place)/\(name)"
            entries.append(RootFolder.Entry(name: name, kind: try kind(of: path, named: name)))
        }
        return entries
    }

    func read(_ path: String, limit: Int) throws(FileReadError) -> [UInt8] {
        let id: String
        switch try node(path).node {
        case .file(let blob): id = blob
        case .folder, .submodule, .link:
            throw .notRegular(path, RootFolder.Entry.Kind.folder.words)
        }
        guard let size = objects.size(of: id) else { throw missing(id, path) }
        let bytes = try allowance.reading(path, limit: limit) { limit throws(FileReadError) in
            guard size <= limit else { throw .tooLong(path, octets: size, limit: limit) }
            do throws(NotCompared) {
                return try objects.read(id)
            } catch {
                throw fail(error)
            }
        }
        guard !GitTree.isPointer(bytes) else {
            throw fail(
                .pointer,
                "`\(path)` is a pointer of Git LFS, and its content is not in the repository; keep "
                    + "policies and certificates in git itself")
        }
        return bytes
    }

    // MARK: Nodes

    /// The node at a path, with its path without links. Links are followed as the machine follows
    /// them, to targets beneath the root.
    private func node(_ path: String) throws(FileReadError) -> (place: String, node: Node) {
        var walk = try LinkedPath(path, allowance.limits)
        while let name = try walk.next() {
            let inner = walk.inside(name)
            switch nodes[inner] {
            case .folder?: try walk.enter(name)
            case .link(let id)?: try walk.follow(try target(of: inner, id))
            case .submodule? where walk.isAtEnd: return (inner, .submodule)
            case .submodule?:
                throw fail(
                    .submodule,
                    "`\(inner)` on the way to `\(path)` is a submodule, whose files are in another "
                        + "repository")
            case .file(let id)? where walk.isAtEnd: return (inner, .file(id: id))
            case .file?: throw .notThere(path)
            case nil:
                throw walk.hasLinks ? .leadsNowhere(path, inner) : .notThere(path)
            }
        }
        return (walk.place.joined(separator: "/"), .folder)
    }

    /// The target of a link.
    private func target(of path: String, _ id: String) throws(FileReadError) -> String {
        guard let size = objects.size(of: id) else { throw missing(id, path) }
        var target: String?
        if size <= LinkedPath.longestTarget {
            do throws(NotCompared) {
                target = String(validating: try objects.read(id), as: UTF8.self)
            } catch {
                throw fail(error)
            }
        }
        guard let target, !target.isEmpty else {
            throw fail(.link, "`\(path)` is a symbolic link whose target cannot be read")
        }
        return target
    }

    private func kind(
        of path: String, named name: String
    ) throws(FileReadError) -> RootFolder.Entry.Kind {
        guard !badPaths.contains(path) else {
            throw fail(
                .badPath,
                "`\(path)` has a line break or is not UTF-8, and is not looked up in a revision")
        }
        switch nodes[path] {
        case .file?, nil: return .regular
        case .folder?, .submodule?: return .folder
        case .link(let id)?:
            // Nobody looks where a hidden link leads.
            if name.hasPrefix(".") { return .other("a symbolic link") }
            return try kind(ofLink: path, id)
        }
    }

    /// The kind of a link, by its target.
    private func kind(ofLink path: String, _ id: String) throws(FileReadError)
        -> RootFolder.Entry.Kind
    {
        do throws(FileReadError) {
            let (place, node) = try node(path)
            switch node {
            case .file: return .linkToFile
            case .folder: return .linkToFolder(place)
            case .submodule, .link: break
            }
        } catch {
            switch error.code {
            case .leavesRoot:
                let target = try target(of: path, id)
                guard let isFolder = leadsToFolder(path, target) else { break }
                return .linkOut(isFolder: isFolder)
            case .unreadable: throw error
            case .notFound, .notRegular, .tooLarge:
                return .other("a symbolic link that cannot be followed")
            }
        }
        throw fail(
            .link,
            "`\(path)` is a symbolic link, and the revision does not tell whether it leads to a "
                + "folder; policies in it would be skipped")
    }

    /// The names of a link's target, from the root that the link's own path begins at; nil if it
    /// leaves the root, or goes up again after it went down.
    static func follow(_ target: String, from link: String) -> [String]? {
        guard !target.hasPrefix("/"), !target.isEmpty else { return nil }
        var names = link.split(separator: "/").dropLast().map(String.init)
        var hasDescended = false
        for name in target.split(separator: "/") where name != "." {
            if name == ".." {
                guard !hasDescended, names.popLast() != nil else { return nil }
            } else {
                hasDescended = true
                names.append(String(name))
            }
        }
        return names
    }

    // MARK: Failures

    private func missing(_ id: String, _ path: String) -> FileReadError {
        fail(
            .missingObject,
            "`\(path)` is not in the repository (object \(id.prefix(12))): a partial clone, or a "
                + "damaged one; fetch it first, as nothing is fetched here")
    }

    private func fail(_ code: NotCompared.Code, _ context: String) -> FileReadError {
        fail(NotCompared(code, context))
    }

    /// Keeps the first problem.
    private func fail(_ problem: NotCompared) -> FileReadError {
        found.withLock { first in
            if first == nil { first = problem }
        }
        return FileReadError(code: .unreadable, context: problem.context)
    }

    // MARK: Words and octets

    /// A path as text, and whether it is one that is not looked up. It throws `failed` for a path
    /// that no folder can have.
    private static func path(_ octets: [UInt8]) throws(NotCompared) -> (String, isBad: Bool) {
        let text = String(decoding: octets, as: UTF8.self)
        let names = text.split(separator: "/", omittingEmptySubsequences: false)
        guard !names.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
            throw NotCompared(.failed, "the tree has `\(text)`, which is not a path")
        }
        let isBad =
            octets.contains { $0 == 0x0A || $0 == 0x0D } || !text.utf8.elementsEqual(octets)
        return (text, isBad)
    }

    /// Whether a file is a pointer of Git LFS: a text of few lines with an id and a size.
    private static func isPointer(_ bytes: [UInt8]) -> Bool {
        guard bytes.count <= 1_024, bytes.starts(with: "version http".utf8) else { return false }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return lines.contains { $0.hasPrefix("oid ") } && lines.contains { $0.hasPrefix("size ") }
    }
}
