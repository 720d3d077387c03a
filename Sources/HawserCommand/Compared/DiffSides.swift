import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import TrustEngine

/// The two policies that `diff` compares, with the places in which guards and other units are
/// looked for.
struct DiffSides {
    /// Where guards and other units are looked for.
    enum Surroundings {
        /// A table or `none`, which have no files.
        case none
        case source(GitRepository, GitSource)
        /// The unit's folder on this machine: its absolute path, and the one that a reader knows.
        case folder(String, shown: String)
    }

    /// A policy and the place of its files.
    private struct Located {
        let side: DiffSide
        var surroundings = Surroundings.none

        /// The same policy with more words about what its revision stands for.
        func adding(_ words: String) -> Located {
            Located(
                side: DiffSide(
                    side.name, side.table,
                    revision: [side.revision, words].compactMap(\.self).joined(separator: ", "),
                    folder: side.folder, files: side.files, resources: side.resources),
                surroundings: surroundings)
        }
    }

    let old: DiffSide
    let new: DiffSide
    private let surroundings: (old: Surroundings, new: Surroundings)
    /// The folder of another unit that the change touches, from the repository's top; nil for the
    /// policy that was asked for.
    let unit: String?

    private init(_ old: Located, _ new: Located, unit: String? = nil) {
        self.old = old.side
        self.new = new.side
        surroundings = (old.surroundings, new.surroundings)
        self.unit = unit
    }

    /// The word for a policy that denies every host.
    static let none = "none"

    /// Reads the two policies; several pairs where a branch has several merge bases.
    static func read(
        old: String?, new: String?, base: String?
    ) throws(CommandFailure) -> [DiffSides] {
        do throws(NotCompared) {
            if let base { return try pairs(base: base, old, new) }
            let own: String
            if let new { own = new } else { own = try here(after: old == nil ? "git:HEAD" : nil) }
            let earlier = old ?? "git:HEAD"
            let later = try side(own, place: place(of: own, beside: old), isOld: false)
            let before = try side(earlier, place: place(of: earlier, beside: own), isOld: true)
            return [DiffSides(before, later)]
        } catch {
            throw .notCompared(error)
        }
    }

    /// The merge bases of a revision and the commit that NEW is or lies on, each with NEW.
    private static func pairs(
        base: String, _ old: String?, _ new: String?
    ) throws(NotCompared) -> [DiffSides] {
        guard old == nil || new == nil else {
            throw NotCompared(
                .badRevision, "`--base` names the policy before the change; give NEW alone")
        }
        let name: String
        if let given = new ?? old { name = given } else { name = try here(after: nil) }
        let place: String
        if let path = onDisk(name) {
            place = path
        } else {
            place = try self.place(of: name, beside: nil)
        }
        let later = try side(name, place: place, isOld: false)
        let repository = try GitRepository.open(for: folder(of: place))
        let revision = PolicyRevision.isOne(name) ? try PolicyRevision.parse(name) : nil
        let path: String
        if let named = revision?.path {
            path = named
        } else {
            path = try repository.path(of: unitPath(place))
        }
        let branch = try repository.branch(of: revision?.place)
        let new = branch.words.map(later.adding) ?? later
        return try bases(base, of: branch, in: repository, path: path).map { DiffSides($0, new) }
    }

    /// The policies that a unit had where the branch that is checked out left a revision, for
    /// `lint --base`.
    static func bases(_ base: String, of root: String) throws(CommandFailure) -> [LintBase] {
        do throws(NotCompared) {
            let repository = try GitRepository.open(for: root)
            let path = try repository.path(of: root)
            let branch = try repository.branch(of: nil)
            return try bases(base, of: branch, in: repository, path: path).map {
                LintBase(name: $0.side.revision ?? $0.side.name, table: $0.side.table)
            }
        } catch {
            throw .notCompared(error)
        }
    }

