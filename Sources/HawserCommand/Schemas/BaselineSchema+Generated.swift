// Made by `swift run generate-tables` from grammar/baseline.schema.json. Do not edit.
// swift-format-ignore-file

extension PrintedSchema {
    /// grammar/baseline.schema.json, octet by octet.
    static var baselineText: String {
        #"""
{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "What `hawser lint --write-baseline` writes and `--baseline` reads",
  "type": "object",
  "required": ["schema"],
  "additionalProperties": false,
  "properties": {
    "schema": { "const": "hawser/baseline/1" },
    "findings": {
      "description": "The findings to leave aside; left out where there are none.",
      "type": "array", "minItems": 1,
      "items": {
        "type": "object",
        "required": ["fingerprint", "code", "message"],
        "additionalProperties": false,
        "properties": {
          "fingerprint": {
            "description": "Of code, file, keys and text, and an ordinal: lines may move. This alone is read.",
            "type": "string", "pattern": "^[0-9a-f]{16}:[0-9]+$"
          },
          "code": { "type": "string", "pattern": "^HW[0-9]{3}$" },
          "file": { "type": "string" },
          "message": { "type": "string", "minLength": 1 }
        }
      }
    }
  }
}

"""#
    }
}
