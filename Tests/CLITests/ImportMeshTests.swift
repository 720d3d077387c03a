import Foundation
import TestPKI
import Testing

/// `hawser import envoy`, `import backend-tls-policy` and `import spiffe`: the unit, the findings,
/// and files that are refused.
@Suite("hawser import envoy, backend-tls-policy and spiffe")
struct ImportMeshTests {
    private static let one = "teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="
    private static let two = "GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk="

    private static let envoy = """
        static_resources:
          listeners:
            - name: ingress
              filter_chains:
                - transport_socket:
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext
                      common_tls_context:
                        validation_context: { trusted_ca: { filename: /etc/acme/clients.pem } }
          clusters:
            - name: payments
              type: STRICT_DNS
              load_assignment:
                cluster_name: payments
                endpoints:
                  - lb_endpoints:
                      - endpoint: { address: { socket_address: { address: pay.acme.example, port_value: 8443 } } }
              transport_socket:
                name: envoy.transport_sockets.tls
                typed_config:
                  "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext
                  sni: pay.acme.example
                  common_tls_context:
                    tls_params: { tls_minimum_protocol_version: TLSv1_2, cipher_suites: [ECDHE-RSA-AES128-GCM-SHA256] }
                    validation_context:
                      trusted_ca: { filename: /etc/acme/root.pem }
                      verify_certificate_spki: ["\(one)", "\(two)"]
                      match_typed_subject_alt_names:
                        - { san_type: URI, matcher: { exact: "spiffe://acme.example/ns/pay/sa/api" } }
                        - { san_type: DNS, matcher: { suffix: .acme.example } }
            - name: search
              load_assignment:
                endpoints:
                  - lb_endpoints:
                      - endpoint: { address: { socket_address: { address: 10.0.0.7, port_value: 443 } } }
              transport_socket:
                typed_config:
                  "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext
            - name: partner
              load_assignment:
                endpoints:
                  - lb_endpoints:
                      - endpoint: { address: { socket_address: { address: api.partner.example, port_value: 443 } } }
              transport_socket:
                typed_config:
                  "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext
                  sni: api.partner.example
                  common_tls_context:
                    validation_context: { trusted_ca: { filename: /etc/ssl/certs/ca-certificates.crt } }
            - name: local
              load_assignment:
                endpoints:
                  - lb_endpoints:
                      - endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: 8080 } } }

        """

    private static let gateway = """
        apiVersion: gateway.networking.k8s.io/v1
        kind: BackendTLSPolicy
        metadata:
          name: ledger
          namespace: pay
          creationTimestamp: "2026-02-01T00:00:00Z"
        spec:
          targetRefs:
            - group: ""
              kind: Service
              name: ledger
          validation:
            hostname: ledger.acme.example
            caCertificateRefs:
              - group: ""
                kind: ConfigMap
                name: acme-root
            subjectAltNames:
              - type: URI
                uri: spiffe://acme.example/ns/pay/sa/ledger
        ---
        apiVersion: gateway.networking.k8s.io/v1
        kind: BackendTLSPolicy
        metadata:
          name: newer
          namespace: pay
          creationTimestamp: "2026-03-01T00:00:00Z"
        spec:
          targetRefs:
            - group: ""
              kind: Service
              name: ledger
          validation:
            hostname: ledger.acme.example
            wellKnownCACertificates: System

        """

    private static func exists(_ path: String, _ workshop: Workshop) -> Bool {
        FileManager.default.fileExists(atPath: workshop.folder.appending(path: path).path)
    }

