import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Clusters of Envoy: each rule of the model, what the policy has of it, and what the findings say.
@Suite struct EnvoyImportTests {
    static let one = Base64.encode([UInt8](repeating: 0x11, count: 32))
    static let two = Base64.encode([UInt8](repeating: 0x22, count: 32))
    static let hash = String(repeating: "ab", count: 32)
    static let pki = Scenario()
    static let root = pki.root("Mesh Root", key: .p256("mesh-root"))
    static let issuing = root.issueCA("Mesh Issuing", key: .p256("mesh-issuing"))

    static let system = "trusted_ca: { filename: /etc/ssl/certs/ca-certificates.crt }"

    static func sans(_ matchers: String...) -> String {
        "match_typed_subject_alt_names: [\(matchers.joined(separator: ", "))]"
    }

    static func san(_ kind: String, _ way: String, _ text: String) -> String {
        "{ san_type: \(kind), matcher: { \(way): \"\(text)\" } }"
    }

    /// A cluster with one endpoint.
    static func cluster(
        _ name: String = "api", address: String? = "api.mesh.example", port: Int = 443,
        sni: String? = "api.mesh.example", context: String = "", common: String = "",
        validation: [String]? = nil
    ) -> String {
        var lines = ["- name: \(name)", "  connect_timeout: 1s"]
        if let address {
            lines += [
                "  load_assignment:", "    endpoints:", "      - lb_endpoints:",
                "          - endpoint: { address: { socket_address: { address: \"\(address)\", "
                    + "port_value: \(port) } } }",
            ]
        }
        lines += [
            "  transport_socket:", "    name: envoy.transport_sockets.tls", "    typed_config:",
            "      \"@type\": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3"
                + ".UpstreamTlsContext",
        ]
        if let sni { lines.append("      sni: \(sni)") }
        if !context.isEmpty { lines.append("      \(context)") }
        if !common.isEmpty || validation != nil { lines.append("      common_tls_context:") }
        if !common.isEmpty { lines.append("        \(common)") }
        if let validation {
            lines.append(
                validation.isEmpty
                    ? "        validation_context: {}" : "        validation_context:"
            )
            lines += validation.map { "          \($0)" }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func behaviour(
        _ text: String, _ host: String = "api.mesh.example", port: Int = 443
    ) throws -> EnvoyModel.Behaviour? {
        try EnvoyModel(EnvoyReader.read(Array(text.utf8))).behaviour(of: host, port: port)
    }

    private static func refusal(
        _ text: String
    ) -> (code: String, at: Int, message: String)? {
        if let refused = ForeignImports.refusal({ try ForeignImports.envoy(text) }) {
            return (refused.code, refused.at, refused.2)
        }
        guard let imported = try? ForeignImports.envoy(text),
            let error = imported.findings.first(where: { $0.severity == .error })
        else { return nil }
        return (error.code.rawValue, Int(error.primary.span.start), error.message)
    }

    // MARK: Trust

    @Test("without a CA nothing is verified, and the policy waives what Envoy does not check")
    func noAuthority() throws {
        for validation in [nil, [String]()] {
            let text = Self.cluster(validation: validation)
            let found = try #require(try Self.behaviour(text))
            guard case .anything = found.trust else {
                Issue.record("verified")
                continue
            }
            let imported = try ForeignImports.envoy(text)
            #expect(ForeignImports.codes(imported) == ["HX503"])
            let body = imported.policy.rules[0].body
            #expect(body.waivers.map(\.check) == [.identity, .path, .expired])
            #expect(body.anchors == ["system"])
            _ = try ForeignImports.table(imported)
        }
    }

    @Test("ACCEPT_UNTRUSTED permits what names, pins and the CA refuse")
    func acceptUntrusted() throws {
        let text = Self.cluster(validation: [
            Self.system, Self.sans(Self.san("DNS", "exact", "api.mesh.example")),
            "verify_certificate_spki: [\"\(Self.one)\"]",
            "trust_chain_verification: ACCEPT_UNTRUSTED",
        ])
        let imported = try ForeignImports.envoy(text)
        #expect(ForeignImports.codes(imported) == ["HX503"])
        #expect(imported.policy.pinSets.isEmpty)
        #expect(imported.policy.rules[0].body.waivers.map(\.check) == [.identity, .path, .expired])
    }

    @Test("the system's bundle is `system`; another file needs its certificates")
    func files() throws {
        let own = Self.cluster(validation: [
            "trusted_ca: { filename: /etc/mesh/root.pem }",
            Self.sans(Self.san("DNS", "exact", "api.mesh.example")),
        ])
        #expect(Self.refusal(own)?.code == "HX502")
        let imported = try ForeignImports.envoy(
            own, certificates: ["/etc/mesh/root.pem": [try Self.root.certificate.parsed()]])
        #expect(ForeignImports.codes(imported).isEmpty)
        #expect(imported.policy.anchorSets.map(\.kind.name) == ["root"])
        #expect(imported.policy.anchorSets.map(\.id) == ["root"])
        _ = try ForeignImports.table(imported)
        let system = try ForeignImports.envoy(
            Self.cluster(validation: [
                Self.system, Self.sans(Self.san("DNS", "exact", "api.mesh.example")),
            ]))
        #expect(ForeignImports.codes(system).isEmpty)
        #expect(system.policy.rules[0].body.anchors == ["system"])
        #expect(system.policy.rules[0].body.names == nil)
    }

    @Test("inline certificates: each kind is a set, and an intermediate is an anchor of its own")
    func inline() throws {
        let pem = Self.root.pem + Self.issuing.pem
        let text = Self.cluster(validation: [
            "trusted_ca: { inline_bytes: \"\(Base64.encode(Array(pem.utf8)))\" }",
            Self.sans(Self.san("DNS", "exact", "api.mesh.example")),
        ])
        let imported = try ForeignImports.envoy(text)
        #expect(imported.policy.anchorSets.map(\.kind.name) == ["root", "intermediate"])
        #expect(imported.files.map(\.certificates.count) == [1, 1])
        _ = try ForeignImports.table(imported)
    }

    @Test("a private key among the certificates is refused, and nothing of it is kept")
    func privateKey() throws {
        let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        let text = Self.cluster(validation: [
            "trusted_ca: { inline_bytes: \"\(Base64.encode(Array((Self.root.pem + key).utf8)))\" }"
        ])
        #expect(Self.refusal(text)?.code == "HX501")
        let imported = try ForeignImports.envoy(text)
        #expect(imported.files.isEmpty)
    }

    @Test("an unreadable CA and what Envoy refuses without a CA are refused with their places")
    func refusals() throws {
        let name = Self.sans(Self.san("DNS", "exact", "api.mesh.example"))
        for (validation, words) in [
            (["trusted_ca: { inline_string: \"cert-data\" }"], "cannot load"),
            ([name], "without `trusted_ca`"),
            (["allow_expired_certificate: true"], "without `trusted_ca`"),
            (["crl: { inline_string: x }"], "CRL without"),
            (["trusted_cas: { filename: x }"], "has no field `trusted_cas`"),
            ([Self.system, "verify_certificate_spki: [Zm9v]"], "44 characters"),
            ([Self.system, "verify_certificate_hash: [abc]"], "hexadecimal"),
            ([Self.system, "trust_chain_verification: NONE"], "takes `VERIFY_TRUST_CHAIN`"),
            ([Self.system, Self.sans(Self.san("CN", "exact", "x"))], "`san_type` takes"),
            (["ca_certificate_provider_instance: {}"], "plugin"),
            (["trusted_ca: { environment_variable: CA }"], "environment variable"),
            (["allow_expired_certificate: maybe"], "takes `true` or `false`"),
        ] {
            let text = Self.cluster(validation: validation)
            let refused = try #require(Self.refusal(text), "\(validation)")
            #expect(["HX501", "HX502"].contains(refused.code), "\(validation)")
            #expect(refused.message.contains(words), "\(refused.message)")
            #expect(refused.at > 0, "\(validation)")
        }
        let auto = Self.cluster(
            context: "auto_sni_san_validation: true",
            validation: ["verify_certificate_spki: [\"\(Self.one)\"]"])
        #expect(Self.refusal(auto)?.message.contains("auto_sni_san_validation") == true)
        let old = "- name: a\n  tls_context: { sni: a.example }\n"
        #expect(Self.refusal(old)?.message.contains("version 2") == true)
        #expect(Self.refusal("- a: b\n")?.message.contains("no cluster") == true)
    }

    // MARK: Names

    @Test("a CA without names checks no name, unless the server name takes their place")
    func names() throws {
        let none = try ForeignImports.envoy(Self.cluster(validation: [Self.system]))
        #expect(ForeignImports.codes(none) == ["HX504"])
        #expect(none.policy.rules[0].body.waivers.map(\.check) == [.identity])
        let auto = try ForeignImports.envoy(
            Self.cluster(context: "auto_sni_san_validation: true", validation: [Self.system]))
        #expect(ForeignImports.codes(auto).isEmpty)
        #expect(auto.policy.rules[0].body.waivers.isEmpty)
        // The server name replaces the names that are written.
        let replaced = try ForeignImports.envoy(
            Self.cluster(
                context: "auto_sni_san_validation: true",
                validation: [Self.system, Self.sans(Self.san("DNS", "exact", "other.example"))]))
        #expect(replaced.policy.rules[0].body.names == nil)
        #expect(ForeignImports.codes(replaced).isEmpty)
        // Without a server name nothing replaces them, and the file does not say whether one is
        // sent.
        let unknown = try ForeignImports.envoy(
            Self.cluster(
                sni: nil, context: "auto_sni_san_validation: true", validation: [Self.system]))
        #expect(ForeignImports.codes(unknown) == ["HX504"])
        let host = try ForeignImports.envoy(
            Self.cluster(
                sni: nil, context: "auto_sni_san_validation: true\n      auto_host_sni: true",
                validation: [Self.system]))
        #expect(ForeignImports.codes(host).isEmpty)
    }

    @Test("one of the listed names suffices; ways without words are left out")
    func listed() throws {
        let imported = try ForeignImports.envoy(
            Self.cluster(validation: [
                Self.system,
                Self.sans(
                    Self.san("DNS", "exact", "b.mesh.example"),
                    Self.san("URI", "exact", "spiffe://mesh.example/ns/pay/sa/api"),
                    Self.san("URI", "prefix", "spiffe://mesh.example/ns/web/"),
                    Self.san("IP_ADDRESS", "exact", "10.0.0.1"),
                    Self.san("EMAIL", "exact", "ops@mesh.example"),
                    Self.san("IP_ADDRESS", "prefix", "192.168."),
                    Self.san("DNS", "suffix", ".mesh.example"),
                    "{ san_type: OTHER_NAME, oid: 1.2.3, matcher: { exact: x } }",
                    "{ san_type: DNS, matcher: { safe_regex: { regex: \"a.*\" } } }"),
            ]))
        #expect(
            ForeignImports.codes(imported) == ["HX505", "HX505", "HX505", "HX505"],
            "\(imported.findings.map(\.message))")
        let names = try #require(imported.policy.rules[0].body.names)
        #expect(names.dns == ["b.mesh.example"])
        #expect(
            names.uri == ["spiffe://mesh.example/ns/pay/sa/api", "spiffe://mesh.example/ns/web/**"])
        #expect(names.ip == ["10.0.0.1"])
        #expect(names.email == ["ops@mesh.example"])
        _ = try ForeignImports.table(imported)
    }

