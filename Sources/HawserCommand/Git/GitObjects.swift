import Hawser

/// Reads blobs by their ids. Sizes are asked for all together and before any content; contents are
/// read from one `git cat-file --batch`, which runs as long as this value lives. Filters, textconv
/// and line endings are not applied: the bytes are as in the repository.
final class GitObjects: BlobSource {
    private let git: GitCommand
    private let folder: String
    /// Octets of each blob; an object that is absent is missing in the repository.
    private let sizes: [String: Int]
    private let batch = Monitor<ChildProcess?>(nil)

    private static let sizing = ["cat-file", "--batch-check"]
    private static let reading = ["cat-file", "--batch"]
    /// Octets of the longest line that tells an object's kind and size.
    private static let longestLine = 256

    /// Asks for the sizes of blobs. Nothing is fetched: an object that a partial clone left behind
    /// is missing.
    init(_ ids: [String], git: GitCommand, folder: String) throws(NotCompared) {
        self.git = git
        self.folder = folder
        let asked = Set(ids).sorted()
        guard !asked.isEmpty else {
            sizes = [:]
            return
        }
        let input = Array((asked.joined(separator: "\n") + "\n").utf8)
        let answer = try git.run(GitObjects.sizing, in: folder, input: input)
        guard answer.status == 0 else {
            // Some versions of git end at the first object that a partial clone left behind.
            guard answer.complaint.contains("promisor") else {
                throw GitCommand.failure(GitObjects.sizing, answer)
            }
            throw NotCompared(
                .missingObject,
                "the repository is a partial clone and lacks files of this revision; fetch them "
                    + "first, as nothing is fetched here: `git archive REV PATH >/dev/null` does")
        }
        let lines = String(decoding: answer.output, as: UTF8.self).split(separator: "\n")
        guard lines.count == asked.count else { throw GitObjects.strange }
        var sizes: [String: Int] = [:]
        for (id, line) in zip(asked, lines) where line != "\(id) missing" {
            sizes[id] = try GitObjects.size(line, of: id)
        }
        self.sizes = sizes
    }

    deinit { batch.withLock { $0?.end() } }

    /// The octets of a blob; nil if the repository does not have it.
    func size(of id: String) -> Int? { sizes[id] }

    /// A blob of which `size(of:)` is known.
    func read(_ id: String) throws(NotCompared) -> [UInt8] {
        guard let size = sizes[id] else { throw GitObjects.strange }
        let result: Result<[UInt8], NotCompared> = batch.withLock { child in
            do throws(ChildProblem) {
                var process: ChildProcess
                if let running = child {
                    process = running
                } else {
                    process = try git.start(GitObjects.reading, in: folder)
                }
                // A child that gave no whole answer is not asked again.
                child = nil
                let octets = try contents(of: id, size, from: &process)
                child = process
                return .success(octets)
            } catch {
                return .failure(git.problem(error, of: GitObjects.reading))
            }
        }
        return try result.get()
    }

    /// Asks the running child for one blob, and ends the child if the answer is not whole.
    private func contents(
        of id: String, _ size: Int, from process: inout ChildProcess
    ) throws(ChildProblem) -> [UInt8] {
        let end = git.end
        do throws(ChildProblem) {
            let line = try process.answer(
                to: id + "\n", limit: GitObjects.longestLine + size, until: end)
            guard line.elementsEqual("\(id) blob \(size)".utf8) else { throw .ended }
            let octets = try process.octets(size, until: end)
            guard try process.octets(1, until: end) == [0x0A] else { throw .ended }
            return octets
        } catch {
            process.end()
            throw error
        }
    }

    private static func size(_ line: Substring, of id: String) throws(NotCompared) -> Int {
        let words = line.split(separator: " ")
        guard words.count == 3, words[0] == id, words[1] == "blob", let size = Int(words[2]),
            size >= 0
        else { throw strange }
        return size
    }

    private static let strange = NotCompared(
        .failed, "`git cat-file` answers something else than it was asked")
}
