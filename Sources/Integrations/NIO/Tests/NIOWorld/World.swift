import Foundation
public import Hawser
import HawserYAML
public import NIOSSL
public import TestPKI
public import TrustEngine

/// A root, an issuer and policies that trust them, for connections on loopback.
public struct World: Sendable {
    /// What tests judge at: inside the validity of every certificate.
    public static let judgedAt = Scenario.judgedAt

    /// The trusted root.
    public let root: Authority
    /// The issuer below it that signs servers.
    public let issuing: Authority

    /// A world; its certificates are always the same.
    public init() {
        root = Scenario().root("NIO Root", key: .p256("nio root"))
        issuing = root.issueCA("NIO Issuing", key: .p256("nio issuing"), pathLength: 0)
    }

    /// A server's chain, end entity first.
    public func chain(_ host: String, key: TestKey? = nil) -> [Minted] {
        [issuing.issueLeaf(dns: [host], key: key), issuing.certificate]
    }

    /// A compiled table.
    ///
    /// - Parameter rules: the YAML behind `rules:`, each line two columns in; the anchor set is
    ///   `acme`, pins are `right` (the issuer's key) and `wrong` (one that nobody has).
    public func table(rules: String, default body: String = "deny") throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("hawser-nio-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(root.pem.utf8).write(to: folder.appendingPathComponent("root.pem"))
        try Data(issuing.pem.utf8).write(to: folder.appendingPathComponent("issuing.pem"))
        let backup = TestKey.p256("nio backup").pin
        let policy = """
            hawser: 1
            default: \(body)
            anchors:
              acme: { files: [root.pem] }
              acme-with-issuers: { files: [root.pem], intermediates: [issuing.pem] }
            pins:
              right:
                keys: { issuing: { spki: \(issuing.key.pin), at: ca } }
                backups: { offline: { spki: \(backup) } }
                enforce-until: 2030-01-01
              wrong:
                keys: { nobody: { spki: \(TestKey.p256("nio nobody").pin), at: ca } }
                backups: { offline: { spki: \(backup) } }
                enforce-until: 2030-01-01
            rules:
            \(rules)

            """
        let file = folder.appendingPathComponent("policy.yaml")
        try Data(policy.utf8).write(to: file)
        do {
            return try TrustPolicy.load(file.path).engine.table.bytes
        } catch {
            throw PolicyRefused(findings: error.findings.map { "\($0)" }, policy: policy)
        }
    }

    /// A policy of a test does not compile.
    public struct PolicyRefused: Error {
        /// Why.
        public let findings: [String]
        /// Its text.
        public let policy: String
    }

    /// A rule for one host.
    public static func rule(
        _ id: String, host: String, pins: String? = nil, anchors: String = "acme",
        fields: [String] = []
    ) -> String {
        var lines = ["  \(id):", "    hosts: [\"\(host)\"]", "    anchors: [\(anchors)]"]
        if let pins { lines.append("    pins: [\(pins)]") }
        lines += fields.map { "    \($0)" }
        return lines.joined(separator: "\n")
    }

    /// A store with a table of this world.
    public func store(rules: String) throws -> PolicyStore {
        try PolicyStore(table: table(rules: rules), configuration: .init())
    }
}

extension TLSConfiguration {
    /// A server that shows a chain of the test PKI.
    public static func server(_ chain: [Minted]) throws -> TLSConfiguration {
        .makeServerConfiguration(
            certificateChain: try chain.map {
                .certificate(try NIOSSLCertificate(bytes: $0.der, format: .der))
            },
            privateKey: .privateKey(
                try NIOSSLPrivateKey(bytes: Array(chain[0].key.privateKeyPEM.utf8), format: .pem)))
    }
}
