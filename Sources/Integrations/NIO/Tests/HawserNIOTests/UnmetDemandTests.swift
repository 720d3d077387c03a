import Hawser
import HawserNIO
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import NIOWorld
import Synchronization
import TestPKI
import Testing
import TrustEngine

/// What is said of a table when it is loaded.
@Suite struct UnmetDemandTests {
    static let world = World()
    static let host = "a.nio.example"

    /// A rule's fields, and what cannot be met of them.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let fields: [String]
        let unmet: [String]
        var evidence: Set<IntegrationLimits.EvidenceSource> = []
        var protocols: [String] = []
        var chain = IntegrationLimits.Chain.whole
        var anchors = "acme"
    }

    static let rows = [
        Row(testDescription: "nothing special", fields: [], unmet: []),
        Row(
            testDescription: "stapled responses alone",
            fields: ["revocation: { preset: require, sources: [stapled], scope: leaf }"],
            unmet: ["stapled-ocsp some"], evidence: [.handedOver]),
        Row(
            testDescription: "evidence, and none is to be had",
            fields: ["revocation: { preset: require }"], unmet: ["revocation-evidence some"]),
        Row(
            testDescription: "evidence that the program hands over",
            fields: ["revocation: { preset: require }"], unmet: [], evidence: [.handedOver]),
        Row(
            testDescription: "a fetcher that the rule does not let fetch",
            fields: ["revocation: { preset: require }"], unmet: ["revocation-evidence some"],
            evidence: [.fetched]),
        Row(
            testDescription: "a fetcher that it lets fetch",
            fields: ["revocation: { preset: require, network: wait }"], unmet: [],
            evidence: [.fetched]),
        Row(
            testDescription: "one suite of TLS 1.3 of three, and one of TLS 1.2",
            fields: [
                "tls:",
                "  cipher-suites: [TLS_AES_256_GCM_SHA384, TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384]",
            ], unmet: ["cipher-suite some"]),
        Row(
            testDescription: "one suite of TLS 1.3 of three alone",
            fields: [
                "tls: { minimum-version: tls1.3, cipher-suites: [TLS_AES_256_GCM_SHA384] }"
            ],
            unmet: ["cipher-suite every"]),
        Row(
            testDescription: "all suites of TLS 1.3",
            fields: [
                "tls:", "  minimum-version: tls1.3",
                "  cipher-suites:",
                "    - TLS_AES_128_GCM_SHA256",
                "    - TLS_AES_256_GCM_SHA384",
                "    - TLS_CHACHA20_POLY1305_SHA256",
            ], unmet: []),
        Row(
            testDescription: "a suite that BoringSSL does not have",
            fields: [
                "tls: { maximum-version: tls1.2, cipher-suites: [TLS_ECDHE_ECDSA_WITH_AES_256_CCM] }"
            ],
            unmet: ["no-cipher-suite every"]),
        Row(
            testDescription: "a group that BoringSSL does not have",
            fields: ["tls: { groups: [x448] }"], unmet: ["group every"]),
        Row(
            testDescription: "one group that it has",
            fields: ["tls: { groups: [x448, x25519] }"], unmet: []),
        Row(
            testDescription: "a scheme that BoringSSL does not verify",
            fields: ["tls: { signature-schemes: [ed448] }"], unmet: ["signature-scheme every"]),
        Row(
            testDescription: "a protocol that the program does not speak",
            fields: ["tls: { alpn: [h2] }"], unmet: ["alpn every"], protocols: ["http/1.1"]),
        Row(
            testDescription: "only the end entity is seen",
            fields: [], unmet: ["presented-chain some"], chain: .endEntity),
        Row(
            testDescription: "only the end entity is seen, and the set has the issuers",
            fields: [], unmet: [], chain: .endEntity, anchors: "acme-with-issuers"),
    ]

    @Test(arguments: rows)
    func whatCannotBeMetIsNamed(_ row: Row) throws {
        let store = try Self.world.store(
            rules: World.rule("a", host: Self.host, anchors: row.anchors, fields: row.fields))
        let limits = IntegrationLimits(
            chain: row.chain, applicationProtocols: row.protocols, evidence: row.evidence)
        let unmet = limits.unmetDemands(
            of: store.snapshot.engine, for: .everyHost, at: World.judgedAt)
        #expect(unmet.map { "\($0.demand.rawValue) \($0.reach.rawValue)" } == row.unmet)
        for demand in unmet {
            #expect(demand.ruleID == "a")
            #expect(demand.sentence.hasPrefix("rule `a`: "))
            #expect(demand.sentence.contains("; help: "))
        }
    }

    @Test func everyLoadIsReportedInTheLog() throws {
        let store = try Self.world.store(rules: World.rule("a", host: Self.host))
        let log = LogLines()
        var settings = HandshakeSettings.atTestTime
        settings.logger = Logger(label: "test") { _ in log }
        var client: HawserClientTLS? = try HawserClientTLS(store: store, settings: settings)
        #expect(log.lines.isEmpty)
        let bad = try Self.world.table(
            rules: ["a", "b"].map {
                World.rule($0, host: "\($0).nio.example", fields: ["tls: { groups: [x448] }"])
            }.joined(separator: "\n"))
        store.offer(bad, origin: "test")
        #expect(log.lines == ["warning group 2"])
        // It ends with the client that asked for it.
        withExtendedLifetime(client) {}
        client = nil
        let other = try Self.world.table(
            rules: World.rule("a", host: Self.host, fields: ["tls: { groups: [x448] }"]))
        store.offer(other, origin: "test")
        #expect(log.lines.count == 1)
    }

    @Test func aStoreMayRefuseTablesThatCannotBeMet() throws {
        var configuration = PolicyStore.Configuration()
        configuration.admission = IntegrationLimits(chain: .whole).admission(for: .everyHost) {
            World.judgedAt
        }
        configuration.logger = Logger(label: "test") { _ in LogLines() }
        let store = try PolicyStore(
            table: Self.world.table(rules: World.rule("a", host: Self.host)),
            configuration: configuration)
        let bad = try Self.world.table(
            rules: World.rule("a", host: Self.host, fields: ["tls: { groups: [x448] }"]))
        guard case .refused(let refusal) = store.offer(bad, origin: "test") else {
            return #expect(Bool(false))
        }
        #expect(refusal.code == "not-admitted")
        #expect(refusal.context.contains("`tls.groups` has no group that NIOSSL has"))
        #expect(store.snapshot.epoch == 1)
    }

    @Test func aProgramMayRefuseWhatCannotBeMet() async throws {
        let fields = ["tls: { groups: [x448] }"]
        var settings = HandshakeSettings.atTestTime
        settings.unmetDemands = .refuse
        settings.hosts = .hosts([AskedHost(Self.host)])
        settings.logger = Logger(label: "test") { _ in LogLines() }
        let bad = try Self.world.store(
            rules: World.rule("a", host: Self.host, fields: fields))
        let refusal = #expect(throws: UnmetDemandsError.self) {
            _ = try HawserClientTLS(store: bad, settings: settings)
        }
        #expect(refusal?.demands.map(\.demand) == [.group])

        let store = try Self.world.store(rules: World.rule("a", host: Self.host))
        let client = try HawserClientTLS(store: store, settings: settings)
        store.offer(bad.snapshot.engine.table.bytes, origin: "test")
        let server = try await LoopbackServer(
            .server(Self.world.chain(Self.host)), group: ClientTests.group)
        let failure = await #expect(throws: HawserTLSError.self) {
            _ = try await client.connect(
                ClientBootstrap(group: ClientTests.group), host: Self.host, port: 443,
                address: server.address
            ).get()
        }
        #expect(failure?.code == .demandsUnmet)
        #expect(failure?.sentences.first?.contains("`tls.groups`") == true)
        try await server.stop()
    }
}

