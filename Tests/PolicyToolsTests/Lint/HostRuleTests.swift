import PolicyCompiler
import PolicyTools
import Testing

/// The rules on hosts, each by marked text.
@Suite("lint: hosts") struct HostRuleTests {
    /// A unit with a private anchor set, over a `default`.
    private static func policy(
        _ rules: String, over fallback: String = "deny", sets: String = ""
    ) -> MarkedLint {
        MarkedLint(
            """
            hawser: 1
            default: \(fallback)
            anchors:
              corp: { files: [corp.pem], owner: pki }
              other: { files: [other.pem], owner: pki }
              public: { files: [other.pem], standard: web-pki, owner: pki }

            """ + sets + """
                rules:
                  elsewhere: { hosts: ["elsewhere.example"], anchors: [corp, other], owner: web }
                  further: { hosts: ["further.example"], anchors: [public], owner: web }

                """ + rules)
    }

    private static let system = "{ anchors: [system], owner: web }"

    @Test("HW205: a wildcard over names that strangers register")
    func publicSuffix() {
        Self.policy(
            """
              a: { hosts: [«HW205:"*.com"», «HW205:"**.co.uk:443"», "co.uk"], anchors: [system], owner: web }
              b: { hosts: ["**.acme.co.uk", "*.acme.com"], anchors: [system], owner: web, note: ours }
              c: { hosts: ["**.internal", "*.test"], anchors: [corp], owner: web }
              d: { hosts: [«HW205:"*.kawasaki.jp"», "*.city.kawasaki.jp"], anchors: [corp], owner: web }

            """
        ).expect(says: ["by the Public Suffix List of 20"])
    }

    @Test("HW206: the name behind a wildcard falls to a weaker default")
    func apexUncovered() {
        Self.policy(
            """
              a: { hosts: [«HW206:"**.acme.example"»], anchors: [corp], owner: web }
              b: { hosts: ["*.b.example", "b.example"], anchors: [corp], owner: web }
              c: { hosts: ["*.c.example"], anchors: [system, corp], owner: web }
              d: { hosts: [«HW206:"*.d.example"»], anchors: [system], owner: web, tls: { minimum-version: tls1.3 } }

            """, over: Self.system
        ).expect(
            says: [
                "`**.acme.example` does not cover `acme.example` itself, which `default` decides",
                "`anchors` is `[system]` instead of `[corp]`",
                "`tls.minimum-version` is `tls1.2` instead of `tls1.3`",
            ])
    }

    @Test("HW206 is silent where nothing weaker decides")
    func apexDenied() {
        Self.policy("  a: { hosts: [\"**.acme.example\"], anchors: [corp], owner: web }\n").expect()
        Self.policy(
            """
              a: { hosts: ["*.acme.example"], anchors: [corp], owner: web }
              b: { hosts: ["acme.example"], anchors: [other], owner: web }

            """, over: Self.system
        ).expect()
    }

    @Test("HW206 goes by the port")
    func apexByPort() {
        Self.policy(
            """
              a: { hosts: [«HW206:"*.acme.example:8443"», "acme.example:443"], anchors: [corp], owner: web }

            """, over: Self.system
        ).expect()
    }

    @Test("HW209 and HW217: networks that narrower ones fill, to the last address")
    func unreachable() {
        let inner = """
              b: { hosts: ["192.0.2.0/26", "192.0.2.64/26", "192.0.2.128/25"], anchors: [other], owner: web }

            """
        Self.policy(
            "  «HW209:a»: { hosts: [\"192.0.2.0/24\"], anchors: [corp], owner: web }\n" + inner
        ).expect(says: ["`a` decides no host"])
        Self.policy(
            """
              a: { hosts: [«HW217:"192.0.2.0/24"», "acme.example"], anchors: [corp], owner: web }

            """ + inner
        ).expect()
        Self.policy(
            "  a: { hosts: [\"192.0.0.0/22\"], anchors: [corp], owner: web }\n" + inner
        ).expect()
        // One port of the half is not the half.
        Self.policy(
            """
              a: { hosts: ["192.0.2.0/31"], anchors: [corp], owner: web }
              b: { hosts: ["192.0.2.0", "192.0.2.1:443"], anchors: [other], owner: web }

            """
        ).expect()
    }

    @Test("HW217: a wildcard whose names are too long to have a second label")
    func tooLongForTwo() {
        let label = String(repeating: "a", count: 61)
        let base = [label, label, label, label].joined(separator: ".") + ".ex"
        Self.policy(
            """
              a: { hosts: [«HW217:"**.\(base)"», "acme.example"], anchors: [corp], owner: web }
              b: { hosts: ["*.\(base)"], anchors: [other], owner: web }

            """
        ).expect()
    }

