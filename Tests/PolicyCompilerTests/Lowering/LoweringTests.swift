import PolicyCompiler
import Testing
import TrustEngine

/// What a checked policy comes to: one meaning, whatever its spelling (LANGUAGE sections 1.5 and
/// 8).
@Suite("lowering")
struct LoweringTests {
    static func lower(
        _ files: [String: String], resources: [String: [UInt8]] = [:], isDirectory: Bool = true
    ) throws -> PolicyContents {
        let unit = MemoryUnit.unit(
            files.mapValues { Array($0.utf8) }, resources: resources, isDirectory: isDirectory)
        let (policy, diagnostics) = MemoryUnit.check(unit)
        let checked = try #require(policy, "\(diagnostics.map(\.message))")
        return MemoryUnit.contents(of: checked)
    }

    @Test("the startup's policy")
    func startup() throws {
        let contents = try LoweringTests.lower(["policy.yaml": ExampleTests.startup])
        guard case .body(let body) = contents.defaultRule else {
            Issue.record("default is a body")
            return
        }
        #expect(body.anchors == ["system"])
        #expect(body.requirements == Requirements())
        #expect(contents.anchorSets.map(\.id) == ["system"])
        #expect(contents.anchorSets.first?.groups == [.system])
        let rule = try #require(contents.rules.first)
        #expect(rule.id == "api")
        #expect(
            rule.hosts == [
                HostPattern(host: .anyLabels(base: "api.acme.example"), port: nil),
                HostPattern(host: .name("api.acme.example"), port: nil),
            ])
        #expect(rule.body.pins == ["acme-api"])
        let pins = try #require(contents.pinSets.first)
        #expect(pins.match == 1)
        #expect(pins.warnFrom == UTCInstant(text: "2027-04-30"))
        #expect(pins.enforceUntil == UTCInstant(text: "2027-06-30T23:59:59Z"))
        #expect(pins.onExpiry == .fail)
        #expect(pins.keys.map(\.position) == [.ca])
        #expect(pins.backups.map(\.position) == [.any])
        #expect(pins.backups.first?.note == "safe, sealed bag 7")
    }

    @Test("layers: rule, profile, what it extends, baseline; field by field")
    func layers() throws {
        let contents = try LoweringTests.lower([
            "policy.yaml": """
            hawser: 1
            default: { anchors: [system] }
            profiles:
              base:
                keys: { types: [rsa, p256], rsa-minimum: 3072 }
                signatures: { minimum-hash: sha384, schemes: [ecdsa] }
                path: { maximum-intermediates: 2, key-purposes: [client-auth, 1.3.6.1.5.5.7.3.4] }
                validity: { maximum-lifetime: 90d, clock-skew: 1h }
              near:
                extends: base
                keys: { rsa-minimum: 4096 }
                validity: { clock-skew: 5min }
            rules:
              api:
                hosts: ["api.example"]
                anchors: [system]
                profile: near
                path: { key-purposes: [server-auth] }
            """
        ])
        let requirements = try #require(contents.rules.first).body.requirements
        var expected = Requirements()
        expected.keyTypes = [KeyTypeSet(.rsa), KeyTypeSet(.p256)]
        expected.leafKeyTypes = expected.keyTypes
        expected.rsaMinimum = 4096
        expected.minimumHash = .sha384
        expected.signatureSchemes = .ecdsa
        expected.maximumIntermediates = 2
        expected.clockSkew = 300
        expected.maximumLifetime = 90 * 86_400
        #expect(requirements == expected)
        #expect(contents.rules.first?.body.profile == "near")
    }

    @Test("report-only: the nearest layer of each check, `all` for those of the language")
    func reportOnly() throws {
        let contents = try LoweringTests.lower([
            "policy.yaml": """
            hawser: 1
            default:
              anchors: [system]
              report-only: { all: { until: 2027-02-28, note: "measuring" } }
              checks: [device]
              profile: far
            profiles:
              far:
                keys: { types: [p256] }
                signatures: { minimum-hash: sha512 }
                validity: { maximum-lifetime: 90d }
                report-only:
                  keys: { until: 2027-01-31 }
                  signatures: { until: 2027-01-31 }
                  lifetime: { until: 2027-01-31, note: far }
              near:
                extends: far
                report-only: { signatures: { until: 2027-02-28T12:00:00Z }, keys: { until: 2027-02-28 } }
            rules:
              api:
                hosts: ["api.example"]
                anchors: [system]
                profile: near
                report-only: { keys: { until: 2027-03-31 } }
            """
        ])
        let body = try #require(contents.rules.first).body
        #expect(
            body.reportOnly == [
                ReportOnly(check: .keys, until: try instant("2027-03-31T23:59:59Z"), note: nil),
                ReportOnly(
                    check: .signatures, until: try instant("2027-02-28T12:00:00Z"), note: nil),
                ReportOnly(
                    check: .lifetime, until: try instant("2027-01-31T23:59:59Z"), note: "far"),
            ])
        guard case .body(let whole) = contents.defaultRule else {
            Issue.record("default is a body")
            return
        }
        #expect(
            whole.reportOnly.map(\.check) == ReportOnly.Check.builtIn + [.custom("device")])
        #expect(Set(whole.reportOnly.map(\.until)) == [try instant("2027-02-28T23:59:59Z")])
    }

    private func instant(_ text: String) throws -> UTCInstant {
        try #require(UTCInstant(text: text))
    }

    @Test("every waiver with its own key")
    func everyWaiver() throws {
        let rest = "reason: lab, owner: qa, until: 2027-01-31 }"
        let contents = try LoweringTests.lower([
            "policy.yaml": """
            hawser: 1
            default:
              anchors: [system]
              waivers:
                cleartext: { \(rest)
                signatures: { minimum-hash: sha1, \(rest)
                keys: { rsa-minimum: 1536, \(rest)
                tls: { minimum-version: tls1.1, \(rest)
                revocation: { \(rest)
            """
        ])
        guard case .body(let body) = contents.defaultRule else {
            Issue.record("default is a body")
            return
        }
        #expect(
            Set(body.waivers.map(\.tolerance)) == [
                .cleartext, .signatures(minimumHash: .sha1), .keys(rsaMinimum: 1536),
                .tls(minimumVersion: .tls11), .revocation,
            ])
        #expect(Set(body.waivers.map(\.until)) == [try instant("2027-01-31T23:59:59Z")])
    }

    @Test("the waivers that every table has, and identity")
    func waivers() throws {
        let contents = try LoweringTests.lower([
            "policy.yaml": """
            hawser: 1
            default: deny
            rules:
              api:
                hosts: ["api.example"]
                anchors: [system]
                identity: { reference: listed, dns: [b.example, a.example], ip: ["10.0.0.1"] }
                waivers:
                  path: { reason: "lab", owner: qa, until: 2027-01-31, ticket: QA-1 }
                  identity: { reason: "lab", owner: qa, until: 2027-01-31T12:00:00Z }
                  expired: { tolerance: 14d, reason: "lab", owner: qa, until: 2027-01-31 }
            """
        ])
        let body = try #require(contents.rules.first).body
        #expect(
            body.waivers.map(\.tolerance) == [.expired(seconds: 14 * 86_400), .identity, .path])
        #expect(
            body.waivers.map(\.until.description) == [
                "2027-01-31T23:59:59Z", "2027-01-31T12:00:00Z", "2027-01-31T23:59:59Z",
            ])
        #expect(body.waivers.map(\.ticket) == [nil, nil, "QA-1"])
        #expect(body.identity.reference == .listed)
        #expect(body.identity.dns == ["a.example", "b.example"])
        #expect(body.identity.ip.map(\.description) == ["10.0.0.1"])
        #expect(contents.defaultRule == .deny)
    }

    @Test("anchor sets and pins from files")
    func files() throws {
        let contents = try LoweringTests.lower(
            [
                "policy.yaml": """
                hawser: 1
                default: { anchors: [corp], pins: [api] }
                anchors:
                  corp: { files: [a/root.pem, root.der], kind: leaf, owner: pki }
                pins:
                  api:
                    keys: { one: { spki-file: a/root.pem }, two: { certificate-file: leaf.cer } }
                    backups: { next: { spki-file: next.csr } }
                    match: all
                """
            ],
            resources: [
                "a/root.pem": Array(KeyMaterialTests.root.pem.utf8),
                "root.der": KeyMaterialTests.root.der, "leaf.cer": KeyMaterialTests.leaf.der,
                "next.csr": KeyMaterialTests.next.request,
            ])
        let corp = try #require(contents.anchorSets.first { $0.id == "corp" })
        #expect(
            corp.groups == [
                AnchorGroup(source: .members([KeyMaterialTests.root.der]), kind: .leaf)
            ])
        let pins = try #require(contents.pinSets.first)
        #expect(pins.match == 2)
        let toy = ToyDigests()
        let spki = KeyMaterialTests.root.spki
        let leaf = KeyMaterialTests.leaf.der
        let next = KeyMaterialTests.next.spki
        #expect(
            pins.keys.map(\.matches) == [
                [KeyMatch(kind: .spki, digest: toy.digest(.sha256, of: spki.span))],
                [KeyMatch(kind: .certificate, digest: toy.digest(.sha256, of: leaf.span))],
            ])
        #expect(
            pins.backups.map(\.matches) == [
                [KeyMatch(kind: .spki, digest: toy.digest(.sha256, of: next.span))]
            ])
    }

    @Test(
        "what happens to connections after the end of a pin set",
        arguments: [
            ("fail", PinSetContents.OnExpiry.fail), ("report", .report), ("unpinned", .unpinned),
        ])
    func onExpiry(_ word: String, _ expected: PinSetContents.OnExpiry) throws {
        let contents = try LoweringTests.lower([
            "policy.yaml": """
            hawser: 1
            default: { anchors: [system], pins: [api] }
            pins:
              api:
                keys: { one: { spki: \(FieldTests.one) } }
                backups: { two: { spki: \(FieldTests.two) } }
                enforce-until: 2027-01-31
                on-expiry: \(word)
            """
        ])
        let set = try #require(contents.pinSets.first)
        #expect(set.onExpiry == expected)
        #expect(set.enforceUntil == .init(text: "2027-01-31T23:59:59Z"))
    }

    @Test("sets come to groups on terms of their own, what includes them added")
    func groups() throws {
        let root = SketchedCertificate()
        let second = SketchedCertificate(subject: "Second", issuer: "Second", key: 11)
        let contents = try LoweringTests.lower(
            [
                "policy.yaml": """
                hawser: 1
                default: { anchors: [all] }
                anchors:
                  all:
                    include: [system, old, new]
                    exclude: { gone: { certificate-file: second.pem } }
                    constraints: { maximum-lifetime: 90d }
                  old:
                    files: [root.pem, second.pem]
                    ignore-limits: [dates]
                    intermediates: [issuing.der]
                    constraints:
                      permitted-names: ["**.old.example", "old.example"]
                      not-before: { until: 2025-12-31 }
                  new:
                    include: [more]
                    files: [root.pem]
                    standard: web-pki
                  more: { files: [root.pem], kind: leaf }
                """
            ],
            resources: [
                "root.pem": Array(root.pem.utf8), "second.pem": Array(second.pem.utf8),
                "issuing.der": KeyMaterialTests.issuing.der,
            ])
        var lifetime = AnchorConstraints()
        lifetime.maximumLifetime = 90 * 86_400
        var names = AnchorConstraints()
        names.permittedNames = [
            HostPattern(host: .anyLabels(base: "old.example"), port: nil),
            HostPattern(host: .name("old.example"), port: nil),
        ]
        names.notBefore = DateWindow(until: .init(text: "2025-12-31T23:59:59Z"))
        let gone = AnchorFilter(
            only: nil,
            exclude: [
                KeyMatch(
                    kind: .certificate, digest: ToyDigests().digest(.sha256, of: second.der.span))
            ])
        let all = try #require(contents.anchorSets.first { $0.id == "all" })
        #expect(
            all
                == AnchorSetContents(
                    id: "all",
                    groups: [
                        AnchorGroup(
                            source: .system, standard: .webPKI, constraints: [lifetime],
                            filters: [gone]),
                        AnchorGroup(
                            source: .members([root.der]), ignoredLimits: .dates,
                            constraints: [lifetime, names]),
                        AnchorGroup(
                            source: .members([root.der]), standard: .webPKI, constraints: [lifetime]
                        ),
                        AnchorGroup(
                            source: .members([root.der]), kind: .leaf, constraints: [lifetime]),
                    ],
                    intermediates: [KeyMaterialTests.issuing.der]))
        // A set that others include stays the same, and `system` is there only where a rule names
        // it.
        let old = try #require(contents.anchorSets.first { $0.id == "old" })
        #expect(
            old.groups == [
                AnchorGroup(
                    source: .members(
                        [root.der, second.der].sorted { $0.lexicographicallyPrecedes($1) }),
                    ignoredLimits: .dates, constraints: [names])
            ])
        #expect(contents.anchorSets.map(\.id) == ["all", "more", "new", "old"])
        let table = PolicyTable.encode(contents, provenance: nil, crypto: ToyDigests())
        #expect(table.contents() == contents)
    }

    @Test("pinned keys as anchors keep the certificates that carry them")
    func pinnedKeys() throws {
        let contents = try LoweringTests.lower(
            [
                "policy.yaml": """
                hawser: 1
                default: { anchors: [system], pins: [plain] }
                pins:
                  plain: &pins
                rules:
                  api: { hosts: ["api.example"], anchors: [pinned-keys], pins: [own] }
                """.replacing(
                    "  plain: &pins",
                    with: ["plain", "own"].map {
                        """
                          \($0):
                            keys: { now: { certificate-file: root.pem, at: ca } }
                            backups: { next: { spki-file: next.csr } }
                        """
                    }.joined(separator: "\n"))
            ],
            resources: [
                "root.pem": Array(KeyMaterialTests.root.pem.utf8),
                "next.csr": KeyMaterialTests.next.request,
            ])
        let body = try #require(contents.rules.first).body
        #expect(body.anchors.isEmpty && body.anchorsArePinnedKeys)
        #expect(contents.anchorSets.map(\.id) == ["system"])
        #expect(contents.pinSets.map(\.id) == ["own", "plain"])
        #expect(contents.pinSets[0].keys.map(\.certificates) == [[KeyMaterialTests.root.der]])
        #expect(contents.pinSets[0].backups.map(\.certificates) == [[]])
        #expect(contents.pinSets[1].keys.map(\.certificates) == [[]])
    }

    /// The same meaning in one file and in three, in another order and layout, in another folder.
    @Test("order, files and spelling have no meaning")
    func sameMeaning() throws {
        let pem = Array(KeyMaterialTests.root.pem.utf8)
        let one = try LoweringTests.lower(
            [
                "policy.yaml": """
                hawser: 1
                default: deny
                anchors: { corp: { files: [root.pem] } }
                profiles: { strict: { keys: { types: [p256, rsa] } } }
                rules:
                  a: { hosts: ["a.example", "10.0.0.1"], anchors: [corp, system], profile: strict }
                  b: { hosts: ["b.example"], anchors: [system] }
                """
            ], resources: ["root.pem": pem])
        let many = try LoweringTests.lower(
            [
                "policy.yaml": "hawser: 1\ndefault: deny\n",
                "x/b.policy.yaml": """
                hawser: 1
                rules:
                  b:
                    anchors:
                      - system
                    hosts:
                      - "B.example."
                profiles: { strict: { keys: { types: [rsa, p256] } } }
                """,
                "x/a.policy.yaml": """
                hawser: 1
                rules:
                  a: { anchors: [system, corp], profile: strict, hosts: ["10.0.0.1/32", "a.example"] }
                anchors: { corp: { files: [../certs/root.crt, ../certs/root.crt] } }
                """,
            ], resources: ["certs/root.crt": pem])
        #expect(one == many)
    }

    @Test("provenance cites every written part")
    func provenance() throws {
        let text =
            ExampleTests.startup + """
                profiles:
                  app: { keys: { rsa-minimum: 3072 }, report-only: { keys: { until: 2027-01-01 } } }
                  near: { extends: app }
                anchors:
                  corp:
                    include: [system]
                    exclude: { x: { spki: \(CheckTests.one) } }
                    constraints: { permitted-names: ["a.example"] }

                """
        let unit = MemoryUnit.unit(["policy.yaml": Array(text.utf8)])
        let policy = try #require(MemoryUnit.check(unit).policy)
        let table = CompilerPipeline.table(of: policy, crypto: ToyDigests())
        let provenance = try #require(table.provenance())
        let places = [
            "/default": "2:1", "/default/anchors": "3:12", "/pins/acme-api": "5:3",
            "/pins/acme-api/keys/issuing-2026": "7:29", "/pins/acme-api/backups/offline": "9:24",
            "/pins/acme-api/enforce-until": "11:20", "/rules/api": "13:3",
            "/rules/api/hosts/0": "14:13", "/rules/api/hosts/1": "14:33",
            "/rules/api/hosts/api.acme.example": "14:13",
            "/rules/api/hosts/**.api.acme.example": "14:33", "/rules/api/pins": "16:11",
            "/profiles/app/keys/rsa-minimum": "18:31",
            "/profiles/app/report-only/keys": "18:54", "/anchors/corp/include": "22:14",
            "/anchors/corp/exclude/x": "23:27", "/anchors/corp/constraints": "24:5",
            "/anchors/corp/constraints/permitted-names": "24:37",
        ]
        for (pointer, place) in places {
            #expect(
                provenance.locations[pointer]?.description == "policy.yaml:\(place)", "\(pointer)")
        }
        #expect(provenance.parents == ["near": "app"])
    }
}
