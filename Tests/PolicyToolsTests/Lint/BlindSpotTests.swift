import LibCrypto
import PolicyCompiler
import PolicyTools
import Testing
import TrustEngine

/// Mistakes that each look like a valid policy, each at its token by marked text.
@Suite("lint: what reads well and means nothing") struct BlindSpotTests {
    private static func policy(_ rules: String, _ more: String = "") -> MarkedLint {
        MarkedLint(
            """
            hawser: 1
            default: deny
            anchors:
              corp: { files: [corp.pem], owner: pki }
              public: { files: [other.pem], standard: web-pki, owner: pki }

            """ + more + "rules:\n"
                + "  elsewhere: { hosts: [\"elsewhere.test\"], anchors: [corp, public], owner: web }\n"
                + rules)
    }

    private static func rule(_ id: String, _ fields: String, anchors: String = "corp") -> String {
        "  \(id): { hosts: [\"\(id).acme.test\"], anchors: [\(anchors)], owner: web, note: \(id), "
            + "\(fields) }\n"
    }

    // MARK: HW219

    @Test("HW219: networks of every address, with and without a port")
    func everyAddress() {
        Self.policy(
            """
              a: { hosts: [«HW219:"0.0.0.0/0"», «HW219:"[::/0]:8443"»], anchors: [corp], owner: web }
              b: { hosts: ["0.0.0.0", "10.0.0.0/8", "128.0.0.0/1"], anchors: [corp], owner: web, keys: { rsa-minimum: 3072 } }

            """
        ).expect(says: [
            "`0.0.0.0/0` covers every IPv4 address", "`[::/0]:8443` covers every IPv6 address",
            "write the networks that are yours",
        ])
        Self.policy(
            Self.rule("a", "profile: limited", anchors: "limited"),
            """
            profiles:
              limited: { keys: { rsa-minimum: 3072 } }

            """
        ).policyText { text in
            text.replacing(
                "  public:",
                with: "  limited: { files: [corp.pem], owner: pki, constraints: { excluded-names: "
                    + "[\"0.0.0.0/0\", \"::/0\"] } }\n  public:")
        }.expect()
    }

    // MARK: HW220

    private static let payments =
        "  p: { hosts: [\"api.payments.test\", \"**.web.payments.test\", \"*.payments.test:8443\"], "
        + "anchors: [corp], owner: web }\n"

    @Test(
        "HW220: one edit of a letter",
        arguments: [
            "api.paymnets.test", "api.payment.test", "api.paymentss.test", "api.paymants.test",
            "apayments.test", "*.paymetns.test",
        ])
    func nearMiss(_ name: String) {
        Self.policy(
            Self.payments
                + "  q: { hosts: [«HW220:\"\(name):9443\"»], anchors: [corp], owner: web, note: q }\n"
        ).expect(says: ["one letter from the name that"])
    }

    @Test("HW220 at the top of a name")
    func nearMissAtTheTop() {
        MarkedLint(
            """
            hawser: 1
            default: deny
            rules:
              a: { hosts: ["a.acme.example", "b.acme.example", "c.other.example"], anchors: [system], owner: web }
              b: { hosts: [«HW220:"**.acme.exmaple"»], anchors: [system], owner: web, note: b }

            """
        ).expect(says: ["`exmaple` here, `example` there", "`\"**.acme.example\"`"])
    }

    @Test("HW220 says what to write, and where the usual name stands")
    func nearMissWords() {
        Self.policy(
            Self.payments
                + "  q: { hosts: [«HW220:\"**.eu.paymnets.test:443\"»], anchors: [corp], owner: web, note: q }\n"
        ).expect(says: [
            "`**.eu.paymnets.test:443` is one letter from the name that 3 patterns have: `paymnets` "
                + "here, `payments` there",
            "if it is a slip write `\"**.eu.payments.test:443\"`", "here it is `payments`",
        ])
    }

