import PolicyCompiler
import Testing

/// What the checks of meaning find, and where: a row for each rule of the language.
@Suite("checks")
struct CheckTests {
    static let one = "sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="
    static let two = "sha256/cvL9l/L3MD1f4OTruTXJJ/LUo/xVVp6qRkwrImKyEUI="
    static let three = "sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk="

    static let defaults: [MarkedRow] = [
        MarkedRow(
            "2.2 no default",
            "«HW108:hawser»: 1\nrules:\n  a: { hosts: [\"a.example\"], anchors: [system] }\n"),
        MarkedRow(
            "2.2 default in another file than policy.yaml",
            files: [
                "policy.yaml":
                    "hawser: 1\nrules:\n  a: { hosts: [\"a.example\"], anchors: [system] }\n",
                "b.policy.yaml": "hawser: 1\n«HW108:default»: deny\n",
            ],
            says: ["`default` belongs in `policy.yaml`"]),
        MarkedRow(
            "2.1 files that are no directory unit may have it anywhere",
            files: [
                "a.yaml": "hawser: 1\nrules:\n  a: { hosts: [\"a.example\"], anchors: [system] }\n",
                "b.yaml": "hawser: 1\ndefault: deny\n",
            ],
            isDirectory: false),
        MarkedRow(
            "2.2 a default that may have been misspelt is not missing",
            """
            hawser: 1
            «HW004:defaults»: deny
            rules:
              a: { hosts: ["a.example"], anchors: [system] }
            """),
        MarkedRow(
            "2.2 two defaults",
            files: [
                "a.yaml": "hawser: 1\n«label:default»: deny\n",
                "b.yaml": "hawser: 1\n«HW104:default»: deny\n",
            ],
            isDirectory: false),
    ]

    static let references: [MarkedRow] = [
        MarkedRow(
            "3 dangling names, each of its namespace",
            """
            hawser: 1
            default: { anchors: [«HW105:sytem»], pins: [«HW105:api»], profile: «HW105:strict» }
            """,
            says: [
                "no anchor set is called `sytem`; did you mean `system`?",
                "no pin set is called `api`", "no profile is called `strict`",
            ]),
        MarkedRow(
            "3 a dangling anchor set of a rule",
            """
            hawser: 1
            default: deny
            rules:
              r: { hosts: ["r.example"], anchors: [«HW105:corp»] }
            """),
        MarkedRow(
            "3 a dangling pin set of a rule",
            """
            hawser: 1
            default: deny
            rules:
              r: { hosts: ["r.example"], anchors: [system], pins: [«HW105:api»] }
            """),
        MarkedRow(
            "3 a dangling profile of a rule",
            """
            hawser: 1
            default: deny
            rules:
              r: { hosts: ["r.example"], anchors: [system], profile: «HW105:strict» }
            """),
        MarkedRow(
            "3 what a section with an unknown name may define does not dangle",
            """
            hawser: 1
            default: { anchors: [system], profile: strict }
            «HW004:profile»:
              strict: { keys: { rsa-minimum: 3072 } }
            """),
        MarkedRow(
            "3 things that nothing uses",
            """
            hawser: 1
            default: deny
            pins:
              «HW106:api»:
                keys: { one: { spki: \(one) } }
                backups: { two: { spki: \(two) } }
            profiles:
              «HW106:strict»: { keys: { rsa-minimum: 3072 } }
            """,
            says: ["nothing uses the pin set `api`"]),
        MarkedRow(
            "3 a misspelt name is not told twice",
            """
            hawser: 1
            default: { anchors: [system], profile: «HW105:strickt» }
            profiles:
              strict: { keys: { rsa-minimum: 3072 } }
            """,
            says: ["did you mean `strict`?"]),
        MarkedRow(
            "3 names that are near are all asked about",
            """
            hawser: 1
            default: { anchors: [system], profile: «HW105:prod-es» }
            profiles:
              prod-eu: { keys: { rsa-minimum: 3072 } }
              prod-us: { keys: { rsa-minimum: 4096 } }
            """,
            says: ["no profile is called `prod-es`; did you mean `prod-eu` or `prod-us`?"]),
        MarkedRow(
            "3 what an unknown key may name is not unused",
            """
            hawser: 1
            default: { anchors: [system], «HW004:bindings»: [api] }
            pins:
              api:
                keys: { one: { spki: \(one) } }
                backups: { two: { spki: \(two) } }
            """),
        MarkedRow(
            "3 an unknown key of a section names nothing",
            """
            hawser: 1
            default: { anchors: [system], tls: { minimum-version: tls1.3, «HW004:frobs»: [api] } }
            profiles:
              «HW106:strict»: { keys: { rsa-minimum: 3072 } }
            """),
        MarkedRow(
            "3 a thing whose body is wrong still has its name",
            """
            hawser: 1
            default: { anchors: [system], profile: strict }
            profiles:
              strict: «HW102:yes-please»
            """),
        MarkedRow(
            "3 what a rule that cannot be read may have used",
            """
            hawser: 1
            default: deny
            rules:
              api: «HW102:nothing»
            profiles:
              strict: { keys: { rsa-minimum: 3072 } }
            """),
        MarkedRow(
            "3 built-in names",
            """
            hawser: 1
            default: { anchors: [system] }
            profiles:
              «HW110:baseline»: { keys: { rsa-minimum: 3072 } }
            """,
            says: ["`baseline` is built in"]),
        MarkedRow(
            "2.3 one name in two files",
            files: [
                "policy.yaml": """
                hawser: 1
                default: deny
                rules:
                  «HW104:api»: { hosts: ["b.example"], anchors: [system] }
                """,
                "a.policy.yaml": """
                hawser: 1
                rules:
                  «label:api»: { hosts: ["a.example"], anchors: [system] }
                """,
            ],
            says: ["the rule `api` is defined twice in this unit"]),
    ]

