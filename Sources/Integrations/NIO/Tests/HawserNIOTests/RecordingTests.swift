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

/// What is kept of verdicts, above all of those that come before a handshake.
@Suite struct RecordingTests {
    static let group = MultiThreadedEventLoopGroup.singleton
    static let world = World()
    static let host = "a.nio.example"

    /// A connection that is refused, and what is kept of the refusal.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var host = RecordingTests.host
        var fields: [String] = []
        var rule: String? = "a"
        var staleness = Staleness.never
        var unmetDemands = HandshakeSettings.UnmetDemandHandling.log
        let code: HawserTLSError.Code
        let violation: String
        /// Whether the peer is never connected to.
        var isEarly = true
    }

    static let rows = [
        Row(
            testDescription: "no rule", host: "unknown.nio.example", rule: nil, code: .rejected,
            violation: "no-applicable-rule"),
        Row(
            testDescription: "a host that cannot be read", host: "not a host", rule: nil,
            code: .rejected, violation: "bad-host"),
        Row(
            testDescription: "a demand that cannot be met", fields: ["tls: { groups: [x448] }"],
            unmetDemands: .refuse, code: .demandsUnmet, violation: "nothing-presented"),
        Row(
            testDescription: "a stale table", staleness: .reject(after: .seconds(10)),
            code: .rejected, violation: "table-stale", isEarly: false),
        Row(
            testDescription: "a rejected chain", fields: ["pins: [wrong]"], code: .rejected,
            violation: "pin-mismatch", isEarly: false),
    ]

    @Test(arguments: rows)
    func everyRefusalLeavesAVerdictAReceiptAReportAndALine(_ row: Row) async throws {
        var configuration = PolicyStore.Configuration()
        configuration.clock = { World.judgedAt.advanced(by: .seconds(-60)) }
        configuration.staleness = row.staleness
        let store = try PolicyStore(
            table: Self.world.table(
                rules: World.rule("a", host: Self.host, fields: row.fields)),
            configuration: configuration)
        let server = try await LoopbackServer(
            .server(Self.world.chain(Self.host)), group: Self.group)
        let recorded = Recorded()
        var settings = recorded.settings()
        settings.unmetDemands = row.unmetDemands
        let client = try HawserClientTLS(store: store, settings: settings)
        let failure = await #expect(throws: HawserTLSError.self) {
            _ = try await client.connect(
                ClientBootstrap(group: Self.group), host: row.host, port: 443,
                address: server.address
            ).get()
        }
        #expect(failure?.code == row.code)
        #expect(recorded.verdicts.count == 1)
        let verdict = try #require(recorded.verdicts.first)
        #expect(verdict.refusal == failure)
        #expect(!verdict.verdict.isAccept)
        #expect(verdict.verdict.violations.map(\.id).contains(row.violation))
        #expect(verdict.ruleID == row.rule)
        #expect(verdict.host == row.host)
        #expect(recorded.receipts.count == 1)
        #expect(recorded.receipts.first?.host == .text(row.host))
        #expect(recorded.receipts.first?.isAccept == false)
        #expect(recorded.reports.count == 1)
        #expect(recorded.reports.first?.host == row.host)
        #expect(recorded.refusals.count == 1)
        let line = try #require(recorded.refusals.first)
        #expect(line["host"] == "\(row.host)")
        #expect(line["code"] == "\(row.code.rawValue)")
        let receipt = try #require(recorded.receipts.first)
        #expect(line["id"] == receipt.id.map { "\($0)" } && receipt.id != nil)
        #expect(line["side"] != nil && line["rule"] == row.rule.map { "\($0)" })
        #expect(line["reason"] == failure.map { "\($0.sentences.joined(separator: "; "))" })
        #expect(server.accepted == (row.isEarly ? 0 : 1))
        try await server.stop()
    }

    /// SwiftNIO tries every address of a name, and wraps the errors of all attempts.
    @Test func aNameWithoutARuleIsRefusedOnceBeforeItIsLookedUp() async throws {
        let store = try Self.world.store(rules: World.rule("a", host: Self.host))
        let recorded = Recorded()
        let client = try HawserClientTLS(store: store, settings: recorded.settings())
        // The second has no address anywhere.
        for (count, host) in ["localhost", "unknown.invalid"].enumerated() {
            let failure = await #expect(throws: HawserTLSError.self) {
                _ = try await client.connect(
                    ClientBootstrap(group: Self.group), host: host, port: 443
                ).get()
            }
            #expect(failure?.violations.map(\.id) == ["no-applicable-rule"])
            #expect(recorded.verdicts.count == count + 1)
        }
    }

    @Test func anAcceptLeavesAVerdictAndNoLine() async throws {
        let store = try Self.world.store(rules: World.rule("a", host: Self.host))
        let server = try await LoopbackServer(
            .server(Self.world.chain(Self.host)), group: Self.group)
        let recorded = Recorded()
        var configuration = VerdictRecording.Configuration()
        configuration.sampling.acceptsOneIn = 1
        let client = try HawserClientTLS(
            store: store, settings: recorded.settings(configuration))
        try await client.connect(
            ClientBootstrap(group: Self.group), host: Self.host, port: 443,
            address: server.address
        ).get().channel.close()
        #expect(recorded.verdicts.map(\.verdict.isAccept) == [true])
        #expect(recorded.verdicts.first?.refusal == nil)
        #expect(recorded.receipts.map(\.isAccept) == [true])
        #expect(recorded.reports.isEmpty)
        #expect(recorded.refusals.isEmpty)
        try await server.stop()
    }

    /// Where a rule demands a protocol, the verdict that counts comes after the handshake.
    @Test(arguments: [true, false])
    func aRuleThatDemandsAProtocolGivesOneVerdict(isAgreedOn: Bool) async throws {
        let store = try Self.world.store(
            rules: World.rule("a", host: Self.host, fields: ["tls: { alpn: [h2] }"]))
        var tls = try TLSConfiguration.server(Self.world.chain(Self.host))
        if isAgreedOn { tls.applicationProtocols = ["h2"] }
        let server = try await LoopbackServer(tls, group: Self.group)
        let recorded = Recorded()
        let client = try HawserClientTLS(store: store, settings: recorded.settings())
        let connected = client.connect(
            ClientBootstrap(group: Self.group), host: Self.host, port: 443,
            address: server.address)
        if isAgreedOn {
            try await connected.get().channel.close()
        } else {
            await #expect(throws: HawserTLSError.self) { _ = try await connected.get() }
        }
        #expect(recorded.verdicts.map(\.verdict.isAccept) == [isAgreedOn])
        #expect(recorded.verdicts.first?.negotiatedProtocol == (isAgreedOn ? "h2" : nil))
        try await server.stop()
    }

    @Test func oneRecordingServesClientsAndServers() async throws {
        let store = try Self.world.store(rules: World.rule("a", host: Self.host))
        let recorded = Recorded()
        var configuration = VerdictRecording.Configuration()
        configuration.linesPerMinute = 2
        configuration.sampling.rejectsPerMinute = 2
        configuration.reports.perMinute = 2
        let settings = recorded.settings(configuration)
        let client = try HawserClientTLS(store: store, settings: settings)
        let unruled = try HawserServerTLS(
            store: store, host: "server.nio.example", port: 443, clients: .judged,
            base: .server(Self.world.chain(Self.host)), settings: settings)
        let server = try await LoopbackServer(group: Self.group) {
            try unruled.addHandlers(to: $0)
        }
        // The server has no rule for itself, so it serves nobody.
        await #expect(throws: (any Error).self) {
            _ = try await client.connect(
                ClientBootstrap(group: Self.group), host: Self.host, port: 443,
                address: server.address
            ).get()
        }
        #expect(recorded.verdicts.map(\.host) == ["server.nio.example"])
        for index in 0..<3 {
            await #expect(throws: HawserTLSError.self) {
                _ = try await client.connect(
                    ClientBootstrap(group: Self.group), host: "b\(index).nio.example", port: 443
                ).get()
            }
        }
        // The limits hold for both together; no verdict is held back.
        let kept = ["server.nio.example", "b0.nio.example"]
        #expect(recorded.verdicts.map(\.host) == kept + ["b1.nio.example", "b2.nio.example"])
        #expect(recorded.receipts.map(\.host) == kept.map { .text($0) })
        #expect(recorded.reports.map(\.host) == kept)
        #expect(recorded.refusals.map { $0["host"] } == kept.map { "\($0)" })
        #expect(settings.recording.receiptCounters?.overLimit == 2)
        #expect(settings.recording.reportCounters?.overLimit == 2)
        try await server.stop()
    }

    @Test func aLaterLineSaysHowManyWereLeftOut() async throws {
        let store = try Self.world.store(rules: World.rule("a", host: Self.host))
        let recorded = Recorded()
        var configuration = VerdictRecording.Configuration()
        configuration.linesPerMinute = 1
        let minute = Mutex<Int64>(0)
        let clock = Clock(minute)
        var settings = recorded.settings(configuration)
        settings.clock = {
            World.judgedAt.advanced(by: .seconds(60 * clock.minute.withLock { $0 }))
        }
        let client = try HawserClientTLS(store: store, settings: settings)
        for minute in [0, 0, 0, 1, 2] as [Int64] {
            clock.minute.withLock { $0 = minute }
            await #expect(throws: HawserTLSError.self) {
                _ = try await client.connect(
                    ClientBootstrap(group: Self.group), host: "b.nio.example", port: 443
                ).get()
            }
        }
        #expect(recorded.refusals.map { $0["left-out"] } == [nil, "2", nil])
    }

    private final class Clock: Sendable {
        let minute: Mutex<Int64>
        init(_ minute: consuming sending Mutex<Int64>) { self.minute = minute }
    }

    @Test func whatIsRedactedIsLeftOutOfEveryRecord() async throws {
        let store = try Self.world.store(
            rules: World.rule("a", host: Self.host, pins: "wrong"))
        let server = try await LoopbackServer(
            .server(Self.world.chain(Self.host)), group: Self.group)
        let recorded = Recorded()
        var configuration = VerdictRecording.Configuration()
        configuration.redaction = Redaction(host: .dropped, port: .dropped, chain: .dropped)
        let client = try HawserClientTLS(
            store: store, settings: recorded.settings(configuration))
        await #expect(throws: HawserTLSError.self) {
            _ = try await client.connect(
                ClientBootstrap(group: Self.group), host: Self.host, port: 443,
                address: server.address
            ).get()
        }
        let line = try #require(recorded.refusals.first)
        #expect(line["violations"] == ["pin-mismatch"])
        let texts =
            recorded.receipts.map(\.json) + recorded.reports.map(\.json)
            + line.map { "\($0.key) \($0.value)" }
        #expect(texts.count >= 3)
        for text in texts { #expect(!text.contains("nio.example") && !text.contains("443")) }
        try await server.stop()
    }
}
