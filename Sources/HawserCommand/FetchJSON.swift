import Hawser
import PolicyTools
import Rendering
import TrustEngine

/// The JSON for fetched evidence (`grammar/fetch.schema.json`). Untrusted text needs only the
/// escaping of JSON.
enum FetchJSON {
    /// An answer with a line feed at its end. `files` are the names of the fetched pieces, in
    /// order.
    static func render(
        _ fetched: FetchedVerdict, files: [String], isComplete: Bool, assumptions: [String]
    ) -> String {
        let verdict = fetched.verdict
        var violations: [String] = []
        for violation in verdict.violations where !violations.contains(violation.id) {
            violations.append(violation.id)
        }
        var names = files.makeIterator()
        let attempts = fetched.attempts.map { attempt in
            FetchJSON.attempt(attempt, file: attempt.evidence == nil ? nil : names.next())
        }
        return JSONValue.object([
            ("schema", .string("hawser/fetch/1")), ("host", .string(fetched.request.host)),
            ("port", .integer(fetched.request.port)),
            ("policyDigest", .string(verdict.policyDigest.text)),
            ("assumptions", .array(assumptions.map { .string($0) })),
            ("complete", .bool(isComplete)), ("accept", .bool(verdict.isAccept)),
            ("violations", .array(violations.map { .string($0) })),
            ("attempts", .array(attempts)),
        ]).render(.pretty) + "\n"
    }

    private static func attempt(_ attempt: FetchAttempt, file: String?) -> JSONValue {
        var members: [(String, JSONValue?)] = [
            ("source", .string(attempt.wanted.source.name)),
            ("url", .string(attempt.wanted.url)),
            ("subject", .string(attempt.wanted.certificate.subjectText)),
        ]
        func evidence(_ outcome: String, _ evidence: PreparedEvidence) {
            members += [
                ("outcome", .string(outcome)), ("octets", .integer(evidence.der.count)),
                ("digest", .string(evidence.digest.text)), ("file", .optional(file)),
            ]
        }
        switch attempt.outcome {
        case .kept(let piece): evidence("kept", piece)
        case .fetched(let piece): evidence("fetched", piece)
        case .failed(let failure):
            members += [
                ("outcome", .string("failed")), ("failure", .string(failure.id)),
                ("context", .string(failure.context)),
            ]
        }
        return .object(members)
    }
}
