import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import TestPKI
import Testing
import TrustEngine

/// Changes that make a rule weaker: for every field of the language a pair of rules that differ
/// only in it, and the sentences about either beside the other. The fields come from the schema, so
/// a new field has to be placed here.
@Suite("lint: weaker, field by field") struct WeakeningTests {
    /// Two rules, as far as their hosts and owners.
    struct Pair: Sendable {
        /// The one that demands more, where one of them does.
        let strict: String
        let weak: String
        /// The sentences about the weaker beside the stricter; the other way round there are none.
        /// Empty where neither is weaker.
        let says: [String]
        /// Why nothing is said.
        var reason = ""
        /// Definitions that the rules name.
        var more = ""

        static func order(
            _ strict: String, _ weak: String, says: String..., more: String = ""
        ) -> Pair {
            Pair(strict: strict, weak: weak, says: says, more: more)
        }

        static func none(
            _ one: String, _ other: String, _ reason: String, more: String = ""
        ) -> Pair {
            Pair(strict: one, weak: other, says: [], reason: reason, more: more)
        }
    }

    // MARK: The fields

    /// By the map of the schema and its key.
    static let pairs: [String: [Pair]] = requirements.merging(sets) { $0 + $1 }
        .merging(bodies) { $0 + $1 }

    private static let ct = "log-list: ct/log_list.json"