    @Test(
        "HW220 is silent about digits, hyphens, short words, names used as often, and other places",
        arguments: [
            ["a.web1.test", "b.web1.test", "c.web1.test", "a.web2.test"],
            ["a.server1.test", "b.server1.test", "c.server1.test", "a.server2.test"],
            ["a.server1.test", "b.server1.test", "c.server1.test", "a.server.test"],
            ["a.zone-eu-a.test", "b.zone-eu-a.test", "c.zone-eu-a.test", "a.zone-eu-b.test"],
            ["a.pay-ments.test", "b.pay-ments.test", "c.pay-ments.test", "a.payments.test"],
            ["a.cards.test", "b.cards.test", "c.cards.test", "a.carts.test"],
            ["a.shop.test", "b.shop.test", "c.shop.test", "a.hsop.test"],
            ["a.payments.test", "b.payments.test", "a.paymnets.test"],
            [
                "a.payments.test", "b.payments.test", "c.payments.test", "a.paymnets.test",
                "b.paymnets.test",
            ],
            ["a.payments.test", "b.payments.test", "c.payments.test", "a.paymnets.acme.test"],
            ["a.payments.test", "b.payments.test", "c.payments.test", "a.paynemts.test"],
            [
                "a.xn--bcher-kva.test", "b.xn--bcher-kva.test", "c.xn--bcher-kva.test",
                "xn--bucher-kva.test",
            ],
        ])
    func noNearMiss(_ names: [String]) {
        let hosts = names.map { "\"\($0)\"" }.joined(separator: ", ")
        let found = Self.policy("  q: { hosts: [\(hosts)], anchors: [corp], owner: web }\n").lint()
            .findings.filter { $0.code == .nearMissName }
        #expect(found.isEmpty, "\(found.map(\.message))")
    }

    /// Labels beside each other, each often, and each with a lookalike: what a search of all pairs
    /// would take minutes for.
    @Test("HW220 finds the one slip among thousands of names", .timeLimit(.minutes(1)))
    func manyNames() {
        func word(_ number: Int) -> String {
            String(
                decoding: (0..<6).map { place in
                    UInt8(ascii: "a") + UInt8((number >> (4 * place)) & 15)
                }, as: UTF8.self)
        }
        var hosts: [String] = []
        for number in 0..<4_000 {
            let name = "\(word(number &* 40_503 & 0xFFFFFF))common"
            for service in ["api", "web", "db"] { hosts.append("\"\(service).\(name).test\"") }
        }
        hosts.append("«HW220:\"api.\(word(40_503 & 0xFFFFFF))comnon.test\"»")
        Self.policy(
            "  q: { hosts: [\(hosts.joined(separator: ", "))], anchors: [corp], owner: web }\n"
        ).expect()
    }

    // MARK: HW514

    @Test("HW514: one certificate for every host of a wildcard, or of `default`")
    func listedOnWildcard() {
        let listed = "identity: { reference: «HW514:listed», dns: [ledger.svc.test] }"
        let quiet = "identity: { reference: listed, dns: [ledger.svc.test] }"
        Self.policy(
            "  a: { hosts: [\"one.acme.test\", \"**.svc.test\"], anchors: [corp], owner: web, \(listed) }\n"
        ).expect(says: [
            "`a` takes a certificate for `ledger.svc.test` in place of one for the host, so who "
                + "holds it can stand in for every host of `**.svc.test`", "any host below it",
        ])
        Self.policy(
            "  a: { hosts: [\"*.svc.test:443\"], anchors: [corp], owner: web, identity: { reference: "
                + "«HW514:listed», uri: [\"spiffe://svc.test/ledger\"] } }\n"
        ).expect()
        for fields in [
            "hosts: [\"one.svc.test\", \"two.svc.test\"], \(quiet)",
            "hosts: [\"192.0.2.0/24\"], \(quiet)",
            "hosts: [\"**.svc.test\"], identity: { reference: host-and-listed, dns: [ledger.svc.test] }",
            "hosts: [\"**.svc.test\"], identity: { reference: listed, uri: [\"spiffe://svc.test/pay/**\"] }",
        ] {
            Self.policy("  a: { anchors: [corp], owner: web, \(fields) }\n").expect()
        }
        MarkedLint(
            """
            hawser: 1
            default: { anchors: [corp], owner: web, \(listed) }
            anchors:
              corp: { files: [corp.pem], owner: pki }

            """
        ).expect(says: ["every host that no rule names"])
    }

    // MARK: HW515 and HW516

