// Generated from grammar/rules.schema.json by `swift run generate-tables`. Do not edit.
// swift-format-ignore-file
import Rendering

/// The objects of `grammar/rules.schema.json`; `Document` is the whole.
enum RulePageJSON {
    struct Document: JSONObject {
        let json: JSONValue

        init(rules: [Rule], keys: [Key]?) {
            json = .object([
                ("schema", .string("hawser/rules/1")),
                ("rules", rules.json),
                ("keys", keys?.json),
            ])
        }
    }

    struct Key: JSONObject {
        let json: JSONValue

        init(key: String, section: String, type: String, required: Bool, absent: String?, meaning: String, notes: String?, example: String, codes: [String]) {
            json = .object([
                ("key", key.json),
                ("section", section.json),
                ("type", type.json),
                ("required", required.json),
                ("absent", absent?.json),
                ("meaning", meaning.json),
                ("notes", notes?.json),
                ("example", example.json),
                ("codes", codes.json),
            ])
        }
    }

    struct Rule: JSONObject {
        let json: JSONValue

        init(code: String, name: String, severity: String, title: String, group: String, foundBy: String, level: String, errorWhenStrict: Bool, canBeIgnored: Bool, explanation: String, bad: String, good: String, fix: String, options: String?) {
            json = .object([
                ("code", code.json),
                ("name", name.json),
                ("severity", severity.json),
                ("title", title.json),
                ("group", group.json),
                ("found-by", foundBy.json),
                ("level", level.json),
                ("error-when-strict", errorWhenStrict.json),
                ("can-be-ignored", canBeIgnored.json),
                ("explanation", explanation.json),
                ("bad", bad.json),
                ("good", good.json),
                ("fix", fix.json),
                ("options", options?.json),
            ])
        }
    }
}
