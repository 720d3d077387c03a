// Generated from grammar/policy.schema.json by `swift run generate-tables`. Do not edit.
// swift-format-ignore-file

/// The keys of every map of the language.
package enum PolicyFields {
    /// The shape of a policy file: every key of the language with its type, default and an example.
    package static let policy = MapShape(
        "policy", "a policy file",
        [
            FieldShape("hawser", isRequired: true, example: "hawser: 1"),
            FieldShape("default", example: "default: deny"),
            FieldShape("anchors", example: "anchors: { corp: { files: [anchors/corp.pem] } }"),
            FieldShape(
                "pins",
                example: "pins: { api: { keys: { now: { spki-file: pins/now.pem } }, backups: { next: { spki-file: pins/next.pem } } } }"),
            FieldShape(
                "profiles",
                example: "profiles: { strict: { keys: { rsa-minimum: 3072 } } }"),
            FieldShape(
                "rules",
                example: "rules: { api: { hosts: [\"api.acme.example\"], anchors: [system] } }"),
        ])
    /// What hosts that no rule matches are judged by.
    package static let defaultBody = MapShape(
        "default-body", "`default`",
        [
            FieldShape("anchors", isRequired: true, example: "anchors: [system]"),
            FieldShape("pins", example: "pins: [acme-api]"),
            FieldShape("profile", example: "profile: strict"),
            FieldShape(
                "identity",
                example: "identity: { reference: listed, dns: [sensor.fleet.example] }",
                map: identity),
            FieldShape("owner", example: "owner: web"),
            FieldShape("note", example: "note: \"renewed by hand\""),
            FieldShape("report-only", example: "report-only: { pins: { until: 2027-02-28 } }"),
            FieldShape(
                "waivers",
                example: "waivers: { identity: { reason: \"lab rig\", owner: qa, until: 2027-01-31 } }",
                map: waivers),
            FieldShape("path", example: "path: { maximum-intermediates: 3 }", map: pathFields),
            FieldShape("keys", example: "keys: { rsa-minimum: 3072 }", map: keysFields),
            FieldShape(
                "signatures",
                example: "signatures: { minimum-hash: sha384 }",
                map: signaturesFields),
            FieldShape("validity", example: "validity: { clock-skew: 5min }", map: validityFields),
            FieldShape(
                "revocation",
                example: "revocation: { preset: require }",
                map: revocationFields),
            FieldShape(
                "transparency",
                example: "transparency: { preset: chrome, log-list: ct/log_list.json }",
                map: transparencyFields),
            FieldShape("tls", example: "tls: { minimum-version: tls1.3 }", map: tlsFields),
            FieldShape(
                "forbidden-keys",
                example: "forbidden-keys: { stolen-ca: { spki-file: stolen/ca.pem } }"),
            FieldShape("checks", example: "checks: [device-attestation]"),
        ])
    /// Which hosts are judged through which anchors, with which pins, how strictly.
    package static let rule = MapShape(
        "rule", "a rule",
        [
            FieldShape(
                "hosts",
                isRequired: true,
                example: "hosts: [\"api.acme.example\", \"**.api.acme.example\"]"),
            FieldShape("anchors", isRequired: true, example: "anchors: [system]"),
            FieldShape("pins", example: "pins: [acme-api]"),
            FieldShape("profile", example: "profile: strict"),
            FieldShape(
                "identity",
                example: "identity: { reference: listed, dns: [sensor.fleet.example] }",
                map: identity),
            FieldShape("owner", example: "owner: web"),
            FieldShape("note", example: "note: \"renewed by hand\""),
            FieldShape("report-only", example: "report-only: { pins: { until: 2027-02-28 } }"),
            FieldShape(
                "waivers",
                example: "waivers: { identity: { reason: \"lab rig\", owner: qa, until: 2027-01-31 } }",
                map: waivers),
            FieldShape("path", example: "path: { maximum-intermediates: 3 }", map: pathFields),
            FieldShape("keys", example: "keys: { rsa-minimum: 3072 }", map: keysFields),
            FieldShape(
                "signatures",
                example: "signatures: { minimum-hash: sha384 }",
                map: signaturesFields),
            FieldShape("validity", example: "validity: { clock-skew: 5min }", map: validityFields),
            FieldShape(
                "revocation",
                example: "revocation: { preset: require }",
                map: revocationFields),
            FieldShape(
                "transparency",
                example: "transparency: { preset: chrome, log-list: ct/log_list.json }",
                map: transparencyFields),
            FieldShape("tls", example: "tls: { minimum-version: tls1.3 }", map: tlsFields),
            FieldShape(
                "forbidden-keys",
                example: "forbidden-keys: { stolen-ca: { spki-file: stolen/ca.pem } }"),
            FieldShape("checks", example: "checks: [device-attestation]"),
        ])
    /// Certificates that a path may end at: at least one of `include`, `files` and `pem`.
    package static let anchorSet = MapShape(
        "anchor-set", "an anchor set",
        [
            FieldShape("include", example: "include: [system]"),
            FieldShape("files", example: "files: [anchors/corp.pem]"),
            FieldShape("pem", example: "pem: |"),
            FieldShape("only", example: "only: { kept: { certificate-file: anchors/kept.pem } }"),
            FieldShape(
                "exclude",
                example: "exclude: { retired: { certificate-file: anchors/retired.pem } }"),
            FieldShape("kind", example: "kind: intermediate"),
            FieldShape("intermediates", example: "intermediates: [anchors/cross-sign.pem]"),
            FieldShape("standard", example: "standard: web-pki"),
            FieldShape("ignore-limits", example: "ignore-limits: [dates]"),
            FieldShape(
                "constraints",
                example: "constraints: { permitted-names: [\"**.bank.example\"] }",
                map: anchorConstraints),
            FieldShape("owner", example: "owner: web"),
            FieldShape("note", example: "note: \"renewed by hand\""),
        ])
    /// Limits on what the members of a set may vouch for, joined by AND.
    package static let anchorConstraints = MapShape(
        "anchor-constraints", "`constraints`",
        [
            FieldShape("permitted-names", example: "permitted-names: [\"**.bank.example\"]"),
            FieldShape("excluded-names", example: "excluded-names: [\"**.bank.example\"]"),
            FieldShape("permitted-uris", example: "permitted-uris: [\"spiffe://mesh.example/**\"]"),
            FieldShape("not-before", example: "not-before: { until: 2026-12-31 }", map: window),
            FieldShape("sct", example: "sct: { until: 2026-12-31 }", map: window),
            FieldShape("key-purposes", example: "key-purposes: [server-auth]"),
            FieldShape("maximum-lifetime", example: "maximum-lifetime: 14d"),
        ])
    /// A span of time with `from`, `until` or both; a bare date is included whole.
    package static let window = MapShape(
        "window", "a window",
        [
            FieldShape("from", example: "from: 2027-06-30"),
            FieldShape("until", example: "until: 2027-06-30"),
        ])
    /// Exactly one of four ways to name a key or a certificate.
    package static let keyMatch = MapShape(
        "key-match", "a key match",
        [
            FieldShape(
                "spki",
                example: "spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="),
            FieldShape(
                "certificate",
                example: "certificate: sha256:433965c447089e3c2b38d9c652574e8e166edcacc87a0813555ea01320d2dc12"),
            FieldShape("spki-file", example: "spki-file: pins/next.csr.pem"),
            FieldShape("certificate-file", example: "certificate-file: pins/next.cer"),
        ])
    /// Keys of which the accepted path must hold some, and spares for them.
    package static let pinSet = MapShape(
        "pin-set", "a pin set",
        [
            FieldShape(
                "keys",
                isRequired: true,
                example: "keys: { issuing-2026: { spki-file: pins/issuing-2026.pem, at: ca } }"),
            FieldShape(
                "backups",
                isRequired: true,
                example: "backups: { offline: { spki-file: pins/offline.pem } }"),
            FieldShape("match", example: "match: any"),
            FieldShape("warn-from", example: "warn-from: 2027-04-30"),
            FieldShape("enforce-until", example: "enforce-until: 2027-06-30"),
            FieldShape("on-expiry", example: "on-expiry: fail"),
            FieldShape("owner", example: "owner: web"),
            FieldShape("note", example: "note: \"renewed by hand\""),
        ])
    /// A key match and the place on the path where it must lie.
    package static let pin = MapShape(
        "pin", "a pin",
        [
            FieldShape(
                "spki",
                example: "spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="),
            FieldShape(
                "certificate",
                example: "certificate: sha256:433965c447089e3c2b38d9c652574e8e166edcacc87a0813555ea01320d2dc12"),
            FieldShape("spki-file", example: "spki-file: pins/next.csr.pem"),
            FieldShape("certificate-file", example: "certificate-file: pins/next.cer"),
            FieldShape("at", example: "at: ca"),
            FieldShape("note", example: "note: \"renewed by hand\""),
        ])
    /// Which names the certificate must present (RFC 9525).
    package static let identity = MapShape(
        "identity", "`identity`",
        [
            FieldShape("reference", example: "reference: listed"),
            FieldShape("dns", example: "dns: [sensor.fleet.example]"),
            FieldShape("ip", example: "ip: [10.40.0.9]"),
            FieldShape("email", example: "email: [ops@fleet.example]"),
            FieldShape("uri", example: "uri: [\"spiffe://mesh.example/ns/pay/*\"]"),
        ])
    /// Named strictness: fields that hold wherever a rule under the profile writes none.
    package static let profile = MapShape(
        "profile", "a profile",
        [
            FieldShape("extends", example: "extends: baseline"),
            FieldShape("path", example: "path: { maximum-intermediates: 3 }", map: pathFields),
            FieldShape("keys", example: "keys: { rsa-minimum: 3072 }", map: keysFields),
            FieldShape(
                "signatures",
                example: "signatures: { minimum-hash: sha384 }",
                map: signaturesFields),
            FieldShape("validity", example: "validity: { clock-skew: 5min }", map: validityFields),
            FieldShape(
                "revocation",
                example: "revocation: { preset: require }",
                map: revocationFields),
            FieldShape(
                "transparency",
                example: "transparency: { preset: chrome, log-list: ct/log_list.json }",
                map: transparencyFields),
            FieldShape("tls", example: "tls: { minimum-version: tls1.3 }", map: tlsFields),
            FieldShape(
                "forbidden-keys",
                example: "forbidden-keys: { stolen-ca: { spki-file: stolen/ca.pem } }"),
            FieldShape("checks", example: "checks: [device-attestation]"),
            FieldShape("report-only", example: "report-only: { lifetime: { until: 2027-02-28 } }"),
        ])
    /// Demands on the path as a whole.
    package static let pathFields = MapShape(
        "path-fields", "`path`",
        [
            FieldShape("maximum-intermediates", example: "maximum-intermediates: 3"),
            FieldShape("key-purposes", example: "key-purposes: [server-auth]"),
            FieldShape("certificate-policies", example: "certificate-policies: [2.23.140.1.2.2]"),
            FieldShape("explicit-policy", example: "explicit-policy: required"),
            FieldShape("policy-mapping", example: "policy-mapping: inhibited"),
            FieldShape("any-policy", example: "any-policy: inhibited"),
            FieldShape("issuance", example: "issuance: enforce"),
        ])
    /// Demands on the public keys of the path.
    package static let keysFields = MapShape(
        "keys-fields", "`keys`",
        [
            FieldShape("types", example: "types: [p256, ed25519]"),
            FieldShape("leaf-types", example: "leaf-types: [p384]"),
            FieldShape("rsa-minimum", example: "rsa-minimum: 3072"),
        ])
    /// Demands on the signatures of the path.
    package static let signaturesFields = MapShape(
        "signatures-fields", "`signatures`",
        [
            FieldShape("minimum-hash", example: "minimum-hash: sha384"),
            FieldShape("schemes", example: "schemes: [ecdsa, ed25519]"),
        ])
    /// Demands on validity periods.
    package static let validityFields = MapShape(
        "validity-fields", "`validity`",
        [
            FieldShape("clock-skew", example: "clock-skew: 5min"),
            FieldShape("maximum-lifetime", example: "maximum-lifetime: 398d"),
            FieldShape(
                "lifetime-steps",
                example: "lifetime-steps: [{ issued-from: 2026-03-15, maximum: 200d }]"),
        ])
    /// The maximum lifetime of certificates issued from a day on.
    package static let lifetimeStep = MapShape(
        "lifetime-step", "a lifetime step",
        [
            FieldShape("issued-from", isRequired: true, example: "issued-from: 2027-06-30"),
            FieldShape("maximum", isRequired: true, example: "maximum: 14d"),
        ])
    /// Demands on evidence of revocation.
    package static let revocationFields = MapShape(
        "revocation-fields", "`revocation`",
        [
            FieldShape("preset", example: "preset: require"),
            FieldShape("causes", example: "causes: { unreachable: fail }", map: revocationCauses),
            FieldShape("sources", example: "sources: [stapled, crl]"),
            FieldShape("scope", example: "scope: chain"),
            FieldShape("network", example: "network: prefetch"),
            FieldShape("maximum-age", example: "maximum-age: 26h"),
            FieldShape("short-lived", example: "short-lived: 2d"),
            FieldShape(
                "crlite",
                example: "crlite: { maximum-age: 3d, grace: 10d }",
                map: revocationCrlite),
        ])
    /// Demands on filters of CRLite.
    package static let revocationCrlite = MapShape(
        "revocation-crlite", "`revocation.crlite`",
        [
            FieldShape("maximum-age", example: "maximum-age: 3d"),
            FieldShape("grace", example: "grace: 10d"),
        ])
    /// What each cause of missing evidence does; refines the preset.
    package static let revocationCauses = MapShape(
        "revocation-causes", "`revocation.causes`",
        [
            FieldShape("unknown", example: "unknown: fail"),
            FieldShape("no-endpoint", example: "no-endpoint: fail"),
            FieldShape("unreachable", example: "unreachable: fail"),
            FieldShape("stale", example: "stale: fail"),
            FieldShape("malformed", example: "malformed: fail"),
            FieldShape("not-covered", example: "not-covered: fail"),
            FieldShape("not-enrolled", example: "not-enrolled: fail"),
        ])
    /// Demands on signed certificate timestamps.
    package static let transparencyFields = MapShape(
        "transparency-fields", "`transparency`",
        [
            FieldShape("preset", example: "preset: chrome"),
            FieldShape("minimum-scts", example: "minimum-scts: 2"),
            FieldShape("minimum-operators", example: "minimum-operators: 2"),
            FieldShape("log-list", example: "log-list: ct/log_list.json"),
            FieldShape("log-list-maximum-age", example: "log-list-maximum-age: 30d"),
            FieldShape("when-stale", example: "when-stale: fail"),
            FieldShape("exempt-anchors", example: "exempt-anchors: [inspection]"),
        ])
    /// Demands on the connection.
    package static let tlsFields = MapShape(
        "tls-fields", "`tls`",
        [
            FieldShape("minimum-version", example: "minimum-version: tls1.3"),
            FieldShape("maximum-version", example: "maximum-version: tls1.3"),
            FieldShape("forward-secrecy", example: "forward-secrecy: required"),
            FieldShape(
                "cipher-suites",
                example: "cipher-suites: [TLS_AES_128_GCM_SHA256, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256]"),
            FieldShape("groups", example: "groups: [x25519]"),
            FieldShape("signature-schemes", example: "signature-schemes: [ed25519]"),
            FieldShape("alpn", example: "alpn: [h2]"),
        ])
    /// A key match, and the leaf's notBefore from or until which it is forbidden.
    package static let forbiddenKey = MapShape(
        "forbidden-key", "a forbidden key",
        [
            FieldShape(
                "spki",
                example: "spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="),
            FieldShape(
                "certificate",
                example: "certificate: sha256:433965c447089e3c2b38d9c652574e8e166edcacc87a0813555ea01320d2dc12"),
            FieldShape("spki-file", example: "spki-file: anchors/corp.pem"),
            FieldShape("certificate-file", example: "certificate-file: anchors/corp.pem"),
            FieldShape("not-before", example: "not-before: { until: 2026-12-31 }", map: window),
        ])
    /// How long a check is only reported.
    package static let reportOnlyEntry = MapShape(
        "report-only-entry", "an entry of `report-only`",
        [
            FieldShape("until", isRequired: true, example: "until: 2027-06-30"),
            FieldShape("note", example: "note: \"measured first\""),
        ])
    /// The only way below the baseline; each with its reason, its owner and its last day.
    package static let waivers = MapShape(
        "waivers", "`waivers`",
        [
            FieldShape(
                "identity",
                example: "identity: { reason: \"lab rig\", owner: qa, until: 2027-01-31 }",
                map: waiver),
            FieldShape(
                "path",
                example: "path: { reason: \"lab rig\", owner: qa, until: 2027-01-31 }",
                map: waiver),
            FieldShape(
                "expired",
                example: "expired: { tolerance: 14d, reason: \"vendor renews in May\", owner: payments, until: 2027-05-31 }",
                map: waiverExpired),
            FieldShape(
                "revocation",
                example: "revocation: { reason: \"lab rig\", owner: qa, until: 2027-01-31 }",
                map: waiver),
            FieldShape(
                "pins",
                example: "pins: { reason: \"lab rig\", owner: qa, until: 2027-01-31 }",
                map: waiver),
            FieldShape(
                "transparency",
                example: "transparency: { reason: \"lab rig\", owner: qa, until: 2027-01-31 }",
                map: waiver),
            FieldShape(
                "tls",
                example: "tls: { minimum-version: tls1.1, reason: \"partner migrates\", owner: mobile, until: 2027-06-30 }",
                map: waiverTls),
            FieldShape(
                "keys",
                example: "keys: { rsa-minimum: 1536, reason: \"old rig\", owner: qa, until: 2027-06-30 }",
                map: waiverKeys),
            FieldShape(
                "issuance",
                example: "issuance: { demands: [subject-key-identifier-missing], reason: \"old rig\", owner: qa, until: 2027-06-30 }",
                map: waiverIssuance),
            FieldShape(
                "signatures",
                example: "signatures: { minimum-hash: sha1, reason: \"old rig\", owner: qa, until: 2027-06-30 }",
                map: waiverSignatures),
            FieldShape(
                "cleartext",
                example: "cleartext: { reason: \"lab rig\", owner: qa, until: 2027-01-31 }",
                map: waiver),
        ])
    /// A demand let through until a day.
    package static let waiver = MapShape(
        "waiver", "a waiver",
        [
            FieldShape("reason", isRequired: true, example: "reason: \"lab rig\""),
            FieldShape("owner", isRequired: true, example: "owner: qa"),
            FieldShape("until", isRequired: true, example: "until: 2027-01-31"),
            FieldShape("ticket", example: "ticket: SEC-812"),
        ])
    /// Certificates past their end by at most the tolerance, let through until a day.
    package static let waiverExpired = MapShape(
        "waiver-expired", "the waiver `expired`",
        [
            FieldShape("tolerance", isRequired: true, example: "tolerance: 14d"),
            FieldShape("reason", isRequired: true, example: "reason: \"vendor renews in May\""),
            FieldShape("owner", isRequired: true, example: "owner: payments"),
            FieldShape("until", isRequired: true, example: "until: 2027-05-31"),
            FieldShape("ticket", example: "ticket: SEC-812"),
        ])
    /// TLS versions below the baseline, let through until a day.
    package static let waiverTls = MapShape(
        "waiver-tls", "the waiver `tls`",
        [
            FieldShape("minimum-version", isRequired: true, example: "minimum-version: tls1.1"),
            FieldShape("reason", isRequired: true, example: "reason: \"safe, sealed bag 7\""),
            FieldShape("owner", isRequired: true, example: "owner: \"safe, sealed bag 7\""),
            FieldShape("until", isRequired: true, example: "until: 2027-06-30"),
            FieldShape("ticket", example: "ticket: \"safe, sealed bag 7\""),
        ])
    /// RSA keys below the baseline, let through until a day.
    package static let waiverKeys = MapShape(
        "waiver-keys", "the waiver `keys`",
        [
            FieldShape("rsa-minimum", isRequired: true, example: "rsa-minimum: 1536"),
            FieldShape("reason", isRequired: true, example: "reason: \"safe, sealed bag 7\""),
            FieldShape("owner", isRequired: true, example: "owner: \"safe, sealed bag 7\""),
            FieldShape("until", isRequired: true, example: "until: 2027-06-30"),
            FieldShape("ticket", example: "ticket: \"safe, sealed bag 7\""),
        ])
    /// Demands on issuers whose breach passes until a day, under `path.issuance: enforce`.
    package static let waiverIssuance = MapShape(
        "waiver-issuance", "the waiver `issuance`",
        [
            FieldShape(
                "demands",
                isRequired: true,
                example: "demands: [subject-key-identifier-missing]"),
            FieldShape("reason", isRequired: true, example: "reason: \"safe, sealed bag 7\""),
            FieldShape("owner", isRequired: true, example: "owner: \"safe, sealed bag 7\""),
            FieldShape("until", isRequired: true, example: "until: 2027-06-30"),
            FieldShape("ticket", example: "ticket: \"safe, sealed bag 7\""),
        ])
    /// Signature hashes below the baseline, let through until a day.
    package static let waiverSignatures = MapShape(
        "waiver-signatures", "the waiver `signatures`",
        [
            FieldShape("minimum-hash", isRequired: true, example: "minimum-hash: sha1"),
            FieldShape("reason", isRequired: true, example: "reason: \"safe, sealed bag 7\""),
            FieldShape("owner", isRequired: true, example: "owner: \"safe, sealed bag 7\""),
            FieldShape("until", isRequired: true, example: "until: 2027-06-30"),
            FieldShape("ticket", example: "ticket: \"safe, sealed bag 7\""),
        ])
    /// Every map, in the order of the schema.
    package static let all: [MapShape] = [
        policy,
        defaultBody,
        rule,
        anchorSet,
        anchorConstraints,
        window,
        keyMatch,
        pinSet,
        pin,
        identity,
        profile,
        pathFields,
        keysFields,
        signaturesFields,
        validityFields,
        lifetimeStep,
        revocationFields,
        revocationCrlite,
        revocationCauses,
        transparencyFields,
        tlsFields,
        forbiddenKey,
        reportOnlyEntry,
        waivers,
        waiver,
        waiverExpired,
        waiverTls,
        waiverKeys,
        waiverIssuance,
        waiverSignatures,
    ]
}

