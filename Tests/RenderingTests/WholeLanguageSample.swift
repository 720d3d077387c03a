import LibCrypto
import Rendering
import TestPKI
import TrustEngine

/// A table made by hand whose one rule has something to say in every field of the language, decided
/// through three layers: the rule, `suite`, `org`, and below them the built-in `ats`.
enum WholeLanguageSample {
    static let crypto = LibCryptoBackend()
    static let root = Scenario().root("Corp Root", key: .p256("whole-root"))
    static let cross = root.issueCA("Corp Cross", key: .p256("whole-cross")).certificate

    static let table = PolicyTable.encode(contents, provenance: provenance, crypto: crypto)

    static func host(_ name: String) -> EffectiveRule {
        guard let host = try? CanonicalHost(text: name) else {
            preconditionFailure("`\(name)` is no host")
        }
        return EffectiveRule(table: table, host: host, port: 443, crypto: crypto)
    }

    static func at(_ text: String) -> UTCInstant {
        UTCInstant(text: text) ?? UTCInstant(secondsSinceEpoch: 0)
    }

    static func digest(_ byte: UInt8) -> Digest { TraceSamples.digest(byte) }

    static func key(_ byte: UInt8) -> KeyMatch { KeyMatch(kind: .spki, digest: digest(byte)) }

    private static func name(_ host: HostPattern.Host, port: UInt16? = nil) -> HostPattern {
        HostPattern(host: host, port: port)
    }

    static var requirements: Requirements {
        var value = Requirements()
        value.certificatePolicies = [[0x67, 0x81, 0x0C, 1, 2, 2]]
        value.requiresExplicitPolicy = true
        value.keyTypes = KeyTypeSet(.p256)
        value.leafKeyTypes = KeyTypeSet(.p256)
        value.clockSkew = 300
        value.maximumLifetime = 398 * 86_400
        value.lifetimeSteps = [
            LifetimeStep(issuedFrom: at("2026-03-15"), maximum: 200 * 86_400)
        ]
        value.revocation.preset = .require
        value.revocation.causes = .require
        value.revocation.causes[.stale] = .report
        value.revocation.sources = [.crl]
        value.revocation.maximumAge = 93_600
        value.transparency.preset = .chrome
        value.transparency.minimumSCTs = 3
        value.transparency.logList = digest(9)
        value.transparency.exemptAnchors = ["corp"]
        value.tls.requiresForwardSecrecy = true
        value.tls.alpn = ["h2"]
        value.forbiddenKeys = [
            ForbiddenKey(
                id: "distrusted", matches: [key(5)],
                notBefore: DateWindow(from: at("2026-10-01"))),
            ForbiddenKey(id: "stolen", matches: [key(6), key(7)]),
        ]
        value.checks = ["attestation"]
        return value
    }

    static let contents = PolicyContents(
        defaultRule: .body(
            RuleBody(
                anchors: [], anchorsArePinnedKeys: true, pins: ["pay"], profile: "baseline",
                requirements: Requirements(), identity: IdentityRequirement(), waivers: [],
                owner: nil, note: "line one\nline two")),
        rules: [
            RuleContents(
                id: "pay",
                hosts: [
                    name(.anyLabels(base: "pay.example"), port: 8443),
                    name(.oneLabel(base: "pay.example")),
                ],
                body: RuleBody(
                    anchors: ["corp", "public"], pins: ["pay"], profile: "suite",
                    requirements: requirements,
                    identity: IdentityRequirement(
                        reference: .hostAndListed, uri: ["spiffe://pay.example/*"]),
                    reportOnly: [
                        ReportOnly(check: .pins, until: at("2027-02-28T23:59:59Z"), note: nil),
                        ReportOnly(
                            check: .lifetime, until: at("2027-03-31T23:59:59Z"), note: "measuring"),
                    ],
                    waivers: [
                        Waiver(
                            tolerance: .expired(seconds: 14 * 86_400),
                            until: at("2027-05-31T23:59:59Z"), reason: "vendor renews, in May",
                            owner: "payments", ticket: "SEC-812"),
                        Waiver(
                            tolerance: .revocation, until: at("2027-01-31T23:59:59Z"),
                            reason: "no CRL yet", owner: "payments", ticket: nil),
                    ], owner: "payments", note: nil))
        ],
        anchorSets: [
            AnchorSetContents(
                id: "corp",
                groups: [
                    AnchorGroup(
                        source: .members([root.certificate.der]), standard: .rfc5280,
                        ignoredLimits: [.dates], constraints: [corpConstraints])
                ], intermediates: [cross.der], owner: "pki"),
            AnchorSetContents(
                id: "public",
                groups: [
                    AnchorGroup(
                        source: .members([root.certificate.der]), standard: .rfc5280,
                        ignoredLimits: [.dates],
                        constraints: [corpConstraints, publicConstraints]),
                    AnchorGroup(
                        source: .system, standard: .webPKI, constraints: [publicConstraints],
                        filters: [AnchorFilter(exclude: [key(8)])]),
                ]),
        ],
        pinSets: [
            PinSetContents(
                id: "pay",
                keys: [
                    PinContents(
                        id: "issuing", matches: [key(1)], position: .ca,
                        certificates: [root.certificate.der], note: nil)
                ],
                backups: [
                    PinContents(
                        id: "offline", matches: [key(2)], position: .any, note: "safe, bag 7")
                ], match: 1, warnFrom: nil, enforceUntil: at("2027-06-30T23:59:59Z"),
                onExpiry: .report, owner: nil, note: nil)
        ],
        logLists: [LogListContents(digest: digest(9), bytes: Array("{}".utf8))])

