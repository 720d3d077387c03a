import PolicyCompiler
import Testing

/// The fields of LANGUAGE section 8: what each takes, what contradicts what, and where it is told.
@Suite("fields")
struct FieldTests {
    static let one = "sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="
    static let two = "sha256/cvL9l/L3MD1f4OTruTXJJ/LUo/xVVp6qRkwrImKyEUI="
    static let logList = """
        { "version": "80.14", "log_list_timestamp": "2026-01-02T12:57:01Z",
          "operators": [ { "name": "A", "email": [], "logs": [], "tiled_logs": [] } ] }
        """

    static let resources: [String: [UInt8]] = [
        "corp.pem": Array(KeyMaterialTests.root.pem.utf8),
        "public.pem": Array(SketchedCertificate(hasKeyUsage: true).pem.utf8),
        "stolen/ca.pem": Array(KeyMaterialTests.issuing.pem.utf8),
        "ct/log_list.json": Array(logList.utf8),
        "ct/old.json": Array("{ \"operators\": [] }".utf8),
        "ct/broken.json": Array("{ \"log_list_timestamp\": \"2026-01-02T12:57:01Z\",\n".utf8),
        "ct/huge.json": [UInt8](repeating: 0x20, count: 16 << 20) + Array("{}".utf8),
    ]

    /// A policy whose `default` trusts the system and has these fields.
    static func policy(_ fields: String) -> String {
        "hawser: 1\ndefault: { anchors: [system], \(fields) }\n"
    }

    static func row(_ name: String, _ text: String, says: [String] = []) -> MarkedRow {
        MarkedRow(name, text, says: says, resources: resources)
    }

    static let paths = [
        row(
            "path of a policy by OID, and words",
            policy(
                "path: { certificate-policies: [2.23.140.1.2.2, «HW103:web»], explicit-policy: «HW103:yes-please», policy-mapping: «HW103:forbidden», any-policy: inhibited }"
            ),
            says: ["allowed: required not-required", "allowed: allowed inhibited"]),
        row(
            "two steps of one date, whatever its spelling",
            policy(
                "validity: { lifetime-steps: [{ issued-from: «label:2026-03-15», maximum: 200d }, { issued-from: 2027-03-15, maximum: 100d }, { issued-from: «HW507:2026-03-15T00:00:00Z», maximum: 47d }] }"
            ),
            says: ["two steps of `validity.lifetime-steps` begin at 2026-03-15T00:00:00Z"]),
        row(
            "a step without its maximum",
            policy(
                "validity: { lifetime-steps: [«HW108:{ issued-from: 2026-03-15 }», { issued-from: 2027-03-15, maximum: «HW103:0s» }] }"
            ),
            says: ["a step of `validity.lifetime-steps` has no `maximum`"]),
    ]

