import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// The rules on how strictly a rule judges, each by marked text.
@Suite("lint: demands") struct DemandRuleTests {
    // MARK: HW510

    @Test("HW510 and HW103: one server with TLS 1.2 under a profile that asks for TLS 1.3")
    func oldServer() {
        func policy(_ box: String) -> MarkedLint {
            MarkedLint(
                """
                hawser: 1
                default: deny
                profiles:
                  modern: { tls: { minimum-version: tls1.3 } }
                rules:
                  all: { hosts: ["**.acme.example"], anchors: [system], profile: modern, owner: web }
                  box: { hosts: [\(box), owner: web }

                """)
        }
        let advice = "`report-only: { tls: { until: 2026-08-30 } }`"
        // HW510 and HW211 speak of the same floor.
        policy(
            "«HW211:\"box.acme.example\"»], anchors: [system], profile: modern, tls: { "
                + "«HW510:minimum-version»: tls1.2 }"
        ).expect(says: [
            "`box` demands less than its profile `modern`: `tls.minimum-version` is `tls1.2` instead of "
                + "`tls1.3`", "keep that floor and write \(advice) in `box`",
        ])
        for word in ["tls12", "\"1.2\"", "TLSv1.2", "tls-1.2"] {
            policy(
                "\"box.acme.example\"], anchors: [system], profile: modern, tls: { minimum-version: "
                    + "«HW103:\(word)» }"
            ).expect(says: ["did you mean `tls1.2`?", "write `tls1.2`"])
        }
        // As the messages print it.
        policy(
            "\"box.acme.example\"], anchors: [system], profile: modern, "
                + advice.filter { $0 != "`" }
        ).expect()
    }

    @Test("HW524: with staples alone left, CRLs are proposed in the place of filters")
    func filtersOfPrivateAnchors() {
        func policy(_ sources: String) -> MarkedLint {
            MarkedLint(
                """
                hawser: 1
                default: deny
                anchors:
                  corporate: { files: [corp.pem] }
                rules:
                  api:
                    hosts: ["api.acme.example"]
                    anchors: [corporate]
                    revocation: { sources: «HW524:\(sources)», scope: leaf }
                    owner: web

                """)
        }
        policy("[stapled, crlite]").expect(says: ["write `sources: [stapled, crl]`"])
        policy("[crlite]").expect(says: ["write `sources: [crl]`"])
        policy("[stapled, ocsp, crlite]").expect(says: ["write `sources: [stapled, ocsp]`"])
    }

    @Test("HW510: another list in place of the profile's")
    func otherLists() {
        MarkedLint(
            """
            hawser: 1
            default: deny
            profiles:
              strict: { tls: { maximum-version: tls1.2, cipher-suites: [TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384], alpn: [h2] } }
            rules:
              api:
                hosts: ["api.acme.example"]
                anchors: [system]
                profile: strict
                tls: { «HW510:cipher-suites»: [TLS_RSA_WITH_AES_128_CBC_SHA], alpn: [h3] }
                owner: web

            """
        ).expect(says: [
            "`api` accepts what its profile `strict` refuses: `tls.cipher-suites` is "
                + "`[TLS_RSA_WITH_AES_128_CBC_SHA]` instead of "
                + "`[TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384]`"
        ])
    }

    // MARK: HW502

    private static let issuing = MarkedLint.root.issueCA("Acme Issuing", key: .p256("lint-demands"))
    private static let listed = MarkedLint.root.issueCA("Acme Listed", key: .p256("lint-listed")) {
        $0.extensions.append(.crlDistributionPoints(["http://crl.acme.example/root.crl"]))
    }
    private static let leaf = issuing.issueLeaf(dns: ["api.acme.example"])

    private static let files: [String: [UInt8]] = [
        "issuing.pem": Array(issuing.pem.utf8), "listed.pem": Array(listed.pem.utf8),
        "leaf.pem": Array(leaf.pem.utf8),
    ]