    static let requirements: [String: [Pair]] = [
        "path-fields.maximum-intermediates": [
            .order(
                "path: { maximum-intermediates: 2 }", "path: { maximum-intermediates: 3 }",
                says: "`path.maximum-intermediates` is `3` instead of `2`")
        ],
        "path-fields.key-purposes": [
            .order(
                "path: { key-purposes: [server-auth] }",
                "path: { key-purposes: [server-auth, client-auth] }",
                says: "`path.key-purposes` is `[server-auth, client-auth]`"),
            .none(
                "path: { key-purposes: [server-auth] }", "path: { key-purposes: [client-auth] }",
                "each allows what the other does not"),
        ],
        "path-fields.certificate-policies": [
            .order(
                "path: { certificate-policies: [2.23.140.1.2.2] }", "",
                says: "`path.certificate-policies` is `any` instead of `[2.23.140.1.2.2]`")
        ],
        "path-fields.explicit-policy": [
            .order(
                "path: { explicit-policy: required }", "",
                says: "`path.explicit-policy` is `not-required` instead of `required`")
        ],
        "path-fields.policy-mapping": [
            .order(
                "path: { policy-mapping: inhibited }", "",
                says: "`path.policy-mapping` is `allowed` instead of `inhibited`")
        ],
        "path-fields.issuance": [
            .order(
                "path: { issuance: enforce }", "",
                says: "`path.issuance` is `report` instead of `enforce`")
        ],
        "path-fields.any-policy": [
            .order(
                "path: { any-policy: inhibited }", "",
                says: "`path.any-policy` is `allowed` instead of `inhibited`")
        ],
        "keys-fields.types": [
            .order(
                "keys: { types: [p256], leaf-types: [p256] }",
                "keys: { types: [p256, rsa], leaf-types: [p256] }",
                says: "`keys.types` is `[rsa, p256]` instead of `[p256]`"),
            .none("keys: { types: [p256] }", "keys: { types: [p384] }", "other kinds"),
        ],
        "keys-fields.leaf-types": [
            .order(
                "keys: { leaf-types: [p256] }", "keys: { leaf-types: [p256, rsa] }",
                says: "`keys.leaf-types` is `[rsa, p256]` instead of `[p256]`")
        ],
        "keys-fields.rsa-minimum": [
            .order(
                "keys: { rsa-minimum: 3072 }", "",
                says: "`keys.rsa-minimum` is `2048` instead of `3072`")
        ],
        "signatures-fields.minimum-hash": [
            .order(
                "signatures: { minimum-hash: sha512 }", "signatures: { minimum-hash: sha384 }",
                says: "`signatures.minimum-hash` is `sha384` instead of `sha512`")
        ],
        "signatures-fields.schemes": [
            .order(
                "signatures: { schemes: [ecdsa] }", "signatures: { schemes: [ecdsa, rsa-pss] }",
                says: "`signatures.schemes` is `[rsa-pss, ecdsa]` instead of `[ecdsa]`")
        ],
        "validity-fields.clock-skew": [
            .order(
                "", "validity: { clock-skew: 5min }",
                says: "`validity.clock-skew` is `5min` instead of `0s`")
        ],
        "validity-fields.maximum-lifetime": [
            .order(
                "validity: { maximum-lifetime: 90d }", "validity: { maximum-lifetime: 91d }",
                says: "`validity.maximum-lifetime` is `91d` instead of `90d`"),
            .order(
                "validity: { maximum-lifetime: 90d }", "",
                says: "`validity.maximum-lifetime` is none instead of `90d`"),
        ],
        "validity-fields.lifetime-steps": steps,
        "lifetime-step.issued-from": [
            .order(
                step("2026-03-15", "100d"), step("2026-03-16", "100d"),
                says:
                    "`validity.lifetime-steps` is `200d` instead of `100d` for certificates issued from "
                    + "2026-03-15 on")
        ],
        "lifetime-step.maximum": [
            .order(
                step("2026-03-15", "100d"), step("2026-03-15", "101d"),
                says: "`validity.lifetime-steps` is `101d` instead of `100d`")
        ],
        "revocation-fields.preset": [
            .order(
                "revocation: { preset: require }", "revocation: { preset: best-effort }",
                says: "`revocation.causes.unknown` is `report` instead of `fail`",
                "`revocation.causes.no-endpoint` is `pass` instead of `fail`")
        ],
        "revocation-fields.sources": [
            .order(
                "revocation: { preset: require, sources: [crl] }",
                "revocation: { preset: require, sources: [ocsp, crl] }",
                says: "`revocation.sources` is `[ocsp, crl]` instead of `[crl]`"),
            .none(
                "revocation: { preset: require, sources: [crl, ocsp] }",
                "revocation: { preset: require, sources: [ocsp, crl] }", "order is preference"),
            .none(
                "revocation: { causes: { unreachable: fail }, sources: [crl] }",
                "revocation: { causes: { unreachable: fail }, sources: [crl, ocsp] }",
                "what names OCSP alone is let pass by the first and refused by the second"),
        ],
        "revocation-fields.scope": [
            .order(
                "revocation: { scope: chain }", "",
                says: "`revocation.scope` is `leaf-and-intermediates` instead of `chain`")
        ],
        "revocation-fields.network": [
            .none(
                "revocation: { network: never }", "revocation: { network: wait }",
                "who may fetch is the program's; the verdict is on what it got")
        ],
        "revocation-fields.maximum-age": [
            .order(
                "revocation: { maximum-age: 26h }", "",
                says: "`revocation.maximum-age` is none instead of `26h`")
        ],
        "revocation-fields.short-lived": [
            .order(
                "", "revocation: { short-lived: 2d }",
                says: "`revocation.short-lived` is `2d` instead of none")
        ],
        "revocation-crlite.maximum-age": [
            .order(
                "revocation: { preset: require, sources: [crlite], crlite: { maximum-age: 3d } }",
                "revocation: { preset: require, sources: [crlite] }",
                says: "`revocation.crlite.maximum-age` is `7d` instead of `3d`")
        ],
        "revocation-crlite.grace": [
            .order(
                "revocation: { preset: require, sources: [crlite] }",
                "revocation: { preset: require, sources: [crlite], crlite: { grace: 10d } }",
                says: "`revocation.crlite.grace` is `10d` instead of `0s`")
        ],
        "transparency-fields.preset": [
            .order(
                "transparency: { preset: chrome, \(ct) }", "transparency: { preset: none }",
                says: "`transparency.preset` is none instead of `chrome`"),
            .none(
                "transparency: { preset: chrome, \(ct) }", "transparency: { preset: apple, \(ct) }",
                "each asks for what the other does not: two operators beside the certificate, a log "
                    + "of RFC 6962"),
        ],
        "transparency-fields.minimum-scts": [
            .order(
                "transparency: { preset: chrome, minimum-scts: 4, \(ct) }",
                "transparency: { preset: chrome, minimum-scts: 3, \(ct) }",
                says: "`transparency.minimum-scts` is `3` instead of `4`"),
            .order(
                "transparency: { preset: chrome, minimum-scts: 3, \(ct) }",
                "transparency: { preset: chrome, \(ct) }",
                says: "`transparency.minimum-scts` is `2, 3 of what lives long` instead of `3`"),
            .order(
                "transparency: { preset: chrome, \(ct) }",
                "transparency: { preset: chrome, minimum-scts: 2, \(ct) }",
                says: "`transparency.minimum-scts` is `2` instead of `2, 3 of what lives long`"),
        ],
        "transparency-fields.minimum-operators": [
            .order(
                "transparency: { preset: chrome, minimum-operators: 3, \(ct) }",
                "transparency: { preset: chrome, \(ct) }",
                says: "`transparency.minimum-operators` is `2` instead of `3`"),
            .order(
                "transparency: { preset: apple, minimum-operators: 2, \(ct) }",
                "transparency: { preset: apple, \(ct) }",
                says: "`transparency.minimum-operators` is `2, 1 beside it` instead of `2`"),
        ],
        "transparency-fields.log-list": [
            .none(
                "transparency: { preset: chrome, \(ct) }",
                "transparency: { preset: chrome, log-list: ct/other.json }",
                "two lists imply nothing of each other by their digests")
        ],
        "transparency-fields.log-list-maximum-age": [
            .order(
                "transparency: { preset: chrome, log-list-maximum-age: 30d, \(ct) }",
                "transparency: { preset: chrome, \(ct) }",
                says: "`transparency.log-list-maximum-age` is `70d` instead of `30d`")
        ],
        "transparency-fields.when-stale": [
            .order(
                "transparency: { preset: chrome, \(ct) }",
                "transparency: { preset: chrome, when-stale: report, \(ct) }",
                says: "`transparency.when-stale` is `report` instead of `fail`")
        ],
        "transparency-fields.exempt-anchors": [
            .order(
                "anchors: [system, corp], transparency: { preset: chrome, \(ct) }",
                "anchors: [system, corp], transparency: { preset: chrome, exempt-anchors: [corp], \(ct) }",
                says: "`transparency.exempt-anchors` is `[corp]` instead of none")
        ],
        "tls-fields.minimum-version": [
            .order(
                "tls: { minimum-version: tls1.3 }", "",
                says: "`tls.minimum-version` is `tls1.2` instead of `tls1.3`")
        ],
        "tls-fields.maximum-version": [
            .order(
                "tls: { maximum-version: tls1.2 }", "",
                says: "`tls.maximum-version` is `tls1.3` instead of `tls1.2`")
        ],
        "tls-fields.forward-secrecy": [
            .order(
                "tls: { forward-secrecy: required }", "",
                says: "`tls.forward-secrecy` is `not-required` instead of `required`")
        ],
        "tls-fields.cipher-suites": [
            .order(
                "tls: { minimum-version: tls1.3, cipher-suites: [TLS_AES_256_GCM_SHA384] }",
                "tls: { minimum-version: tls1.3 }",
                says: "`tls.cipher-suites` is `any` instead of `[TLS_AES_256_GCM_SHA384]`")
        ],
        "tls-fields.groups": [
            .order(
                "tls: { groups: [x25519] }", "tls: { groups: [secp256r1, x25519] }",
                says: "`tls.groups` is `[secp256r1, x25519]` instead of `[x25519]`"),
            .none(
                "tls: { groups: [x25519, secp256r1] }", "tls: { groups: [secp256r1, x25519] }",
                "order is preference"),
        ],
        "tls-fields.signature-schemes": [
            .order(
                "tls: { signature-schemes: [ed25519] }", "",
                says: "`tls.signature-schemes` is `any` instead of `[ed25519]`")
        ],
        "tls-fields.alpn": [
            .order(
                "tls: { alpn: [h2] }", "tls: { alpn: [h2, http/1.1] }",
                says: "`tls.alpn` is `[h2, http/1.1]` instead of `[h2]`"),
            .order("tls: { alpn: [h2] }", "", says: "`tls.alpn` is `any` instead of `[h2]`"),
            .none("tls: { alpn: [h2] }", "tls: { alpn: [h3] }", "other protocols"),
        ],
    ].merging(causes) { $0 + $1 }