    static let hosts: [MarkedRow] = [
        MarkedRow(
            "11.4 ties in canonical form, across files",
            files: [
                "policy.yaml": """
                hawser: 1
                default: deny
                rules:
                  b: { hosts: [«HW208:«HW202:"10.0.0.1/32"»», «HW208:«HW202:"A.example"»»], anchors: [system] }
                """,
                "a.policy.yaml": """
                hawser: 1
                rules:
                  a: { hosts: [«label:"10.0.0.1"», «label:"a.example"»], anchors: [system] }
                """,
            ]),
        MarkedRow(
            "4 a pattern twice in a rule",
            """
            hawser: 1
            default: deny
            rules:
              a: { hosts: [«label:"a.example"», «HW216:"a.example"»], anchors: [system] }
            """),
        MarkedRow(
            "11.3 with and without port are two patterns",
            """
            hawser: 1
            default: deny
            rules:
              a: { hosts: ["a.example"], anchors: [system] }
              b: { hosts: ["a.example:443", "*.example", "**.example"], anchors: [system] }
            """),
    ]

    static let pins: [MarkedRow] = [
        MarkedRow(
            "6 a key pinned twice",
            """
            hawser: 1
            default: { anchors: [system], pins: [api] }
            pins:
              api:
                keys: { one: { spki: «label:\(one)» }, again: { spki: «HW403:\(one)», at: ca } }
                backups: { two: { spki: \(two) } }
            """),
        MarkedRow(
            "6 match beyond what the set holds",
            """
            hawser: 1
            default: { anchors: [system], pins: [api] }
            pins:
              api:
                keys: { one: { spki: \(one) }, three: { spki: \(three) } }
                backups: { two: { spki: \(two) } }
                match: «HW103:4»
            """,
            says: ["`match` asks for 4 keys and `api` holds 3"]),
        MarkedRow(
            "6 match counts a key of two entries once",
            """
            hawser: 1
            default: { anchors: [system], pins: [api] }
            pins:
              api:
                keys:
                  now: { spki: «label:\(one)» }
                  again: { spki: «HW403:\(one)», at: leaf }
                backups: { next: { spki: \(two) } }
                match: «HW103:3»
            """,
            says: ["holds 2", "`match` takes `any`, `all` or a number from 2 to 2"]),
        MarkedRow(
            "6 one backup twice",
            """
            hawser: 1
            default: { anchors: [system], pins: [api] }
            pins:
              api:
                keys: { now: { spki: \(one) } }
                backups: { next: { spki: «label:\(two)» }, spare: { spki: «HW403:\(two)» } }
            """,
            says: ["`spare` pins what `next` pins"]),
        MarkedRow(
            "6 match of a set that could not be read whole",
            """
            hawser: 1
            default: { anchors: [system], pins: [api] }
            pins:
              api:
                keys: { one: { spki: \(one) }, three: «HW102:three» }
                backups: { two: { spki: \(two) } }
                match: 3
            """),
        MarkedRow(
            "6 match of a set with a pin at a position that is none",
            """
            hawser: 1
            default: { anchors: [system], pins: [api] }
            pins:
              api:
                keys: { one: { spki: \(one) }, three: { spki: \(three), at: «HW103:lef» } }
                backups: { two: { spki: \(two) } }
                match: 4
            """),
        MarkedRow(
            "6 match of all it holds",
            """
            hawser: 1
            default: { anchors: [system], pins: [api] }
            pins:
              api:
                keys: { one: { spki: \(one) }, three: { spki: \(three) } }
                backups: { two: { spki: \(two) } }
                match: 3
            """),
    ]

