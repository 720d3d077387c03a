import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import TrustEngine

/// The two policies that `diff` compares.
struct DiffSides {
    /// A policy with the name that the user gave it.
    struct Side {
        let name: String
        /// What a revision stands for, in words.
        var revision: String?
        let table: PolicyTable
        /// The unit's folder from the top of the work tree, or from the current folder where there
        /// is none; nil for a table and for `none`.
        var folder: String?
        /// The policy files; empty for a table.
        var files: [SourceFile] = []
        /// The files that the policies name, by their paths from the unit's root.
        var resources: [String: [UInt8]] = [:]
    }

    let old: Side
    let new: Side

    /// The word for a policy that denies every host.
    static let none = "none"

    /// Reads the two policies; several pairs where a branch has several merge bases.
    static func read(
        old: String?, new: String?, base: String?
    ) throws(CommandFailure) -> [DiffSides] {
        do throws(NotCompared) {
            if let base { return try pairs(base: base, old, new) }
            let own = new ?? "."
            let place = PolicyRevision.isOne(own) ? nil : own
            let later = try side(own, place: old.flatMap(onDisk) ?? ".", isOld: false)
            let earlier = try side(
                old ?? "git:HEAD", place: place.flatMap(onDisk) ?? ".", isOld: true)
            return [DiffSides(old: earlier, new: later)]
        } catch {
            throw .notCompared(error.context)
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
        let name = new ?? old ?? "."
        let place = onDisk(name) ?? "."
        var later = try side(name, place: place, isOld: false)
        let repository = try GitRepository.open(for: folder(of: place))
        let revision = PolicyRevision.isOne(name) ? try PolicyRevision.parse(name) : nil
        let path: String
        if let named = revision?.path {
            path = named
        } else {
            path = try repository.path(of: unitPath(place))
        }
        let branch = try repository.branch(of: revision?.place)
        if let words = branch.words {
            later.revision = [later.revision, words].compactMap { $0 }.joined(separator: ", ")
        }
        return try bases(base, of: branch, in: repository, path: path).map {
            DiffSides(old: $0, new: later)
        }
    }

    /// The policies that a unit had where the branch that is checked out left a revision, for
    /// `lint --base`.
    static func bases(_ base: String, of root: String) throws(CommandFailure) -> [LintBase] {
        do throws(NotCompared) {
            let repository = try GitRepository.open(for: root)
            let path = try repository.path(of: root)
            let branch = try repository.branch(of: nil)
            return try bases(base, of: branch, in: repository, path: path).map {
                LintBase(name: $0.revision ?? $0.name, table: $0.table)
            }
        } catch {
            throw .notCompared(error.context)
        }
    }

    /// The policies at a path where a branch left a revision: one for each merge base.
    private static func bases(
        _ base: String, of branch: GitBranch, in repository: GitRepository, path: String
    ) throws(NotCompared) -> [Side] {
        var found: [Side] = []
        for commit in try repository.mergeBases(branch, try repository.commit(base)) {
            found.append(try side(of: commit, in: repository, path: path))
        }
        return found
    }

    private static func side(
        of commit: GitCommit, in repository: GitRepository, path: String
    ) throws(NotCompared) -> Side {
        let name = "git:\(commit.short)"
        do throws(NotCompared) {
            return try side(
                name, try repository.unit(of: commit, path: path), words: commit.words)
        } catch {
            guard error.code == .absent else { throw error }
            return absent(name, commit.words)
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
    ) throws(NotCompared) -> Side {
        if name == none { return Side(name: name, table: PolicySource.tableOfNone()) }
        guard PolicyRevision.isOne(name) else {
            do throws(CommandFailure) {
                if EngineLoader.isTable(name) {
                    return Side(
                        name: name, table: try PolicySource.open(name, trustedKeys: nil).table)
                }
                return try compiled(
                    try PolicySource.unit([name]), name, revision: nil, folder: shownFolder(name))
            } catch {
                throw NotCompared(.noPolicy, error.message)
            }
        }
        let revision = try PolicyRevision.parse(name)
        let repository = try GitRepository.open(for: folder(of: place))
        let own = revision.path == nil ? try repository.path(of: unitPath(place)) : ""
        do throws(NotCompared) {
            let unit = try repository.unit(revision, defaultPath: own)
            return try side(name, unit, words: unit.words)
        } catch {
            guard isOld, error.code == .absent, revision.path == nil else { throw error }
            return absent(name, "nothing at `\(own)`")
        }
    }

    /// A unit that is new: every host was denied.
    private static func absent(_ name: String, _ words: String) -> Side {
        Side(
            name: name, revision: "\(words), which has no such policy: every host is denied",
            table: PolicySource.tableOfNone())
    }

    private static func side(
        _ name: String, _ unit: RevisionUnit, words: String
    ) throws(NotCompared) -> Side {
        do throws(CommandFailure) {
            let side = try compiled(unit.unit, name, revision: words, folder: unit.root)
            if let problem = unit.problem { throw CommandFailure.couldNotAsk(problem.context) }
            return side
        } catch {
            throw unit.problem ?? NotCompared(.noPolicy, error.message)
        }
    }

    private static func compiled(
        _ unit: PolicyUnit, _ name: String, revision: String?, folder: String?
    ) throws(CommandFailure) -> Side {
        let read = ReadFiles(unit.resources)
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
        return Side(
            name: name, revision: revision, table: table, folder: folder, files: unit.files,
            resources: read.files)
    }

    // MARK: Paths

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

    /// The folder of a unit on disk, for `Side.folder`.
    private static func shownFolder(_ place: String) -> String? {
        guard let here = try? NamedPath.resolve("."),
            let root = try? UnitLoader.units(paths: [place]).first?.root
        else { return nil }
        return LintRun.path(of: root, from: GitRepository.top(of: root, from: here) ?? here)
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
