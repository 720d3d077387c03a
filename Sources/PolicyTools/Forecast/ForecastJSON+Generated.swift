// Generated from grammar/forecast.schema.json by `swift run generate-tables`. Do not edit.
// swift-format-ignore-file
import Rendering

/// The objects of `grammar/forecast.schema.json`; `Document` is the whole.
enum ForecastJSON {
    struct Document: JSONObject {
        let json: JSONValue

        init(command: String, policy: String, policyDigest: String, from: String, until: String, failUntil: String? = nil, counts: Counts, changes: [Change], requests: [Request], unjudged: [String]) {
            json = .object([
                ("schema", .string("hawser/forecast/1")),
                ("command", command.json),
                ("asked", .bool(true)),
                ("policy", policy.json),
                ("policyDigest", policyDigest.json),
                ("from", from.json),
                ("until", until.json),
                ("failUntil", failUntil?.json),
                ("counts", counts.json),
                ("changes", changes.json),
                ("requests", requests.json),
                ("unjudged", unjudged.json),
            ])
        }

        init(command: String, reason: String, isOurFault: Bool, failUntil: String? = nil) {
            json = .object([
                ("schema", .string("hawser/forecast/1")),
                ("command", command.json),
                ("asked", .bool(false)),
                ("reason", reason.json),
                ("isOurFault", isOurFault.json),
                ("failUntil", failUntil?.json),
            ])
        }

        struct Counts: JSONObject {
            let json: JSONValue

            init(changes: some BinaryInteger, rejects: some BinaryInteger, accepts: some BinaryInteger, tells: some BinaryInteger, failures: some BinaryInteger) {
                json = .object([
                    ("changes", changes.json),
                    ("rejects", rejects.json),
                    ("accepts", accepts.json),
                    ("tells", tells.json),
                    ("failures", failures.json),
                ])
            }
        }
    }

    struct Change: JSONObject {
        let json: JSONValue

        init(instant: String, kind: String, effect: String, subject: String, sentence: String, details: [String], owner: String?, origin: JSONValue?, rules: [Rule], hosts: [Hosts], verdict: Verdict?) {
            json = .object([
                ("instant", instant.json),
                ("kind", kind.json),
                ("effect", effect.json),
                ("subject", subject.json),
                ("sentence", sentence.json),
                ("details", details.json),
                ("owner", owner?.json),
                ("origin", origin?.json),
                ("rules", rules.json),
                ("hosts", hosts.json),
                ("verdict", verdict?.json),
            ])
        }

        struct Verdict: JSONObject {
            let json: JSONValue

            init(source: String, host: String, before: String, after: String, begins: [String], ends: [String]) {
                json = .object([
                    ("source", source.json),
                    ("host", host.json),
                    ("before", before.json),
                    ("after", after.json),
                    ("begins", begins.json),
                    ("ends", ends.json),
                ])
            }
        }
    }

    struct Rule: JSONObject {
        let json: JSONValue

        init(id: String, owner: String?, file: String?, line: Int?, column: Int?) {
            json = .object([
                ("id", id.json),
                ("owner", owner?.json),
                ("file", file?.json),
                ("line", line?.json),
                ("column", column?.json),
            ])
        }
    }

    struct Hosts: JSONObject {
        let json: JSONValue

        init(pattern: String?, port: Int?, except: [String], exceptionsLeftOut: some BinaryInteger) {
            json = .object([
                ("pattern", pattern?.json),
                ("port", port?.json),
                ("except", except.json),
                ("exceptionsLeftOut", exceptionsLeftOut.json),
            ])
        }
    }

    struct Request: JSONObject {
        let json: JSONValue

        init(source: String, host: String, accepts: Bool, headline: String) {
            json = .object([
                ("source", source.json),
                ("host", host.json),
                ("accepts", accepts.json),
                ("headline", headline.json),
            ])
        }
    }
}
