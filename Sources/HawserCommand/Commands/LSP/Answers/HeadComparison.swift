import Hawser
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// Compares units with the last commit, as `diff` does. The policies of the commit are compiled
/// once, until another commit is the last one.
final class HeadComparison {
    /// By the root of the unit.
    private var heads: [String: (id: String, side: DiffSide)] = [:]
    private var answers: [String: (reading: UnitReading, id: String, diff: PolicyDiff)] = [:]

    /// The most octets of policies that are compared while somebody types.
    private static let largest = 4 << 20
    private static let columns = 100

    /// What a unit's policies change; nil for a unit that cannot be compared: without a repository,
    /// a commit or a policy that compiles, or a large one.
    func diff(_ reading: UnitReading) -> PolicyDiff? {
        guard reading.octetCount <= HeadComparison.largest else { return nil }
        return try? compared(reading)
    }

    /// The same; throws the reason.
    func compared(_ reading: UnitReading) throws(NotCompared) -> PolicyDiff {
        let root = reading.key.root
        guard reading.key.file == nil else {
            throw NotCompared(.noPolicy, "the policy lies outside any unit")
        }
        let head = try DiffSides.head(of: root, known: heads[root])
        heads[root] = head
        if let known = answers[root], known.reading === reading, known.id == head.id {
            return known.diff
        }
        let new = try DiffSides.edited(reading.unit, "the editor", like: head.side)
        let question = DiffQuestion(head.side, new, since: reading.options.time)
        do throws(AnswerFailure) {
            let diff = try question.compare(crypto: reading.crypto)
            answers[root] = (reading: reading, id: head.id, diff: diff)
            return diff
        } catch {
            throw NotCompared(.failed, error.context)
        }
    }

    /// The text of `diff`.
    func text(_ reading: UnitReading) throws(NotCompared) -> String {
        let diff = try compared(reading)
        let report = DiffReport(
            .compared([DiffAnswer(diff)]), unit: diff.new.folder ?? ".",
            command: "hawser diff", folders: (diff.old.folder ?? "", diff.new.folder ?? ""),
            version: HawserVersion.number)
        let told = ToldDiff(report, columns: HeadComparison.columns)
        let style = AnswerStyle(columns: HeadComparison.columns)
        return ToldDiff.writers[.answer(.text)].map { $0(told, style) } ?? ""
    }

    /// Forgets units that are not open.
    func prune(_ roots: Set<String>) {
        heads = heads.filter { roots.contains($0.key) }
        answers = answers.filter { roots.contains($0.key) }
    }
}
