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

/// Clients against servers on loopback.
@Suite struct ClientTests {
    static let group = MultiThreadedEventLoopGroup.singleton
    static let world = World()

    /// A connection to a server by a rule, from its first octet to its answer.
    struct Stage {
        let store: PolicyStore
        let server: LoopbackServer
        let client: HawserClientTLS

        init(
            rules: String, chain: [Minted], settings: HandshakeSettings = .atTestTime,
            server change: (inout TLSConfiguration) -> Void = { _ in }
        ) async throws {
            store = try world.store(rules: rules)
            var configuration = try TLSConfiguration.server(chain)
            change(&configuration)
            server = try await LoopbackServer(configuration, group: group)
            client = try HawserClientTLS(store: store, settings: settings)
        }

        func connect(_ host: String) async throws -> TrustedConnection {
            try await client.connect(
                ClientBootstrap(group: group), host: host, port: 443, address: server.address
            ).get()
        }

        /// The error that a connection ends with.
        func refusal(_ host: String) async throws -> HawserTLSError {
            do {
                let connection = try await connect(host)
                try await connection.channel.close()
                throw Unexpected.accepted
            } catch let error as HawserTLSError {
                return error
            }
        }
    }

    enum Unexpected: Error { case accepted }

    @Test func aGoodServerIsAcceptedAndTalkedTo() async throws {
        let host = "api.nio.example"
        let stage = try await Stage(
            rules: World.rule("api", host: host, pins: "right"),
            chain: Self.world.chain(host))
        let connection = try await stage.connect(host)
        let handshake = connection.handshake
        #expect(handshake.verdict.isAccept)
        #expect(handshake.epoch == 1)
        #expect(handshake.ruleID == "api")
        // The whole chain came through, in its order.
        #expect(handshake.request.presentedChain == Self.world.chain(host).map(\.der))
        #expect(
            handshake.request.tls
                == .enforced(
                    TLSParameters(version: .tls13), ruleID: "api",
                    policyDigest: stage.store.snapshot.engine.table.policyDigest))
        let reply = ReplyHandler(5, on: connection.channel.eventLoop)
        try await connection.channel.pipeline.addHandler(reply)
        try await connection.channel.writeAndFlush(ByteBuffer(string: "hello"))
        #expect(try await reply.answer.get() == Array("hello".utf8))
        try await connection.channel.close()
    }

    /// What is refused, and the violation that says so.
    struct Refused: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let rule: String
        let chain: [Minted]
        let violation: String

        init(_ name: String, _ rule: String, _ chain: [Minted], _ violation: String) {
            (testDescription, self.rule, self.chain, self.violation) = (
                name, rule, chain, violation
            )
        }
    }

    static let host = "a.nio.example"

    static var refused: [Refused] {
        let plain = World.rule("a", host: host)
        let other = Scenario().root("Other Root", key: .p256("other root"))
        return [
            Refused(
                "another key than the pinned one", World.rule("a", host: host, pins: "wrong"),
                world.chain(host), "pin-mismatch"),
            Refused(
                "another name", plain, world.chain("b.nio.example"), "name-mismatch"),
            Refused(
                "a root that nobody trusts", plain,
                [other.issueLeaf(dns: [host]), other.certificate], "anchor-not-trusted"),
            Refused(
                "an intermediate kept back", plain, [world.chain(host)[0]], "issuer-not-found"),
            Refused(
                "an end entity that has ended", plain,
                [
                    world.issuing.issueLeaf(
                        dns: [host], notBefore: .at("2026-01-01"), notAfter: .at("2026-05-01")),
                    world.issuing.certificate,
                ], "expired"),
        ]
    }

    @Test(arguments: refused)
    func aRefusedServerSaysWhyWhereverTheProgramLooks(_ refused: Refused) async throws {
        let stage = try await Stage(rules: refused.rule, chain: refused.chain)
        let reply = Mutex<ReplyHandler?>(nil)
        let written = Mutex<EventLoopFuture<Void>?>(nil)
        let box = Boxed(reply: reply, written: written)
        let connected = stage.client.connect(
            ClientBootstrap(group: Self.group), host: Self.host, port: 443,
            address: stage.server.address
        ) { channel in
            channel.eventLoop.makeCompletedFuture {
                let handler = ReplyHandler(1, on: channel.eventLoop)
                try channel.pipeline.syncOperations.addHandler(handler)
                box.reply.withLock { $0 = handler }
                // Written before there is a connection: it must wait for the verdict.
                box.written.withLock {
                    $0 = channel.writeAndFlush(ByteBuffer(string: "secret"))
                }
            }
        }
        let failure = await #expect(throws: HawserTLSError.self) { _ = try await connected.get() }
        #expect(failure?.code == .rejected)
        #expect(failure?.violations.first?.id == refused.violation)
        #expect(failure?.sentences.isEmpty == false)
        #expect(failure?.epoch == 1)
        #expect(failure?.ruleID == "a")
        // What was asked gives the same verdict again.
        let request = try #require(failure?.request)
        #expect(stage.store.snapshot.judge(request).verdict == failure?.verdict)
        // The write and the pipeline say the same.
        let write = await #expect(throws: HawserTLSError.self) {
            try await box.written.withLock({ $0 })?.get()
        }
        #expect(write == failure)
        let handler = try #require(box.reply.withLock { $0 })
        let answered = await #expect(throws: HawserTLSError.self) { try await handler.answer.get() }
        #expect(answered == failure)
        #expect(stage.server.received == 0)
    }

    private final class Boxed: Sendable {
        let reply: Mutex<ReplyHandler?>
        let written: Mutex<EventLoopFuture<Void>?>
        init(
            reply: consuming sending Mutex<ReplyHandler?>,
            written: consuming sending Mutex<EventLoopFuture<Void>?>
        ) {
            self.reply = reply
            self.written = written
        }
    }

    @Test(arguments: ["unknown.nio.example", "not a host", "127.1"])
    func aHostWithoutARuleIsNotConnectedTo(_ host: String) async throws {
        let stage = try await Stage(
            rules: World.rule("a", host: Self.host), chain: Self.world.chain(Self.host))
        let handler = Mutex<(any Error)?>(nil)
        do {
            _ = try await stage.connect(host)
        } catch {
            handler.withLock { $0 = error }
        }
        let failure = try #require(handler.withLock { $0 } as? HawserTLSError)
        #expect(failure.code == .rejected)
        #expect(failure.ruleID == nil)
        #expect(
            failure.violations.map(\.id)
                == [host == "unknown.nio.example" ? "no-applicable-rule" : "bad-host"])
    }

    @Test func whatWaitsForTheVerdictIsSentInItsOrder() async throws {
        let stage = try await Stage(
            rules: World.rule("a", host: Self.host), chain: Self.world.chain(Self.host))
        let answers = Mutex<ReplyHandler?>(nil)
        let box = Boxed(reply: answers, written: Mutex(nil))
        let connection = try await stage.client.connect(
            ClientBootstrap(group: Self.group), host: Self.host, port: 443,
            address: stage.server.address
        ) { channel in
            channel.eventLoop.makeCompletedFuture {
                let handler = ReplyHandler(6, on: channel.eventLoop)
                try channel.pipeline.syncOperations.addHandler(handler)
                box.reply.withLock { $0 = handler }
                channel.write(ByteBuffer(string: "1"), promise: nil)
                channel.writeAndFlush(ByteBuffer(string: "2"), promise: nil)
                // Not flushed yet when the verdict comes.
                channel.write(ByteBuffer(string: "3"), promise: nil)
            }
        }.get()
        connection.channel.writeAndFlush(ByteBuffer(string: "456"), promise: nil)
        let handler = try #require(box.reply.withLock { $0 })
        #expect(try await handler.answer.get() == Array("123456".utf8))
        try await connection.channel.close()
    }

    // MARK: TLS by the rule

    @Test func theVersionsOfTheRuleAreOffered() async throws {
        let old = try await Stage(
            rules: World.rule("a", host: Self.host, fields: ["tls: { maximum-version: tls1.2 }"]),
            chain: Self.world.chain(Self.host))
        let connection = try await old.connect(Self.host)
        guard case .enforced(let parameters, _, _) = connection.handshake.request.tls else {
            return #expect(Bool(false), "\(connection.handshake.request.tls)")
        }
        #expect(parameters.version == .tls12)
        try await connection.channel.close()

        let new = try await Stage(
            rules: World.rule("a", host: Self.host, fields: ["tls: { minimum-version: tls1.3 }"]),
            chain: Self.world.chain(Self.host)
        ) { $0.maximumTLSVersion = .tlsv12 }
        await #expect(throws: NIOSSLError.self) { _ = try await new.connect(Self.host) }
    }

    @Test func groupsSuitesAndSchemesOfTheRuleAreEnforced() async throws {
        let fields = [
            "tls:", "  forward-secrecy: required", "  maximum-version: tls1.2",
            "  cipher-suites: [TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384]",
            "  groups: [secp256r1]", "  signature-schemes: [ecdsa_secp256r1_sha256]",
        ]
        let rules = World.rule("a", host: Self.host, fields: fields)
        let stage = try await Stage(rules: rules, chain: Self.world.chain(Self.host))
        let connection = try await stage.connect(Self.host)
        #expect(
            connection.handshake.request.tls
                == .enforced(
                    TLSParameters(version: .tls12), ruleID: "a",
                    policyDigest: stage.store.snapshot.engine.table.policyDigest))
        try await connection.channel.close()
        for change: (inout TLSConfiguration) -> Void in [
            { $0.curves = [.secp384r1] },
            { $0.cipherSuiteValues = [.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256] },
        ] {
            let other = try await Stage(
                rules: rules, chain: Self.world.chain(Self.host), server: change)
            await #expect(throws: NIOSSLError.self) { _ = try await other.connect(Self.host) }
        }
        let rsa = try await Stage(
            rules: rules, chain: Self.world.chain(Self.host, key: .rsa2048("nio rsa")))
        await #expect(throws: NIOSSLError.self) { _ = try await rsa.connect(Self.host) }
    }

    @Test func someSuitesOfTLS13AndNotAllAreRefused() async throws {
        let stage = try await Stage(
            rules: World.rule(
                "a", host: Self.host,
                fields: [
                    "tls: { cipher-suites: [TLS_AES_256_GCM_SHA384, "
                        + "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384] }"
                ]),
            chain: Self.world.chain(Self.host))
        let failure = try await stage.refusal(Self.host)
        #expect(failure.violations.map(\.id) == ["tls-not-supplied"])
        #expect(failure.violations.first?["parameter"]?.text == "cipher-suite")
    }

    @Test func aProtocolThatTheRuleDemandsMustBeAgreedOn() async throws {
        let rules = World.rule("a", host: Self.host, fields: ["tls: { alpn: [h2] }"])
        let good = try await Stage(rules: rules, chain: Self.world.chain(Self.host)) {
            $0.applicationProtocols = ["h2"]
        }
        let connection = try await good.connect(Self.host)
        #expect(connection.handshake.negotiatedProtocol == "h2")
        try await connection.channel.close()
        // This server leaves it open.
        let silent = try await Stage(rules: rules, chain: Self.world.chain(Self.host))
        let failure = try await silent.refusal(Self.host)
        #expect(failure.violations.map(\.id) == ["tls-parameter"])
    }

    // MARK: Epochs

    @Test func aTableThatIsSwappedHoldsForTheNextConnection() async throws {
        let stage = try await Stage(
            rules: World.rule("a", host: Self.host, pins: "right"),
            chain: Self.world.chain(Self.host))
        let before = try await stage.connect(Self.host)
        #expect(before.handshake.epoch == 1)
        _ = stage.store.offer(
            try Self.world.table(rules: World.rule("a", host: Self.host, pins: "wrong")),
            origin: "test")
        let failure = try await stage.refusal(Self.host)
        #expect(failure.epoch == 2)
        #expect(failure.violations.first?.id == "pin-mismatch")
        // A connection that stands is the program's to end: it has the epoch.
        #expect(before.channel.isActive)
        try await before.channel.close()
    }

    // MARK: Peers that do not finish

    @Test func aPeerThatSaysNothingIsGivenUp() async throws {
        let store = try Self.world.store(rules: World.rule("a", host: Self.host))
        var settings = HandshakeSettings.atTestTime
        settings.timeout = .milliseconds(20)
        let client = try HawserClientTLS(store: store, settings: settings)
        let silent = try await ServerBootstrap(group: Self.group)
            .childChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0).get()
        let failure = await #expect(throws: HawserTLSError.self) {
            _ = try await client.connect(
                ClientBootstrap(group: Self.group), host: Self.host, port: 443,
                address: silent.localAddress!
            ).get()
        }
        #expect(failure?.code == .timedOut)
        try await silent.close()
    }

    @Test func everyVerdictIsHandedToTheProgram() async throws {
        let seen = Mutex<[String]>([])
        let box = Seen(seen)
        var settings = HandshakeSettings.atTestTime
        settings.onVerdict = { handshake, snapshot in
            let again = snapshot.judge(handshake.request).verdict
            box.lines.withLock {
                $0.append("\(handshake.verdict.isAccept) \(again == handshake.verdict)")
            }
        }
        let good = try await Stage(
            rules: World.rule("a", host: Self.host), chain: Self.world.chain(Self.host),
            settings: settings)
        try await good.connect(Self.host).channel.close()
        let bad = try await Stage(
            rules: World.rule("a", host: Self.host), chain: Self.world.chain("b.nio.example"),
            settings: settings)
        _ = try await bad.refusal(Self.host)
        #expect(box.lines.withLock { $0 } == ["true true", "false true"])
    }

    private final class Seen: Sendable {
        let lines: Mutex<[String]>
        init(_ lines: consuming sending Mutex<[String]>) { self.lines = lines }
    }
}

extension HandshakeSettings {
    /// Settings that judge at the tests' instant.
    static var atTestTime: HandshakeSettings { HandshakeSettings(clock: { World.judgedAt }) }
}
