// Made by `swift run generate-tables` from grammar/revocations.schema.json. Do not edit.
// swift-format-ignore-file

extension PrintedSchema {
    /// grammar/revocations.schema.json, octet by octet.
    static var revocationsText: String {
        #"""
{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "$id": "hawser/revocations/1",
  "title": "hawser revocations --format json",
  "description": "What a revocation set holds. Issuers come from strangers and are raw: whoever shows them must escape them.",
  "type": "object",
  "properties": {
    "schema": { "const": "hawser/revocations/1" },
    "digest": { "$ref": "#/definitions/digest" },
    "octets": { "description": "Of the whole set.", "type": "integer", "minimum": 56 },
    "lists": {
      "description": "In the order of their digests.",
      "type": "array",
      "minItems": 1,
      "items": {
        "type": "object",
        "properties": {
          "issuer": { "description": "RFC 4514.", "type": "string" },
          "digest": { "$ref": "#/definitions/digest" },
          "entries": { "type": "integer", "minimum": 0 },
          "thisUpdate": { "type": "string" },
          "nextUpdate": { "type": ["string", "null"] },
          "delta": { "type": "boolean" },
          "indirect": { "type": "boolean" }
        },
        "required": ["issuer", "digest", "entries", "thisUpdate", "nextUpdate", "delta", "indirect"],
        "additionalProperties": false
      }
    },
    "leftOut": {
      "description": "CRLs that did not go in; the exit status is 1 where there are any.",
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "digest": { "$ref": "#/definitions/digest" },
          "issuer": { "description": "RFC 4514; null where it cannot be read.", "type": ["string", "null"] },
          "reason": {
            "enum": ["unreadable", "not-a-list", "not-verified", "unknown-critical-extension", "too-large"]
          },
          "context": { "description": "What was found, for a person.", "type": "string" }
        },
        "required": ["digest", "issuer", "reason", "context"],
        "additionalProperties": false
      }
    }
  },
  "required": ["schema", "digest", "octets", "lists", "leftOut"],
  "additionalProperties": false,
  "definitions": {
    "digest": { "description": "SHA-256 of the octets.", "type": "string", "pattern": "^sha256:[0-9a-f]{64}$" }
  }
}

"""#
    }
}
