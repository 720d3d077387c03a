import Hawser

/// Where the contents of files come from, by the ids of their blobs.
protocol BlobSource: Sendable {
    /// The octets of a blob; nil if the repository does not have it.
    func size(of id: String) -> Int?
    /// A blob of which `size(of:)` is known.
    func read(_ id: String) throws(NotCompared) -> [UInt8]
}

/// Reads the objects of many commits: commits, trees and blobs, each by its id. Two processes of
/// `git cat-file` answer all questions, the size of an object before its content. What was read is
/// kept, because two neighbouring commits share almost all of it.
final class GitHistoryObjects: BlobSource {
    private struct Info: Sendable {
        let kind: String
        let size: Int
    }

    private struct Kept: Sendable {
        var checking: ChildProcess?
        var reading: ChildProcess?
        /// The facts about objects; nil for an object that is missing.
        var infos: [String: Info?] = [:]
        var trees: [String: [GitEntry]] = [:]
        var blobs: [String: [UInt8]] = [:]
        /// The octets of `blobs`.
        var octets = 0
    }

    private let git: GitCommand
    private let folder: String
    private let kept = Monitor(Kept())

    private static let sizing = ["cat-file", "--batch-check"]
    private static let contents = ["cat-file", "--batch"]
    private static let longestLine = 256
    /// Octets of the largest commit or tree that is read: a folder of a million files has 40 MB.
    private static let largest = 64 << 20
    /// Octets of blobs that are kept.
    private static let mostKept = 128 << 20
    /// The deepest folder below a unit, deeper than a unit may be, and the most files.
    private static let deepest = 128
    private static let mostFiles = 1_000_000

    init(_ repository: GitRepository) {
        git = repository.hook
        folder = repository.folder
    }

    deinit {
        kept.withLock {
            $0.checking?.end()
            $0.reading?.end()
        }
    }

    // MARK: Blobs

    func size(of id: String) -> Int? {
        kept.withLock { kept in
            (kept.infos[id] ?? nil).flatMap { $0.kind == "blob" ? $0.size : nil }
        }
    }

    func read(_ id: String) throws(NotCompared) -> [UInt8] {
        if let known = kept.withLock({ $0.blobs[id] }) { return known }
        let octets = try object(id, "blob", limit: .max)
        kept.withLock { kept in
            if kept.octets + octets.count > GitHistoryObjects.mostKept {
                kept.blobs = [:]
                kept.octets = 0
            }
            kept.blobs[id] = octets
            kept.octets += octets.count
        }
        return octets
    }

    // MARK: Commits and trees

    /// The octets of a commit, as git hashes them.
    func commit(_ id: String) throws(NotCompared) -> [UInt8] {
        try object(id, "commit", limit: GitHistoryObjects.largest)
    }

    /// The entries directly in a folder, folders among them.
    func entries(of tree: String) throws(NotCompared) -> [GitEntry] {
        if let known = kept.withLock({ $0.trees[tree] }) { return known }
        let entries = try GitEntry.read(
            tree: try object(tree, "tree", limit: GitHistoryObjects.largest),
            idLength: tree.utf8.count / 2)
        kept.withLock { $0.trees[tree] = entries }
        return entries
    }

    /// Every file, link and submodule below a folder, and the sizes of what can be read are known.
    func everything(below tree: String) throws(NotCompared) -> [GitEntry] {
        var found: [GitEntry] = []
        var open: [(id: String, path: [UInt8], depth: Int)] = [(tree, [], 0)]
        while let folder = open.popLast() {
            guard folder.depth <= GitHistoryObjects.deepest,
                found.count <= GitHistoryObjects.mostFiles
            else {
                throw NotCompared(.tooLarge, "the unit's folder has more files than are read")
            }
            for entry in try entries(of: folder.id) {
                let path = folder.path + entry.path
                guard entry.kind == .folder else {
                    found.append(GitEntry(kind: entry.kind, id: entry.id, path: path))
                    continue
                }
                open.append((entry.id, path + [UInt8(ascii: "/")], folder.depth + 1))
            }
        }
        for entry in found where entry.kind == .file || entry.kind == .link {
            _ = try info(entry.id)
        }
        return found
    }

