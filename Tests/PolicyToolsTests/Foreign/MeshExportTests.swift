import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Policies as clusters of Envoy, as `BackendTLSPolicy` objects and as trust bundles. A
/// written file means the policy again, and a demand without words is a loss with its direction.
@Suite struct MeshExportTests {
    private static let crypto = LibCryptoBackend()
    private static let root = EnvoyImportTests.root

    /// The table of a policy whose file `anchors/mesh.pem` is the root of the tests.
    static func table(_ text: String) throws -> PolicyTable {
        let unit = PolicyUnit(
            files: [SourceFile(path: "policy.yaml", bytes: Array(text.utf8))],
            resources: FilesInMemory(files: ["anchors/mesh.pem": root.der]), isDirectory: true)
        let compiled = CompilerPipeline.compile(unit, crypto: crypto)
        let errors = compiled.diagnostics.filter { $0.severity == .error }
        #expect(errors.map(\.message) == [], "\(text)")
        return try #require(compiled.table)
    }

    static func answer(
        _ text: String, _ target: any ForeignTarget
    ) throws -> ExportQuestion.Answer {
        try ExportQuestion(
            table(text), policyName: "policy.yaml", target: target,
            fileName: type(of: target).usualFile, hosts: [], at: Scenario.judgedAt
        ).answer(over: nil, crypto: crypto)
    }

    /// The losses that the format has words for, as `relation field`.
    static func losses(_ answer: ExportQuestion.Answer) -> [String] {
        answer.loss.lines.filter { !$0.isUnstated }.map { "\($0.relation) \($0.field)" }
            + answer.loss.gaps.map { "\($0.file) \($0.code.rawValue)" }
    }

    private static func text(_ answer: ExportQuestion.Answer) -> String {
        String(decoding: answer.file.octets, as: UTF8.self)
    }

    // MARK: Random policies

    private static func policy(
        _ random: inout SplitMix, names: Bool, pins: Bool, versions: Bool, ports: Bool
    ) -> String {
        func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }
        var lines = [
            "hawser: 1", "default: deny", "anchors:", "  mesh:", "    files:",
            "      - anchors/mesh.pem",
        ]
        if pins {
            lines += [
                "pins:", "  own:", "    keys:",
                "      one: { spki: sha256/\(EnvoyImportTests.one), at: leaf }", "    backups:",
                "      two: { spki: sha256/\(EnvoyImportTests.two), at: leaf }",
            ]
        }
        lines.append("rules:")
        for (index, host) in ["a.example", "b.a.example", "c.example", "d.pay.svc.cluster.local"]
            .enumerated()
        {
            let port =
                ports && !host.hasSuffix(".local") && chance(2)
                ? ":\(443 + Int.random(in: 0..<2, using: &random))" : ""
            lines += ["  r\(index):", "    hosts:", "      - \"\(host)\(port)\""]
            lines.append("    anchors: [\(chance(2) ? "system" : "mesh")]")
            if pins, chance(2) { lines.append("    pins: [own]") }
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                lines.append(
                    "    identity: { reference: listed, dns: [x.example], "
                        + "uri: [\"spiffe://mesh.example/\(index)\"] }")
            case 1 where names:
                lines += [
                    "    waivers:",
                    "      identity: { reason: \"r\", owner: o, until: 9999-12-31 }",
                ]
            default: break
            }
            if versions, chance(2) {
                lines.append(
                    "    tls: { \(chance(2) ? "minimum-version: tls1.3" : "maximum-version: tls1.2") }"
                )
            }
            lines.append("    owner: mesh")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    @Test("clusters of Envoy mean the policy again")
    func envoy() throws {
        var random = SplitMix(state: 52)
        print("seed 52")
        for _ in 0..<60 {
            let text = Self.policy(&random, names: true, pins: true, versions: true, ports: true)
            let answer = try Self.answer(text, EnvoyTarget([:]))
            #expect(Self.losses(answer) == [], "\(text)\n\(Self.text(answer))")
        }
    }

    @Test("BackendTLSPolicy objects mean the policy again")
    func gateway() throws {
        var random = SplitMix(state: 53)
        print("seed 53")
        for _ in 0..<60 {
            let text = Self.policy(
                &random, names: false, pins: false, versions: false, ports: true)
            let answer = try Self.answer(text, GatewayTarget([:]))
            #expect(Self.losses(answer) == [], "\(text)\n\(Self.text(answer))")
        }
    }

    @Test("names of objects are texts for YAML, and no object has the name of another")
    func objectNames() throws {
        let hosts = [
            "on.pay.svc.cluster.local", "1e5.123.svc.cluster.local", "null.true.svc.cluster.local",
            "shop-example.default.svc.cluster.local", "shop.example", "b.example:8443",
            "b.example-8443", "1.example",
        ]
        let text =
            "hawser: 1\ndefault: deny\nanchors:\n  mesh:\n    files:\n      - anchors/mesh.pem\n"
            + "rules:\n  r:\n    hosts:\n" + hosts.map { "      - \"\($0)\"\n" }.joined()
            + "    anchors: [mesh]\n    owner: mesh\n"
        let answer = try Self.answer(text, GatewayTarget([:]))
        #expect(Self.losses(answer) == [], "\(Self.text(answer))")
        let lines = Self.text(answer).split(separator: "\n").map(String.init)
        for line in [
            "  name: \"on\"", "  name: \"1e5\"", "  namespace: \"123\"", "      name: \"null\"",
            "  namespace: \"true\"", "      - { group: \"\", kind: ConfigMap, name: \"1e5-ca\" }",
            "  externalName: \"1.example\"", "  name: shop-example-2", "  name: b-example-8443-2",
        ] {
            #expect(lines.contains(line), "\(line)\n\(Self.text(answer))")
        }
        // The kind, the name and the namespace of each object.
        let objects = lines.indices.filter { lines[$0].hasPrefix("kind: ") }.map {
            [lines[$0], lines[$0 + 2], lines[$0 + 3]]
        }
        #expect(objects.count == 20, "\(Self.text(answer))")
        #expect(Set(objects).count == objects.count, "\(Self.text(answer))")
    }

