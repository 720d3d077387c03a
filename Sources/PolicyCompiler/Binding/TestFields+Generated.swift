// Generated from grammar/test.schema.json by `swift run generate-tables`. Do not edit.
// swift-format-ignore-file

/// The keys of every map of a test file.
package enum TestFields {
    /// The shape of a test file, `NAME.test.yaml`, which `hawser test` reads: what the policy must say of hosts and of chains.
    package static let file = MapShape(
        "file", "a test file",
        [
            FieldShape("hawser-test", isRequired: true, example: "hawser-test: 1"),
            FieldShape("at", example: "at: 2027-01-15"),
            FieldShape("system", example: "system: fixtures/store.pem"),
            FieldShape(
                "cases",
                example: "cases: { payments-are-pinned: { host: pay.example, expect: { rule: payments } } }"),
            FieldShape("folders", example: "folders: [cases]"),
        ])
    /// One case: a host or a chain with the expected result.
    package static let testCase = MapShape(
        "test-case", "a case",
        [
            FieldShape("host", example: "host: api.pay.example:443"),
            FieldShape("port", example: "port: 8443"),
            FieldShape("at", example: "at: 2027-01-15T12:00:00Z"),
            FieldShape("chain", example: "chain: fixtures/pay.pem"),
            FieldShape("system", example: "system: fixtures/store.pem"),
            FieldShape("tls", example: "tls: tls1.3"),
            FieldShape("cipher-suite", example: "cipher-suite: TLS_AES_128_GCM_SHA256"),
            FieldShape("group", example: "group: x25519"),
            FieldShape("signature-scheme", example: "signature-scheme: ecdsa_secp256r1_sha256"),
            FieldShape("alpn", example: "alpn: h2"),
            FieldShape("staple", example: "staple: fixtures/pay.ocsp"),
            FieldShape("ocsp", example: "ocsp: [fixtures/issuing.ocsp]"),
            FieldShape("crls", example: "crls: [fixtures/root.crl]"),
            FieldShape("sct-list", example: "sct-list: fixtures/pay.scts"),
            FieldShape("evidence", example: "evidence: fixtures/evidence"),
            FieldShape("crlite", example: "crlite: revoked"),
            FieldShape("crlite-newest", example: "crlite-newest: 2027-01-14T22:00:00Z"),
            FieldShape("assume", example: "assume: { device-attested: pass }"),
            FieldShape("receipt", example: "receipt: fixtures/receipts.ndjson:3"),
            FieldShape(
                "expect",
                isRequired: true,
                example: "expect: { rule: payments }",
                map: expectation),
        ])
    /// What a case expects.
    package static let expectation = MapShape(
        "expectation", "what is expected",
        [
            FieldShape("rule", example: "rule: payments"),
            FieldShape("pattern", example: "pattern: \"**.pay.example\""),
            FieldShape("anchors", example: "anchors: [corp]"),
            FieldShape("pins", example: "pins: [pay]"),
            FieldShape("verdict", example: "verdict: accept"),
            FieldShape("violations", example: "violations: [pin-mismatch]"),
            FieldShape("reported", example: "reported: [expired]"),
            FieldShape("notices", example: "notices: [pin-ageing]"),
            FieldShape("checks", example: "checks: [device-attested]"),
            FieldShape("hosts", example: "hosts: [\"pay.example\"]"),
            FieldShape("profile", example: "profile: ats"),
            FieldShape("owner", example: "owner: payments"),
            FieldShape("note", example: "note: \"old gateway\""),
        ])
    /// Every map, in the order of the schema.
    package static let all: [MapShape] = [
        file,
        testCase,
        expectation,
    ]
}