    /// The unit of a folder in the last commit, with the commit's id.
    ///
    /// - Parameter known: the answer before, which still holds if the commit is the same.
    static func head(
        of root: String, known: (id: String, side: DiffSide)?
    ) throws(NotCompared) -> (id: String, side: DiffSide) {
        let repository = try GitRepository.open(for: root)
        let commit = try repository.commit("HEAD")
        if let known, known.id == commit.id { return known }
        let path = try repository.path(of: root)
        return (commit.id, try side(of: commit, in: repository, path: path).side)
    }

    /// A unit whose files are not those on disk.
    ///
    /// - Parameter other: the side that it is compared with, for the folder's name.
    static func edited(
        _ unit: PolicyUnit, _ name: String, like other: DiffSide
    ) throws(NotCompared) -> DiffSide {
        do throws(CommandFailure) {
            return try compiled(unit, name, revision: nil, folder: other.folder)
        } catch {
            throw NotCompared(error)
        }
    }

    /// The policies at a path where a branch left a revision: one for each merge base.
    private static func bases(
        _ base: String, of branch: GitBranch, in repository: GitRepository, path: String
    ) throws(NotCompared) -> [Located] {
        var found: [Located] = []
        for commit in try repository.mergeBases(branch, try repository.commit(base)) {
            found.append(try side(of: commit, in: repository, path: path))
        }
        return found
    }

    private static func side(
        of commit: GitCommit, in repository: GitRepository, path: String
    ) throws(NotCompared) -> Located {
        let name = "git:\(commit.short)"
        do throws(NotCompared) {
            return try side(
                name, try repository.unit(of: commit, path: path), words: commit.words,
                in: repository)
        } catch {
            guard error.code == .absent else { throw error }
            return Located(
                side: absent(name, commit.words),
                surroundings: .source(repository, .commit(commit)))
        }
    }

    /// The policy that an argument names.
    ///
    /// - Parameters:
    ///   - place: the path whose unit a revision without a path is about.
    ///   - isOld: whether it is the policy before the change. A unit that was not there before is
    ///     new; a unit that is gone was moved or deleted, which is not compared.
    private static func side(
        _ name: String, place: String, isOld: Bool
    ) throws(NotCompared) -> Located {
        if name == none { return Located(side: DiffSide(name, PolicySource.tableOfNone())) }
        guard PolicyRevision.isOne(name) else {
            do throws(CommandFailure) {
                if EngineLoader.isTable(name) {
                    let table = try PolicySource.open(name, trustedKeys: nil).table
                    return Located(side: DiffSide(name, table))
                }
                let side = try compiled(
                    try PolicySource.unit([name]), name, revision: nil, folder: shownFolder(name))
                let root = folder(of: unitPath(name))
                return Located(
                    side: side,
                    surroundings: (try? NamedPath.resolve(root)).map {
                        .folder($0, shown: side.folder ?? root)
                    } ?? .none)
            } catch {
                throw NotCompared(error)
            }
        }
        let revision = try PolicyRevision.parse(name)
        let repository = try GitRepository.open(for: folder(of: place))
        let own = revision.path == nil ? try repository.path(of: unitPath(place)) : ""
        do throws(NotCompared) {
            let unit = try repository.unit(revision, defaultPath: own)
            return try side(name, unit, words: unit.words, in: repository)
        } catch {
            guard isOld, error.code == .absent, revision.path == nil else { throw error }
            return Located(
                side: absent(name, "nothing at `\(own)`"),
                surroundings: .source(repository, try repository.source(of: revision.place)))
        }
    }

    /// A unit that is new: every host was denied.
    private static func absent(_ name: String, _ words: String) -> DiffSide {
        DiffSide(
            name, PolicySource.tableOfNone(),
            revision: "\(words), which has no such policy: every host is denied")
    }

    private static func side(
        _ name: String, _ unit: RevisionUnit, words: String, in repository: GitRepository
    ) throws(NotCompared) -> Located {
        do throws(CommandFailure) {
            let side = try compiled(unit.unit, name, revision: words, folder: unit.root)
            if let problem = unit.problem { throw CommandFailure.couldNotAsk(problem.context) }
            return Located(
                side: side,
                surroundings: .source(repository, unit.commit.map(GitSource.commit) ?? .index))
        } catch {
            throw unit.problem ?? NotCompared(error)
        }
    }

