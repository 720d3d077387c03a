import AsyncHTTPClient
import Hawser
import HawserNIO
import Logging
import NIOCore
import NIOPosix
import NIOWorld
import Synchronization
import TestPKI
import Testing
import TrustEngine

@testable import HawserAsyncHTTPClient

/// A source that asks servers on loopback, good and bad ones.
@Suite struct TableSourceTests {
    static let group = MultiThreadedEventLoopGroup.singleton
    static let world = World()
    static let host = "a.nio.example"
    static let signer = TestKey.ed25519("nio signs tables")

    /// A table of this revision, signed; which pins it has makes its meaning.
    static func signed(_ revision: UInt64, pins: String = "right", by key: TestKey = signer) throws
        -> [UInt8]
    {
        let table = try world.table(rules: World.rule("a", host: host, pins: pins))
        let bare = try SignedTable(decoding: envelope(revision, [], table))
        let signature = key.sign(try #require(bare.signedMessage))
        let id = try TablePublicKey(raw: key.publicKeyBits).id.bytes
        return envelope(revision, [id + signature], table)
    }

    /// `grammar/signed-table.md`.
    private static func envelope(
        _ revision: UInt64, _ signatures: [[UInt8]], _ table: [UInt8]
    ) -> [UInt8] {
        func octets(_ number: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
        }
        let length = UInt64(48 + 96 * signatures.count + table.count)
        // Without dates.
        let terms = octets(0, 16)
        return [0x89, 0x48, 0x50, 0x53, 0x0D, 0x0A, 0x1A, 0x0A] + octets(1, 4)
            + octets(UInt64(signatures.count), 4) + octets(length, 8) + octets(revision, 8) + terms
            + signatures.flatMap { $0 } + table
    }

    /// A client that follows nothing. It lives as long as the tests do.
    static let client = HTTPClient(
        eventLoopGroupProvider: .shared(group),
        configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))

    static func store() throws -> PolicyStore {
        var configuration = PolicyStore.Configuration()
        configuration.trustedKeys = try TrustedKeys([
            TablePublicKey(raw: signer.publicKeyBits)
        ])
        configuration.clock = { World.judgedAt }
        return try PolicyStore(table: signed(1), configuration: configuration)
    }

    /// A store, a server with one answer after the other, and a source between them.
    struct Stage {
        let store: PolicyStore
        let server: PlainHTTPServer
        let source: HTTPTableSource

        init(
            _ answers: [PlainHTTPServer.Answer],
            _ change: (inout HTTPTableSource.Configuration) -> Void = { _ in }
        ) async throws {
            let left = Mutex(answers)
            let box = Answers(left)
            store = try TableSourceTests.store()
            server = try await PlainHTTPServer(group: group) { _ in
                box.left.withLock { $0.isEmpty ? .init("410 Gone") : $0.removeFirst() }
            }
            var configuration = HTTPTableSource.Configuration()
            configuration.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            change(&configuration)
            source = try HTTPTableSource(
                store: store, url: "http://127.0.0.1:\(server.port)/table?of=nio",
                client: TableSourceTests.client, configuration: configuration)
        }

        private final class Answers: Sendable {
            let left: Mutex<[PlainHTTPServer.Answer]>
            init(_ left: consuming sending Mutex<[PlainHTTPServer.Answer]>) { self.left = left }
        }

        /// The value of a field of the last request.
        func field(_ name: String) -> String? {
            server.seen.last?.split(separator: "\r\n")
                .first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }
    }

    // MARK: Good answers

