// Generated from grammar/assert.schema.json by `swift run generate-tables`. Do not edit.
// swift-format-ignore-file

/// The keys of every map of a file of assertions.
package enum AssertionFields {
    /// The shape of a file of assertions, `NAME.assert.yaml`, which `hawser assert` and `hawser lint` prove: what must hold of the policy of its folder whatever is changed.
    package static let file = MapShape(
        "file", "a file of assertions",
        [
            FieldShape("hawser-assert", isRequired: true, example: "hawser-assert: 1"),
            FieldShape(
                "assertions",
                isRequired: true,
                example: "assertions: { banking-is-strict: { hosts: [\"**.bank.example\"], at-least: { tls.minimum-version: tls1.3, pins: bound } } }"),
        ])
    /// One statement about every host of some patterns, at every instant of a time: at least one of `at-least`, `no-weaker-than`, `identity`, `exceptions`, `decision`, `owned-by`, `never-trusts` and `no-anchor`.
    package static let assertion = MapShape(
        "assertion", "an assertion",
        [
            FieldShape("hosts", isRequired: true, example: "hosts: [\"**.bank.example\"]"),
            FieldShape(
                "during",
                example: "during: { from: 2026-11-22, until: 2028-01-01 }",
                map: window),
            FieldShape(
                "at-least",
                example: "at-least: { tls.minimum-version: tls1.3, revocation.preset: require, pins: bound }",
                map: atLeast),
            FieldShape("no-weaker-than", example: "no-weaker-than: { profile: ats }"),
            FieldShape("identity", example: "identity: host"),
            FieldShape("exceptions", example: "exceptions: none"),
            FieldShape("decision", example: "decision: deny"),
            FieldShape("owned-by", example: "owned-by: payments"),
            FieldShape(
                "never-trusts",
                example: "never-trusts: { spki-file: retired.pem }",
                map: keyMatch),
            FieldShape(
                "no-anchor",
                example: "no-anchor: { spki-file: retired.pem }",
                map: keyMatch),
            FieldShape("owner", example: "owner: security"),
            FieldShape("note", example: "note: \"agreed with the auditors\""),
        ])
    /// Demands that every host meets: fields by their dotted paths with values as profiles write them.
    package static let atLeast = MapShape(
        "at-least", "`at-least`",
        [
            FieldShape("anchors", example: "anchors: no-system"),
            FieldShape("pins", example: "pins: bound"),
            FieldShape("path.maximum-intermediates", example: "path.maximum-intermediates: 3"),
            FieldShape("path.key-purposes", example: "path.key-purposes: [server-auth]"),
            FieldShape(
                "path.certificate-policies",
                example: "path.certificate-policies: [2.23.140.1.2.2]"),
            FieldShape("path.explicit-policy", example: "path.explicit-policy: required"),
            FieldShape("path.policy-mapping", example: "path.policy-mapping: inhibited"),
            FieldShape("path.any-policy", example: "path.any-policy: inhibited"),
            FieldShape("path.issuance", example: "path.issuance: enforce"),
            FieldShape("keys.types", example: "keys.types: [p256, ed25519]"),
            FieldShape("keys.leaf-types", example: "keys.leaf-types: [p384]"),
            FieldShape("keys.rsa-minimum", example: "keys.rsa-minimum: 3072"),
            FieldShape("signatures.minimum-hash", example: "signatures.minimum-hash: sha384"),
            FieldShape("signatures.schemes", example: "signatures.schemes: [ecdsa, ed25519]"),
            FieldShape("validity.clock-skew", example: "validity.clock-skew: 5min"),
            FieldShape("validity.maximum-lifetime", example: "validity.maximum-lifetime: 398d"),
            FieldShape(
                "validity.lifetime-steps",
                example: "validity.lifetime-steps: [{ issued-from: 2026-03-15, maximum: 200d }]"),
            FieldShape("revocation.preset", example: "revocation.preset: require"),
            FieldShape("revocation.causes.unknown", example: "revocation.causes.unknown: fail"),
            FieldShape(
                "revocation.causes.no-endpoint",
                example: "revocation.causes.no-endpoint: fail"),
            FieldShape(
                "revocation.causes.unreachable",
                example: "revocation.causes.unreachable: fail"),
            FieldShape("revocation.causes.stale", example: "revocation.causes.stale: fail"),
            FieldShape("revocation.causes.malformed", example: "revocation.causes.malformed: fail"),
            FieldShape(
                "revocation.causes.not-covered",
                example: "revocation.causes.not-covered: fail"),
            FieldShape(
                "revocation.causes.not-enrolled",
                example: "revocation.causes.not-enrolled: fail"),
            FieldShape("revocation.sources", example: "revocation.sources: [stapled, crl]"),
            FieldShape("revocation.scope", example: "revocation.scope: chain"),
            FieldShape("revocation.network", example: "revocation.network: prefetch"),
            FieldShape("revocation.maximum-age", example: "revocation.maximum-age: 26h"),
            FieldShape("revocation.short-lived", example: "revocation.short-lived: 2d"),
            FieldShape(
                "revocation.crlite.maximum-age",
                example: "revocation.crlite.maximum-age: 3d"),
            FieldShape("revocation.crlite.grace", example: "revocation.crlite.grace: 10d"),
            FieldShape("transparency.preset", example: "transparency.preset: chrome"),
            FieldShape("transparency.minimum-scts", example: "transparency.minimum-scts: 2"),
            FieldShape(
                "transparency.minimum-operators",
                example: "transparency.minimum-operators: 2"),
            FieldShape("transparency.log-list", example: "transparency.log-list: ct/log_list.json"),
            FieldShape(
                "transparency.log-list-maximum-age",
                example: "transparency.log-list-maximum-age: 30d"),
            FieldShape("transparency.when-stale", example: "transparency.when-stale: fail"),
            FieldShape(
                "transparency.exempt-anchors",
                example: "transparency.exempt-anchors: [inspection]"),
            FieldShape("tls.minimum-version", example: "tls.minimum-version: tls1.3"),
            FieldShape("tls.maximum-version", example: "tls.maximum-version: tls1.3"),
            FieldShape("tls.forward-secrecy", example: "tls.forward-secrecy: required"),
            FieldShape(
                "tls.cipher-suites",
                example: "tls.cipher-suites: [TLS_AES_128_GCM_SHA256, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256]"),
            FieldShape("tls.groups", example: "tls.groups: [x25519]"),
            FieldShape("tls.signature-schemes", example: "tls.signature-schemes: [ed25519]"),
            FieldShape("tls.alpn", example: "tls.alpn: [h2]"),
            FieldShape(
                "forbidden-keys",
                example: "forbidden-keys: { stolen-ca: { spki-file: stolen/ca.pem } }"),
            FieldShape("checks", example: "checks: [device-attestation]"),
        ])
    /// A profile, a rule or another unit; exactly one of the three.
    package static let comparison = MapShape(
        "comparison", "`no-weaker-than`",
        [
            FieldShape("profile", example: "profile: ats"),
            FieldShape("rule", example: "rule: payments"),
            FieldShape("unit", example: "unit: ../baseline"),
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
    /// Every map, in the order of the schema.
    package static let all: [MapShape] = [
        file,
        assertion,
        atLeast,
        comparison,
        window,
        keyMatch,
    ]
}