    @Test("nothing is accepted where every matcher is left out")
    func nothingLeft() throws {
        let imported = try ForeignImports.envoy(
            Self.cluster(validation: [
                Self.system, Self.sans(Self.san("DNS", "suffix", ".mesh.example")),
            ]))
        #expect(ForeignImports.codes(imported) == ["HX505"])
        #expect(imported.policy.rules[0].body.anchors == ["nothing"])
        _ = try ForeignImports.table(imported)
    }

    // MARK: Pins

    @Test("hashes are of the leaf, and one of both lists suffices")
    func pins() throws {
        let imported = try ForeignImports.envoy(
            Self.cluster(validation: [
                Self.system, Self.sans(Self.san("DNS", "exact", "api.mesh.example")),
                "verify_certificate_spki: [\"\(Self.one)\"]",
                "verify_certificate_hash: [\"\(Self.hash)\"]",
            ]))
        #expect(ForeignImports.codes(imported).isEmpty)
        let set = try #require(imported.policy.pinSets.first)
        #expect(imported.policy.pinSets.count == 1)
        #expect(set.pins.map(\.digest) == [Self.one, Self.hash])
        #expect(set.pins.map(\.at) == ["leaf", "leaf"])
        #expect(set.pins.map(\.isOfCertificate) == [false, true])
        _ = try ForeignImports.table(imported)
    }