    static let revocation = [
        row(
            "every field of revocation",
            policy(
                "revocation: { preset: require, causes: { unknown: report, no-endpoint: pass, unreachable: pass, stale: pass, malformed: fail, not-covered: fail }, sources: [crl, ocsp, stapled], scope: chain, network: wait, maximum-age: 26h, short-lived: 2d }"
            )),
        row(
            "what would accept revoked certificates is a waiver",
            policy(
                "revocation: { preset: «HW103:disabled», causes: { «HW004:revoked»: pass, stale: «HW103:ignore» } }"
            ),
            says: [
                "`disabled` would accept revoked certificates; `revocation.preset` takes "
                    + "`best-effort` or `require`",
                "`best-effort` never rejects for want of evidence",
                "for a dated exception write `waivers: { revocation: { reason, owner, until } }` in "
                    + "the rule",
                "`revoked` cannot be set", "allowed: fail report pass",
            ]),
        row(
            "a source twice",
            policy("revocation: { sources: [«label:crl», ocsp, «HW103:crl»] }"),
            says: ["`crl` stands twice in `revocation.sources`, where order is preference"]),
        row(
            "a scope, a use of the network and ages that are none",
            policy(
                "revocation: { scope: «HW103:intermediates», network: «HW103:always», maximum-age: «HW103:0s», short-lived: 2«HW103:m» }"
            )),
        row(
            "require with stapled alone beyond the leaf, in one layer",
            policy("revocation: { preset: «label:require», sources: «HW507:[stapled]» }"),
            says: [
                "`require` with `stapled` alone rejects every path in the scope "
                    + "`leaf-and-intermediates`",
                "write `revocation: { scope: leaf }`",
            ]),
        row(
            "require with stapled beside another source",
            policy("revocation: { preset: require, sources: [stapled, crl], scope: chain }")),
        row(
            "require with stapled alone, made by the nearer layer, told there and once",
            """
            hawser: 1
            default: { anchors: [system], profile: near }
            profiles:
              far: { revocation: { sources: «label:[stapled]», scope: «label:chain» } }
              near: { extends: far, revocation: { preset: «HW507:require» } }
            rules:
              r: { hosts: ["r.example"], anchors: [system], profile: near, revocation: { network: wait } }
              leaf: { hosts: ["leaf.example"], anchors: [system], profile: near, revocation: { scope: leaf } }
            """,
            says: ["in the scope `chain`"]),
        row(
            "require with stapled alone for the leaf, or where other certificates may lack it",
            """
            hawser: 1
            default: { anchors: [system], revocation: { preset: require, sources: [stapled], scope: leaf } }
            rules:
              r:
                hosts: ["r.example"]
                anchors: [system]
                revocation: { preset: require, sources: [stapled], causes: { no-endpoint: pass, unreachable: report } }
              s: { hosts: ["s.example"], anchors: [system], revocation: { sources: [stapled] } }
            """),
    ]

