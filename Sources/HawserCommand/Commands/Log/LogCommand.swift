import ArgumentParser
import Hawser
import HawserYAML
import PolicyTools
import Rendering
import TrustEngine

/// `hawser log`: the commits at which a host's behaviour changed, and who could have spoken for it
/// on a day.
struct LogCommand: FormattedCommand {
    typealias Answer = HostHistory

    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "List the commits that changed how a host is decided, or who could speak for it.",
        discussion: """
            Every commit is compared with its first parent, for this host and port, at every instant, \
            by the order of `hawser diff`. REV is a branch, a tag or a commit, by default HEAD; \
            A..B are the commits of B that A does not have. A merge of the main line is listed as one \
            change, and each commit of the merged branch is listed with its merge.

            With `--at DAY` the answer is who could have spoken for the host on that day: the \
            authorities, pins and exceptions of each version that was the last one of the main line \
            of REV at some time of the day. Commits count from the dates that they have; when a table \
            was deployed is not known here.

            Exit status: 0, or 2 where a policy of the history cannot be asked. What could be compared \
            is printed all the same. `grammar/log.md` says more.
            """)

    @Argument(
        help: "HOST or HOST:PORT, by default port 443.", completion: .custom(PolicyWords.hosts))
    var host: String

    @Argument(help: "REV or REV..REV, by default HEAD.", completion: .custom(RevisionWords.names))
    var revisions: String?

    @Option(
        help: """
            A policy file or folder; by default the unit of the current folder, or the only one below \
            it.
            """,
        completion: .file())
    var policy: String?

    @Option(
        help: """
            A day, as 2026-11-21, or an instant, as 2026-11-21T12:00:00Z: who could have spoken for \
            the host then.
            """)
    var at: String?

    @OptionGroup var output: AnswerOptions<HostHistory>

    func answer() throws(CommandFailure) -> ExitStatus {
        let output = try AnswerOutput(output)
        let request = try RequestHost(host)
        let canonical = try request.canonical()
        let asked = try at.map { text throws(CommandFailure) in try LogCommand.time(text) }
        let history: HostHistory
        do throws(NotCompared) {
            history = try read(canonical, request.port, asked)
        } catch {
            throw .notCompared(error)
        }
        for assumption in request.assumptions { Report.progress(assumption) }
        try output.write(history)
        return history.failures.isEmpty ? .clean : .couldNotAsk
    }

    private func read(
        _ host: CanonicalHost, _ port: UInt16, _ asked: (from: UTCInstant, through: UTCInstant)?
    ) throws(NotCompared) -> HostHistory {
        let place: String
        if let policy { place = policy } else { place = try here() }
        return try read(host, port, asked, of: DiffSides.unitPath(place))
    }

    private func read(
        _ host: CanonicalHost, _ port: UInt16, _ asked: (from: UTCInstant, through: UTCInstant)?,
        of place: String
    ) throws(NotCompared) -> HostHistory {
        let repository = try GitRepository.open(for: DiffSides.folder(of: place))
        let path = try repository.path(of: place)
        let range = try LogCommand.range(revisions ?? "HEAD")
        let tip = try repository.commit(range.tip)
        guard asked == nil || range.base == nil else {
            throw NotCompared(
                .badRevision, "`--at` asks one revision, not the range `\(revisions ?? "")`")
        }
        let base = try range.base.map { name throws(NotCompared) in try repository.commit(name) }
        let history = GitHistory(repository)
        let ids = try history.ids(of: tip, without: base, isMainLine: asked != nil)
        var reader = HostHistoryReader(history, path: path, host: host, port: port)
        let answer: HostHistory.Answer
        if let asked, let at {
            answer = .reigns(
                try reader.reigns(ids, from: asked.from, through: asked.through), asked: at)
        } else {
            answer = .changes(try reader.entries(ids))
        }
        return HostHistory(
            host: HostWithPort.text(host.text, port), unit: path,
            revision: base.map { "\($0.words)..\(tip.words)" } ?? tip.words, answer: answer,
            failures: reader.notCompared, commits: ids.count, versions: reader.versions)
    }

    /// `REV`, `A..B`, `A..` or `..B`. A name that is left out is HEAD.
    /// The unit of the current folder, or the only one below it; the current folder where there is
    /// none, because a history may have units that are gone.
    private func here() throws(NotCompared) -> String {
        let count = (try? UnitLoader.units(paths: ["."]).count) ?? 0
        guard count > 0 else { return "." }
        do throws(CommandFailure) {
            return try OpenPolicy.located(named: .options).root
        } catch {
            throw NotCompared(error)
        }
    }

    private static func range(
        _ text: String
    ) throws(NotCompared) -> (base: String?, tip: String) {
        let octets = Array(text.utf8)
        let dots = octets.indices.dropLast().first { octets[$0] == 0x2E && octets[$0 + 1] == 0x2E }
        guard let dots else { return (nil, text) }
        let (base, tip) = (
            String(decoding: octets[..<dots], as: UTF8.self),
            String(decoding: octets[(dots + 2)...], as: UTF8.self)
        )
        guard !tip.hasPrefix(".") else {
            throw NotCompared(
                .badRevision,
                "`\(text)` names the commits of either side; name one range, as in `main..HEAD`")
        }
        return (base.isEmpty ? "HEAD" : base, tip.isEmpty ? "HEAD" : tip)
    }

    /// A whole day, or one instant.
    private static func time(
        _ text: String
    ) throws(CommandFailure) -> (from: UTCInstant, through: UTCInstant) {
        let start = try AskedInstant.read(text)
        let isDay = text.utf8.count == "2026-11-21".utf8.count
        return (start, isDay ? start.advanced(bySeconds: 86_399) : start)
    }
}

extension HostHistory: OfferedAnswer {}
