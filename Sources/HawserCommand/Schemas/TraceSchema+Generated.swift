// Made by `swift run generate-tables` from grammar/trace.schema.json. Do not edit.
// swift-format-ignore-file

extension PrintedSchema {
    /// grammar/trace.schema.json, octet by octet.
    static var traceText: String {
        #"""
{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "$id": "hawser/explain/1",
  "title": "hawser explain --format json",
  "description": "A verdict, its typed reasons, and every step that it follows from. Texts of certificates and hosts are raw: whoever shows them must escape them.",
  "type": "object",
  "properties": {
    "schema": {
      "const": "hawser/explain/1"
    },
    "verdict": {
      "enum": [
        "accept",
        "reject"
      ]
    },
    "policyDigest": {
      "$ref": "#/definitions/digest"
    },
    "systemStoreDigest": {
      "oneOf": [
        {
          "$ref": "#/definitions/digest"
        },
        {
          "type": "null"
        }
      ]
    },
    "logListDigest": {
      "$ref": "#/definitions/digest"
    },
    "replay": {
      "description": "What became of the receipt that asked for it; only with `--receipt`.",
      "type": "object",
      "properties": {
        "line": {
          "description": "Where the receipt stands in its file.",
          "type": "integer",
          "minimum": 1
        },
        "same": {
          "description": "Whether nothing that was compared differs.",
          "type": "boolean"
        },
        "differences": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "what": {
                "enum": [
                  "verdict",
                  "violations",
                  "reported",
                  "trace"
                ]
              },
              "recorded": {
                "type": "array",
                "items": {
                  "type": "string"
                }
              },
              "replayed": {
                "type": "array",
                "items": {
                  "type": "string"
                }
              }
            },
            "required": [
              "what",
              "recorded",
              "replayed"
            ],
            "additionalProperties": false
          }
        },
        "notCompared": {
          "description": "What the receipt has redacted.",
          "type": "array",
          "items": {
            "enum": [
              "host",
              "port",
              "chain",
              "trace"
            ]
          }
        }
      },
      "required": [
        "line",
        "same",
        "differences",
        "notCompared"
      ],
      "additionalProperties": false
    },
    "assumptions": {
      "description": "What the caller assumed, such as the port or the time.",
      "type": "array",
      "items": {
        "type": "string"
      }
    },
    "violations": {
      "description": "Empty for an accept: of the request itself, then of the best-ranked path.",
      "type": "array",
      "items": {
        "$ref": "#/definitions/violation"
      }
    },
    "path": {
      "description": "The accepted path, end entity first; empty for a reject.",
      "type": "array",
      "items": {
        "$ref": "#/definitions/certificate"
      }
    },
    "reported": {
      "description": "Failures that a waiver or a report mode let through.",
      "type": "array",
      "items": {
        "$ref": "#/definitions/reported"
      }
    },
    "notices": {
      "type": "array",
      "items": {
        "$ref": "#/definitions/notice"
      }
    },
    "wanted": {
      "description": "Evidence to fetch before asking again; empty where none could change the verdict.",
      "type": "array",
      "items": {
        "$ref": "#/definitions/wantedEvidence"
      }
    },
    "repairs": {
      "description": "What would change a reject, with lines of policy where they let the asked host alone pass.",
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "text": {
            "type": "string"
          },
          "snippet": {
            "type": "array",
            "items": {
              "type": "string"
            }
          }
        },
        "required": [
          "text",
          "snippet"
        ],
        "additionalProperties": false
      }
    },
    "steps": {
      "description": "In the order in which they happened; they suffice to recompute the verdict.",
      "type": "array",
      "items": {
        "$ref": "#/definitions/step"
      },
      "minItems": 1
    }
  },
  "required": [
    "schema",
    "verdict",
    "policyDigest",
    "systemStoreDigest",
    "assumptions",
    "violations",
    "path",
    "reported",
    "notices",
    "wanted",
    "repairs",
    "steps"
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
    "tlsVersion": {
      "enum": [
        "tls1.0",
        "tls1.1",
        "tls1.2",
        "tls1.3"
      ]
    },
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
    "location": {
      "description": "A place in a policy file, relative to the unit; columns count characters.",
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
    "place": {
      "description": "Where a demand is written, and which layer of LANGUAGE section 8 wrote it.",
      "type": "object",
      "properties": {
        "pointer": {
          "type": "string"
        },
        "layer": {
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
        "pointer",
        "layer"
      ],
      "additionalProperties": false
    },
    "certificate": {
      "type": "object",
      "properties": {
        "position": {
          "type": "integer",
          "minimum": -1
        },
        "origin": {
          "oneOf": [
            {
              "type": "object",
              "properties": {
                "kind": {
                  "const": "presented"
                },
                "index": {
                  "type": "integer",
                  "minimum": 0
                }
              },
              "required": [
                "kind",
                "index"
              ],
              "additionalProperties": false
            },
            {
              "type": "object",
              "properties": {
                "kind": {
                  "enum": [
                    "offered",
                    "anchor"
                  ]
                },
                "set": {
                  "type": "string"
                }
              },
              "required": [
                "kind",
                "set"
              ],
              "additionalProperties": false
            }
          ]
        },
        "subject": {
          "type": "string"
        },
        "fingerprint": {
          "$ref": "#/definitions/digest"
        }
      },
      "required": [
        "position",
        "origin",
        "subject",
        "fingerprint"
      ],
      "additionalProperties": false
    },
    "notice": {
      "oneOf": [
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "pin-ageing"
            },
            "summary": {
              "type": "string"
            },
            "set": {
              "type": "string"
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
            }
          },
          "required": [
            "id",
            "summary",
            "set",
            "enforceUntil"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "pin-overdue"
            },
            "summary": {
              "type": "string"
            },
            "set": {
              "type": "string"
            },
            "enforceUntil": {
              "$ref": "#/definitions/instant"
            }
          },
          "required": [
            "id",
            "summary",
            "set",
            "enforceUntil"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "table-stale"
            },
            "summary": {
              "type": "string"
            },
            "confirmed": {
              "$ref": "#/definitions/instant"
            },
            "until": {
              "$ref": "#/definitions/instant"
            }
          },
          "required": [
            "id",
            "summary",
            "confirmed",
            "until"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "enum": [
                "tls-assumed",
                "search-incomplete"
              ]
            },
            "summary": {
              "type": "string"
            }
          },
          "required": [
            "id",
            "summary"
          ],
          "additionalProperties": false
        }
      ]
    },
    "reported": {
      "oneOf": [
        {
          "type": "object",
          "properties": {
            "violation": {
              "$ref": "#/definitions/violation"
            },
            "reason": {
              "const": "waived"
            },
            "until": {
              "$ref": "#/definitions/instant"
            }
          },
          "required": [
            "violation",
            "reason",
            "until"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "violation": {
              "$ref": "#/definitions/violation"
            },
            "reason": {
              "const": "report-only"
            },
            "until": {
              "$ref": "#/definitions/instant"
            }
          },
          "required": [
            "violation",
            "reason"
          ],
          "additionalProperties": false
        }
      ]
    },
    "found": {
      "description": "What made a check pass.",
      "oneOf": [
        {
          "type": "object",
          "properties": {
            "wanted": {
              "type": "string"
            },
            "presented": {
              "type": "string"
            }
          },
          "required": [
            "wanted",
            "presented"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "pins": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "set": {
                    "type": "string"
                  },
                  "entry": {
                    "type": "string"
                  },
                  "backup": {
                    "type": "boolean"
                  },
                  "position": {
                    "type": "integer",
                    "minimum": 0
                  }
                },
                "required": [
                  "set",
                  "entry",
                  "backup",
                  "position"
                ],
                "additionalProperties": false
              }
            }
          },
          "required": [
            "pins"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "maximum": {
              "type": "integer",
              "minimum": 0
            },
            "actual": {
              "type": "integer",
              "minimum": 0
            }
          },
          "required": [
            "maximum",
            "actual"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "wanted": {
              "type": "array",
              "items": {
                "type": "string"
              }
            },
            "allowed": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "wanted",
            "allowed"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "types": {
              "type": "array",
              "items": {
                "type": "string"
              }
            },
            "rsaMinimum": {
              "type": "integer",
              "minimum": 0
            },
            "found": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "types",
            "rsaMinimum",
            "found"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "minimumHash": {
              "type": "string"
            },
            "schemes": {
              "type": "array",
              "items": {
                "type": "string"
              }
            },
            "found": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "minimumHash",
            "schemes",
            "found"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "maximumSeconds": {
              "type": "integer",
              "minimum": 0
            },
            "seconds": {
              "type": "integer"
            }
          },
          "required": [
            "maximumSeconds",
            "seconds"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "notBefore": {
              "$ref": "#/definitions/instant"
            },
            "notAfter": {
              "$ref": "#/definitions/instant"
            }
          },
          "required": [
            "notBefore",
            "notAfter"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "verified": {
              "type": "integer",
              "minimum": 0
            }
          },
          "required": [
            "verified"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "set": {
              "type": "string"
            }
          },
          "required": [
            "set"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "version": {
              "$ref": "#/definitions/tlsVersion"
            },
            "minimumVersion": {
              "$ref": "#/definitions/tlsVersion"
            },
            "maximumVersion": {
              "$ref": "#/definitions/tlsVersion"
            },
            "parameters": {
              "type": "array",
              "minItems": 1,
              "items": {
                "type": "object",
                "properties": {
                  "parameter": {
                    "enum": [
                      "forward-secrecy",
                      "cipher-suite",
                      "group",
                      "signature-scheme",
                      "alpn"
                    ]
                  },
                  "found": {
                    "type": "string"
                  },
                  "allowed": {
                    "type": "array",
                    "items": {
                      "type": "string"
                    }
                  }
                },
                "required": [
                  "parameter",
                  "found",
                  "allowed"
                ],
                "additionalProperties": false
              }
            }
          },
          "required": [
            "version",
            "minimumVersion",
            "maximumVersion"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "set": {
              "type": "string"
            },
            "constraints": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "set",
            "constraints"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "forbidden": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "forbidden"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "wantedPolicies": {
              "type": "array",
              "items": {
                "type": "string"
              }
            },
            "foundPolicies": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "wantedPolicies",
            "foundPolicies"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "checks": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "checks"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "exemptSet": {
              "type": "string"
            }
          },
          "required": [
            "exemptSet"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "transparency": {
              "type": "object",
              "properties": {
                "preset": {
                  "enum": [
                    "chrome",
                    "apple"
                  ]
                },
                "criteria": {
                  "type": "array",
                  "items": {
                    "$ref": "#/definitions/transparencyCriterion"
                  }
                },
                "timestamps": {
                  "type": "array",
                  "items": {
                    "$ref": "#/definitions/timestamp"
                  }
                },
                "unread": {
                  "type": "integer"
                },
                "logList": {
                  "$ref": "#/definitions/digest"
                },
                "logListIssued": {
                  "$ref": "#/definitions/instant"
                }
              },
              "required": [
                "preset",
                "criteria",
                "timestamps",
                "unread",
                "logList",
                "logListIssued"
              ],
              "additionalProperties": false
            }
          },
          "required": [
            "transparency"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "revocation": {
              "type": "array",
              "items": {
                "oneOf": [
                  {
                    "type": "object",
                    "properties": {
                      "certificate": {
                        "$ref": "#/definitions/certificate"
                      },
                      "kind": {
                        "const": "good"
                      },
                      "source": {
                        "$ref": "#/definitions/revocationSource"
                      },
                      "answers": {
                        "type": "array",
                        "items": {
                          "$ref": "#/definitions/revocationAnswer"
                        }
                      }
                    },
                    "required": [
                      "certificate",
                      "kind",
                      "source",
                      "answers"
                    ],
                    "additionalProperties": false
                  },
                  {
                    "type": "object",
                    "properties": {
                      "certificate": {
                        "$ref": "#/definitions/certificate"
                      },
                      "kind": {
                        "const": "short-lived"
                      },
                      "answers": {
                        "type": "array",
                        "items": {
                          "$ref": "#/definitions/revocationAnswer"
                        }
                      }
                    },
                    "required": [
                      "certificate",
                      "kind",
                      "answers"
                    ],
                    "additionalProperties": false
                  },
                  {
                    "type": "object",
                    "properties": {
                      "certificate": {
                        "$ref": "#/definitions/certificate"
                      },
                      "kind": {
                        "const": "let-pass"
                      },
                      "cause": {
                        "$ref": "#/definitions/revocationCause"
                      },
                      "answers": {
                        "type": "array",
                        "items": {
                          "$ref": "#/definitions/revocationAnswer"
                        }
                      }
                    },
                    "required": [
                      "certificate",
                      "kind",
                      "cause",
                      "answers"
                    ],
                    "additionalProperties": false
                  }
                ]
              },
              "minItems": 1
            }
          },
          "required": [
            "revocation"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "evidence": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "source": {
                    "$ref": "#/definitions/revocationSource"
                  },
                  "digest": {
                    "$ref": "#/definitions/digest"
                  },
                  "problem": {
                    "oneOf": [
                      {
                        "type": "object",
                        "properties": {
                          "field": {
                            "type": "string"
                          },
                          "reason": {
                            "type": "string"
                          },
                          "offset": {
                            "type": "integer",
                            "minimum": 0
                          }
                        },
                        "required": [
                          "field",
                          "reason",
                          "offset"
                        ],
                        "additionalProperties": false
                      },
                      {
                        "type": "null"
                      }
                    ]
                  }
                },
                "required": [
                  "source",
                  "digest",
                  "problem"
                ],
                "additionalProperties": false
              },
              "minItems": 1
            }
          },
          "required": [
            "evidence"
          ],
          "additionalProperties": false
        }
      ]
    },
    "revocationSource": {
      "description": "How revocation evidence came.",
      "enum": [
        "stapled",
        "ocsp",
        "crl"
      ]
    },
    "revocationCause": {
      "description": "Why a status is not known, as `revocation.causes` names it.",
      "enum": [
        "unknown",
        "no-endpoint",
        "unreachable",
        "stale",
        "malformed",
        "not-covered"
      ]
    },
    "revocationAnswer": {
      "description": "What one piece of evidence says of one certificate.",
      "type": "object",
      "properties": {
        "source": {
          "$ref": "#/definitions/revocationSource"
        },
        "digest": {
          "$ref": "#/definitions/digest"
        },
        "thisUpdate": {
          "oneOf": [
            {
              "$ref": "#/definitions/instant"
            },
            {
              "type": "null"
            }
          ]
        },
        "nextUpdate": {
          "oneOf": [
            {
              "$ref": "#/definitions/instant"
            },
            {
              "type": "null"
            }
          ]
        },
        "finding": {
          "oneOf": [
            {
              "type": "object",
              "properties": {
                "kind": {
                  "const": "good"
                }
              },
              "required": [
                "kind"
              ],
              "additionalProperties": false
            },
            {
              "type": "object",
              "properties": {
                "kind": {
                  "const": "revoked"
                },
                "reason": {
                  "enum": [
                    "unspecified",
                    "keyCompromise",
                    "cACompromise",
                    "affiliationChanged",
                    "superseded",
                    "cessationOfOperation",
                    "certificateHold",
                    "removeFromCRL",
                    "privilegeWithdrawn",
                    "aACompromise"
                  ]
                },
                "date": {
                  "$ref": "#/definitions/instant"
                }
              },
              "required": [
                "kind",
                "reason",
                "date"
              ],
              "additionalProperties": false
            },
            {
              "type": "object",
              "properties": {
                "kind": {
                  "const": "unusable"
                },
                "problem": {
                  "enum": [
                    "unreadable",
                    "unknown-critical-extension",
                    "algorithm-mismatch",
                    "algorithm-not-allowed",
                    "bad-signature",
                    "signer-not-found",
                    "signer-no-crl-sign",
                    "signer-no-path",
                    "signer-not-delegated",
                    "signer-not-valid",
                    "signer-revoked",
                    "not-yet-valid",
                    "not-yet-produced",
                    "expired",
                    "too-old",
                    "other-certificate",
                    "other-scope",
                    "some-reasons-only",
                    "base-missing",
                    "unknown-to-responder",
                    "contradicted",
                    "responder-error"
                  ]
                },
                "cause": {
                  "$ref": "#/definitions/revocationCause"
                }
              },
              "required": [
                "kind",
                "problem",
                "cause"
              ],
              "additionalProperties": false
            }
          ]
        },
        "summary": {
          "type": "string"
        }
      },
      "required": [
        "source",
        "digest",
        "thisUpdate",
        "nextUpdate",
        "finding",
        "summary"
      ],
      "additionalProperties": false
    },
    "wantedEvidence": {
      "description": "Evidence that would have been used: where it is, and for which certificate.",
      "type": "object",
      "properties": {
        "source": {
          "enum": [
            "ocsp",
            "crl"
          ]
        },
        "url": {
          "type": "string"
        },
        "subject": {
          "type": "string"
        },
        "serial": {
          "description": "Content octets of the serial number, in hexadecimal.",
          "type": "string",
          "pattern": "^([0-9a-f]{2})+$"
        },
        "issuerKey": {
          "$ref": "#/definitions/digest"
        }
      },
      "required": [
        "source",
        "url",
        "subject",
        "serial",
        "issuerKey"
      ],
      "additionalProperties": false
    },
    "timestamp": {
      "type": "object",
      "properties": {
        "source": {
          "enum": [
            "embedded",
            "ocsp",
            "tls"
          ]
        },
        "logID": {
          "oneOf": [
            {
              "$ref": "#/definitions/digest"
            },
            {
              "type": "null"
            }
          ]
        },
        "log": {
          "type": [
            "string",
            "null"
          ]
        },
        "operator": {
          "type": [
            "string",
            "null"
          ]
        },
        "time": {
          "oneOf": [
            {
              "$ref": "#/definitions/instant"
            },
            {
              "type": "null"
            }
          ]
        },
        "standing": {
          "oneOf": [
            {
              "type": "object",
              "properties": {
                "kind": {
                  "const": "approved"
                }
              },
              "required": [
                "kind"
              ],
              "additionalProperties": false
            },
            {
              "type": "object",
              "properties": {
                "kind": {
                  "const": "once-approved"
                },
                "retired": {
                  "$ref": "#/definitions/instant"
                }
              },
              "required": [
                "kind",
                "retired"
              ],
              "additionalProperties": false
            },
            {
              "type": "object",
              "properties": {
                "kind": {
                  "const": "unusable"
                },
                "problem": {
                  "enum": [
                    "malformed",
                    "unknown-version",
                    "unknown-log",
                    "algorithm-not-allowed",
                    "bad-signature",
                    "issuer-unknown",
                    "in-future",
                    "log-not-approved",
                    "log-not-approved-yet",
                    "log-retired",
                    "outside-interval",
                    "no-leaf-index"
                  ]
                }
              },
              "required": [
                "kind",
                "problem"
              ],
              "additionalProperties": false
            }
          ]
        },
        "summary": {
          "type": "string"
        }
      },
      "required": [
        "source",
        "logID",
        "log",
        "operator",
        "time",
        "standing",
        "summary"
      ],
      "additionalProperties": false
    },
    "transparencyCriterion": {
      "type": "object",
      "properties": {
        "delivery": {
          "enum": [
            "embedded",
            "besides"
          ]
        },
        "met": {
          "type": "boolean"
        },
        "logs": {
          "type": "object",
          "properties": {
            "needed": {
              "type": "integer"
            },
            "found": {
              "type": "integer"
            }
          },
          "required": [
            "needed",
            "found"
          ],
          "additionalProperties": false
        },
        "operators": {
          "type": "object",
          "properties": {
            "needed": {
              "type": "integer"
            },
            "found": {
              "type": "integer"
            }
          },
          "required": [
            "needed",
            "found"
          ],
          "additionalProperties": false
        },
        "approvedLogs": {
          "type": "object",
          "properties": {
            "needed": {
              "type": "integer"
            },
            "found": {
              "type": "integer"
            }
          },
          "required": [
            "needed",
            "found"
          ],
          "additionalProperties": false
        },
        "rfc6962Logs": {
          "type": "object",
          "properties": {
            "needed": {
              "type": "integer"
            },
            "found": {
              "type": "integer"
            }
          },
          "required": [
            "needed",
            "found"
          ],
          "additionalProperties": false
        }
      },
      "required": [
        "delivery",
        "met",
        "logs",
        "operators",
        "approvedLogs",
        "rfc6962Logs"
      ],
      "additionalProperties": false
    },
    "violation": {
      "oneOf": [
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "bad-host"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "host": {
              "type": "string"
            },
            "problem": {
              "type": "string"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "host",
            "problem"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "no-applicable-rule"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "host": {
              "type": "string"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "host"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "nothing-presented"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "end-entity-unreadable"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "field": {
              "type": "string"
            },
            "reason": {
              "type": "string"
            },
            "offset": {
              "type": "integer",
              "minimum": 0
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "field",
            "reason",
            "offset"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "issuer-not-found"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "issuer": {
              "type": "string"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "issuer"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "self-signed-leaf"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "anchor-not-trusted"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "heldBy": {
              "type": "array",
              "items": {
                "type": "string"
              }
            },
            "anchors": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "heldBy",
            "anchors"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "anchor-constraint-not-met"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "set": {
              "type": "string"
            },
            "constraint": {
              "enum": [
                "permitted-names",
                "excluded-names",
                "permitted-uris"
              ]
            },
            "name": {
              "type": "string"
            },
            "patterns": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "set",
            "constraint",
            "name",
            "patterns"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "anchor-constraint-not-met"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "set": {
              "type": "string"
            },
            "constraint": {
              "enum": [
                "not-before"
              ]
            },
            "notBefore": {
              "$ref": "#/definitions/instant"
            },
            "from": {
              "oneOf": [
                {
                  "$ref": "#/definitions/instant"
                },
                {
                  "type": "null"
                }
              ]
            },
            "until": {
              "oneOf": [
                {
                  "$ref": "#/definitions/instant"
                },
                {
                  "type": "null"
                }
              ]
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "set",
            "constraint",
            "notBefore",
            "from",
            "until"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "anchor-constraint-not-met"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "set": {
              "type": "string"
            },
            "constraint": {
              "enum": [
                "sct"
              ]
            },
            "earliest": {
              "oneOf": [
                {
                  "$ref": "#/definitions/instant"
                },
                {
                  "type": "null"
                }
              ]
            },
            "from": {
              "oneOf": [
                {
                  "$ref": "#/definitions/instant"
                },
                {
                  "type": "null"
                }
              ]
            },
            "until": {
              "oneOf": [
                {
                  "$ref": "#/definitions/instant"
                },
                {
                  "type": "null"
                }
              ]
            },
            "timestamps": {
              "type": "array",
              "items": {
                "$ref": "#/definitions/timestamp"
              }
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "set",
            "constraint",
            "earliest",
            "from",
            "until",
            "timestamps"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "anchor-constraint-not-met"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "set": {
              "type": "string"
            },
            "constraint": {
              "enum": [
                "sct"
              ]
            },
            "logListIssued": {
              "$ref": "#/definitions/instant"
            },
            "time": {
              "$ref": "#/definitions/instant"
            },
            "maximumAgeSeconds": {
              "type": "integer"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "set",
            "constraint",
            "logListIssued",
            "time",
            "maximumAgeSeconds"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "anchor-constraint-not-met"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "set": {
              "type": "string"
            },
            "constraint": {
              "enum": [
                "key-purposes"
              ]
            },
            "wanted": {
              "type": "array",
              "items": {
                "type": "string"
              }
            },
            "allowed": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "set",
            "constraint",
            "wanted",
            "allowed"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "anchor-constraint-not-met"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "set": {
              "type": "string"
            },
            "constraint": {
              "enum": [
                "maximum-lifetime"
              ]
            },
            "seconds": {
              "type": "integer"
            },
            "maximumSeconds": {
              "type": "integer",
              "minimum": 0
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "set",
            "constraint",
            "seconds",
            "maximumSeconds"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "bad-signature"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "issuerCertificate": {
              "$ref": "#/definitions/certificate"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "issuerCertificate"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "unsupported-signature"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "issuerCertificate": {
              "$ref": "#/definitions/certificate"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "issuerCertificate"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "algorithm-mismatch"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "expired"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "notAfter": {
              "$ref": "#/definitions/instant"
            },
            "time": {
              "$ref": "#/definitions/instant"
            },
            "toleranceSeconds": {
              "type": "integer",
              "minimum": 0
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "notAfter",
            "time",
            "toleranceSeconds"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "not-yet-valid"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "notBefore": {
              "$ref": "#/definitions/instant"
            },
            "time": {
              "$ref": "#/definitions/instant"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "notBefore",
            "time"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "not-a-ca"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "path-length-exceeded"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "limit": {
              "type": "integer",
              "minimum": 0
            },
            "actual": {
              "type": "integer",
              "minimum": 0
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "limit",
            "actual"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "too-many-intermediates"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "limit": {
              "type": "integer",
              "minimum": 0
            },
            "actual": {
              "type": "integer",
              "minimum": 0
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "limit",
            "actual"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "key-usage-missing"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "wanted": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "wanted"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "purpose-not-allowed"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "wanted": {
              "type": "array",
              "items": {
                "type": "string"
              }
            },
            "allowed": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "wanted",
            "allowed"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "unknown-critical-extension"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "extensionID": {
              "type": "string"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "extensionID"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "name-not-permitted"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "name": {
              "type": "string"
            },
            "by": {
              "$ref": "#/definitions/certificate"
            },
            "subtree": {
              "type": "string"
            },
            "relation": {
              "enum": [
                "permitted",
                "excluded"
              ]
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "name",
            "by",
            "subtree",
            "relation"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "constraint-not-evaluated"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "problem": {
              "type": "string"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "problem"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "certificate-policy-not-satisfied"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "wanted": {
              "type": "array",
              "items": {
                "type": "string"
              }
            },
            "found": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "wanted",
            "found"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "key-type-not-allowed"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "type": {
              "type": "string"
            },
            "allowed": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "type",
            "allowed"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "key-too-small"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "bits": {
              "type": "integer",
              "minimum": 0
            },
            "minimum": {
              "type": "integer",
              "minimum": 0
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "bits",
            "minimum"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "hash-too-weak"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "hash": {
              "type": "string"
            },
            "minimumHash": {
              "type": "string"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "hash",
            "minimumHash"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "signature-scheme-not-allowed"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "scheme": {
              "type": "string"
            },
            "allowed": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "scheme",
            "allowed"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "lifetime-too-long"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "seconds": {
              "type": "integer"
            },
            "maximumSeconds": {
              "type": "integer",
              "minimum": 0
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "seconds",
            "maximumSeconds"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "enum": [
                "serial-not-positive",
                "serial-too-long",
                "subject-empty",
                "issuer-empty",
                "authority-key-identifier-critical",
                "authority-key-identifier-missing",
                "subject-key-identifier-critical",
                "subject-key-identifier-missing",
                "authority-info-access-critical",
                "cert-sign-without-ca",
                "name-constraints-without-ca",
                "policy-constraints-not-critical",
                "inhibit-any-policy-not-critical",
                "subject-alt-name-not-critical",
                "dns-name-syntax",
                "name-constraints-not-critical",
                "basic-constraints-not-critical",
                "version-not-3",
                "unique-identifier-present",
                "subject-alt-name-missing",
                "subject-alt-name-critical",
                "subject-alt-name-form",
                "wildcard-over-public-suffix",
                "common-name-not-presented",
                "end-entity-is-ca",
                "extended-key-usage-critical",
                "purpose-beside-server",
                "extended-key-usage-of-root",
                "key-usage-of-ca-missing",
                "authority-key-identifier-form",
                "authority-key-identifier-of-root",
                "key-outside-standard",
                "rsa-size-not-whole-octets"
              ]
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "demand": {
              "type": "string"
            },
            "found": {
              "type": "string"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "demand",
            "found"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "forbidden-key"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "entry": {
              "type": "string"
            },
            "digest": {
              "type": "string"
            },
            "from": {
              "oneOf": [
                {
                  "$ref": "#/definitions/instant"
                },
                {
                  "type": "null"
                }
              ]
            },
            "until": {
              "oneOf": [
                {
                  "$ref": "#/definitions/instant"
                },
                {
                  "type": "null"
                }
              ]
            },
            "issued": {
              "$ref": "#/definitions/instant"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "entry",
            "digest",
            "from",
            "until",
            "issued"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "name-mismatch"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "wanted": {
              "type": "array",
              "items": {
                "type": "string"
              }
            },
            "presented": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "wanted",
            "presented"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "pin-mismatch"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "set": {
              "type": "string"
            },
            "needed": {
              "type": "integer",
              "minimum": 0
            },
            "matched": {
              "type": "integer",
              "minimum": 0
            },
            "wantedPins": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "id": {
                    "type": "string"
                  },
                  "backup": {
                    "type": "boolean"
                  },
                  "at": {
                    "enum": [
                      "leaf",
                      "intermediate",
                      "anchor",
                      "ca",
                      "any"
                    ]
                  },
                  "digests": {
                    "type": "array",
                    "items": {
                      "type": "string"
                    }
                  },
                  "matched": {
                    "type": "boolean"
                  }
                },
                "required": [
                  "id",
                  "backup",
                  "at",
                  "digests",
                  "matched"
                ],
                "additionalProperties": false
              }
            },
            "foundKeys": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "certificate": {
                    "$ref": "#/definitions/certificate"
                  },
                  "spki": {
                    "type": "string"
                  }
                },
                "required": [
                  "certificate",
                  "spki"
                ],
                "additionalProperties": false
              }
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "set",
            "needed",
            "matched",
            "wantedPins",
            "foundKeys"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "check-failed"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "name": {
              "type": "string"
            },
            "reason": {
              "type": "string"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "name",
            "reason"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "cleartext"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "tls-not-supplied"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "parameter": {
              "type": "string"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "parameter"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "tls-version"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "version": {
              "$ref": "#/definitions/tlsVersion"
            },
            "minimumVersion": {
              "$ref": "#/definitions/tlsVersion"
            },
            "maximumVersion": {
              "$ref": "#/definitions/tlsVersion"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "version",
            "minimumVersion",
            "maximumVersion"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "tls-forward-secrecy"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "cipherSuite": {
              "type": "string"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "cipherSuite"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "tls-parameter"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "parameter": {
              "enum": [
                "cipher-suite",
                "group",
                "signature-scheme",
                "alpn"
              ]
            },
            "found": {
              "type": "string"
            },
            "allowed": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "parameter",
            "found",
            "allowed"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "revoked"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "answer": {
              "$ref": "#/definitions/revocationAnswer"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "answer"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "revocation-undetermined"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "cause": {
              "$ref": "#/definitions/revocationCause"
            },
            "answers": {
              "type": "array",
              "items": {
                "$ref": "#/definitions/revocationAnswer"
              }
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "cause",
            "answers"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "staple-missing"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "answers": {
              "type": "array",
              "items": {
                "$ref": "#/definitions/revocationAnswer"
              }
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "answers"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "transparency-not-met"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "certificate": {
              "$ref": "#/definitions/certificate"
            },
            "preset": {
              "enum": [
                "chrome",
                "apple"
              ]
            },
            "criteria": {
              "type": "array",
              "items": {
                "$ref": "#/definitions/transparencyCriterion"
              }
            },
            "timestamps": {
              "type": "array",
              "items": {
                "$ref": "#/definitions/timestamp"
              }
            },
            "unread": {
              "type": "integer"
            },
            "logList": {
              "$ref": "#/definitions/digest"
            },
            "logListIssued": {
              "$ref": "#/definitions/instant"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "certificate",
            "preset",
            "criteria",
            "timestamps",
            "unread",
            "logList",
            "logListIssued"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "table-stale"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "confirmed": {
              "$ref": "#/definitions/instant"
            },
            "until": {
              "$ref": "#/definitions/instant"
            },
            "time": {
              "$ref": "#/definitions/instant"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "confirmed",
            "until",
            "time"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "log-list-stale"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "logList": {
              "$ref": "#/definitions/digest"
            },
            "logListIssued": {
              "$ref": "#/definitions/instant"
            },
            "time": {
              "$ref": "#/definitions/instant"
            },
            "maximumAgeSeconds": {
              "type": "integer"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "logList",
            "logListIssued",
            "time",
            "maximumAgeSeconds"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "budget-exhausted"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "limit": {
              "type": "integer",
              "minimum": 0
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "limit"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "id": {
              "const": "engine-error"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "summary": {
              "type": "string"
            },
            "forEndUser": {
              "type": "string"
            },
            "citation": {
              "type": "string"
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            },
            "problem": {
              "type": "string"
            }
          },
          "required": [
            "id",
            "check",
            "summary",
            "forEndUser",
            "citation",
            "place",
            "problem"
          ],
          "additionalProperties": false
        }
      ]
    },
    "step": {
      "oneOf": [
        {
          "type": "object",
          "properties": {
            "step": {
              "const": "engine"
            },
            "policyDigest": {
              "$ref": "#/definitions/digest"
            },
            "systemStoreDigest": {
              "oneOf": [
                {
                  "$ref": "#/definitions/digest"
                },
                {
                  "type": "null"
                }
              ]
            },
            "freshness": {
              "description": "Until when the table is fresh; absent where it never is stale.",
              "type": "object",
              "properties": {
                "confirmed": {
                  "$ref": "#/definitions/instant"
                },
                "until": {
                  "$ref": "#/definitions/instant"
                },
                "whenStale": {
                  "enum": [
                    "reject",
                    "notice"
                  ]
                }
              },
              "required": [
                "confirmed",
                "until",
                "whenStale"
              ],
              "additionalProperties": false
            }
          },
          "required": [
            "step",
            "policyDigest",
            "systemStoreDigest"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "step": {
              "const": "request"
            },
            "host": {
              "type": "string"
            },
            "canonicalHost": {
              "oneOf": [
                {
                  "type": "string"
                },
                {
                  "type": "null"
                }
              ]
            },
            "port": {
              "type": "integer",
              "minimum": 0
            },
            "time": {
              "$ref": "#/definitions/instant"
            },
            "presented": {
              "type": "integer",
              "minimum": 0
            },
            "tls": {
              "oneOf": [
                {
                  "type": "object",
                  "properties": {
                    "state": {
                      "const": "observed"
                    },
                    "version": {
                      "oneOf": [
                        {
                          "$ref": "#/definitions/tlsVersion"
                        },
                        {
                          "type": "null"
                        }
                      ]
                    },
                    "cipherSuite": {
                      "oneOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ]
                    },
                    "group": {
                      "oneOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ]
                    },
                    "signatureScheme": {
                      "oneOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ]
                    },
                    "alpn": {
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
                    "state",
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
                  "properties": {
                    "state": {
                      "const": "enforced"
                    },
                    "rule": {
                      "type": "string"
                    },
                    "policyDigest": {
                      "$ref": "#/definitions/digest"
                    },
                    "version": {
                      "oneOf": [
                        {
                          "$ref": "#/definitions/tlsVersion"
                        },
                        {
                          "type": "null"
                        }
                      ]
                    },
                    "cipherSuite": {
                      "oneOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ]
                    },
                    "group": {
                      "oneOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ]
                    },
                    "signatureScheme": {
                      "oneOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ]
                    },
                    "alpn": {
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
                  "properties": {
                    "state": {
                      "const": "assumed"
                    },
                    "version": {
                      "oneOf": [
                        {
                          "$ref": "#/definitions/tlsVersion"
                        },
                        {
                          "type": "null"
                        }
                      ]
                    },
                    "cipherSuite": {
                      "oneOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ]
                    },
                    "group": {
                      "oneOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ]
                    },
                    "signatureScheme": {
                      "oneOf": [
                        {
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ]
                    },
                    "alpn": {
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
                    "state",
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
                  "properties": {
                    "state": {
                      "const": "not-supplied"
                    }
                  },
                  "required": [
                    "state"
                  ],
                  "additionalProperties": false
                },
                {
                  "type": "object",
                  "properties": {
                    "state": {
                      "const": "cleartext"
                    }
                  },
                  "required": [
                    "state"
                  ],
                  "additionalProperties": false
                }
              ]
            }
          },
          "required": [
            "step",
            "host",
            "canonicalHost",
            "port",
            "time",
            "presented",
            "tls"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "step": {
              "const": "pattern"
            },
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
            "step",
            "pattern",
            "rule",
            "outcome",
            "location"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "step": {
              "const": "rule"
            },
            "rule": {
              "type": "string"
            },
            "selection": {
              "oneOf": [
                {
                  "type": "object",
                  "properties": {
                    "kind": {
                      "const": "pattern"
                    },
                    "pattern": {
                      "type": "string"
                    }
                  },
                  "required": [
                    "kind",
                    "pattern"
                  ],
                  "additionalProperties": false
                },
                {
                  "type": "object",
                  "properties": {
                    "kind": {
                      "enum": [
                        "default",
                        "default-deny"
                      ]
                    }
                  },
                  "required": [
                    "kind"
                  ],
                  "additionalProperties": false
                }
              ]
            },
            "profile": {
              "type": "string"
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
            "revocationGuarantee": {
              "description": "How soon a revocation takes effect under the rule, waivers and report-only aside; null for `default: deny`.",
              "oneOf": [
                {
                  "type": "object",
                  "properties": {
                    "kind": {
                      "const": "none"
                    },
                    "cause": {
                      "type": "string"
                    },
                    "summary": {
                      "type": "string"
                    }
                  },
                  "required": [
                    "kind",
                    "cause",
                    "summary"
                  ],
                  "additionalProperties": false
                },
                {
                  "type": "object",
                  "properties": {
                    "kind": {
                      "const": "within"
                    },
                    "seconds": {
                      "type": "integer",
                      "minimum": 0
                    },
                    "summary": {
                      "type": "string"
                    }
                  },
                  "required": [
                    "kind",
                    "seconds",
                    "summary"
                  ],
                  "additionalProperties": false
                },
                {
                  "type": "object",
                  "properties": {
                    "kind": {
                      "const": "window"
                    },
                    "summary": {
                      "type": "string"
                    }
                  },
                  "required": [
                    "kind",
                    "summary"
                  ],
                  "additionalProperties": false
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
            "logListDigest": {
              "$ref": "#/definitions/digest"
            }
          },
          "required": [
            "step",
            "rule",
            "selection",
            "profile",
            "anchors",
            "pins",
            "revocationGuarantee",
            "location"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "step": {
              "const": "certificate"
            },
            "index": {
              "type": "integer",
              "minimum": 0
            },
            "status": {
              "const": "read"
            },
            "subject": {
              "type": "string"
            },
            "fingerprint": {
              "$ref": "#/definitions/digest"
            }
          },
          "required": [
            "step",
            "index",
            "status",
            "subject",
            "fingerprint"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "step": {
              "const": "certificate"
            },
            "index": {
              "type": "integer",
              "minimum": 0
            },
            "status": {
              "const": "duplicate"
            },
            "of": {
              "type": "integer",
              "minimum": 0
            }
          },
          "required": [
            "step",
            "index",
            "status",
            "of"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "step": {
              "const": "certificate"
            },
            "index": {
              "type": "integer",
              "minimum": 0
            },
            "status": {
              "const": "set-aside"
            },
            "field": {
              "type": "string"
            },
            "reason": {
              "type": "string"
            },
            "offset": {
              "type": "integer",
              "minimum": 0
            }
          },
          "required": [
            "step",
            "index",
            "status",
            "field",
            "reason",
            "offset"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "step": {
              "const": "demand"
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "enforcement": {
              "oneOf": [
                {
                  "type": "object",
                  "properties": {
                    "kind": {
                      "const": "enforced"
                    }
                  },
                  "required": [
                    "kind"
                  ],
                  "additionalProperties": false
                },
                {
                  "type": "object",
                  "properties": {
                    "kind": {
                      "const": "reported"
                    },
                    "until": {
                      "$ref": "#/definitions/instant"
                    }
                  },
                  "required": [
                    "kind"
                  ],
                  "additionalProperties": false
                },
                {
                  "type": "object",
                  "properties": {
                    "kind": {
                      "const": "waived"
                    },
                    "until": {
                      "$ref": "#/definitions/instant"
                    },
                    "limitSeconds": {
                      "oneOf": [
                        {
                          "type": "integer",
                          "minimum": 0
                        },
                        {
                          "type": "null"
                        }
                      ]
                    },
                    "downTo": {
                      "type": "string"
                    }
                  },
                  "required": [
                    "kind",
                    "until",
                    "limitSeconds"
                  ],
                  "additionalProperties": false
                }
              ]
            },
            "place": {
              "oneOf": [
                {
                  "$ref": "#/definitions/place"
                },
                {
                  "type": "null"
                }
              ]
            }
          },
          "required": [
            "step",
            "check",
            "enforcement",
            "place"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "step": {
              "const": "path"
            },
            "number": {
              "type": "integer",
              "minimum": 1
            },
            "certificates": {
              "type": "array",
              "items": {
                "$ref": "#/definitions/certificate"
              }
            },
            "end": {
              "oneOf": [
                {
                  "type": "object",
                  "properties": {
                    "kind": {
                      "const": "anchor"
                    },
                    "set": {
                      "type": "string"
                    },
                    "standard": {
                      "enum": [
                        "rfc5280",
                        "web-pki"
                      ]
                    }
                  },
                  "required": [
                    "kind",
                    "set",
                    "standard"
                  ],
                  "additionalProperties": false
                },
                {
                  "type": "object",
                  "properties": {
                    "kind": {
                      "enum": [
                        "dead-end",
                        "end-entity-alone"
                      ]
                    }
                  },
                  "required": [
                    "kind"
                  ],
                  "additionalProperties": false
                }
              ]
            }
          },
          "required": [
            "step",
            "number",
            "certificates",
            "end"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "step": {
              "const": "check"
            },
            "path": {
              "type": "integer",
              "minimum": 0
            },
            "check": {
              "$ref": "#/definitions/check"
            },
            "citation": {
              "type": "string"
            },
            "outcome": {
              "oneOf": [
                {
                  "type": "object",
                  "properties": {
                    "kind": {
                      "const": "passed"
                    },
                    "found": {
                      "oneOf": [
                        {
                          "$ref": "#/definitions/found"
                        },
                        {
                          "type": "null"
                        }
                      ]
                    }
                  },
                  "required": [
                    "kind",
                    "found"
                  ],
                  "additionalProperties": false
                },
                {
                  "type": "object",
                  "properties": {
                    "kind": {
                      "const": "failed"
                    },
                    "violations": {
                      "type": "array",
                      "items": {
                        "$ref": "#/definitions/violation"
                      },
                      "minItems": 1
                    }
                  },
                  "required": [
                    "kind",
                    "violations"
                  ],
                  "additionalProperties": false
                },
                {
                  "type": "object",
                  "properties": {
                    "kind": {
                      "const": "tolerated"
                    },
                    "reported": {
                      "type": "array",
                      "items": {
                        "$ref": "#/definitions/reported"
                      },
                      "minItems": 1
                    }
                  },
                  "required": [
                    "kind",
                    "reported"
                  ],
                  "additionalProperties": false
                },
                {
                  "description": "It rests on a check that failed.",
                  "type": "object",
                  "properties": {
                    "kind": {
                      "const": "not-asked"
                    }
                  },
                  "required": [
                    "kind"
                  ],
                  "additionalProperties": false
                }
              ]
            },
            "notices": {
              "type": "array",
              "items": {
                "$ref": "#/definitions/notice"
              }
            },
            "wanted": {
              "description": "Evidence that would have been used; absent when none.",
              "type": "array",
              "items": {
                "$ref": "#/definitions/wantedEvidence"
              },
              "minItems": 1
            }
          },
          "required": [
            "step",
            "path",
            "check",
            "citation",
            "outcome",
            "notices"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "step": {
              "const": "search"
            },
            "end": {
              "oneOf": [
                {
                  "type": "object",
                  "properties": {
                    "kind": {
                      "const": "satisfied"
                    },
                    "path": {
                      "type": "integer",
                      "minimum": 0
                    }
                  },
                  "required": [
                    "kind",
                    "path"
                  ],
                  "additionalProperties": false
                },
                {
                  "type": "object",
                  "properties": {
                    "kind": {
                      "enum": [
                        "exhausted",
                        "budget",
                        "not-begun"
                      ]
                    }
                  },
                  "required": [
                    "kind"
                  ],
                  "additionalProperties": false
                }
              ]
            },
            "limit": {
              "type": "integer",
              "minimum": 0
            }
          },
          "required": [
            "step",
            "end",
            "limit"
          ],
          "additionalProperties": false
        },
        {
          "type": "object",
          "properties": {
            "step": {
              "const": "work"
            },
            "spent": {
              "type": "integer",
              "minimum": 0
            },
            "limit": {
              "type": "integer",
              "minimum": 0
            },
            "signatures": {
              "type": "integer",
              "minimum": 0
            },
            "paths": {
              "type": "integer",
              "minimum": 0
            }
          },
          "required": [
            "step",
            "spent",
            "limit",
            "signatures",
            "paths"
          ],
          "additionalProperties": false
        }
      ]
    }
  }
}

"""#
    }
}