    static let transparency = [
        row(
            "every field of transparency",
            """
            hawser: 1
            default:
              anchors: [system, corp]
              transparency: { preset: chrome, minimum-scts: 3, minimum-operators: 2, log-list: ct/log_list.json, log-list-maximum-age: 30d, when-stale: report, exempt-anchors: [corp] }
            anchors: { corp: { files: [corp.pem] } }
            """),
        row(
            "numbers out of range, and words that are none",
            policy(
                "transparency: { preset: «HW103:google», minimum-scts: «HW103:0», minimum-operators: «HW103:11», log-list-maximum-age: «HW103:0d», when-stale: «HW103:ignore» }"
            )),
        row(
            "numbers where nothing is demanded",
            policy("transparency: { minimum-scts: «HW507:2», minimum-operators: «HW507:2» }"),
            says: [
                "`transparency.minimum-scts` asks for 2 timestamps, but `transparency.preset` is "
                    + "`none`, so none are demanded",
                "write `preset: chrome` or `preset: apple` beside it, or leave the number out",
            ]),
        row(
            "numbers beside a none of the same layer, and over one of a farther layer",
            """
            hawser: 1
            default: { anchors: [system], transparency: { preset: «label:none», minimum-scts: «HW507:2» } }
            profiles:
              quiet: { transparency: { preset: «label:none» } }
            rules:
              r: { hosts: ["r.example"], anchors: [system], profile: quiet, transparency: { minimum-operators: «HW507:2» } }
            """),
        row(
            "a nearer none undoes the demand and its numbers",
            """
            hawser: 1
            default: { anchors: [system], profile: seen, transparency: { preset: none } }
            profiles:
              seen: { transparency: { preset: apple, minimum-scts: 3 } }
            """),
        row(
            "no log list, in the rule that demands it",
            policy("transparency: { preset: «HW507:chrome» }"),
            says: [
                "`default` demands certificate transparency and names no log list",
                "add `transparency: { log-list: ct/log_list.json }` to the rule or its profile",
            ]),
        row(
            "no log list through a profile, told once",
            """
            hawser: 1
            default: { anchors: [system], profile: «HW507:seen» }
            profiles:
              seen: { transparency: { preset: «label:chrome» } }
            rules:
              a: { hosts: ["a.example"], anchors: [system], profile: seen }
              b: { hosts: ["b.example"], anchors: [system], profile: seen }
              c: { hosts: ["c.example"], anchors: [system], profile: seen, transparency: { log-list: ct/log_list.json } }
              d: { hosts: ["d.example"], anchors: [system], profile: seen, transparency: { preset: none } }
              e: { hosts: ["e.example"], anchors: [system], profile: seen, transparency: { preset: «HW507:apple» } }
            """,
            says: ["so it is with 2 more under the profile `seen`"]),
        row(
            "no log list under ats",
            "hawser: 1\ndefault: { anchors: [system], profile: «HW507:ats» }\n",
            says: ["the built-in profile `ats` demands it: `preset: apple`"]),
        row(
            "no log list under a profile that extends ats",
            """
            hawser: 1
            default: { anchors: [system], profile: «HW507:app» }
            profiles: { app: { extends: ats, keys: { rsa-minimum: 3072 } } }
            """),
        row(
            "a log list that cannot be used is told alone",
            """
            hawser: 1
            default: { anchors: [system], transparency: { preset: chrome, log-list: «HW301:ct/none.json» } }
            rules:
              a: { hosts: ["a.example"], anchors: [system], transparency: { preset: chrome, log-list: «HW301:ct/old.json» } }
              b: { hosts: ["b.example"], anchors: [system], transparency: { preset: chrome, log-list: «HW301:ct/broken.json» } }
              c: { hosts: ["c.example"], anchors: [system], transparency: { preset: chrome, log-list: «HW011:ct/huge.json» } }
              d: { hosts: ["d.example"], anchors: [system], transparency: { preset: chrome, log-list: «HW103:ct/» } }
              e: { hosts: ["e.example"], anchors: [system], transparency: { preset: chrome, log-list: «HW012:..»/ct/log_list.json } }
              f: { hosts: ["f.example"], anchors: [system], transparency: { preset: chrome, «HW004:log_list»: ct/log_list.json } }
            """,
            says: [
                "`ct/none.json` cannot be read: there is no such file",
                "`ct/old.json` is not a log list: it has no `log_list_timestamp`",
                "`ct/broken.json` is not a log list: it is not JSON at its line 2",
                "`ct/huge.json` has 16777218 octets; a log list has at most 16777216",
                "takes the path of one file; found `ct/`, a folder",
            ]),
        row(
            "every anchor private, and none exempt",
            """
            hawser: 1
            default: { anchors: «HW507:[corp, lab]», transparency: { preset: «label:chrome», log-list: ct/log_list.json } }
            anchors:
              corp: { files: [corp.pem] }
              lab: { include: [corp] }
              public: { files: [public.pem], standard: web-pki }
              some: { include: [public] }
            profiles:
              seen: { transparency: { preset: «label:apple», log-list: ct/log_list.json } }
            rules:
              a: { hosts: ["a.example"], anchors: «HW507:[corp]», profile: «label:seen» }
              b: { hosts: ["b.example"], anchors: [corp, system], profile: seen }
              c: { hosts: ["c.example"], anchors: [some], profile: seen }
              d: { hosts: ["d.example"], anchors: [corp, lab], profile: seen, transparency: { exempt-anchors: [corp] } }
            """,
            says: [
                "every anchor of `default` is private, and private CAs log no certificate",
                "write `transparency: { exempt-anchors: [corp, lab] }` or "
                    + "`transparency: { preset: none }`",
                "say so in their set: `standard: web-pki`",
            ]),
        row(
            "an exemption of a set that is not there, and one that uses nothing",
            """
            hawser: 1
            default: { anchors: [system], transparency: { preset: chrome, log-list: ct/log_list.json, exempt-anchors: [«HW105:crop», spare] } }
            anchors:
              corp: { files: [corp.pem] }
              spare: { files: [corp.pem] }
            """,
            says: ["no anchor set is called `crop`; did you mean `corp`?"]),
        row(
            "an exemption alone does not use a set",
            """
            hawser: 1
            default: { anchors: [system], transparency: { preset: chrome, log-list: ct/log_list.json, exempt-anchors: [spare] } }
            anchors:
              «HW106:spare»: { files: [corp.pem] }
            """),
    ]