    private static let causes = Dictionary(
        uniqueKeysWithValues: RevocationCause.allCases.map { cause in
            (
                "revocation-causes.\(cause.name)",
                [("fail", "report"), ("report", "pass"), ("fail", "pass")].map { strict, weak in
                    Pair.order(
                        "revocation: { causes: { \(cause.name): \(strict) } }",
                        "revocation: { causes: { \(cause.name): \(weak) } }",
                        says:
                            "`revocation.causes.\(cause.name)` is `\(weak)` instead of `\(strict)`")
                }
            )
        })

    private static func step(_ day: String, _ maximum: String) -> String {
        "validity: { maximum-lifetime: 200d, lifetime-steps: "
            + "[{ issued-from: \(day), maximum: \(maximum) }] }"
    }

    /// The longest lifetime is a function of the day of issue.
    private static let steps: [Pair] = [
        .order(
            step("2026-03-15", "100d"), "validity: { maximum-lifetime: 200d }",
            says: "`validity.lifetime-steps` is `200d` instead of `100d` for certificates issued "
                + "from 2026-03-15 on"),
        .order(
            step("2026-03-15", "100d"), "",
            says: "`validity.maximum-lifetime` is none instead of `200d`",
            "`validity.lifetime-steps` is none instead of `100d` for certificates issued from 2026-03-15 on"
        ),
        // Stricter until the step, weaker from it on; and the other way round before.
        Pair(
            strict: step("2029-03-15", "47d"), weak: "validity: { maximum-lifetime: 90d }",
            says: [
                "`validity.lifetime-steps` is `90d` instead of `47d` for certificates issued from 2029-03-15 on"
            ],
            reason: "also `validity.maximum-lifetime` is `200d` instead of `90d`"),
        Pair(
            strict: "validity: { maximum-lifetime: 90d }",
            weak: "validity: { maximum-lifetime: 90d, lifetime-steps: "
                + "[{ issued-from: 2026-03-15, maximum: 80d }, { issued-from: 2027-03-15, maximum: 95d }] }",
            says: [
                "`validity.lifetime-steps` is `95d` instead of `90d` for certificates issued from 2027-03-15 on"
            ],
            reason:
                "also `validity.lifetime-steps` is `90d` instead of `80d` for certificates issued from "
                + "2026-03-15 on"),
    ]

    // MARK: Sets

    /// A pair of rules that trust sets `one` and `two`, which differ in what they say.
    private static func terms(
        _ one: String, _ two: String, says: String..., reason: String = ""
    ) -> Pair {
        Pair(
            strict: "anchors: [one], transparency: { \(ct) }",
            weak: "anchors: [two], transparency: { \(ct) }", says: says, reason: reason,
            more: "  one: { \(one), owner: pki }\n  two: { \(two), owner: pki }\n")
    }

    private static func constraint(_ key: String, _ strict: String, _ weak: String) -> Pair {
        terms(
            "files: [corp.pem], constraints: { \(key): \(strict) }",
            "files: [corp.pem], constraints: { \(key): \(weak) }",
            says: "`anchors.two.constraints.\(key)` is")
    }

    private static func filter(_ key: String, _ strict: String, _ weak: String) -> Pair {
        terms(
            "include: [system]\(strict)", "include: [system]\(weak)",
            says: "`anchors.two.\(key)` is")
    }

    private static let one = "sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="
    private static let two = "sha256/cvL9l/L3MD1f4OTruTXJJ/LUo/xVVp6qRkwrImKyEUI="
    private static let three = "sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk="