    private static func compiled(
        _ unit: PolicyUnit, _ name: String, revision: String?, folder: String?
    ) throws(CommandFailure) -> DiffSide {
        let read = ReadFiles(unit.resources)
        let unit = unit.ofPoliciesAlone
        let kept = PolicyUnit(
            files: unit.files, resources: read, mentioned: unit.mentioned,
            diagnostics: unit.diagnostics, isDirectory: unit.isDirectory)
        let compilation = PolicySource.compile(kept)
        let table: PolicyTable
        do throws(CommandFailure) {
            table = try PolicySource.table(of: compilation)
        } catch {
            guard let first = PolicySource.firstError(of: compilation) else { throw error }
            throw .couldNotAsk("`\(name)` does not compile: \(first)")
        }
        return DiffSide(
            name, table, revision: revision, folder: folder, files: unit.files,
            resources: read.files)
    }

    // MARK: Beside the policies

    /// All files of both sides, which are listed at the same time; nil with the reason where there
    /// are none to compare.
    func trees() throws(NotCompared) -> Result<ComparedTrees, NotCompared> {
        func missing(_ side: DiffSide) -> Result<ComparedTrees, NotCompared> {
            .failure(
                NotCompared(
                    .absent,
                    side.name == DiffSides.none
                        ? "`\(side.name)` has no files"
                        : "`\(side.name)` is a table, which has none"))
        }
        switch (surroundings.old, surroundings.new) {
        case (.none, _): return missing(old)
        case (_, .none): return missing(new)
        case (.folder(let one, let shown), .folder(let other, let here)):
            return .success(
                ComparedTrees(
                    old: try ListedFiles(.folder(one, shown: shown)),
                    new: try ListedFiles(.folder(other, shown: here))))
        case (.source(let repository, let source), .source(let other, let later)):
            guard repository.directory == other.directory else { return DiffSides.apart }
            return .success(
                ComparedTrees(
                    old: try ListedFiles(.source(repository, source)),
                    new: try ListedFiles(.source(other, later))))
        case (.source(let repository, let source), .folder(let folder, _)):
            guard repository.holds(folder) else { return DiffSides.apart }
            return .success(
                ComparedTrees(
                    old: try ListedFiles(.source(repository, source)),
                    new: try ListedFiles(.workTree(repository))))
        case (.folder(let folder, _), .source(let repository, let source)):
            guard repository.holds(folder) else { return DiffSides.apart }
            return .success(
                ComparedTrees(
                    old: try ListedFiles(.workTree(repository)),
                    new: try ListedFiles(.source(repository, source))))
        }
    }

    private static let apart = Result<ComparedTrees, NotCompared>.failure(
        NotCompared(.noRepository, "the two policies are not of one repository"))

    /// The other units that a change touches or adds, each as a pair, and the folders of those that
    /// are gone.
    ///
    /// - Parameter apart: the folders of units that are compared elsewhere.
    func others(
        in trees: ComparedTrees, apart: Set<String>
    ) throws(CommandFailure) -> (pairs: [DiffSides], gone: [String]) {
        let own = Set([old.folder, new.folder].compactMap(\.self))
        var (pairs, gone): ([DiffSides], [String]) = ([], [])
        for folder in trees.touchedUnits() where !own.contains(folder) && !apart.contains(folder) {
            guard trees.new.hasUnit(folder) else {
                gone.append(folder)
                continue
            }
            let name = folder.isEmpty ? "." : folder
            do throws(NotCompared) {
                let earlier =
                    trees.old.hasUnit(folder)
                    ? try DiffSides.side(of: trees.old, folder, like: old)
                    : Located(side: DiffSides.absent(old.name, old.revision ?? old.name))
                pairs.append(
                    DiffSides(
                        earlier, try DiffSides.side(of: trees.new, folder, like: new), unit: name))
            } catch {
                throw .notCompared("the other unit `\(name)`: \(error.context)")
            }
        }
        return (pairs, gone)
    }