    @Test("HW210: what would decide instead demands the same of every host")
    func redundant() {
        Self.policy(
            """
              all: { hosts: ["**.acme.example", "acme.example"], anchors: [corp], owner: web }
              «HW210:api»: { hosts: ["api.acme.example"], anchors: [corp], owner: other, note: ours }
              «HW210:shop»: { hosts: ["shop.example"], anchors: [system], profile: plain, owner: web }
              some: { hosts: ["a.acme.example", "b.other.example"], anchors: [corp], owner: web }
            profiles:
              plain: { validity: { clock-skew: 0s } }

            """, over: Self.system
        ).expect(
            says: [
                "`api` changes nothing: without it every host that it decides gets the same from `all`",
                "from `default`",
            ])
    }

    @Test("HW210 looks at every port that matters")
    func redundantByPort() {
        Self.policy(
            """
              all: { hosts: ["**.acme.example"], anchors: [corp], owner: web }
              odd: { hosts: ["**.acme.example:8443"], anchors: [other], owner: web }
              api: { hosts: ["api.acme.example"], anchors: [corp], owner: web }
              «HW210:www»: { hosts: ["www.acme.example:443"], anchors: [corp], owner: web }

            """
        ).expect()
    }

    @Test("HW211: a narrower pattern that demands less, field by field")
    func weakerInside() {
        let policy = Self.policy(
            """
              all:
                hosts: ["**.acme.example"]
                anchors: [corp]
                profile: strict
                owner: web
              same: { hosts: ["same.acme.example"], anchors: [other], profile: strict, owner: web, tls: { minimum-version: tls1.3 } }
              less: { hosts: [«HW211:"less.acme.example"», "more.acme.example"], anchors: [corp], owner: web }
              more: { hosts: [«HW211:"*.lab.acme.example"»], anchors: [corp, other], profile: strict, owner: web }
            profiles:
              strict: { keys: { rsa-minimum: 3072 }, revocation: { preset: require } }

            """)
        policy.expect(
            says: [
                "`less` demands less of `less.acme.example` than `all` of the hosts around it: "
                    + "`keys.rsa-minimum` is `2048` instead of `3072`",
                "`revocation.causes.unknown` is `report` instead of `fail`",
                "`anchors` is `[corp, other]` instead of `[corp]`",
            ])
        let strict = policy.lint(MarkedLint.options(.strict))
        #expect(strict.findings.allSatisfy { $0.severity == .error })
        #expect(policy.lint().findings.allSatisfy { $0.severity == .warning })
    }

    @Test("HW211: who is trusted inside, as certificates with their terms")
    func weakerAnchors() {
        Self.policy(
            """
              all: { hosts: ["**.svc.example"], anchors: [corp], owner: web }
              www: { hosts: [«HW211:"www.svc.example"»], anchors: [system], owner: web }
              both: { hosts: [«HW211:"both.svc.example"»], anchors: [corp, system], owner: web }
              bundle: { hosts: [«HW211:"bundle.svc.example"»], anchors: [public], owner: web }
              free: { hosts: [«HW211:"free.svc.example"»], anchors: [wide], owner: web }
              mine: { hosts: ["mine.svc.example"], anchors: [other], owner: web, note: ours }
              some: { hosts: ["some.svc.example"], anchors: [narrow], owner: web }
              copy: { hosts: ["copy.svc.example"], anchors: [again], owner: web }
              web: { hosts: ["**.web.example"], anchors: [system, corp], owner: web }
              own: { hosts: ["own.web.example"], anchors: [corp], owner: web }
              inner: { hosts: ["inner.web.example"], anchors: [other], owner: web, note: ours }
              strictly: { hosts: ["**.cut.example"], anchors: [narrow], owner: web }
              cut: { hosts: [«HW211:"a.cut.example"»], anchors: [corp], owner: web }

            """,
            sets: """
                  wide: { files: [corp.pem], ignore-limits: [dates], owner: pki }
                  again: { files: [corp.pem], owner: pki }
                  narrow: { files: [corp.pem], constraints: { permitted-names: ["**.svc.example", "**.cut.example"] }, owner: pki }

                """
        ).expect(
            says: [
                "`www` demands less of `www.svc.example` than `all` of the hosts around it: `anchors` "
                    + "is `[system]` instead of `[corp]`, so every CA of the machine's store may vouch",
                "trust what `all` trusts, or say why not: `# hawser:ignore HW211 -- REASON`",
                "`anchors` is `[corp, system]` instead of `[corp]`, so every CA of the machine's store "
                    + "may vouch, too",
                "`anchors` is `[public]` instead of `[corp]`, so `CN=Other Root` may vouch",
                "`anchors.wide.ignore-limits` is `[dates]` instead of none",
                "`anchors.corp.constraints.permitted-names` is none instead of "
                    + "`[\"**.cut.example\", \"**.svc.example\"]`",
            ])
    }

