// Made by `swift run generate-tables` from grammar/rules.schema.json. Do not edit.
// swift-format-ignore-file

extension PrintedSchema {
    /// grammar/rules.schema.json, octet by octet.
    static var rulesText: String {
        #"""
{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "What `hawser rule --format json` prints",
  "type": "object",
  "required": ["schema", "rules"],
  "additionalProperties": false,
  "properties": {
    "schema": { "const": "hawser/rules/1" },
    "rules": { "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/rule" } }
  },
  "definitions": {
    "text": { "type": "string", "minLength": 1 },
    "rule": {
      "type": "object",
      "required": [
        "code", "name", "severity", "title", "group", "found-by", "level", "error-when-strict",
        "can-be-ignored", "explanation", "bad", "good", "fix"
      ],
      "additionalProperties": false,
      "properties": {
        "code": { "type": "string", "pattern": "^HW[0-9]{3}$" },
        "name": { "type": "string", "pattern": "^[a-z][a-z0-9-]*$" },
        "severity": { "enum": ["error", "warning", "info"] },
        "title": { "$ref": "#/definitions/text" },
        "group": {
          "enum": [
            "text", "schema", "hosts", "anchors", "pins", "demands", "exceptions", "suppressions",
            "tests", "layout"
          ]
        },
        "found-by": {
          "description": "check: every load, check and lint; lint: lint alone.",
          "enum": ["check", "lint"]
        },
        "level": {
          "description": "The first level of lint that tells it.",
          "enum": ["default", "strict", "audit"]
        },
        "error-when-strict": {
          "description": "Whether `--level strict` makes it an error.", "type": "boolean"
        },
        "can-be-ignored": {
          "description": "Whether an ignore comment or a baseline may hide it.", "type": "boolean"
        },
        "explanation": { "$ref": "#/definitions/text" },
        "bad": { "description": "Policy text that has it.", "$ref": "#/definitions/text" },
        "good": { "description": "The same as it should be.", "$ref": "#/definitions/text" },
        "fix": { "$ref": "#/definitions/text" },
        "options": {
          "description": "What changes whether or how it is told.", "$ref": "#/definitions/text"
        }
      }
    }
  }
}

"""#
    }
}