    private static let sets: [String: [Pair]] = [
        "anchor-set.include": [
            terms(
                "include: [corp]", "include: [corp, system]",
                says:
                    "`anchors` is `[two]` instead of `[one]`, so every CA of the machine's store may "
                    + "vouch, too")
        ],
        "anchor-set.files": [
            terms(
                "files: [corp.pem]", "files: [corp.pem, other.pem]",
                says: "`anchors` is `[two]` instead of `[one]`, so `CN=Other Root` may vouch, too"),
            terms("files: [corp.pem]", "files: [again.pem]", reason: "the same name and key"),
            terms("files: [corp.pem]", "files: [other.pem]", reason: "one in place of another"),
            terms(
                "files: [limited.pem]", "files: [corp.pem]",
                says:
                    "`anchors.two.members` is `a certificate without name-constraints` instead of "
                    + "`one with name-constraints`"),
        ],
        "anchor-set.pem": [
            terms(
                "files: [corp.pem]",
                "files: [corp.pem], pem: \"\(MarkedLint.otherRoot.pem.replacing("\n", with: "\\n"))\"",
                says: "`CN=Other Root` may vouch, too")
        ],
        "anchor-set.only": [
            terms(
                "files: [corp.pem, other.pem], only: { kept: { certificate-file: corp.pem } }",
                "files: [corp.pem, other.pem]", says: "`CN=Other Root` may vouch, too"),
            filter("only", ", only: { kept: { spki: \(one) } }", ""),
        ],
        "anchor-set.exclude": [
            terms(
                "files: [corp.pem, other.pem], exclude: { gone: { certificate-file: other.pem } }",
                "files: [corp.pem, other.pem]", says: "`CN=Other Root` may vouch, too"),
            filter("exclude", ", exclude: { gone: { spki: \(one) } }", ""),
        ],
        "anchor-set.kind": [
            terms(
                "files: [corp.pem], kind: leaf", "files: [corp.pem]",
                says: "`anchors.two.kind` is `root` instead of `leaf`")
        ],
        "anchor-set.intermediates": [
            terms(
                "files: [corp.pem]", "files: [corp.pem], intermediates: [issuing.pem]",
                reason: "the peer could have sent it, and it vouches for nothing by itself")
        ],
        "anchor-set.standard": [
            terms(
                "files: [corp.pem], standard: web-pki", "files: [corp.pem], standard: rfc5280",
                says: "`anchors.two.standard` is `rfc5280` instead of `web-pki`")
        ],
        "anchor-set.ignore-limits": [
            terms(
                "files: [corp.pem]", "files: [corp.pem], ignore-limits: [dates]",
                says: "`anchors.two.ignore-limits` is `[dates]` instead of none")
        ],
        "anchor-set.owner": [nothing], "anchor-set.note": [nothing],
        "anchor-constraints.permitted-names": [
            constraint("permitted-names", "[\"*.a.example\"]", "[\"**.a.example\"]"),
            terms(
                "files: [corp.pem], constraints: { permitted-names: [\"**.a.example\"] }",
                "files: [corp.pem]",
                says:
                    "`anchors.two.constraints.permitted-names` is none instead of `[\"**.a.example\"]`"
            ),
        ],
        "anchor-constraints.excluded-names": [
            constraint("excluded-names", "[\"**.a.example\"]", "[\"*.a.example\"]")
        ],
        "anchor-constraints.permitted-uris": [
            constraint(
                "permitted-uris", "[\"spiffe://a.example/x\"]",
                "[\"spiffe://a.example/x\", \"spiffe://a.example/y\"]")
        ],
        "anchor-constraints.key-purposes": [
            constraint("key-purposes", "[server-auth]", "[server-auth, client-auth]")
        ],
        "anchor-constraints.maximum-lifetime": [constraint("maximum-lifetime", "14d", "15d")],
        "window.from": [
            constraint("not-before", "{ from: 2026-02-01 }", "{ from: 2026-01-31 }"),
            constraint("sct", "{ from: 2026-02-01 }", "{ from: 2026-01-31 }"),
        ] + forbiddenFrom,
        "window.until": [
            constraint("not-before", "{ until: 2026-02-01 }", "{ until: 2026-02-02 }")
        ],
        "pin-set.keys": pinned + [
            pins("a: { spki: \(one) }", "a: { spki: \(one) }, c: { spki: \(three) }")
        ],
        "pin-set.backups": [
            pins(
                "a: { spki: \(one) }", "a: { spki: \(one) }",
                weakBackup: "c: { spki: \(three) }, ")
        ],
        "pin-set.match": [pins("a: { spki: \(one) }", "a: { spki: \(one) }", ", match: 2", "")],
        "pin-set.warn-from": [
            samePins("a: { spki: \(one) }", ", warn-from: 2026-12-31, enforce-until: 2027-01-31")
        ],
        "pin-set.enforce-until": [
            samePins(
                "a: { spki: \(one) }", ", enforce-until: 2027-01-31, on-expiry: unpinned",
                "it has a date, and findings of its own")
        ],
        "pin-set.on-expiry": [
            samePins(
                "a: { spki: \(one) }", ", enforce-until: 2027-01-31, on-expiry: report",
                "it has a date, and findings of its own")
        ],
        "pin-set.owner": [samePins("a: { spki: \(one) }", ", owner: pki")],
        "pin-set.note": [samePins("a: { spki: \(one) }", ", note: x")],
        "pin.spki": pinned, "pin.certificate": pinned, "pin.spki-file": pinned,
        "pin.certificate-file": pinned,
        "pin.at": [pins("a: { spki: \(one), at: leaf }", "a: { spki: \(one) }")],
        "pin.note": [samePins("a: { spki: \(one), note: x }", "")],
        "key-match.spki": [only("spki: \(one)")],
        "key-match.certificate": [only("certificate: sha256:\(digits)")],
        "key-match.spki-file": [only("spki-file: corp.pem")],
        "key-match.certificate-file": [only("certificate-file: corp.pem")],
        "forbidden-key.spki": [forbidden("spki: \(one)", "spki: \(two)")],
        "forbidden-key.certificate": [
            forbidden(
                "certificate: sha256:\(digits)", "certificate: sha256:\(String(digits.reversed()))")
        ],
        "forbidden-key.spki-file": [forbidden("spki-file: corp.pem", "spki-file: other.pem")],
        "forbidden-key.certificate-file": [
            forbidden("certificate-file: corp.pem", "certificate-file: other.pem")
        ],
    ]

    /// A key that is forbidden at all times, from a day on, from a later day on.
    private static let forbiddenFrom: [Pair] = [
        .order(
            "forbidden-keys: { stolen: { spki: \(one) } }",
            "forbidden-keys: { stolen: { spki: \(one), not-before: { from: 2026-01-01 } } }",
            says: "`forbidden-keys.stolen` is `forbidden in part` instead of `forbidden`"),
        .order(
            "forbidden-keys: { stolen: { spki: \(one), not-before: { from: 2026-01-01 } } }",
            "forbidden-keys: { stolen: { spki: \(one), not-before: { from: 2026-01-02 } } }",
            says: "`forbidden-keys.stolen` is `forbidden in part` instead of `forbidden`"),
    ]