    @Test(
        "HW515: versions, forward secrecy and suites",
        arguments: [
            (
                "forward-secrecy: required, maximum-version: tls1.2, cipher-suites: «HW515:[TLS_RSA_WITH_AES_128_GCM_SHA256, TLS_ECDH_RSA_WITH_AES_128_GCM_SHA256]»",
                "`tls.forward-secrecy` refuses each suite of TLS 1.2 in `tls.cipher-suites`, and "
                    + "`tls.maximum-version` refuses TLS 1.3"
            ),
            (
                "forward-secrecy: required, maximum-version: tls1.2, cipher-suites: «HW515:[TLS_AES_128_GCM_SHA256, TLS_RSA_WITH_AES_128_GCM_SHA256]»",
                "`tls.maximum-version` refuses TLS 1.3"
            ),
        ])
    func suites(_ fields: String, _ words: String) {
        Self.policy(Self.rule("a", "tls: { \(fields) }")).expect(says: [words])
    }

    @Test(
        "HW515 is silent where one handshake is possible",
        arguments: [
            "minimum-version: tls1.3, cipher-suites: [TLS_AES_128_GCM_SHA256, TLS_RSA_WITH_AES_128_GCM_SHA256]",
            "maximum-version: tls1.2, cipher-suites: [TLS_AES_128_GCM_SHA256, TLS_RSA_WITH_AES_128_GCM_SHA256]",
            "forward-secrecy: required, maximum-version: tls1.2, cipher-suites: [TLS_RSA_WITH_AES_128_GCM_SHA256, TLS_DHE_RSA_WITH_AES_128_GCM_SHA256]",
            "forward-secrecy: required, cipher-suites: [TLS_RSA_WITH_AES_128_GCM_SHA256, TLS_AES_128_GCM_SHA256]",
            "forward-secrecy: required, minimum-version: tls1.3",
            "signature-schemes: [ecdsa_secp384r1_sha384]",
        ])
    func possible(_ fields: String) {
        Self.policy(Self.rule("a", "keys: { leaf-types: [p256] }, tls: { \(fields) }")).expect()
    }

    @Test("HW515 stands at the layer that makes it so, and not again where a rule inherits it")
    func layers() {
        let profiles = """
            profiles:
              floor: { tls: { forward-secrecy: required, maximum-version: tls1.2 } }
              broken: { extends: floor, tls: { cipher-suites: «HW515:[TLS_RSA_WITH_AES_128_CCM]» } }

            """
        Self.policy(
            Self.rule("a", "profile: broken")
                + Self.rule("b", "profile: broken, path: { maximum-intermediates: 2 }"),
            profiles
        ).expect(says: ["`tls.forward-secrecy` is written here"])
        Self.policy(
            Self.rule("a", "profile: old, tls: { forward-secrecy: «HW515:required» }"),
            "profiles:\n  old: { tls: { maximum-version: tls1.2, cipher-suites: "
                + "[TLS_RSA_WITH_AES_128_GCM_SHA256] } }\n"
        ).expect(says: ["`tls.cipher-suites` is written here"])
    }

    @Test(
        "HW515: signature schemes that no allowed key makes",
        arguments: [
            (
                "keys: { types: [p256, ed25519] }, signatures: { schemes: «HW515:[rsa-pss, rsa-pkcs1]» }",
                "no certificate of a path can meet `signatures.schemes`: keys of `keys.types`, `p256`, "
                    + "`ed25519`, make none of these signatures"
            ),
            (
                "keys: { leaf-types: [rsa] }, tls: { minimum-version: tls1.3, signature-schemes: «HW515:[rsa_pkcs1_sha256, ecdsa_secp256r1_sha256]» }",
                "add a scheme of these keys, for example `rsa_pss_rsae_sha256`"
            ),
            (
                "keys: { leaf-types: [p256] }, tls: { minimum-version: tls1.3, signature-schemes: «HW515:[ecdsa_secp384r1_sha384]» }",
                "sign by none of them"
            ),
            ("tls: { signature-schemes: «HW515:[sm2sig_sm3]» }", "no server can meet"),
            (
                "keys: { types: [rsa, p256] }, tls: { signature-schemes: «HW515:[mldsa44, mldsa65]» }",
                "keys of `keys.leaf-types`, `rsa`, `p256`, sign by none of them"
            ),
            (
                "keys: { leaf-types: [mldsa44] }, tls: { signature-schemes: «HW515:[mldsa65]» }",
                "for example `mldsa44`"
            ),
            (
                "tls: { maximum-version: tls1.2, signature-schemes: «HW515:[mldsa65]» }",
                "no server can meet"
            ),
            (
                "keys: { types: [p256, mldsa65] }, signatures: { schemes: «HW515:[ed25519]» }",
                "add `ecdsa` or `ml-dsa`"
            ),
        ])
    func schemes(_ fields: String, _ words: String) {
        Self.policy(Self.rule("a", fields)).expect(says: [words])
    }

