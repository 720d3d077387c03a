import Hawser
import HawserNIO
import NIOCore
import NIOPosix
import NIOSSL
import NIOWorld
import Synchronization
import TestPKI
import Testing
import TrustEngine

/// Servers that take their TLS from a rule, and that judge their clients.
@Suite struct ServerTests {
    static let group = MultiThreadedEventLoopGroup.singleton
    static let world = World()
    static let host = "api.nio.example"
    static let clients = "clients.nio.example"

    static func client(_ name: String, purpose: String = OID.clientAuth) -> [Minted] {
        [
            world.issuing.issueLeaf(dns: [name]) { $0.set(.extendedKeyUsage([purpose])) },
            world.issuing.certificate,
        ]
    }

    /// Connects with a certificate of the client's, trusting the server blindly, and sends an
    /// octet.
    /// - Returns: what came back, or nil where the server ended the connection.
    static func talk(to server: LoopbackServer, as chain: [Minted]?) async throws -> [UInt8]? {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        if let chain {
            let own = try TLSConfiguration.server(chain)
            configuration.certificateChain = own.certificateChain
            configuration.privateKey = own.privateKey
        }
        let context = try NIOSSLContext(configuration: configuration)
        let channel = try await ClientBootstrap(group: group)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: host))
                }
            }
            .connect(to: server.address).get()
        let reply = ReplyHandler(1, on: channel.eventLoop)
        do {
            try await channel.pipeline.addHandler(reply)
            try await channel.writeAndFlush(ByteBuffer(string: "x"))
        } catch {
            return nil
        }
        let answer = try? await reply.answer.get()
        try? await channel.close()
        return answer
    }

    @Test func aServerOffersWhatTheRuleOfItsHostAllows() async throws {
        let store = try Self.world.store(
            rules: World.rule(
                "api", host: Self.host, fields: ["tls: { maximum-version: tls1.2, alpn: [h2] }"]))
        let tls = try HawserServerTLS(
            store: store, host: Self.host, port: 443, clients: .notAsked,
            base: .server(Self.world.chain(Self.host)), settings: .atTestTime)
        let server = try await LoopbackServer(group: Self.group) { try tls.addHandlers(to: $0) }
        let client = try HawserClientTLS(store: store, settings: .atTestTime)
        let connection = try await client.connect(
            ClientBootstrap(group: Self.group), host: Self.host, port: 443, address: server.address
        ).get()
        #expect(connection.handshake.negotiatedProtocol == "h2")
        guard case .enforced(let parameters, _, _) = connection.handshake.request.tls else {
            return #expect(Bool(false))
        }
        #expect(parameters.version == .tls12)
        try await connection.channel.close()
        try await server.stop()
    }

    @Test func clientsAreJudgedByTheRuleOfTheNameThatStandsForThem() async throws {
        let store = try Self.world.store(
            rules: World.rule(
                "clients", host: Self.clients,
                fields: [
                    "path: { key-purposes: [client-auth] }",
                    "identity: { reference: listed, dns: [billing.nio.example] }",
                ]))
        let seen = Mutex<[String]>([])
        let box = Lines(seen)
        var settings = HandshakeSettings.atTestTime
        settings.onVerdict = { handshake, _ in
            let line =
                handshake.verdict.isAccept
                ? "accept" : handshake.verdict.violations.map(\.id).joined(separator: " ")
            box.lines.withLock { $0.append(line) }
        }
        let tls = try HawserServerTLS(
            store: store, host: Self.clients, port: 443, clients: .judged,
            base: .server(Self.world.chain(Self.host)), settings: settings)
        let server = try await LoopbackServer(group: Self.group) { try tls.addHandlers(to: $0) }
        let x = Array("x".utf8)
        #expect(try await Self.talk(to: server, as: Self.client("billing.nio.example")) == x)
        #expect(try await Self.talk(to: server, as: Self.client("other.nio.example")) == nil)
        #expect(
            try await Self.talk(
                to: server, as: Self.client("billing.nio.example", purpose: OID.serverAuth)) == nil)
        // Nobody is judged who shows nothing, and nobody is let in.
        #expect(try await Self.talk(to: server, as: nil) == nil)
        #expect(
            box.lines.withLock { $0 } == ["accept", "name-mismatch", "purpose-not-allowed"])
        #expect(server.received == 1)
        try await server.stop()
    }

    /// A resumed session shows no certificate. NIOSSL's clients resume nothing; others do.
    @Test(.enabled(if: OpenSSLClient.command != nil))
    func aServerThatJudgesItsClientsResumesNoSession() async throws {
        let store = try Self.world.store(
            rules: World.rule(
                "clients", host: Self.clients,
                fields: [
                    "path: { key-purposes: [client-auth] }",
                    "identity: { reference: listed, dns: [billing.nio.example] }",
                ]))
        for (kind, second) in [
            (HawserServerTLS.Clients.notAsked, "Reused"), (.judged, "New"),
        ] {
            let tls = try HawserServerTLS(
                store: store, host: Self.clients, port: 443, clients: kind,
                base: .server(Self.world.chain(Self.host)), settings: .atTestTime)
            let server = try await LoopbackServer(group: Self.group) {
                try tls.addHandlers(to: $0)
            }
            let client = try OpenSSLClient(chain: Self.client("billing.nio.example"))
            #expect(try client.connect(port: server.port, session: .kept) == "New")
            #expect(try client.connect(port: server.port, session: .offered) == second)
            try await server.stop()
        }
    }

    @Test func aServerWithoutARuleServesNobody() async throws {
        let store = try Self.world.store(rules: World.rule("api", host: Self.host))
        let tls = try HawserServerTLS(
            store: store, host: "other.nio.example", port: 443, clients: .notAsked,
            base: .server(Self.world.chain(Self.host)), settings: .atTestTime)
        let server = try await LoopbackServer(group: Self.group) { try tls.addHandlers(to: $0) }
        #expect(try await Self.talk(to: server, as: nil) == nil)
        try await server.stop()
    }

    private final class Lines: Sendable {
        let lines: Mutex<[String]>
        init(_ lines: consuming sending Mutex<[String]>) { self.lines = lines }
    }
}