    @Test("HW211: the fields that were never compared")
    func weakerFields() {
        Self.policy(
            """
              all:
                hosts: ["**.acme.example"]
                anchors: [corp]
                owner: web
                validity: { maximum-lifetime: 398d, lifetime-steps: [{ issued-from: 2026-03-15, maximum: 100d }] }
                tls: { maximum-version: tls1.2, alpn: [h2] }
              a: { hosts: [«HW211:"a.acme.example"»], anchors: [corp], owner: web, validity: { maximum-lifetime: 200d }, tls: { alpn: [h2], maximum-version: tls1.2 } }
              b: { hosts: [«HW211:"b.acme.example"»], anchors: [corp], owner: web, validity: { maximum-lifetime: 90d }, tls: { alpn: [h2, http/1.1] } }

            """
        ).expect(says: [
            "`validity.lifetime-steps` is `200d` instead of `100d` for certificates issued from 2026-03-15 on",
            "`tls.maximum-version` is `tls1.3` instead of `tls1.2`",
            "likewise `tls.alpn` is `[h2, http/1.1]` instead of `[h2]`",
        ])
    }

    @Test("HW211: another list than the wildcard's, and the whole store in place of chosen CAs")
    func otherLists() {
        Self.policy(
            """
              all:
                hosts: ["**.acme.example"]
                anchors: [public]
                owner: web
                tls: { minimum-version: tls1.3, cipher-suites: [TLS_AES_256_GCM_SHA384], alpn: [h2] }
                checks: [device]
              a: { hosts: [«HW211:"a.acme.example"»], anchors: [public], owner: web, checks: [other], tls: { minimum-version: tls1.3, cipher-suites: [TLS_AES_128_CCM_8_SHA256], alpn: [h3] } }
              b: { hosts: [«HW211:"b.acme.example"»], anchors: [system], owner: web, checks: [device], tls: { minimum-version: tls1.3, cipher-suites: [TLS_AES_256_GCM_SHA384], alpn: [h2] } }
              c: { hosts: ["c.acme.example"], anchors: [public], owner: web, checks: [device], tls: { minimum-version: tls1.3, cipher-suites: [TLS_AES_256_GCM_SHA384], alpn: [h3] } }

            """
        ).expect(says: [
            "`a` accepts of `a.acme.example` what `all` refuses of the hosts around it: "
                + "`tls.cipher-suites` is `[TLS_AES_128_CCM_8_SHA256]` instead of "
                + "`[TLS_AES_256_GCM_SHA384]`",
            "likewise `checks` is `[other]` instead of `[device]`",
            "`b` demands less of `b.acme.example` than `all` of the hosts around it: `anchors` is "
                + "`[system]` instead of `[public]`, so every CA of the machine's store may vouch",
        ])
    }

    @Test("HW211: one server with TLS 1.2 is led to `report-only`, with a day")
    func oldServer() {
        let wall = """
              all: { hosts: ["**.acme.example"], anchors: [corp], owner: web, tls: { minimum-version: tls1.3 } }

            """
        Self.policy(
            wall + "  box: { hosts: [«HW211:\"box.acme.example\"»], anchors: [corp], owner: web }\n"
        ).expect(says: [
            "for one server that lacks `tls1.3` keep that floor and write `report-only: { tls: { until: "
                + "2026-08-30 } }` in `box`: until then demands on TLS, from `tls1.2` on, are reported "
                + "and do not reject"
        ])
        Self.policy(
            wall
                + "  box: { hosts: [\"box.acme.example\"], anchors: [corp], owner: web, tls: { "
                + "minimum-version: tls1.3 }, report-only: { tls: { until: 2026-08-30 } } }\n"
        ).expect()
    }

    @Test("HW213: private names and addresses under every public CA")
    func privateNames() {
        Self.policy(
            """
              a: { hosts: ["www.example.org", «HW213:"build.internal"», "db.local"], anchors: [system], owner: web }
              b: { hosts: [«HW213:"localhost"»], anchors: [system, corp], owner: web }
              c: { hosts: [«HW213:"10.1.0.0/16"»], anchors: [system], owner: web }
              d: { hosts: ["www.internal", "*.internal.example"], anchors: [corp], owner: web }
              e: { hosts: ["e.internal", "10.2.0.1"], anchors: [corp], owner: web }

            """
        ).expect(says: ["`10.1.0.0/16` is a private network"])
    }

