// Generated from grammar/fetch.schema.json by `swift run generate-tables`. Do not edit.
// swift-format-ignore-file
import Rendering

/// The objects of `grammar/fetch.schema.json`; `Document` is the whole.
enum FetchJSON {
    struct Document: JSONObject {
        let json: JSONValue

        init(host: String, port: some BinaryInteger, policyDigest: String, assumptions: [String], complete: Bool, accept: Bool, violations: [String], attempts: [JSONValue]) {
            json = .object([
                ("schema", .string("hawser/fetch/1")),
                ("host", host.json),
                ("port", port.json),
                ("policyDigest", policyDigest.json),
                ("assumptions", assumptions.json),
                ("complete", complete.json),
                ("accept", accept.json),
                ("violations", violations.json),
                ("attempts", attempts.json),
            ])
        }
    }

    struct Had: JSONObject {
        let json: JSONValue

        init(source: String, url: String, subject: String, outcome: String, octets: some BinaryInteger, digest: String, file: String) {
            json = .object([
                ("source", source.json),
                ("url", url.json),
                ("subject", subject.json),
                ("outcome", outcome.json),
                ("octets", octets.json),
                ("digest", digest.json),
                ("file", file.json),
            ])
        }
    }

    struct Failed: JSONObject {
        let json: JSONValue

        init(source: String, url: String, subject: String, outcome: String, failure: String, context: String) {
            json = .object([
                ("source", source.json),
                ("url", url.json),
                ("subject", subject.json),
                ("outcome", outcome.json),
                ("failure", failure.json),
                ("context", context.json),
            ])
        }
    }
}