    private static let digits = String(repeating: "0123456789abcdef", count: 4)

    /// A set that keeps what matches, and one that keeps another key as well.
    private static func only(_ match: String) -> Pair {
        filter(
            "only", ", only: { kept: { \(match) } }",
            ", only: { kept: { \(match) }, more: { spki: \(three) } }")
    }

    /// Two rules that forbid keys of which neither implies the other, so that both are told.
    private static func forbidden(_ here: String, _ there: String) -> Pair {
        Pair(
            strict: "forbidden-keys: { stolen: { \(here) } }",
            weak: "forbidden-keys: { stolen: { \(there) } }",
            says: ["`forbidden-keys.stolen` is `forbidden in part` instead of `forbidden`"],
            reason: "also `forbidden-keys.stolen` is `forbidden in part` instead of `forbidden`")
    }

    /// Sets of pins that differ in one thing.
    private static func pinSets(_ one: String, _ two: String) -> String {
        "pins:\n  one: { \(one) }\n  two: { \(two) }\n"
    }

    private static func pins(
        _ strict: String, _ weak: String, _ strictRest: String = "", _ weakRest: String = "",
        weakBackup: String = ""
    ) -> Pair {
        let backup = "b: { spki: \(two) }"
        return .order(
            "pins: [one]", "pins: [two]", says: "`pins` is `[two]` instead of `[one]`",
            more: pinSets(
                "keys: { \(strict) }, backups: { \(backup) }\(strictRest)",
                "keys: { \(weak) }, backups: { \(weakBackup)\(backup) }\(weakRest)"))
    }

    /// Two sets of which the one says more of which nothing is told.
    private static func samePins(
        _ keys: String, _ rest: String, _ reason: String = "it demands nothing of a path"
    ) -> Pair {
        let backups = "backups: { b: { spki: \(two) } }"
        return .none(
            "pins: [one]", "pins: [two]", reason,
            more: pinSets(
                "keys: { a: { spki: \(one) } }, \(backups)",
                "keys: { \(keys) }, \(backups)\(rest)"))
    }

    private static let pinned = [
        Pair.none(
            "pins: [one]", "pins: [two]", "each takes a key that the other does not",
            more: """
                pins:
                  one: { keys: { a: { spki: \(one) } }, backups: { b: { spki: \(two) } } }
                  two: { keys: { a: { spki: \(two) } }, backups: { b: { spki: \(three) } } }

                """)
    ]

    // MARK: Rules

    private static let nothing = Pair.none("", "note: \"another\"", "it demands nothing")

    private static func waiver(_ check: String, _ own: String = "") -> [Pair] {
        [
            .none(
                "anchors: [system, corp]\(demanded(check))",
                "anchors: [system, corp]\(demanded(check)), waivers: { \(check): { \(own)reason: x, "
                    + "owner: qa, until: 2027-01-31 } }",
                "it has a date, and findings of its own", more: pinsOfWaivers(check))
        ]
    }

    private static func demanded(_ check: String) -> String {
        switch check {
        case "pins": return ", pins: [one]"
        case "path": return ", pins: [one]"
        case "issuance": return ", path: { issuance: enforce }"
        case "transparency": return ", transparency: { preset: chrome, \(ct) }"
        default: return ""
        }
    }

    private static func pinsOfWaivers(_ check: String) -> String {
        ["pins", "path"].contains(check)
            ? "pins:\n  one: { keys: { a: { spki: \(one) } }, backups: { b: { spki: \(two) } } }\n"
            : ""
    }

