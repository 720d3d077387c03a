import PolicyCompiler
import Testing

/// The shape of the language: which keys there are and what they take (LANGUAGE sections 1 to 3).
@Suite("binding")
struct BinderTests {
    static let rows: [MarkedRow] = [
        // Section 2.2: the version.
        MarkedRow("2.2 no version", "«HW101:default»: deny\n", says: ["write `hawser: 1`"]),
        MarkedRow(
            "2.2 the version is not first", "«label:default»: deny\n«HW101:hawser»: 1\n"),
        MarkedRow(
            "2.2 another version", "hawser: «HW101:2»\ndefault: deny\n",
            says: ["`2` is not a language version"]),
        MarkedRow(
            "2.2 every file has it",
            files: [
                "policy.yaml": "hawser: 1\ndefault: deny\n",
                "a.policy.yaml":
                    "«HW101:rules»:\n  api: { hosts: [\"a.example\"], anchors: [system] }\n",
            ]),
        MarkedRow("a policy file is a map", "«HW102:- hawser\n- rules»\n"),

        // Section 1.1: unknown keys.
        MarkedRow(
            "1.1 unknown key with its neighbour",
            """
            hawser: 1
            default: deny
            rules:
              api: { «HW004:hots»: ["a.example"], anchors: [system] }
            """,
            says: [
                "`hots` is not a key of a rule; did you mean `hosts`?",
                "its keys are `hosts`, `anchors`, `pins`",
            ]),
        MarkedRow(
            "1.1 unknown key without a neighbour hides nothing",
            """
            hawser: 1
            default: deny
            rules:
              «HW108:api»: { «HW004:description»: x, hosts: ["a.example"] }
            """,
            says: ["`api` has no `anchors`", "for example `anchors: [corp]`"]),
        MarkedRow(
            "3 hosts in default",
            "hawser: 1\ndefault: { «HW004:hosts»: [\"a.example\"], anchors: [system] }\n"),
        MarkedRow(
            "8 unknown field of a section",
            "hawser: 1\ndefault: { anchors: [system], keys: { «HW004:rsa_minimum»: 4096 } }\n",
            says: ["`rsa_minimum` is not a key of `keys`; did you mean `rsa-minimum`?"]),

        // Section 1.2: the key decides the type.
        MarkedRow(
            "1.2 text where a list is wanted",
            "hawser: 1\ndefault: { anchors: «HW102:system» }\n",
            says: [
                "`anchors` takes a list; found `system`", "write it as a list: `anchors: [system]`",
            ]),
        MarkedRow(
            "1.2 list where a map is wanted",
            "hawser: 1\ndefault: deny\nrules: «HW102:[api]»\n", says: ["`rules` takes a map"]),
        MarkedRow(
            "1.2 map where one value is wanted",
            "hawser: 1\ndefault: { anchors: [system], profile: «HW102:{ name: x }» }\n"),
        MarkedRow(
            "1.2 default is no list", "hawser: 1\ndefault: «HW102:[deny]»\n"),
        MarkedRow(
            "1.2 words that YAML readers take for booleans",
            """
            hawser: 1
            default: { anchors: [system], owner: «HW005:no», note: "no" }
            """),
        MarkedRow(
            "1.2 a number where text is wanted",
            "hawser: 1\ndefault: { anchors: [system], owner: «HW005:22:22» }\n"),
        MarkedRow(
            "1.2 a boolean where an id is wanted",
            "hawser: 1\ndefault: deny\nrules:\n  «HW005:on»: { hosts: [\"a.example\"], anchors: [system] }\n"
        ),
        MarkedRow(
            "1.2 a boolean where a word is wanted",
            "hawser: 1\ndefault: { anchors: [system], identity: { reference: «HW005:yes» } }\n"),

        // Section 1.6: limits.
        MarkedRow(
            "1.6 an id of 65 octets",
            "hawser: 1\ndefault: deny\nrules:\n  \(String(repeating: "a", count: 64))«HW011:b»: { hosts: [\"a.example\"], anchors: [system] }\n"
        ),
        MarkedRow(
            "1.6 text over 1,000 octets",
            "hawser: 1\ndefault: { anchors: [system], note: \(String(repeating: "a", count: 1000))«HW011:b» }\n"
        ),

        // Section 3: ids and closed words.
        MarkedRow(
            "3 an id in capitals",
            "hawser: 1\ndefault: deny\nrules:\n  «HW110:A»pi: { hosts: [\"a.example\"], anchors: [system] }\n"
        ),
        MarkedRow(
            "3 default is deny or a body", "hawser: 1\ndefault: «HW103:denny»\n",
            says: ["did you mean `deny`?"]),
        MarkedRow(
            "8 a word outside the field's",
            "hawser: 1\ndefault: { anchors: [system], signatures: { minimum-hash: «HW103:sha265» } }\n",
            says: ["`sha265` is not a signature hash; allowed: sha256 sha384 sha512"]),
        MarkedRow(
            "8 a hash below the baseline",
            "hawser: 1\ndefault: { anchors: [system], signatures: { minimum-hash: «HW103:sha1» } }\n",
            says: ["waivers: { signatures: { minimum-hash: sha1, reason, owner, until } }"]),
        MarkedRow(
            "8 a skew beyond a day",
            "hawser: 1\ndefault: { anchors: [system], validity: { clock-skew: «HW103:25h» } }\n"),
        MarkedRow(
            "8 minutes are not m",
            "hawser: 1\ndefault: { anchors: [system], validity: { clock-skew: 5«HW103:m» } }\n"),
        MarkedRow(
            "8 a path of 33 intermediates",
            "hawser: 1\ndefault: { anchors: [system], path: { maximum-intermediates: «HW103:33» } }\n"
        ),
        MarkedRow(
            "8 a purpose that has no name",
            "hawser: 1\ndefault: { anchors: [system], path: { key-purposes: [«HW103:server_auth», 1.3.6.1.5.5.7.3.4] } }\n",
            says: ["did you mean `server-auth`?"]),

        MarkedRow(
            "8 an unknown key of a section",
            "hawser: 1\ndefault: { anchors: [system], revocation: { «HW004:source»: [crl] } }\n",
            says: ["did you mean `sources`?"]),

        MarkedRow(
            "7 a backslash in the authority of a URI",
            "hawser: 1\ndefault: { anchors: [system], identity: { reference: listed, uri: ['https://evil.example«HW103:\\»@ok.example/'] } }\n",
            says: ["has a character that a URI does not hold there"]),
        MarkedRow(
            "7 a bracket in the path of a URI",
            "hawser: 1\ndefault: { anchors: [system], identity: { reference: listed, uri: [\"spiffe://mesh.example/ns/«HW103:[»pay]/*\"] } }\n"
        ),
        MarkedRow(
            "7 a dot segment in its other spelling",
            "hawser: 1\ndefault: { anchors: [system], identity: { reference: listed, uri: [\"spiffe://mesh.example/«HW103:%2e%2E»/*\"] } }\n",
            says: ["which no two readers resolve alike"]),
        MarkedRow(
            "7 a URI without a host",
            "hawser: 1\ndefault: { anchors: [system], identity: { reference: listed, uri: [\"https://«HW103:ann@»/*\"] } }\n",
            says: ["has no host in its authority"]),
        MarkedRow(
            "5 a percent sign alone in a permitted URI",
            "hawser: 1\ndefault: { anchors: [corp] }\nanchors:\n  corp: { include: [system], constraints: { permitted-uris: [\"spiffe://mesh.example/a«HW103:%»zz/**\"] } }\n",
            says: ["has a `%` without two hex digits after it"]),

        // Section 2.5: paths.
        MarkedRow(
            "2.5 a path that leaves the unit",
            "hawser: 1\ndefault: { anchors: [corp] }\nanchors:\n  corp: { files: [«HW012:..»/ca.pem] }\n"
        ),
        MarkedRow(
            "5 a file that is not there",
            "hawser: 1\ndefault: { anchors: [corp] }\nanchors:\n  corp: { files: [«HW301:ca.pem»] }\n",
            says: ["`ca.pem` cannot be read: there is no such file"]),
        MarkedRow(
            "5 a set of nothing",
            "hawser: 1\ndefault: { anchors: [corp] }\nanchors:\n  «HW108:corp»: { owner: pki }\n",
            says: ["`corp` has none of `include`, `files` and `pem`"]),

        // Section 6: pins.
        MarkedRow(
            "6 a pin that names no key",
            """
            hawser: 1
            default: { anchors: [system], pins: [api] }
            pins:
              api:
                keys: { «HW108:one»: { at: leaf } }
                backups: { two: { spki: sha256/cvL9l/L3MD1f4OTruTXJJ/LUo/xVVp6qRkwrImKyEUI= } }
            """),
        MarkedRow(
            "6 a pin that names its key twice",
            """
            hawser: 1
            default: { anchors: [system], pins: [api] }
            pins:
              api:
                keys: { one: { «label:spki»: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs=, «HW507:spki-file»: a.pem } }
                backups: { two: { spki: sha256/cvL9l/L3MD1f4OTruTXJJ/LUo/xVVp6qRkwrImKyEUI= } }
            """),
        MarkedRow(
            "6 no backups",
            """
            hawser: 1
            default: { anchors: [system], pins: [api] }
            pins:
              «HW108:api»:
                keys: { one: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= } }
            """,
            says: ["`api` has no `backups`"]),
        MarkedRow(
            "6 one id for a key and a backup",
            """
            hawser: 1
            default: { anchors: [system], pins: [api] }
            pins:
              api:
                keys: { «label:one»: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= } }
                backups: { «HW104:one»: { spki: sha256/cvL9l/L3MD1f4OTruTXJJ/LUo/xVVp6qRkwrImKyEUI= } }
            """),
        MarkedRow(
            "6 match of one, and a date that is none",
            """
            hawser: 1
            default: { anchors: [system], pins: [api] }
            pins:
              api:
                keys: { one: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs=, at: «HW103:root» } }
                backups: { two: { spki: sha256/cvL9l/L3MD1f4OTruTXJJ/LUo/xVVp6qRkwrImKyEUI= } }
                match: «HW103:1»
                on-expiry: «HW103:failed»
            """,
            says: ["`match: any`", "did you mean `fail`?"]),

        // Section 11: host patterns.
        MarkedRow(
            "11.2 hosts in another form than the canonical one",
            """
            hawser: 1
            default: deny
            rules:
              api: { hosts: [«HW202:"API.Acme.example."», «HW202:plain.example»], anchors: [system] }
            """,
            says: ["`api.acme.example`", "host patterns are quoted always"]),
        MarkedRow(
            "11.1 a URL",
            "hawser: 1\ndefault: deny\nrules:\n  api: { hosts: [«HW203:\"https://a.example/\"»], anchors: [system] }\n"
        ),

        // Section 10: waivers.
        MarkedRow(
            "10 a waiver without an end, a reason and an owner",
            """
            hawser: 1
            default: deny
            rules:
              gw:
                hosts: ["gw.example"]
                anchors: [system]
                waivers:
                  «HW602:«HW604:expired»»: { tolerance: 14d }
                  «HW604:identity»: { reason: "x", owner: pki }
                  «HW602:path»: { until: 2027-01-01 }
            """,
            says: [
                "waiver `expired` of `gw` never ends, and accepts expired certificates while it lasts",
                "add `until: YYYY-MM-DD`",
                "waiver `identity` of `gw` never ends, and accepts certificates for other names while "
                    + "it lasts",
                "waiver `path` of `gw` has no reason and no owner",
            ]),
        MarkedRow(
            "10 what a waiver tolerates has to be said",
            """
            hawser: 1
            default:
              anchors: [system]
              waivers:
                «HW108:expired»: { reason: "x", owner: pki, until: 2027-01-01 }
                «HW108:tls»: { reason: "x", owner: pki, until: 2027-01-01 }
                «HW108:keys»: { reason: "x", owner: pki, until: 2027-01-01 }
                «HW108:signatures»: { reason: "x", owner: pki, until: 2027-01-01 }
            """,
            says: [
                "waiver `tls` of `default` has no `minimum-version`",
                "waiver `keys` of `default` has no `rsa-minimum`",
                "waiver `signatures` of `default` has no `minimum-hash`",
            ]),
        MarkedRow(
            "10 and lies below the baseline, but not beyond what the language lets through",
            """
            hawser: 1
            default:
              anchors: [system]
              waivers:
                tls: { minimum-version: «HW103:tls1.2», reason: "x", owner: pki, until: 2027-01-01 }
                keys: { rsa-minimum: «HW103:1023», reason: "x", owner: pki, until: 2027-01-01 }
                signatures: { minimum-hash: «HW103:sha256», reason: "x", owner: pki, until: 2027-01-01 }
            """,
            says: [
                "`waivers.keys.rsa-minimum` takes 1024 to 2047",
                "`tls1.2` is not below the baseline; a waiver is for what is, and "
                    + "`waivers.tls.minimum-version` takes `tls1.0`, `tls1.1`",
                "where `default` demands more than that, write `report-only: { tls: { until: "
                    + "2027-01-01 } }` in place of the waiver: until then what the baseline of `tls` "
                    + "accepts is reported and not rejected",
                "to accept it for good, write `tls: { minimum-version: tls1.2 }` in `default`",
                "`sha256` is not below the baseline; a waiver is for what is, and "
                    + "`waivers.signatures.minimum-hash` takes `sha1`",
                "write `signatures: { minimum-hash: sha256 }` in `default`",
            ]),
        MarkedRow(
            "10 what a waiver does not take, however it is written",
            """
            hawser: 1
            default: deny
            rules:
              a:
                hosts: ["a.example"]
                anchors: [system]
                waivers:
                  tls: { minimum-version: «HW103:TLSv1.3», reason: "x", owner: pki, until: «HW103:soon» }
                  keys: { rsa-minimum: «HW103:3072», reason: "x", owner: pki, until: 2027-01-01 }
                  signatures: { minimum-hash: «HW103:sha2», reason: "x", owner: pki, until: 2027-01-01 }
              b:
                hosts: ["b.example"]
                anchors: [system]
                waivers:
                  tls: { minimum-version: «HW103:1.2», reason: "x", owner: pki, until: «HW103:soon» }
                  keys: { rsa-minimum: «HW103:16385», reason: "x", owner: pki, until: 2027-01-01 }
                  signatures: { minimum-hash: «HW103:sha512», reason: "x", owner: pki, until: 2027-01-01 }
              c:
                hosts: ["c.example"]
                anchors: [system]
                waivers: { tls: { minimum-version: «HW103:tls1», reason: "x", owner: pki, until: 2027-01-01 } }
                tls: { minimum-version: «HW103:tls1» }
            """,
            says: [
                "`TLSv1.3` is not below the baseline",
                "leave the waiver out: no rule demands more than `tls1.3`",
                "write `keys: { rsa-minimum: 3072 }` in `a`",
                "`report-only: { keys: { until: 2027-01-01 } }`",
                "`sha2` is not a hash below the baseline; allowed: sha1",
                "`report-only: { tls: { until: YYYY-MM-DD } }`",
                "write `tls: { minimum-version: tls1.2 }` in `b`",
                "`waivers.keys.rsa-minimum` takes 1024 to 2047; found 16385",
                "leave the waiver out: no rule demands more than `sha512`",
                "`tls1` is not an old TLS version; allowed: tls1.0 tls1.1",
                "`tls1` is not a TLS version; allowed: tls1.2 tls1.3",
            ]),
        MarkedRow(
            "10 a waiver of revocation without an end, and what is written for a slow server",
            """
            hawser: 1
            default:
              anchors: [system]
              waivers: { «HW604:revocation»: { reason: "CRL server is slow", owner: payments } }
            """,
            says: [
                "waiver `revocation` of `default` never ends, and accepts revoked certificates while "
                    + "it lasts",
                "for a slow server write `revocation: { causes: { unreachable: report } }` instead",
            ]),
        MarkedRow(
            "10 a waiver in a profile",
            """
            hawser: 1
            default: { anchors: [system], profile: lax }
            profiles:
              lax: { «HW004:waivers»: { identity: { reason: x, owner: pki, until: 2027-01-01 } } }
            """,
            says: ["`waivers` stands in a rule and in no profile"]),

        // Section 9: report-only.
        MarkedRow(
            "9 report-only without an end, and with a reason",
            """
            hawser: 1
            default:
              anchors: [system]
              pins: [api]
              report-only: { «HW604:pins»: { note: "measuring" }, keys: { until: 2027-01-01, «HW004:reason»: x } }
              keys: { rsa-minimum: 3072 }
            pins:
              api:
                keys: { one: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= } }
                backups: { two: { spki: sha256/cvL9l/L3MD1f4OTruTXJJ/LUo/xVVp6qRkwrImKyEUI= } }
            """,
            says: [
                "report-only `pins` of `default` never ends, and accepts keys that are not pinned "
                    + "while it lasts"
            ]),
        MarkedRow(
            "9 all stands alone",
            """
            hawser: 1
            default:
              anchors: [system]
              keys: { rsa-minimum: 3072 }
              report-only: { «label:keys»: { until: 2027-01-01 }, «HW507:all»: { until: 2027-01-01 } }
            """,
            says: ["`all` stands for every check of `default`"]),
        MarkedRow(
            "9 pins and all belong in a rule",
            """
            hawser: 1
            default: { anchors: [system], profile: soft }
            profiles:
              soft:
                keys: { rsa-minimum: 3072 }
                report-only: { keys: { until: 2027-01-01 }, «HW004:pins»: { until: 2027-01-01 }, «HW004:all»: { until: 2027-01-01 } }
            """,
            says: ["pins are a rule's own"]),
        MarkedRow(
            "9 report-only is a map of maps",
            """
            hawser: 1
            default: { anchors: [system], keys: { types: [p256] }, report-only: { keys: «HW102:soon» } }
            rules:
              a: { hosts: ["a.example"], anchors: [system], report-only: «HW102:[keys]» }
            """),
    ]

    @Test("marked texts", arguments: rows)
    func marked(_ row: MarkedRow) {
        row.verify()
    }

    @Test("what the parser could not read is passed over in silence")
    func errorNodesAreSilent() {
        // The value of `anchors` is an alias: one diagnostic, and nothing about missing anchors, an
        // unused set or a default that is not there.
        let row = MarkedRow(
            "an alias",
            """
            hawser: 1
            default: { anchors: «HW006:*them» }
            """)
        row.verify()
    }

    @Test("fixes of the spelling are safe and hold the canonical form")
    func spellingFix() throws {
        let text =
            "hawser: 1\ndefault: deny\nrules:\n  api: { hosts: [\"A.example\"], anchors: [system] }\n"
        let (policy, diagnostics) = MemoryUnit.check(
            MemoryUnit.unit(["policy.yaml": Array(text.utf8)]))
        #expect(policy != nil)
        let fix = try #require(diagnostics.first?.fix)
        #expect(fix.safety == .safe)
        #expect(fix.edits.map(\.replacement) == ["\"a.example\""])
    }
}
