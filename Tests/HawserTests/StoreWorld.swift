import Foundation
import HawserYAML
import Logging
import PolicyCompiler
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// A chain, tables that accept and reject it, and a store's configuration with a clock of the
/// test's.
struct StoreWorld {
    static let pki = Scenario()
    static let host = "api.store.example"

    /// Accepts the request.
    let accepting: [UInt8]
    /// Denies every host.
    let rejecting: [UInt8]
    let request: TrustRequest
    let clock = TestClock()
    private let rootPEM: String

    init() throws {
        let root = Self.pki.root("Store Root", key: .p256("store root"))
        let leaf = root.issueLeaf(dns: [Self.host]) { _ in }
        rootPEM = root.pem
        request = TrustRequest(
            host: Self.host, port: 443, presentedChain: [leaf.der], time: Scenario.judgedAt,
            tls: .observed(TLSParameters(version: .tls13)))
        accepting = try Self.compile(Self.policy(), files: ["root.pem": root.pem])
        rejecting = try Self.compile("hawser: 1\ndefault: deny\n")
    }

    /// A policy whose one rule trusts the root for the host; `fields` are further lines of the
    /// rule.
    static func policy(_ fields: String = "") -> String {
        """
        hawser: 1
        default: deny
        anchors:
          root: { files: [root.pem] }
        rules:
          api:
            hosts: ["\(host)"]
            anchors: [root]
            \(fields)

        """
    }

    /// A waiver, as a line of the rule.
    static let waiver =
        "waivers: { expired: { tolerance: 1d, reason: old, owner: us, until: 2030-01-01 } }"

    /// The table of a policy.
    func table(_ policy: String) throws -> [UInt8] {
        try Self.compile(policy, files: ["root.pem": rootPEM])
    }

    /// The table of a policy that names files.
    static func compile(_ policy: String, files: [String: String] = [:]) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(name, text) }
        try folder.write("policy.yaml", policy)
        let compilation = CompilerPipeline.compile(
            try UnitLoader.load(paths: [folder.path]), crypto: crypto)
        return try #require(compilation.table).bytes
    }

    /// A configuration with the test's clock, and a log that nobody reads.
    var configuration: PolicyStore.Configuration {
        var configuration = PolicyStore.Configuration()
        configuration.clock = clock.now
        configuration.steadyClock = clock.steady
        configuration.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return configuration
    }
}
