import Hawser
import HawserYAML
import PolicyCompiler

/// A unit as a revision has it.
struct RevisionUnit: Sendable {
    /// The policy files, and access to the files that they name.
    let unit: PolicyUnit
    /// The unit's folder from the repository's top; `""` is the top.
    let root: String
    /// The commit; nil for the index.
    let commit: GitCommit?
    /// For people: "`main` (1a2b3c4d5e6f)", "the index".
    let words: String
    private let tree: GitTree

    fileprivate init(
        unit: PolicyUnit, root: String, commit: GitCommit?, words: String, tree: GitTree
    ) {
        self.unit = unit
        self.root = root
        self.commit = commit
        self.words = words
        self.tree = tree
    }

    /// What the policies name and the revision could not give: a submodule, a missing blob, a
    /// pointer of Git LFS. Known once the unit is compiled; nothing is compared if it is there.
    var problem: NotCompared? { tree.problem }
}

extension GitRepository {
    /// The unit that a revision has at a path: found, named and limited as on disk. The bytes are
    /// as in the repository, before filters and line endings. Where `core.autocrlf` or a filter
    /// makes other bytes in the work tree, the two sides of a comparison differ only in comments
    /// and layout.
    ///
    /// - Parameter defaultPath: the path where the revision names none, from the repository's top.
    func unit(
        _ revision: PolicyRevision, defaultPath: String,
        limits: RootFolder.Limits = RootFolder.Limits()
    ) throws(NotCompared) -> RevisionUnit {
        let path = revision.path ?? defaultPath
        switch revision.place {
        case .commit(let name): return try unit(of: try commit(name), path: path, limits: limits)
        case .index: return try indexUnit(path: path, limits: limits)
        }
    }

    /// Where the files of a revision are listed from.
    func source(of place: PolicyRevision.Place) throws(NotCompared) -> GitSource {
        switch place {
        case .commit(let name): return .commit(try commit(name))
        case .index: return .index
        }
    }

    /// The unit that a commit has at a path from the repository's top.
    func unit(
        of commit: GitCommit, path: String, limits: RootFolder.Limits = RootFolder.Limits()
    ) throws(NotCompared) -> RevisionUnit {
        try unit(in: .commit(commit), path, limits)
    }

    /// The unit that the index has at a path from the repository's top: what a hook is about to let
    /// through. Files that are only intended to be added are not in it.
    func indexUnit(
        path: String, limits: RootFolder.Limits = RootFolder.Limits()
    ) throws(NotCompared) -> RevisionUnit {
        guard top != nil else {
            throw NotCompared(.noIndex, "`\(directory)` is a bare repository, which has no index")
        }
        return try unit(in: .index, path, limits)
    }

    // MARK: Finding

    private func unit(
        in source: GitSource, _ text: String, _ limits: RootFolder.Limits
    ) throws(NotCompared) -> RevisionUnit {
        let path = try PolicyRevision.path(text)
        let listing = try GitListing(self, source, near: path)
        let place = try listing.place(of: path)
        let tree: GitTree
        let unit: PolicyUnit
        let root: String
        switch place {
        case .unit(let folder):
            root = folder
            tree = try listing.tree(below: folder, limits)
            unit = try gathered(tree, source) { tree throws(FileReadError) in
                try UnitLoader.unit(in: tree)
            }
        case .file(let folder, let name):
            root = folder
            tree = try listing.tree(below: folder, limits)
            unit = try gathered(tree, source) { tree throws(FileReadError) in
                try UnitLoader.looseUnit(of: [name], in: tree)
            }
        }
        return RevisionUnit(
            unit: unit, root: root, commit: source.commit, words: source.words, tree: tree)
    }

    private func gathered(
        _ tree: GitTree, _ source: GitSource,
        _ body: (GitTree) throws(FileReadError) -> PolicyUnit
    ) throws(NotCompared) -> PolicyUnit {
        do throws(FileReadError) {
            return try body(tree)
        } catch {
            if let problem = tree.problem { throw problem }
            throw NotCompared(
                error.code == .tooLarge ? .tooLarge : .failed, "\(source.words): \(error.context)")
        }
    }
}