    @Test("HW516: one scheme that no allowed key makes, where one layer says both")
    func idleSchemes() {
        Self.policy(
            Self.rule(
                "a",
                "keys: { types: [p256] }, signatures: { schemes: [ecdsa, «HW516:rsa-pkcs1», rsa-pss] }, "
                    + "tls: { signature-schemes: "
                    + "[ecdsa_secp256r1_sha256, «HW516:rsa_pss_rsae_sha256»] }")
        ).expect(says: [
            "`rsa-pkcs1` in `signatures.schemes` allows nothing", "; nor `rsa-pss`",
            "`rsa_pss_rsae_sha256` in `tls.signature-schemes` allows nothing: no key that "
                + "`keys.types` allows makes a signature of this scheme",
        ])
        Self.policy(
            Self.rule(
                "a",
                "keys: { types: [p256, mldsa65] }, tls: { signature-schemes: "
                    + "[ecdsa_secp256r1_sha256, mldsa65, «HW516:mldsa44»] }")
        ).expect(says: ["`mldsa44` in `tls.signature-schemes` allows nothing"])
        Self.policy(Self.rule("a", "tls: { signature-schemes: [mldsa44] }")).expect()
        // Issuers may have RSA keys, whose signatures a client must list, too.
        Self.policy(
            Self.rule(
                "a",
                "keys: { leaf-types: [p256] }, tls: { signature-schemes: "
                    + "[ecdsa_secp256r1_sha256, rsa_pss_rsae_sha256] }")
        ).expect()
        // A failure that is only reported rejects nothing as long as the report mode lasts.
        Self.policy(
            Self.rule(
                "a",
                "tls: { maximum-version: tls1.2, forward-secrecy: required, "
                    + "cipher-suites: [TLS_RSA_WITH_AES_128_GCM_SHA256] }, "
                    + "report-only: { tls: { until: 2026-06-30 } }")
        ).expect()
        // A profile lists schemes for rules that allow fewer kinds of keys.
        Self.policy(
            Self.rule("a", "profile: p, keys: { types: [p256] }"),
            "profiles:\n  p: { signatures: { schemes: [ecdsa, rsa-pss] } }\n"
        ).expect()
    }

    // MARK: HW517

    private static let passes =
        "unknown: pass, no-endpoint: pass, unreachable: pass, stale: pass, malformed: pass, not-covered: pass"

    @Test("HW517: evidence that is required and passes whatever happens")
    func requireNothing() {
        Self.policy(
            Self.rule("a", "revocation: { preset: «HW517:require», causes: { \(Self.passes) } }")
        ).expect(says: ["no evidence is required of any certificate"])
        let refined = Self.passes.replacing("unknown: pass", with: "unknown: «HW517:pass»")
        Self.policy(
            Self.rule("a", "profile: p, revocation: { causes: { \(refined) } }"),
            "profiles:\n  p: { revocation: { preset: require } }\n"
        ).expect(
            says: ["`revocation.preset` is written here"],
            without: [.weakerThanProfile])
        for fields in [
            "preset: best-effort, causes: { \(Self.passes) }",
            "preset: require, causes: { \(Self.passes.replacing("stale: pass", with: "stale: report")) }",
        ] {
            Self.policy(Self.rule("a", "revocation: { \(fields) }")).expect()
        }
    }

    // MARK: HW518