    // MARK: Asking

    private func object(
        _ id: String, _ kind: String, limit: Int
    ) throws(NotCompared) -> [UInt8] {
        guard let info = try info(id), info.kind == kind else {
            throw NotCompared(
                .missingObject,
                "the \(kind) \(id.prefix(12)) is not in the repository: a partial clone, or a "
                    + "damaged one; fetch it first, as nothing is fetched here")
        }
        guard info.size <= limit else {
            throw NotCompared(.tooLarge, "the \(kind) \(id.prefix(12)) is larger than is read")
        }
        let result: Result<[UInt8], NotCompared> = kept.withLock { kept in
            let line = "\(id) \(kind) \(info.size)"
            return asking(&kept.reading, GitHistoryObjects.contents) { child throws(ChildProblem) in
                let end = self.git.end
                let answer = try child.answer(
                    to: id + "\n", limit: GitHistoryObjects.longestLine + info.size, until: end)
                guard answer.elementsEqual(line.utf8) else { throw .ended }
                let octets = try child.octets(info.size, until: end)
                guard try child.octets(1, until: end) == [0x0A] else { throw .ended }
                return octets
            }
        }
        return try result.get()
    }

    /// The facts about an object; nil where the repository does not have it.
    private func info(_ id: String) throws(NotCompared) -> Info? {
        let result: Result<Info?, NotCompared> = kept.withLock { kept in
            if let known = kept.infos[id] { return .success(known) }
            let answer = asking(&kept.checking, GitHistoryObjects.sizing) {
                child throws(ChildProblem) in
                try child.answer(
                    to: id + "\n", limit: GitHistoryObjects.longestLine, until: self.git.end)
            }
            switch answer {
            case .failure(let problem): return .failure(problem)
            case .success(let line):
                let words = String(decoding: line, as: UTF8.self).split(separator: " ")
                var info: Info?
                if words.count == 3, words[0] == id, let size = Int(words[2]), size >= 0 {
                    info = Info(kind: String(words[1]), size: size)
                } else if words != [Substring(id), "missing"] {
                    return .failure(
                        NotCompared(
                            .failed, "`git cat-file` answers something else than it was asked"))
                }
                kept.infos[id] = .some(info)
                return .success(info)
            }
        }
        return try result.get()
    }

    /// Asks a process, which is started at the first question. A process
    /// that gave no whole answer is ended.
    private func asking<Answer>(
        _ kept: inout ChildProcess?, _ arguments: [String],
        _ body: (inout ChildProcess) throws(ChildProblem) -> Answer
    ) -> Result<Answer, NotCompared> {
        do throws(ChildProblem) {
            var child: ChildProcess
            if let running = kept {
                child = running
            } else {
                child = try git.start(arguments, in: folder)
            }
            kept = nil
            do throws(ChildProblem) {
                let answer = try body(&child)
                kept = child
                return .success(answer)
            } catch {
                child.end()
                throw error
            }
        } catch {
            return .failure(git.problem(error, of: arguments))
        }
    }
}

extension GitEntry {
    /// Reads a tree as git stores it: `MODE PATH`, a zero octet, the octets of the id. It throws
    /// `failed` for other octets.
    static func read(tree: [UInt8], idLength: Int) throws(NotCompared) -> [GitEntry] {
        let unreadable = NotCompared(.failed, "a tree of the repository cannot be read")
        var entries: [GitEntry] = []
        var rest = tree[...]
        while !rest.isEmpty {
            guard let blank = rest.firstIndex(of: 0x20), let end = rest.firstIndex(of: 0),
                blank < end, rest.endIndex - end > idLength,
                let kind = Kind(mode: Substring(decoding: rest[..<blank], as: UTF8.self))
            else { throw unreadable }
            let path = Array(rest[(blank + 1)..<end])
            guard !path.isEmpty, !path.contains(0x2F) else { throw unreadable }
            let digits = rest[(end + 1)...(end + idLength)].map { octet in
                (octet < 16 ? "0" : "") + String(octet, radix: 16)
            }.joined()
            entries.append(GitEntry(kind: kind, id: digits, path: path))
            rest = rest[(end + 1 + idLength)...]
        }
        return entries
    }
}
