// Generated from grammar/log.schema.json by `swift run generate-tables`. Do not edit.
// swift-format-ignore-file
import Rendering

/// The objects of `grammar/log.schema.json`; `Document` is the whole.
package enum HostHistoryJSON {
    struct Document: JSONObject {
        let json: JSONValue

        init(host: String, unit: String, revision: String, changes: [Change], notCompared: [NotCompared], commitsRead: some BinaryInteger, versionsRead: some BinaryInteger) {
            json = .object([
                ("schema", .string("hawser/log/1")),
                ("host", host.json),
                ("unit", unit.json),
                ("revision", revision.json),
                ("changes", changes.json),
                ("notCompared", notCompared.json),
                ("commitsRead", commitsRead.json),
                ("versionsRead", versionsRead.json),
            ])
        }

        init(host: String, unit: String, revision: String, on: String, versions: [Version], notCompared: [NotCompared], commitsRead: some BinaryInteger, versionsRead: some BinaryInteger) {
            json = .object([
                ("schema", .string("hawser/log/1")),
                ("host", host.json),
                ("unit", unit.json),
                ("revision", revision.json),
                ("on", on.json),
                ("versions", versions.json),
                ("notCompared", notCompared.json),
                ("commitsRead", commitsRead.json),
                ("versionsRead", versionsRead.json),
            ])
        }

        struct NotCompared: JSONObject {
            let json: JSONValue

            init(commit: Commit, reason: String) {
                json = .object([
                    ("commit", commit.json),
                    ("reason", reason.json),
                ])
            }
        }
    }

    struct Commit: JSONObject {
        let json: JSONValue

        init(id: String, author: String, mail: String, authored: String, committed: String, subject: String) {
            json = .object([
                ("id", id.json),
                ("author", author.json),
                ("mail", mail.json),
                ("authored", authored.json),
                ("committed", committed.json),
                ("subject", subject.json),
            ])
        }
    }

    struct Rule: JSONObject {
        let json: JSONValue

        init(id: String, owner: String?, location: JSONValue?) {
            json = .object([
                ("id", id.json),
                ("owner", owner?.json),
                ("location", location?.json),
            ])
        }
    }

    struct Authority: JSONObject {
        let json: JSONValue

        init(set: String, subject: String?, keyDigest: String?) {
            json = .object([
                ("set", set.json),
                ("subject", subject?.json),
                ("keyDigest", keyDigest?.json),
            ])
        }
    }

    struct Change: JSONObject {
        let json: JSONValue

        init(commit: Commit, mergedBy: Commit?, skipped: some BinaryInteger, relation: String, hasEnded: Bool, oldRule: Rule, newRule: Rule, fields: [Fields], added: [Authority], removed: [Authority]) {
            json = .object([
                ("commit", commit.json),
                ("mergedBy", mergedBy?.json),
                ("skipped", skipped.json),
                ("relation", relation.json),
                ("hasEnded", hasEnded.json),
                ("oldRule", oldRule.json),
                ("newRule", newRule.json),
                ("fields", fields.json),
                ("added", added.json),
                ("removed", removed.json),
            ])
        }

        struct Fields: JSONObject {
            let json: JSONValue

            init(path: String, relation: String, from: String, to: String, remarks: [String], since: String?, until: String?) {
                json = .object([
                    ("path", path.json),
                    ("relation", relation.json),
                    ("from", from.json),
                    ("to", to.json),
                    ("remarks", remarks.json),
                    ("since", since?.json),
                    ("until", until?.json),
                ])
            }
        }
    }

    struct Version: JSONObject {
        let json: JSONValue

        init(commit: Commit, from: String?, until: String?, isSure: Bool, rule: Rule, denies: Bool, pinnedKeys: Bool, authorities: [Authority], pins: [Pins], exceptions: [Exceptions]) {
            json = .object([
                ("commit", commit.json),
                ("from", from?.json),
                ("until", until?.json),
                ("isSure", isSure.json),
                ("rule", rule.json),
                ("denies", denies.json),
                ("pinnedKeys", pinnedKeys.json),
                ("authorities", authorities.json),
                ("pins", pins.json),
                ("exceptions", exceptions.json),
            ])
        }

        struct Pins: JSONObject {
            let json: JSONValue

            init(set: String, mismatch: String) {
                json = .object([
                    ("set", set.json),
                    ("mismatch", mismatch.json),
                ])
            }
        }

        struct Exceptions: JSONObject {
            let json: JSONValue

            init(path: String, until: String, owner: String?, letsSpeak: String?) {
                json = .object([
                    ("path", path.json),
                    ("until", until.json),
                    ("owner", owner?.json),
                    ("letsSpeak", letsSpeak?.json),
                ])
            }
        }
    }
}
