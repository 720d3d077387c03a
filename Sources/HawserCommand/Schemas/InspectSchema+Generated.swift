// Made by `swift run generate-tables` from grammar/inspect.schema.json. Do not edit.
// swift-format-ignore-file

extension PrintedSchema {
    /// grammar/inspect.schema.json, octet by octet.
    static var inspectText: String {
        #"""
{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "$id": "hawser/inspect/1",
  "title": "hawser inspect --format json",
  "description": "What a table file holds. Texts of policies and certificates are raw: whoever shows them must escape them.",
  "type": "object",
  "properties": {
    "schema": {
      "const": "hawser/inspect/1"
    },
    "policyDigest": {
      "$ref": "#/definitions/digest"
    },
    "fileDigest": {
      "$ref": "#/definitions/digest"
    },
    "octets": {
      "type": "integer",
      "minimum": 0
    },
    "provenance": {
      "description": "Whether places in policy files are kept.",
      "type": "boolean"
    },
    "revision": {
      "description": "The revision that the envelope gives the table; null for a bare table. Decimal, as it may have 64 bits.",
      "oneOf": [
        {
          "type": "string",
          "pattern": "^(0|[1-9][0-9]*)$"
        },
        {
          "type": "null"
        }
      ]
    },
    "signatures": {
      "description": "By key id, ascending. One is verified where its key was given as a trusted one.",
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "key": {
            "$ref": "#/definitions/digest"
          },
          "verified": {
            "type": "boolean"
          }
        },
        "required": [
          "key",
          "verified"
        ],
        "additionalProperties": false
      }
    },
    "default": {
      "oneOf": [
        {
          "const": "deny"
        },
        {
          "type": "object",
          "properties": {
            "anchors": {
              "type": "array",
              "items": {
                "type": "string"
              }
            },
            "pins": {
              "type": "array",
              "items": {
                "type": "string"
              }
            },
            "profile": {
              "type": "string"
            },
            "owner": {
              "oneOf": [
                {
                  "type": "string"
                },
                {
                  "type": "null"
                }
              ]
            },
            "note": {
              "oneOf": [
                {
                  "type": "string"
                },
                {
                  "type": "null"
                }
              ]
            },
            "fields": {
              "type": "array",
              "items": {
                "$ref": "#/definitions/field"
              }
            }
          },
          "required": [
            "anchors",
            "pins",
            "profile",
            "owner",
            "note",
            "fields"
          ],
          "additionalProperties": false
        }
      ]
    },
    "rules": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "id": {
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
          "hosts": {
            "type": "array",
            "items": {
              "type": "string"
            },
            "minItems": 1
          },
          "anchors": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "pins": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "profile": {
            "type": "string"
          },
          "owner": {
            "oneOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ]
          },
          "note": {
            "oneOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ]
          },
          "fields": {
            "type": "array",
            "items": {
              "$ref": "#/definitions/field"
            }
          }
        },
        "required": [
          "id",
          "location",
          "hosts",
          "anchors",
          "pins",
          "profile",
          "owner",
          "note",
          "fields"
        ],
        "additionalProperties": false
      }
    },
    "anchorSets": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "id": {
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
          "owner": {
            "oneOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ]
          },
          "note": {
            "oneOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ]
          },
          "groups": {
            "description": "Members that are trusted on the same terms.",
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "system": {
                  "type": "boolean"
                },
                "kind": {
                  "enum": [
                    "root",
                    "intermediate",
                    "leaf"
                  ]
                },
                "standard": {
                  "enum": [
                    "rfc5280",
                    "web-pki"
                  ]
                },
                "ignoreLimits": {
                  "type": "array",
                  "items": {
                    "enum": [
                      "dates",
                      "name-constraints",
                      "key-purposes",
                      "path-length"
                    ]
                  }
                },
                "constraints": {
                  "description": "Each must be met.",
                  "type": "array",
                  "items": {
                    "$ref": "#/definitions/constraints"
                  }
                },
                "filters": {
                  "description": "What keeps and removes members of the machine's store, applied in turn.",
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": {
                      "only": {
                        "type": "array",
                        "items": {
                          "type": "string"
                        }
                      },
                      "exclude": {
                        "type": "array",
                        "items": {
                          "type": "string"
                        }
                      }
                    },
                    "additionalProperties": false
                  }
                },
                "members": {
                  "$ref": "#/definitions/certificates"
                }
              },
              "required": [
                "system",
                "kind",
                "standard",
                "ignoreLimits",
                "constraints",
                "filters",
                "members"
              ],
              "additionalProperties": false
            }
          },
          "intermediates": {
            "$ref": "#/definitions/certificates"
          }
        },
        "required": [
          "id",
          "location",
          "owner",
          "note",
          "groups",
          "intermediates"
        ],
        "additionalProperties": false
      }
    },
    "pinSets": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "id": {
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
          "match": {
            "type": "integer",
            "minimum": 1
          },
          "warnFrom": {
            "oneOf": [
              {
                "$ref": "#/definitions/instant"
              },
              {
                "type": "null"
              }
            ]
          },
          "enforceUntil": {
            "oneOf": [
              {
                "$ref": "#/definitions/instant"
              },
              {
                "type": "null"
              }
            ]
          },
          "onExpiry": {
            "enum": [
              "fail",
              "report",
              "unpinned"
            ]
          },
          "keys": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "id": {
                  "type": "string"
                },
                "at": {
                  "enum": [
                    "any",
                    "leaf",
                    "intermediate",
                    "anchor",
                    "ca"
                  ]
                },
                "digests": {
                  "type": "array",
                  "items": {
                    "type": "string"
                  },
                  "minItems": 1
                },
                "certificates": {
                  "$ref": "#/definitions/certificates"
                },
                "note": {
                  "oneOf": [
                    {
                      "type": "string"
                    },
                    {
                      "type": "null"
                    }
                  ]
                }
              },
              "required": [
                "id",
                "at",
                "digests",
                "certificates",
                "note"
              ],
              "additionalProperties": false
            },
            "minItems": 1
          },
          "backups": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "id": {
                  "type": "string"
                },
                "at": {
                  "enum": [
                    "any",
                    "leaf",
                    "intermediate",
                    "anchor",
                    "ca"
                  ]
                },
                "digests": {
                  "type": "array",
                  "items": {
                    "type": "string"
                  },
                  "minItems": 1
                },
                "certificates": {
                  "$ref": "#/definitions/certificates"
                },
                "note": {
                  "oneOf": [
                    {
                      "type": "string"
                    },
                    {
                      "type": "null"
                    }
                  ]
                }
              },
              "required": [
                "id",
                "at",
                "digests",
                "certificates",
                "note"
              ],
              "additionalProperties": false
            },
            "minItems": 1
          },
          "owner": {
            "oneOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ]
          },
          "note": {
            "oneOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ]
          }
        },
        "required": [
          "id",
          "location",
          "owner",
          "note",
          "match",
          "warnFrom",
          "enforceUntil",
          "onExpiry",
          "keys",
          "backups"
        ],
        "additionalProperties": false
      }
    },
    "logLists": {
      "description": "The log lists compiled in.",
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "digest": {
            "$ref": "#/definitions/digest"
          },
          "octets": {
            "type": "integer",
            "minimum": 0
          }
        },
        "required": [
          "digest",
          "octets"
        ],
        "additionalProperties": false
      }
    }
  },
  "required": [
    "schema",
    "policyDigest",
    "fileDigest",
    "octets",
    "provenance",
    "revision",
    "signatures",
    "default",
    "rules",
    "anchorSets",
    "pinSets",
    "logLists"
  ],
  "additionalProperties": false,
  "definitions": {
    "digest": {
      "type": "string",
      "pattern": "^sha(256|384|512):[0-9a-f]+$"
    },
    "instant": {
      "description": "RFC 3339, UTC, whole seconds.",
      "type": "string",
      "pattern": "^-?[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"
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
    "certificate": {
      "description": "A certificate: its subject and end, or why it cannot be read; and its digest.",
      "type": "object",
      "properties": {
        "subject": {
          "type": "string"
        },
        "not-after": {
          "$ref": "#/definitions/instant"
        },
        "unreadable": {
          "type": "string"
        },
        "certificate": {
          "$ref": "#/definitions/digest"
        }
      },
      "required": [
        "certificate"
      ],
      "additionalProperties": false
    },
    "certificates": {
      "type": "array",
      "items": {
        "$ref": "#/definitions/certificate"
      }
    },
    "field": {
      "description": "A field by its dotted name with the value that holds: a scalar, a list, an entry of a map, or null where nothing is demanded.",
      "type": "object",
      "properties": {
        "field": {
          "type": "string"
        },
        "value": {
          "type": [
            "string",
            "integer",
            "array",
            "object",
            "null"
          ]
        }
      },
      "required": [
        "field",
        "value"
      ],
      "additionalProperties": false
    },
    "window": {
      "description": "Both ends are inside.",
      "type": "object",
      "properties": {
        "from": {
          "$ref": "#/definitions/instant"
        },
        "until": {
          "$ref": "#/definitions/instant"
        }
      },
      "minProperties": 1,
      "additionalProperties": false
    },
    "constraints": {
      "description": "What the end entity must meet, by the keys of the language.",
      "type": "object",
      "properties": {
        "permitted-names": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "excluded-names": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "permitted-uris": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "not-before": {
          "$ref": "#/definitions/window"
        },
        "sct": {
          "$ref": "#/definitions/window"
        },
        "key-purposes": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "maximum-lifetime": {
          "type": "string"
        }
      },
      "additionalProperties": false
    }
  }
}

"""#
    }
}
