// Generated from grammar/assert-report.schema.json by `swift run generate-tables`. Do not edit.
// swift-format-ignore-file
import Rendering

/// The objects of `grammar/assert-report.schema.json`; `Document` is the whole.
enum AssertionJSON {
    struct Document: JSONObject {
        let json: JSONValue

        init(command: String, at: String, counts: Counts, units: [Unit]) {
            json = .object([
                ("schema", .string("hawser/assert/1")),
                ("command", command.json),
                ("at", at.json),
                ("asked", .bool(true)),
                ("counts", counts.json),
                ("units", units.json),
            ])
        }

        init(command: String, reason: String, isOurFault: Bool) {
            json = .object([
                ("schema", .string("hawser/assert/1")),
                ("command", command.json),
                ("asked", .bool(false)),
                ("reason", reason.json),
                ("isOurFault", isOurFault.json),
            ])
        }

        struct Counts: JSONObject {
            let json: JSONValue

            init(assertions: some BinaryInteger, proved: some BinaryInteger, refuted: some BinaryInteger, stale: some BinaryInteger) {
                json = .object([
                    ("assertions", assertions.json),
                    ("proved", proved.json),
                    ("refuted", refuted.json),
                    ("stale", stale.json),
                ])
            }
        }
    }

    struct Place: JSONObject {
        let json: JSONValue

        init(file: String, line: some BinaryInteger, column: some BinaryInteger) {
            json = .object([
                ("file", file.json),
                ("line", line.json),
                ("column", column.json),
            ])
        }
    }

    struct Unit: JSONObject {
        let json: JSONValue

        init(folder: String, policyDigest: String, assertions: [Assertion]) {
            json = .object([
                ("folder", folder.json),
                ("policyDigest", policyDigest.json),
                ("assertions", assertions.json),
            ])
        }
    }

    struct Assertion: JSONObject {
        let json: JSONValue

        init(id: String, verdict: String, place: Place, owner: String?, note: String?, from: String, until: String?, demands: [String], classes: some BinaryInteger, refutedClasses: some BinaryInteger, intervals: some BinaryInteger, reason: String?, refutations: [Refutation]) {
            json = .object([
                ("id", id.json),
                ("verdict", verdict.json),
                ("place", place.json),
                ("owner", owner?.json),
                ("note", note?.json),
                ("from", from.json),
                ("until", until?.json),
                ("demands", demands.json),
                ("classes", classes.json),
                ("refutedClasses", refutedClasses.json),
                ("intervals", intervals.json),
                ("reason", reason?.json),
                ("refutations", refutations.json),
            ])
        }
    }

    struct Refutation: JSONObject {
        let json: JSONValue

        init(demand: String, rule: Rule, hosts: Hosts, witness: Witness, from: String, until: String?, furtherClasses: some BinaryInteger, gaps: [Gaps]) {
            json = .object([
                ("demand", demand.json),
                ("rule", rule.json),
                ("hosts", hosts.json),
                ("witness", witness.json),
                ("from", from.json),
                ("until", until?.json),
                ("furtherClasses", furtherClasses.json),
                ("gaps", gaps.json),
            ])
        }

        struct Rule: JSONObject {
            let json: JSONValue

            init(id: String, owner: String?, place: Place?) {
                json = .object([
                    ("id", id.json),
                    ("owner", owner?.json),
                    ("place", place?.json ?? .null),
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

        struct Witness: JSONObject {
            let json: JSONValue

            init(host: String, port: some BinaryInteger) {
                json = .object([
                    ("host", host.json),
                    ("port", port.json),
                ])
            }
        }

        struct Gaps: JSONObject {
            let json: JSONValue

            init(path: String, wanted: String, found: String, remarks: [String], origin: JSONValue?) {
                json = .object([
                    ("path", path.json),
                    ("wanted", wanted.json),
                    ("found", found.json),
                    ("remarks", remarks.json),
                    ("origin", origin?.json ?? .null),
                ])
            }
        }
    }
}