    static let tls = [
        row(
            "every field of tls",
            policy(
                "tls: { minimum-version: tls1.3, maximum-version: tls1.3, forward-secrecy: required, cipher-suites: [TLS_CHACHA20_POLY1305_SHA256, TLS_AES_128_GCM_SHA256], groups: [X25519MLKEM768, x25519], signature-schemes: [ed25519, rsa_pss_rsae_sha256], alpn: [h2, http/1.1] }"
            )),
        row(
            "versions below the baseline, as people write them",
            """
            hawser: 1
            default: { anchors: [system], tls: { minimum-version: «HW103:1.0», maximum-version: «HW103:tls1.1» } }
            rules:
              a: { hosts: ["a.example"], anchors: [system], tls: { minimum-version: «HW103:tls1.4» } }
            """,
            says: [
                "`1.0` is below the baseline; `tls.minimum-version` takes `tls1.2` or `tls1.3`",
                "for a dated exception write `waivers: { tls: { minimum-version: tls1.0, reason, "
                    + "owner, until } }` in the rule",
                "allowed: tls1.2 tls1.3",
            ]),
        row(
            "a minimum above the maximum",
            policy(
                "tls: { minimum-version: «HW507:tls1.3», maximum-version: «label:tls1.2» }"),
            says: ["so no connection is accepted", "write a maximum of `tls1.3`, or leave it out"]),
        row(
            "a minimum above the maximum of a farther layer",
            """
            hawser: 1
            default: { anchors: [system], profile: old, tls: { minimum-version: «HW507:tls1.3» } }
            profiles: { old: { tls: { maximum-version: «label:tls1.2» } } }
            rules:
              a: { hosts: ["a.example"], anchors: [system], profile: old }
            """),
        row(
            "a minimum above the maximum is not told again at a layer that changes neither",
            """
            hawser: 1
            default: { anchors: [system], profile: new, keys: { types: [p256] } }
            profiles: { new: { tls: { minimum-version: «HW507:tls1.3», maximum-version: «label:tls1.2» } } }
            """),
        row(
            "a minimum above the maximum is not told again at a layer that writes one of them again",
            """
            hawser: 1
            default: { anchors: [system], profile: new, tls: { maximum-version: tls1.2 } }
            profiles: { new: { tls: { minimum-version: «HW507:tls1.3», maximum-version: «label:tls1.2» } } }
            """),
        row(
            "suites of the versions that are accepted",
            policy(
                "tls: { maximum-version: tls1.2, cipher-suites: [TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256] }"
            )),
        row(
            "a layer without a list lacks no suite",
            """
            hawser: 1
            default: { anchors: [system], tls: { maximum-version: tls1.3 } }
            rules:
              r: { hosts: ["r.example"], anchors: [system], tls: { minimum-version: tls1.3, cipher-suites: [TLS_AES_128_GCM_SHA256] } }
            """),
        row(
            "names that IANA does not have",
            policy(
                "tls: { cipher-suites: [«HW103:TLS_AES_128_GCM_SHA265», «HW103:tls_chacha20_poly1305_sha256», «HW103:ECDHE-RSA-AES128-GCM-SHA256», «HW103:TLS_RSA_WITH_NULL_SHA256»], groups: [«HW103:X25519», «HW103:P-256»], signature-schemes: [«HW103:rsa_pkcs1_sha1»] }"
            ),
            says: [
                "names like it are `TLS_AES_128_CCM_SHA256`, `TLS_AES_128_GCM_SHA256`",
                "did you mean `TLS_CHACHA20_POLY1305_SHA256`?",
                "is not the IANA name of a cipher suite that encrypts and proves the server by its "
                    + "certificate",
                "did you mean `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`?", "leave it out",
                "did you mean `x25519`?", "did you mean `secp256r1`?",
            ]),
        row(
            "names twice, and protocols that are none",
            policy(
                "tls: { groups: [«label:x25519», secp256r1, «HW103:x25519»], alpn: [h2, «HW005:1.1», \(String(repeating: "a", count: 255))«HW011:b»] }"
            )),
    ]

