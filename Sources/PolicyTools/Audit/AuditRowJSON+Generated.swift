// Generated from grammar/audit.schema.json by `swift run generate-tables`. Do not edit.
// swift-format-ignore-file
import Rendering

/// The objects of `grammar/audit.schema.json`; `Document` is the whole.
enum AuditRowJSON {
    struct Document: JSONObject {
        let json: JSONValue

        init(input: String?, row: some BinaryInteger, id: String?, host: String?, port: Int?, time: String?, verdict: String, was: String?, rule: String?, violations: [JSONValue], sentence: String?, path: [JSONValue], reported: [JSONValue], notices: [JSONValue], work: Work?, policyDigest: String, class: String?, before: Before?, error: Error?) {
            json = .object([
                ("schema", .string("hawser/audit/1")),
                ("input", input?.json ?? .null),
                ("row", row.json),
                ("id", id?.json ?? .null),
                ("host", host?.json ?? .null),
                ("port", port?.json ?? .null),
                ("time", time?.json ?? .null),
                ("verdict", verdict.json),
                ("was", was?.json ?? .null),
                ("rule", rule?.json ?? .null),
                ("violations", violations.json),
                ("sentence", sentence?.json ?? .null),
                ("path", path.json),
                ("reported", reported.json),
                ("notices", notices.json),
                ("work", work?.json ?? .null),
                ("policyDigest", policyDigest.json),
                ("class", `class`?.json ?? .null),
                ("before", before?.json ?? .null),
                ("error", error?.json ?? .null),
            ])
        }

        struct Work: JSONObject {
            let json: JSONValue

            init(units: some BinaryInteger, signatures: some BinaryInteger, paths: some BinaryInteger) {
                json = .object([
                    ("units", units.json),
                    ("signatures", signatures.json),
                    ("paths", paths.json),
                ])
            }
        }

        struct Before: JSONObject {
            let json: JSONValue

            init(rule: String?, violations: [JSONValue], sentence: String?) {
                json = .object([
                    ("rule", rule?.json ?? .null),
                    ("violations", violations.json),
                    ("sentence", sentence?.json ?? .null),
                ])
            }
        }

        struct Error: JSONObject {
            let json: JSONValue

            init(code: String, reason: String) {
                json = .object([
                    ("code", code.json),
                    ("reason", reason.json),
                ])
            }
        }
    }
}
