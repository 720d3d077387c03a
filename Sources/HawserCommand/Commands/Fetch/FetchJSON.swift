import Hawser
import PolicyTools
import Rendering
import TrustEngine

/// The JSON for fetched evidence (`grammar/fetch.schema.json`). Untrusted text needs only the
/// escaping of JSON.
extension FetchJSON {
    /// An answer with a line feed at its end. `files` are the names of the fetched pieces, in
    /// order.
    static func render(
        _ fetched: Decision, files: [String], isComplete: Bool, assumptions: [String]
    ) -> String {
        let verdict = fetched.verdict
        var names = files[...]
        return Document(
            host: fetched.request.host, port: fetched.request.port,
            policyDigest: verdict.policyDigest.text, assumptions: assumptions,
            complete: isComplete, accept: verdict.isAccept,
            violations: ExplainDocument.ids(verdict.violations),
            attempts: fetched.attempts.map { attempt in
                FetchJSON.attempt(attempt, file: attempt.evidence == nil ? "" : names.removeFirst())
            }
        ).document
    }

    private static func attempt(_ attempt: FetchAttempt, file: String) -> JSONValue {
        let wanted = attempt.wanted
        func had(_ outcome: String, _ evidence: PreparedEvidence) -> JSONValue {
            Had(
                source: wanted.source.name, url: wanted.url,
                subject: wanted.certificate.subjectText, outcome: outcome,
                octets: evidence.der.count, digest: evidence.digest.text, file: file
            ).json
        }
        switch attempt.outcome {
        case .kept(let piece): return had("kept", piece)
        case .fetched(let piece): return had("fetched", piece)
        case .failed(let failure):
            return Failed(
                source: wanted.source.name, url: wanted.url,
                subject: wanted.certificate.subjectText, outcome: "failed",
                failure: failure.code.rawValue,
                context: failure.context
            ).json
        }
    }
}
