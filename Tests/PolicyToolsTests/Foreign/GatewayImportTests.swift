import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// `BackendTLSPolicy` objects: each rule of the model, what the policy has of it, and what the
/// findings say.
@Suite struct GatewayImportTests {
    static let root = EnvoyImportTests.root

    static func policy(
        named name: String = "api", target: String = "api", section: String? = nil,
        created: String? = nil, namespace: String? = nil,
        _ validation: String...
    ) -> String {
        var lines = [
            "---", "apiVersion: gateway.networking.k8s.io/v1", "kind: BackendTLSPolicy",
            "metadata:", "  name: \(name)",
        ]
        if let namespace { lines.append("  namespace: \(namespace)") }
        if let created { lines.append("  creationTimestamp: \"\(created)\"") }
        lines += [
            "spec:", "  targetRefs:", "    - group: \"\"", "      kind: Service",
            "      name: \(target)",
        ]
        if let section { lines.append("      sectionName: \(section)") }
        lines.append("  validation:")
        lines += validation.map { "    \($0)" }
        return lines.map { $0 + "\n" }.joined()
    }

    static let host = "hostname: api.mesh.example"
    static let system = "wellKnownCACertificates: System"
    static let map = "caCertificateRefs: [{ group: \"\", kind: ConfigMap, name: ca }]"

