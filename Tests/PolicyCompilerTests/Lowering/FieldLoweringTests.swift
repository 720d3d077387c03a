import PolicyCompiler
import Testing
import TrustEngine

/// What each field of LANGUAGE section 8 comes to, through its layers.
@Suite("lowering fields")
struct FieldLoweringTests {
    /// The rule `r` of a policy with these profiles and this body.
    static func rule(
        _ body: String, profiles: String = "", anchors: String = ""
    ) throws -> RuleBody {
        var text = "hawser: 1\ndefault: deny\n"
        if !profiles.isEmpty { text += "profiles:\n\(profiles)\n" }
        if !anchors.isEmpty { text += "anchors:\n\(anchors)\n" }
        text += "rules:\n  r: { hosts: [\"r.example\"], anchors: [system], \(body) }\n"
        let contents = try LoweringTests.lower(
            ["policy.yaml": text], resources: FieldTests.resources)
        return try #require(contents.rules.first).body
    }

    static func date(_ text: String) throws -> UTCInstant { try #require(UTCInstant(text: text)) }

    @Test("every field of a rule")
    func everyField() throws {
        let body = try FieldLoweringTests.rule(
            """
            path: { maximum-intermediates: 3, certificate-policies: [2.23.140.1.2.2, 2.23.140.1.1, 2.23.140.1.2.2], explicit-policy: required, policy-mapping: inhibited, any-policy: inhibited },
              validity: { maximum-lifetime: 398d, lifetime-steps: [{ issued-from: 2027-03-15, maximum: 100d }, { issued-from: 2026-03-15, maximum: 200d }] },
              revocation: { causes: { stale: pass }, preset: require, sources: [ocsp, stapled], scope: chain, network: prefetch, maximum-age: 26h, short-lived: 2d },
              transparency: { minimum-scts: 3, minimum-operators: 2, preset: chrome, log-list: ct/log_list.json, log-list-maximum-age: 30d, when-stale: pass, exempt-anchors: [system, corp, corp] },
              tls: { minimum-version: tls1.3, maximum-version: tls1.3, forward-secrecy: required, cipher-suites: [TLS_CHACHA20_POLY1305_SHA256, TLS_AES_128_GCM_SHA256], groups: [x25519, secp256r1], signature-schemes: [ed25519], alpn: [http/1.1, h2] },
              forbidden-keys: { z: { certificate-file: stolen/ca.pem }, a: { spki-file: stolen/ca.pem, not-before: { from: 2026-10-01, until: 2026-10-31 } } },
              checks: [vpn, attestation, vpn]
            """, anchors: "  corp: { files: [corp.pem] }")
        let toy = ToyDigests()
        let certificate = KeyMaterialTests.issuing
        var expected = Requirements()
        expected.maximumIntermediates = 3
        expected.certificatePolicies = [
            [0x67, 0x81, 0x0C, 0x01, 0x01], [0x67, 0x81, 0x0C, 0x01, 0x02, 0x02],
        ]
        expected.requiresExplicitPolicy = true
        expected.inhibitsPolicyMapping = true
        expected.inhibitsAnyPolicy = true
        expected.maximumLifetime = 398 * 86_400
        expected.lifetimeSteps = [
            LifetimeStep(
                issuedFrom: try FieldLoweringTests.date("2026-03-15"), maximum: 200 * 86_400),
            LifetimeStep(
                issuedFrom: try FieldLoweringTests.date("2027-03-15"), maximum: 100 * 86_400),
        ]
        expected.revocation.preset = .require
        expected.revocation.causes = .require
        expected.revocation.causes[.stale] = .pass
        expected.revocation.sources = [.ocsp, .stapled]
        expected.revocation.scope = .chain
        expected.revocation.network = .prefetch
        expected.revocation.maximumAge = 26 * 3_600
        expected.revocation.shortLived = 2 * 86_400
        expected.transparency.preset = .chrome
        expected.transparency.minimumSCTs = 3
        expected.transparency.minimumOperators = 2
        expected.transparency.logList = toy.digest(
            .sha256, of: Array(FieldTests.logList.utf8).span)
        expected.transparency.logListMaximumAge = 30 * 86_400
        expected.transparency.whenStale = .pass
        expected.transparency.exemptAnchors = ["corp", "system"]
        expected.tls.minimumVersion = .tls13
        expected.tls.maximumVersion = .tls13
        expected.tls.requiresForwardSecrecy = true
        expected.tls.cipherSuites = ["TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256"]
        expected.tls.groups = ["x25519", "secp256r1"]
        expected.tls.signatureSchemes = ["ed25519"]
        expected.tls.alpn = ["http/1.1", "h2"]
        expected.forbiddenKeys = [
            ForbiddenKey(
                id: "a",
                matches: [
                    KeyMatch(kind: .spki, digest: toy.digest(.sha256, of: certificate.spki.span))
                ],
                notBefore: DateWindow(
                    from: try FieldLoweringTests.date("2026-10-01"),
                    until: try FieldLoweringTests.date("2026-10-31T23:59:59Z"))),
            ForbiddenKey(
                id: "z",
                matches: [
                    KeyMatch(
                        kind: .certificate, digest: toy.digest(.sha256, of: certificate.der.span))
                ]),
        ]
        expected.checks = ["attestation", "vpn"]
        #expect(body.requirements == expected)
    }

    /// Three layers: a preset counts as writing all that it stands for in its own.
    @Test(
        "presets and what refines them",
        arguments: [
            // Far, near and the rule; then what `stale` and `unreachable` come to.
            ("", "", "", CauseAction.report, CauseAction.report),
            ("preset: require", "", "", .fail, .fail),
            ("preset: require, causes: { stale: pass }", "", "", .pass, .fail),
            ("causes: { stale: pass }", "preset: require", "", .fail, .fail),
            ("preset: require", "causes: { stale: pass }", "", .pass, .fail),
            ("preset: require", "causes: { stale: pass }", "preset: best-effort", .report, .report),
            ("causes: { stale: fail }", "causes: { unreachable: pass }", "", .fail, .pass),
            ("causes: { stale: fail }", "", "causes: { stale: pass }", .pass, .report),
            (
                "causes: { stale: fail }", "preset: require", "causes: { unreachable: pass }",
                .fail, .pass
            ),
        ])
    func presets(
        _ far: String, _ near: String, _ rule: String, _ stale: CauseAction,
        _ unreachable: CauseAction
    ) throws {
        func fields(_ text: String) -> String {
            text.isEmpty ? "keys: { rsa-minimum: 2048 }" : "revocation: { \(text) }"
        }
        let body = try FieldLoweringTests.rule(
            "profile: near, \(fields(rule))",
            profiles: "  far: { \(fields(far)) }\n  near: { extends: far, \(fields(near)) }")
        #expect(body.requirements.revocation.causes[.stale] == stale)
        #expect(body.requirements.revocation.causes[.unreachable] == unreachable)
        let isRequire = (rule + near + far).contains("require") && !rule.contains("best-effort")
        #expect(body.requirements.revocation.preset == (isRequire ? .require : .bestEffort))
    }

    @Test("a nearer preset of transparency undoes the numbers of farther layers")
    func transparency() throws {
        let log = "log-list: ct/log_list.json"
        let far = "  far: { transparency: { preset: chrome, minimum-scts: 5, \(log) } }\n"
        func number(_ near: String, _ rule: String) throws -> Int? {
            try FieldLoweringTests.rule(
                "profile: near, transparency: { \(rule) }",
                profiles: far + "  near: { extends: far, transparency: { \(near) } }"
            )
            .requirements.transparency.minimumSCTs
        }
        #expect(try number("when-stale: fail", "when-stale: fail") == 5)
        #expect(try number("minimum-operators: 2", "minimum-scts: 4") == 4)
        #expect(try number("preset: apple", "when-stale: fail") == nil)
        #expect(try number("preset: apple", "minimum-scts: 4") == 4)
        #expect(try number("minimum-scts: 4", "preset: none") == nil)
    }

    @Test(
        "steps replace the lifetime of their own or a farther layer; a nearer one undoes them",
        arguments: [
            // Far, near and the rule; then the longest life in days of 2026-01-01, and of
            // 2026-06-01.
            ("steps", "", "", nil, 200), ("lifetime 398", "steps", "", 398, 200),
            ("lifetime 398, steps", "", "", 398, 200), ("steps", "lifetime 90", "", 90, 90),
            ("lifetime 398", "steps", "lifetime 90", 90, 90),
            ("steps", "lifetime 90", "steps", 90, 200), ("steps", "", "later", nil, nil),
        ] as [(String, String, String, Int64?, Int64?)])
    func lifetimes(
        _ far: String, _ near: String, _ rule: String, _ early: Int64?, _ late: Int64?
    ) throws {
        func fields(_ text: String) -> String {
            let parts = text.split(separator: ", ").map { part in
                switch part {
                case "steps": return "lifetime-steps: [{ issued-from: 2026-03-15, maximum: 200d }]"
                case "later": return "lifetime-steps: [{ issued-from: 2028-03-15, maximum: 47d }]"
                default: return "maximum-lifetime: \(part.split(separator: " ")[1])d"
                }
            }
            return "validity: { \((["clock-skew: 0s"] + parts).joined(separator: ", ")) }"
        }
        let requirements = try FieldLoweringTests.rule(
            "profile: near, \(fields(rule))",
            profiles: "  far: { \(fields(far)) }\n  near: { extends: far, \(fields(near)) }"
        ).requirements
        func days(_ text: String) throws -> Int64? {
            requirements.maximumLifetime(issuedAt: try FieldLoweringTests.date(text))
                .map { $0 / 86_400 }
        }
        #expect(try days("2026-01-01") == early)
        #expect(try days("2026-06-01") == late)
    }

    @Test("lists are replaced, and entries of forbidden-keys add up")
    func listsAndEntries() throws {
        let body = try FieldLoweringTests.rule(
            "profile: near, checks: [c], forbidden-keys: { b: { spki: \(FieldTests.one) } }",
            profiles: """
                  far: { checks: [a, b], tls: { alpn: [h2, http/1.1] }, forbidden-keys: { c: { spki: \(FieldTests.one) } }, path: { certificate-policies: [2.23.140.1.2.2] } }
                  near: { extends: far, tls: { alpn: [h2] }, forbidden-keys: { a: { spki: \(FieldTests.two) } }, path: { certificate-policies: [2.5.29.32.0] } }
                """)
        #expect(body.requirements.checks == ["c"])
        #expect(body.requirements.tls.alpn == ["h2"])
        #expect(body.requirements.forbiddenKeys.map(\.id) == ["a", "b", "c"])
        // anyPolicy is any.
        #expect(body.requirements.certificatePolicies == [])
    }

    @Test("the built-in profile ats, named or extended")
    func ats() throws {
        let log = "transparency: { log-list: ct/log_list.json }"
        let named = try FieldLoweringTests.rule("profile: ats, \(log)")
        let extended = try FieldLoweringTests.rule(
            "profile: app", profiles: "  app: { extends: ats, \(log) }")
        var expected = BuiltInProfile.ats.requirements
        #expect(expected.transparency.preset == .apple)
        #expect(expected.tls.requiresForwardSecrecy)
        #expect(expected.rsaMinimum == 2048)
        expected.transparency.logList = named.requirements.transparency.logList
        #expect(named.requirements == expected)
        #expect(named.profile == "ats")
        #expect(extended.requirements == expected)
        #expect(extended.profile == "app")
        #expect(BuiltInProfile.baseline.requirements == Requirements())
        let weaker = try FieldLoweringTests.rule(
            "profile: ats, transparency: { preset: none }, tls: { forward-secrecy: not-required }")
        #expect(weaker.requirements == Requirements())
    }

    @Test("a log list is kept once, and only where a rule names it")
    func logLists() throws {
        let other = FieldTests.logList + "\n"
        let text = """
            hawser: 1
            default: { anchors: [system], profile: used }
            profiles:
              used: { transparency: { preset: chrome, log-list: ct/log_list.json } }
              mine: { transparency: { log-list: ct/mine.json } }
            rules:
              a: { hosts: ["a.example"], anchors: [system], profile: used }
              b: { hosts: ["b.example"], anchors: [system], transparency: { log-list: ct/copy.json } }
              c: { hosts: ["c.example"], anchors: [system], profile: mine, transparency: { log-list: ct/copy.json } }

            """
        let resources = FieldTests.resources.merging([
            "ct/copy.json": Array(FieldTests.logList.utf8), "ct/mine.json": Array(other.utf8),
        ]) { own, _ in own }
        let contents = try LoweringTests.lower(["policy.yaml": text], resources: resources)
        let bytes = Array(FieldTests.logList.utf8)
        #expect(
            contents.logLists == [
                LogListContents(digest: ToyDigests().digest(.sha256, of: bytes.span), bytes: bytes)
            ])
    }

