import Hawser
import Rendering

/// A git repository that policies are read from. Nothing in it is run, and nothing is written into
/// it (`GitCommand`).
struct GitRepository: Sendable {
    /// The folder of the work tree, absolute and without links; nil in a bare repository.
    let top: String?
    /// The folder of the repository itself.
    let directory: String
    /// Whether its history is cut off somewhere.
    let isShallow: Bool
    /// Where `git` runs: `top`, or `directory`.
    let folder: String
    let git: GitCommand
    /// Calls that ask the caller's own index and objects, as a hook's `git` has set them.
    let hook: GitCommand

    // MARK: Opening

    /// Opens the repository of a folder: the one of the current folder if its work tree has the
    /// folder in it, otherwise the one that the folder lies in. So a submodule on the way to a unit
    /// is the current repository's submodule, and does not choose what its policy is compared with.
    ///
    /// - Parameters:
    ///   - folder: the unit's folder, or the current folder.
    ///   - current: the current folder.
    ///   - caller: the environment.
    static func open(
        for folder: String, current: String = ".",
        caller: [String: String] = ChildProcess.environment, seconds: Int = GitCommand.seconds
    ) throws(NotCompared) -> GitRepository {
        let git = try GitCommand.find(caller: caller, seconds: seconds)
        let place = try resolve(folder)
        let here = try resolve(current)
        let named = try named(caller, git, here)
        let current = try found(from: here, git)
        let inHook = named ?? current
        let own = [named, current].lazy.compactMap { $0 }.first { $0.has(place) }
        let repository: GitRepository
        if let own { repository = own } else { repository = try discover(from: place, git) }
        guard let inHook, inHook.directory == repository.directory else { return repository }
        return repository.serving(caller, from: here)
    }

    /// The path of a file or folder of the machine from the repository's top; `""` is the top
    /// itself.
    func path(of place: String) throws(NotCompared) -> String {
        let place = try GitRepository.resolve(place)
        guard let top else {
            throw NotCompared(
                .noRepository,
                "`\(directory)` is a bare repository, which has no files of its own; write the path "
                    + "in the revision, as in `git:main:policies`")
        }
        guard has(place) else {
            throw NotCompared(.noRepository, "`\(place)` is not in the repository `\(top)`")
        }
        if place == top { return "" }
        return String(place.dropFirst(top == "/" ? 1 : top.count + 1))
    }

    /// Whether a resolved folder lies in the repository's work tree.
    func holds(_ place: String) -> Bool { top != nil && has(place) }

    /// Whether a resolved folder lies in the work tree. A bare repository has only itself.
    private func has(_ place: String) -> Bool {
        GitRepository.has(place, in: top ?? directory)
    }

    private static func has(_ place: String, in root: String) -> Bool {
        place == root || place.hasPrefix(root == "/" ? "/" : root + "/")
    }

    private static func resolve(_ path: String) throws(NotCompared) -> String {
        do throws(FileReadError) {
            return try NamedPath.resolve(path)
        } catch {
            throw NotCompared(.noRepository, error.context)
        }
    }

    // MARK: Discovery

    /// The repository that the caller's `GIT_DIR` names, as in a hook or by `git --git-dir`.
    private static func named(
        _ caller: [String: String], _ git: GitCommand, _ here: String
    ) throws(NotCompared) -> GitRepository? {
        guard let directory = caller["GIT_DIR"] else { return nil }
        var variables = ["GIT_DIR": absolute(directory, in: here)]
        for name in ["GIT_WORK_TREE", "GIT_COMMON_DIR"] {
            if let value = caller[name] { variables[name] = absolute(value, in: here) }
        }
        if caller["GIT_WORK_TREE"] == nil {
            // Hooks of a linked work tree get no `GIT_WORK_TREE`: git would take the current folder
            // for the top, wherever the hook has gone.
            let asked = try described(git.adding(variables), in: here)
            let found = try found(from: here, git)
            return found?.directory == asked.directory ? found : asked
        }
        return try described(git.adding(variables), in: here)
    }

    /// The repository that a folder lies in. The nearest folder with `.git` is its top: a folder
    /// that looks like a bare repository may be part of the tree, but a tree never has a `.git` in
    /// it.
    static func discover(
        from folder: String, _ git: GitCommand
    ) throws(NotCompared) -> GitRepository {
        try described(git, in: top(above: folder) ?? folder)
    }

