import AsyncHTTPClient
import Hawser
import HawserAsyncHTTPClient
import HawserNIO
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWorld
import TestPKI
import Testing
import TrustEngine

/// HTTP clients against servers on loopback.
@Suite struct ClientTests {
    static let group = MultiThreadedEventLoopGroup.singleton
    static let world = World()
    static let host = "localhost"

    /// A server whose answers are good; `chain` is what it shows.
    static func server(_ chain: [Minted]) async throws -> PlainHTTPServer {
        let context = try NIOSSLContext(configuration: .server(chain))
        return try await PlainHTTPServer(
            group: group,
            tls: {
                try $0.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
            }
        ) { _ in .init("200 OK", body: Array("hello".utf8), staysOpen: true) }
    }

    static var settings: HandshakeSettings { HandshakeSettings(clock: { World.judgedAt }) }

    static func body(_ response: HTTPClientResponse) async throws -> String {
        String(buffer: try await response.body.collect(upTo: 1_024))
    }

    // MARK: The client that sees the whole chain

    @Test func aRequestGoesToAServerThatTheWholeChainVouchesFor() async throws {
        let server = try await Self.server(Self.world.chain(Self.host))
        let store = try Self.world.store(
            rules: World.rule(
                "a", host: "\(Self.host):\(server.port)", pins: "right",
                fields: ["tls: { groups: [secp384r1], minimum-version: tls1.3 }"]))
        let client = try HawserHTTPClient(store: store, settings: Self.settings)
        let url = "https://\(Self.host):\(server.port)/path?q=1#fragment"
        for _ in 0..<2 {
            let response = try await client.execute(
                HTTPClientRequest(url: url), timeout: .seconds(10))
            #expect(response.status == .ok)
            #expect(try await Self.body(response) == "hello")
        }
        let heads = server.seen
        #expect(heads.count == 2)
        #expect(heads[0].hasPrefix("GET /path?q=1 HTTP/1.1\r\n"))
        #expect(
            heads[0].split(separator: "\r\n").contains {
                $0.lowercased() == "host: \(Self.host):\(server.port)"
            })
        try await client.shutdown()
        try await server.stop()
    }

    @Test func aServerThatIsRefusedSeesNothingOfTheRequest() async throws {
        let server = try await Self.server(Self.world.chain(Self.host))
        let store = try Self.world.store(
            rules: World.rule("a", host: Self.host, pins: "wrong"))
        let client = try HawserHTTPClient(store: store, settings: Self.settings)
        let failure = await #expect(throws: HawserTLSError.self) {
            _ = try await client.execute(
                HTTPClientRequest(url: "https://\(Self.host):\(server.port)/"),
                timeout: .seconds(10))
        }
        #expect(failure?.violations.first?.id == "pin-mismatch")
        #expect(server.seen.isEmpty)
        // A host without a rule, and what is not TLS, get nowhere.
        let unknown = await #expect(throws: HawserTLSError.self) {
            _ = try await client.execute(
                HTTPClientRequest(url: "https://127.0.0.1:\(server.port)/"), timeout: .seconds(10))
        }
        #expect(unknown?.violations.first?.id == "no-applicable-rule")
        let plain = await #expect(throws: HawserHTTPClient.RequestError.self) {
            _ = try await client.execute(
                HTTPClientRequest(url: "http://localhost/"), timeout: .seconds(10))
        }
        #expect(plain?.code == .notHTTPS)
        try await client.shutdown()
        let late = await #expect(throws: HawserHTTPClient.RequestError.self) {
            _ = try await client.execute(
                HTTPClientRequest(url: "https://localhost/"), timeout: .seconds(10))
        }
        #expect(late?.code == .shutDown)
        try await server.stop()
    }

    @Test func pooledConnectionsEndWithTheirEpoch() async throws {
        let server = try await Self.server(Self.world.chain(Self.host))
        let store = try Self.world.store(rules: World.rule("a", host: Self.host, pins: "right"))
        let client = try HawserHTTPClient(store: store, settings: Self.settings)
        let request = HTTPClientRequest(url: "https://\(Self.host):\(server.port)/")
        let first = try await client.execute(request, timeout: .seconds(10))
        #expect(try await Self.body(first) == "hello")
        // The connection that stands in the pool was accepted, and does not count any more.
        store.offer(
            try Self.world.table(rules: World.rule("a", host: Self.host, pins: "wrong")),
            origin: "test")
        let failure = await #expect(throws: HawserTLSError.self) {
            _ = try await client.execute(request, timeout: .seconds(10))
        }
        #expect(failure?.epoch == 2)
        #expect(server.seen.count == 1)
        try await client.shutdown()
        try await server.stop()
    }

    /// One setting for both ways of making requests.
    @Test func aHostWithoutARuleLeavesAVerdictAReceiptAReportAndALine() async throws {
        let server = try await Self.server(Self.world.chain(Self.host))
        let store = try Self.world.store(rules: World.rule("a", host: "a.nio.example"))
        let recorded = Recorded()
        let settings = recorded.settings()
        let request = HTTPClientRequest(url: "https://\(Self.host):\(server.port)/")
        let whole = try HawserHTTPClient(store: store, settings: settings)
        // The name has no address, and is refused before anybody asks for one.
        for _ in 0..<2 {
            await #expect(throws: HawserTLSError.self) {
                _ = try await whole.execute(
                    HTTPClientRequest(url: "https://unknown.invalid/"), timeout: .seconds(10))
            }
        }
        #expect(recorded.verdicts.map(\.ruleID) == [nil, nil])
        #expect(recorded.receipts.count == 2)
        // The same report is made once.
        #expect(recorded.reports.map(\.violations.count) == [1])
        let violations: Logger.MetadataValue = ["no-applicable-rule"]
        #expect(recorded.refusals.map { $0["violations"] } == [violations, violations])

        let hooked = try Self.hooked(
            store, host: Self.host, port: server.port, settings: settings)
        await #expect(throws: HawserTLSError.self) {
            _ = try await hooked.execute(request, timeout: .seconds(10))
        }
        // Nothing was shown: the peer speaks in the clear.
        let plain = try await PlainHTTPServer(group: Self.group) { _ in .init("200 OK") }
        let cleartext = try Self.hooked(
            try Self.world.store(rules: World.rule("a", host: Self.host)), host: Self.host,
            port: plain.port, settings: settings)
        await #expect(throws: HawserTLSError.self) {
            _ = try await cleartext.execute(
                HTTPClientRequest(url: "http://\(Self.host):\(plain.port)/"),
                timeout: .seconds(10))
        }
        #expect(
            recorded.verdicts.dropFirst(2).map(\.refusal?.code) == [.rejected, .notJudged])
        #expect(recorded.receipts.count == 4)
        #expect(recorded.reports.count == 3)
        #expect(recorded.refusals.count == 4)
        try await whole.shutdown()
        try await hooked.shutdown()
        try await cleartext.shutdown()
        try await plain.stop()
        try await server.stop()
    }

    // MARK: The hook that sees the end entity

    /// A client of async-http-client's own whose verification knows the test root.
    static func hooked(
        _ store: PolicyStore, host: String, port: UInt16,
        settings: HandshakeSettings = settings
    ) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        var tls = TLSConfiguration.makeClientConfiguration()
        // The test chain's dates are over for BoringSSL, which has a clock of its own.
        tls.certificateVerification = .none
        configuration.tlsConfiguration = tls
        configuration.judgeEndEntities(by: store, host: host, port: port, settings: settings)
        return HTTPClient(
            eventLoopGroupProvider: .shared(group), configuration: configuration)
    }

    @Test(
        arguments: [
            ("acme-with-issuers", "right", nil), ("acme", "right", "issuer-not-found"),
            ("acme-with-issuers", "wrong", "pin-mismatch"),
        ] as [(String, String, String?)])
    func theHookJudgesByTheEndEntityAndThePolicysIssuers(
        anchors: String, pins: String, violation: String?
    ) async throws {
        let server = try await Self.server(Self.world.chain(Self.host))
        let store = try Self.world.store(
            rules: World.rule("a", host: Self.host, pins: pins, anchors: anchors))
        let client = try Self.hooked(store, host: Self.host, port: server.port)
        let request = HTTPClientRequest(url: "https://\(Self.host):\(server.port)/")
        if let violation {
            let failure = await #expect(throws: HawserTLSError.self) {
                _ = try await client.execute(request, timeout: .seconds(10))
            }
            #expect(failure?.violations.first?.id == violation)
            #expect(server.seen.isEmpty)
        } else {
            let response = try await client.execute(request, timeout: .seconds(10))
            #expect(try await Self.body(response) == "hello")
        }
        try await client.shutdown()
        try await server.stop()
    }

    @Test func theHookRefusesWhatItCannotSee() async throws {
        let server = try await Self.server(Self.world.chain(Self.host))
        let store = try Self.world.store(
            rules: World.rule(
                "a", host: Self.host, anchors: "acme-with-issuers",
                fields: ["tls: { groups: [x25519] }"]))
        let client = try Self.hooked(store, host: Self.host, port: server.port)
        let failure = await #expect(throws: HawserTLSError.self) {
            _ = try await client.execute(
                HTTPClientRequest(url: "https://\(Self.host):\(server.port)/"),
                timeout: .seconds(10))
        }
        #expect(failure?.violations.map(\.id) == ["tls-not-supplied"])
        #expect(failure?.violations.first?["parameter"]?.text == "group")
        // Without TLS there is nothing to judge, and so nothing is accepted.
        let plain = try await PlainHTTPServer(group: Self.group) { _ in .init("200 OK") }
        let cleartext = await #expect(throws: HawserTLSError.self) {
            _ = try await client.execute(
                HTTPClientRequest(url: "http://\(Self.host):\(plain.port)/"),
                timeout: .seconds(10))
        }
        #expect(cleartext?.code == .notJudged)
        #expect(plain.seen.isEmpty)
        try await client.shutdown()
        try await plain.stop()
        try await server.stop()
    }
}