    static func config(_ pem: String, name: String = "ca", key: String = "ca.crt") -> String {
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: \(name) }\ndata:\n  \(key): |\n"
            + pem.split(separator: "\n").map { "    \($0)\n" }.joined()
    }

    static func service(_ name: String, _ ports: (String, Int)...) -> String {
        "---\napiVersion: v1\nkind: Service\nmetadata: { name: \(name) }\nspec:\n  ports:\n"
            + ports.map { "    - { name: \($0.0), port: \($0.1) }\n" }.joined()
    }

    private static func refusal(_ text: String) -> String? {
        if let refused = ForeignImports.refusal({ try ForeignImports.gateway(text) }) {
            return "\(refused.code) \(refused.2)"
        }
        let imported = try? ForeignImports.gateway(text)
        return imported?.findings.first { $0.severity == .error }.map {
            "\($0.code.rawValue) \($0.message)"
        }
    }

    @Test("the host name is the name that is checked, and system anchors are the system's")
    func hostname() throws {
        let imported = try ForeignImports.gateway(Self.policy(Self.host, Self.system))
        #expect(ForeignImports.codes(imported).isEmpty)
        let rule = imported.policy.rules[0]
        #expect(rule.hosts == ["api.default.svc.cluster.local"])
        #expect(rule.body.names?.dns == ["api.mesh.example"])
        #expect(rule.body.anchors == ["system"])
        #expect(imported.policy.defaultBody == nil)
        _ = try ForeignImports.table(imported)
    }

    @Test("subjectAltNames replace the host name, and one of them suffices")
    func alternativeNames() throws {
        let imported = try ForeignImports.gateway(
            Self.policy(
                Self.host, Self.system,
                "subjectAltNames: [{ type: URI, uri: \"spiffe://mesh.example/api\" }, "
                    + "{ type: Hostname, hostname: other.example }]"))
        #expect(ForeignImports.codes(imported).isEmpty)
        let names = try #require(imported.policy.rules[0].body.names)
        #expect(names.dns == ["other.example"])
        #expect(names.uri == ["spiffe://mesh.example/api"])
        _ = try ForeignImports.table(imported)
        let wild = try ForeignImports.gateway(
            Self.policy(
                Self.host, Self.system,
                "subjectAltNames: [{ type: Hostname, hostname: \"*.example\" }]"))
        #expect(ForeignImports.codes(wild) == ["HX505"])
        #expect(wild.policy.rules[0].body.anchors == ["nothing"])
    }

    @Test("a ConfigMap of the stream is an anchor set; a missing one is an error, or given outside")
    func bundles() throws {
        let policy = Self.policy(Self.host, Self.map)
        let imported = try ForeignImports.gateway(policy + Self.config(Self.root.pem))
        #expect(ForeignImports.codes(imported).isEmpty)
        #expect(imported.policy.anchorSets.map(\.kind.name) == ["root"])
        #expect(imported.files.map(\.certificates) == [[Self.root.der]])
        _ = try ForeignImports.table(imported)
        #expect(Self.refusal(policy)?.hasPrefix("HX502") == true)
        let outside = try ForeignImports.gateway(
            policy, bundles: ["default/ca": Self.root.pem])
        #expect(outside.policy.anchorSets == imported.policy.anchorSets)
    }

    @Test("invalid references: another kind, no `ca.crt`, no certificate, another set")
    func invalid() throws {
        for text in [
            Self.policy(
                Self.host, "caCertificateRefs: [{ group: invalid.io, kind: InvalidKind, name: x }]"),
            Self.policy(Self.host, Self.map) + Self.config(Self.root.pem, key: "tls.crt"),
            Self.policy(Self.host, Self.map) + Self.config("no certificate"),
            Self.policy(Self.host, "wellKnownCACertificates: mesh.example/roots"),
        ] {
            let imported = try ForeignImports.gateway(text)
            #expect(ForeignImports.codes(imported) == ["HX510"], "\(text)")
            #expect(imported.policy.rules[0].body.anchors == ["nothing"], "\(text)")
            _ = try ForeignImports.table(imported)
        }
        let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        let refused = Self.refusal(
            Self.policy(Self.host, Self.map) + Self.config(Self.root.pem + key))
        #expect(refused?.contains("private key") == true)
        // One valid reference of two is enough for an anchor.
        let partly = try ForeignImports.gateway(
            Self.policy(
                Self.host,
                "caCertificateRefs: [{ group: \"\", kind: ConfigMap, name: ca }, "
                    + "{ group: \"\", kind: Secret, name: ca }]") + Self.config(Self.root.pem))
        #expect(ForeignImports.codes(partly) == ["HX510"])
        #expect(partly.policy.rules[0].body.anchors == ["ca"])
    }

    // MARK: Precedence

    @Test("of two policies of one target the older decides, then the first by its name")
    func precedence() throws {
        func names(_ first: String?, _ second: String?) throws -> [String] {
            let imported = try ForeignImports.gateway(
                Self.policy(named: "b", created: first, Self.host, Self.system)
                    + Self.policy(named: "a", created: second, "hostname: a.example", Self.system))
            #expect(ForeignImports.codes(imported) == ["HX508"])
            return imported.policy.rules.map(\.id)
        }
        #expect(try names("2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z") == ["b"])
        #expect(try names("2026-01-01T00:00:02Z", "2026-01-01T00:00:01Z") == ["a"])
        #expect(try names("2026-01-01T00:00:01Z", "2026-01-01T00:00:01Z") == ["a"])
        #expect(try names(nil, nil) == ["a"])
        #expect(try names("2026-01-01T00:00:01Z", nil) == ["b"])
        #expect(try names(nil, "2026-01-01T00:00:01Z") == ["a"])
    }

    @Test("a policy for a port does not conflict with one for the service, and decides its port")
    func sections() throws {
        let imported = try ForeignImports.gateway(
            Self.policy(named: "port", section: "https", "hostname: port.example", Self.system)
                + Self.policy(named: "whole", "hostname: whole.example", Self.system)
                + Self.service("api", ("https", 443), ("other", 8443)))
        #expect(ForeignImports.codes(imported).isEmpty)
        #expect(
            imported.policy.rules.map(\.hosts) == [
                ["api.default.svc.cluster.local:443"], ["api.default.svc.cluster.local"],
            ])
        _ = try ForeignImports.table(imported)
        let unknown = try ForeignImports.gateway(
            Self.policy(section: "https", Self.host, Self.system))
        #expect(ForeignImports.codes(unknown) == ["HX507"])
        #expect(unknown.policy.rules.isEmpty)
        let absent = try ForeignImports.gateway(
            Self.policy(section: "none", Self.host, Self.system)
                + Self.service("api", ("https", 443)))
        #expect(ForeignImports.codes(absent) == ["HX507"])
    }

    @Test("a service of the type ExternalName stands for the name that it is an alias of")
    func externalName() throws {
        let alias =
            "---\napiVersion: v1\nkind: Service\nmetadata: { name: api }\nspec:\n"
            + "  type: ExternalName\n  externalName: api.mesh.example\n"
        let imported = try ForeignImports.gateway(Self.policy(Self.host, Self.system) + alias)
        #expect(imported.policy.rules.map(\.hosts) == [["api.mesh.example"]])
        #expect(imported.policy.rules[0].body.names == nil)
    }

    // MARK: Schema

    @Test("the modes of GEP-4152, which are provisional")
    func modes() throws {
        let names = try ForeignImports.gateway(
            Self.policy(Self.host, Self.system, "mode: InsecureSkipSANVerification"))
        #expect(ForeignImports.codes(names) == ["HX504", "HX514"])
        #expect(names.policy.rules[0].body.waivers.map(\.check) == [.identity])
        let all = try ForeignImports.gateway(
            Self.policy(Self.host, "mode: InsecureSkipVerification"))
        #expect(ForeignImports.codes(all) == ["HX503", "HX514"])
        #expect(all.policy.rules[0].body.waivers.map(\.check) == [.identity, .path, .expired])
        _ = try ForeignImports.table(all)
        for (mode, more, words) in [
            ("InsecureSkipVerification", Self.system, "no CA certificates"),
            (
                "InsecureSkipSANVerification",
                "subjectAltNames: [{ type: Hostname, hostname: a.example }]",
                "no `subjectAltNames`"
            ),
            ("Lax", Self.system, "`mode` takes"),
        ] {
            let text = Self.policy(Self.host, "mode: \(mode)", more)
            #expect(Self.refusal(text)?.contains(words) == true, "\(Self.refusal(text) ?? "")")
        }
    }

    @Test("what the CRD's schema and rules refuse is refused")
    func schema() throws {
        let rows: [(validation: [String], words: String)] = [
            ([Self.host, Self.system, Self.map], "must not contain both"),
            ([Self.host], "must specify either"),
            ([Self.system], "`hostname` is required"),
            (["hostname: API.example", Self.system], "`hostname` does not have the form"),
            (["hostname: \"*.example\"", Self.system], "`hostname` does not have the form"),
            ([Self.host, "wellKnownCACertificates: Mozilla"], "`wellKnownCACertificates`"),
            (
                [Self.host, Self.system, "subjectAltNames: [{ type: Hostname }]"],
                "must contain Hostname, if Type is set to Hostname"
            ),
            (
                [
                    Self.host, Self.system,
                    "subjectAltNames: [{ type: URI, uri: \"a://b\", hostname: c }]",
                ], "must not contain Hostname, if Type is not set to Hostname"
            ),
            ([Self.host, Self.system, "subjectAltNames: [{ type: URI }]"], "must contain URI"),
            (
                [
                    Self.host, Self.system,
                    "subjectAltNames: [{ type: Hostname, hostname: a, uri: \"a://b\" }]",
                ], "must not contain URI"
            ),
            ([Self.host, Self.system, "subjectAltNames: [{ type: IP, ip: x }]"], "`type` takes"),
            (
                [Self.host, Self.system, "subjectAltNames: [{ type: URI, uri: \"urn:x\" }]"],
                "`uri` does not have the form"
            ),
            (
                [
                    Self.host, Self.system,
                    "subjectAltNames: ["
                        + (1...6).map { "{ type: Hostname, hostname: a\($0) }" }
                        .joined(separator: ", ") + "]",
                ], "at most 5"
            ),
            ([Self.host, "caCertificateRefs: [{ kind: ConfigMap, name: x }]"], "needs `group`"),
            ([Self.host, "trustedCertificateHashes: [x]"], "GEP-4152"),
            (["hostname: 123", Self.system], "`hostname` takes a text"),
            (["hostname: 1e5", Self.system], "`hostname` takes a text"),
            (["hostname: on", Self.system], "`hostname` takes a text"),
            (
                [Self.host, "caCertificateRefs: [{ group: \"\", kind: ConfigMap, name: \"\" }]"],
                "`name` does not have the form"
            ),
        ]
        for row in rows {
            let text =
                Self.policy() + row.validation.map { "    \($0)\n" }.joined()
            let refused = Self.refusal(text)
            #expect(refused?.hasPrefix("HX501") == true, "\(row.validation)")
            #expect(refused?.contains(row.words) == true, "\(refused ?? "") \(row.validation)")
        }
        let twice = Self.policy(Self.host, Self.system).replacing(
            "  validation:", with: "    - { group: \"\", kind: Service, name: api }\n  validation:")
        #expect(Self.refusal(twice)?.contains("sectionName must be unique") == true)
        let mixed = Self.policy(Self.host, Self.system).replacing(
            "  validation:",
            with: "    - { group: \"\", kind: Service, name: api, sectionName: x }\n  validation:")
        #expect(Self.refusal(mixed)?.contains("sectionName must be specified") == true)
        let nameless = Self.policy(target: "\"\"", Self.host, Self.system)
        #expect(Self.refusal(nameless)?.contains("`name` does not have the form") == true)
        let later = Self.policy(Self.host, Self.system).replacing("k8s.io/v1", with: "k8s.io/v9")
        #expect(Self.refusal(later)?.contains("no version `gateway.networking.k8s.io/v9`") == true)
        for (options, words) in [
            ("deep", "`options` takes a map"),
            ("{ mesh.example/depth: 3 }", "`options.mesh.example/depth` takes a text"),
            (
                "{ mesh.example/depth: \"\(String(repeating: "a", count: 4097))\" }",
                "`options.mesh.example/depth` does not have the form"
            ),
        ] {
            let text = Self.policy(Self.host, Self.system) + "  options: \(options)\n"
            #expect(Self.refusal(text)?.contains(words) == true, "\(Self.refusal(text) ?? "")")
        }
    }

    @Test("words that YAML reads as numbers or as true or false are texts only in quotes")
    func words() throws {
        for word in [
            "123", "0x1f", "0b1", "0o7", "017", "089", "1_000", "1e5", "1.5e-3", "1.", "y", "No",
            "TRUE", "off",
        ] {
            let plain = Self.policy(named: word, Self.host, Self.system)
            #expect(Self.refusal(plain)?.contains("`name` takes a text") == true, "\(word)")
            let quoted = Self.policy(named: "\"\(word)\"", Self.host, Self.system)
            #expect(Self.refusal(quoted) == nil, "\(word)")
        }
        let objects = [
            Self.service("api", ("80", 80)),
            Self.config("1", key: "ca.crt").replacing("|\n    ", with: ""),
            "---\napiVersion: v1\nkind: Service\nmetadata: { name: api }\nspec:\n"
                + "  type: ExternalName\n  externalName: 123\n",
        ]
        for (object, field) in zip(objects, ["name", "ca.crt", "externalName"]) {
            let refused = Self.refusal(Self.policy(Self.host, Self.system) + object)
            #expect(refused?.contains("`\(field)` takes a text") == true, "\(refused ?? object)")
        }
        let quoted = Self.service("api", ("https", 80)).replacing("80", with: "\"80\"")
        let refused = Self.refusal(Self.policy(Self.host, Self.system) + quoted)
        #expect(refused?.contains("`port` takes a number") == true, "\(refused ?? quoted)")
        for word in ["on", "true", "null"] {
            let imported = try ForeignImports.gateway(
                Self.policy("hostname: \"\(word)\"", Self.system))
            #expect(imported.policy.rules[0].body.names?.dns == [word])
            _ = try ForeignImports.table(imported)
        }
        for word in ["1-2", "0x", "0xg", "1e", "e5", "1.2.3", "yEs", "nan", "inf", "2026-01-31"] {
            let plain = Self.policy(named: word, Self.host, Self.system)
            #expect(Self.refusal(plain) == nil, "\(word)")
        }
    }

    @Test("other targets, options and unknown fields are findings")
    func others() throws {
        let backend = try ForeignImports.gateway(
            Self.policy(Self.host, Self.system).replacing("kind: Service", with: "kind: Backend"))
        #expect(ForeignImports.codes(backend) == ["HX507"])
        let options = try ForeignImports.gateway(
            Self.policy(Self.host, Self.system)
                + "  options: { mesh.example/minimum: \"1.3\" }\n")
        #expect(ForeignImports.codes(options) == ["HX506"])
        let unknown = try ForeignImports.gateway(
            Self.policy(Self.host, Self.system, "hostName: x"))
        #expect(ForeignImports.codes(unknown) == ["HX201"])
    }
}