    static let profiles: [MarkedRow] = [
        MarkedRow(
            "8 profiles in a circle, told once",
            """
            hawser: 1
            default: { anchors: [system], profile: a }
            profiles:
              a: { extends: «HW111:b» }
              b: { extends: «label:c» }
              c: { extends: «label:a» }
              d: { extends: a }
            rules:
              r: { hosts: ["r.example"], anchors: [system], profile: d }
            """,
            says: ["in a circle: `a`, `b`, `c`, `a`"]),
        MarkedRow(
            "8 a profile that extends itself",
            """
            hawser: 1
            default: { anchors: [system], profile: a }
            profiles:
              a: { extends: «HW111:a» }
            """,
            says: ["`a` extends itself"]),
        MarkedRow(
            "8 fields of profiles in a circle are not compared",
            """
            hawser: 1
            default: { anchors: [system], profile: a }
            profiles:
              a: { extends: «HW111:b», tls: { minimum-version: tls1.3, maximum-version: tls1.2 } }
              b: { extends: «label:a» }
            """),
        MarkedRow(
            "1.6 fields above eight profiles are not compared",
            """
            hawser: 1
            default: { anchors: [system], profile: p9, tls: { minimum-version: tls1.3, maximum-version: tls1.2 } }
            profiles:
              p1: { keys: { rsa-minimum: 3072 } }
              p2: { extends: p1 }
              p3: { extends: p2 }
              p4: { extends: p3 }
              p5: { extends: p4 }
              p6: { extends: p5 }
              p7: { extends: p6 }
              p8: { extends: p7 }
              p9: { extends: «HW111:p8» }
            """),
        MarkedRow(
            "1.6 nine profiles deep",
            """
            hawser: 1
            default: { anchors: [system], profile: p10 }
            profiles:
              p1: { keys: { rsa-minimum: 3072 } }
              p2: { extends: p1 }
              p3: { extends: p2 }
              p4: { extends: p3 }
              p5: { extends: p4 }
              p6: { extends: p5 }
              p7: { extends: p6 }
              p8: { extends: p7 }
              p9: { extends: «HW111:p8» }
              p10: { extends: p9 }
            """,
            says: ["`p9` extends through more than 8 profiles"]),
        MarkedRow(
            "8 leaf types are a part of types",
            """
            hawser: 1
            default: { anchors: [system], profile: a }
            profiles:
              a: { keys: { types: «label:[p256]», leaf-types: «HW103:[p256, rsa]» } }
            """,
            says: ["`keys.leaf-types` has `rsa`"]),
        MarkedRow(
            "8 leaf types of a farther layer",
            """
            hawser: 1
            default: { anchors: [system], profile: a, keys: { types: «HW103:[rsa]» } }
            profiles:
              a: { keys: { leaf-types: «label:[p256]» } }
            """),
    ]

    static let rules: [MarkedRow] = [
        MarkedRow(
            "7 listed without lists",
            "hawser: 1\ndefault: { anchors: [system], identity: { reference: «HW509:listed» } }\n"),
        MarkedRow(
            "7 lists with the host",
            "hawser: 1\ndefault: { anchors: [system], identity: { reference: «label:host», «HW509:dns»: [a.example] } }\n"
        ),
        MarkedRow(
            "7 lists that are said to be looked at",
            "hawser: 1\ndefault: { anchors: [system], identity: { reference: host-and-listed, dns: [a.example], ip: [\"::1\"], email: [a@a.example], uri: [\"spiffe://a.example/x\"] } }\n"
        ),
        MarkedRow(
            "10 a waiver of pins in a rule without",
            """
            hawser: 1
            default:
              anchors: [system]
              waivers: { «HW511:pins»: { reason: x, owner: pki, until: 2027-01-01 } }
            """),
        MarkedRow(
            "10 pins that bind make the name worth checking",
            """
            hawser: 1
            default:
              anchors: [system]
              pins: [api]
              waivers: { path: { reason: x, owner: pki, until: 2027-01-01 } }
            pins:
              api:
                keys: { one: { spki: \(one) } }
                backups: { two: { spki: \(two) } }
            """),
        MarkedRow(
            "10 pins that stop binding do not",
            """
            hawser: 1
            default:
              anchors: [system]
              pins: [api]
              waivers: { «HW508:path»: { reason: x, owner: pki, until: 2027-01-01 } }
            pins:
              api:
                keys: { one: { spki: \(one) } }
                backups: { two: { spki: \(two) } }
                enforce-until: 2027-06-30
                on-expiry: report
            """),
        MarkedRow(
            "10 waived pins do not either",
            """
            hawser: 1
            default:
              anchors: [system]
              pins: [api]
              waivers:
                «HW508:path»: { reason: x, owner: pki, until: 2027-01-01 }
                pins: { reason: x, owner: pki, until: 2027-01-01 }
            pins:
              api:
                keys: { one: { spki: \(one) } }
                backups: { two: { spki: \(two) } }
            """),
    ]