    @Test("HW518: certificates for clients, asked of public CAs")
    func publicClientAuth() {
        Self.policy(
            Self.rule("a", "path: { key-purposes: [«HW518:client-auth»] }", anchors: "corp, system")
                + Self.rule("b", "path: { key-purposes: [«HW518:client-auth»] }", anchors: "public")
                + "  c: { hosts: [\"c.acme.test\"], anchors: [«HW518:system»], owner: web, profile: clients }\n"
                + Self.rule("d", "profile: clients")
                + Self.rule(
                    "e", "path: { key-purposes: [client-auth, server-auth] }", anchors: "system"),
            "profiles:\n  clients: { path: { key-purposes: [client-auth] } }\n"
        ).expect(says: ["from 2026-06-15", "2027-03-15", "trust only the private CA"])
        Self.policy(
            Self.rule("a", "note: x", anchors: "partners").replacing("note: a, ", with: "")
        ).policyText {
            $0.replacing(
                "  public:",
                with: "  partners: { include: [public], owner: pki, constraints: { key-purposes: "
                    + "«HW518:[client-auth]» } }\n  public:")
        }.expect()
    }

    // MARK: HW415 and HW606

    private static func pins(_ dates: String) -> MarkedLint {
        MarkedLint(
            """
            hawser: 1
            default: deny
            pins:
              api:
                keys: { now: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= } }
                backups: { next: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= } }
                owner: web
                \(dates)
            rules:
              api: { hosts: ["api.acme.test"], anchors: [system], pins: [api], owner: web }

            """)
    }

    @Test("HW415: a warning after the day that it warns of")
    func warnFromLate() {
        Self.pins("{warn-from: «HW415:2027-05-01», enforce-until: 2027-04-30}".inBlock).expect(
            says: ["`api` warns from 2027-05-01 on, after its `enforce-until` of 2027-04-30"])
        Self.pins("{warn-from: 2027-04-30, enforce-until: 2027-04-30}".inBlock).expect()
    }

    @Test("HW606: dates more than 50 years away, wherever a date can stand")
    func farDates() {
        Self.pins("{warn-from: 2027-01-01, enforce-until: «HW606:2207-04-30»}".inBlock).expect(
            says: ["`enforce-until` is 2207-04-30, 180 years from now"])
        Self.policy(
            Self.rule(
                "a",
                "tls: { minimum-version: tls1.3 }, report-only: { tls: { until: «HW606:9999-12-31» } }, "
                    + "waivers: { identity: { reason: x, owner: qa, until: «HW606:2126-01-01» } }")
                + Self.rule(
                    "b",
                    "validity: { maximum-lifetime: 90d, lifetime-steps: [{ issued-from: «HW606:2207-03-15», "
                        + "maximum: 47d }] }, forbidden-keys: { old: { spki-file: other.pem, not-before: { "
                        + "from: 1970-01-01, until: «HW606:2099-01-01» } } }")
        ).expect()
        // To the second: 50 years of 31,556,952 seconds.
        let limit = MarkedLint.time.advanced(bySeconds: 50 * 31_556_952)
        Self.pins("{enforce-until: \(limit)}".inBlock).expect()
        Self.pins("{enforce-until: «HW606:\(limit.advanced(bySeconds: 1))»}".inBlock).expect()
    }

    @Test("on a policy with errors, nothing is concluded from what could not be read")
    func unread() {
        for fields in [
            "tls: { minimum-version: «HW103:tls13», cipher-suites: [TLS_RSA_WITH_AES_128_CCM], forward-secrecy: required }",
            "revocation: { preset: require, causes: { unknown: pass, no-endpoint: pass, unreachable: pass, stale: pass, malformed: pass, not-covered: «HW103:ignore» } }",
            "keys: { types: [p256, «HW103:rsaa»] }, signatures: { schemes: [rsa-pss] }",
            "path: { key-purposes: [client-auth, «HW103:server-atuh»] }",
        ] {
            Self.policy(Self.rule("a", fields, anchors: "system")).expect()
        }
    }
}

extension String {
    /// `{a: b, c: d}` as lines of a block map, indented by four blanks.
    fileprivate var inBlock: String {
        dropFirst().dropLast().split(separator: ", ").joined(separator: "\n    ")
    }
}
