// Generated from grammar/diagnostics.schema.json by `swift run generate-tables`. Do not edit.
// swift-format-ignore-file
import Rendering

/// The objects of `grammar/diagnostics.schema.json`; `Document` is the whole.
package enum DiagnosticJSON {
    struct Document: JSONObject {
        let json: JSONValue

        init(diagnostics: [Diagnostic], suppressed: [Suppressed]?, summary: Summary) {
            json = .object([
                ("schema", .string("hawser/diagnostics/1")),
                ("diagnostics", diagnostics.json),
                ("suppressed", suppressed?.json),
                ("summary", summary.json),
            ])
        }

        struct Summary: JSONObject {
            let json: JSONValue

            init(errors: some BinaryInteger, warnings: some BinaryInteger, infos: some BinaryInteger) {
                json = .object([
                    ("errors", errors.json),
                    ("warnings", warnings.json),
                    ("infos", infos.json),
                ])
            }
        }
    }

    struct Diagnostic: JSONObject {
        let json: JSONValue

        init(code: String, name: String, severity: String, message: String, primary: Label, labels: [Label], help: [String], notes: [String], fixes: [Fix]) {
            json = .object([
                ("code", code.json),
                ("name", name.json),
                ("severity", severity.json),
                ("message", message.json),
                ("primary", primary.json),
                ("labels", labels.json),
                ("help", help.json),
                ("notes", notes.json),
                ("fixes", fixes.json),
            ])
        }
    }

    struct Suppressed: JSONObject {
        let json: JSONValue

        init(by: String, reason: String, finding: Diagnostic) {
            json = .object([
                ("by", by.json),
                ("reason", reason.json),
                ("finding", finding.json),
            ])
        }
    }

    struct Position: JSONObject {
        let json: JSONValue

        init(line: some BinaryInteger, column: some BinaryInteger, offset: some BinaryInteger) {
            json = .object([
                ("line", line.json),
                ("column", column.json),
                ("offset", offset.json),
            ])
        }
    }

    struct Label: JSONObject {
        let json: JSONValue

        init(file: String?, start: Position?, end: Position?, label: String) {
            json = .object([
                ("file", file?.json ?? .null),
                ("start", start?.json),
                ("end", end?.json),
                ("label", label.json),
            ])
        }
    }

    struct Fix: JSONObject {
        let json: JSONValue

        init(title: String, safety: String, edits: [Edits]) {
            json = .object([
                ("title", title.json),
                ("safety", safety.json),
                ("edits", edits.json),
            ])
        }

        struct Edits: JSONObject {
            let json: JSONValue

            init(file: String, start: Position, end: Position, replacement: String) {
                json = .object([
                    ("file", file.json),
                    ("start", start.json),
                    ("end", end.json),
                    ("replacement", replacement.json),
                ])
            }
        }
    }
}
