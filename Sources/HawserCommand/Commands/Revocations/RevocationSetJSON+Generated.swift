// Generated from grammar/revocations.schema.json by `swift run generate-tables`. Do not edit.
// swift-format-ignore-file
import Rendering

/// The objects of `grammar/revocations.schema.json`; `Document` is the whole.
enum RevocationSetJSON {
    struct Document: JSONObject {
        let json: JSONValue

        init(digest: String, octets: some BinaryInteger, lists: [Lists], leftOut: [LeftOut]) {
            json = .object([
                ("schema", .string("hawser/revocations/1")),
                ("digest", digest.json),
                ("octets", octets.json),
                ("lists", lists.json),
                ("leftOut", leftOut.json),
            ])
        }

        struct Lists: JSONObject {
            let json: JSONValue

            init(issuer: String, digest: String, entries: some BinaryInteger, thisUpdate: String, nextUpdate: String?, delta: Bool, indirect: Bool) {
                json = .object([
                    ("issuer", issuer.json),
                    ("digest", digest.json),
                    ("entries", entries.json),
                    ("thisUpdate", thisUpdate.json),
                    ("nextUpdate", nextUpdate?.json ?? .null),
                    ("delta", delta.json),
                    ("indirect", indirect.json),
                ])
            }
        }

        struct LeftOut: JSONObject {
            let json: JSONValue

            init(digest: String, issuer: String?, reason: String, context: String) {
                json = .object([
                    ("digest", digest.json),
                    ("issuer", issuer?.json ?? .null),
                    ("reason", reason.json),
                    ("context", context.json),
                ])
            }
        }
    }
}
