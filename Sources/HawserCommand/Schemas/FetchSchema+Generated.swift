// Made by `swift run generate-tables` from grammar/fetch.schema.json. Do not edit.
// swift-format-ignore-file

extension PrintedSchema {
    /// grammar/fetch.schema.json, octet by octet.
    static var fetchText: String {
        #"""
{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "$id": "hawser/fetch/1",
  "title": "hawser fetch --format json",
  "description": "What was fetched for a chain's verdict. Subjects, URLs and contexts come from strangers and are raw: whoever shows them must escape them.",
  "type": "object",
  "properties": {
    "schema": { "const": "hawser/fetch/1" },
    "host": { "description": "As judged.", "type": "string" },
    "port": { "type": "integer", "minimum": 0, "maximum": 65535 },
    "policyDigest": { "$ref": "#/definitions/digest" },
    "assumptions": {
      "description": "What the command assumed, each a sentence.",
      "type": "array",
      "items": { "type": "string" }
    },
    "complete": {
      "description": "Whether everything that the verdict wanted was had; the exit status says the same.",
      "type": "boolean"
    },
    "accept": { "description": "The verdict with what was fetched.", "type": "boolean" },
    "violations": {
      "description": "The ids of its violations, each once; empty for an accept.",
      "type": "array",
      "items": { "type": "string" }
    },
    "attempts": {
      "description": "Everything that was tried, in order; empty where nothing was wanted.",
      "type": "array",
      "items": { "oneOf": [{ "$ref": "#/definitions/had" }, { "$ref": "#/definitions/failed" }] }
    }
  },
  "required": [
    "schema", "host", "port", "policyDigest", "assumptions", "complete", "accept", "violations", "attempts"
  ],
  "additionalProperties": false,
  "definitions": {
    "digest": { "type": "string", "pattern": "^sha(256|384|512):[0-9a-f]+$" },
    "source": { "enum": ["ocsp", "crl"] },
    "had": {
      "description": "A piece of evidence that was had.",
      "type": "object",
      "properties": {
        "source": { "$ref": "#/definitions/source" },
        "url": { "type": "string" },
        "subject": { "description": "Of the certificate that it is about.", "type": "string" },
        "outcome": {
          "description": "`fetched` over the network; `kept` from an answer that served another certificate.",
          "enum": ["fetched", "kept"]
        },
        "octets": { "type": "integer", "minimum": 0 },
        "digest": { "$ref": "#/definitions/digest" },
        "file": { "description": "Its name in the folder of evidence.", "type": "string" }
      },
      "required": ["source", "url", "subject", "outcome", "octets", "digest", "file"],
      "additionalProperties": false
    },
    "failed": {
      "description": "A piece of evidence that could not be had.",
      "type": "object",
      "properties": {
        "source": { "$ref": "#/definitions/source" },
        "url": { "type": "string" },
        "subject": { "type": "string" },
        "outcome": { "enum": ["failed"] },
        "failure": {
          "enum": [
            "url-refused", "name-unknown", "address-refused", "connect-failed", "timed-out", "cut-short",
            "http-status", "wrong-type", "too-large", "malformed", "useless", "backed-off", "busy",
            "budget-spent"
          ]
        },
        "context": { "description": "What was found, for a person.", "type": "string" }
      },
      "required": ["source", "url", "subject", "outcome", "failure", "context"],
      "additionalProperties": false
    }
  }
}

"""#
    }
}
