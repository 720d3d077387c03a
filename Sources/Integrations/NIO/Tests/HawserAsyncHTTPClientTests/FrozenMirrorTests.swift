import Hawser
import NIOWorld
import Synchronization
import TestPKI
import Testing
import TrustEngine

@testable import HawserAsyncHTTPClient

/// A mirror that answers 304, or 200 with the same octets, for ever: it makes no table fresher that
/// says when it was issued. And no jump of the wall clock makes one older.
@Suite struct FrozenMirrorTests {
    private static let limit: Int64 = 3_600

    /// The wall clock of a store.
    private final class Wall: Sendable {
        private let time = Mutex(World.judgedAt)
        var now: UTCInstant { time.withLock { $0 } }
        func set(_ seconds: Int64) {
            time.withLock { $0 = World.judgedAt.advanced(by: .seconds(seconds)) }
        }
    }

    /// A table that was issued so many seconds after the time of the tests
    /// (`grammar/signed-table.md`).
    private static func signed(issued seconds: Int64) throws -> [UInt8] {
        let table = try TableSourceTests.world.table(
            rules: World.rule("a", host: TableSourceTests.host, pins: "right"))
        let issued = World.judgedAt.advanced(by: .seconds(seconds))
        func octets(_ number: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
        }
        func envelope(_ signatures: [[UInt8]]) -> [UInt8] {
            [0x89, 0x48, 0x50, 0x53, 0x0D, 0x0A, 0x1A, 0x0A] + octets(1, 4)
                + octets(UInt64(signatures.count), 4)
                + octets(UInt64(48 + 96 * signatures.count + table.count), 8) + octets(1, 8)
                + octets(UInt64(issued.secondsSinceEpoch), 8) + octets(0, 8)
                + signatures.flatMap { $0 } + table
        }
        let key = TableSourceTests.signer
        let bare = try SignedTable(decoding: envelope([]))
        let signature = key.sign(try #require(bare.signedMessage))
        return envelope([try TablePublicKey(raw: key.publicKeyBits).id.bytes + signature])
    }

    /// A store, and a mirror that serves these octets for ever.
    private static func stage(
        _ table: [UInt8], _ wall: Wall, serving served: [UInt8]
    ) async throws -> (store: PolicyStore, server: PlainHTTPServer, source: HTTPTableSource) {
        var configuration = PolicyStore.Configuration()
        configuration.trustedKeys = try TrustedKeys([
            TablePublicKey(raw: TableSourceTests.signer.publicKeyBits)
        ])
        configuration.clock = { wall.now }
        configuration.staleness = .reject(after: .seconds(limit))
        let store = try PolicyStore(table: table, configuration: configuration)
        let asked = Mutex(0)
        let server = try await PlainHTTPServer(group: TableSourceTests.group) { _ in
            let number = asked.withLock { count in
                defer { count += 1 }
                return count
            }
            // 200 first, so that there is a tag; then both by turns.
            return number % 2 == 0
                ? .init("200 OK", ["ETag: \"one\""], body: served)
                : .init("304 Not Modified", ["ETag: \"one\""])
        }
        let source = try HTTPTableSource(
            store: store, url: "http://127.0.0.1:\(server.port)/table",
            client: TableSourceTests.client)
        return (store, server, source)
    }

    private static func verdict(_ store: PolicyStore, at time: UTCInstant) -> [String] {
        let chain = TableSourceTests.world.chain(TableSourceTests.host).map(\.der)
        let verdict = store.judge(
            TrustRequest(
                host: TableSourceTests.host, port: 443, presentedChain: chain, time: time,
                tls: .observed(TLSParameters(version: .tls13))))
        return verdict.isAccept ? ["accept"] : verdict.violations.map(\.id)
    }

    @Test func aFrozenMirrorMakesNothingFresher() async throws {
        let wall = Wall()
        let table = try Self.signed(issued: -1_000)
        let (store, server, source) = try await Self.stage(table, wall, serving: table)
        let last = World.judgedAt.advanced(by: .seconds(Self.limit - 1_000))
        for word in ["unchanged", "confirmed", "unchanged", "confirmed"] {
            #expect(await source.poll().name == word)
            #expect(store.state.staleAfter == last)
            #expect(Self.verdict(store, at: last) == ["accept"])
            #expect(Self.verdict(store, at: last.advanced(by: .seconds(1))) == ["table-stale"])
        }
        try await server.stop()
    }

    @Test func aStaleTableStaysStaleUntilItIsSignedAgain() async throws {
        let wall = Wall()
        let table = try Self.signed(issued: -Self.limit - 1)
        let (store, server, source) = try await Self.stage(table, wall, serving: table)
        for word in ["unchanged", "confirmed", "unchanged", "confirmed"] {
            #expect(await source.poll().name == word)
            #expect(store.state.isStale)
            #expect(Self.verdict(store, at: wall.now) == ["table-stale"])
        }
        store.offer(try Self.signed(issued: 0), origin: "signed again")
        #expect(Self.verdict(store, at: wall.now) == ["accept"])
        try await server.stop()
    }

    /// The wall clock is set, and no time passes.
    @Test func aWallClockThatIsSetRejectsNothing() async throws {
        let wall = Wall()
        let table = try Self.signed(issued: 0)
        let (store, server, source) = try await Self.stage(table, wall, serving: table)
        for seconds in [7_200, 0, -7_200, 0, 7_200] as [Int64] {
            wall.set(seconds)
            #expect(Self.verdict(store, at: wall.now) == ["accept"], "\(seconds)")
            #expect(!store.state.isStale)
            _ = await source.poll()
            #expect(Self.verdict(store, at: wall.now) == ["accept"], "\(seconds)")
        }
        try await server.stop()
    }
}