    private static func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try FileManager.default.createDirectory(
            at: workshop.folder.appending(path: "certs"), withIntermediateDirectories: true)
        try workshop.write("envoy.yaml", envoy)
        try workshop.write("gateway.yaml", gateway)
        try workshop.write("certs/root.pem", Workshop.root.pem)
        try workshop.write("certs/acme-root.pem", Workshop.root.pem)
        try workshop.write(
            "bundle.json",
            """
            {
              "keys": [
                { "use": "x509-svid", "kty": "EC", "x5c": ["\(Data(Workshop.root.der).base64EncodedString())"] },
                { "use": "jwt-svid", "kty": "EC", "kid": "one" }
              ],
              "spiffe_sequence": 12,
              "spiffe_refresh_hint": 3600
            }

            """)
        return workshop
    }

    /// What an import prints, the policy that it writes, and what check, fmt and lint say of it.
    private static func page(
        _ words: [String], _ folder: String, _ workshop: Workshop
    ) throws -> String {
        let made = try workshop.run(words + ["-o", folder, "--at", "2026-06-01"])
        #expect(made.status == 1, "\(made.transcript)")
        var page = made.transcript + "\n--- \(folder)/policy.yaml\n"
        page += try String(
            contentsOf: workshop.folder.appending(path: "\(folder)/policy.yaml"), encoding: .utf8)
        page += "\n"
        for words in [
            ["check", folder], ["fmt", "--check", folder],
            ["lint", folder, "--at", "2026-06-01", "--format", "concise"],
        ] {
            let run = try workshop.run(words)
            page += run.transcript + "\n"
            if words[0] != "lint" { #expect(run.status == 0, "\(run.transcript)") }
        }
        return page
    }

    @Test("Envoy: the unit, its findings, and what check, fmt and lint say of it")
    func clusters() throws {
        let workshop = try Self.workshop()
        let page = try Self.page(
            ["import", "envoy", "envoy.yaml", "--certificates", "certs", "--owner", "mesh"], "mesh",
            workshop)
        #expect(Self.exists("mesh/anchors/root.pem", workshop))
        try expectGolden("import-envoy", transcript: page)
    }

    @Test("Gateway API: the unit, its findings, and what check, fmt and lint say of it")
    func policies() throws {
        let workshop = try Self.workshop()
        let page = try Self.page(
            [
                "import", "backend-tls-policy", "gateway.yaml", "--certificates", "certs",
                "--owner", "mesh",
            ], "mesh", workshop)
        try expectGolden("import-backend-tls-policy", transcript: page)
    }

    @Test("SPIFFE: the unit, its findings, and the day of renewal")
    func bundle() throws {
        let workshop = try Self.workshop()
        let words = [
            "import", "spiffe", "bundle.json", "--trust-domain", "acme.example", "--host",
            "*.mesh.example", "--owner", "mesh", "-o", "mesh", "--at", "2026-06-01",
        ]
        let made = try workshop.run(words)
        #expect(made.status == 0, "\(made.transcript)")
        #expect(made.output.contains("2026-06-01T01:00:00Z"), "\(made.transcript)")
        let policy = try String(
            contentsOf: workshop.folder.appending(path: "mesh/policy.yaml"), encoding: .utf8)
        let checked = try workshop.run("check", "mesh")
        #expect(checked.status == 0)
        #expect(try workshop.run("fmt", "--check", "mesh").status == 0)
        try expectGolden("import-spiffe", transcript: made.transcript + "\n" + policy)
        let refused = try workshop.run(
            "import", "spiffe", "bundle.json", "--trust-domain", "ACME", "-o", "other")
        #expect(refused.status == 2)
        #expect(refused.transcript.contains("--trust-domain"), "\(refused.transcript)")
    }

    @Test("files that are refused name the place, and nothing is written")
    func hostile() throws {
        let workshop = try Self.workshop()
        let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        let bomb = "a: &a [x, x, x, x]\nb: &b [*a, *a, *a, *a]\nc: [*b, *b, *b, *b]\n"
        let files: [(kind: String, text: String, status: Int32, words: String)] = [
            ("envoy", bomb, 1, "hostile-0:1:"), ("backend-tls-policy", bomb, 1, "anchor or alias"),
            ("envoy", "a: \u{0}\n", 1, "U+0000"), ("envoy", "a: \u{202E}\n", 1, "U+202E"),
            ("backend-tls-policy", "kind: \u{202E}\n", 1, "U+202E"),
            ("spiffe", "{ \"keys\": [\u{0}] }", 1, "HX101"),
            ("spiffe", "{ \"\u{202E}\": [] }", 1, "U+202E"),
            (
                "spiffe",
                "{ \"keys\": [ { \"use\": \"jwt-svid\", \"kid\": \"a\", \"d\": \"secret\" } ] }", 1,
                "private key"
            ),
            ("envoy", "static_resources: {}\n", 1, "no cluster"),
            ("backend-tls-policy", "kind: List\n", 1, "no `BackendTLSPolicy`"),
            ("envoy", String(repeating: " ", count: 50 << 20), 2, "bytes"),
        ]
        for (index, file) in files.enumerated() {
            let name = "hostile-\(index)"
            try workshop.write(name, file.text)
            let domain = file.kind == "spiffe" ? ["--trust-domain", "a.example"] : []
            let run = try workshop.run(["import", file.kind, name, "-o", "made"] + domain)
            #expect(run.status == file.status, "\(run.transcript.prefix(2_000))")
            #expect(run.transcript.contains(file.words), "\(run.transcript.prefix(2_000))")
            #expect(!Self.exists("made", workshop))
            #expect(!run.transcript.contains("\u{202E}"))
        }
        try workshop.write("certs/root.pem", Workshop.root.pem + key)
        let run = try workshop.run(
            "import", "envoy", "envoy.yaml", "--certificates", "certs", "-o", "made")
        #expect(run.status == 2)
        #expect(run.transcript.contains("private key"), "\(run.transcript)")
        #expect(!Self.exists("made", workshop))
    }

    @Test("certificates that are not given are an error, and the group lists the imports")
    func missing() throws {
        let workshop = try Self.workshop()
        let run = try workshop.run("import", "envoy", "envoy.yaml", "-o", "made")
        #expect(run.status == 1)
        #expect(run.output.contains("HX502"), "\(run.transcript)")
        #expect(!Self.exists("made", workshop))
        let group = try workshop.run("import")
        for word in ["envoy", "destination-rule", "backend-tls-policy", "spiffe"] {
            #expect(group.output.contains(word), "\(group.transcript)")
        }
        let rule = try workshop.run("rule", "HX503")
        #expect(rule.output.contains("trusted_ca"), "\(rule.transcript)")
    }

    @Test("commands that want a policy name the import of a file by its content")
    func hints() throws {
        let workshop = try Self.workshop()
        try workshop.write("istio.yml", "apiVersion: x\nkind: DestinationRule\n")
        try workshop.write("managed.json", "{ \"CACertificates\": [] }\n")
        for (words, hint) in [
            (["lint", "envoy.yaml"], "hawser import envoy envoy.yaml -o policy"),
            (["check", "gateway.yaml"], "hawser import backend-tls-policy gateway.yaml -o policy"),
            (
                ["lint", "bundle.json"],
                "hawser import spiffe bundle.json --trust-domain NAME -o policy"
            ),
            (["lint", "istio.yml"], "hawser import destination-rule istio.yml -o policy"),
            (["lint", "managed.json"], "hawser import chrome-enterprise managed.json -o policy"),
        ] {
            let run = try workshop.run(words)
            #expect(run.status == 2, "\(run.transcript)")
            #expect(run.transcript.contains(hint), "\(run.transcript)")
        }
        // A policy may have the same words in its comments and names.
        try workshop.write(
            "mesh.policy.yaml",
            "# kind: BackendTLSPolicy of static_resources\nhawser: 1\ndefault: deny\n")
        try workshop.write(
            "mesh.yaml", "# kind: BackendTLSPolicy of static_resources\nhawser: 1\ndefault: deny\n")
        for name in ["mesh.policy.yaml", "mesh.yaml"] {
            let run = try workshop.run("lint", name)
            #expect(!run.transcript.contains("hawser import"), "\(run.transcript)")
        }
    }

    private static let policy = """
        hawser: 1
        default: deny
        anchors:
          acme:
            files:
              - anchors/root.pem
        rules:
          ledger:
            hosts:
              - "ledger.pay.svc.cluster.local"
            anchors: [acme]
            identity: { reference: listed, uri: ["spiffe://acme.example/ns/pay/sa/ledger"] }
            owner: pay
          partner:
            hosts:
              - "api.partner.example:8443"
            anchors: [system]
            owner: pay

        """

    private static let exports = """
        hawser-exports: 1
        exports:
          clusters: { to: envoy, file: envoy-clusters.yaml }
          gateway: { to: backend-tls-policy, file: backend-tls.yaml }
          roots: { to: trust-manager, file: trust-bundle.yaml }
          cluster-roots: { to: cluster-trust-bundle, file: cluster-trust-bundle.yaml }

        """

    @Test("exports: each file, the check of it, and an edit by hand")
    func exported() throws {
        let workshop = try Workshop()
        try FileManager.default.createDirectory(
            at: workshop.folder.appending(path: "trust/anchors"), withIntermediateDirectories: true)
        try workshop.write("trust/policy.yaml", Self.policy)
        try workshop.write("trust/anchors/root.pem", Workshop.root.pem)
        try workshop.write("trust/exports.yaml", Self.exports)
        let made = try workshop.run("export", "--policy", "trust", "--at", "2026-06-01")
        #expect(made.status == 0, "\(made.transcript)")
        var page = made.transcript + "\n"
        for name in [
            "envoy-clusters", "backend-tls", "trust-bundle", "cluster-trust-bundle",
        ] {
            page += "--- \(name).yaml\n"
            page += try String(
                contentsOf: workshop.folder.appending(path: "trust/\(name).yaml"), encoding: .utf8)
        }
        let check = ["export", "--check", "--policy", "trust", "--at", "2026-06-01"]
        let same = try workshop.run(check)
        #expect(same.status == 0, "\(same.transcript)")
        let path = "trust/envoy-clusters.yaml"
        let text = try String(
            contentsOf: workshop.folder.appending(path: path), encoding: .utf8)
        try workshop.write(
            path, text.replacing("          auto_sni_san_validation: true\n", with: ""))
        let edited = try workshop.run(check)
        #expect(edited.status == 1, "\(edited.transcript)")
        #expect(edited.output.contains("api.partner.example"), "\(edited.transcript)")
        #expect(edited.output.contains("weaker"), "\(edited.transcript)")
        try expectGolden("export-mesh", transcript: page + "--- edited\n" + edited.transcript)
    }
}
