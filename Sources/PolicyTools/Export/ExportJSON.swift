import PolicyCompiler
import Rendering
import TrustEngine

/// Writes what `export` did as JSON. The form is `grammar/export.schema.json`.
enum ExportJSON {
    /// The name of the format, with its version.
    private static let schema = "hawser/export/1"

    static func render(_ report: ExportReport) -> String {
        let outcome: JSONMembers
        switch report.outcome {
        case .notAsked(let failure):
            outcome = ["answered": false, "reason": failure.context, "isOurFault": failure.isOurs]
        case .answered(let entries, let time):
            outcome = [
                "answered": true, "at": time.description,
                "files": entries.map { file($0, report) },
            ]
        }
        let head: JSONMembers = [
            "schema": schema, "command": report.command, "check": report.isCheck,
        ]
        return JSONValue.object(head + outcome).render(.pretty) + "\n"
    }

    private static func file(_ entry: ExportReport.Entry, _ report: ExportReport) -> JSONValue {
        var reason: String?
        var content: String?
        switch entry.state {
        case .refused(let words), .unreadable(let words): reason = words
        case .printed(let octets): content = String(decoding: octets, as: UTF8.self)
        case .created, .replaced, .unchanged, .left, .unmet, .same, .differs, .missing: break
        }
        return .object([
            "id": entry.id, "format": entry.format, "file": entry.path, "state": entry.state.name,
            "reason": reason, "content": content, "companions": entry.companions,
            "dropped": entry.dropped, "nextChange": entry.nextChange?.description,
            "loss": entry.loss.map { loss($0, report) },
            "difference": entry.difference.map { loss($0, report) },
        ])
    }

    private static func loss(_ loss: ExportLoss, _ report: ExportReport) -> JSONValue {
        .object([
            "relation": word(loss.relation), "classes": loss.classes,
            "lines": loss.lines.map { line in
                JSONValue.object([
                    "relation": word(line.relation), "field": line.field, "policy": line.policy,
                    "file": line.file, "remarks": line.remarks,
                    "hosts": line.hosts.map { DiffSentences.text($0) },
                    "witness": JSONValue.object([
                        "host": line.witness.host.text, "port": line.witness.port,
                    ]), "place": line.location.map { ExportText.place($0, report) },
                    "from": line.from?.description, "unstated": line.isUnstated,
                ])
            },
            "gaps": loss.gaps.map { gap in
                JSONValue.object([
                    "code": gap.code.rawValue, "message": gap.message,
                    "relation": word(gap.file), "hosts": gap.hosts, "others": gap.others,
                ])
            },
        ])
    }

    private static func word(_ relation: Relation) -> String {
        switch relation {
        case .equal: return "equal"
        case .stricter: return "stricter"
        case .weaker: return "weaker"
        case .incomparable: return "incomparable"
        }
    }
}
