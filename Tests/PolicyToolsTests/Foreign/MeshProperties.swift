import LibCrypto
import PolicyCompiler
import PolicyReading
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Random files of Envoy and of the Gateway API: the compiled policy decides each host and port as
/// the model does, unless a finding says otherwise.
@Suite("random files of Envoy and the Gateway API") struct MeshProperties {
    private static let seed: UInt64 = 51
    private static let hosts = ["a.example", "b.example", "10.0.0.1", "c.a.example"]
    private static let ports = [443, 8443]
    private static let digests = (1...3).map {
        Base64.encode([UInt8](repeating: UInt8($0 * 17), count: 32))
    }

    private static func chance(_ of: Int, _ random: inout SplitMix) -> Bool {
        Int.random(in: 0..<of, using: &random) == 0
    }

    // MARK: Envoy

    private static func cluster(_ index: Int, _ random: inout SplitMix) -> String {
        var validation: [String] = []
        let hasAuthority = !chance(4, &random)
        if hasAuthority { validation.append(EnvoyImportTests.system) }
        if hasAuthority, !chance(3, &random) {
            let names = ["a.example", "b.example", "other.example"].filter { _ in
                chance(2, &random)
            }
            let matchers =
                names.map { EnvoyImportTests.san("DNS", "exact", $0) }
                + (chance(4, &random) ? [EnvoyImportTests.san("DNS", "suffix", ".example")] : [])
                + (chance(4, &random)
                    ? [EnvoyImportTests.san("URI", "exact", "spiffe://mesh.example/a")] : [])
            if !matchers.isEmpty {
                validation.append(
                    "match_typed_subject_alt_names: [\(matchers.joined(separator: ", "))]")
            }
        }
        let pins = digests.filter { _ in chance(4, &random) }
        if !pins.isEmpty {
            validation.append(
                "verify_certificate_spki: [\(pins.map { "\"\($0)\"" }.joined(separator: ", "))]")
        }
        if hasAuthority, chance(5, &random) {
            validation.append("allow_expired_certificate: true")
        }
        if chance(6, &random) { validation.append("trust_chain_verification: ACCEPT_UNTRUSTED") }
        let version = ["TLSv1_0", "TLSv1_1", "TLSv1_2", "TLSv1_3", "TLS_AUTO"].randomElement(
            using: &random)
        return EnvoyImportTests.cluster(
            "c\(index)", address: chance(5, &random) ? nil : hosts.randomElement(using: &random),
            port: ports.randomElement(using: &random) ?? 443,
            sni: chance(2, &random) ? hosts.randomElement(using: &random) : nil,
            context: hasAuthority && chance(3, &random) ? "auto_sni_san_validation: true" : "",
            common: "tls_params: { tls_minimum_protocol_version: \(version ?? "TLS_AUTO") }",
            validation: validation)
    }

    @Test("a policy of clusters decides as the model, or a finding says so")
    func envoy() throws {
        var random = SplitMix(state: Self.seed)
        print("seed \(Self.seed)")
        var decided = 0
        for round in 0..<300 {
            let text = (0..<3).map { Self.cluster($0, &random) }.joined()
            let model = EnvoyModel(try EnvoyReader.read(Array(text.utf8)))
            let imported = try ForeignImports.envoy(text)
            let codes = Set(imported.findings.map(\.code))
            let table = round % 6 == 0 ? try ForeignImports.table(imported) : nil
            for host in Self.hosts {
                for port in Self.ports {
                    let name = "\(host):\(port) \(text)"
                    let wanted = try model.behaviour(of: host, port: port)
                    let body = Self.body(of: host, port, in: imported.policy)
                    #expect((wanted == nil) == (body == nil), "\(name)")
                    if let table {
                        let rule = table.ruleID(decidingFor: host, port: UInt16(port))
                        let own = imported.policy.rules.first { $0.body == body }
                        #expect(
                            (own == nil) == (rule == nil || rule == "default"),
                            "\(name) \(rule ?? "")"
                        )
                        if let own, imported.policy.rules.filter({ $0.body == body }).count == 1 {
                            #expect(rule == own.id, "\(name)")
                        }
                    }
                    guard let wanted, let body else { continue }
                    // Of several clusters for a host the most specific pattern decides, and the
                    // model takes the first.
                    guard !codes.contains(.sameHostsTwice), Self.isUnique(host, imported.policy)
                    else { continue }
                    decided += 1
                    Self.compare(wanted, body, imported.policy, codes, name)
                }
            }
        }
        #expect(decided > 200)
    }

    private static func isUnique(_ host: String, _ policy: WrittenPolicy) -> Bool {
        policy.rules.flatMap(\.hosts).count { $0 == host || $0.hasPrefix("\(host):") } == 1
    }

    /// The rule that decides a host on a port.
    private static func body(
        of host: String, _ port: Int, in policy: WrittenPolicy
    ) -> WrittenPolicy.Body? {
        policy.rules.first { $0.hosts.contains("\(host):\(port)") }?.body
            ?? policy.rules.first { $0.hosts.contains(host) }?.body
    }

    private static func compare(
        _ wanted: EnvoyModel.Behaviour, _ body: WrittenPolicy.Body, _ policy: WrittenPolicy,
        _ codes: Set<DiagnosticCode>, _ name: String
    ) {
        let waived = Set(body.waivers.map(\.check))
        switch wanted.trust {
        case .anything:
            #expect(waived == [.identity, .path, .expired], "\(name)")
            #expect(codes.contains(.nothingVerified), "\(name)")
        case .pinnedKeys:
            #expect(body.anchors == ["pinned-keys"], "\(name)")
            #expect(waived == [.identity, .expired], "\(name)")
        case .system, .certificates, .custom:
            let isEmpty = body.anchors == ["nothing"]
            #expect(isEmpty || body.anchors == ["system"], "\(name)")
            if isEmpty { #expect(codes.contains(.nameNotTaken), "\(name)") }
            #expect(waived.contains(.expired) == wanted.permitsExpired, "\(name)")
            #expect(!waived.contains(.path), "\(name)")
            switch wanted.names {
            case .none: #expect(waived.contains(.identity), "\(name)")
            case .serverName: #expect(body.names == nil && !waived.contains(.identity), "\(name)")
            case .listed(let matchers):
                #expect(!waived.contains(.identity), "\(name)")
                let exact = matchers.filter { $0.way == .exact }.map(\.text)
                if let names = body.names {
                    #expect(Set(names.dns + names.uri) == Set(exact), "\(name)")
                } else {
                    #expect(isEmpty || exact.count == 1, "\(name)")
                }
            }
        }
        let pins = policy.pinSets.filter { body.pins.contains($0.id) }.flatMap(\.pins)
        #expect(Set(pins.map(\.digest)) == Set(wanted.pins.map(\.digest)), "\(name)")
        #expect(pins.allSatisfy { $0.at == "leaf" }, "\(name)")
        #expect(body.needsTLS13 == (wanted.minimumTLS == .tls13), "\(name)")
        let old = [EnvoyFile.Version.tls10: "tls1.0", .tls11: "tls1.1"]
        #expect(body.waivedTLS == old[wanted.minimumTLS], "\(name)")
    }

    // MARK: Gateway API

    @Test("a policy of BackendTLSPolicy objects decides as the model")
    func gateway() throws {
        var random = SplitMix(state: Self.seed)
        print("seed \(Self.seed)")
        let services = ["a", "b"]
        for round in 0..<300 {
            var text = services.map {
                GatewayImportTests.service($0, ("https", 443), ("other", 8443))
            }.joined()
            for index in 0..<4 {
                let created =
                    Self.chance(2, &random)
                    ? "2026-01-01T00:00:0\(Int.random(in: 0..<3, using: &random))Z" : nil
                let hasNames = Self.chance(2, &random)
                text += GatewayImportTests.policy(
                    named: "p\(index)", target: services.randomElement(using: &random) ?? "a",
                    section: Self.chance(2, &random)
                        ? ["https", "other"].randomElement(using: &random) : nil, created: created,
                    "hostname: h\(index).example", GatewayImportTests.system,
                    hasNames
                        ? "subjectAltNames: [{ type: Hostname, hostname: n\(index).example }]" : "")
            }
            let model = GatewayModel(try GatewayReader.read(Array(text.utf8)))
            let imported = try ForeignImports.gateway(text)
            let table = round % 6 == 0 ? try ForeignImports.table(imported) : nil
            for service in services {
                for (port, number) in [("https", 443), ("other", 8443)] {
                    let host = "\(service).default.svc.cluster.local"
                    let deciding = model.policy(
                        forService: service, in: "default", port: port)
                    let rule =
                        imported.policy.rules.first { $0.hosts.contains("\(host):\(number)") }
                        ?? imported.policy.rules.first { $0.hosts.contains(host) }
                    #expect(rule?.id == deciding?.name, "\(host):\(number) \(text)")
                    if let table {
                        let found = table.ruleID(decidingFor: host, port: UInt16(number))
                        #expect((found == "default" ? nil : found) == rule?.id, "\(text)")
                    }
                    guard let deciding, let rule else { continue }
                    switch model.behaviour(of: deciding).names {
                    case .none: Issue.record("\(text)")
                    case .hostname(let name): #expect(rule.body.names?.dns == [name], "\(text)")
                    case .listed(let names):
                        #expect(rule.body.names?.dns == names.map(\.text), "\(text)")
                    }
                }
            }
        }
    }
}