/// Whose rules a table is tested by.
@Suite struct AskedHostsTests {
    static let world = World()
    /// A rule that can be met, and one that cannot.
    static let rules = [
        World.rule("a", host: "a.nio.example"),
        World.rule("b", host: "b.nio.example", fields: ["tls: { groups: [x448] }"]),
    ].joined(separator: "\n")

    /// Hosts, and the rules among them whose demands cannot be met.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let hosts: AskedHosts
        let unmet: [String]
        init(_ name: String, _ hosts: AskedHosts, _ unmet: [String]) {
            (testDescription, self.hosts, self.unmet) = (name, hosts, unmet)
        }
    }

    static let rows = [
        Row("a host whose rule can be met", .hosts(["a.nio.example"]), []),
        Row("a host whose rule cannot be met", .hosts(["b.nio.example"]), ["b"]),
        Row(
            "one host at two ports under one rule",
            .hosts(["b.nio.example", AskedHost("b.nio.example", port: 8_443)]), ["b"]),
        Row("a host without a rule", .hosts(["c.nio.example"]), []),
        Row("no host", .hosts([]), []),
        Row("every host", .everyHost, ["b"]),
    ]

    @Test(arguments: rows)
    func aTableIsAdmittedByTheRulesOfTheHostsThatAreAsked(_ row: Row) throws {
        let limits = IntegrationLimits(chain: .whole)
        var configuration = PolicyStore.Configuration()
        configuration.logger = Recorded().logger
        configuration.admission = limits.admission(for: row.hosts) { World.judgedAt }
        let store = try PolicyStore(
            table: Self.world.table(rules: World.rule("a", host: "a.nio.example")),
            configuration: configuration)
        let offer = store.offer(try Self.world.table(rules: Self.rules), origin: "test")
        guard case .refused(let refusal) = offer else {
            return #expect(row.unmet.isEmpty, "\(offer)")
        }
        #expect(refusal.code == "not-admitted")
        #expect(!row.unmet.isEmpty)
        for rule in row.unmet { #expect(refusal.context.contains("rule `\(rule)`")) }
    }

    @Test(arguments: rows)
    func aClientStartsByTheRulesOfTheHostsThatAreAsked(_ row: Row) throws {
        let recorded = Recorded()
        var settings = recorded.settings()
        settings.unmetDemands = .refuse
        settings.hosts = row.hosts
        let store = try Self.world.store(rules: Self.rules)
        do throws(UnmetDemandsError) {
            _ = try HawserClientTLS(store: store, settings: settings)
            #expect(row.unmet.isEmpty)
        } catch {
            #expect(error.demands.map(\.ruleID) == row.unmet)
        }
        // The log says no more than concerns the service.
        #expect(
            recorded.lines.contains { $0.metadata["demand"] == "group" } == !row.unmet.isEmpty)
    }

    /// A host that is not on the list is tested when it is asked for.
    @Test(arguments: [.hosts(["a.nio.example"]), nil] as [AskedHosts?])
    func aHostThatWasNotListedIsRefusedWhenItIsAskedFor(hosts: AskedHosts?) async throws {
        var settings = Recorded().settings()
        settings.unmetDemands = .refuse
        settings.hosts = hosts
        let client = try HawserClientTLS(
            store: try Self.world.store(rules: Self.rules), settings: settings)
        let server = try await LoopbackServer(
            .server(Self.world.chain("a.nio.example")), group: ClientTests.group)
        let failure = await #expect(throws: HawserTLSError.self) {
            _ = try await client.connect(
                ClientBootstrap(group: ClientTests.group), host: "b.nio.example", port: 443,
                address: server.address
            ).get()
        }
        #expect(failure?.code == .demandsUnmet)
        #expect(server.accepted == 0)
        let connection = try await client.connect(
            ClientBootstrap(group: ClientTests.group), host: "a.nio.example", port: 443,
            address: server.address
        ).get()
        try await connection.channel.close()
        try await server.stop()
    }

    @Test(arguments: [("a.nio.example", true), ("b.nio.example", false)])
    func aServerStartsByTheRuleOfItsOwnHost(host: String, starts: Bool) throws {
        var settings = Recorded().settings()
        settings.unmetDemands = .refuse
        settings.hosts = .everyHost
        let store = try Self.world.store(rules: Self.rules)
        do throws(UnmetDemandsError) {
            _ = try HawserServerTLS(
                store: store, host: host, port: 443, clients: .notAsked,
                base: .makeClientConfiguration(), settings: settings)
            #expect(starts)
        } catch {
            #expect(!starts && error.demands.map(\.ruleID) == ["b"])
        }
    }

    @Test func aListedHostWithoutARuleIsNamedInTheLog() throws {
        let recorded = Recorded()
        var settings = recorded.settings()
        settings.hosts = .hosts(["a.nio.example", "c.nio.example:443", "d.nio.example"])
        let store = try Self.world.store(rules: World.rule("a", host: "a.nio.example"))
        _ = try HawserClientTLS(store: store, settings: settings)
        #expect(
            recorded.lines.map(\.message) == ["no rule decides for a host that this service asks"])
        #expect(recorded.lines.first?.metadata["hosts"] == "2")
        #expect(recorded.lines.first?.metadata["first"] == "c.nio.example:443:443")
    }
}

/// Keeps what is logged.
final class LogLines: LogHandler, Sendable {
    private let kept = Mutex<[String]>([])
    var lines: [String] { kept.withLock { $0 } }

    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        let demand = event.metadata?["demand"].map { " \($0)" } ?? ""
        let rules = event.metadata?["rules"].map { " \($0)" } ?? ""
        kept.withLock { $0.append("\(event.level)\(demand)\(rules)") }
    }
}