    private static func revocation(
        _ fields: String, offers: String = "issuing.pem", rule: String = "«HW502:api»",
        kind: String = "", pins: String = ""
    ) -> MarkedLint {
        MarkedLint(
            """
            hawser: 1
            default: deny
            anchors:
              corp: { files: [corp.pem], intermediates: [\(offers)], owner: pki }
            pins:
              api:
                keys: { now: { spki-file: leaf.pem }, any: { spki-file: corp.pem } }
                backups: { next: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= } }
                match: 2
                enforce-until: 2028-06-30
            rules:
              \(rule):
                hosts: ["api.acme.example"]
                anchors: [corp]
                pins: [api]
                owner: web
                revocation: { \(fields) }

            """)
    }

    @Test("HW502: an intermediate, or a pinned certificate, that names no source")
    func noSource() {
        Self.revocation("preset: require").expect(
            files: Self.files,
            says: [
                "`api` rejects every path with `CN=Acme Issuing`", "names no source to ask",
                "likewise `CN=api.acme.example`", "demanded here",
            ])
        Self.revocation("preset: require", offers: "listed.pem").expect(
            files: Self.files, says: ["rejects every path with `CN=api.acme.example`"])
        Self.revocation("preset: require, scope: leaf").expect(
            files: Self.files, says: ["rejects every path with `CN=api.acme.example`"])
        Self.revocation("causes: { no-endpoint: fail }").expect(files: Self.files)
        // The source that it names is not asked.
        Self.revocation(
            "preset: require, sources: [ocsp], short-lived: 365d", offers: "listed.pem"
        ).expect(files: Self.files, says: ["rejects every path with `CN=Acme Listed`"])
    }

    @Test(
        "HW502 says nothing where such a certificate passes",
        arguments: [
            "preset: best-effort", "preset: require, causes: { no-endpoint: report }",
            "preset: require, scope: leaf, short-lived: 365d",
            "preset: require, short-lived: 4000d",
        ])
    func passes(_ fields: String) {
        Self.revocation(fields, rule: "api").expect(files: Self.files)
    }

    @Test("HW502 points at the layer that demands it")
    func demandedHere() {
        let marked = MarkedLint(
            """
            hawser: 1
            default: deny
            anchors:
              corp: { files: [corp.pem], intermediates: [issuing.pem], owner: pki }
            profiles:
              mild: { revocation: { causes: { no-endpoint: pass } } }
              hard: { extends: mild, revocation: { preset: require } }
            rules:
              «HW502:api»: { hosts: ["api.acme.example"], anchors: [corp], profile: hard, owner: web }

            """)
        let labels = marked.expect(files: Self.files).findings.first?.labels ?? []
        let lines = String(decoding: marked.bytes, as: UTF8.self)
        let start = labels.first.map { Int($0.span.start) } ?? 0
        #expect(lines.utf8.dropFirst(start).starts(with: "preset: require".utf8))
    }

    @Test("HW502 says nothing while it is only reported, or waived")
    func tolerated() {
        for rest in [
            "waivers: { revocation: { reason: moving, owner: web, until: 2026-09-30 } }",
            "report-only: { revocation: { until: 2026-09-30 } }",
        ] {
            let text = String(
                decoding: Self.revocation("preset: require }\n    \(rest.dropLast())", rule: "api")
                    .bytes, as: UTF8.self)
            MarkedLint(text).expect(files: Self.files)
        }
    }

    // MARK: HW510

    private static func profiles(_ profile: String, _ rule: String, extends: String = "")
        -> MarkedLint
    {
        MarkedLint(
            """
            hawser: 1
            default: deny
            profiles:
              strict:
            \(profile)
              stricter: { extends: strict, path: { maximum-intermediates: 2 } }
            rules:
              api:
                hosts: ["api.acme.example"]
                anchors: [system]
                profile: stricter
                owner: web
            \(rule)
              other: { hosts: ["www.acme.example"], anchors: [system], profile: ats, owner: web, transparency: { preset: none } }  # hawser:ignore HW510 -- no log list yet

            """)
    }

    @Test("HW510: fields of a rule that demand less than its profile, or what that extends")
    func weaker() {
        Self.profiles(
            "    keys: { rsa-minimum: 3072 }",
            "    keys: { «HW510:rsa-minimum»: 2048 }\n    path: { «HW510:maximum-intermediates»: 5 }"
        ).expect(says: [
            "`api` demands less than its profile `stricter`: `keys.rsa-minimum` is `2048` instead of "
                + "`3072`", "`path.maximum-intermediates` is `5` instead of `2`",
            "the profile demands it here", "# hawser:ignore HW510 -- REASON",
        ])
    }

