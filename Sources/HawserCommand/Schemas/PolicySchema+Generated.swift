// Made by `swift run generate-tables` from grammar/policy.schema.json. Do not edit.
// swift-format-ignore-file

extension PrintedSchema {
    /// grammar/policy.schema.json, octet by octet.
    static var policyText: String {
        #"""
{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "$id": "https://hawser.example/grammar/policy.schema.json",
  "title": "Hawser trust policy, version 1",
  "description": "The shape of a policy file: every key of the language with its type, default and an example. The compiler's checks are stricter than a schema can say. `x-hawser-noun` is how messages call one of the words of an enum; `x-hawser-weaker` lists those of its words that are never proposed for a misspelt one, since another word, or none, demands more (all but the strictest where the fields that take them say which that is); `x-hawser-absent` says for each key without `default` what holds where it is not written. Each field of a profile has `x-hawser-number`, its number in tables; `x-hawser-property`, its name in the engine; and `x-hawser-stricter`, which way a value is stricter: `smaller` or `larger` (words by their numbers), `subset` or `superset`, `together` where an entry of the engine's comparison compares fields as one, `none` where a difference changes no verdict. `x-hawser-unwritten: strictest` says that a field is strictest where nothing is written; elsewhere it is then weakest. `x-hawser-evidence` says what a field decides of evidence of revocation: `vouches` where a stricter value lets less evidence say that a certificate is good, `revokes` where it decides what is heard at all. `x-hawser-seconds` is the range of a duration. `x-hawser-type` names the engine's type of an enum, made from its words; `x-hawser-engine-type` one that the engine declares itself; `x-hawser-numbers` has the words' numbers in tables where they are not 0, 1, 2.",
  "x-hawser-noun": "a policy file",
  "type": "object",
  "required": ["hawser"],
  "additionalProperties": false,
  "x-hawser-absent": {
    "default": "none; exactly one file of a unit has it",
    "anchors": "none",
    "pins": "none",
    "profiles": "none",
    "rules": "none"
  },
  "properties": {
    "hawser": {
      "description": "Language version; the first key of every file.",
      "const": 1,
      "examples": [1]
    },
    "default": {
      "description": "What happens to every host that no rule matches: `deny`, or a rule's body without `hosts`. Once per unit, in `policy.yaml`.",
      "oneOf": [{ "const": "deny" }, { "$ref": "#/definitions/default-body" }],
      "examples": ["deny"]
    },
    "anchors": {
      "description": "Named sets of trust anchors. Built in: `system`, `pinned-keys`.",
      "type": "object",
      "propertyNames": { "allOf": [{ "$ref": "#/definitions/id" }, { "not": { "enum": ["system", "pinned-keys"] } }] },
      "additionalProperties": { "$ref": "#/definitions/anchor-set" },
      "minProperties": 1,
      "examples": [{ "corp": { "files": ["anchors/corp.pem"] } }]
    },
    "pins": {
      "description": "Named pin sets.",
      "type": "object",
      "propertyNames": { "$ref": "#/definitions/id" },
      "additionalProperties": { "$ref": "#/definitions/pin-set" },
      "minProperties": 1,
      "examples": [{ "api": { "keys": { "now": { "spki-file": "pins/now.pem" } }, "backups": { "next": { "spki-file": "pins/next.pem" } } } }]
    },
    "profiles": {
      "description": "Named strictness. Built in: `baseline`, `ats`.",
      "type": "object",
      "propertyNames": { "allOf": [{ "$ref": "#/definitions/id" }, { "not": { "enum": ["baseline", "ats"] } }] },
      "additionalProperties": { "$ref": "#/definitions/profile" },
      "minProperties": 1,
      "examples": [{ "strict": { "keys": { "rsa-minimum": 3072 } } }]
    },
    "rules": {
      "description": "Which hosts are judged how. Order has no meaning.",
      "type": "object",
      "propertyNames": { "$ref": "#/definitions/id" },
      "additionalProperties": { "$ref": "#/definitions/rule" },
      "minProperties": 1,
      "examples": [{ "api": { "hosts": ["api.acme.example"], "anchors": ["system"] } }]
    }
  },
  "definitions": {
    "id": {
      "description": "A name: lower-case letters, digits and hyphens, beginning with a letter, not ending in a hyphen.",
      "type": "string",
      "pattern": "^[a-z]([a-z0-9-]*[a-z0-9])?$",
      "maxLength": 64,
      "examples": ["payments"]
    },
    "text": {
      "description": "Free text of at most 1,000 octets.",
      "type": "string",
      "minLength": 1,
      "maxLength": 1000,
      "examples": ["safe, sealed bag 7"]
    },
    "path": {
      "description": "A path relative to the file that names it, with `/`; it may not leave the unit. Ending in `/`: every certificate file directly in that folder.",
      "type": "string",
      "pattern": "^(?!(.*/)?\\.{1,2}$)[^/\\\\\\x00]+(/[^/\\\\\\x00]+)*/?$",
      "minLength": 1,
      "maxLength": 1000,
      "examples": ["anchors/corp.pem"]
    },
    "host-pattern": {
      "description": "A name, `*.name` (exactly one label more), `**.name` (one or more), an address or a network in CIDR form, each with or without `:port`. Always quoted.",
      "type": "string",
      "pattern": "^(((?!([^/]*\\.)?([0-9]+|0[xX][0-9A-Fa-f]+)\\.?(:[0-9]+)?$)(\\*\\*?\\.)?[^\\x00-/:-@\\[-\\^`{-\\x7F]([^\\x00-,./:-@\\[-\\^`{-\\x7F]*[^\\x00-/:-@\\[-\\^`{-\\x7F])?(\\.[^\\x00-/:-@\\[-\\^`{-\\x7F]([^\\x00-,./:-@\\[-\\^`{-\\x7F]*[^\\x00-/:-@\\[-\\^`{-\\x7F])?)*\\.?|(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\\.(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}(/(3[0-2]|[12]?[0-9]))?)(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?|(?!::[fF]{4}:)([0-9A-Fa-f]{0,4}:){2,7}([0-9A-Fa-f]{0,4}|(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\\.(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3})(/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))?|\\[(?!::[fF]{4}:)([0-9A-Fa-f]{0,4}:){2,7}([0-9A-Fa-f]{0,4}|(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\\.(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3})(/(12[0-8]|1[01][0-9]|[1-9]?[0-9]))?\\]:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))$",
      "minLength": 1,
      "maxLength": 300,
      "examples": ["api.acme.example"]
    },
    "exact-name": {
      "description": "A name without wildcard or port.",
      "type": "string",
      "pattern": "^(?!([^/]*\\.)?([0-9]+|0[xX][0-9A-Fa-f]+)\\.?(:[0-9]+)?$)[^\\x00-/:-@\\[-\\^`{-\\x7F]([^\\x00-,./:-@\\[-\\^`{-\\x7F]*[^\\x00-/:-@\\[-\\^`{-\\x7F])?(\\.[^\\x00-/:-@\\[-\\^`{-\\x7F]([^\\x00-,./:-@\\[-\\^`{-\\x7F]*[^\\x00-/:-@\\[-\\^`{-\\x7F])?)*\\.?$",
      "maxLength": 300,
      "examples": ["sensor.fleet.example"]
    },
    "address": {
      "description": "An IPv4 or IPv6 address.",
      "type": "string",
      "pattern": "^((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\\.(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}|(?!::[fF]{4}:)([0-9A-Fa-f]{0,4}:){2,7}([0-9A-Fa-f]{0,4}|(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\\.(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}))$",
      "maxLength": 300,
      "examples": ["10.40.0.9"]
    },
    "email": {
      "description": "An e-mail address; the local part is compared exactly.",
      "type": "string",
      "pattern": "^(?!\\.)(?!.*\\.[.@])[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?!([^/]*\\.)?([0-9]+|0[xX][0-9A-Fa-f]+)\\.?(:[0-9]+)?$)[^\\x00-/:-@\\[-\\^`{-\\x7F]([^\\x00-,./:-@\\[-\\^`{-\\x7F]*[^\\x00-/:-@\\[-\\^`{-\\x7F])?(\\.[^\\x00-/:-@\\[-\\^`{-\\x7F]([^\\x00-,./:-@\\[-\\^`{-\\x7F]*[^\\x00-/:-@\\[-\\^`{-\\x7F])?)*\\.?$",
      "maxLength": 320,
      "examples": ["ops@fleet.example"]
    },
    "uri-pattern": {
      "description": "A URI whose path may end in `/*` (one segment) or `/**` (one or more). A wildcard stands for segments without percent-encoding.",
      "type": "string",
      "pattern": "^[A-Za-z][A-Za-z0-9+.-]*://(([A-Za-z0-9._~!$&'()+,;=:-]|%[0-9A-Fa-f]{2})*@)?(([A-Za-z0-9._~!$&'()+,;=-]|%[0-9A-Fa-f]{2})+|\\[([0-9A-Fa-f]{0,4}:){2,7}([0-9A-Fa-f]{0,4}|(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\\.(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3})\\])(:[0-9]*)?(/(?!(\\.|%2[Ee]){1,2}(/|$))([A-Za-z0-9._~!$&'()+,;=:@-]|%[0-9A-Fa-f]{2})+)*(/\\*\\*?|/)?$",
      "examples": ["spiffe://mesh.example/ns/pay/*"]
    },
    "date": {
      "description": "A UTC date or date and time, RFC 3339. A bare date is the whole day.",
      "type": "string",
      "pattern": "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z)?$",
      "examples": ["2027-06-30"]
    },
    "duration": {
      "description": "A whole number with one unit: `s`, `min`, `h` or `d`.",
      "type": "string",
      "pattern": "^(0|[1-9][0-9]*)(s|min|h|d)$",
      "x-hawser-seconds": [1, 315569520000],
      "examples": ["14d"]
    },
    "oid": {
      "description": "A dotted object identifier.",
      "type": "string",
      "pattern": "^([01]\\.[1-3]?[0-9]|2\\.(0|[1-9][0-9]*))(\\.(0|[1-9][0-9]*))*$",
      "examples": ["1.3.6.1.5.5.7.3.1"]
    },
    "spki-digest": {
      "description": "The digest of a public key (SubjectPublicKeyInfo), as RFC 7469 writes it.",
      "type": "string",
      "pattern": "^(sha256/[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=|sha384/[A-Za-z0-9+/]{64}|sha512/[A-Za-z0-9+/]{85}[AQgw]==)$",
      "examples": ["sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="]
    },
    "certificate-digest": {
      "description": "The digest of a whole certificate in lower-case hex.",
      "type": "string",
      "pattern": "^(sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128})$",
      "examples": ["sha256:433965c447089e3c2b38d9c652574e8e166edcacc87a0813555ea01320d2dc12"]
    },
    "anchor-kind": {
      "description": "`root`: self-issued CA; `intermediate`: CA that is not self-issued; `leaf`: any certificate, vouching for itself alone.",
      "x-hawser-noun": "a kind of anchor",
      "x-hawser-weaker": ["root", "intermediate"],
      "enum": ["root", "intermediate", "leaf"]
    },
    "standard-word": {
      "description": "What a path that ends at a member is judged by.",
      "x-hawser-noun": "a standard",
      "x-hawser-weaker": ["rfc5280"],
      "enum": ["web-pki", "rfc5280"]
    },
    "anchor-limit": {
      "description": "A limit written inside an anchor certificate.",
      "x-hawser-noun": "a limit of an anchor",
      "x-hawser-weaker": ["dates", "name-constraints", "key-purposes", "path-length"],
      "enum": ["dates", "name-constraints", "key-purposes", "path-length"]
    },
    "pin-position": {
      "description": "Where on the accepted path a pin must match; `ca` is intermediate or anchor.",
      "x-hawser-noun": "a place on the path",
      "x-hawser-weaker": ["ca", "any"],
      "enum": ["leaf", "intermediate", "anchor", "ca", "any"]
    },
    "pin-expiry": {
      "description": "What a mismatch does after `enforce-until`.",
      "x-hawser-noun": "what a mismatch does",
      "x-hawser-weaker": ["report", "unpinned"],
      "enum": ["fail", "report", "unpinned"]
    },
    "identity-reference": {
      "description": "What the certificate must present: the requested host, one of the listed names instead, or both.",
      "x-hawser-noun": "a reference",
      "x-hawser-weaker": ["host", "listed"],
      "enum": ["host", "listed", "host-and-listed"]
    },
    "key-type": {
      "description": "A kind of public key.",
      "x-hawser-engine-type": "KeyTypeSet",
      "x-hawser-noun": "a key type",
      "enum": ["rsa", "p256", "p384", "p521", "ed25519", "ed448"]
    },
    "signature-hash": {
      "description": "A hash inside a signature, from weak to strong.",
      "x-hawser-engine-type": "SignatureHash",
      "x-hawser-numbers": [1, 2, 3],
      "x-hawser-noun": "a signature hash",
      "enum": ["sha256", "sha384", "sha512"]
    },
    "signature-scheme": {
      "description": "A signature scheme.",
      "x-hawser-engine-type": "SignatureSchemeSet",
      "x-hawser-noun": "a signature scheme",
      "enum": ["rsa-pkcs1", "rsa-pss", "ecdsa", "ed25519", "ed448"]
    },
    "key-purpose-word": {
      "description": "A key purpose by name.",
      "x-hawser-noun": "a key purpose",
      "enum": ["server-auth", "client-auth"]
    },
    "key-purpose": {
      "description": "A key purpose by name, or by object identifier.",
      "anyOf": [{ "$ref": "#/definitions/key-purpose-word" }, { "$ref": "#/definitions/oid" }]
    },
    "tls-version": {
      "description": "A TLS version at or above the baseline.",
      "x-hawser-engine-type": "TLSVersion",
      "x-hawser-numbers": [771, 772],
      "x-hawser-noun": "a TLS version",
      "x-hawser-weaker": ["tls1.2"],
      "enum": ["tls1.2", "tls1.3"]
    },
    "old-tls-version": {
      "description": "A TLS version below the baseline.",
      "x-hawser-noun": "an old TLS version",
      "x-hawser-weaker": ["tls1.0", "tls1.1"],
      "enum": ["tls1.0", "tls1.1"]
    },
    "action": {
      "description": "What a failure does.",
      "x-hawser-type": "CauseAction",
      "x-hawser-noun": "an action",
      "enum": ["fail", "report", "pass"]
    },
    "demand": {
      "description": "Whether something is demanded.",
      "x-hawser-engine-type": "Bool",
      "x-hawser-numbers": [1, 0],
      "x-hawser-noun": "a demand",
      "enum": ["required", "not-required"]
    },
    "permission": {
      "description": "Whether something is allowed.",
      "x-hawser-engine-type": "Bool",
      "x-hawser-numbers": [0, 1],
      "x-hawser-noun": "a permission",
      "enum": ["allowed", "inhibited"]
    },
    "default-body": {
      "description": "What hosts that no rule matches are judged by.",
      "x-hawser-noun": "`default`",
      "type": "object",
      "required": ["anchors"],
      "additionalProperties": false,
      "x-hawser-absent": {
        "pins": "none",
        "identity": "the requested host",
        "owner": "none",
        "note": "none",
        "report-only": "what the profile says",
        "waivers": "none",
        "path": "what the profile says",
        "keys": "what the profile says",
        "signatures": "what the profile says",
        "validity": "what the profile says",
        "revocation": "what the profile says",
        "transparency": "what the profile says",
        "tls": "what the profile says",
        "forbidden-keys": "what the profile says",
        "checks": "what the profile says"
      },
      "properties": {
        "anchors": { "$ref": "#/definitions/anchor-references" },
        "pins": { "$ref": "#/definitions/pin-references" },
        "profile": { "$ref": "#/definitions/profile-reference" },
        "identity": { "$ref": "#/definitions/identity" },
        "owner": {
          "description": "Who answers for it: a team or a person; printed by `show`, `explain` and reports.",
          "$ref": "#/definitions/text"
        },
        "note": {
          "description": "What a reader should know; printed by `show`, `explain` and reports.",
          "$ref": "#/definitions/text"
        },
        "report-only": { "$ref": "#/definitions/report-only" },
        "waivers": { "$ref": "#/definitions/waivers" },
        "path": { "$ref": "#/definitions/path-fields" },
        "keys": { "$ref": "#/definitions/keys-fields" },
        "signatures": { "$ref": "#/definitions/signatures-fields" },
        "validity": { "$ref": "#/definitions/validity-fields" },
        "revocation": { "$ref": "#/definitions/revocation-fields" },
        "transparency": { "$ref": "#/definitions/transparency-fields" },
        "tls": { "$ref": "#/definitions/tls-fields" },
        "forbidden-keys": { "$ref": "#/definitions/forbidden-keys" },
        "checks": { "$ref": "#/definitions/checks" }
      },
      "examples": [{ "anchors": ["system"] }]
    },
    "rule": {
      "description": "Which hosts are judged through which anchors, with which pins, how strictly.",
      "x-hawser-noun": "a rule",
      "type": "object",
      "required": ["hosts", "anchors"],
      "additionalProperties": false,
      "x-hawser-absent": {
        "pins": "none",
        "identity": "the requested host",
        "owner": "none",
        "note": "none",
        "report-only": "what the profile says",
        "waivers": "none",
        "path": "what the profile says",
        "keys": "what the profile says",
        "signatures": "what the profile says",
        "validity": "what the profile says",
        "revocation": "what the profile says",
        "transparency": "what the profile says",
        "tls": "what the profile says",
        "forbidden-keys": "what the profile says",
        "checks": "what the profile says"
      },
      "properties": {
        "hosts": {
          "description": "Host patterns, one per line. The same pattern in two rules is an error.",
          "type": "array",
          "items": { "$ref": "#/definitions/host-pattern" },
          "minItems": 1,
          "examples": [["api.acme.example", "**.api.acme.example"]]
        },
        "anchors": { "$ref": "#/definitions/anchor-references" },
        "pins": { "$ref": "#/definitions/pin-references" },
        "profile": { "$ref": "#/definitions/profile-reference" },
        "identity": { "$ref": "#/definitions/identity" },
        "owner": {
          "description": "Who answers for it: a team or a person; printed by `show`, `explain` and reports.",
          "$ref": "#/definitions/text"
        },
        "note": {
          "description": "What a reader should know; printed by `show`, `explain` and reports.",
          "$ref": "#/definitions/text"
        },
        "report-only": { "$ref": "#/definitions/report-only" },
        "waivers": { "$ref": "#/definitions/waivers" },
        "path": { "$ref": "#/definitions/path-fields" },
        "keys": { "$ref": "#/definitions/keys-fields" },
        "signatures": { "$ref": "#/definitions/signatures-fields" },
        "validity": { "$ref": "#/definitions/validity-fields" },
        "revocation": { "$ref": "#/definitions/revocation-fields" },
        "transparency": { "$ref": "#/definitions/transparency-fields" },
        "tls": { "$ref": "#/definitions/tls-fields" },
        "forbidden-keys": { "$ref": "#/definitions/forbidden-keys" },
        "checks": { "$ref": "#/definitions/checks" }
      },
      "examples": [{ "hosts": ["api.acme.example"], "anchors": ["system"] }]
    },
    "anchor-references": {
      "description": "Exactly these anchor sets, united; never inherited, never implied.",
      "type": "array",
      "items": { "anyOf": [{ "enum": ["system", "pinned-keys"] }, { "$ref": "#/definitions/id" }] },
      "minItems": 1,
      "examples": [["system"]]
    },
    "pin-references": {
      "description": "Pin sets, every one of which the accepted path must satisfy.",
      "type": "array",
      "items": { "$ref": "#/definitions/id" },
      "minItems": 1,
      "examples": [["acme-api"]]
    },
    "profile-reference": {
      "description": "The profile whose fields hold where the rule writes none.",
      "anyOf": [{ "enum": ["baseline", "ats"] }, { "$ref": "#/definitions/id" }],
      "default": "baseline",
      "examples": ["strict"]
    },
    "anchor-set": {
      "description": "Certificates that a path may end at: at least one of `include`, `files` and `pem`.",
      "x-hawser-noun": "an anchor set",
      "type": "object",
      "additionalProperties": false,
      "x-hawser-absent": {
        "include": "none; at least one of the three is written",
        "files": "none; at least one of the three is written",
        "pem": "none; at least one of the three is written",
        "only": "none",
        "exclude": "none",
        "intermediates": "none",
        "ignore-limits": "none",
        "constraints": "none",
        "owner": "none",
        "note": "none"
      },
      "properties": {
        "include": {
          "description": "Other sets whose members are taken over, with their own terms.",
          "type": "array",
          "items": { "anyOf": [{ "const": "system" }, { "$ref": "#/definitions/id" }] },
          "minItems": 1,
          "examples": [["system"]]
        },
        "files": {
          "description": "Certificate files, PEM with any number of certificates, or DER.",
          "type": "array",
          "items": { "$ref": "#/definitions/path" },
          "minItems": 1,
          "examples": [["anchors/corp.pem"]]
        },
        "pem": {
          "description": "Certificates written here, as a literal block; at most 1 MiB.",
          "type": "string",
          "minLength": 1,
          "maxLength": 1048576,
          "examples": ["|"]
        },
        "only": {
          "description": "Keep only the members that one of these entries matches.",
          "type": "object",
          "propertyNames": { "$ref": "#/definitions/id" },
          "additionalProperties": { "$ref": "#/definitions/key-match" },
          "minProperties": 1,
          "examples": [{ "kept": { "certificate-file": "anchors/kept.pem" } }]
        },
        "exclude": {
          "description": "Remove the members that one of these entries matches.",
          "type": "object",
          "propertyNames": { "$ref": "#/definitions/id" },
          "additionalProperties": { "$ref": "#/definitions/key-match" },
          "minProperties": 1,
          "examples": [{ "retired": { "certificate-file": "anchors/retired.pem" } }]
        },
        "kind": { "$ref": "#/definitions/anchor-kind", "default": "root", "examples": ["intermediate"] },
        "intermediates": {
          "description": "Extra certificates offered to the path search, never trusted.",
          "type": "array",
          "items": { "$ref": "#/definitions/path" },
          "minItems": 1,
          "examples": [["anchors/cross-sign.pem"]]
        },
        "standard": {
          "$ref": "#/definitions/standard-word",
          "default": "rfc5280",
          "examples": ["web-pki"]
        },
        "ignore-limits": {
          "description": "Limits written inside the anchor certificates that shall not bind.",
          "type": "array",
          "items": { "$ref": "#/definitions/anchor-limit" },
          "minItems": 1,
          "examples": [["dates"]]
        },
        "constraints": { "$ref": "#/definitions/anchor-constraints" },
        "owner": {
          "description": "Who answers for it: a team or a person; printed by `show`, `explain` and reports.",
          "$ref": "#/definitions/text"
        },
        "note": {
          "description": "What a reader should know; printed by `show`, `explain` and reports.",
          "$ref": "#/definitions/text"
        }
      },
      "anyOf": [{ "required": ["include"] }, { "required": ["files"] }, { "required": ["pem"] }],
      "examples": [{ "files": ["anchors/corp.pem"] }]
    },
    "anchor-constraints": {
      "description": "Limits on what the members of a set may vouch for, joined by AND.",
      "x-hawser-noun": "`constraints`",
      "type": "object",
      "additionalProperties": false,
      "x-hawser-absent": {
        "permitted-names": "none",
        "excluded-names": "none",
        "permitted-uris": "none",
        "not-before": "none",
        "sct": "none",
        "key-purposes": "none",
        "maximum-lifetime": "none"
      },
      "properties": {
        "permitted-names": {
          "description": "Every DNS and IP name of the leaf must match one of these patterns.",
          "type": "array",
          "items": { "$ref": "#/definitions/host-pattern" },
          "minItems": 1,
          "examples": [["**.bank.example"]]
        },
        "excluded-names": {
          "description": "No DNS or IP name of the leaf may match one of these patterns.",
          "type": "array",
          "items": { "$ref": "#/definitions/host-pattern" },
          "minItems": 1,
          "examples": [["**.bank.example"]]
        },
        "permitted-uris": {
          "description": "Every URI name of the leaf must match one of these patterns.",
          "type": "array",
          "items": { "$ref": "#/definitions/uri-pattern" },
          "minItems": 1,
          "examples": [["spiffe://mesh.example/**"]]
        },
        "not-before": { "$ref": "#/definitions/window" },
        "sct": { "$ref": "#/definitions/window" },
        "key-purposes": {
          "description": "The leaf's extended key usage must contain one of these.",
          "type": "array",
          "items": { "$ref": "#/definitions/key-purpose" },
          "minItems": 1,
          "examples": [["server-auth"]]
        },
        "maximum-lifetime": {
          "description": "Longest time from the leaf's notBefore to its notAfter, such as `398d`.",
          "$ref": "#/definitions/duration"
        }
      },
      "examples": [{ "permitted-names": ["**.bank.example"] }]
    },
    "window": {
      "description": "A span of time with `from`, `until` or both; a bare date is included whole.",
      "x-hawser-noun": "a window",
      "type": "object",
      "additionalProperties": false,
      "minProperties": 1,
      "x-hawser-absent": {
        "from": "open on this side",
        "until": "open on this side"
      },
      "properties": {
        "from": {
          "description": "The first instant inside. In UTC; a bare date is the whole day.",
          "$ref": "#/definitions/date"
        },
        "until": {
          "description": "The last instant inside. In UTC; a bare date is the whole day.",
          "$ref": "#/definitions/date"
        }
      },
      "examples": [{ "until": "2026-12-31" }]
    },
    "key-match": {
      "description": "Exactly one of four ways to name a key or a certificate.",
      "x-hawser-noun": "a key match",
      "type": "object",
      "additionalProperties": false,
      "minProperties": 1,
      "maxProperties": 1,
      "x-hawser-absent": {
        "spki": "none; exactly one of the four is written",
        "certificate": "none; exactly one of the four is written",
        "spki-file": "none; exactly one of the four is written",
        "certificate-file": "none; exactly one of the four is written"
      },
      "properties": {
        "spki": { "$ref": "#/definitions/spki-digest" },
        "certificate": { "$ref": "#/definitions/certificate-digest" },
        "spki-file": {
          "description": "A file with a certificate, a public key or a PKCS#10 request, whose key is meant; a path from this file, with `/`.",
          "$ref": "#/definitions/path",
          "examples": ["pins/next.csr.pem"]
        },
        "certificate-file": {
          "description": "A file with certificates, any one of which is meant as a whole; a path from this file, with `/`.",
          "$ref": "#/definitions/path",
          "examples": ["pins/next.cer"]
        }
      },
      "examples": [{ "spki-file": "pins/next.csr.pem" }]
    },
    "pin-set": {
      "description": "Keys of which the accepted path must hold some, and spares for them.",
      "x-hawser-noun": "a pin set",
      "type": "object",
      "required": ["keys", "backups"],
      "additionalProperties": false,
      "x-hawser-absent": {
        "warn-from": "none",
        "enforce-until": "none; a match never becomes overdue",
        "owner": "none",
        "note": "none"
      },
      "properties": {
        "keys": {
          "description": "Keys in service.",
          "type": "object",
          "propertyNames": { "$ref": "#/definitions/id" },
          "additionalProperties": { "$ref": "#/definitions/pin" },
          "minProperties": 1,
          "examples": [{ "issuing-2026": { "spki-file": "pins/issuing-2026.pem", "at": "ca" } }]
        },
        "backups": {
          "description": "Keys not in service; each must differ by key from every entry of `keys`.",
          "type": "object",
          "propertyNames": { "$ref": "#/definitions/id" },
          "additionalProperties": { "$ref": "#/definitions/pin" },
          "minProperties": 1,
          "examples": [{ "offline": { "spki-file": "pins/offline.pem" } }]
        },
        "match": {
          "description": "Entries that must match: `any` (one), `all` (as many as `keys` has), or a number from 2.",
          "anyOf": [{ "$ref": "#/definitions/pin-match" }, { "type": "integer", "minimum": 2 }],
          "default": "any",
          "examples": ["any"]
        },
        "warn-from": {
          "description": "From here on an accept has the notice `pin-ageing`. In UTC; a bare date is the whole day.",
          "$ref": "#/definitions/date",
          "examples": ["2027-04-30"]
        },
        "enforce-until": {
          "description": "The last day of full enforcement; afterwards `on-expiry` says what a mismatch does. In UTC; a bare date is the whole day.",
          "$ref": "#/definitions/date",
          "examples": ["2027-06-30"]
        },
        "on-expiry": {
          "description": "What a mismatch does after `enforce-until`: `fail` rejects, `report` lists it, `unpinned` does not look.",
          "$ref": "#/definitions/pin-expiry",
          "default": "fail",
          "examples": ["fail"]
        },
        "owner": {
          "description": "Who answers for it: a team or a person; printed by `show`, `explain` and reports.",
          "$ref": "#/definitions/text"
        },
        "note": {
          "description": "What a reader should know; printed by `show`, `explain` and reports.",
          "$ref": "#/definitions/text"
        }
      },
      "examples": [{ "keys": { "now": { "spki-file": "pins/now.pem" } }, "backups": { "next": { "spki-file": "pins/next.pem" } } }]
    },
    "pin-match": {
      "description": "How many entries must match.",
      "x-hawser-noun": "a count of pins",
      "x-hawser-weaker": ["any"],
      "enum": ["any", "all"]
    },
    "pin": {
      "description": "A key match and the place on the path where it must lie.",
      "x-hawser-noun": "a pin",
      "type": "object",
      "additionalProperties": false,
      "x-hawser-absent": {
        "spki": "none; exactly one of the four is written",
        "certificate": "none; exactly one of the four is written",
        "spki-file": "none; exactly one of the four is written",
        "certificate-file": "none; exactly one of the four is written",
        "note": "none"
      },
      "properties": {
        "spki": { "$ref": "#/definitions/spki-digest" },
        "certificate": { "$ref": "#/definitions/certificate-digest" },
        "spki-file": {
          "description": "A file with a certificate, a public key or a PKCS#10 request, whose key is meant; a path from this file, with `/`.",
          "$ref": "#/definitions/path",
          "examples": ["pins/next.csr.pem"]
        },
        "certificate-file": {
          "description": "A file with certificates, any one of which is meant as a whole; a path from this file, with `/`.",
          "$ref": "#/definitions/path",
          "examples": ["pins/next.cer"]
        },
        "at": { "$ref": "#/definitions/pin-position", "default": "any", "examples": ["ca"] },
        "note": {
          "description": "What a reader should know; printed by `show`, `explain` and reports.",
          "$ref": "#/definitions/text"
        }
      },
      "oneOf": [
        { "required": ["spki"] },
        { "required": ["certificate"] },
        { "required": ["spki-file"] },
        { "required": ["certificate-file"] }
      ],
      "examples": [{ "spki-file": "pins/next.csr.pem", "at": "ca" }]
    },
    "identity": {
      "description": "Which names the certificate must present (RFC 9525).",
      "x-hawser-noun": "`identity`",
      "type": "object",
      "additionalProperties": false,
      "x-hawser-absent": {
        "dns": "none",
        "ip": "none",
        "email": "none",
        "uri": "none"
      },
      "properties": {
        "reference": { "$ref": "#/definitions/identity-reference", "default": "host", "examples": ["listed"] },
        "dns": {
          "description": "Exact names, any one of which suffices.",
          "type": "array",
          "items": { "$ref": "#/definitions/exact-name" },
          "minItems": 1,
          "examples": [["sensor.fleet.example"]]
        },
        "ip": {
          "description": "Addresses, any one of which suffices.",
          "type": "array",
          "items": { "$ref": "#/definitions/address" },
          "minItems": 1,
          "examples": [["10.40.0.9"]]
        },
        "email": {
          "description": "E-mail addresses, any one of which suffices; the local part is compared exactly.",
          "type": "array",
          "items": { "$ref": "#/definitions/email" },
          "minItems": 1,
          "examples": [["ops@fleet.example"]]
        },
        "uri": {
          "description": "URI patterns, any one of which suffices.",
          "type": "array",
          "items": { "$ref": "#/definitions/uri-pattern" },
          "minItems": 1,
          "examples": [["spiffe://mesh.example/ns/pay/*"]]
        }
      },
      "if": { "required": ["reference"], "properties": { "reference": { "enum": ["listed", "host-and-listed"] } } },
      "then": { "anyOf": [{ "required": ["dns"] }, { "required": ["ip"] }, { "required": ["email"] }, { "required": ["uri"] }] },
      "else": { "properties": { "dns": false, "ip": false, "email": false, "uri": false } },
      "examples": [{ "reference": "listed", "dns": ["sensor.fleet.example"] }]
    },
    "profile": {
      "description": "Named strictness: fields that hold wherever a rule under the profile writes none.",
      "x-hawser-noun": "a profile",
      "type": "object",
      "additionalProperties": false,
      "minProperties": 1,
      "x-hawser-absent": {
        "path": "what `extends` says",
        "keys": "what `extends` says",
        "signatures": "what `extends` says",
        "validity": "what `extends` says",
        "revocation": "what `extends` says",
        "transparency": "what `extends` says",
        "tls": "what `extends` says",
        "forbidden-keys": "what `extends` says",
        "checks": "what `extends` says",
        "report-only": "what `extends` says"
      },
      "properties": {
        "extends": {
          "description": "The profile whose fields hold where this one writes none.",
          "anyOf": [{ "enum": ["baseline", "ats"] }, { "$ref": "#/definitions/id" }],
          "default": "baseline",
          "examples": ["baseline"]
        },
        "path": { "$ref": "#/definitions/path-fields" },
        "keys": { "$ref": "#/definitions/keys-fields" },
        "signatures": { "$ref": "#/definitions/signatures-fields" },
        "validity": { "$ref": "#/definitions/validity-fields" },
        "revocation": { "$ref": "#/definitions/revocation-fields" },
        "transparency": { "$ref": "#/definitions/transparency-fields" },
        "tls": { "$ref": "#/definitions/tls-fields" },
        "forbidden-keys": { "$ref": "#/definitions/forbidden-keys" },
        "checks": { "$ref": "#/definitions/checks" },
        "report-only": { "$ref": "#/definitions/profile-report-only" }
      },
      "examples": [{ "keys": { "rsa-minimum": 3072 } }]
    },
    "path-fields": {
      "description": "Demands on the path as a whole.",
      "x-hawser-noun": "`path`",
      "type": "object",
      "additionalProperties": false,
      "minProperties": 1,
      "x-hawser-absent": {
        "certificate-policies": "any"
      },
      "properties": {
        "maximum-intermediates": {
          "description": "Certificates between leaf and anchor.",
          "x-hawser-number": 1,
          "x-hawser-property": "maximumIntermediates",
          "x-hawser-stricter": "smaller",
          "x-hawser-evidence": "vouches",
          "type": "integer",
          "minimum": 0,
          "maximum": 32,
          "default": 8,
          "examples": [3]
        },
        "key-purposes": {
          "description": "Purposes, one of which must be allowed along the whole path.",
          "x-hawser-number": 2,
          "x-hawser-property": "keyPurposes",
          "x-hawser-stricter": "subset",
          "type": "array",
          "items": { "$ref": "#/definitions/key-purpose" },
          "minItems": 1,
          "default": ["server-auth"],
          "examples": [["server-auth"]]
        },
        "certificate-policies": {
          "description": "Certificate policies, one of which the path must be valid for (RFC 5280 section 6.1.1(c)).",
          "x-hawser-number": 13,
          "x-hawser-property": "certificatePolicies",
          "x-hawser-stricter": "subset",
          "x-hawser-evidence": "vouches",
          "type": "array",
          "items": { "$ref": "#/definitions/oid" },
          "minItems": 1,
          "examples": [["2.23.140.1.2.2"]]
        },
        "explicit-policy": {
          "description": "Whether the path must be valid for a certificate policy (RFC 5280 section 6.1.1(f)).",
          "x-hawser-number": 14,
          "x-hawser-property": "requiresExplicitPolicy",
          "x-hawser-stricter": "larger",
          "x-hawser-evidence": "vouches",
          "$ref": "#/definitions/demand",
          "default": "not-required",
          "examples": ["required"]
        },
        "policy-mapping": {
          "description": "Whether an authority may map one certificate policy to another (RFC 5280 section 6.1.1(e)).",
          "x-hawser-number": 15,
          "x-hawser-property": "inhibitsPolicyMapping",
          "x-hawser-stricter": "larger",
          "x-hawser-evidence": "vouches",
          "$ref": "#/definitions/permission",
          "default": "allowed",
          "examples": ["inhibited"]
        },
        "any-policy": {
          "description": "Whether anyPolicy counts for every certificate policy (RFC 5280 section 6.1.1(g)).",
          "x-hawser-number": 16,
          "x-hawser-property": "inhibitsAnyPolicy",
          "x-hawser-stricter": "larger",
          "x-hawser-evidence": "vouches",
          "$ref": "#/definitions/permission",
          "default": "allowed",
          "examples": ["inhibited"]
        }
      },
      "examples": [{ "maximum-intermediates": 3 }]
    },
    "keys-fields": {
      "description": "Demands on the public keys of the path.",
      "x-hawser-noun": "`keys`",
      "type": "object",
      "additionalProperties": false,
      "minProperties": 1,
      "x-hawser-absent": {
        "leaf-types": "those of `types`"
      },
      "properties": {
        "types": {
          "description": "Key types allowed on the path, anchor included.",
          "x-hawser-number": 3,
          "x-hawser-property": "keyTypes",
          "x-hawser-stricter": "subset",
          "x-hawser-evidence": "vouches",
          "type": "array",
          "items": { "$ref": "#/definitions/key-type" },
          "minItems": 1,
          "default": ["rsa", "p256", "p384", "p521", "ed25519", "ed448"],
          "examples": [["p256", "ed25519"]]
        },
        "leaf-types": {
          "description": "Key types allowed in the leaf, a part of `types`; by default the same.",
          "x-hawser-number": 4,
          "x-hawser-property": "leafKeyTypes",
          "x-hawser-stricter": "subset",
          "type": "array",
          "items": { "$ref": "#/definitions/key-type" },
          "minItems": 1,
          "examples": [["p384"]]
        },
        "rsa-minimum": {
          "description": "Bits of every RSA key of the path, anchor included.",
          "x-hawser-number": 5,
          "x-hawser-property": "rsaMinimum",
          "x-hawser-stricter": "larger",
          "x-hawser-evidence": "vouches",
          "type": "integer",
          "minimum": 2048,
          "maximum": 16384,
          "default": 2048,
          "examples": [3072]
        }
      },
      "examples": [{ "rsa-minimum": 3072 }]
    },
    "signatures-fields": {
      "description": "Demands on the signatures of the path.",
      "x-hawser-noun": "`signatures`",
      "type": "object",
      "additionalProperties": false,
      "minProperties": 1,
      "properties": {
        "minimum-hash": {
          "description": "The weakest hash that a signature on the path may use.",
          "x-hawser-number": 6,
          "x-hawser-property": "minimumHash",
          "x-hawser-stricter": "larger",
          "x-hawser-evidence": "vouches",
          "$ref": "#/definitions/signature-hash",
          "default": "sha256",
          "examples": ["sha384"]
        },
        "schemes": {
          "description": "Signature schemes allowed below the anchor.",
          "x-hawser-number": 7,
          "x-hawser-property": "signatureSchemes",
          "x-hawser-stricter": "subset",
          "x-hawser-evidence": "vouches",
          "type": "array",
          "items": { "$ref": "#/definitions/signature-scheme" },
          "minItems": 1,
          "default": ["rsa-pkcs1", "rsa-pss", "ecdsa", "ed25519", "ed448"],
          "examples": [["ecdsa", "ed25519"]]
        }
      },
      "examples": [{ "minimum-hash": "sha384" }]
    },
    "validity-fields": {
      "description": "Demands on validity periods.",
      "x-hawser-noun": "`validity`",
      "type": "object",
      "additionalProperties": false,
      "minProperties": 1,
      "x-hawser-absent": {
        "maximum-lifetime": "none",
        "lifetime-steps": "none"
      },
      "properties": {
        "clock-skew": {
          "description": "Widens certificate and evidence windows at both ends; at most 24h.",
          "x-hawser-number": 8,
          "x-hawser-property": "clockSkew",
          "x-hawser-stricter": "smaller",
          "x-hawser-evidence": "revokes",
          "type": "string",
          "pattern": "^((0|[1-9][0-9]{0,3}|[1-7][0-9]{4}|8[0-5][0-9]{3}|86[0-3][0-9]{2}|86400)s|(0|[1-9][0-9]{0,2}|1[0-3][0-9]{2}|14[0-3][0-9]|1440)min|(1?[0-9]|2[0-4])h|[01]d)$",
          "x-hawser-seconds": [0, 86400],
          "default": "0s",
          "examples": ["5min"]
        },
        "maximum-lifetime": {
          "description": "Longest time from the leaf's notBefore to its notAfter, such as `398d`.",
          "x-hawser-number": 9,
          "x-hawser-property": "maximumLifetime",
          "x-hawser-stricter": "together",
          "$ref": "#/definitions/duration",
          "examples": ["398d"]
        },
        "lifetime-steps": {
          "description": "Maximum lifetimes by the day of issue.",
          "x-hawser-number": 17,
          "x-hawser-property": "lifetimeSteps",
          "x-hawser-stricter": "together",
          "type": "array",
          "items": { "$ref": "#/definitions/lifetime-step" },
          "minItems": 1,
          "examples": [[{ "issued-from": "2026-03-15", "maximum": "200d" }]]
        }
      },
      "examples": [{ "clock-skew": "5min" }]
    },
    "lifetime-step": {
      "description": "The maximum lifetime of certificates issued from a day on.",
      "x-hawser-noun": "a lifetime step",
      "type": "object",
      "required": ["issued-from", "maximum"],
      "additionalProperties": false,
      "properties": {
        "issued-from": {
          "description": "The notBefore from which on the step holds. In UTC; a bare date is the whole day.",
          "$ref": "#/definitions/date"
        },
        "maximum": {
          "description": "Longest lifetime of such a leaf, such as `200d`.",
          "$ref": "#/definitions/duration"
        }
      },
      "examples": [{ "issued-from": "2026-03-15", "maximum": "200d" }]
    },
    "revocation-preset": {
      "description": "How hard missing evidence is taken; sets every cause.",
      "x-hawser-type": "RevocationPreset",
      "x-hawser-noun": "a revocation preset",
      "x-hawser-weaker": ["best-effort"],
      "enum": ["best-effort", "require"]
    },
    "revocation-source": {
      "description": "Where evidence of revocation comes from.",
      "x-hawser-engine-type": "RevocationSource",
      "x-hawser-noun": "a revocation source",
      "enum": ["stapled", "ocsp", "crl"]
    },
    "revocation-scope": {
      "description": "Which certificates need evidence.",
      "x-hawser-type": "RevocationScope",
      "x-hawser-noun": "a revocation scope",
      "enum": ["leaf", "leaf-and-intermediates", "chain"]
    },
    "revocation-network": {
      "description": "Whether the program may fetch evidence.",
      "x-hawser-type": "RevocationNetwork",
      "x-hawser-noun": "a use of the network",
      "enum": ["never", "prefetch", "wait"]
    },
    "revocation-fields": {
      "description": "Demands on evidence of revocation.",
      "x-hawser-noun": "`revocation`",
      "type": "object",
      "additionalProperties": false,
      "minProperties": 1,
      "x-hawser-absent": {
        "causes": "by the preset",
        "maximum-age": "none",
        "short-lived": "none"
      },
      "properties": {
        "preset": {
          "description": "How hard missing evidence is taken; sets every cause. `best-effort` reports it, `require` rejects; `revoked` rejects under both.",
          "x-hawser-number": 10,
          "x-hawser-property": "revocation.preset",
          "x-hawser-stricter": "none",
          "$ref": "#/definitions/revocation-preset",
          "default": "best-effort",
          "examples": ["require"]
        },
        "causes": { "$ref": "#/definitions/revocation-causes" },
        "sources": {
          "description": "In order of preference; `revoked` from any wins.",
          "x-hawser-number": 19,
          "x-hawser-property": "revocation.sources",
          "x-hawser-stricter": "together",
          "type": "array",
          "items": { "$ref": "#/definitions/revocation-source" },
          "minItems": 1,
          "uniqueItems": true,
          "default": ["stapled", "crl", "ocsp"],
          "examples": [["stapled", "crl"]]
        },
        "scope": {
          "description": "Which certificates need evidence; `chain` adds an anchor of kind intermediate.",
          "x-hawser-number": 20,
          "x-hawser-property": "revocation.scope",
          "x-hawser-stricter": "larger",
          "$ref": "#/definitions/revocation-scope",
          "default": "leaf-and-intermediates",
          "examples": ["chain"]
        },
        "network": {
          "description": "Whether the program may fetch evidence: `never`, `prefetch` in the background, or `wait` for it. Evaluation itself never does.",
          "x-hawser-number": 21,
          "x-hawser-property": "revocation.network",
          "x-hawser-stricter": "none",
          "$ref": "#/definitions/revocation-network",
          "default": "never",
          "examples": ["prefetch"]
        },
        "maximum-age": {
          "description": "Longest time since an answer's thisUpdate, such as `26h`, besides its nextUpdate.",
          "x-hawser-number": 22,
          "x-hawser-property": "revocation.maximumAge",
          "x-hawser-stricter": "smaller",
          "x-hawser-evidence": "vouches",
          "$ref": "#/definitions/duration",
          "examples": ["26h"]
        },
        "short-lived": {
          "description": "Certificates that live no longer than this need no evidence, such as `7d`.",
          "x-hawser-number": 23,
          "x-hawser-property": "revocation.shortLived",
          "x-hawser-stricter": "smaller",
          "x-hawser-unwritten": "strictest",
          "$ref": "#/definitions/duration",
          "examples": ["2d"]
        }
      },
      "examples": [{ "preset": "require" }]
    },
    "revocation-causes": {
      "description": "What each cause of missing evidence does; refines the preset.",
      "x-hawser-noun": "`revocation.causes`",
      "type": "object",
      "additionalProperties": false,
      "minProperties": 1,
      "x-hawser-absent": {
        "unknown": "by the preset",
        "no-endpoint": "by the preset",
        "unreachable": "by the preset",
        "stale": "by the preset",
        "malformed": "by the preset",
        "not-covered": "by the preset"
      },
      "properties": {
        "unknown": {
          "description": "An OCSP answer says unknown, or good and something else at once: `fail` rejects, `report` lists it, `pass` says nothing.",
          "x-hawser-number": 18,
          "x-hawser-property": "revocation.causes[.unknown]",
          "x-hawser-stricter": "smaller",
          "$ref": "#/definitions/action"
        },
        "no-endpoint": {
          "description": "Nothing was supplied, and the certificate names no source: `fail` rejects, `report` lists it, `pass` says nothing.",
          "x-hawser-number": 18,
          "x-hawser-property": "revocation.causes[.noEndpoint]",
          "x-hawser-stricter": "smaller",
          "$ref": "#/definitions/action"
        },
        "unreachable": {
          "description": "A source is named, and no answer was supplied: `fail` rejects, `report` lists it, `pass` says nothing.",
          "x-hawser-number": 18,
          "x-hawser-property": "revocation.causes[.unreachable]",
          "x-hawser-stricter": "smaller",
          "$ref": "#/definitions/action"
        },
        "stale": {
          "description": "An answer is outside its window, older than `maximum-age`, or good and produced after the time judged at: `fail` rejects, `report` lists it, `pass` says nothing.",
          "x-hawser-number": 18,
          "x-hawser-property": "revocation.causes[.stale]",
          "x-hawser-stricter": "smaller",
          "$ref": "#/definitions/action"
        },
        "malformed": {
          "description": "An answer does not parse or is not validly signed: `fail` rejects, `report` lists it, `pass` says nothing.",
          "x-hawser-number": 18,
          "x-hawser-property": "revocation.causes[.malformed]",
          "x-hawser-stricter": "smaller",
          "$ref": "#/definitions/action"
        },
        "not-covered": {
          "description": "A CRL's scope leaves the certificate out: `fail` rejects, `report` lists it, `pass` says nothing.",
          "x-hawser-number": 18,
          "x-hawser-property": "revocation.causes[.notCovered]",
          "x-hawser-stricter": "smaller",
          "$ref": "#/definitions/action"
        }
      },
      "examples": [{ "unreachable": "fail" }]
    },
    "transparency-preset": {
      "description": "Whose demand on certificate transparency holds.",
      "x-hawser-type": "TransparencyPreset",
      "x-hawser-noun": "a transparency preset",
      "x-hawser-weaker": ["none"],
      "enum": ["none", "chrome", "apple"]
    },
    "transparency-fields": {
      "description": "Demands on signed certificate timestamps.",
      "x-hawser-noun": "`transparency`",
      "type": "object",
      "additionalProperties": false,
      "minProperties": 1,
      "x-hawser-absent": {
        "minimum-scts": "by the preset",
        "minimum-operators": "by the preset",
        "log-list": "none; one is required where transparency is demanded",
        "exempt-anchors": "none"
      },
      "properties": {
        "preset": {
          "description": "Whose demand on certificate transparency holds; `none` undoes a profile's.",
          "x-hawser-number": 24,
          "x-hawser-property": "transparency.preset",
          "x-hawser-stricter": "together",
          "$ref": "#/definitions/transparency-preset",
          "default": "none",
          "examples": ["chrome"]
        },
        "minimum-scts": {
          "description": "Valid timestamps needed.",
          "x-hawser-number": 25,
          "x-hawser-property": "transparency.minimumSCTs",
          "x-hawser-stricter": "together",
          "type": "integer",
          "minimum": 1,
          "maximum": 10,
          "examples": [2]
        },
        "minimum-operators": {
          "description": "Different log operators needed.",
          "x-hawser-number": 26,
          "x-hawser-property": "transparency.minimumOperators",
          "x-hawser-stricter": "together",
          "type": "integer",
          "minimum": 1,
          "maximum": 10,
          "examples": [2]
        },
        "log-list": {
          "description": "The path of a log_list.json, version 3, which is compiled in.",
          "x-hawser-number": 27,
          "x-hawser-property": "transparency.logList",
          "x-hawser-stricter": "together",
          "type": "string",
          "allOf": [{ "$ref": "#/definitions/path" }, { "pattern": "[^/]$" }],
          "examples": ["ct/log_list.json"]
        },
        "log-list-maximum-age": {
          "description": "How old the log list may be at the validation time, such as `70d`.",
          "x-hawser-number": 28,
          "x-hawser-property": "transparency.logListMaximumAge",
          "x-hawser-stricter": "together",
          "$ref": "#/definitions/duration",
          "default": "70d",
          "examples": ["30d"]
        },
        "when-stale": {
          "$ref": "#/definitions/action",
          "description": "What a log list older than that does: `fail` rejects, `report` lists it, `pass` says nothing. The demand is judged by the list all the same.",
          "x-hawser-number": 29,
          "x-hawser-property": "transparency.whenStale",
          "x-hawser-stricter": "together",
          "default": "fail",
          "examples": ["fail"]
        },
        "exempt-anchors": {
          "description": "Sets of the rule whose paths need no timestamps.",
          "x-hawser-number": 30,
          "x-hawser-property": "transparency.exemptAnchors",
          "x-hawser-stricter": "together",
          "type": "array",
          "items": { "$ref": "#/definitions/id" },
          "minItems": 1,
          "examples": [["inspection"]]
        }
      },
      "examples": [{ "preset": "chrome", "log-list": "ct/log_list.json" }]
    },
    "tls-cipher-suite": {
      "description": "A cipher suite by its IANA name.",
      "$comment": "From the registry `TLS Parameters` of IANA (https://www.iana.org/assignments/tls-parameters): the suites of TLS 1.2 and 1.3 that encrypt and prove the server by its certificate alone. Left out are those without encryption, without a certificate, for export, and with RC4 (RFC 7465), DES or IDEA (RFC 5469).",
      "x-hawser-noun": "the IANA name of a cipher suite that encrypts and proves the server by its certificate",
      "enum": [
        "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_CCM_SHA256",
        "TLS_AES_128_CCM_8_SHA256", "TLS_AEGIS_256_SHA512", "TLS_AEGIS_128L_SHA256", "TLS_SM4_GCM_SM3",
        "TLS_SM4_CCM_SM3", "TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_L", "TLS_GOSTR341112_256_WITH_MAGMA_MGM_L",
        "TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_S", "TLS_GOSTR341112_256_WITH_MAGMA_MGM_S",
        "TLS_GOSTR341112_256_WITH_KUZNYECHIK_CTR_OMAC", "TLS_GOSTR341112_256_WITH_MAGMA_CTR_OMAC",
        "TLS_GOSTR341112_256_WITH_28147_CNT_IMIT", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_128_CCM", "TLS_ECDHE_ECDSA_WITH_AES_256_CCM", "TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8",
        "TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
        "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", "TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA",
        "TLS_ECDHE_ECDSA_WITH_CAMELLIA_128_CBC_SHA256", "TLS_ECDHE_ECDSA_WITH_CAMELLIA_256_CBC_SHA384",
        "TLS_ECDHE_ECDSA_WITH_CAMELLIA_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_CAMELLIA_256_GCM_SHA384",
        "TLS_ECDHE_ECDSA_WITH_ARIA_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_ARIA_256_GCM_SHA384",
        "TLS_ECDHE_ECDSA_WITH_ARIA_128_CBC_SHA256", "TLS_ECDHE_ECDSA_WITH_ARIA_256_CBC_SHA384",
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
        "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
        "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA",
        "TLS_ECDHE_RSA_WITH_CAMELLIA_128_CBC_SHA256", "TLS_ECDHE_RSA_WITH_CAMELLIA_256_CBC_SHA384",
        "TLS_ECDHE_RSA_WITH_CAMELLIA_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_CAMELLIA_256_GCM_SHA384",
        "TLS_ECDHE_RSA_WITH_ARIA_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_ARIA_256_GCM_SHA384",
        "TLS_ECDHE_RSA_WITH_ARIA_128_CBC_SHA256", "TLS_ECDHE_RSA_WITH_ARIA_256_CBC_SHA384",
        "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384",
        "TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "TLS_DHE_RSA_WITH_AES_128_CCM", "TLS_DHE_RSA_WITH_AES_256_CCM",
        "TLS_DHE_RSA_WITH_AES_128_CCM_8", "TLS_DHE_RSA_WITH_AES_256_CCM_8", "TLS_DHE_RSA_WITH_AES_128_CBC_SHA256",
        "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256", "TLS_DHE_RSA_WITH_AES_128_CBC_SHA", "TLS_DHE_RSA_WITH_AES_256_CBC_SHA",
        "TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA", "TLS_DHE_RSA_WITH_CAMELLIA_128_CBC_SHA256",
        "TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA256", "TLS_DHE_RSA_WITH_CAMELLIA_128_CBC_SHA",
        "TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA", "TLS_DHE_RSA_WITH_SEED_CBC_SHA",
        "TLS_DHE_RSA_WITH_CAMELLIA_128_GCM_SHA256", "TLS_DHE_RSA_WITH_CAMELLIA_256_GCM_SHA384",
        "TLS_DHE_RSA_WITH_ARIA_128_GCM_SHA256", "TLS_DHE_RSA_WITH_ARIA_256_GCM_SHA384",
        "TLS_DHE_RSA_WITH_ARIA_128_CBC_SHA256", "TLS_DHE_RSA_WITH_ARIA_256_CBC_SHA384",
        "TLS_DHE_DSS_WITH_AES_128_GCM_SHA256", "TLS_DHE_DSS_WITH_AES_256_GCM_SHA384",
        "TLS_DHE_DSS_WITH_AES_128_CBC_SHA256", "TLS_DHE_DSS_WITH_AES_256_CBC_SHA256",
        "TLS_DHE_DSS_WITH_AES_128_CBC_SHA", "TLS_DHE_DSS_WITH_AES_256_CBC_SHA", "TLS_DHE_DSS_WITH_3DES_EDE_CBC_SHA",
        "TLS_DHE_DSS_WITH_CAMELLIA_128_CBC_SHA256", "TLS_DHE_DSS_WITH_CAMELLIA_256_CBC_SHA256",
        "TLS_DHE_DSS_WITH_CAMELLIA_128_CBC_SHA", "TLS_DHE_DSS_WITH_CAMELLIA_256_CBC_SHA",
        "TLS_DHE_DSS_WITH_SEED_CBC_SHA", "TLS_DHE_DSS_WITH_CAMELLIA_128_GCM_SHA256",
        "TLS_DHE_DSS_WITH_CAMELLIA_256_GCM_SHA384", "TLS_DHE_DSS_WITH_ARIA_128_GCM_SHA256",
        "TLS_DHE_DSS_WITH_ARIA_256_GCM_SHA384", "TLS_DHE_DSS_WITH_ARIA_128_CBC_SHA256",
        "TLS_DHE_DSS_WITH_ARIA_256_CBC_SHA384", "TLS_RSA_WITH_AES_128_GCM_SHA256", "TLS_RSA_WITH_AES_256_GCM_SHA384",
        "TLS_RSA_WITH_AES_128_CCM", "TLS_RSA_WITH_AES_256_CCM", "TLS_RSA_WITH_AES_128_CCM_8",
        "TLS_RSA_WITH_AES_256_CCM_8", "TLS_RSA_WITH_AES_128_CBC_SHA256", "TLS_RSA_WITH_AES_256_CBC_SHA256",
        "TLS_RSA_WITH_AES_128_CBC_SHA", "TLS_RSA_WITH_AES_256_CBC_SHA", "TLS_RSA_WITH_3DES_EDE_CBC_SHA",
        "TLS_RSA_WITH_CAMELLIA_128_CBC_SHA256", "TLS_RSA_WITH_CAMELLIA_256_CBC_SHA256",
        "TLS_RSA_WITH_CAMELLIA_128_CBC_SHA", "TLS_RSA_WITH_CAMELLIA_256_CBC_SHA", "TLS_RSA_WITH_SEED_CBC_SHA",
        "TLS_RSA_WITH_CAMELLIA_128_GCM_SHA256", "TLS_RSA_WITH_CAMELLIA_256_GCM_SHA384",
        "TLS_RSA_WITH_ARIA_128_GCM_SHA256", "TLS_RSA_WITH_ARIA_256_GCM_SHA384", "TLS_RSA_WITH_ARIA_128_CBC_SHA256",
        "TLS_RSA_WITH_ARIA_256_CBC_SHA384", "TLS_ECDH_ECDSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDH_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDH_ECDSA_WITH_AES_128_CBC_SHA256",
        "TLS_ECDH_ECDSA_WITH_AES_256_CBC_SHA384", "TLS_ECDH_ECDSA_WITH_AES_128_CBC_SHA",
        "TLS_ECDH_ECDSA_WITH_AES_256_CBC_SHA", "TLS_ECDH_ECDSA_WITH_3DES_EDE_CBC_SHA",
        "TLS_ECDH_ECDSA_WITH_CAMELLIA_128_CBC_SHA256", "TLS_ECDH_ECDSA_WITH_CAMELLIA_256_CBC_SHA384",
        "TLS_ECDH_ECDSA_WITH_CAMELLIA_128_GCM_SHA256", "TLS_ECDH_ECDSA_WITH_CAMELLIA_256_GCM_SHA384",
        "TLS_ECDH_ECDSA_WITH_ARIA_128_GCM_SHA256", "TLS_ECDH_ECDSA_WITH_ARIA_256_GCM_SHA384",
        "TLS_ECDH_ECDSA_WITH_ARIA_128_CBC_SHA256", "TLS_ECDH_ECDSA_WITH_ARIA_256_CBC_SHA384",
        "TLS_ECDH_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDH_RSA_WITH_AES_256_GCM_SHA384",
        "TLS_ECDH_RSA_WITH_AES_128_CBC_SHA256", "TLS_ECDH_RSA_WITH_AES_256_CBC_SHA384",
        "TLS_ECDH_RSA_WITH_AES_128_CBC_SHA", "TLS_ECDH_RSA_WITH_AES_256_CBC_SHA", "TLS_ECDH_RSA_WITH_3DES_EDE_CBC_SHA",
        "TLS_ECDH_RSA_WITH_CAMELLIA_128_CBC_SHA256", "TLS_ECDH_RSA_WITH_CAMELLIA_256_CBC_SHA384",
        "TLS_ECDH_RSA_WITH_CAMELLIA_128_GCM_SHA256", "TLS_ECDH_RSA_WITH_CAMELLIA_256_GCM_SHA384",
        "TLS_ECDH_RSA_WITH_ARIA_128_GCM_SHA256", "TLS_ECDH_RSA_WITH_ARIA_256_GCM_SHA384",
        "TLS_ECDH_RSA_WITH_ARIA_128_CBC_SHA256", "TLS_ECDH_RSA_WITH_ARIA_256_CBC_SHA384",
        "TLS_DH_RSA_WITH_AES_128_GCM_SHA256", "TLS_DH_RSA_WITH_AES_256_GCM_SHA384",
        "TLS_DH_RSA_WITH_AES_128_CBC_SHA256", "TLS_DH_RSA_WITH_AES_256_CBC_SHA256", "TLS_DH_RSA_WITH_AES_128_CBC_SHA",
        "TLS_DH_RSA_WITH_AES_256_CBC_SHA", "TLS_DH_RSA_WITH_3DES_EDE_CBC_SHA",
        "TLS_DH_RSA_WITH_CAMELLIA_128_CBC_SHA256", "TLS_DH_RSA_WITH_CAMELLIA_256_CBC_SHA256",
        "TLS_DH_RSA_WITH_CAMELLIA_128_CBC_SHA", "TLS_DH_RSA_WITH_CAMELLIA_256_CBC_SHA", "TLS_DH_RSA_WITH_SEED_CBC_SHA",
        "TLS_DH_RSA_WITH_CAMELLIA_128_GCM_SHA256", "TLS_DH_RSA_WITH_CAMELLIA_256_GCM_SHA384",
        "TLS_DH_RSA_WITH_ARIA_128_GCM_SHA256", "TLS_DH_RSA_WITH_ARIA_256_GCM_SHA384",
        "TLS_DH_RSA_WITH_ARIA_128_CBC_SHA256", "TLS_DH_RSA_WITH_ARIA_256_CBC_SHA384",
        "TLS_DH_DSS_WITH_AES_128_GCM_SHA256", "TLS_DH_DSS_WITH_AES_256_GCM_SHA384",
        "TLS_DH_DSS_WITH_AES_128_CBC_SHA256", "TLS_DH_DSS_WITH_AES_256_CBC_SHA256", "TLS_DH_DSS_WITH_AES_128_CBC_SHA",
        "TLS_DH_DSS_WITH_AES_256_CBC_SHA", "TLS_DH_DSS_WITH_3DES_EDE_CBC_SHA",
        "TLS_DH_DSS_WITH_CAMELLIA_128_CBC_SHA256", "TLS_DH_DSS_WITH_CAMELLIA_256_CBC_SHA256",
        "TLS_DH_DSS_WITH_CAMELLIA_128_CBC_SHA", "TLS_DH_DSS_WITH_CAMELLIA_256_CBC_SHA", "TLS_DH_DSS_WITH_SEED_CBC_SHA",
        "TLS_DH_DSS_WITH_CAMELLIA_128_GCM_SHA256", "TLS_DH_DSS_WITH_CAMELLIA_256_GCM_SHA384",
        "TLS_DH_DSS_WITH_ARIA_128_GCM_SHA256", "TLS_DH_DSS_WITH_ARIA_256_GCM_SHA384",
        "TLS_DH_DSS_WITH_ARIA_128_CBC_SHA256", "TLS_DH_DSS_WITH_ARIA_256_CBC_SHA384"
      ]
    },
    "tls-group": {
      "description": "A key exchange group by its IANA name.",
      "$comment": "From the registry `TLS Parameters` of IANA (https://www.iana.org/assignments/tls-parameters), without what is reserved, obsolete or no named group.",
      "x-hawser-noun": "the IANA name of a key exchange group",
      "enum": [
        "x25519", "secp256r1", "secp384r1", "secp521r1", "x448", "X25519MLKEM768", "SecP256r1MLKEM768",
        "SecP384r1MLKEM1024", "curveSM2MLKEM768", "MLKEM512", "MLKEM768", "MLKEM1024", "ffdhe2048", "ffdhe3072",
        "ffdhe4096", "ffdhe6144", "ffdhe8192", "brainpoolP256r1", "brainpoolP384r1", "brainpoolP512r1",
        "brainpoolP256r1tls13", "brainpoolP384r1tls13", "brainpoolP512r1tls13", "curveSM2", "GC256A", "GC256B",
        "GC256C", "GC256D", "GC512A", "GC512B", "GC512C", "secp256k1", "secp224r1", "secp224k1", "secp192r1",
        "secp192k1", "secp160r1", "secp160r2", "secp160k1", "sect571r1", "sect571k1", "sect409r1", "sect409k1",
        "sect283r1", "sect283k1", "sect239k1", "sect233r1", "sect233k1", "sect193r1", "sect193r2", "sect163r1",
        "sect163r2", "sect163k1"
      ]
    },
    "tls-signature-scheme": {
      "description": "A signature scheme of the handshake by its IANA name.",
      "$comment": "From the registry `TLS Parameters` of IANA (https://www.iana.org/assignments/tls-parameters). Left out are SHA-1 (RFC 9155) and schemes for client certificates and raw keys alone.",
      "x-hawser-noun": "the IANA name of a signature scheme that TLS still allows a server",
      "enum": [
        "ecdsa_secp256r1_sha256", "ecdsa_secp384r1_sha384", "ecdsa_secp521r1_sha512", "ed25519", "ed448",
        "rsa_pss_rsae_sha256", "rsa_pss_rsae_sha384", "rsa_pss_rsae_sha512", "rsa_pss_pss_sha256", "rsa_pss_pss_sha384",
        "rsa_pss_pss_sha512", "rsa_pkcs1_sha256", "rsa_pkcs1_sha384", "rsa_pkcs1_sha512", "mldsa44", "mldsa65",
        "mldsa87", "ecdsa_brainpoolP256r1tls13_sha256", "ecdsa_brainpoolP384r1tls13_sha384",
        "ecdsa_brainpoolP512r1tls13_sha512", "sm2sig_sm3", "gostr34102012_256a", "gostr34102012_256b",
        "gostr34102012_256c", "gostr34102012_256d", "gostr34102012_512a", "gostr34102012_512b", "gostr34102012_512c"
      ]
    },
    "application-protocol": {
      "description": "An application protocol by its name in ALPN (RFC 7301), at most 255 octets.",
      "type": "string",
      "minLength": 1,
      "maxLength": 255,
      "examples": ["h2"]
    },
    "check-name": {
      "description": "A check that the program registers: an id that is none of the words of `report-only`.",
      "type": "string",
      "allOf": [
        { "$ref": "#/definitions/id" },
        { "not": { "enum": ["pins", "revocation", "transparency", "tls", "keys", "signatures", "lifetime", "all"] } }
      ],
      "examples": ["device-attestation"]
    },
    "tls-fields": {
      "description": "Demands on the connection.",
      "x-hawser-noun": "`tls`",
      "type": "object",
      "additionalProperties": false,
      "minProperties": 1,
      "x-hawser-absent": {
        "cipher-suites": "the TLS library's",
        "groups": "the TLS library's",
        "signature-schemes": "the TLS library's",
        "alpn": "any"
      },
      "properties": {
        "minimum-version": {
          "description": "The oldest TLS version that is taken; below `tls1.2` only a waiver goes.",
          "x-hawser-number": 11,
          "x-hawser-property": "tls.minimumVersion",
          "x-hawser-stricter": "larger",
          "$ref": "#/definitions/tls-version",
          "default": "tls1.2",
          "examples": ["tls1.3"]
        },
        "maximum-version": {
          "description": "The newest TLS version that is taken.",
          "x-hawser-number": 12,
          "x-hawser-property": "tls.maximumVersion",
          "x-hawser-stricter": "smaller",
          "$ref": "#/definitions/tls-version",
          "default": "tls1.3",
          "examples": ["tls1.3"]
        },
        "forward-secrecy": {
          "description": "Whether the key exchange must have forward secrecy.",
          "x-hawser-number": 31,
          "x-hawser-property": "tls.requiresForwardSecrecy",
          "x-hawser-stricter": "larger",
          "$ref": "#/definitions/demand",
          "default": "not-required",
          "examples": ["required"]
        },
        "cipher-suites": {
          "description": "IANA names of cipher suites, in order of preference.",
          "x-hawser-number": 32,
          "x-hawser-property": "tls.cipherSuites",
          "x-hawser-stricter": "subset",
          "type": "array",
          "items": { "$ref": "#/definitions/tls-cipher-suite" },
          "minItems": 1,
          "uniqueItems": true,
          "examples": [["TLS_AES_128_GCM_SHA256"]]
        },
        "groups": {
          "description": "IANA names of key exchange groups, in order of preference.",
          "x-hawser-number": 33,
          "x-hawser-property": "tls.groups",
          "x-hawser-stricter": "subset",
          "type": "array",
          "items": { "$ref": "#/definitions/tls-group" },
          "minItems": 1,
          "uniqueItems": true,
          "examples": [["x25519"]]
        },
        "signature-schemes": {
          "description": "IANA names of signature schemes, in order of preference.",
          "x-hawser-number": 34,
          "x-hawser-property": "tls.signatureSchemes",
          "x-hawser-stricter": "subset",
          "type": "array",
          "items": { "$ref": "#/definitions/tls-signature-scheme" },
          "minItems": 1,
          "uniqueItems": true,
          "examples": [["ed25519"]]
        },
        "alpn": {
          "description": "Application protocols, in order of preference.",
          "x-hawser-number": 35,
          "x-hawser-property": "tls.alpn",
          "x-hawser-stricter": "subset",
          "type": "array",
          "items": { "$ref": "#/definitions/application-protocol" },
          "minItems": 1,
          "uniqueItems": true,
          "examples": [["h2"]]
        }
      },
      "examples": [{ "minimum-version": "tls1.3" }]
    },
    "forbidden-keys": {
      "description": "Keys that no accepted path may hold; entries of every layer add up.",
      "x-hawser-number": 36,
      "x-hawser-property": "forbiddenKeys",
      "x-hawser-stricter": "superset",
      "type": "object",
      "propertyNames": { "$ref": "#/definitions/id" },
      "additionalProperties": { "$ref": "#/definitions/forbidden-key" },
      "minProperties": 1,
      "examples": [{ "stolen-ca": { "certificate-file": "stolen/ca.pem" } }]
    },
    "forbidden-key": {
      "description": "A key match, and the leaf's notBefore from or until which it is forbidden.",
      "x-hawser-noun": "a forbidden key",
      "type": "object",
      "additionalProperties": false,
      "x-hawser-absent": {
        "spki": "none; exactly one of the four is written",
        "certificate": "none; exactly one of the four is written",
        "spki-file": "none; exactly one of the four is written",
        "certificate-file": "none; exactly one of the four is written",
        "not-before": "none"
      },
      "properties": {
        "spki": { "$ref": "#/definitions/spki-digest" },
        "certificate": { "$ref": "#/definitions/certificate-digest" },
        "spki-file": {
          "description": "A file with a certificate, a public key or a PKCS#10 request, whose key is meant; a path from this file, with `/`.",
          "$ref": "#/definitions/path"
        },
        "certificate-file": {
          "description": "A file with certificates, any one of which is meant as a whole; a path from this file, with `/`.",
          "$ref": "#/definitions/path"
        },
        "not-before": { "$ref": "#/definitions/window" }
      },
      "oneOf": [
        { "required": ["spki"] },
        { "required": ["certificate"] },
        { "required": ["spki-file"] },
        { "required": ["certificate-file"] }
      ],
      "examples": [{ "certificate-file": "stolen/ca.pem" }]
    },
    "checks": {
      "description": "Checks that the program registers by name.",
      "x-hawser-number": 37,
      "x-hawser-property": "checks",
      "x-hawser-stricter": "superset",
      "type": "array",
      "items": { "$ref": "#/definitions/check-name" },
      "minItems": 1,
      "examples": [["device-attestation"]]
    },
    "report-only": {
      "description": "Checks whose violations are reported until a day and reject afterwards; `all`, or a check by its name.",
      "type": "object",
      "propertyNames": { "$ref": "#/definitions/id" },
      "additionalProperties": { "$ref": "#/definitions/report-only-entry" },
      "minProperties": 1,
      "if": { "required": ["all"] },
      "then": { "maxProperties": 1 },
      "examples": [{ "pins": { "until": "2027-02-28" } }]
    },
    "profile-report-only": {
      "description": "Checks whose violations are reported until a day and reject afterwards; pins, and `all`, belong in a rule.",
      "type": "object",
      "propertyNames": { "allOf": [{ "$ref": "#/definitions/id" }, { "not": { "enum": ["pins", "all"] } }] },
      "additionalProperties": { "$ref": "#/definitions/report-only-entry" },
      "minProperties": 1,
      "examples": [{ "lifetime": { "until": "2027-02-28" } }]
    },
    "report-only-entry": {
      "description": "How long a check is only reported.",
      "x-hawser-noun": "an entry of `report-only`",
      "type": "object",
      "required": ["until"],
      "additionalProperties": false,
      "x-hawser-absent": {
        "note": "none"
      },
      "properties": {
        "until": {
          "description": "The last day of reporting; afterwards its violations reject. In UTC; a bare date is the whole day.",
          "$ref": "#/definitions/date"
        },
        "note": {
          "description": "Why it is only reported.",
          "$ref": "#/definitions/text"
        }
      },
      "examples": [{ "until": "2027-02-28" }]
    },
    "waivers": {
      "description": "The only way below the baseline; each with its reason, its owner and its last day.",
      "x-hawser-noun": "`waivers`",
      "type": "object",
      "additionalProperties": false,
      "minProperties": 1,
      "x-hawser-absent": {
        "identity": "none",
        "path": "none",
        "expired": "none",
        "revocation": "none",
        "pins": "none",
        "transparency": "none",
        "tls": "none",
        "keys": "none",
        "signatures": "none",
        "cleartext": "none"
      },
      "properties": {
        "identity": { "$ref": "#/definitions/waiver" },
        "path": { "$ref": "#/definitions/waiver" },
        "expired": { "$ref": "#/definitions/waiver-expired" },
        "revocation": { "$ref": "#/definitions/waiver" },
        "pins": { "$ref": "#/definitions/waiver" },
        "transparency": { "$ref": "#/definitions/waiver" },
        "tls": { "$ref": "#/definitions/waiver-tls" },
        "keys": { "$ref": "#/definitions/waiver-keys" },
        "signatures": { "$ref": "#/definitions/waiver-signatures" },
        "cleartext": { "$ref": "#/definitions/waiver" }
      },
      "examples": [{ "identity": { "reason": "lab rig", "owner": "qa", "until": "2027-01-31" } }]
    },
    "waiver": {
      "description": "A demand let through until a day.",
      "x-hawser-noun": "a waiver",
      "type": "object",
      "required": ["reason", "owner", "until"],
      "additionalProperties": false,
      "x-hawser-absent": {
        "ticket": "none"
      },
      "properties": {
        "reason": {
          "description": "Why the demand is let through; whoever reviews the policy reads it.",
          "$ref": "#/definitions/text",
          "examples": ["lab rig"]
        },
        "owner": {
          "description": "Who answers for the exception: a team or a person.",
          "$ref": "#/definitions/text",
          "examples": ["qa"]
        },
        "until": {
          "description": "The last day of the waiver; afterwards the demand holds again. In UTC; a bare date is the whole day.",
          "$ref": "#/definitions/date",
          "examples": ["2027-01-31"]
        },
        "ticket": {
          "description": "Where the exception is followed up.",
          "$ref": "#/definitions/text",
          "examples": ["SEC-812"]
        }
      },
      "examples": [{ "reason": "lab rig", "owner": "qa", "until": "2027-01-31" }]
    },
    "waiver-expired": {
      "description": "Certificates past their end by at most the tolerance, let through until a day.",
      "x-hawser-noun": "the waiver `expired`",
      "type": "object",
      "required": ["tolerance", "reason", "owner", "until"],
      "additionalProperties": false,
      "x-hawser-absent": {
        "ticket": "none"
      },
      "properties": {
        "tolerance": {
          "description": "How long after its end a certificate is let through, such as `14d`.",
          "$ref": "#/definitions/duration"
        },
        "reason": {
          "description": "Why the demand is let through; whoever reviews the policy reads it.",
          "$ref": "#/definitions/text",
          "examples": ["vendor renews in May"]
        },
        "owner": {
          "description": "Who answers for the exception: a team or a person.",
          "$ref": "#/definitions/text",
          "examples": ["payments"]
        },
        "until": {
          "description": "The last day of the waiver; afterwards the demand holds again. In UTC; a bare date is the whole day.",
          "$ref": "#/definitions/date",
          "examples": ["2027-05-31"]
        },
        "ticket": {
          "description": "Where the exception is followed up.",
          "$ref": "#/definitions/text",
          "examples": ["SEC-812"]
        }
      },
      "examples": [{ "tolerance": "14d", "reason": "vendor renews in May", "owner": "payments", "until": "2027-05-31" }]
    },
    "waiver-tls": {
      "description": "TLS versions below the baseline, let through until a day.",
      "x-hawser-noun": "the waiver `tls`",
      "type": "object",
      "required": ["minimum-version", "reason", "owner", "until"],
      "additionalProperties": false,
      "x-hawser-absent": {
        "ticket": "none"
      },
      "properties": {
        "minimum-version": {
          "description": "The oldest version that is let through.",
          "$ref": "#/definitions/old-tls-version",
          "examples": ["tls1.1"]
        },
        "reason": {
          "description": "Why the demand is let through; whoever reviews the policy reads it.",
          "$ref": "#/definitions/text"
        },
        "owner": {
          "description": "Who answers for the exception: a team or a person.",
          "$ref": "#/definitions/text"
        },
        "until": {
          "description": "The last day of the waiver; afterwards the demand holds again. In UTC; a bare date is the whole day.",
          "$ref": "#/definitions/date"
        },
        "ticket": {
          "description": "Where the exception is followed up.",
          "$ref": "#/definitions/text"
        }
      },
      "examples": [{ "minimum-version": "tls1.1", "reason": "partner migrates", "owner": "mobile", "until": "2027-06-30" }]
    },
    "waiver-keys": {
      "description": "RSA keys below the baseline, let through until a day.",
      "x-hawser-noun": "the waiver `keys`",
      "type": "object",
      "required": ["rsa-minimum", "reason", "owner", "until"],
      "additionalProperties": false,
      "x-hawser-absent": {
        "ticket": "none"
      },
      "properties": {
        "rsa-minimum": {
          "description": "Bits.",
          "type": "integer",
          "minimum": 1024,
          "maximum": 2047,
          "examples": [1536]
        },
        "reason": {
          "description": "Why the demand is let through; whoever reviews the policy reads it.",
          "$ref": "#/definitions/text"
        },
        "owner": {
          "description": "Who answers for the exception: a team or a person.",
          "$ref": "#/definitions/text"
        },
        "until": {
          "description": "The last day of the waiver; afterwards the demand holds again. In UTC; a bare date is the whole day.",
          "$ref": "#/definitions/date"
        },
        "ticket": {
          "description": "Where the exception is followed up.",
          "$ref": "#/definitions/text"
        }
      },
      "examples": [{ "rsa-minimum": 1536, "reason": "old rig", "owner": "qa", "until": "2027-06-30" }]
    },
    "waiver-signatures": {
      "description": "Signature hashes below the baseline, let through until a day.",
      "x-hawser-noun": "the waiver `signatures`",
      "type": "object",
      "required": ["minimum-hash", "reason", "owner", "until"],
      "additionalProperties": false,
      "x-hawser-absent": {
        "ticket": "none"
      },
      "properties": {
        "minimum-hash": {
          "description": "The weakest hash let through.",
          "const": "sha1",
          "examples": ["sha1"]
        },
        "reason": {
          "description": "Why the demand is let through; whoever reviews the policy reads it.",
          "$ref": "#/definitions/text"
        },
        "owner": {
          "description": "Who answers for the exception: a team or a person.",
          "$ref": "#/definitions/text"
        },
        "until": {
          "description": "The last day of the waiver; afterwards the demand holds again. In UTC; a bare date is the whole day.",
          "$ref": "#/definitions/date"
        },
        "ticket": {
          "description": "Where the exception is followed up.",
          "$ref": "#/definitions/text"
        }
      },
      "examples": [{ "minimum-hash": "sha1", "reason": "old rig", "owner": "qa", "until": "2027-06-30" }]
    }
  }
}

"""#
    }
}