    private static let bodies: [String: [Pair]] = {
        var rows: [String: [Pair]] = [
            "policy.hawser": [nothing], "policy.default": [nothing], "policy.anchors": [nothing],
            "policy.pins": [nothing], "policy.profiles": [nothing], "policy.rules": [nothing],
            "rule.hosts": [.none("", "", "each rule has its own; they decide what is compared")],
            "identity.reference": [
                .order(
                    "identity: { reference: host-and-listed, dns: [a.example] }", "",
                    says: "`identity.reference` is `host` instead of `host-and-listed`"),
                .order(
                    "identity: { reference: host-and-listed, dns: [a.example] }",
                    "identity: { reference: listed, dns: [a.example] }",
                    says: "`identity.reference` is `listed` instead of `host-and-listed`"),
                .order(
                    "", "identity: { reference: listed, dns: [a.example] }",
                    says: "`identity.reference` is `listed` instead of `host`"),
            ],
            "profile.extends": [
                .order(
                    "profile: far", "profile: near",
                    says: "`keys.rsa-minimum` is `2048` instead of `3072`",
                    more: """
                        profiles:
                          hard: { keys: { rsa-minimum: 3072 } }
                          far: { extends: hard, path: { maximum-intermediates: 3 } }
                          near: { path: { maximum-intermediates: 3 } }

                        """)
            ],
        ]
        for (key, small, large) in [
            ("dns", "[a.example]", "[a.example, b.example]"),
            ("ip", "[192.0.2.1]", "[192.0.2.1, 192.0.2.2]"),
            ("email", "[a@a.example]", "[a@a.example, b@a.example]"),
            (
                "uri", "[\"spiffe://a.example/x\"]",
                "[\"spiffe://a.example/x\", \"spiffe://a.example/y\"]"
            ),
        ] {
            rows["identity.\(key)"] = [
                .order(
                    "identity: { reference: listed, \(key): \(small) }",
                    "identity: { reference: listed, \(key): \(large) }",
                    says: "`identity.\(key)` is")
            ]
        }
        // What `default`, rules and profiles write alike.
        for body in ["default-body", "rule", "profile"] {
            rows["\(body).forbidden-keys"] = [
                .order(
                    "forbidden-keys: { stolen: { spki: \(one) } }", "",
                    says: "`forbidden-keys.stolen` is none instead of `forbidden`"),
                .none(
                    "forbidden-keys: { stolen: { spki: \(one) } }",
                    "forbidden-keys: { lost: { spki: \(one) } }", "the same key by another name"),
            ]
            rows["\(body).checks"] = [
                .order("checks: [device]", "", says: "`checks` is none instead of `[device]`")
            ]
            rows["\(body).report-only"] = [
                .none(
                    "tls: { minimum-version: tls1.3 }",
                    "tls: { minimum-version: tls1.3 }, report-only: { tls: { until: 2027-01-31 } }",
                    "it has a date, and findings of its own")
            ]
        }
        for body in ["default-body", "rule"] {
            rows["\(body).anchors"] = [
                .order(
                    "", "anchors: [corp, other]",
                    says:
                        "`anchors` is `[corp, other]` instead of `[corp]`, so `CN=Other Root` may "
                        + "vouch, too"),
                // Not the other way round: a public authority is not added.
                .order(
                    "", "anchors: [system]",
                    says:
                        "`anchors` is `[system]` instead of `[corp]`, so every CA of the machine's "
                        + "store may vouch"),
                .none("", "anchors: [other]", "one private authority in place of another"),
            ]
            rows["\(body).pins"] = [
                .order(
                    "pins: [one]", "", says: "`pins` is none instead of `[one]`",
                    more: pinned[0].more)
            ]
            rows["\(body).profile"] = [
                .order(
                    "profile: hard", "", says: "`keys.rsa-minimum` is `2048` instead of `3072`",
                    more: "profiles:\n  hard: { keys: { rsa-minimum: 3072 } }\n")
            ]
            rows["\(body).owner"] = [nothing]
            rows["\(body).note"] = [nothing]
        }
        for key in ["until", "note"] { rows["report-only-entry.\(key)"] = rows["rule.report-only"] }
        let simple = ["identity", "path", "revocation", "pins", "transparency", "cleartext"]
        let plain = simple.flatMap { waiver($0) }
        for key in ["reason", "owner", "until", "ticket"] {
            rows["waiver.\(key)"] = plain
            rows["waiver-expired.\(key)"] = waiver("expired", "tolerance: 7d, ")
            rows["waiver-tls.\(key)"] = waiver("tls", "minimum-version: tls1.1, ")
            rows["waiver-keys.\(key)"] = waiver("keys", "rsa-minimum: 1536, ")
            rows["waiver-issuance.\(key)"] = waiver("issuance", "demands: [serial-too-long], ")
            rows["waiver-signatures.\(key)"] = waiver("signatures", "minimum-hash: sha1, ")
        }
        rows["waiver-expired.tolerance"] = waiver("expired", "tolerance: 7d, ")
        rows["waiver-tls.minimum-version"] = waiver("tls", "minimum-version: tls1.1, ")
        rows["waiver-keys.rsa-minimum"] = waiver("keys", "rsa-minimum: 1536, ")
        rows["waiver-issuance.demands"] = waiver("issuance", "demands: [serial-too-long], ")
        rows["waiver-signatures.minimum-hash"] = waiver("signatures", "minimum-hash: sha1, ")
        return rows
    }()

    // MARK: Tests

    /// Every key of the schema that is not a map of the language itself.
    static let fields = PolicyFields.all.flatMap { shape in
        shape.keys.filter { $0.map == nil }.map { "\(shape.name).\($0.name)" }
    }

    @Test("every field of the schema has its pairs, and no other")
    func complete() {
        #expect(Set(Self.fields).subtracting(Self.pairs.keys).sorted() == [])
        #expect(Set(Self.pairs.keys).subtracting(Self.fields).sorted() == [])
        #expect(Self.fields.count > 100)
    }

