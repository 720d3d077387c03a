// Made by `swift run generate-tables` from grammar/diagnostics.schema.json. Do not edit.
// swift-format-ignore-file

extension PrintedSchema {
    /// grammar/diagnostics.schema.json, octet by octet.
    static var diagnosticsText: String {
        #"""
{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "Findings on policy text, as `--format json` prints them",
  "description": "A line of `--format jsonl` is one of `diagnostics`, or in an audit one of `suppressed`, with `schema` beside its members.",
  "type": "object",
  "required": ["schema", "diagnostics", "summary"],
  "additionalProperties": false,
  "properties": {
    "schema": { "const": "hawser/diagnostics/1" },
    "diagnostics": { "type": "array", "items": { "$ref": "#/definitions/diagnostic" } },
    "suppressed": {
      "description": "Findings that are not told, where there are any.",
      "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/suppressed" }
    },
    "summary": {
      "type": "object",
      "required": ["errors", "warnings", "infos"],
      "additionalProperties": false,
      "properties": {
        "errors": { "$ref": "#/definitions/count" },
        "warnings": { "$ref": "#/definitions/count" },
        "infos": { "$ref": "#/definitions/count" }
      }
    }
  },
  "definitions": {
    "count": { "type": "integer", "minimum": 0 },
    "lines": { "type": "array", "items": { "type": "string", "minLength": 1 } },
    "severity": { "enum": ["error", "warning", "info"] },
    "diagnostic": {
      "description": "One finding, in the order of the source.",
      "type": "object",
      "required": [
        "code", "name", "severity", "message", "primary", "labels", "help", "notes", "fixes"
      ],
      "additionalProperties": false,
      "properties": {
        "code": { "type": "string", "pattern": "^HW[0-9]{3}$" },
        "name": { "type": "string", "pattern": "^[a-z][a-z0-9-]*$" },
        "severity": { "$ref": "#/definitions/severity" },
        "message": { "type": "string", "minLength": 1 },
        "primary": { "$ref": "#/definitions/label" },
        "labels": {
          "description": "Other places that belong to the finding.",
          "type": "array", "maxItems": 3, "items": { "$ref": "#/definitions/label" }
        },
        "help": { "description": "What to do.", "$ref": "#/definitions/lines" },
        "notes": { "description": "Background.", "$ref": "#/definitions/lines" },
        "fixes": { "type": "array", "items": { "$ref": "#/definitions/fix" } }
      }
    },
    "suppressed": {
      "type": "object",
      "required": ["by", "reason", "finding"],
      "additionalProperties": false,
      "properties": {
        "by": {
          "description": "What keeps it quiet: an ignore comment, or the file of `--baseline`.",
          "enum": ["comment", "baseline"]
        },
        "reason": { "type": "string", "minLength": 1 },
        "finding": { "$ref": "#/definitions/diagnostic" }
      }
    },
    "position": {
      "description": "Lines and columns count from 1, columns in Unicode scalars; offsets from 0 in bytes.",
      "type": "object",
      "required": ["line", "column", "offset"],
      "additionalProperties": false,
      "properties": {
        "line": { "type": "integer", "minimum": 1 },
        "column": { "type": "integer", "minimum": 1 },
        "offset": { "$ref": "#/definitions/count" }
      }
    },
    "label": {
      "type": "object",
      "required": ["file", "label"],
      "additionalProperties": false,
      "properties": {
        "file": {
          "description": "Path from the unit's root; null for a finding that no file of the unit holds.",
          "type": ["string", "null"]
        },
        "start": { "$ref": "#/definitions/position" },
        "end": { "description": "Past the last character.", "$ref": "#/definitions/position" },
        "label": { "type": "string" }
      }
    },
    "fix": {
      "type": "object",
      "required": ["title", "safety", "edits"],
      "additionalProperties": false,
      "properties": {
        "title": { "type": "string", "minLength": 1 },
        "safety": {
          "description": "safe: the policy means the same afterwards; needs-review: a person must look at it.",
          "enum": ["safe", "needs-review"]
        },
        "edits": {
          "type": "array", "minItems": 1,
          "items": {
            "type": "object",
            "required": ["file", "start", "end", "replacement"],
            "additionalProperties": false,
            "properties": {
              "file": { "type": "string" },
              "start": { "$ref": "#/definitions/position" },
              "end": { "$ref": "#/definitions/position" },
              "replacement": { "type": "string" }
            }
          }
        }
      }
    }
  }
}

"""#
    }
}
