import Rendering
package import TrustEngine

/// One row that comes out of an audit (`grammar/audit.schema.json`). Every row has every member, so
/// that readers with fixed columns read all of them; the same row is the same octets.
package struct AuditRow: Sendable {
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
        return AuditRowJSON.Document(
            input: input, row: line, id: question.id, host: question.host,
            port: Int(question.port), time: question.time.description,
            verdict: AuditRow.word(judgement.isAccept), was: earlier.map(AuditRow.word),
            rule: judgement.rule, violations: judgement.violations, sentence: judgement.sentence,
            path: judgement.path, reported: judgement.reported, notices: judgement.notices,
            work: judgement.work.map {
                .init(units: $0.spent, signatures: $0.signatures, paths: $0.paths)
            }, policyDigest: policy.text, class: before?.hosts,
            before: before.map {
                .init(
                    rule: $0.judgement.rule, violations: $0.judgement.violations,
                    sentence: $0.judgement.sentence)
            }, error: nil
        ).line
    }

    /// The row of what could not be judged.
    package func text(_ problem: Problem, policy: Digest) -> String {
        AuditRowJSON.Document(
            input: input, row: line, id: nil, host: nil, port: nil, time: nil, verdict: "error",
            was: nil, rule: nil, violations: [], sentence: nil, path: [], reported: [],
            notices: [], work: nil, policyDigest: policy.text, class: nil, before: nil,
            error: .init(code: problem.code.rawValue, reason: problem.reason)
        ).line
    }

    private static func word(_ isAccept: Bool) -> String { isAccept ? "accept" : "reject" }
}