    @Test("what differs in one field, in both directions", arguments: fields.sorted())
    func pair(_ field: String) throws {
        for pair in Self.pairs[field] ?? [] {
            let said = try Self.compare(pair.weak, pair.strict, pair.more)
            for phrase in pair.says {
                #expect(said.contains { $0.hasPrefix(phrase) || $0.contains(phrase) }, "\(said)")
            }
            if pair.says.isEmpty { #expect(said.isEmpty, "\(said): \(pair.reason)") }
            let back = try Self.compare(pair.strict, pair.weak, pair.more)
            let expected = pair.reason.hasPrefix("also ") ? [String(pair.reason.dropFirst(5))] : []
            #expect(back == expected, "\(back)")
            #expect(!pair.says.isEmpty || !pair.reason.isEmpty)
        }
    }

    /// A guard for fixes: values that are not known to be as strict are reported, including
    /// exceptions, and lists of which neither implies the other.
    @Test(
        "what is not as strict",
        arguments: [
            ("keys: { types: [p256] }", "keys: { types: [p384] }", "keys.types"),
            ("tls: { alpn: [h2] }", "tls: { alpn: [h3] }", "tls.alpn"),
            ("anchors: [corp]", "anchors: [other]", "anchors"),
            (
                "", "waivers: { identity: { reason: x, owner: qa, until: 2027-01-31 } }",
                "waivers.identity"
            ),
            (
                "tls: { minimum-version: tls1.3 }",
                "tls: { minimum-version: tls1.3 }, report-only: { tls: { until: 2027-01-31 } }",
                "report-only.tls"
            ),
            ("checks: [a]", "checks: [b]", "checks"),
        ])
    func notAsStrict(_ one: String, _ other: String, _ field: String) throws {
        let (weak, strict, sets) = try Self.bodies(other, one, "")
        let found = Weakening(sets, .notAsStrict).fields(of: weak, against: strict).map(\.name)
        #expect(found.contains(field), "\(found)")
        #expect(Weakening(sets, .notAsStrict).fields(of: strict, against: strict).isEmpty)
    }

    /// Of every field whose values are lists: two lists of which neither implies the other.
    static let otherLists: [ProfileField: (String, String)] = [
        .keyPurposes: (
            "path: { key-purposes: [server-auth] }", "path: { key-purposes: [client-auth] }"
        ),
        .certificatePolicies: (
            "path: { certificate-policies: [2.23.140.1.2.1] }",
            "path: { certificate-policies: [2.23.140.1.2.2] }"
        ),
        .keyTypes: (
            "keys: { types: [p256, p384], leaf-types: [p256] }",
            "keys: { types: [p256, rsa], leaf-types: [p256] }"
        ),
        .leafKeyTypes: ("keys: { leaf-types: [p256] }", "keys: { leaf-types: [rsa] }"),
        .signatureSchemes: (
            "signatures: { schemes: [ecdsa] }", "signatures: { schemes: [rsa-pkcs1] }"
        ),
        .tlsCipherSuites: (
            "tls: { minimum-version: tls1.3, cipher-suites: [TLS_AES_256_GCM_SHA384] }",
            "tls: { minimum-version: tls1.3, cipher-suites: [TLS_AES_128_GCM_SHA256] }"
        ),
        .tlsGroups: ("tls: { groups: [x25519] }", "tls: { groups: [ffdhe2048] }"),
        .tlsSignatureSchemes: (
            "tls: { signature-schemes: [ed25519] }",
            "tls: { signature-schemes: [rsa_pkcs1_sha256] }"
        ),
        .tlsAlpn: ("tls: { alpn: [h2] }", "tls: { alpn: [h3] }"),
        .checks: ("checks: [a]", "checks: [b]"),
        .forbiddenKeys: (
            "forbidden-keys: { a: { spki: \(one) } }", "forbidden-keys: { b: { spki: \(two) } }"
        ),
    ]

    @Test(
        "another list in place of a list is told, in both directions",
        arguments: ProfileField.allCases.filter {
            [.subset, .superset].contains($0.descriptor.stricter)
        })
    func otherList(_ field: ProfileField) throws {
        let (one, other) = try #require(Self.otherLists[field])
        for (own, their) in [(one, other), (other, one)] {
            let (weak, strict, sets) = try Self.bodies(own, their, "")
            let found = Weakening(sets, .weakerOrOtherLists).fields(of: weak, against: strict)
            let told = found.filter { $0.name.hasPrefix(field.rawValue) }
            // Application protocols and types of key are not stronger than one another. Each
            // forbidden key is a field.
            let isQuiet = [.tlsAlpn, .keyTypes, .leafKeyTypes].contains(field)
            #expect(told.isEmpty == isQuiet, "\(found)")
            let manner = field == .forbiddenKeys ? WeakerField.Manner.less : .other
            #expect(told.allSatisfy { $0.manner == manner }, "\(told)")
            let less = Weakening(sets, .weaker).fields(of: weak, against: strict)
            #expect(less.allSatisfy { $0.manner == .less }, "\(less)")
        }
    }

    @Test("every field that is weaker is so in this sense, too", arguments: fields.sorted())
    func weakerAmongOthers(_ field: String) throws {
        for pair in Self.pairs[field] ?? [] where !pair.says.isEmpty {
            let (weak, strict, sets) = try Self.bodies(pair.weak, pair.strict, pair.more)
            let less = Weakening(sets, .weaker).fields(of: weak, against: strict)
            let others = Weakening(sets, .weakerOrOtherLists).fields(of: weak, against: strict)
            #expect(Set(less).isSubset(of: others), "\(less), \(others)")
        }
    }

    @Test("the machine's whole store in place of chosen authorities, public ones among them")
    func wholeStore() throws {
        let sets = """
              chosen: { files: [other.pem], standard: web-pki, owner: pki }
              kept: { include: [system], only: { one: { spki: \(Self.one) } }, owner: pki }
              most: { include: [system], exclude: { one: { spki: \(Self.one) } }, owner: pki }

            """
        for (own, their, isTold) in [
            ("system", "chosen", true), ("most", "chosen", true), ("kept", "chosen", false),
            ("chosen", "system", false), ("kept", "system", false), ("chosen", "kept", false),
        ] {
            let said = try Self.compare("anchors: [\(own)]", "anchors: [\(their)]", sets)
            #expect(said.contains { $0.hasPrefix("`anchors` is") } == isTold, "\(own): \(said)")
        }
        // Where pins bind, strangers get no certificate for a key that is pinned.
        #expect(
            try Self.compare(
                "anchors: [system], pins: [one]", "anchors: [chosen], pins: [one]",
                sets + "pins:\n  one: { keys: { a: { spki: \(Self.one) } }, backups: { b: { spki: "
                    + "\(Self.two) } } }\n"
            ) == [])
    }

    @Test("a private authority in place of public ones is as strict")
    func privateInPlace() throws {
        let (own, other, sets) = try Self.bodies("anchors: [corp]", "anchors: [system]", "")
        for sense in [Weakening.Sense.weaker, .notAsStrict] {
            #expect(Weakening(sets, sense).fields(of: own, against: other).isEmpty)
        }
    }