    /// The nearest folder with `.git`, from an absolute folder upwards; nil if there is none.
    private static func top(above folder: String) -> String? {
        var place = folder
        while !NamedPath.exists(place == "/" ? "/.git" : place + "/.git") {
            guard place != "/", let slash = place.lastIndex(of: "/") else { return nil }
            place = slash == place.startIndex ? "/" : String(place[..<slash])
        }
        return place
    }

    /// The top of the work tree that a folder lies in, of the same choice as `open`; nil if it lies
    /// in none. Nothing is asked of `git`. Both folders are absolute.
    static func top(of folder: String, from current: String) -> String? {
        if let top = top(above: current), has(folder, in: top) { return top }
        return top(above: folder)
    }

    /// The same; nil if the folder lies in no repository that can be opened, and another is tried.
    private static func found(
        from folder: String, _ git: GitCommand
    ) throws(NotCompared) -> GitRepository? {
        do throws(NotCompared) {
            return try discover(from: folder, git)
        } catch {
            guard error.code == .noRepository || error.code == .unsafeRepository else {
                throw error
            }
            return nil
        }
    }

    private static func described(
        _ git: GitCommand, in folder: String
    ) throws(NotCompared) -> GitRepository {
        let kinds = ["rev-parse", "--is-inside-work-tree", "--is-shallow-repository"]
        let answer = try git.run(kinds, in: folder)
        guard let text = answer.text else { throw refusal(answer, in: folder) }
        let lines = text.split(separator: "\n")
        guard lines.count == 2 else { throw GitCommand.failure(kinds, answer) }
        let directory = try resolve(try one(git, ["rev-parse", "--absolute-git-dir"], in: folder))
        let top: String?
        if lines[0] == "true" {
            top = try resolve(try one(git, ["rev-parse", "--show-toplevel"], in: folder))
        } else {
            top = nil
        }
        return GitRepository(
            top: top, directory: directory, isShallow: lines[1] == "true",
            folder: top ?? directory, git: git, hook: git)
    }

    private static func one(
        _ git: GitCommand, _ arguments: [String], in folder: String
    ) throws(NotCompared) -> String {
        let answer = try git.run(arguments, in: folder)
        guard let text = answer.text, !text.isEmpty else {
            throw GitCommand.failure(arguments, answer)
        }
        return text
    }

    /// Why git does not open a repository.
    private static func refusal(_ answer: GitCommand.Answer, in folder: String) -> NotCompared {
        let words = answer.complaint
        if words.contains("dubious ownership") || words.contains("unsafe repository") {
            return NotCompared(
                .unsafeRepository,
                "`git` refuses the repository of `\(folder)`, because another user owns it; if it "
                    + "is yours: "
                    + "`\(ShellWords.line(["git", "config", "--global", "--add", "safe.directory", folder]))`"
            )
        }
        if words.contains("not a git repository") {
            return NotCompared(
                .noRepository,
                "`\(folder)` is not in a git repository, so it has no revision to compare with")
        }
        return GitCommand.failure(["rev-parse"], answer)
    }

    private static func absolute(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : folder == "/" ? "/" + path : "\(folder)/\(path)"
    }

    /// The same repository with the index and the objects that the caller's `git` has set: in a
    /// hook of `git commit -a` or `git commit FILE` the index is a file of its own, and in a
    /// server's hook the new objects are not in the repository yet.
    private func serving(_ caller: [String: String], from here: String) -> GitRepository {
        var variables: [String: String] = [:]
        if let index = caller["GIT_INDEX_FILE"] {
            // Git counts it from the top of the work tree, wherever the hook has gone.
            variables["GIT_INDEX_FILE"] = GitRepository.absolute(index, in: folder)
        }
        if let objects = caller["GIT_OBJECT_DIRECTORY"] {
            variables["GIT_OBJECT_DIRECTORY"] = GitRepository.absolute(objects, in: here)
        }
        for name in ["GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH"] {
            if let value = caller[name] { variables[name] = value }
        }
        return GitRepository(
            top: top, directory: directory, isShallow: isShallow, folder: folder, git: git,
            hook: git.adding(variables))
    }

    /// Runs `git` in this repository.
    func run(
        _ arguments: [String], input: [UInt8] = [], limit: Int = GitCommand.largestAnswer
    ) throws(NotCompared) -> GitCommand.Answer {
        try hook.run(arguments, in: folder, input: input, limit: limit)
    }
}