    @Test func aNewTableIsPutInForceAndItsTagAskedForFromThenOn() async throws {
        let stage = try await Stage([
            .init("200 OK", ["ETag: \"one\""], body: Self.signed(2, pins: "wrong")),
            .init("304 Not Modified", ["ETag: \"one\""]),
            .init("200 OK", ["ETag: W/\"two\""], body: Self.signed(3)),
            .init("304 Not Modified"),
        ])
        #expect(await stage.source.poll().name == "installed")
        #expect(stage.field("If-None-Match") == nil)
        #expect(stage.field("Accept-Encoding") == "identity")
        #expect(stage.server.seen.last?.hasPrefix("GET /table?of=nio HTTP/1.1\r\n") == true)
        #expect(stage.store.snapshot.epoch == 2)
        #expect(stage.store.snapshot.revision == 2)
        #expect(await stage.source.poll().name == "confirmed")
        #expect(stage.field("If-None-Match") == "\"one\"")
        #expect(stage.store.state.counts.confirmed == 1)
        // The tag is another one, and so is the table.
        #expect(await stage.source.poll().name == "installed")
        #expect(await stage.source.poll().name == "confirmed")
        #expect(stage.field("If-None-Match") == "W/\"two\"")
        #expect(stage.store.snapshot.revision == 3)
        try await stage.server.stop()
    }

    @Test func theTableInForceIsConfirmedByItsOctetsToo() async throws {
        let stage = try await Stage([
            .init("200 OK", ["ETag: \"one\""], body: Self.signed(1)),
            .init("304 Not Modified"),
        ])
        #expect(await stage.source.poll().name == "unchanged")
        #expect(await stage.source.poll().name == "confirmed")
        #expect(stage.store.snapshot.epoch == 1)
        try await stage.server.stop()
    }

    @Test func aTagStandsForNothingOnceAnotherTableIsInForce() async throws {
        let stage = try await Stage([
            .init("200 OK", ["ETag: \"one\""], body: Self.signed(2)),
            .init("200 OK", ["ETag: \"one\""], body: Self.signed(2)),
        ])
        #expect(await stage.source.poll().name == "installed")
        stage.store.offer(try Self.signed(3, pins: "wrong"), origin: "elsewhere")
        let outcome = await stage.source.poll()
        #expect(stage.field("If-None-Match") == nil)
        guard case .offered(.refused(let refusal)) = outcome else {
            return #expect(Bool(false), "\(outcome)")
        }
        #expect(refusal.code == "older-revision")
        try await stage.server.stop()
    }

    // MARK: Bad answers

    /// An answer that does not count, and the code that says why.
    struct Bad: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let answer: PlainHTTPServer.Answer
        let code: String