    @Test("public authorities in place of private ones, and where pins decide")
    func pins() throws {
        func said(_ own: String, _ other: String, _ more: String = Self.pinned[0].more) throws
            -> [String]
        {
            try Self.compare(own, other, more)
        }
        #expect(try said("anchors: [system], pins: [one]", "anchors: [corp]") == [])
        #expect(
            try said("anchors: [system], pins: [one]", "anchors: [pinned-keys], pins: [one]") == [])
        #expect(
            try said("anchors: [system], pins: [two]", "anchors: [pinned-keys], pins: [one]")
                .first?.hasPrefix("`anchors` is `[system]` instead of `[pinned-keys]`") == true)
        let open = Self.pinned[0].more.replacing(
            "backups: { b: { spki: \(Self.two) } } }",
            with: "backups: { b: { spki: \(Self.two) } }, enforce-until: 2027-01-31, "
                + "on-expiry: unpinned }"
        )
        #expect(try said("anchors: [system], pins: [one]", "anchors: [corp]", open).count == 1)
        #expect(
            try said(
                "anchors: [system], pins: [one], waivers: { pins: { reason: x, owner: qa, until: "
                    + "2027-01-31 } }", "anchors: [corp]"
            ).count == 1)
    }

    @Test("new authorities by name, three of them")
    func names() throws {
        let files = (1...5).map { "many\($0).pem" }.joined(separator: ", ")
        let said = try Self.compare(
            "anchors: [corp, many]", "anchors: [corp]",
            "  many: { files: [\(files)], owner: pki }\n")
        #expect(
            said == [
                "`anchors` is `[corp, many]` instead of `[corp]`, so `CN=Many 1 Root`, "
                    + "`CN=Many 2 Root`, `CN=Many 3 Root` and 2 more may vouch, too"
            ]
                || said.first?.hasSuffix("and 2 more may vouch, too") == true, "\(said)")
    }

    @Test("anchors that are too many to be compared: the linter says that it did not look")
    func tooMany() {
        func lint(_ count: Int) -> LintResult {
            let sets = (0..<count).map {
                "  s\($0): { include: [all], constraints: { maximum-lifetime: 90d }, owner: pki }\n"
            }
            let all =
                "  all: { files: [\((1...50).map { "many\($0).pem" }.joined(separator: ", "))] }\n"
            return MarkedLint(
                "hawser: 1\ndefault: deny\nanchors:\n" + all + sets.joined()
                    + """
                    rules:
                      all: { hosts: ["**.a.example"], anchors: [s0], owner: web }
                      one: { hosts: ["b.a.example"], anchors: [s1, system], owner: web }

                    """
            ).lint(files: Self.files)
        }
        for (count, isLookedAt) in [(20, true), (1_010, false)] {
            let result = lint(count)
            let isWhole = result.isWhole
            let isFound = result.findings.contains { $0.code == .weakerInside }
            #expect(isWhole == isLookedAt && isFound == isLookedAt, "\(count)")
        }
    }

    // MARK: Compiling

    /// The sentences about one rule beside another.
    private static func compare(_ own: String, _ other: String, _ more: String) throws -> [String] {
        let (own, other, sets) = try bodies(own, other, more)
        return Weakening(sets, .weaker).fields(of: own, against: other).map(\.comparison)
    }

    private static func bodies(
        _ own: String, _ other: String, _ more: String
    ) throws -> (own: RuleBody, other: RuleBody, sets: TrustedSets) {
        // Private anchors alone have no timestamps.
        let anchors = "anchors: [\((own + other).contains("transparency:") ? "system" : "corp")]"
        func rule(_ id: String, _ fields: String) -> String {
            let parts = [
                "hosts: [\"\(id).example\"]", fields.hasPrefix("anchors:") ? "" : anchors,
                fields.contains("owner: web") ? "" : "owner: web", fields,
            ]
            return "  \(id): { \(parts.filter { !$0.isEmpty }.joined(separator: ", ")) }\n"
        }
        let isSet = more.hasPrefix("  ")
        let text =
            """
            hawser: 1
            default: deny
            anchors:
              corp: { files: [corp.pem], owner: pki }
              other: { files: [other.pem], owner: pki }

            """ + (isSet ? more : "") + "rules:\n" + rule("own", own) + rule("their", other)
            + (isSet ? "" : more)
        let unit = MarkedLint(text).unit(files)
        let (compilation, parts) = CompilerPipeline.read(unit, crypto: LibCryptoBackend())
        let errors = compilation.diagnostics.filter { $0.severity == .error }.map(\.message)
        try #require(errors.isEmpty, "\(errors)\n\(text)")
        let rules = parts.bound.rules.map { parts.lowered($0.body) }
        try #require(rules.count == 2)
        let sets = parts.loweredSets
        return (
            rules[0], rules[1], TrustedSets(anchorSets: sets.anchors, pinSets: sets.pins)
        )
    }

    private static let files: [String: [UInt8]] = {
        let key = TestKey.p256("lint-root")
        var files: [String: [UInt8]] = [
            "ct/log_list.json": Array(logList("A").utf8), "ct/other.json": Array(logList("B").utf8),
            "again.pem": Array(
                MarkedLint.pki.root("Acme Root", key: key) { $0.notAfter = .at("2031-01-31") }.pem
                    .utf8),
            "limited.pem": Array(
                MarkedLint.pki.root("Acme Root", key: key) {
                    $0.extensions.append(.nameConstraints(permitted: [.dns("example")]))
                }.pem.utf8),
            "issuing.pem": Array(
                MarkedLint.root.issueCA("Acme Issuing", key: .p256("weakening-issuing")).pem.utf8),
        ]
        let many = TestKey.p256("weakening many")
        for index in 1...50 {
            files["many\(index).pem"] = Array(
                MarkedLint.pki.root("Many \(index) Root", key: many).pem.utf8)
        }
        return files
    }()

    private static func logList(_ name: String) -> String {
        """
        { "version": "80.14", "log_list_timestamp": "2026-01-02T12:57:01Z",
          "operators": [ { "name": "\(name)", "email": [], "logs": [], "tiled_logs": [] } ] }
        """
    }
}
