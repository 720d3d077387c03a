import Rendering
package import TrustEngine

/// One row that comes out of an audit (`grammar/audit.schema.json`). Every row has every member, so
/// that readers with fixed columns read all of them; the same row is the same octets.
package struct AuditRow: Sendable {
    /// The name and version of the format.
    package static let schema = "hawser/audit/1"

    /// What stands in a row's place where it could not be judged.
    package struct Problem: Error, Hashable, Sendable {
        /// The reasons' stable names.
        package enum Code: String, Hashable, Sendable, CaseIterable {
            /// The row has more octets than are read.
            case tooLong = "too-long"
            /// The row is not JSON.
            case notJSON = "not-json"
            /// The row has another format, or a version that is not known here.
            case otherFormat = "other-format"
            /// A member is missing, is unknown, or has a value that it cannot have.
            case malformed
            /// The row names a certificate by a digest that no dictionary has.
            case unknownCertificate = "unknown-certificate"
            /// The row is a receipt that holds digests of evidence that is not at hand.
            case unknownEvidence = "unknown-evidence"
            /// The row is a receipt whose host, port or chain is redacted.
            case redacted
        }

        package let code: Code
        /// What was found: lower case, no full stop. It may hold text of the row.
        package let reason: String

        package init(_ code: Code, _ reason: String) {
            self.code = code
            self.reason = reason
        }
    }

    /// The file that the row came from, as it was named; nil for standard input.
    package let input: String?
    /// The row's line, from 1.
    package let line: Int

    package init(input: String?, line: Int) {
        self.input = input
        self.line = line
    }

    /// What the row asks.
    package struct Question: Sendable {
        package let id: String?
        package let host: String
        package let port: UInt16
        package let time: UTCInstant
        /// The verdict that somebody gave before; nil where none is known.
        package let earlier: Bool?

        package init(id: String?, host: String, port: UInt16, time: UTCInstant, earlier: Bool?) {
            self.id = id
            self.host = host
            self.port = port
            self.time = time
            self.earlier = earlier
        }
    }

    /// The row of a judged question.
    ///
    /// - Parameters:
    ///   - policy: digest of the meaning of the policy that judged.
    ///   - before: what the old policy says, and the class of hosts, where two are compared.
    package func text(
        _ question: Question, _ judgement: AuditJudgement, policy: Digest,
        before: (judgement: AuditJudgement, hosts: String)? = nil
    ) -> String {
        let earlier = before?.judgement.isAccept ?? question.earlier
        return line([
            ("id", .optional(question.id) ?? .null), ("host", .string(question.host)),
            ("port", .integer(question.port)), ("time", .string(question.time.description)),
            ("verdict", AuditRow.word(judgement.isAccept)),
            ("was", earlier.map(AuditRow.word) ?? .null),
            ("rule", .optional(judgement.rule) ?? .null),
            ("violations", .array(judgement.violations)),
            ("sentence", .optional(judgement.sentence) ?? .null),
            ("path", .array(judgement.path)), ("reported", .array(judgement.reported)),
            ("notices", .array(judgement.notices)),
            ("work", judgement.work.map(AuditRow.work) ?? .null),
            ("policyDigest", .string(policy.text)),
            ("class", .optional(before?.hosts) ?? .null),
            (
                "before",
                before.map { before in
                    .object([
                        ("rule", .optional(before.judgement.rule) ?? .null),
                        ("violations", .array(before.judgement.violations)),
                        ("sentence", .optional(before.judgement.sentence) ?? .null),
                    ])
                } ?? .null
            ),
            ("error", .null),
        ])
    }

    /// The row of what could not be judged.
    package func text(_ problem: Problem, policy: Digest) -> String {
        let absent = ["id", "host", "port", "time"].map { ($0, JSONValue.null) }
        return line(
            absent + [
                ("verdict", .string("error")), ("was", .null), ("rule", .null),
                ("violations", .array([])), ("sentence", .null), ("path", .array([])),
                ("reported", .array([])), ("notices", .array([])), ("work", .null),
                ("policyDigest", .string(policy.text)), ("class", .null), ("before", .null),
                (
                    "error",
                    .object([
                        ("code", .string(problem.code.rawValue)),
                        ("reason", .string(problem.reason)),
                    ])
                ),
            ])
    }

    private func line(_ members: [(String, JSONValue?)]) -> String {
        JSONValue.object(
            [
                ("schema", .string(AuditRow.schema)), ("input", .optional(input) ?? .null),
                ("row", .integer(line)),
            ] + members
        ).render(.compact) + "\n"
    }

    private static func word(_ isAccept: Bool) -> JSONValue {
        .string(isAccept ? "accept" : "reject")
    }

    private static func work(_ work: WorkStep) -> JSONValue {
        .object([
            ("units", .integer(work.spent)), ("signatures", .integer(work.signatures)),
            ("paths", .integer(work.paths)),
        ])
    }
}
