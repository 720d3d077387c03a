import Foundation
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// `DestinationRule` objects of Istio: the demands of each level, and the policy of them.
@Suite struct IstioImportTests {
    private static func imported(
        _ text: String, certificates: [String: [Certificate]] = [:]
    ) throws -> ForeignImport {
        let source = SourceFile(path: "rule.yaml", bytes: Array(text.utf8))
        return IstioImport.policy(
            of: try IstioFile.read(source.bytes), source: source, certificates: certificates,
            owner: "mesh")
    }

    private static func rule(
        _ host: String, tls: String? = nil, ports: [(Int, String)] = [], more: String = ""
    ) -> String {
        var lines = [
            "apiVersion: networking.istio.io/v1", "kind: DestinationRule",
            "metadata: { name: db, namespace: pay }", "spec:", "  host: \"\(host)\"",
        ]
        if !more.isEmpty { lines.append("  \(more)") }
        lines.append("  trafficPolicy:")
        if let tls { lines.append("    tls: { \(tls) }") }
        if !ports.isEmpty { lines.append("    portLevelSettings:") }
        for (port, tls) in ports {
            lines += ["      - port: { number: \(port) }", "        tls: { \(tls) }"]
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static let system = "mode: SIMPLE, caCertificates: system"

    @Test("without CA certificates nothing is verified, at the destination and at a port")
    func unverified() throws {
        let imported = try Self.imported(
            Self.rule("db", tls: "mode: SIMPLE", ports: [(443, "mode: MUTUAL")]))
        #expect(ForeignImports.codes(imported) == ["HX503", "HX503"])
        #expect(
            imported.policy.rules.map(\.hosts) == [
                ["db.pay.svc.cluster.local"], ["db.pay.svc.cluster.local:443"],
            ])
        #expect(
            imported.policy.rules.allSatisfy {
                $0.body.waivers.map(\.check) == [.identity, .path, .expired]
            })
        _ = try ForeignImports.table(imported)
        let skipped = try Self.imported(
            Self.rule("db.example", tls: "\(Self.system), insecureSkipVerify: true"))
        #expect(ForeignImports.codes(skipped) == ["HX503"])
    }

    @Test("words that YAML reads as numbers or as true or false are texts only in quotes")
    func words() throws {
        for (field, plain, quoted) in [
            ("caCertificates", "1e5", "'1e5'"), ("sni", "on", "'on'"),
            ("subjectAltNames", "[123]", "['123']"),
        ] {
            func read(_ value: String) throws -> IstioFile {
                let text = Self.rule("db", tls: "mode: SIMPLE, \(field): \(value)")
                return try IstioFile.read(Array(text.utf8))
            }
            #expect(throws: Never.self) { try read(quoted) }
            let error = #expect(throws: ForeignError.self) { try read(plain) }
            #expect(error?.message.contains("`\(field)` takes a text") == true)
        }
        let rule = Self.rule("db", ports: [(443, Self.system)])
        #expect(throws: Never.self) { try IstioFile.read(Array(rule.utf8)) }
        let error = #expect(throws: ForeignError.self) {
            try IstioFile.read(Array(rule.replacing("443", with: "'443'").utf8))
        }
        #expect(error?.message.contains("`number` takes a number") == true)
    }

    @Test("settings of a port replace the destination's, and names are of either type")
    func levels() throws {
        let imported = try Self.imported(
            Self.rule(
                "*.mesh.example", tls: Self.system,
                ports: [
                    (
                        8443,
                        "mode: SIMPLE, caCertificates: /etc/mesh/root.pem, "
                            + "subjectAltNames: [\"spiffe://mesh.example/a\", b.example, \"*\"]"
                    )
                ]),
            certificates: ["/etc/mesh/root.pem": [try EnvoyImportTests.root.certificate.parsed()]])
        #expect(ForeignImports.codes(imported) == ["HX504", "HX505"])
        #expect(
            imported.policy.rules.map(\.hosts) == [
                ["**.mesh.example"], ["**.mesh.example:8443"],
            ])
        let names = imported.policy.rules[1].body.names
        #expect(names?.uri == ["spiffe://mesh.example/a"])
        #expect(names?.dns == ["b.example"])
        #expect(imported.policy.rules[0].body.waivers.map(\.check) == [.identity])
        _ = try ForeignImports.table(imported)
    }

    @Test("other modes and secrets are told, and have no rule")
    func others() throws {
        for (tls, code) in [
            ("mode: DISABLE", "HX515"), ("mode: ISTIO_MUTUAL", "HX507"),
            ("mode: SIMPLE, caCertificates: /etc/ca.pem", "HX502"),
        ] {
            let imported = try Self.imported(Self.rule("db.example", tls: tls))
            #expect(ForeignImports.codes(imported) == [code], "\(tls)")
            #expect(imported.policy.rules.isEmpty, "\(tls)")
        }
        let selected = try Self.imported(
            Self.rule(
                "db.example", tls: "mode: SIMPLE, credentialName: db",
                more: "workloadSelector: { matchLabels: { app: db } }"))
        #expect(ForeignImports.codes(selected) == ["HX502"])
        // Without a selector Istio ignores the secret.
        let unselected = try Self.imported(
            Self.rule("db.example", tls: "mode: SIMPLE, credentialName: db"))
        #expect(ForeignImports.codes(unselected) == ["HX503"])
        for text in [Self.rule("db", tls: "mode: TLS"), "kind: DestinationRule\n", "kind: Other\n"]
        {
            #expect(ForeignImports.refusal { try Self.imported(text) }?.code == "HX501", "\(text)")
        }
    }

    @Test(
        "where Istio's analyzer says that no server certificate is verified",
        .enabled(
            if: FileManager.default.fileExists(atPath: ForeignImports.shared.path),
            "../shared/packs is absent"))
    func analyzer() throws {
        let text = try String(
            contentsOf: ForeignImports.shared.appending(
                path: "envoy/istio-destinationrules.ndjson"), encoding: .utf8)
        let rows = text.split(separator: "\n")
        for line in rows {
            let row = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let id = row["id"] as? String ?? ""
            let file = try IstioFile.read(Array((row["text"] as? String ?? "").utf8))
            let found = file.rules.flatMap(\.levels).filter { $0.trust == .anything }.map {
                $0.port == nil ? "destination" : "port"
            }
            #expect(found == row["expected_no_server_verification_at"] as? [String], "\(id)")
            let levels = row["levels"] as? [[String: Any]] ?? []
            #expect(
                file.rules.flatMap(\.levels).map(\.mode.rawValue)
                    == levels.map { $0["mode"] as? String ?? "" }, "\(id)")
            #expect(file.rules.map(\.host) == [row["host"] as? String ?? ""], "\(id)")
        }
        #expect(!rows.isEmpty)
    }
}