    /// The unit of a folder on the side of another policy.
    private static func side(
        of files: ListedFiles, _ folder: String, like own: DiffSide
    ) throws(NotCompared) -> Located {
        switch files.place {
        case .source(let repository, let source):
            let unit: RevisionUnit
            switch source {
            case .commit(let commit): unit = try repository.unit(of: commit, path: folder)
            case .index: unit = try repository.indexUnit(path: folder)
            }
            let words = own.revision ?? source.words
            return try side(own.name, unit, words: words, in: repository)
        case .workTree(let repository):
            return try onDisk("\(repository.top ?? repository.folder)/\(folder)", folder)
        case .folder(let top, _): return try onDisk("\(top)/\(folder)", folder)
        }
    }

    private static func onDisk(
        _ path: String, _ folder: String
    ) throws(NotCompared) -> Located {
        do throws(CommandFailure) {
            return Located(
                side: try compiled(
                    try PolicySource.unit([path]), folder.isEmpty ? "." : folder, revision: nil,
                    folder: folder))
        } catch {
            throw NotCompared(error)
        }
    }

    // MARK: Paths

    /// The path of the policy that a command line leaves open: the unit of the current folder, or
    /// the only one below it.
    ///
    /// - Parameter revision: the argument that must stand before a path.
    private static func here(after revision: String?) throws(NotCompared) -> String {
        if let place = try? UnitLoader.place(of: "."), place.unit != nil { return "." }
        do throws(CommandFailure) {
            let located = try OpenPolicy.located(
                named: revision.map { .argumentAfter($0) } ?? .argument)
            return (try? NamedPath.resolve(".")).map {
                RelativePath.path(of: located.root, from: $0)
            }
                ?? located.root
        } catch {
            throw NotCompared(error)
        }
    }

    /// The path whose unit a revision without a path is about: the other argument if it is a path,
    /// the unit of the current folder, or the only one below it.
    private static func place(
        of name: String, beside other: String?
    ) throws(NotCompared) -> String {
        if let other, let place = onDisk(other) { return place }
        guard PolicyRevision.isOne(name), try PolicyRevision.parse(name).path == nil,
            (try? UnitLoader.place(of: "."))?.unit == nil,
            let units = try? UnitLoader.units(paths: ["."])
        else { return "." }
        guard units.count > 1 else { return units[0].root }
        let repository = try GitRepository.open(for: folder(of: "."))
        var names: [String] = []
        for unit in units { names.append(try repository.path(of: unit.root)) }
        throw NotCompared(
            .noPolicy,
            "\(units.count) policies lie below this folder: \(OpenPolicy.list(names)); write the "
                + "path of one behind the revision, as in `\(name):\(names[0])`")
    }

    /// The argument as a path of the machine, if it is one that has a place in a repository.
    private static func onDisk(_ name: String) -> String? {
        name == none || PolicyRevision.isOne(name) || EngineLoader.isTable(name) ? nil : name
    }

    /// The folder of a unit, or a policy file outside any unit.
    static func unitPath(_ place: String) -> String {
        guard let located = try? UnitLoader.units(paths: [place]).first, located.unit.isDirectory
        else { return place }
        return located.root
    }

    /// The folder of a unit on disk, for `DiffSide.folder`.
    static func shownFolder(_ place: String) -> String? {
        guard let here = try? NamedPath.resolve("."),
            let root = try? UnitLoader.units(paths: [place]).first?.root
        else { return nil }
        return RelativePath.path(of: root, from: GitRepository.top(of: root, from: here) ?? here)
    }

    /// The folder of a file, or the folder itself, as an absolute path.
    static func folder(of place: String) -> String {
        guard let absolute = try? NamedPath.resolve(place) else { return place }
        guard !NamedPath.isFolder(absolute), let slash = absolute.lastIndex(of: "/") else {
            return absolute
        }
        return slash == absolute.startIndex ? "/" : String(absolute[..<slash])
    }
}