        init(_ name: String, _ answer: PlainHTTPServer.Answer, _ code: String) {
            (testDescription, self.answer, self.code) = (name, answer, code)
        }
    }

    static func bad() throws -> [Bad] {
        let table = try signed(2, pins: "wrong")
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let chunk = String(table.count, radix: 16) + "\r\n"
        return [
            Bad("the server is down", .init("500 Internal Server Error"), "unexpected-status"),
            Bad("nothing is there", .init("404 Not Found", body: [0x41]), "unexpected-status"),
            Bad(
                "unchanged, and nobody asked for that", .init("304 Not Modified"),
                "unexpected-status"),
            Bad(
                "led elsewhere", .init("302 Found", ["Location: https://evil.example/t"]),
                "unexpected-status"),
            Bad(
                "coded on the way", .init("200 OK", ["Content-Encoding: gzip"], body: table),
                "encoded"),
            Bad(
                "shorter than it says", .init("200 OK", body: table, length: table.count + 100),
                "no-answer"),
            Bad(
                "cut within a chunk",
                .init(octets: Array(chunked.utf8) + Array(chunk.utf8) + table.prefix(200)),
                "no-answer"),
            Bad(
                "says that it is huge", .init("200 OK", body: table, length: 1 << 40),
                "too-large"),
            Bad("no HTTP", .init(octets: Array("SSH-2.0-hello\r\n".utf8)), "no-answer"),
            Bad("nothing at all", .init(octets: []), "no-answer"),
        ]
    }

    @Test func whatDoesNotCountChangesNothingAndSaysWhy() async throws {
        for bad in try Self.bad() {
            let stage = try await Stage([bad.answer]) { $0.largestTable = 1 << 20 }
            guard case .failed(let failure) = await stage.source.poll() else {
                #expect(Bool(false), "\(bad.testDescription)")
                continue
            }
            #expect(failure.code.rawValue == bad.code, "\(bad.testDescription): \(failure.context)")
            #expect(!failure.context.isEmpty)
            #expect(stage.store.state.lastFailed?.failure == failure)
            #expect(stage.store.snapshot.epoch == 1)
            try await stage.server.stop()
        }
    }

    @Test func anAnswerFromElsewhereDoesNotCount() async throws {
        let table = try Self.signed(2, pins: "wrong")
        let elsewhere = try await PlainHTTPServer(group: Self.group) { _ in
            .init("200 OK", body: table)
        }
        let store = try Self.store()
        let server = try await PlainHTTPServer(group: Self.group) { _ in
            .init("302 Found", ["Location: http://127.0.0.1:\(elsewhere.port)/"])
        }
        var configuration = HTTPTableSource.Configuration()
        configuration.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        // This client follows where it is led.
        let source = try HTTPTableSource(
            store: store, url: "http://127.0.0.1:\(server.port)/", client: .shared,
            configuration: configuration)
        guard case .failed(let failure) = await source.poll() else {
            return #expect(Bool(false))
        }
        #expect(failure.code == "redirected")
        #expect(store.snapshot.epoch == 1)
        try await server.stop()
        try await elsewhere.stop()
    }

    @Test func aTableThatGrowsBeyondTheLimitIsNotReadFurther() async throws {
        // Chunk after chunk without an end: what stops this is the limit.
        let chunk = "8000\r\n" + String(repeating: "x", count: 0x8000) + "\r\n"
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let stage = try await Stage([
            .init(
                octets: Array((head + String(repeating: chunk, count: 8)).utf8), staysOpen: true)
        ]) { $0.largestTable = 100_000 }
        guard case .failed(let failure) = await stage.source.poll() else {
            return #expect(Bool(false))
        }
        #expect(failure.code == "too-large")
        try await stage.server.stop()
    }

    @Test func anAnswerThatDoesNotEndIsGivenUp() async throws {
        let table = try Self.signed(2)
        let stage = try await Stage([
            .init("200 OK", body: Array(table.prefix(100)), length: table.count, staysOpen: true)
        ]) { $0.timeout = .milliseconds(50) }
        guard case .failed(let failure) = await stage.source.poll() else {
            return #expect(Bool(false))
        }
        #expect(failure.code == "timed-out")
        #expect(stage.store.snapshot.epoch == 1)
        try await stage.server.stop()
    }

    /// What the store has against tables that came whole.
    @Test func tablesThatTheStoreRefusesAreSaidToBe() async throws {
        let good = try Self.signed(2, pins: "wrong")
        var altered = good
        altered[altered.count - 40] ^= 1
        let rows: [(String, [UInt8])] = [
            ("unsigned", try Self.world.table(rules: World.rule("a", host: Self.host))),
            ("not-enough-signatures", try Self.signed(2, by: .ed25519("nio eve"))),
            ("same-revision-other-content", try Self.signed(1, pins: "wrong")),
            ("truncated", Array(good.dropLast(7))),
        ]
        let stage = try await Stage(
            rows.map { .init("200 OK", ["ETag: \"x\""], body: $0.1) }
                + [.init("200 OK", body: altered)])
        for (code, _) in rows {
            guard case .offered(.refused(let refusal)) = await stage.source.poll() else {
                #expect(Bool(false), "\(code)")
                continue
            }
            #expect(refusal.code.rawValue == code)
            // It is asked for again whole.
            #expect(stage.field("If-None-Match") == nil)
        }
        #expect(await stage.source.poll().name == "refused")
        #expect(stage.store.snapshot.epoch == 1)
        #expect(stage.store.state.counts.refused == 5)
        try await stage.server.stop()
    }

    // MARK: Conditions

    @Test func keysAreRequired() throws {
        let store = try Self.world.store(rules: World.rule("a", host: Self.host))
        let error = #expect(throws: HTTPTableSourceError.self) {
            _ = try HTTPTableSource(store: store, url: "https://x.example/", client: .shared)
        }
        #expect(error?.code == .keysRequired)
    }

    @Test(arguments: [
        "", "x", "ftp://x.example/", "https://", "https://a@x.example/", "https://x.example:0/",
        "https://x.example:99999/", "https://x .example/", "https://x.example\\@evil.example/",
        "https://[::1/",
    ])
    func aURLCanBeReadInOneWay(_ url: String) throws {
        let store = try Self.store()
        let error = #expect(throws: HTTPTableSourceError.self) {
            _ = try HTTPTableSource(store: store, url: url, client: .shared)
        }
        #expect(error?.code == .badURL)
    }

    @Test(arguments: [
        ("https://API.Acme.Example", "https api.acme.example 443 /", "api.acme.example"),
        ("HTTPS://a.example:443/x?y#z", "https a.example 443 /x?y", "a.example"),
        ("https://a.example:8443?y", "https a.example 8443 /?y", "a.example:8443"),
        ("http://[2001:DB8::1]:80/", "http 2001:db8::1 80 /", "[2001:db8::1]"),
        ("https://a.example/http://b@c/", "https a.example 443 /http://b@c/", "a.example"),
    ])
    func aURLHasOneOrigin(_ url: String, _ parts: String, _ field: String) throws {
        let (origin, target) = try #require(WebOrigin.split(url))
        #expect("\(origin.scheme) \(origin.host) \(origin.port) \(target)" == parts)
        #expect(origin.hostField == field)
    }

    // MARK: Asking again

    @Test func pausesGrowAndAreBounded() {
        var schedule = PollSchedule(
            interval: .seconds(60), firstPause: .seconds(2), longestPause: .seconds(30))
        #expect(schedule.pause(after: true, retryAfter: nil, chance: 0.5) == .seconds(60))
        let pauses = (0..<70).map { _ in
            schedule.pause(after: false, retryAfter: nil, chance: 0)
        }
        let expected: [Duration] = [1, 2, 4, 8, 15, 15].map { .seconds($0) }
        #expect(Array(pauses.prefix(6)) == expected)
        #expect(pauses.allSatisfy { $0 <= .seconds(30) })
        #expect(schedule.pause(after: false, retryAfter: 20, chance: 0) == .seconds(20))
        #expect(schedule.pause(after: false, retryAfter: 1 << 40, chance: 0) == .seconds(30))
        #expect(schedule.pause(after: false, retryAfter: -5, chance: 0) == .seconds(15))
        #expect(schedule.pause(after: true, retryAfter: 20, chance: 0) == .seconds(57))
        #expect(schedule.pause(after: false, retryAfter: nil, chance: 0) == .seconds(1))
    }

    @Test func itAsksUntilItIsStopped() async throws {
        let store = try Self.store()
        let server = try await PlainHTTPServer(group: Self.group) { _ in
            .init("503 Service Unavailable", ["Retry-After: 30"])
        }
        let pauses = Mutex<[Duration]>([])
        let box = Pauses(pauses)
        var configuration = HTTPTableSource.Configuration()
        configuration.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let source = try HTTPTableSource(
            store: store, url: "http://127.0.0.1:\(server.port)/", configuration: configuration,
            sleep: { pause in
                let count = box.pauses.withLock { pauses in
                    pauses.append(pause)
                    return pauses.count
                }
                if count == 3 { throw CancellationError() }
            },
            exchange: { try await HTTPClient.shared.execute($0, timeout: $1) })
        await source.run()
        #expect(server.seen.count == 3)
        // `Retry-After` is longer than the first pauses may be, which are at most 8 seconds.
        #expect(box.pauses.withLock { $0 }.allSatisfy { $0 == .seconds(30) })
        #expect(store.state.counts.sourceFailed == 3)
        try await server.stop()
    }

    private final class Pauses: Sendable {
        let pauses: Mutex<[Duration]>
        init(_ pauses: consuming sending Mutex<[Duration]>) { self.pauses = pauses }
    }
}
