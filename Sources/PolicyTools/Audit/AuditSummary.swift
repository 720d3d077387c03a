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
    /// The command line that writes the whole summary; nil for rows from standard input, which
    /// cannot be read again.
    package let command: String?
    /// The version of Hawser.
    package let version: String

    package init(
        policy: Digest, old: Digest?, tally: AuditTally, classes: FlipClasses?, run: Run,
        command: String?, version: String
    ) {
        self.policy = policy
        self.old = old
        self.tally = tally
        self.classes = classes
        self.run = run
        self.command = command
        self.version = version
    }

    /// The summary as text, a line for each count. It is escaped.
    package var text: String {
        TextWriter.write(AuditDocument.document(self), columns: .max)
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

    /// A count for each second of the run.
    func rate(_ count: Int) -> Int64 {
        run.seconds > 0 ? Int64(Double(count) / run.seconds) : Int64(count)
    }
}

extension AuditSummary: FormattedAnswer {
    package static let writers = FormatWriters<AuditSummary>([
        // The text is neither coloured nor wrapped.
        .answer(.text): { summary, _ in summary.text },
        .answer(.json): { summary, _ in summary.json },
        .answer(.markdown): { summary, _ in
            MarkdownWriter.write(AuditDocument.document(summary))
        },
        .answer(.html): { summary, _ in HTMLWriter.write(AuditDocument.document(summary)) },
    ])

    package static let senseless: [AnswerFormat: String] = [
        .sarif: "an audit counts verdicts; a verdict is not a finding in a file of the policy",
        .github: "an audit counts verdicts; a verdict is not a finding in a file of the policy",
        .junit: "an audit has too many rows to be cases",
    ]
}