    @Test("the server name is a listed name that an object can state, and otherwise the host")
    func serverName() throws {
        func text(_ names: String) -> String {
            "hawser: 1\ndefault: deny\nrules:\n  r:\n    hosts:\n      - a.example\n"
                + "    anchors: [system]\n    identity: { reference: listed, \(names) }\n"
                + "    owner: mesh\n"
        }
        let one = try Self.answer(
            text("dns: [x_y.example, b.example]"), GatewayTarget([:]))
        #expect(Self.text(one).contains("    hostname: \"b.example\"\n"), "\(Self.text(one))")
        let none = try Self.answer(
            text("dns: [x_y.example], uri: [\"spiffe://mesh.example/a\"]"), GatewayTarget([:]))
        #expect(Self.text(none).contains("    hostname: \"a.example\"\n"), "\(Self.text(none))")
        for answer in [one, none] {
            #expect(!Self.losses(answer).isEmpty)
            #expect(Self.losses(answer).allSatisfy { $0.hasPrefix("stricter ") })
        }
    }

    @Test("a bundle means the anchors of `default` again")
    func bundles() throws {
        let text = """
            hawser: 1
            default:
              anchors: [mesh]
              owner: mesh
            anchors:
              mesh:
                files:
                  - anchors/mesh.pem

            """
        for target in [TrustManagerTarget([:]), ClusterTrustBundleTarget([:])]
            as [any ForeignTarget]
        {
            let answer = try Self.answer(text, target)
            #expect(Self.losses(answer) == [], "\(Self.text(answer))")
            #expect(Self.text(answer).contains("-----BEGIN CERTIFICATE-----"))
        }
        let both = text.replacing("[mesh]\n  owner", with: "[mesh, system]\n  owner")
        let manager = try Self.answer(both, TrustManagerTarget([:]))
        #expect(Self.losses(manager) == [], "\(Self.text(manager))")
        #expect(Self.text(manager).contains("useDefaultCAs: true"))
        // An object of Kubernetes cannot name the system's CAs.
        let cluster = try Self.answer(both, ClusterTrustBundleTarget([:]))
        #expect(Self.losses(cluster) == ["stricter anchors"], "\(Self.losses(cluster))")
    }

    // MARK: Losses

    @Test("what has no words is a loss with its direction")
    func losses() throws {
        func policy(_ host: String, _ more: String) -> String {
            """
            hawser: 1
            default: deny
            pins:
              own:
                keys:
                  one: { spki: sha256/\(EnvoyImportTests.one) }
                backups:
                  two: { spki: sha256/\(EnvoyImportTests.two) }
            rules:
              r:
                hosts:
                  - "\(host)"
                anchors: [system]
                \(more)
                owner: mesh

            """
        }
        let wild = try Self.answer(policy("*.a.example", "pins: [own]"), EnvoyTarget([:]))
        #expect(Self.losses(wild) == ["stricter decision"], "\(Self.losses(wild))")
        let pins = try Self.answer(policy("a.example", "pins: [own]"), EnvoyTarget([:]))
        #expect(
            Self.losses(pins).allSatisfy { $0.hasPrefix("weaker pins") }
                && !Self.losses(pins).isEmpty, "\(Self.losses(pins))")
        let inside = try Self.answer(
            policy("a.pay.svc.cluster.local:8443", "pins: [own]"), GatewayTarget([:]))
        #expect(Self.losses(inside) == ["stricter decision"], "\(Self.losses(inside))")
        let unstated = try Self.answer(policy("a.example", "pins: [own]"), GatewayTarget([:]))
        #expect(Self.losses(unstated) == [], "\(Self.losses(unstated))")
        #expect(unstated.loss.lines.contains { $0.isUnstated && $0.relation == .weaker })
        // A bundle is for every host.
        let bundle = try Self.answer(policy("a.example", "pins: [own]"), TrustManagerTarget([:]))
        #expect(Self.losses(bundle).contains("weaker decision"), "\(Self.losses(bundle))")
    }

    @Test("the same policy over its own file writes the file again; other files are told")
    func again() throws {
        var random = SplitMix(state: 54)
        let text = Self.policy(&random, names: true, pins: true, versions: true, ports: true)
        for target in [
            EnvoyTarget([:]), GatewayTarget([:]), TrustManagerTarget([:]),
            ClusterTrustBundleTarget([:]),
        ] as [any ForeignTarget] {
            let question = ExportQuestion(
                try Self.table(text), policyName: "policy.yaml", target: target,
                fileName: type(of: target).usualFile, hosts: [], at: Scenario.judgedAt)
            let first = try question.answer(over: nil, crypto: Self.crypto)
            let second = try question.answer(over: first.file.octets, crypto: Self.crypto)
            #expect(first.file.octets == second.file.octets)
            #expect(second.file.wasExported)
            #expect(second.file.dropped.isEmpty, "\(second.file.dropped)")
        }
        let other = Array("admin: {}\nstatic_resources: { listeners: [] }\n".utf8)
        let policy = try ExportedPolicy(
            try Self.table(text), name: "policy.yaml", at: Scenario.judgedAt, crypto: Self.crypto)
        let file = try EnvoyTarget([:]).write(policy, over: other)
        #expect(!file.wasExported)
        #expect(file.dropped == ["`admin`", "`listeners`"])
    }
}
