package import Rendering
package import TrustEngine

/// What an audit says at its end.
package struct AuditSummary: Sendable {
    /// The name and version of the format (`grammar/audit-summary.schema.json`).
    package static let schema = "hawser/audit-summary/1"

    /// How a run went. Nothing of it is the same twice, and everything else is.
    package struct Run: Sendable {
        package let jobs: Int
        package let seconds: Double
        /// The rows of this run alone: fewer than all where it went on from a checkpoint.
        package let rows: Int
        /// The rows that were judged with CRLs that the audit prepared. A service that hands over
        /// the octets of long CRLs gets `evidence-too-large` or `budget-exhausted`.
        package let preparedRows: Int
        /// Signatures that were verified and not remembered, and the time of all threads in them.
        package let newSignatures: Int
        package let secondsInSignatures: Double

        package init(
            jobs: Int, seconds: Double, rows: Int, preparedRows: Int, newSignatures: Int,
            secondsInSignatures: Double
        ) {
            self.jobs = jobs
            self.seconds = seconds
            self.rows = rows
            self.preparedRows = preparedRows
            self.newSignatures = newSignatures
            self.secondsInSignatures = secondsInSignatures
        }
    }

    /// Digest of the meaning of the policy, and of the old one where two are compared.
    package let policy: Digest
    package let old: Digest?
    package let tally: AuditTally
    /// What changes in each class of hosts; nil where one policy was asked.
    package let classes: FlipClasses?
    package let run: Run

    package init(
        policy: Digest, old: Digest?, tally: AuditTally, classes: FlipClasses?, run: Run
    ) {
        self.policy = policy
        self.old = old
        self.tally = tally
        self.classes = classes
        self.run = run
    }

    /// The summary as one line of JSON, ended by a line feed.
    package var json: String {
        var members: JSONMembers = [
            "schema": AuditSummary.schema, "policyDigest": policy.text,
            "oldPolicyDigest": old?.text.json ?? .null,
        ]
        members += tally.members
        members += ["flips": classes?.value(tally.flips) ?? .null, "run": runValue]
        return JSONValue.object(members).render(.compact) + "\n"
    }

    private var runValue: JSONValue {
        .object([
            "jobs": run.jobs, "rows": run.rows, "preparedRows": run.preparedRows,
            "milliseconds": Int64(run.seconds * 1_000), "rowsPerSecond": rate(run.rows),
            "newSignatures": run.newSignatures, "newSignaturesPerSecond": rate(run.newSignatures),
            "millisecondsInSignatures": Int64(run.secondsInSignatures * 1_000),
        ])
    }

    private func rate(_ count: Int) -> Int64 {
        run.seconds > 0 ? Int64(Double(count) / run.seconds) : Int64(count)
    }

    // MARK: Text

    /// The text as it is printed.
    fileprivate var text: String { lines.map { TerminalEscape.escape($0) + "\n" }.joined() }

    /// The most lines of each list on a screen; the JSON has all.
    private static let mostShown = 10

    /// The summary for a person. It holds text of strangers; the caller escapes each line.
    package var lines: [String] {
        var lines = [headline]
        if tally.leftOut > 0 { lines.append("\(tally.leftOut) rows are not in the sample") }
        lines += list("error", AuditTally.sorted(tally.errors))
        lines += ruleLines
        lines += list("violation", AuditTally.sorted(tally.violations))
        lines += list("reported", AuditTally.sorted(tally.reported))
        lines += unmatchedLines
        lines += classes?.lines(tally.flips) ?? []
        if run.preparedRows > 0 {
            lines.append(
                "\(Words.count(run.preparedRows, "row was", "rows were")) judged with "
                    + "CRLs that the audit prepared, as a service must prepare long ones")
        }
        if let first = tally.costly.first {
            lines.append(
                "costliest: row \(first.line)\(first.input.map { " of `\($0)`" } ?? ""), "
                    + "`\(first.host)`: \(first.units) units of work")
        }
        lines.append(
            "\(rate(run.rows)) rows and \(rate(run.newSignatures)) new signatures a second, "
                + Words.count(run.jobs, "job"))
        return lines
    }

    private var headline: String {
        let verdicts = tally.verdicts
        var text =
            "\(Words.count(tally.rows, "row")): "
            + "\(verdicts.accepted) accepted, \(verdicts.rejected) rejected"
        let errors = tally.errorCount
        text += ", \(Words.count(errors, "error"))"
        if tally.changed + tally.unchanged > 0 { text += "; \(tally.changed) changed" }
        return text
    }

    private var ruleLines: [String] {
        let order = tally.rules.sorted {
            ($1.value.rejected, $1.value.accepted, $0.key ?? "~")
                < ($0.value.rejected, $0.value.accepted, $1.key ?? "~")
        }
        let lines = order.prefix(AuditSummary.mostShown).map { rule, count in
            let name = rule.map { $0.isEmpty ? "`default`" : "rule `\($0)`" } ?? "no rule"
            return "\(name): \(count.accepted) accepted, \(count.rejected) rejected"
        }
        let omitted = order.count - lines.count
        return lines + (omitted > 0 ? ["and \(omitted) rules"] : [])
    }

    private var unmatchedLines: [String] {
        guard tally.unmatchedRows > 0 else { return [] }
        let hosts = AuditTally.sorted(tally.unmatchedHosts)
        let first = "\(tally.unmatchedRows) rows are of hosts that no rule matches"
        return [first] + list("  host", hosts)
    }

    private func list(_ what: String, _ counts: [(name: String, count: Int)]) -> [String] {
        counts.prefix(AuditSummary.mostShown).map { "\(what) `\($0.name)`: \($0.count)" }
            + Cut.others(
                counts.count - AuditSummary.mostShown, after: " of \(what.drop { $0 == " " })")
    }
}

extension AuditSummary: FormattedAnswer {
    package static let writers = FormatWriters<AuditSummary>([
        .answer(.text): { summary, _ in summary.text },
        .answer(.json): { summary, _ in summary.json },
    ])

    package static let senseless: [AnswerFormat: String] = [
        .sarif: "an audit counts verdicts; a verdict is not a finding in a file of the policy",
        .github: "an audit counts verdicts; a verdict is not a finding in a file of the policy",
        .junit: "an audit has too many rows to be cases",
    ]
}
