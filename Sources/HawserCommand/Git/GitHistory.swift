import PolicyTools
import TrustEngine

/// The commits of a repository, read from its objects: what the user's configuration says of logs,
/// signatures and names is not asked.
final class GitHistory {
    /// A commit with what a walk needs of it.
    struct Commit {
        let id: String
        let tree: String
        /// As the commit has them; a shallow clone may lack them.
        let parents: [String]
        let facts: HostHistory.Commit
    }

    let repository: GitRepository
    let objects: GitHistoryObjects
    private var known: [String: Commit] = [:]

    init(_ repository: GitRepository) {
        self.repository = repository
        objects = GitHistoryObjects(repository)
    }

    /// The commits that a revision has and another one has not, newest first: a commit stands
    /// before its parents.
    ///
    /// - Parameter isMainLine: whether only first parents are followed.
    func ids(
        of tip: GitCommit, without base: GitCommit?, isMainLine: Bool = false
    ) throws(NotCompared) -> [String] {
        let arguments =
            ["rev-list", "--topo-order"] + (isMainLine ? ["--first-parent"] : []) + [tip.id]
            + (base.map { ["^\($0.id)"] } ?? [])
        let answer = try repository.run(arguments)
        guard let text = answer.text else { throw GitCommand.failure(arguments, answer) }
        let ids = text.split(separator: "\n").map(String.init)
        guard ids.allSatisfy(GitEntry.isID) else { throw GitCommand.failure(arguments, answer) }
        return ids
    }

    /// A commit by its id. It throws `missingObject` where the repository does not have it.
    func commit(_ id: String) throws(NotCompared) -> Commit {
        if let found = known[id] { return found }
        let found = try GitHistory.commit(id, try objects.commit(id))
        known[id] = found
        return found
    }

    /// Reads a commit as git stores it: lines of headers, an empty line, the message.
    private static func commit(_ id: String, _ octets: [UInt8]) throws(NotCompared) -> Commit {
        var tree: String?
        var parents: [String] = []
        var (author, committer): (Signature?, Signature?)
        var rest = octets[...]
        while let end = rest.firstIndex(of: 0x0A), end != rest.startIndex {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2 else { continue }
            switch words[0] {
            case "tree": tree = tree ?? words[1]
            case "parent": parents.append(words[1])
            case "author": author = author ?? Signature(words[1])
            case "committer": committer = committer ?? Signature(words[1])
            // Encodings, signatures and whatever later versions of git write.
            default: break
            }
        }
        guard let tree, GitEntry.isID(tree), parents.allSatisfy(GitEntry.isID), let author,
            let committer
        else {
            throw NotCompared(.failed, "the commit \(id.prefix(12)) cannot be read")
        }
        let message = rest.drop { $0 == 0x0A }
        let subject = String(decoding: message.prefix { $0 != 0x0A }, as: UTF8.self)
        return Commit(
            id: id, tree: tree, parents: parents,
            facts: HostHistory.Commit(
                id: id, author: author.name, mail: author.mail, authored: author.time,
                committed: committer.time, subject: subject))
    }

    /// `NAME <MAIL> SECONDS ZONE` of a commit.
    private struct Signature {
        let name: String
        let mail: String
        let time: UTCInstant

        init?(_ text: String) {
            guard let open = text.firstIndex(of: "<"), let close = text.lastIndex(of: ">"),
                open < close,
                let seconds = text[text.index(after: close)...].split(separator: " ").first
                    .flatMap({ Int64($0) })
            else { return nil }
            var name = text[..<open]
            while name.last == " " { name.removeLast() }
            self.name = String(name)
            mail = String(text[text.index(after: open)..<close])
            time = UTCInstant(secondsSinceEpoch: min(max(seconds, Signature.first), Signature.last))
        }

        /// The first and the last second of the years that are written with four digits.
        private static let first: Int64 = -62_135_596_800
        private static let last: Int64 = 253_402_300_799
    }
}
