// Generated from grammar/unit-report.schema.json by `swift run generate-tables`. Do not edit.
// swift-format-ignore-file
import Rendering

/// The objects of `grammar/unit-report.schema.json`; `Document` is the whole.
package enum UnitReportJSON {
    struct Document: JSONObject {
        let json: JSONValue

        init(command: String, version: String, unit: String, policyDigest: String, at: String, until: String, summary: String, counts: Counts, next: Next?, classes: [Class], demands: [Demands], anchors: [Anchors], pins: [Pins], exceptions: [Exception], surface: [Surface], findings: JSONValue?) {
            json = .object([
                ("schema", .string("hawser/unit-report/1")),
                ("command", command.json),
                ("version", version.json),
                ("unit", unit.json),
                ("policyDigest", policyDigest.json),
                ("at", at.json),
                ("until", until.json),
                ("summary", summary.json),
                ("counts", counts.json),
                ("next", next?.json),
                ("classes", classes.json),
                ("demands", demands.json),
                ("anchors", anchors.json),
                ("pins", pins.json),
                ("exceptions", exceptions.json),
                ("surface", surface.json),
                ("findings", findings?.json),
            ])
        }

        struct Counts: JSONObject {
            let json: JSONValue

            init(classes: some BinaryInteger, rules: some BinaryInteger, denied: some BinaryInteger, ways: some BinaryInteger, anchors: some BinaryInteger, pins: some BinaryInteger, exceptions: some BinaryInteger) {
                json = .object([
                    ("classes", classes.json),
                    ("rules", rules.json),
                    ("denied", denied.json),
                    ("ways", ways.json),
                    ("anchors", anchors.json),
                    ("pins", pins.json),
                    ("exceptions", exceptions.json),
                ])
            }
        }

        struct Next: JSONObject {
            let json: JSONValue

            init(instant: String, subject: String, sentence: String) {
                json = .object([
                    ("instant", instant.json),
                    ("subject", subject.json),
                    ("sentence", sentence.json),
                ])
            }
        }
    }

    struct Field: JSONObject {
        let json: JSONValue

        init(field: String, text: String, value: JSONValue, origin: JSONValue) {
            json = .object([
                ("field", field.json),
                ("text", text.json),
                ("value", value.json),
                ("origin", origin.json),
            ])
        }
    }

    struct Uses: JSONObject {
        let json: JSONValue

        init(rules: [String], classes: some BinaryInteger) {
            json = .object([
                ("rules", rules.json),
                ("classes", classes.json),
            ])
        }
    }

    struct Class: JSONObject {
        let json: JSONValue

        init(number: some BinaryInteger, hosts: String, except: [String], omitted: some BinaryInteger, depth: some BinaryInteger, inside: Int?, pattern: String?, rule: String, owner: String?, note: String?, location: JSONValue, witness: String, demands: some BinaryInteger, exceptions: [Int], comparison: Comparison?) {
            json = .object([
                ("number", number.json),
                ("hosts", hosts.json),
                ("except", except.json),
                ("omitted", omitted.json),
                ("depth", depth.json),
                ("inside", inside?.json),
                ("pattern", pattern?.json),
                ("rule", rule.json),
                ("owner", owner?.json),
                ("note", note?.json),
                ("location", location.json),
                ("witness", witness.json),
                ("demands", demands.json),
                ("exceptions", exceptions.json),
                ("comparison", comparison?.json),
            ])
        }

        struct Comparison: JSONObject {
            let json: JSONValue

            init(relation: String, rule: String, sentence: String, fields: [Fields]) {
                json = .object([
                    ("relation", relation.json),
                    ("rule", rule.json),
                    ("sentence", sentence.json),
                    ("fields", fields.json),
                ])
            }

            struct Fields: JSONObject {
                let json: JSONValue

                init(field: String, relation: String, sentence: String) {
                    json = .object([
                        ("field", field.json),
                        ("relation", relation.json),
                        ("sentence", sentence.json),
                    ])
                }
            }
        }
    }

    struct Demands: JSONObject {
        let json: JSONValue

        init(denied: Bool, anchors: [String], pinnedKeysAreAnchors: Bool, pins: [String], pinsBind: Bool, guarantee: String?, strictness: JSONValue, written: [Field], classes: [Int]) {
            json = .object([
                ("denied", denied.json),
                ("anchors", anchors.json),
                ("pinnedKeysAreAnchors", pinnedKeysAreAnchors.json),
                ("pins", pins.json),
                ("pinsBind", pinsBind.json),
                ("guarantee", guarantee?.json),
                ("strictness", strictness.json),
                ("written", written.json),
                ("classes", classes.json),
            ])
        }
    }

    struct Anchors: JSONObject {
        let json: JSONValue

        init(id: String, owner: String?, location: JSONValue, usedBy: Uses, fields: [Field], certificates: [Certificates]) {
            json = .object([
                ("id", id.json),
                ("owner", owner?.json),
                ("location", location.json),
                ("usedBy", usedBy.json),
                ("fields", fields.json),
                ("certificates", certificates.json),
            ])
        }

        struct Certificates: JSONObject {
            let json: JSONValue

            init(standing: String, sentence: String, certificate: JSONValue) {
                json = .object([
                    ("standing", standing.json),
                    ("sentence", sentence.json),
                    ("certificate", certificate.json),
                ])
            }
        }
    }

    struct Pins: JSONObject {
        let json: JSONValue

        init(id: String, owner: String?, location: JSONValue, usedBy: Uses, standing: String, sentences: [String], fields: [Field]) {
            json = .object([
                ("id", id.json),
                ("owner", owner?.json),
                ("location", location.json),
                ("usedBy", usedBy.json),
                ("standing", standing.json),
                ("sentences", sentences.json),
                ("fields", fields.json),
            ])
        }
    }

    struct Exception: JSONObject {
        let json: JSONValue

        init(kind: String, check: String, until: String, standing: String, sentence: String, owner: String?, reason: String?, ticket: String?, limit: String?, note: String?, origin: JSONValue?, usedBy: Uses) {
            json = .object([
                ("kind", kind.json),
                ("check", check.json),
                ("until", until.json),
                ("standing", standing.json),
                ("sentence", sentence.json),
                ("owner", owner?.json),
                ("reason", reason?.json),
                ("ticket", ticket?.json),
                ("limit", limit?.json),
                ("note", note?.json),
                ("origin", origin?.json),
                ("usedBy", usedBy.json),
            ])
        }
    }

    struct Surface: JSONObject {
        let json: JSONValue

        init(kind: String, authorities: [String], sets: [String], classes: some BinaryInteger, pinned: some BinaryInteger, holdsDefault: Bool) {
            json = .object([
                ("kind", kind.json),
                ("authorities", authorities.json),
                ("sets", sets.json),
                ("classes", classes.json),
                ("pinned", pinned.json),
                ("holdsDefault", holdsDefault.json),
            ])
        }
    }
}