    @Test("HW510: a preset is told once for all that it undoes")
    func preset() {
        let result = Self.profiles(
            "    revocation: { preset: require }",
            "    revocation: { «HW510:preset»: best-effort, causes: { stale: fail } }"
        ).expect(says: ["likewise `revocation.causes.unreachable` is `report` instead of `fail`"])
        #expect(!result.findings.map(\.notes).joined().joined().contains("stale"))
        Self.profiles(
            "    keys: { types: [p256, p384] }", "    keys: { «HW510:types»: [p256, p384, rsa] }"
        )
        .expect(says: ["likewise `keys.leaf-types`"])
    }

    @Test(
        "HW510: a lifetime that undoes the profile's steps, by the first day on which it is longer")
    func lifetimes() {
        let steps =
            "    validity: { lifetime-steps: [{ issued-from: 2026-03-15, maximum: 200d }, "
            + "{ issued-from: 2029-03-15, maximum: 47d }] }"
        Self.profiles(steps, "    validity: { «HW510:maximum-lifetime»: 90d }").expect(says: [
            "`validity.lifetime-steps` is `90d` instead of `47d` for certificates issued from 2029-03-15 on"
        ])
        Self.profiles(steps, "    validity: { maximum-lifetime: 47d }").expect()
    }

    @Test("HW510: what TLS may be besides, and how many timestamps are enough")
    func versions() {
        Self.profiles(
            "    tls: { maximum-version: tls1.2, alpn: [h2] }",
            "    tls: { «HW510:maximum-version»: tls1.3, «HW510:alpn»: [h2, http/1.1] }"
        ).expect(says: [
            "`tls.maximum-version` is `tls1.3` instead of `tls1.2`",
            "`tls.alpn` is `[h2, http/1.1]` instead of `[h2]`",
        ])
    }

    @Test("HW510 says nothing of what demands as much, or more, or is of another kind")
    func asStrict() {
        Self.profiles(
            "    keys: { rsa-minimum: 3072, types: [rsa, p256] }",
            "    keys: { rsa-minimum: 4096, types: [rsa, p384] }\n    tls: { alpn: [h2] }"
        ).expect()
    }

    @Test("HW510 is an error under strict, and stands in `default`, too")
    func strict() {
        let marked = MarkedLint(
            """
            hawser: 1
            default:
              anchors: [system]
              profile: strict
              owner: web
              tls: { «HW510:minimum-version»: tls1.2 }
            profiles:
              strict: { tls: { minimum-version: tls1.3 } }

            """)
        marked.expect()
        let strict = marked.lint(MarkedLint.options(.strict)).findings
        #expect(strict.map(\.severity) == [.error])
    }

    // MARK: HW512

    @Test("HW512: what is ignored in fact, for an audit alone")
    func ignoredLimits() {
        let text = """
            hawser: 1
            default: deny
            anchors:
              factory:
                files: [old.pem, corp.pem]
                ignore-limits: «HW512:[dates, name-constraints, key-purposes, path-length]»
                owner: fleet
            rules:
              api: { hosts: ["api.acme.example"], anchors: [factory], owner: web }

            """
        let old = MarkedLint.pki.root("Old Root", key: .p256("lint-old")) {
            $0.notAfter = .at("2026-01-31")
            $0.extensions[0] = .basicConstraints(ca: true, pathLength: 1)
        }
        let files = ["old.pem": Array(old.pem.utf8)]
        var audit = MarkedLint.options(.audit)
        audit.ignored = [.notFormatted]
        MarkedLint(text).expect(
            audit, files: files,
            says: [
                "`factory` ignores `dates`, `name-constraints`, `key-purposes`, `path-length`",
                "`dates`: `CN=Old Root` ended on 2026-01-31",
                "`name-constraints`: no certificate has this limit",
                "`path-length`: `CN=Old Root` has this limit",
            ])
        let quiet = text.replacing("«HW512:", with: "").replacing("»", with: "")
        let told = MarkedLint(quiet).lint(files: files).findings.map(\.code)
        #expect(!told.contains(.ignoredLimits))
    }
}
