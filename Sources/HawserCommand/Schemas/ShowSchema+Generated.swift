// Made by `swift run generate-tables` from grammar/show.schema.json. Do not edit.
// swift-format-ignore-file

extension PrintedSchema {
    /// grammar/show.schema.json, octet by octet.
    static var showText: String {
        #"""
{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "$id": "hawser/show/1",
  "title": "hawser show --format json",
  "description": "The rule that a host gets, `default`, or a profile, flattened. Texts of policies are raw: whoever shows them must escape them.",
  "type": "object",
  "properties": {
    "schema": {
      "const": "hawser/show/1"
    },
    "host": {
      "description": "As judged; absent for `--default` and `--profile`.",
      "type": "string"
    },
    "port": {
      "type": "integer",
      "minimum": 0,
      "maximum": 65535
    },
    "rule": {
      "description": "Id of the rule that decides; empty for `default`, absent for a profile.",
      "type": "string"
    },
    "profile": {
      "description": "The profile asked for.",
      "type": "string"
    },
    "denied": {
      "description": "Whether no pattern matches and `default` is `deny`; then there are no fields.",
      "type": "boolean"
    },
    "policyDigest": {
      "description": "Null for a profile, which no table holds.",
      "oneOf": [
        {
          "$ref": "#/definitions/digest"
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
    },
    "layers": {
      "description": "The profiles that fields are looked up in after the rule itself, nearest first.",
      "type": "array",
      "items": {
        "type": "string"
      }
    },
    "patterns": {
      "description": "Every pattern that matches, the winner first.",
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "pattern": {
            "type": "string"
          },
          "rule": {
            "type": "string"
          },
          "outcome": {
            "enum": [
              "selected",
              "exact-wins",
              "more-labels-win",
              "one-label-wins",
              "longer-prefix-wins",
              "port-wins"
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
          "pattern",
          "rule",
          "outcome",
          "location"
        ],
        "additionalProperties": false
      }
    },
    "fields": {
      "description": "In the order of the language. The members of an anchor set share one name; every other name is there once.",
      "type": "array",
      "items": {
        "$ref": "#/definitions/field"
      }
    }
  },
  "required": [
    "schema",
    "policyDigest",
    "location",
    "layers",
    "patterns",
    "fields"
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
    "field": {
      "type": "object",
      "properties": {
        "field": {
          "description": "Dotted: `keys.rsa-minimum`, `pins.acme.keys.issuing`.",
          "type": "string"
        },
        "value": {
          "description": "A scalar, a list, an entry of a map, or null where nothing is demanded.",
          "type": [
            "string",
            "integer",
            "array",
            "object",
            "null"
          ]
        },
        "remark": {
          "description": "What a reader of the value has to know besides.",
          "type": "string"
        },
        "place": {
          "$ref": "#/definitions/place"
        }
      },
      "required": [
        "field",
        "value",
        "place"
      ],
      "additionalProperties": false
    },
    "place": {
      "description": "The layer that wrote a field, and where.",
      "type": "object",
      "properties": {
        "layer": {
          "description": "`rule`, `profile ID`, `built-in ID`, `anchors ID` or `pins ID` for what stands in that set, `default` where nobody writes the field and the language says what holds, `unknown` where the table carries no provenance.",
          "type": "string",
          "pattern": "^(rule|default|unknown|(profile|built-in|anchors|pins) [a-z][a-z0-9-]*)$"
        },
        "extendedBy": {
          "description": "The profile through which the rule comes to this one.",
          "type": "string"
        },
        "by": {
          "description": "The key that stands for the field where the field itself is not written, such as `revocation.preset`.",
          "type": "string"
        },
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
        "layer"
      ],
      "additionalProperties": false
    }
  }
}

"""#
    }
}