    static let keysAndChecks = [
        row(
            "forbidden keys in each of the four ways, with a window",
            """
            hawser: 1
            default:
              anchors: [system]
              forbidden-keys:
                a: { spki: \(one) }
                b: { certificate: "sha256:433965c447089e3c2b38d9c652574e8e166edcacc87a0813555ea01320d2dc12" }
                c: { spki-file: stolen/ca.pem, not-before: { from: 2026-10-01 } }
                d: { certificate-file: stolen/ca.pem, not-before: { from: 2026-10-01, until: 2026-12-31 } }
            """),
        row(
            "one id in two layers, told at the nearer one",
            """
            hawser: 1
            default: { anchors: [system], profile: near, forbidden-keys: { «HW104:stolen»: { spki: \(two) }, mine: { spki: \(one) } } }
            profiles:
              far: { forbidden-keys: { «label:stolen»: { spki: \(one) } } }
              near: { extends: far, forbidden-keys: { other: { spki: \(one) } } }
            rules:
              a: { hosts: ["a.example"], anchors: [system], profile: near }
            """,
            says: ["the forbidden key `stolen` stands in two layers"]),
        row(
            "one id in two profiles, of which one cannot be read",
            """
            hawser: 1
            default: { anchors: [system], profile: near }
            profiles:
              far: { forbidden-keys: { «label:stolen»: { spki: sha256/«HW401:short» } } }
              near: { extends: far, forbidden-keys: { «HW104:stolen»: { spki: \(one) } } }
            """),
        row(
            "entries that name no key, two, a window without time, and an id that is none",
            """
            hawser: 1
            default:
              anchors: [system]
              forbidden-keys:
                «HW108:a»: { not-before: { from: 2026-10-01 } }
                b: { «label:spki»: \(one), «HW507:spki-file»: stolen/ca.pem }
                c: { spki: \(one), not-before: { from: «label:2026-10-01», until: «HW507:2026-09-30» } }
                «HW110:D»: { spki: \(one) }
                e: { spki: \(one), «HW004:not_before»: { from: 2026-10-01 } }
            """),
        row(
            "checks by their names, and words that mean something else",
            policy("checks: [device-attestation, «HW110:tls», «HW110:all», «HW110:D»evice]"),
            says: ["`tls` means something else under `report-only`"]),
    ]

    static let profiles = [
        row(
            "the built-in profiles as layers",
            """
            hawser: 1
            default: { anchors: [system], profile: baseline }
            profiles:
              app: { extends: ats, transparency: { log-list: ct/log_list.json } }
              plain: { extends: baseline, keys: { rsa-minimum: 3072 } }
            rules:
              a: { hosts: ["a.example"], anchors: [system], profile: app }
              b: { hosts: ["b.example"], anchors: [system], profile: plain }
              c: { hosts: ["c.example"], anchors: [system], profile: ats, transparency: { log-list: ct/log_list.json } }
            """),
        row(
            "a built-in profile is not defined anew",
            """
            hawser: 1
            default: { anchors: [system] }
            profiles: { «HW110:ats»: { keys: { rsa-minimum: 3072 } } }
            """),
        row(
            "nothing is concluded from what could not be read",
            """
            hawser: 1
            default: { anchors: [system], profile: «HW105:nowhere», tls: { minimum-version: tls1.3 } }
            profiles:
              far: { extends: «HW110:F»ar, transparency: { minimum-scts: 2 } }
              near: { extends: far, tls: «HW102:tls1.3», revocation: { preset: require, sources: [stapled], scope: «HW103:leaf-only» } }
            rules:
              a: { hosts: ["a.example"], anchors: [system], profile: near, tls: { maximum-version: tls1.2 } }
            """),
    ]

    /// Every row.
    static let all = paths + revocation + transparency + tls + keysAndChecks + profiles

    @Test("marked texts", arguments: all)
    func marked(_ row: MarkedRow) {
        row.verify()
    }
}
