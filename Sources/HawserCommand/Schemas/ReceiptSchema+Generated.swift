// Made by `swift run generate-tables` from grammar/receipt.schema.json. Do not edit.
// swift-format-ignore-file

extension PrintedSchema {
    /// grammar/receipt.schema.json, octet by octet.
    static var receiptText: String {
        #"""
{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "$id": "hawser/receipt/1",
  "title": "A decision receipt",
  "description": "One decision, so that `hawser explain --receipt` makes it again: what judged, what was asked, the verdict, and the mark of its trace. A file of receipts has one in each line. Hosts and names of TLS parameters come from strangers and are raw: whoever shows them must escape them.",
  "type": "object",
  "properties": {
    "schema": { "const": "hawser/receipt/1" },
    "table": {
      "description": "What judged.",
      "type": "object",
      "properties": {
        "policyDigest": {
          "description": "Of the policy's meaning.",
          "$ref": "#/definitions/digest"
        },
        "fileDigest": {
          "description": "Of the table's octets; tables of one meaning may differ in it.",
          "$ref": "#/definitions/digest"
        },
        "systemStoreDigest": {
          "description": "Null where the policy does not name `system`.",
          "oneOf": [{ "$ref": "#/definitions/digest" }, { "type": "null" }]
        },
        "logListDigest": {
          "description": "Of the log list of the rule that decided; null where it has none.",
          "oneOf": [{ "$ref": "#/definitions/digest" }, { "type": "null" }]
        },
        "revision": {
          "description": "Null where the table came without one.",
          "oneOf": [{ "$ref": "#/definitions/revision" }, { "type": "null" }]
        },
        "freshness": {
          "description": "Until when the table was fresh, and what happened afterwards; null where it never becomes stale.",
          "oneOf": [
            {
              "type": "object",
              "properties": {
                "confirmed": {
                  "description": "When its source last said that it is the newest.",
                  "$ref": "#/definitions/instant"
                },
                "until": { "$ref": "#/definitions/instant" },
                "whenStale": { "enum": ["reject", "notice"] }
              },
              "required": ["confirmed", "until", "whenStale"],
              "additionalProperties": false
            },
            { "type": "null" }
          ]
        }
      },
      "required": [
        "policyDigest",
        "fileDigest",
        "systemStoreDigest",
        "logListDigest",
        "revision",
        "freshness"
      ],
      "additionalProperties": false
    },
    "request": {
      "description": "What was asked.",
      "type": "object",
      "properties": {
        "host": {
          "description": "Null where it is redacted without a key.",
          "oneOf": [
            {
              "type": "object",
              "properties": {
                "text": { "description": "As it was asked for, raw.", "type": "string" }
              },
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
        "time": { "$ref": "#/definitions/instant" },
        "tls": {
          "description": "What was known of the connection's parameters, as traces have it.",
          "oneOf": [
            {
              "type": "object",
              "properties": {
                "state": { "enum": ["observed", "assumed"] },
                "version": { "oneOf": [{ "$ref": "#/definitions/tlsVersion" }, { "type": "null" }] },
                "cipherSuite": { "oneOf": [{ "type": "string" }, { "type": "null" }] },
                "group": { "oneOf": [{ "type": "string" }, { "type": "null" }] },
                "signatureScheme": { "oneOf": [{ "type": "string" }, { "type": "null" }] },
                "alpn": { "oneOf": [{ "type": "string" }, { "type": "null" }] }
              },
              "required": ["state", "version", "cipherSuite", "group", "signatureScheme", "alpn"],
              "additionalProperties": false
            },
            {
              "type": "object",
              "properties": {
                "state": { "const": "enforced" },
                "rule": { "type": "string" },
                "policyDigest": { "$ref": "#/definitions/digest" },
                "version": { "oneOf": [{ "$ref": "#/definitions/tlsVersion" }, { "type": "null" }] },
                "cipherSuite": { "oneOf": [{ "type": "string" }, { "type": "null" }] },
                "group": { "oneOf": [{ "type": "string" }, { "type": "null" }] },
                "signatureScheme": { "oneOf": [{ "type": "string" }, { "type": "null" }] },
                "alpn": { "oneOf": [{ "type": "string" }, { "type": "null" }] }
              },
              "required": [
                "state",
                "rule",
                "policyDigest",
                "version",
                "cipherSuite",
                "group",
                "signatureScheme",
                "alpn"
              ],
              "additionalProperties": false
            },
            {
              "type": "object",
              "properties": { "state": { "enum": ["not-supplied", "cleartext"] } },
              "required": ["state"],
              "additionalProperties": false
            }
          ]
        },
        "chain": {
          "description": "SHA-256 of each presented certificate, wire order; null where it is redacted.",
          "oneOf": [
            { "type": "array", "items": { "$ref": "#/definitions/digest" } },
            { "type": "null" }
          ]
        },
        "evidence": {
          "description": "Each piece in the order in which a request holds it; null where the chain is redacted.",
          "oneOf": [
            { "type": "array", "items": { "$ref": "#/definitions/piece" } },
            { "type": "null" }
          ]
        }
      },
      "required": ["host", "port", "time", "tls", "chain", "evidence"],
      "additionalProperties": false
    },
    "verdict": { "enum": ["accept", "reject"] },
    "violations": {
      "description": "Ids, in the verdict's order; empty for an accept and never for a reject.",
      "type": "array",
      "items": { "type": "string" }
    },
    "reported": {
      "description": "What failed on the accepted path and did not reject; empty for a reject.",
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "violation": { "description": "Its id.", "type": "string" },
          "reason": { "enum": ["waived", "report-only"] }
        },
        "required": ["violation", "reason"],
        "additionalProperties": false
      }
    },
    "trace": {
      "description": "Digest of the trace's canonical JSON: `{\"schema\":\"hawser/trace/1\",\"steps\":[…]}` in one line, steps as `trace.schema.json` has them without `summary`, `forEndUser`, `citation`, `demand`, `location` and `layer`. Keyed where the host is; null where something is redacted without a key.",
      "oneOf": [
        { "$ref": "#/definitions/digest" },
        { "$ref": "#/definitions/keyed" },
        { "type": "null" }
      ]
    },
    "inputs": {
      "description": "The inputs themselves, base64 (RFC 4648 section 4). Only in a self-contained receipt.",
      "type": "object",
      "properties": {
        "chain": {
          "description": "DER, as many as the digests of `request.chain`.",
          "type": "array",
          "items": { "$ref": "#/definitions/base64" }
        },
        "evidence": {
          "description": "As many as the digests of `request.evidence`; null for a CRL of a revocation set.",
          "type": "array",
          "items": { "oneOf": [{ "$ref": "#/definitions/base64" }, { "type": "null" }] }
        }
      },
      "required": ["chain", "evidence"],
      "additionalProperties": false
    }
  },
  "required": ["schema", "table", "request", "verdict", "violations", "reported", "trace"],
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
    "tlsVersion": { "enum": ["tls1.0", "tls1.1", "tls1.2", "tls1.3"] },
    "revision": {
      "description": "A number as text, as JSON readers that take numbers for floating point lose digits.",
      "type": "string",
      "pattern": "^(0|[1-9][0-9]{0,19})$"
    },
    "base64": { "type": "string", "pattern": "^[A-Za-z0-9+/]*={0,2}$" },
    "piece": {
      "type": "object",
      "properties": {
        "kind": {
          "description": "How it was handed over: in the handshake (`staple`, `sct-list`), prepared (`prepared-…`, `…-unverified` where no signature was verified then, and `revocation-set` for a CRL of one, whose digest it then is), or as received (`ocsp`, `crl`).",
          "enum": [
            "staple",
            "prepared-ocsp",
            "prepared-crl",
            "prepared-ocsp-unverified",
            "prepared-crl-unverified",
            "revocation-set",
            "ocsp",
            "crl",
            "sct-list"
          ]
        },
        "digest": { "$ref": "#/definitions/digest" }
      },
      "required": ["kind", "digest"],
      "additionalProperties": false
    }
  }
}

"""#
    }
}