    @Test("HW207: the neighbours of a deeper host fall to something weaker")
    func depthSurprise() {
        Self.policy(
            """
              a: { hosts: ["acme.example", «HW207:"*.acme.example"», "db.eu.acme.example"], anchors: [corp], owner: web }
              b: { hosts: ["b.example", "*.b.example", "*.eu.b.example"], anchors: [corp], owner: web }
              c: { hosts: ["c.example", "*.c.example", "db.eu.c.example"], anchors: [corp], owner: web }
              d: { hosts: ["**.eu.c.example", "eu.c.example"], anchors: [corp], owner: web, note: the other half }

            """, over: Self.system
        ).expect(says: ["the neighbours of `db.eu.acme.example` are decided by `default`"])
        Self.policy(
            "  a: { hosts: [\"*.acme.example\", \"db.eu.acme.example\"], anchors: [corp], owner: web }\n"
        ).expect()
    }

    @Test("HW212: an address under public CAs alone")
    func addresses() {
        Self.policy(
            """
              a: { hosts: ["www.a.example", «HW212:"203.0.113.10"»], anchors: [system], owner: web }
              b: { hosts: [«HW212:"2001:db8::/48"»], anchors: [public], owner: web }
              c: { hosts: ["203.0.113.11"], anchors: [system, corp], owner: web }

            """
        ).expect()
    }

    @Test("HW214: what every rule demands and default does not")
    func weakDefault() {
        func policy(_ fallback: String, _ second: String) -> MarkedLint {
            MarkedLint(
                """
                hawser: 1
                \(fallback)
                profiles:
                  strict: { keys: { rsa-minimum: 3072 } }
                rules:
                  a: { hosts: ["a.example"], anchors: [system], profile: strict, owner: web }
                  b: { hosts: ["b.example"], anchors: [system], profile: strict, owner: web, note: b, tls: { minimum-version: tls1.3 } }
                \(second)

                """)
        }
        let third =
            "  c: { hosts: [\"c.example\"], anchors: [system], owner: web, tls: { minimum-version: tls1.3 } }"
        policy("«HW214:default»: { anchors: [system], owner: web }", "").expect(
            says: ["`keys.rsa-minimum` is `2048` instead of `3072` of `a`"])
        policy("default: { anchors: [system], owner: web }", third).expect()
        policy("default: deny", "").expect()
    }

    @Test("HW215: letters of several scripts, and hosts that look alike")
    func scripts() {
        Self.policy(
            """
              mixed: { hosts: [«HW215:"xn--cme-5cd.example"»], anchors: [corp], owner: web }
              alike: { hosts: [«HW215:"xn--n1aahb.example"», "coco.example"], anchors: [corp], owner: web }
              plain: { hosts: ["xn--mnchen-3ya.example", "munchen.example"], anchors: [corp], owner: web }

            """
        ).expect(
            says: ["Cyrillic, Latin", "`xn--n1aahb.example` looks like `coco.example`"])
    }

    @Test("HW218: a pattern that a wider one of its rule covers, unless another rule lies between")
    func covered() {
        Self.policy(
            """
              a: { hosts: [«HW218:"api.acme.example"», «HW218:"*.acme.example"», "**.acme.example"], anchors: [corp], owner: web }
              b: { hosts: ["x.y.b.example", "**.b.example"], anchors: [corp], owner: web }
              c: { hosts: ["*.y.b.example"], anchors: [other], owner: web }
              d: { hosts: [«HW218:"192.0.2.1"», "192.0.2.0/24", "198.51.100.1"], anchors: [corp], owner: web }

            """
        ).expect(says: ["`api.acme.example` adds nothing to `a`: `*.acme.example` covers it"])
    }

    @Test("HW008, a warning: line ends of two kinds")
    func lineEnds() {
        let text = "hawser: 1«HW008:\r»\ndefault: deny\n"
        let result = MarkedLint(text).expect()
        #expect(result.findings.map(\.severity) == [.warning])
        MarkedLint("hawser: 1\r\ndefault: deny\r\n").expect()
    }

    @Test("HW902 is a remark: seen by an audit, or when asked for")
    func unsorted() {
        let policy = MarkedLint(
            """
            hawser: 1

            default: deny

            rules:
              all:
                hosts:
                  - "**.acme.example"
                anchors: [system]
                owner: web

              «HW902:api»:
                hosts:
                  - "api.acme.example"
                anchors: [system]
                owner: web
                keys: { rsa-minimum: 3072 }

            """)
        policy.expect(MarkedLint.options(.audit))
        #expect(policy.lint().findings.isEmpty)
        var asked = MarkedLint.options()
        asked.selected = [.unsortedRules]
        policy.expect(asked)
    }
}