    private static var corpConstraints: AnchorConstraints {
        var constraints = AnchorConstraints()
        constraints.permittedNames = [name(.anyLabels(base: "pay.example"))]
        constraints.notBefore = DateWindow(until: at("2026-12-31T23:59:59Z"))
        return constraints
    }

    private static var publicConstraints: AnchorConstraints {
        var constraints = AnchorConstraints()
        constraints.maximumLifetime = 30 * 86_400
        return constraints
    }

    /// Line numbers say the layer: 1 to 19 `default`, 20 to 39 anchors, 40 to 49 pins, 50 to 59
    /// `suite`, 60 to 69 `org`, 70 on the rule.
    static let provenance: Provenance = {
        var locations: [String: Provenance.Location] = [:]
        for (pointer, line) in places {
            locations[pointer] = Provenance.Location(file: "p.yaml", line: line, column: 3)
        }
        return Provenance(locations: locations, parents: ["suite": "org", "org": "ats"])
    }()

    private static let places: [(String, Int)] = [
        ("/default", 2), ("/default/anchors", 3), ("/default/note", 4),
        ("/anchors/corp", 20), ("/anchors/corp/files", 21), ("/anchors/corp/ignore-limits", 22),
        ("/anchors/corp/constraints/permitted-names", 23),
        ("/anchors/corp/constraints/not-before", 24), ("/anchors/corp/intermediates", 25),
        ("/anchors/corp/owner", 26),
        ("/anchors/public", 30), ("/anchors/public/include", 31),
        ("/anchors/public/include/corp", 31), ("/anchors/public/include/system", 31),
        ("/anchors/public/exclude", 32),
        ("/anchors/public/constraints/maximum-lifetime", 33),
        ("/pins/pay", 40), ("/pins/pay/keys/issuing", 41), ("/pins/pay/backups/offline", 42),
        ("/pins/pay/enforce-until", 43), ("/pins/pay/on-expiry", 44),
        ("/profiles/suite", 50), ("/profiles/suite/keys/types", 51),
        ("/profiles/suite/forbidden-keys/stolen", 52),
        ("/profiles/suite/validity/lifetime-steps", 53),
        ("/profiles/suite/revocation/preset", 54),
        ("/profiles/org", 60), ("/profiles/org/forbidden-keys/distrusted", 61),
        ("/profiles/org/report-only/lifetime", 62),
        ("/profiles/org/revocation/causes/unreachable", 63),
        ("/profiles/org/transparency/preset", 64), ("/profiles/org/transparency/log-list", 65),
        ("/profiles/org/validity/maximum-lifetime", 66),
        ("/rules/pay", 70), ("/rules/pay/hosts/0", 71), ("/rules/pay/hosts/*.pay.example", 71),
        ("/rules/pay/anchors", 72), ("/rules/pay/pins", 73), ("/rules/pay/profile", 74),
        ("/rules/pay/identity/reference", 75), ("/rules/pay/report-only/all", 76),
        ("/rules/pay/waivers/expired", 77), ("/rules/pay/waivers/revocation", 78),
        ("/rules/pay/revocation/causes/stale", 79), ("/rules/pay/transparency/minimum-scts", 80),
    ]
}
