import Rendering
import TrustEngine

/// Writes what a history says of one host as JSON. The form is `grammar/log.schema.json`.
package enum HostHistoryJSON {
    package static func render(_ history: HostHistory) -> String {
        let answer: [(String, JSONValue?)]
        switch history.answer {
        case .changes(let entries): answer = [("changes", .array(entries.map(entry)))]
        case .reigns(let reigns, let asked):
            answer = [("on", .string(asked)), ("versions", .array(reigns.map(reign)))]
        }
        let head: [(String, JSONValue?)] = [
            ("schema", .string("hawser/log/1")), ("host", .string(history.host)),
            ("unit", .string(history.unit)), ("revision", .string(history.revision)),
        ]
        let tail: [(String, JSONValue?)] = [
            (
                "notCompared",
                .array(
                    history.failures.map {
                        .object([("commit", commit($0.commit)), ("reason", .string($0.reason))])
                    })
            ), ("commitsRead", .integer(history.commits)),
            ("versionsRead", .integer(history.versions)),
        ]
        return JSONValue.object(head + answer + tail).render(.pretty) + "\n"
    }

    private static func commit(_ commit: HostHistory.Commit) -> JSONValue {
        .object([
            ("id", .string(commit.id)), ("author", .string(commit.author)),
            ("mail", .string(commit.mail)), ("authored", .string(commit.authored.description)),
            ("committed", .string(commit.committed.description)),
            ("subject", .string(commit.subject)),
        ])
    }

    private static func entry(_ entry: HostHistory.Entry) -> JSONValue {
        let change = entry.change
        return .object([
            ("commit", commit(entry.commit)), ("mergedBy", entry.mergedBy.map(commit)),
            ("skipped", .integer(entry.skipped)),
            ("relation", .string(DiffSentences.relation(change.relation))),
            ("hasEnded", .bool(change.hasEnded(by: entry.commit.committed))),
            ("oldRule", rule(change.rules.old)), ("newRule", rule(change.rules.new)),
            (
                "fields",
                .array(
                    change.fields.map {
                        .object([
                            ("path", .string($0.field.path)),
                            ("relation", .string(DiffSentences.relation($0.field.relation))),
                            ("from", .string($0.field.from)), ("to", .string($0.field.to)),
                            ("remarks", .array($0.field.remarks.map { .string($0) })),
                            ("since", $0.from.map { .string($0.description) }),
                            ("until", $0.until.map { .string($0.description) }),
                        ])
                    })
            ),
            ("added", .array(change.authorities.added.map(authority))),
            ("removed", .array(change.authorities.removed.map(authority))),
        ])
    }

    private static func rule(_ rule: RuleReference) -> JSONValue {
        .object([
            ("id", .string(rule.id)), ("owner", .optional(rule.owner)),
            ("location", rule.location.map { JSONValue.location($0) }),
        ])
    }

    private static func authority(_ authority: PolicyDiff.Authority) -> JSONValue {
        .object([
            ("set", .string(authority.set)), ("subject", .optional(authority.subject)),
            ("keyDigest", .optional(authority.keyDigest?.text)),
        ])
    }

    private static func reign(_ reign: HostHistory.Reign) -> JSONValue {
        let speakers = reign.speakers
        return .object([
            ("commit", commit(reign.commit)), ("from", reign.from.map { .string($0.description) }),
            ("until", reign.until.map { .string($0.description) }),
            ("isSure", .bool(reign.isSure)), ("rule", rule(speakers.rule)),
            ("denies", .bool(speakers.denies)),
            ("pinnedKeys", .bool(speakers.arePinnedKeys)),
            ("authorities", .array(speakers.authorities.map(authority))),
            (
                "pins",
                .array(
                    speakers.pins.map {
                        .object([("set", .string($0.id)), ("mismatch", .string($0.state))])
                    })
            ),
            (
                "exceptions",
                .array(
                    speakers.exceptions.map {
                        .object([
                            ("path", .string($0.path)), ("until", .string($0.until.description)),
                            ("owner", .optional($0.owner)), ("letsSpeak", .optional($0.opens)),
                        ])
                    })
            ),
        ])
    }
}
