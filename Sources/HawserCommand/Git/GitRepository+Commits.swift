import Hawser

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

/// The tips that are compared with the commit at which they left a revision.
struct GitBranch: Hashable, Sendable {
    /// One commit, or the parents of a merge that is not committed yet.
    let tips: [GitCommit]

    /// What a reader must know: that a merge is in progress. Nil where there is nothing to say.
    var words: String? {
        guard tips.count > 1 else { return nil }
        let merged = tips.dropFirst().map(\.words).joined(separator: ", ")
        return "with the merge of \(merged) in progress"
    }
}

extension GitRepository {
    /// The branch that a policy is on.
    ///
    /// - Parameter place: where the policy is; nil for the files of the work tree. The files and
    ///   the index hold also what a merge in progress brings: their commit will have all its
    ///   parents.
    func branch(of place: PolicyRevision.Place?) throws(NotCompared) -> GitBranch {
        switch place {
        // A branch that is named parts from the base, not the one that is checked out.
        case .commit(let name)?: return GitBranch(tips: [try commit(name)])
        case .index?, nil: return GitBranch(tips: [try commit("HEAD")] + (try merging()))
        }
    }

    /// The commits that a merge in progress brings to `HEAD`; empty where there is none.
    private func merging() throws(NotCompared) -> [GitCommit] {
        let bytes: [UInt8]
        do throws(FileReadError) {
            bytes = try FileReader.read(
                path: directory + "/MERGE_HEAD", limit: GitRepository.largestMerge)
        } catch {
            guard error.code == .notFound else { throw NotCompared(.failed, error.context) }
            return []
        }
        var found: [GitCommit] = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            guard GitEntry.isID(String(line)) else {
                throw NotCompared(.failed, "`MERGE_HEAD` of `\(directory)` cannot be read")
            }
            found.append(try commit(String(line)))
        }
        return found
    }

    /// Octets of the longest `MERGE_HEAD`: a thousand parents.
    private static let largestMerge = 65 << 10

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
            "`\(name)` is not a commit of this repository; fetch it first, or see `git branch --all`"
        )
    }

    /// The merge bases of a branch and a commit: their nearest common ancestors, which may be
    /// several. They are sorted by id. It throws `noMergeBase`, and `shallowClone` where the
    /// history that would tell them is not there.
    func mergeBases(_ branch: GitBranch, _ other: GitCommit) throws(NotCompared) -> [GitCommit] {
        // With several commits behind the first, git answers for a commit that would merge them.
        let arguments = ["merge-base", "--all", other.id] + branch.tips.map(\.id)
        let names = branch.tips.map(\.words).joined(separator: ", ")
        let answer = try run(arguments)
        guard answer.status == 0 || (answer.status == 1 && answer.output.isEmpty) else {
            throw GitCommand.failure(arguments, answer)
        }
        let ids = (answer.text ?? "").split(separator: "\n").map(String.init).sorted()
        guard ids.allSatisfy(GitEntry.isID) else { throw GitCommand.failure(arguments, answer) }
        var isCut = false
        if isShallow { isCut = ids.isEmpty ? true : try isHistoryCut(branch, other, ids) }
        guard !isCut else {
            throw NotCompared(
                .shallowClone,
                "this repository is a shallow clone, and where \(names) and \(other.words) "
                    + "part is not in it; fetch the history first: `git fetch --unshallow`, or "
                    + "`fetch-depth: 0` of actions/checkout")
        }
        guard !ids.isEmpty else {
            throw NotCompared(
                .noMergeBase,
                "\(names) and \(other.words) have no common ancestor; name the revision to "
                    + "compare with, as in `git:\(other.name)`")
        }
        return ids.map { GitCommit(id: $0, name: $0) }
    }

    /// Whether a commit that only one of the two has lost its parents to the shallow clone. Then a
    /// nearer common ancestor may be missing.
    private func isHistoryCut(
        _ branch: GitBranch, _ other: GitCommit, _ bases: [String]
    ) throws(NotCompared) -> Bool {
        let arguments =
            ["rev-list", "--parents", other.id] + branch.tips.map(\.id) + bases.map { "^\($0)" }
        let answer = try run(arguments)
        guard let text = answer.text else { throw GitCommand.failure(arguments, answer) }
        // A commit whose parents were cut off has none here.
        return text.split(separator: "\n").contains { !$0.contains(" ") }
    }
}
