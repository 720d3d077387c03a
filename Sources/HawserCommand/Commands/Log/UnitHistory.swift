import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import TrustEngine

/// The versions that a unit has in the commits of a history. Two commits whose folders have the
/// same tree have the same version, which is compiled once.
final class UnitHistory {
    /// What a commit's policy is.
    enum Version {
        /// The table. A commit without the unit has the table of a policy that denies every host.
        case table(HistoricTable)
        /// Why it cannot be asked.
        case failed(String)
    }

    /// Where a commit has the unit.
    fileprivate enum Place: Hashable {
        case absent
        /// A folder with `policy.yaml`, or with a file outside any unit, by the folder's tree and
        /// its path from the top.
        case unit(tree: String, folder: String)
        case file(tree: String, folder: String, name: String)
        case failed(String)
    }

    /// What tells versions apart.
    struct Key: Hashable {
        fileprivate let place: Place
        /// The tree of the whole commit, where a link of the unit may lead out of it; otherwise
        /// empty.
        fileprivate let top: String
    }

    private let history: GitHistory
    private let path: [String]
    private var versions: [Key: Version] = [:]
    /// Whether a folder has links, by its tree.
    private var links: [String: Bool] = [:]

    /// - Parameter path: the unit's folder, or a file, from the repository's top.
    init(_ history: GitHistory, path: String) {
        self.history = history
        self.path = path.split(separator: "/").map(String.init)
    }

    /// How many versions were read.
    var count: Int { versions.count }

    /// What tells the version of a commit apart from others.
    func key(_ commit: GitHistory.Commit) throws(NotCompared) -> Key {
        let place = try place(in: commit.tree)
        switch place {
        case .absent, .failed: return Key(place: place, top: "")
        case .unit(let tree, _), .file(let tree, _, _):
            return Key(place: place, top: try hasLinks(tree) ? commit.tree : "")
        }
    }

    /// The version of a commit.
    func version(_ commit: GitHistory.Commit) throws(NotCompared) -> Version {
        let key = try key(commit)
        if let known = versions[key] { return known }
        let version = try compiled(key.place, commit)
        versions[key] = version
        return version
    }

    // MARK: Finding

    private func hasLinks(_ tree: String) throws(NotCompared) -> Bool {
        if let known = links[tree] { return known }
        let found = try history.objects.everything(below: tree).contains { $0.kind == .link }
        links[tree] = found
        return found
    }

    /// The nearest folder with `policy.yaml`, as `GitListing.place(of:)` finds it.
    private func place(in top: String) throws(NotCompared) -> Place {
        var folders = [top]
        var file: String?
        for (index, name) in path.enumerated() {
            let entry = try entry(name, in: folders[folders.count - 1])
            switch entry?.kind {
            case .folder?: folders.append(entry?.id ?? "")
            case .file? where index == path.count - 1: file = name
            case .file?, nil: return .absent
            case .link?:
                return .failed("`\(path[...index].joined(separator: "/"))` is a symbolic link")
            case .submodule?:
                return .failed("`\(path[...index].joined(separator: "/"))` is a submodule")
            }
        }
        for (depth, folder) in folders.enumerated().reversed() {
            if try entry("policy.yaml", in: folder) != nil {
                return .unit(tree: folder, folder: path[..<depth].joined(separator: "/"))
            }
            // A folder never stands for the unit above it.
            if file == nil { return .absent }
        }
        guard let file, let folder = folders.last else { return .absent }
        return .file(
            tree: folder, folder: path.dropLast().joined(separator: "/"), name: file)
    }

    private func entry(_ name: String, in tree: String) throws(NotCompared) -> GitEntry? {
        try history.objects.entries(of: tree).first { $0.path.elementsEqual(name.utf8) }
    }

    // MARK: Compiling

    private func compiled(
        _ place: Place, _ commit: GitHistory.Commit
    ) throws(NotCompared) -> Version {
        switch place {
        case .absent: return .table(HistoricTable(PolicySource.tableOfNone()))
        case .failed(let reason): return .failed(reason)
        case .unit(let tree, let folder):
            return try compiled(tree, folder, commit) { tree throws(FileReadError) in
                try UnitLoader.unit(in: tree)
            }
        case .file(let tree, let folder, let name):
            return try compiled(tree, folder, commit) { tree throws(FileReadError) in
                try UnitLoader.looseUnit(of: [name], in: tree)
            }
        }
    }

    private func compiled(
        _ id: String, _ folder: String, _ commit: GitHistory.Commit,
        _ gather: (GitTree) throws(FileReadError) -> PolicyUnit
    ) throws(NotCompared) -> Version {
        let objects = history.objects
        let top = commit.tree
        let tree = try GitTree(try objects.everything(below: id), objects: objects) {
            link, target in
            UnitHistory.leadsToFolder(
                target, from: folder.isEmpty ? link : "\(folder)/\(link)", top, objects)
        }
        let unit: PolicyUnit
        do throws(FileReadError) {
            unit = try gather(tree)
        } catch {
            return .failed(tree.problem?.context ?? error.context)
        }
        let compilation = PolicySource.compile(unit)
        if let problem = tree.problem { return .failed(problem.context) }
        guard let table = compilation.table else {
            let first = PolicySource.firstError(of: compilation).map { ": \($0)" } ?? ""
            return .failed("it does not compile\(first)")
        }
        return .table(HistoricTable(table))
    }

    /// Whether the target of a link that leaves its unit is a folder; nil if this cannot be told.
    private static func leadsToFolder(
        _ target: String, from link: String, _ top: String, _ objects: GitHistoryObjects
    ) -> Bool? {
        guard let names = GitTree.follow(target, from: link) else { return nil }
        var folder = top
        for name in names {
            guard let entries = try? objects.entries(of: folder) else { return nil }
            let entry = entries.first { $0.path.elementsEqual(name.utf8) }
            switch entry?.kind {
            case .folder?: folder = entry?.id ?? ""
            case .file?, nil: return false
            case .link?, .submodule?: return nil
            }
        }
        return true
    }
}
