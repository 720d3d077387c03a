/// A commit, and the name that it was asked for by.
struct GitCommit: Hashable, Sendable {
    /// The object's id, 40 or 64 hexadecimal digits.
    let id: String
    /// The revision as it was written: `main`.
    let name: String

    /// For people: "`main` (1a2b3c4d5e6f)".
    var words: String { name == id ? "`\(short)`" : "`\(name)` (\(short))" }
    /// The first twelve digits of the id.
    var short: String { String(id.prefix(12)) }
}

extension GitRepository {
    /// The commit that a name stands for. A tag stands for its commit; a name of two things is
    /// refused.
    func commit(_ name: String) throws(NotCompared) -> GitCommit {
        try PolicyRevision.check(name)
        let arguments = ["rev-parse", "--verify", "--end-of-options", name + "^{commit}"]
        let answer = try run(arguments)
        if answer.complaint.contains("is ambiguous") {
            throw NotCompared(
                .ambiguousRevision,
                "`\(name)` stands for more than one object; write it in full, as in "
                    + "`refs/heads/\(name)` or `refs/tags/\(name)`")
        }
        if let id = answer.text, GitEntry.isID(id) { return GitCommit(id: id, name: name) }
        guard answer.status != 0 else {
            throw NotCompared(.unknownRevision, "`\(name)` is not the name of one commit")
        }
        if isShallow {
            throw NotCompared(
                .shallowClone,
                "`\(name)` is not in this repository, which is a shallow clone; fetch its history "
                    + "first: `git fetch --unshallow`, or `fetch-depth: 0` of actions/checkout")
        }
        throw NotCompared(
            .unknownRevision,
            "`\(name)` is no commit of this repository; fetch it first, or see `git branch --all`")
    }

    /// The merge bases of two commits: their nearest common ancestors, which may be several. They
    /// are sorted by id. It throws `noMergeBase`, and `shallowClone` where the history that would
    /// tell them is not there.
    func mergeBases(_ one: GitCommit, _ other: GitCommit) throws(NotCompared) -> [GitCommit] {
        let arguments = ["merge-base", "--all", one.id, other.id]
        let answer = try run(arguments)
        guard answer.status == 0 || (answer.status == 1 && answer.output.isEmpty) else {
            throw GitCommand.failure(arguments, answer)
        }
        let ids = (answer.text ?? "").split(separator: "\n").map(String.init).sorted()
        guard ids.allSatisfy(GitEntry.isID) else { throw GitCommand.failure(arguments, answer) }
        var isCut = false
        if isShallow { isCut = ids.isEmpty ? true : try isHistoryCut(one, other) }
        guard !isCut else {
            throw NotCompared(
                .shallowClone,
                "this repository is a shallow clone, and where \(one.words) and \(other.words) "
                    + "part is not in it; fetch the history first: `git fetch --unshallow`, or "
                    + "`fetch-depth: 0` of actions/checkout")
        }
        guard !ids.isEmpty else {
            throw NotCompared(
                .noMergeBase,
                "\(one.words) and \(other.words) have no common ancestor; name the revision to "
                    + "compare with, as in `git:\(one.name)`")
        }
        return ids.map { GitCommit(id: $0, name: $0) }
    }

    /// Whether a commit that only one of the two has lost its parents to the shallow clone. Then a
    /// nearer common ancestor may be missing.
    private func isHistoryCut(
        _ one: GitCommit, _ other: GitCommit
    ) throws(NotCompared) -> Bool {
        let arguments = ["rev-list", "--parents", "\(one.id)...\(other.id)"]
        let answer = try run(arguments)
        guard let text = answer.text else { throw GitCommand.failure(arguments, answer) }
        // A commit whose parents were cut off has none here.
        return text.split(separator: "\n").contains { !$0.contains(" ") }
    }
}
