// Made by `swift run generate-tables` from grammar/report.schema.json. Do not edit.
// swift-format-ignore-file

extension PrintedSchema {
    /// grammar/report.schema.json, octet by octet.
    static var reportText: String {
        #"""
{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "$id": "hawser/report/1",
  "title": "A violation report",
  "description": "What a service tells those who own a policy when a connection fails it, or fails what is only reported; the idea is that of RFC 7469 section 3. Texts of certificates and hosts are raw: whoever shows them must escape them.",
  "type": "object",
  "properties": {
    "schema": { "const": "hawser/report/1" },
    "time": { "description": "The instant judged at.", "$ref": "#/definitions/instant" },
    "host": {
      "description": "Null where it is redacted without a key.",
      "oneOf": [
        {
          "type": "object",
          "properties": { "text": { "description": "As it was asked for, raw.", "type": "string" } },
          "required": ["text"],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": { "keyed": { "$ref": "#/definitions/keyed" } },
          "required": ["keyed"],
          "additionalProperties": false
        },
        { "type": "null" }
      ]
    },
    "port": {
      "description": "Null where it is redacted.",
      "oneOf": [{ "type": "integer", "minimum": 0, "maximum": 65535 }, { "type": "null" }]
    },
    "verdict": { "enum": ["accept", "reject"] },
    "rule": {
      "description": "The rule that decided; empty for `default`, null where no rule did.",
      "oneOf": [{ "type": "string" }, { "type": "null" }]
    },
    "policyDigest": { "description": "Of the policy's meaning.", "$ref": "#/definitions/digest" },
    "fileDigest": { "description": "Of the table's octets.", "$ref": "#/definitions/digest" },
    "revision": {
      "description": "Of the table; null where it came without one.",
      "oneOf": [{ "$ref": "#/definitions/revision" }, { "type": "null" }]
    },
    "violations": {
      "description": "Why it was rejected: of the request itself, then of the best-ranked path. Empty for an accept.",
      "type": "array",
      "items": { "$ref": "#/definitions/violation" }
    },
    "reported": {
      "description": "What failed on the accepted path and did not reject.",
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "violation": { "$ref": "#/definitions/violation" },
          "reason": { "enum": ["waived", "report-only"] },
          "until": {
            "description": "To the end of this second; absent for what never rejects.",
            "$ref": "#/definitions/instant"
          }
        },
        "required": ["violation", "reason"],
        "additionalProperties": false
      }
    },
    "servedChain": {
      "description": "The presented chain, wire order; null where it is redacted.",
      "oneOf": [
        {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "fingerprint": { "$ref": "#/definitions/digest" },
              "der": {
                "description": "Base64; absent where the chain is too long for a report.",
                "$ref": "#/definitions/base64"
              }
            },
            "required": ["fingerprint"],
            "additionalProperties": false
          }
        },
        { "type": "null" }
      ]
    },
    "validatedPath": {
      "description": "The accepted path, or the best-ranked one of a reject, end entity first; empty where none was tried, null where the chain is redacted.",
      "oneOf": [
        { "type": "array", "items": { "$ref": "#/definitions/certificate" } },
        { "type": "null" }
      ]
    },
    "suppressed": {
      "description": "Reports held back since the one before: the same again, or too many in a minute.",
      "type": "integer",
      "minimum": 0
    }
  },
  "required": [
    "schema",
    "time",
    "host",
    "port",
    "verdict",
    "rule",
    "policyDigest",
    "fileDigest",
    "revision",
    "violations",
    "reported",
    "servedChain",
    "validatedPath",
    "suppressed"
  ],
  "additionalProperties": false,
  "definitions": {
    "digest": { "type": "string", "pattern": "^sha256:[0-9a-f]{64}$" },
    "keyed": {
      "description": "HMAC-SHA-256 under a key of the program's.",
      "type": "string",
      "pattern": "^hmac-sha256:[0-9a-f]{64}$"
    },
    "instant": {
      "description": "RFC 3339, UTC, whole seconds.",
      "type": "string",
      "pattern": "^-?[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"
    },
    "revision": {
      "description": "A number as text, as JSON readers that take numbers for floating point lose digits.",
      "type": "string",
      "pattern": "^(0|[1-9][0-9]{0,19})$"
    },
    "base64": { "type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$" },
    "check": {
      "enum": [
        "host",
        "freshness",
        "rule",
        "cleartext",
        "end-entity",
        "tls",
        "evidence",
        "anchor",
        "anchor-constraints",
        "signatures",
        "algorithm-agreement",
        "validity",
        "basic-constraints",
        "path-length",
        "key-usage",
        "extended-key-usage",
        "name-constraints",
        "certificate-policies",
        "critical-extensions",
        "keys",
        "signature-algorithms",
        "lifetime",
        "standard",
        "forbidden-keys",
        "identity",
        "pins",
        "checks",
        "transparency",
        "revocation"
      ]
    },
    "place": {
      "description": "Where a demand is written, and which layer of LANGUAGE section 8 wrote it.",
      "type": "object",
      "properties": {
        "pointer": { "type": "string" },
        "layer": { "type": "string" },
        "file": { "type": "string" },
        "line": { "type": "integer", "minimum": 1 },
        "column": { "type": "integer", "minimum": 1 }
      },
      "required": ["pointer", "layer"],
      "additionalProperties": false
    },
    "certificate": {
      "type": "object",
      "properties": {
        "position": { "type": "integer", "minimum": -1 },
        "origin": {
          "oneOf": [
            {
              "type": "object",
              "properties": {
                "kind": { "const": "presented" },
                "index": { "type": "integer", "minimum": 0 }
              },
              "required": ["kind", "index"],
              "additionalProperties": false
            },
            {
              "type": "object",
              "properties": {
                "kind": { "enum": ["offered", "anchor"] },
                "set": { "type": "string" }
              },
              "required": ["kind", "set"],
              "additionalProperties": false
            }
          ]
        },
        "subject": { "type": "string" },
        "fingerprint": { "$ref": "#/definitions/digest" }
      },
      "required": ["position", "origin", "subject", "fingerprint"],
      "additionalProperties": false
    },
    "violation": {
      "type": "object",
      "properties": {
        "id": { "type": "string" },
        "check": { "$ref": "#/definitions/check" },
        "summary": {
          "description": "Both sides in one line; absent where host or chain are redacted, as sentences quote them.",
          "type": "string"
        },
        "forEndUser": {
          "description": "For whoever sits before the program; absent likewise.",
          "type": "string"
        },
        "citation": { "type": "string" },
        "place": {
          "description": "Where the demand is written; null where the standard makes it.",
          "oneOf": [{ "$ref": "#/definitions/place" }, { "type": "null" }]
        },
        "fields": {
          "description": "What `trace.schema.json` has besides for a violation of this id; of a redacted report at most `cause`.",
          "type": "object"
        }
      },
      "required": ["id", "check", "citation", "place", "fields"],
      "additionalProperties": false
    }
  }
}

"""#
    }
}