    @Test("the eighth profile of a chain counts, as the first one does")
    func eightProfiles() throws {
        let chain = (2...8).map { "  p\($0): { extends: p\($0 - 1), tls: { alpn: [p\($0)] } }" }
        let body = try FieldLoweringTests.rule(
            "profile: p8",
            profiles: (["  p1: { keys: { rsa-minimum: 3072 } }"] + chain).joined(separator: "\n"))
        var expected = Requirements()
        expected.rsaMinimum = 3072
        expected.tls.alpn = ["p8"]
        #expect(body.requirements == expected)
    }

    @Test("each field is cited where its layer writes it")
    func provenance() throws {
        let text = """
            hawser: 1
            default: deny
            profiles:
              far: { revocation: { preset: require, causes: { stale: pass } } }
              near:
                extends: ats
                transparency: { log-list: ct/log_list.json }
                forbidden-keys: { stolen: { spki: \(FieldTests.one) } }
              plain: { extends: baseline, tls: { alpn: [h2] } }
            rules:
              a: { hosts: ["a.example"], anchors: [system], profile: far, checks: [vpn] }
              b: { hosts: ["b.example"], anchors: [system], profile: near }
              c: { hosts: ["c.example"], anchors: [system], profile: plain }

            """
        let unit = MemoryUnit.unit(
            ["policy.yaml": Array(text.utf8)], resources: FieldTests.resources)
        let policy = try #require(MemoryUnit.check(unit).policy)
        let table = CompilerPipeline.table(of: policy, crypto: ToyDigests())
        let provenance = try #require(table.provenance())
        let places = [
            "/profiles/far/revocation/preset": "4:32",
            "/profiles/far/revocation/causes/stale": "4:58",
            "/profiles/near/transparency/log-list": "7:31",
            "/profiles/near/forbidden-keys/stolen": "8:39",
            "/profiles/plain/tls/alpn": "9:44", "/rules/a/checks": "11:71",
        ]
        for (pointer, place) in places {
            #expect(
                provenance.locations[pointer]?.description == "policy.yaml:\(place)", "\(pointer)")
        }
        #expect(provenance.parents == ["near": "ats"])
    }
}