/// The closed lists of words of the language.
package enum PolicyWords {
    /// `root`: self-issued CA, also one of version 1, which cannot say that it is a CA; `intermediate`: CA that is not self-issued; `leaf`: any certificate, vouching only for itself.
    package static let anchorKind = ClosedWords(
        "a kind of anchor", ["root", "intermediate", "leaf"],
        weaker: ["root", "intermediate"])
    /// What a path that ends at a member is judged by.
    package static let standardWord = ClosedWords(
        "a standard", ["web-pki", "rfc5280"],
        weaker: ["rfc5280"])
    /// A limit written inside an anchor certificate.
    package static let anchorLimit = ClosedWords(
        "a limit of an anchor", ["dates", "name-constraints", "key-purposes", "path-length"],
        weaker: ["dates", "name-constraints", "key-purposes", "path-length"])
    /// Where on the accepted path a pin must match; `ca` is intermediate or anchor.
    package static let pinPosition = ClosedWords(
        "a place on the path", ["leaf", "intermediate", "anchor", "ca", "any"],
        weaker: ["ca", "any"])
    /// What a mismatch does after `enforce-until`.
    package static let pinExpiry = ClosedWords(
        "what a mismatch does", ["fail", "report", "unpinned"],
        weaker: ["report", "unpinned"])
    /// What the certificate must present: the requested host, one of the listed names instead, or both.
    package static let identityReference = ClosedWords(
        "a reference", ["host", "listed", "host-and-listed"],
        weaker: ["host", "listed"])
    /// A kind of public key.
    package static let keyType = ClosedWords(
        "a key type", ["rsa", "p256", "p384", "p521", "ed25519", "ed448", "mldsa44", "mldsa65", "mldsa87"])
    /// A hash inside a signature, from weak to strong.
    package static let signatureHash = ClosedWords(
        "a signature hash", ["sha256", "sha384", "sha512"],
        weaker: ["sha256", "sha384"])
    /// A signature scheme.
    package static let signatureScheme = ClosedWords(
        "a signature scheme", ["rsa-pkcs1", "rsa-pss", "ecdsa", "ed25519", "ed448", "ml-dsa"])
    /// A key purpose by name.
    package static let keyPurposeWord = ClosedWords(
        "a key purpose", ["server-auth", "client-auth"])
    /// A TLS version at or above the baseline.
    package static let tlsVersion = ClosedWords(
        "a TLS version", ["tls1.2", "tls1.3"],
        weaker: ["tls1.2"])
    /// A TLS version below the baseline.
    package static let oldTlsVersion = ClosedWords(
        "an old TLS version", ["tls1.0", "tls1.1"],
        weaker: ["tls1.0", "tls1.1"])
    /// What a failure does.
    package static let action = ClosedWords(
        "an action", ["fail", "report", "pass"],
        weaker: ["report", "pass"])
    /// Whether something is demanded.
    package static let demand = ClosedWords(
        "a demand", ["required", "not-required"],
        weaker: ["not-required"])
    /// Whether something is allowed.
    package static let permission = ClosedWords(
        "a permission", ["allowed", "inhibited"],
        weaker: ["allowed"])
    /// What a breach of an issuance demand does.
    package static let issuanceWord = ClosedWords(
        "what a breach of an issuance demand does", ["report", "enforce"],
        weaker: ["report"])
    /// A demand that a standard addresses to those who issue certificates.
    package static let issuanceDemand = ClosedWords(
        "an issuance demand", ["serial-not-positive", "serial-too-long", "authority-key-identifier-missing", "subject-key-identifier-missing", "cert-sign-without-ca", "policy-constraints-not-critical", "inhibit-any-policy-not-critical", "subject-alt-name-not-critical", "dns-name-syntax", "subject-alt-name-syntax", "name-constraints-not-critical", "name-constraint-leading-dot", "basic-constraints-not-critical", "root-of-version-1", "sequence-empty", "version-not-3", "unique-identifier-present", "subject-alt-name-missing", "subject-alt-name-critical", "subject-alt-name-form", "common-name-not-presented", "extended-key-usage-critical", "purpose-beside-server", "extended-key-usage-of-root", "key-usage-of-ca-missing", "authority-key-identifier-form", "authority-key-identifier-of-root", "rsa-size-not-whole-octets", "mldsa-key-usage"])
    /// How many entries must match.
    package static let pinMatch = ClosedWords(
        "a count of pins", ["any", "all"],
        weaker: ["any"])
    /// How hard missing evidence is taken; sets every cause.
    package static let revocationPreset = ClosedWords(
        "a revocation preset", ["best-effort", "require"],
        weaker: ["best-effort"])
    /// Where evidence of revocation comes from.
    package static let revocationSource = ClosedWords(
        "a revocation source", ["stapled", "ocsp", "crl", "crlite"])
    /// Which certificates need evidence.
    package static let revocationScope = ClosedWords(
        "a revocation scope", ["leaf", "leaf-and-intermediates", "chain"],
        weaker: ["leaf", "leaf-and-intermediates"])
    /// Whether the program may fetch evidence.
    package static let revocationNetwork = ClosedWords(
        "a use of the network", ["never", "prefetch", "wait"])
    /// Whose demand on certificate transparency holds.
    package static let transparencyPreset = ClosedWords(
        "a transparency preset", ["none", "chrome", "apple"],
        weaker: ["none"])
    /// A cipher suite by its IANA name.
    package static let tlsCipherSuite = ClosedWords(
        "the IANA name of a cipher suite that encrypts and proves the server by its certificate", ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_CCM_SHA256", "TLS_AES_128_CCM_8_SHA256", "TLS_AEGIS_256_SHA512", "TLS_AEGIS_128L_SHA256", "TLS_SM4_GCM_SM3", "TLS_SM4_CCM_SM3", "TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_L", "TLS_GOSTR341112_256_WITH_MAGMA_MGM_L", "TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_S", "TLS_GOSTR341112_256_WITH_MAGMA_MGM_S", "TLS_GOSTR341112_256_WITH_KUZNYECHIK_CTR_OMAC", "TLS_GOSTR341112_256_WITH_MAGMA_CTR_OMAC", "TLS_GOSTR341112_256_WITH_28147_CNT_IMIT", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_CCM", "TLS_ECDHE_ECDSA_WITH_AES_256_CCM", "TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8", "TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", "TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA", "TLS_ECDHE_ECDSA_WITH_CAMELLIA_128_CBC_SHA256", "TLS_ECDHE_ECDSA_WITH_CAMELLIA_256_CBC_SHA384", "TLS_ECDHE_ECDSA_WITH_CAMELLIA_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_CAMELLIA_256_GCM_SHA384", "TLS_ECDHE_ECDSA_WITH_ARIA_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_ARIA_256_GCM_SHA384", "TLS_ECDHE_ECDSA_WITH_ARIA_128_CBC_SHA256", "TLS_ECDHE_ECDSA_WITH_ARIA_256_CBC_SHA384", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256", "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA", "TLS_ECDHE_RSA_WITH_CAMELLIA_128_CBC_SHA256", "TLS_ECDHE_RSA_WITH_CAMELLIA_256_CBC_SHA384", "TLS_ECDHE_RSA_WITH_CAMELLIA_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_CAMELLIA_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_ARIA_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_ARIA_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_ARIA_128_CBC_SHA256", "TLS_ECDHE_RSA_WITH_ARIA_256_CBC_SHA384", "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384", "TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "TLS_DHE_RSA_WITH_AES_128_CCM", "TLS_DHE_RSA_WITH_AES_256_CCM", "TLS_DHE_RSA_WITH_AES_128_CCM_8", "TLS_DHE_RSA_WITH_AES_256_CCM_8", "TLS_DHE_RSA_WITH_AES_128_CBC_SHA256", "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256", "TLS_DHE_RSA_WITH_AES_128_CBC_SHA", "TLS_DHE_RSA_WITH_AES_256_CBC_SHA", "TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA", "TLS_DHE_RSA_WITH_CAMELLIA_128_CBC_SHA256", "TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA256", "TLS_DHE_RSA_WITH_CAMELLIA_128_CBC_SHA", "TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA", "TLS_DHE_RSA_WITH_SEED_CBC_SHA", "TLS_DHE_RSA_WITH_CAMELLIA_128_GCM_SHA256", "TLS_DHE_RSA_WITH_CAMELLIA_256_GCM_SHA384", "TLS_DHE_RSA_WITH_ARIA_128_GCM_SHA256", "TLS_DHE_RSA_WITH_ARIA_256_GCM_SHA384", "TLS_DHE_RSA_WITH_ARIA_128_CBC_SHA256", "TLS_DHE_RSA_WITH_ARIA_256_CBC_SHA384", "TLS_DHE_DSS_WITH_AES_128_GCM_SHA256", "TLS_DHE_DSS_WITH_AES_256_GCM_SHA384", "TLS_DHE_DSS_WITH_AES_128_CBC_SHA256", "TLS_DHE_DSS_WITH_AES_256_CBC_SHA256", "TLS_DHE_DSS_WITH_AES_128_CBC_SHA", "TLS_DHE_DSS_WITH_AES_256_CBC_SHA", "TLS_DHE_DSS_WITH_3DES_EDE_CBC_SHA", "TLS_DHE_DSS_WITH_CAMELLIA_128_CBC_SHA256", "TLS_DHE_DSS_WITH_CAMELLIA_256_CBC_SHA256", "TLS_DHE_DSS_WITH_CAMELLIA_128_CBC_SHA", "TLS_DHE_DSS_WITH_CAMELLIA_256_CBC_SHA", "TLS_DHE_DSS_WITH_SEED_CBC_SHA", "TLS_DHE_DSS_WITH_CAMELLIA_128_GCM_SHA256", "TLS_DHE_DSS_WITH_CAMELLIA_256_GCM_SHA384", "TLS_DHE_DSS_WITH_ARIA_128_GCM_SHA256", "TLS_DHE_DSS_WITH_ARIA_256_GCM_SHA384", "TLS_DHE_DSS_WITH_ARIA_128_CBC_SHA256", "TLS_DHE_DSS_WITH_ARIA_256_CBC_SHA384", "TLS_RSA_WITH_AES_128_GCM_SHA256", "TLS_RSA_WITH_AES_256_GCM_SHA384", "TLS_RSA_WITH_AES_128_CCM", "TLS_RSA_WITH_AES_256_CCM", "TLS_RSA_WITH_AES_128_CCM_8", "TLS_RSA_WITH_AES_256_CCM_8", "TLS_RSA_WITH_AES_128_CBC_SHA256", "TLS_RSA_WITH_AES_256_CBC_SHA256", "TLS_RSA_WITH_AES_128_CBC_SHA", "TLS_RSA_WITH_AES_256_CBC_SHA", "TLS_RSA_WITH_3DES_EDE_CBC_SHA", "TLS_RSA_WITH_CAMELLIA_128_CBC_SHA256", "TLS_RSA_WITH_CAMELLIA_256_CBC_SHA256", "TLS_RSA_WITH_CAMELLIA_128_CBC_SHA", "TLS_RSA_WITH_CAMELLIA_256_CBC_SHA", "TLS_RSA_WITH_SEED_CBC_SHA", "TLS_RSA_WITH_CAMELLIA_128_GCM_SHA256", "TLS_RSA_WITH_CAMELLIA_256_GCM_SHA384", "TLS_RSA_WITH_ARIA_128_GCM_SHA256", "TLS_RSA_WITH_ARIA_256_GCM_SHA384", "TLS_RSA_WITH_ARIA_128_CBC_SHA256", "TLS_RSA_WITH_ARIA_256_CBC_SHA384", "TLS_ECDH_ECDSA_WITH_AES_128_GCM_SHA256", "TLS_ECDH_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDH_ECDSA_WITH_AES_128_CBC_SHA256", "TLS_ECDH_ECDSA_WITH_AES_256_CBC_SHA384", "TLS_ECDH_ECDSA_WITH_AES_128_CBC_SHA", "TLS_ECDH_ECDSA_WITH_AES_256_CBC_SHA", "TLS_ECDH_ECDSA_WITH_3DES_EDE_CBC_SHA", "TLS_ECDH_ECDSA_WITH_CAMELLIA_128_CBC_SHA256", "TLS_ECDH_ECDSA_WITH_CAMELLIA_256_CBC_SHA384", "TLS_ECDH_ECDSA_WITH_CAMELLIA_128_GCM_SHA256", "TLS_ECDH_ECDSA_WITH_CAMELLIA_256_GCM_SHA384", "TLS_ECDH_ECDSA_WITH_ARIA_128_GCM_SHA256", "TLS_ECDH_ECDSA_WITH_ARIA_256_GCM_SHA384", "TLS_ECDH_ECDSA_WITH_ARIA_128_CBC_SHA256", "TLS_ECDH_ECDSA_WITH_ARIA_256_CBC_SHA384", "TLS_ECDH_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDH_RSA_WITH_AES_256_GCM_SHA384", "TLS_ECDH_RSA_WITH_AES_128_CBC_SHA256", "TLS_ECDH_RSA_WITH_AES_256_CBC_SHA384", "TLS_ECDH_RSA_WITH_AES_128_CBC_SHA", "TLS_ECDH_RSA_WITH_AES_256_CBC_SHA", "TLS_ECDH_RSA_WITH_3DES_EDE_CBC_SHA", "TLS_ECDH_RSA_WITH_CAMELLIA_128_CBC_SHA256", "TLS_ECDH_RSA_WITH_CAMELLIA_256_CBC_SHA384", "TLS_ECDH_RSA_WITH_CAMELLIA_128_GCM_SHA256", "TLS_ECDH_RSA_WITH_CAMELLIA_256_GCM_SHA384", "TLS_ECDH_RSA_WITH_ARIA_128_GCM_SHA256", "TLS_ECDH_RSA_WITH_ARIA_256_GCM_SHA384", "TLS_ECDH_RSA_WITH_ARIA_128_CBC_SHA256", "TLS_ECDH_RSA_WITH_ARIA_256_CBC_SHA384", "TLS_DH_RSA_WITH_AES_128_GCM_SHA256", "TLS_DH_RSA_WITH_AES_256_GCM_SHA384", "TLS_DH_RSA_WITH_AES_128_CBC_SHA256", "TLS_DH_RSA_WITH_AES_256_CBC_SHA256", "TLS_DH_RSA_WITH_AES_128_CBC_SHA", "TLS_DH_RSA_WITH_AES_256_CBC_SHA", "TLS_DH_RSA_WITH_3DES_EDE_CBC_SHA", "TLS_DH_RSA_WITH_CAMELLIA_128_CBC_SHA256", "TLS_DH_RSA_WITH_CAMELLIA_256_CBC_SHA256", "TLS_DH_RSA_WITH_CAMELLIA_128_CBC_SHA", "TLS_DH_RSA_WITH_CAMELLIA_256_CBC_SHA", "TLS_DH_RSA_WITH_SEED_CBC_SHA", "TLS_DH_RSA_WITH_CAMELLIA_128_GCM_SHA256", "TLS_DH_RSA_WITH_CAMELLIA_256_GCM_SHA384", "TLS_DH_RSA_WITH_ARIA_128_GCM_SHA256", "TLS_DH_RSA_WITH_ARIA_256_GCM_SHA384", "TLS_DH_RSA_WITH_ARIA_128_CBC_SHA256", "TLS_DH_RSA_WITH_ARIA_256_CBC_SHA384", "TLS_DH_DSS_WITH_AES_128_GCM_SHA256", "TLS_DH_DSS_WITH_AES_256_GCM_SHA384", "TLS_DH_DSS_WITH_AES_128_CBC_SHA256", "TLS_DH_DSS_WITH_AES_256_CBC_SHA256", "TLS_DH_DSS_WITH_AES_128_CBC_SHA", "TLS_DH_DSS_WITH_AES_256_CBC_SHA", "TLS_DH_DSS_WITH_3DES_EDE_CBC_SHA", "TLS_DH_DSS_WITH_CAMELLIA_128_CBC_SHA256", "TLS_DH_DSS_WITH_CAMELLIA_256_CBC_SHA256", "TLS_DH_DSS_WITH_CAMELLIA_128_CBC_SHA", "TLS_DH_DSS_WITH_CAMELLIA_256_CBC_SHA", "TLS_DH_DSS_WITH_SEED_CBC_SHA", "TLS_DH_DSS_WITH_CAMELLIA_128_GCM_SHA256", "TLS_DH_DSS_WITH_CAMELLIA_256_GCM_SHA384", "TLS_DH_DSS_WITH_ARIA_128_GCM_SHA256", "TLS_DH_DSS_WITH_ARIA_256_GCM_SHA384", "TLS_DH_DSS_WITH_ARIA_128_CBC_SHA256", "TLS_DH_DSS_WITH_ARIA_256_CBC_SHA384"])
    /// A key exchange group by its IANA name.
    package static let tlsGroup = ClosedWords(
        "the IANA name of a key exchange group", ["x25519", "secp256r1", "secp384r1", "secp521r1", "x448", "X25519MLKEM768", "SecP256r1MLKEM768", "SecP384r1MLKEM1024", "curveSM2MLKEM768", "MLKEM512", "MLKEM768", "MLKEM1024", "ffdhe2048", "ffdhe3072", "ffdhe4096", "ffdhe6144", "ffdhe8192", "brainpoolP256r1", "brainpoolP384r1", "brainpoolP512r1", "brainpoolP256r1tls13", "brainpoolP384r1tls13", "brainpoolP512r1tls13", "curveSM2", "GC256A", "GC256B", "GC256C", "GC256D", "GC512A", "GC512B", "GC512C", "secp256k1", "secp224r1", "secp224k1", "secp192r1", "secp192k1", "secp160r1", "secp160r2", "secp160k1", "sect571r1", "sect571k1", "sect409r1", "sect409k1", "sect283r1", "sect283k1", "sect239k1", "sect233r1", "sect233k1", "sect193r1", "sect193r2", "sect163r1", "sect163r2", "sect163k1"])
    /// A signature scheme of the handshake by its IANA name.
    package static let tlsSignatureScheme = ClosedWords(
        "the IANA name of a signature scheme that TLS still allows a server", ["ecdsa_secp256r1_sha256", "ecdsa_secp384r1_sha384", "ecdsa_secp521r1_sha512", "ed25519", "ed448", "rsa_pss_rsae_sha256", "rsa_pss_rsae_sha384", "rsa_pss_rsae_sha512", "rsa_pss_pss_sha256", "rsa_pss_pss_sha384", "rsa_pss_pss_sha512", "rsa_pkcs1_sha256", "rsa_pkcs1_sha384", "rsa_pkcs1_sha512", "mldsa44", "mldsa65", "mldsa87", "ecdsa_brainpoolP256r1tls13_sha256", "ecdsa_brainpoolP384r1tls13_sha384", "ecdsa_brainpoolP512r1tls13_sha512", "sm2sig_sm3", "gostr34102012_256a", "gostr34102012_256b", "gostr34102012_256c", "gostr34102012_256d", "gostr34102012_512a", "gostr34102012_512b", "gostr34102012_512c"])
    /// Every list of words, by the name of its definition in the schema.
    package static let all: [String: ClosedWords] = [
        "anchor-kind": anchorKind,
        "standard-word": standardWord,
        "anchor-limit": anchorLimit,
        "pin-position": pinPosition,
        "pin-expiry": pinExpiry,
        "identity-reference": identityReference,
        "key-type": keyType,
        "signature-hash": signatureHash,
        "signature-scheme": signatureScheme,
        "key-purpose-word": keyPurposeWord,
        "tls-version": tlsVersion,
        "old-tls-version": oldTlsVersion,
        "action": action,
        "demand": demand,
        "permission": permission,
        "issuance-word": issuanceWord,
        "issuance-demand": issuanceDemand,
        "pin-match": pinMatch,
        "revocation-preset": revocationPreset,
        "revocation-source": revocationSource,
        "revocation-scope": revocationScope,
        "revocation-network": revocationNetwork,
        "transparency-preset": transparencyPreset,
        "tls-cipher-suite": tlsCipherSuite,
        "tls-group": tlsGroup,
        "tls-signature-scheme": tlsSignatureScheme,
    ]
}