    private static let logList = ["ct/log_list.json": Array(FieldTests.logList.utf8)]

    static let modes: [MarkedRow] = [
        MarkedRow(
            "10 every rule has the checks of the baseline to waive; transparency only some",
            """
            hawser: 1
            default:
              anchors: [system]
              waivers:
                identity: { reason: x, owner: pki, until: 2027-01-01 }
                path: { reason: x, owner: pki, until: 2027-01-01 }
                expired: { tolerance: 7d, reason: x, owner: pki, until: 2027-01-01 }
                revocation: { reason: x, owner: pki, until: 2027-01-01 }
                «HW511:transparency»: { reason: x, owner: pki, until: 2027-01-01 }
                tls: { minimum-version: tls1.0, reason: x, owner: pki, until: 2027-01-01 }
                keys: { rsa-minimum: 1024, reason: x, owner: pki, until: 2027-01-01 }
                signatures: { minimum-hash: sha1, reason: x, owner: pki, until: 2027-01-01 }
                cleartext: { reason: x, owner: pki, until: 2027-01-01 }
            """,
            says: ["`default` waives `transparency` but does not demand it"]),
        MarkedRow(
            "10 pins under report-only do not bind",
            """
            hawser: 1
            default:
              anchors: [system]
              pins: [api]
              waivers: { «HW508:path»: { reason: x, owner: pki, until: 2027-01-01 } }
              report-only: { pins: { until: 2027-06-30 } }
            rules:
              b:
                hosts: ["b.example"]
                anchors: [system]
                pins: [api]
                waivers: { «HW508:path»: { reason: x, owner: pki, until: 2027-01-01 } }
                report-only: { all: { until: 2027-06-30 } }
            pins:
              api:
                keys: { one: { spki: \(one) } }
                backups: { two: { spki: \(two) } }
            """),
        MarkedRow(
            "10 what could not be read is not said to be missing",
            """
            hawser: 1
            default:
              anchors: [system]
              «HW004:pin»: [api]
              «HW004:transparancy»: { preset: chrome }
              waivers:
                pins: { reason: x, owner: pki, until: 2027-01-01 }
                transparency: { reason: x, owner: pki, until: 2027-01-01 }
              report-only: { lifetime: { until: 2027-06-30 } }
            """),
        MarkedRow(
            "9 report-only of what the baseline alone demands reports nothing",
            """
            hawser: 1
            default:
              anchors: [system]
              report-only:
                «HW511:pins»: { until: 2027-06-30 }
                «HW511:revocation»: { until: 2027-06-30 }
                «HW511:transparency»: { until: 2027-06-30 }
                «HW511:tls»: { until: 2027-06-30 }
                «HW511:keys»: { until: 2027-06-30 }
                «HW511:signatures»: { until: 2027-06-30 }
                «HW511:lifetime»: { until: 2027-06-30 }
                «HW511:lifetimes»: { until: 2027-06-30 }
            """,
            says: [
                "report-only `pins` of `default` reports nothing: the rule names no pin set",
                "the rule demands no more of `keys` than the baseline, which rejects all the same",
                "the rule does not name `lifetimes` in `checks`; did you mean `lifetime`?",
            ]),
        MarkedRow(
            "9 and 10 every check that a rule demands can be reported, and waived where a waiver is",
            """
            hawser: 1
            default:
              anchors: [system]
              profile: app
              checks: [device]
              report-only:
                revocation: { until: 2027-06-30 }
                transparency: { until: 2027-06-30 }
                tls: { until: 2027-06-30 }
                keys: { until: 2027-06-30 }
                signatures: { until: 2027-06-30 }
                lifetime: { until: 2027-06-30 }
                device: { until: 2027-06-30 }
              waivers: { transparency: { reason: x, owner: pki, until: 2027-01-01 } }
            profiles:
              app:
                extends: ats
                revocation: { causes: { stale: fail } }
                transparency: { log-list: ct/log_list.json }
                keys: { types: [p256] }
                signatures: { minimum-hash: sha384 }
                validity: { lifetime-steps: [{ issued-from: 2026-03-15, maximum: 200d }] }
            """, resources: logList),
        MarkedRow(
            "10 a waiver of demands on issuers that are only reported",
            """
            hawser: 1
            default:
              anchors: [system]
              waivers: { «HW511:issuance»: { demands: [subject-key-identifier-missing], reason: x, owner: pki, until: 2027-01-01 } }
            """,
            says: ["`default` waives `issuance` but only reports it"]),
        MarkedRow(
            "10 a waiver of demands on issuers that a profile enforces",
            """
            hawser: 1
            default:
              anchors: [system]
              profile: app
              waivers: { issuance: { demands: [subject-key-identifier-missing], reason: x, owner: pki, until: 2027-01-01 } }
            profiles:
              app: { path: { issuance: enforce } }
            """),
        MarkedRow(
            "10 what a profile may demand is not said to be missing",
            """
            hawser: 1
            default:
              anchors: [system]
              profile: app
              waivers: { transparency: { reason: x, owner: pki, until: 2027-01-01 } }
            profiles:
              app: { transparency: { preset: «HW103:crome» } }
            rules:
              r:
                hosts: ["r.example"]
                anchors: [system]
                profile: «HW105:strict»
                waivers: { transparency: { reason: x, owner: pki, until: 2027-01-01 } }
            """),
        MarkedRow(
            "10 waivers of nothing, and of a demand of path validation",
            """
            hawser: 1
            default:
              anchors: [system]
              path: { issuance: enforce }
              waivers:
                expired: { tolerance: «HW103:0s», reason: x, owner: pki, until: 2027-01-01 }
                issuance: { demands: [«HW103:subject-empty»], reason: x, owner: pki, until: 2027-01-01 }
            """,
            says: ["is a demand of validation, whose breach no waiver lets through"]),
        MarkedRow(
            "10 a demand that a nearer layer undoes is none",
            """
            hawser: 1
            default:
              anchors: [system]
              profile: app
              transparency: { preset: none }
              waivers: { «HW511:transparency»: { reason: x, owner: pki, until: 2027-01-01 } }
              report-only: { «HW511:transparency»: { until: 2027-06-30 } }
            profiles:
              app: { extends: ats, transparency: { log-list: ct/log_list.json } }
            """, resources: logList),
        MarkedRow(
            "9 a profile's entry that an earlier rule alone has something for",
            """
            hawser: 1
            default: deny
            profiles:
              app: { report-only: { keys: { until: 2027-06-30 } } }
            rules:
              a: { hosts: ["a.example"], anchors: [system], profile: app, keys: { types: [p256] } }
              b: { hosts: ["b.example"], anchors: [system], profile: app }
            """),
        MarkedRow(
            "9 all stands for whatever there is",
            "hawser: 1\ndefault: { anchors: [system], report-only: { all: { until: 2027-06-30 } } }\n"
        ),
        MarkedRow(
            "9 a profile's entry has something to report in some rule",
            """
            hawser: 1
            default: { anchors: [system], profile: near }
            profiles:
              far:
                report-only: { keys: { until: 2027-06-30 }, «HW511:lifetime»: { until: 2027-06-30 }, signatures: { until: 2027-06-30 } }
              near:
                extends: far
                signatures: { minimum-hash: sha384 }
                report-only: { signatures: { until: 2027-03-31 } }
            rules:
              a: { hosts: ["a.example"], anchors: [system], profile: far, keys: { types: [p256] }, signatures: { minimum-hash: sha384 } }
              b: { hosts: ["b.example"], anchors: [system], profile: near, keys: { rsa-minimum: 3072 } }
            """,
            says: [
                "report-only `lifetime` of `far` reports nothing: no rule that it holds for limits "
                    + "the lifetime"
            ]),
    ]

    /// Every row.
    static let all = defaults + references + hosts + pins + profiles + rules + modes

    @Test("defaults", arguments: defaults) func checkDefaults(_ row: MarkedRow) { row.verify() }
    @Test("references", arguments: references) func checkReferences(_ row: MarkedRow) {
        row.verify()
    }
    @Test("hosts", arguments: hosts) func checkHosts(_ row: MarkedRow) { row.verify() }
    @Test("pins", arguments: pins) func checkPins(_ row: MarkedRow) { row.verify() }
    @Test("profiles", arguments: profiles) func checkProfiles(_ row: MarkedRow) { row.verify() }
    @Test("rules", arguments: rules) func checkRules(_ row: MarkedRow) { row.verify() }
    @Test("report-only and waivers", arguments: modes) func checkModes(_ row: MarkedRow) {
        row.verify()
    }
}