    @Test("pins without a CA: the pinned leaf is the anchor, and neither name nor date is checked")
    func pinsOnly() throws {
        let colons = stride(from: 0, to: 64, by: 2).map { _ in "AB" }.joined(separator: ":")
        let imported = try ForeignImports.envoy(
            Self.cluster(validation: ["verify_certificate_hash: [\"\(colons)\"]"]))
        #expect(ForeignImports.codes(imported) == ["HX504", "HX309"])
        let body = imported.policy.rules[0].body
        #expect(body.anchors == ["pinned-keys"])
        #expect(body.waivers.map(\.check) == [.identity, .expired])
        #expect(imported.policy.pinSets[0].pins.map(\.digest) == [Self.hash])
        _ = try ForeignImports.table(imported)
    }

    // MARK: TLS

    @Test("versions: a lower floor is a waiver, and a ceiling is a demand")
    func versions() throws {
        let validation = [Self.system, Self.sans(Self.san("DNS", "exact", "api.mesh.example"))]
        func body(_ parameters: String) throws -> (WrittenPolicy.Body, [String]) {
            let imported = try ForeignImports.envoy(
                Self.cluster(common: "tls_params: { \(parameters) }", validation: validation))
            _ = try ForeignImports.table(imported)
            return (imported.policy.rules[0].body, ForeignImports.codes(imported))
        }
        let old = try body("tls_minimum_protocol_version: TLSv1_0")
        #expect(old.0.waivedTLS == "tls1.0")
        #expect(old.1 == ["HX305"])
        let new = try body("tls_minimum_protocol_version: TLSv1_3")
        #expect(new.0.needsTLS13)
        let capped = try body("tls_maximum_protocol_version: TLSv1_2")
        #expect(capped.0.refusesTLS13)
        #expect(!new.0.refusesTLS13)
        #expect(try body("tls_minimum_protocol_version: TLS_AUTO").1.isEmpty)
        let suites = try body("cipher_suites: [ECDHE-RSA-AES128-GCM-SHA256]")
        #expect(
            suites.0.cipherSuites == [
                "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256",
                "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256",
            ])
        let both = try body(
            "cipher_suites: [\"[ECDHE-RSA-AES128-GCM-SHA256|ECDHE-RSA-CHACHA20-POLY1305]\"], "
                + "tls_maximum_protocol_version: TLSv1_2")
        #expect(both.0.cipherSuites.count == 2)
        #expect(try body("cipher_suites: [HIGH]").1 == ["HX506"])
        #expect(try body("ecdh_curves: [X25519]").1 == ["HX506"])
    }

    // MARK: Hosts

    @Test(
        "the server name decides; without one the endpoints do; a cluster without hosts is left out"
    )
    func hosts() throws {
        let validation = [Self.system]
        let patterns = try ForeignImports.envoy(
            Self.cluster("a", address: "10.0.0.1", port: 8443, validation: validation)
                + Self.cluster(
                    "b", address: "10.0.0.2", port: 8443, sni: nil, validation: validation)
                + Self.cluster("c", address: nil, validation: validation)
                + Self.cluster("d", address: nil, sni: nil, validation: validation)
                + Self.cluster(
                    "e", address: "2001:db8::1", port: 443, sni: nil, validation: validation))
        #expect(
            patterns.policy.rules.map(\.hosts) == [
                ["api.mesh.example:8443"], ["10.0.0.2:8443"], ["api.mesh.example"],
                ["[2001:db8::1]:443"],
            ])
        #expect(ForeignImports.codes(patterns).contains("HX507"))
        #expect(patterns.policy.defaultBody == nil)
        _ = try ForeignImports.table(patterns)
    }

    @Test("of two clusters for one host the policy has the first, and says so")
    func sameHosts() throws {
        let both = try ForeignImports.envoy(
            Self.cluster("a", validation: [Self.system]) + Self.cluster("b", validation: []))
        #expect(ForeignImports.codes(both) == ["HX504", "HX503", "HX508"])
        #expect(both.policy.rules.map(\.id) == ["a"])
        let equal = try ForeignImports.envoy(
            Self.cluster("a", validation: [Self.system])
                + Self.cluster("b", validation: [Self.system]))
        #expect(!ForeignImports.codes(equal).contains("HX508"))
    }

    @Test("a secret is merged: its fields replace, its lists are joined")
    func secrets() throws {
        let text =
            Self.cluster(
                common: "combined_validation_context: { default_validation_context: { "
                    + Self.sans(Self.san("DNS", "exact", "a.mesh.example"))
                    + " }, validation_context_sds_secret_config: { name: ca } }")
                + """
                - name: ca
                  validation_context:
                    trusted_ca: { inline_string: "\(Self.root.pem.replacing("\n", with: "\\n"))" }
                    match_typed_subject_alt_names: [\(Self.san("DNS", "exact", "b.mesh.example"))]

                """
        let imported = try ForeignImports.envoy(text)
        #expect(ForeignImports.codes(imported).isEmpty)
        #expect(
            imported.policy.rules[0].body.names?.dns == ["a.mesh.example", "b.mesh.example"])
        #expect(imported.policy.anchorSets.count == 1)
        let missing = Self.cluster(common: "validation_context_sds_secret_config: { name: ca }")
        #expect(Self.refusal(missing)?.code == "HX502")
    }

    @Test("an endpoint uses the first socket whose labels it has")
    func sockets() throws {
        let tls =
            "{ typed_config: { \"@type\": a.UpstreamTlsContext, sni: a.mesh.example, "
            + "common_tls_context: { validation_context: { \(Self.system) } } } }"
        let text = """
            - name: api
              transport_socket_matches:
                - { name: tls, match: { tls: "true" }, transport_socket: \(tls) }
              load_assignment:
                endpoints:
                  - lb_endpoints:
                      - endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 443 } } }
                        metadata: { filter_metadata: { envoy.transport_socket_match: { tls: "true" } } }
                      - endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } }

            """
        let imported = try ForeignImports.envoy(text)
        #expect(imported.policy.rules.map(\.hosts) == [["a.mesh.example:443"]])
        #expect(ForeignImports.codes(imported).contains("HX515"))
        #expect(try Self.behaviour(text, "a.mesh.example", port: 80) == nil)
        #expect(try Self.behaviour(text, "a.mesh.example", port: 443) != nil)
        // A socket without labels fits every endpoint, and takes those that no earlier one fits.
        let both = text.replacing(
            "  load_assignment:",
            with: "    - { name: rest, match: {}, transport_socket: "
                + "\(tls.replacing("a.mesh", with: "b.mesh")) }\n  load_assignment:")
        #expect(
            try ForeignImports.envoy(both).policy.rules.map(\.hosts) == [
                ["a.mesh.example:443"], ["b.mesh.example:80"],
            ])
    }

    // MARK: Bounds

    @Test(
        "anchors, aliases, tags, bombs, hidden characters and depth are refused with their places")
    func bounds() {
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        for (text, words) in [
            ("- &a {}\n- *a\n", "anchor or alias"), ("- *a\n", "anchor or alias"),
            ("a: !!binary x\n", "tag"), ("<<: {}\n", "merge key"),
            ("a: 1\na: 2\n", "stands twice"), ("a: \u{0}\n", "U+0000"),
            ("a: \u{202E}b\n", "U+202E"), ("a: [\n", "cannot be read as YAML"),
            (deep, "inside each other"), ("a\u{FF}: [", "cannot be read as YAML"),
            (String(repeating: "- a\n", count: 100_001), "values"),
            ("? [a]\n: b\n", "stands as a key"),
        ] {
            let refused = ForeignImports.refusal { try ForeignImports.envoy(text) }
            #expect(refused?.code == "HX101", "\(text.prefix(40))")
            #expect(refused?.2.contains(words) == true, "\(refused?.2 ?? "") \(text.prefix(40))")
        }
    }
}
