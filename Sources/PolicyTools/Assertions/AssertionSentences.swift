import PolicyCompiler
import Rendering
import TrustEngine

/// The sentences of assertions, which every format prints. They hold text from files and
/// certificates; each renderer escapes them.
enum AssertionSentences {
    /// The word for what became of an assertion.
    static func word(_ verdict: AssertionResult.Verdict) -> String {
        switch verdict {
        case .proved: return "proved"
        case .refuted: return "refuted"
        case .stale: return "stale"
        }
    }

    /// The first line of an assertion, without its word.
    static func headline(_ result: AssertionResult) -> String {
        let id = result.assertion.id.value
        switch result.verdict {
        case .proved:
            return "\(id): \(Words.count(result.classes, "class", "classes")) of hosts, "
                + "\(Words.count(result.intervals, "interval", "intervals")), \(time(result))"
        case .refuted(let list):
            let classes = Words.count(result.classes, "class", "classes")
            let more = list.count > 1 ? ", in \(list.count) ways" : ""
            return "\(id): it does not hold for \(result.refuted) of \(classes) of hosts\(more), "
                + time(result)
        case .stale(let reason, _): return "\(id): \(reason)"
        }
    }

    /// The time that an assertion is about.
    static func time(_ result: AssertionResult) -> String {
        let from = Words.day(result.from)
        guard let until = result.until else { return "from \(from) on" }
        return "from \(from) to \(DiffSentences.last(until))"
    }

    /// Who is asked, and why it must hold.
    static func background(_ result: AssertionResult) -> [String] {
        (result.assertion.owner.map { ["owner \($0)"] } ?? [])
            + (result.assertion.note.map { ["note: \($0)"] } ?? [])
    }

    /// The rule that decides, its owner, and its place where the unit's folder is known.
    static func rule(_ refutation: AssertionRefutation, in unit: UnitFolder?) -> String {
        let rule = refutation.rule
        let name = rule.id.isEmpty ? "`default`" : "rule `\(rule.id)`"
        let owner = rule.owner.map { ", owner \($0)" } ?? (rule.id.isEmpty ? "" : ", no owner")
        guard let unit, let location = rule.location else { return name + owner }
        return "\(name)\(owner)  \(unit.path(location.description))"
    }

    /// The hosts of the first class and the number of the others.
    static func hosts(_ refutation: AssertionRefutation) -> String {
        let more =
            refutation.further > 0
            ? " and \(Words.count(refutation.further, "more class", "more classes")) of hosts"
            : ""
        return DiffSentences.text(refutation.hosts) + more
    }

    /// The host, port and instant at which it does not hold.
    static func witness(_ refutation: AssertionRefutation) -> String {
        let end = refutation.until.map { "until \(DiffSentences.last($0))" } ?? "on"
        return "\(refutation.witness.text) from \(Words.day(refutation.from)) \(end)"
    }

    /// The missing part: the demand with both values.
    static func gap(_ gap: AssertionRefutation.Gap) -> String {
        "\(gap.path)  is \(gap.found), wanted \(gap.wanted)"
    }

    /// Where the policy writes it; nil where that is not known.
    static func origin(
        _ gap: AssertionRefutation.Gap, in unit: UnitFolder
    ) -> String? {
        guard let origin = gap.origin, !origin.text.isEmpty else { return nil }
        guard !unit.path.isEmpty, origin.location != nil else { return origin.text }
        return unit.path(origin.text)
    }

    /// Which demand is not met by whom, for which hosts, in lines.
    static func subject(_ refutation: AssertionRefutation, in unit: UnitFolder?) -> [String] {
        [
            "`\(refutation.demand.key.rawValue)` is not met by \(rule(refutation, in: unit))",
            "hosts: \(hosts(refutation))", "witness: \(witness(refutation))",
        ]
    }

    /// A refutation in lines.
    static func lines(
        _ refutation: AssertionRefutation, in unit: UnitFolder
    ) -> [String] {
        var lines = subject(refutation, in: unit)
        for gap in refutation.gaps {
            lines.append(self.gap(gap) + gap.remarks.map { "; \($0)" }.joined())
            if let origin = origin(gap, in: unit) { lines.append("at \(origin)") }
        }
        return lines
    }

    /// The last line of every answer.
    static func totals(_ report: AssertionReport) -> String {
        let results = report.results.map(\.result)
        func count(_ word: String) -> Int {
            results.count { AssertionSentences.word($0.verdict) == word }
        }
        let classes = results.reduce(0) { $0 + $1.classes }
        let intervals = results.reduce(0) { $0 + $1.intervals }
        return "\(Words.count(results.count, "assertion", "assertions")): "
            + "\(count("proved")) proved, \(count("refuted")) refuted, \(count("stale")) stale; "
            + "\(Words.count(classes, "class", "classes")) of hosts, "
            + Words.count(intervals, "interval", "intervals")
    }

    /// Why nothing was asked.
    static func notAsked(_ failure: AnswerFailure) -> String { "not asked: \(failure.context)" }
}
