import Foundation
import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Facts that others assert about files of Envoy, of the Gateway API and of SPIFFE, out of data
/// that may lie beside the checkout. Skipped, with a word, where the data is absent.
@Suite(
    "facts about files of Envoy, the Gateway API and SPIFFE",
    .enabled(
        if: FileManager.default.fileExists(atPath: ForeignImports.shared.path),
        "../shared/packs is absent"))
struct MeshPackTests {
    private typealias Object = [String: Any]

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: ForeignImports.shared.appending(path: path), encoding: .utf8)
    }

    private static func rows(_ path: String) throws -> [Object] {
        try text(path).split(separator: "\n").map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? Object)
        }
    }

    private static func json(_ value: Any) throws -> String {
        String(
            decoding: try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys]),
            as: UTF8.self)
    }

    // MARK: Envoy

    /// A file with a cluster that has a context, and the secrets that the context names. A context
    /// for clients keeps its parts that a context for servers has, too.
    private static func envoy(_ context: Object, _ secrets: [Object]) throws -> String {
        var upstream = context
        for name in [
            "requireClientCertificate", "disableStatelessSessionResumption",
            "disableStatefulSessionResumption", "ocspStaplePolicy",
        ] {
            upstream[name] = nil
        }
        upstream["@type"] = "type.googleapis.com/x.UpstreamTlsContext"
        let address: Object = ["socketAddress": ["address": "backend.example", "portValue": 443]]
        let endpoints: Object = [
            "endpoints": [["lbEndpoints": [["endpoint": ["address": address]]]]]
        ]
        let cluster: Object = [
            "name": "cluster", "loadAssignment": endpoints,
            "transportSocket": ["typedConfig": upstream],
        ]
        return try json([cluster] + secrets)
    }

    private static func texts(_ value: Any?) -> [String] { value as? [String] ?? [] }

    /// The names of a validation as the facts write them.
    private static func matchers(_ matchers: [EnvoyFile.Matcher]) -> [String] {
        matchers.map { "\($0.kind.rawValue) \($0.way.rawValue) \($0.text)" }
    }

    private static func matchers(facts: Any?) -> [String] {
        (facts as? [Object] ?? []).map { san in
            let way = ["exact", "prefix", "suffix", "contains", "safe_regex"].first {
                san[$0] is String
            }
            return "\(san["type"] as? String ?? "") \(way ?? "") "
                + "\(way.flatMap { san[$0] as? String } ?? "")"
        }
    }

    @Test("contexts of Envoy Gateway: each fact")
    func contexts() throws {
        let rows = try Self.rows("envoy/contexts.ndjson")
        var servers = 0
        for row in rows {
            let id = row["id"] as? String ?? ""
            let facts = try #require(row["facts"] as? Object)
            let context = try #require(row["context"] as? Object)
            let secrets = row["secrets"] as? [Object] ?? []
            let bytes = Array(try Self.envoy(context, secrets).utf8)
            let file = try EnvoyReader.read(bytes)
            let read = try #require(file.clusters.first?.sockets.last?.context, "\(id)")
            let model = EnvoyModel(file)
            let isServer = (facts["direction"] as? String ?? "").hasPrefix("upstream")
            #expect(read.serverName == facts["sni"] as? String, "\(id)")
            #expect(read.takesNameOfHost == facts["auto_host_sni"] as? Bool, "\(id)")
            #expect(read.checksServerName == facts["auto_san_from_sni"] as? Bool, "\(id)")
            #expect(read.minimum?.rawValue == facts["min_version"] as? String, "\(id)")
            #expect(read.maximum?.rawValue == facts["max_version"] as? String, "\(id)")
            #expect(read.cipherSuites == Self.texts(facts["ciphers"]), "\(id)")
            #expect(read.curves == Self.texts(facts["curves"]), "\(id)")
            #expect(
                read.signatureAlgorithms == Self.texts(facts["signature_algorithms"]), "\(id)")
            #expect(read.secret?.name == facts["secret"] as? String, "\(id)")
            let validation = try model.validation(of: read)
            if let wanted = facts["validation"] as? Object {
                let found = try #require(validation, "\(id)")
                #expect(
                    Self.matchers(found.matchers) == Self.matchers(facts: wanted["sans"]), "\(id)")
                let pins = found.pins
                #expect(
                    pins.filter { !$0.isOfCertificate }.map(\.digest)
                        == Self.texts(wanted["spki_pins"]), "\(id)")
                #expect(
                    pins.filter(\.isOfCertificate).map(\.digest)
                        == Self.texts(wanted["certificate_hashes"]), "\(id)")
                #expect(
                    (found.acceptsUntrusted ?? false)
                        == (wanted["trust_chain_verification"] as? String == "ACCEPT_UNTRUSTED"),
                    "\(id)")
                #expect((found.allowsExpired ?? false) == wanted["allow_expired"] as? Bool, "\(id)")
                #expect((found.crl != nil) == wanted["crl"] as? Bool, "\(id)")
                #expect(
                    (found.requiresTimestamps ?? false) == wanted["require_sct"] as? Bool, "\(id)")
                let authority = wanted["trusted_ca"] as? Object
                switch found.trustedCA?.content {
                case .file(let path): #expect(authority?["path"] as? String == path, "\(id)")
                case .inline(let octets):
                    #expect(authority?["bytes"] as? Int == octets.count, "\(id)")
                case .other: Issue.record("\(id)")
                case nil: #expect(authority == nil, "\(id)")
                }
            } else {
                #expect(validation == nil, "\(id)")
            }
            let behaviour = try model.behaviour(of: read)
            var verifies = true
            if case .anything = behaviour.trust { verifies = false }
            #expect(verifies == facts["validates"] as? Bool, "\(id)")
            if isServer {
                servers += 1
                try Self.compare(facts, String(decoding: bytes, as: UTF8.self), id)
            } else {
                try Self.listener(context, facts, id)
            }
        }
        #expect(servers > 0 && servers < rows.count)
        print("contexts of Envoy Gateway: \(rows.count), of which \(servers) judge servers")
    }

    /// The policy of a context for servers: its anchors and names.
    private static func compare(_ facts: Object, _ text: String, _ id: String) throws {
        let imported = try ForeignImports.envoy(text)
        let errors = imported.findings.filter { $0.severity == .error }
        #expect(errors.map(\.message) == [], "\(id)")
        let body = try #require(imported.policy.rules.first?.body, "\(id)")
        let validation = facts["validation"] as? Object
        let authority = validation?["trusted_ca"] as? Object
        let digests = (authority?["certificates"] as? [Object] ?? []).compactMap {
            $0["sha256"] as? String
        }
        if facts["validates"] as? Bool == true {
            if authority?["kind"] as? String == "file" {
                #expect(body.anchors == ["system"], "\(id)")
            } else {
                let members = imported.files.flatMap(\.certificates)
                #expect(
                    Set(members.map { Hexadecimal.encode(TestHash.sha256.digest($0)) })
                        == Set(digests), "\(id)")
            }
        }
        let isAutomatic = facts["auto_san_from_sni"] as? Bool == true
        let sans = Self.matchers(facts: validation?["sans"])
        #expect(
            body.waivers.contains { $0.check == .identity } == (!isAutomatic && sans.isEmpty),
            "\(id)")
        if !isAutomatic, !sans.isEmpty {
            let host = imported.policy.rules.first?.hosts.first?.split(separator: ":").first ?? ""
            let names = body.names ?? WrittenPolicy.Names(dns: [String(host)])
            let written =
                names.dns.map { "DNS exact \($0)" } + names.uri.map { "URI exact \($0)" }
            #expect(Set(written) == Set(sans), "\(id)")
        }
        _ = try ForeignImports.table(imported)
    }

    /// A context for clients is named where it judges them, and makes no rule.
    private static func listener(_ context: Object, _ facts: Object, _ id: String) throws {
        let listener: Object = [
            "name": "listener", "filterChains": [["transportSocket": ["typedConfig": context]]],
        ]
        let cluster: Object = ["name": "c", "type": "STATIC"]
        let imported = try ForeignImports.envoy(try json([listener, cluster]))
        let judges = facts["validation"] is Object
        #expect(imported.findings.contains { $0.code == .clientsJudged } == judges, "\(id)")
        #expect(imported.policy.rules.isEmpty, "\(id)")
    }

    // MARK: Gateway API

    private static func gateway(_ name: String, with pem: String) throws -> ForeignImport {
        let text = try text("gateway-api/conformance/tests/\(name).yaml")
        let bundles = [
            "tls-checks-ca-certificate", "mismatch-ca-certificate", "nonexistent-ca-certificate",
        ].map { ("gateway-conformance-infra/\($0)", pem) }
        return try ForeignImports.gateway(
            text, bundles: Dictionary(uniqueKeysWithValues: bundles))
    }

    @Test("conformance tests of BackendTLSPolicy: names, references and conflicts")
    func conformance() throws {
        let pem = EnvoyImportTests.root.pem
        func names(_ file: String) throws -> [String: [String]] {
            let imported = try Self.gateway(file, with: pem)
            _ = try ForeignImports.table(imported)
            return Dictionary(
                uniqueKeysWithValues: imported.policy.rules.map { rule in
                    let names = rule.body.names ?? WrittenPolicy.Names()
                    return (rule.id, names.dns + names.uri)
                })
        }
        #expect(
            try names("backendtlspolicy") == [
                "normative-test": ["abc.example.com"], "host-mismatch": ["mismatch.example.com"],
                "cert-mismatch": ["abc.example.com"], "reconcile-test": ["abc.example.com"],
            ])
        #expect(
            try names("backendtlspolicy-san") == [
                "san-dns": ["abc.example.com"], "san-dns-mismatch": ["dce.example.com"],
                "san-uri": ["spiffe://abc.example.com/test-identity"],
                "san-uri-mismatch": ["spiffe://def.example.com/test-identity"],
                "multiple-sans": ["abc.example.com", "spiffe://abc.example.com/test-identity"],
                "multiple-mismatch-sans": [
                    "def.example.com", "spiffe://def.example.com/test-identity",
                ],
            ])
        let kind = try Self.gateway("backendtlspolicy-invalid-kind", with: pem)
        #expect(ForeignImports.codes(kind) == ["HX510"])
        #expect(kind.findings[0].message.contains("InvalidKind"))
        #expect(kind.policy.rules.map(\.body.anchors) == [["nothing"]])
        let reference = try Self.gateway("backendtlspolicy-invalid-ca-certificate-ref", with: pem)
        #expect(
            reference.findings.map(\.message).contains { $0.contains("InvalidCACertificateRef") })
        let text = try Self.text(
            "gateway-api/conformance/tests/backendtlspolicy-invalid-ca-certificate-ref.yaml")
        let absent = try ForeignImports.gateway(text)
        #expect(ForeignImports.codes(absent).contains("HX502"))
        let conflict = try Self.gateway("backendtlspolicy-conflict-resolution", with: pem)
        #expect(ForeignImports.codes(conflict) == ["HX508", "HX508"])
        #expect(
            Set(conflict.policy.rules.map(\.id)) == [
                "conflicted-without-section-name-1", "conflicted-with-section-name-1",
                "not-conflicted-with-section-name", "not-conflicted-without-section-name",
            ])
        _ = try ForeignImports.table(conflict)
    }

    @Test("every BackendTLSPolicy of the data can be read", arguments: ["conformance", "examples"])
    func all(_ folder: String) throws {
        let root = ForeignImports.shared.appending(path: "gateway-api/\(folder)")
        var read = 0
        for case let file as URL in try #require(
            FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        where file.pathExtension == "yaml" {
            let bytes = Array(try Data(contentsOf: file))
            guard String(decoding: bytes, as: UTF8.self).contains("kind: BackendTLSPolicy") else {
                continue
            }
            #expect(throws: Never.self, "\(file.lastPathComponent)") {
                _ = try GatewayReader.read(bytes)
            }
            read += 1
        }
        #expect(read > 0)
    }

    // MARK: SPIFFE

    @Test("bundles of go-spiffe: what its tests assert")
    func bundles() throws {
        let folder = "spiffe/bundle/spiffebundle/testdata/spiffebundle_"
        func read(_ name: String) throws -> SPIFFEBundle {
            try SPIFFEBundle.read(Array(try Self.text("\(folder)\(name).json").utf8))
        }
        #expect(try read("valid_1").certificates.count == 1)
        for name in ["valid_2", "valid_with_wit"] {
            let bundle = try read(name)
            #expect(bundle.refreshHint?.seconds == 60, "\(name)")
            #expect(bundle.sequence?.number == 1, "\(name)")
            let imported = try ForeignImports.spiffe(
                try Self.text("\(folder)\(name).json"), trustDomain: "domain.test")
            _ = try ForeignImports.table(imported)
        }
        for (name, words) in [
            ("missing_kid", "keyID cannot be empty"),
            ("multiple_x509", "expected a single certificate in x509-svid entry 0; got 2"),
        ] {
            let refused = ForeignImports.refusal {
                try ForeignImports.spiffe(try Self.text("\(folder)\(name).json"))
            }
            #expect(refused?.code == "HX501", "\(name)")
            #expect(refused?.2.contains(words) == true, "\(refused?.2 ?? "")")
        }
    }
}
