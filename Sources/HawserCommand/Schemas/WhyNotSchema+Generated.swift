// Made by `swift run generate-tables` from grammar/why-not.schema.json. Do not edit.
// swift-format-ignore-file

extension PrintedSchema {
    /// grammar/why-not.schema.json, octet by octet.
    static var whyNotText: String {
        #"""
{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "$id": "hawser/why-not/1",
  "title": "hawser explain --why-not RULE --format json",
  "description": "Why a rule does not decide a host. Texts of policies are raw: whoever shows them must escape them.",
  "type": "object",
  "properties": {
    "schema": {
      "const": "hawser/why-not/1"
    },
    "host": {
      "description": "As judged.",
      "type": "string"
    },
    "port": {
      "type": "integer",
      "minimum": 0,
      "maximum": 65535
    },
    "policyDigest": {
      "$ref": "#/definitions/digest"
    },
    "assumptions": {
      "description": "What the command assumed, each a sentence.",
      "type": "array",
      "items": {
        "type": "string"
      }
    },
    "rule": {
      "description": "The rule asked about; empty for `default`.",
      "type": "string"
    },
    "location": {
      "oneOf": [
        {
          "$ref": "#/definitions/location"
        },
        {
          "type": "null"
        }
      ]
    },
    "outcome": {
      "description": "`decides`: it does decide. `loses`: a pattern of it covers the host, and another decides; for `default`, some pattern matches. `other-port`: it covers the host on other ports. `no-match`: no pattern of it covers the host.",
      "enum": [
        "decides",
        "loses",
        "other-port",
        "no-match"
      ]
    },
    "clause": {
      "description": "Why the pattern that decides comes first (LANGUAGE section 11.4), where a pattern loses.",
      "enum": [
        "exact-wins",
        "more-labels-win",
        "one-label-wins",
        "longer-prefix-wins",
        "port-wins",
        null
      ]
    },
    "patterns": {
      "description": "Of the rule asked about: the pattern that decides or loses, those for other ports, or the one that comes nearest. Empty for `default`.",
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "pattern": {
            "type": "string"
          },
          "location": {
            "oneOf": [
              {
                "$ref": "#/definitions/location"
              },
              {
                "type": "null"
              }
            ]
          },
          "difference": {
            "oneOf": [
              {
                "$ref": "#/definitions/difference"
              },
              {
                "type": "null"
              }
            ]
          }
        },
        "required": [
          "pattern",
          "location",
          "difference"
        ],
        "additionalProperties": false
      }
    },
    "decides": {
      "description": "What decides the host.",
      "type": "object",
      "properties": {
        "rule": {
          "description": "Empty for `default`.",
          "type": "string"
        },
        "denied": {
          "description": "Whether that is `default: deny`.",
          "type": "boolean"
        },
        "pattern": {
          "oneOf": [
            {
              "type": "string"
            },
            {
              "type": "null"
            }
          ]
        },
        "location": {
          "oneOf": [
            {
              "$ref": "#/definitions/location"
            },
            {
              "type": "null"
            }
          ]
        }
      },
      "required": [
        "rule",
        "denied",
        "pattern",
        "location"
      ],
      "additionalProperties": false
    },
    "repairs": {
      "description": "What would let the rule decide, each a sentence.",
      "type": "array",
      "items": {
        "type": "string"
      }
    }
  },
  "required": [
    "schema",
    "host",
    "port",
    "policyDigest",
    "assumptions",
    "rule",
    "location",
    "outcome",
    "clause",
    "patterns",
    "decides",
    "repairs"
  ],
  "additionalProperties": false,
  "definitions": {
    "digest": {
      "type": "string",
      "pattern": "^sha(256|384|512):[0-9a-f]+$"
    },
    "location": {
      "type": "object",
      "properties": {
        "file": {
          "type": "string"
        },
        "line": {
          "type": "integer",
          "minimum": 1
        },
        "column": {
          "type": "integer",
          "minimum": 1
        }
      },
      "required": [
        "file",
        "line",
        "column"
      ],
      "additionalProperties": false
    },
    "difference": {
      "description": "What keeps a pattern from covering the host.",
      "type": "object",
      "properties": {
        "id": {
          "enum": [
            "label",
            "apex",
            "several-labels",
            "below",
            "above",
            "other-address",
            "outside",
            "other-family",
            "other-kind",
            "port"
          ]
        },
        "summary": {
          "type": "string"
        },
        "pattern": {
          "description": "`label`: the first label from the right that differs, in the pattern.",
          "type": "string"
        },
        "host": {
          "description": "`label`: the same label of the host.",
          "type": "string"
        },
        "base": {
          "description": "`apex`, `several-labels`: what follows the wildcard.",
          "type": "string"
        },
        "before": {
          "description": "`several-labels`: labels of the host before the base.",
          "type": "integer",
          "minimum": 2
        },
        "labels": {
          "description": "`below`: what the host has before the pattern's name. `above`: what the pattern has before the host's.",
          "type": "string"
        },
        "first": {
          "description": "`outside`: the first address of the network.",
          "type": "string"
        },
        "last": {
          "description": "`outside`: the last address of the network.",
          "type": "string"
        },
        "port": {
          "description": "`port`: the port that the pattern is for.",
          "type": "integer",
          "minimum": 1,
          "maximum": 65535
        }
      },
      "required": [
        "id",
        "summary"
      ],
      "additionalProperties": false
    }
  }
}

"""#
    }
}
