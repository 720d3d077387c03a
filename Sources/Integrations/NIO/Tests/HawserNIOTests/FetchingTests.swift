import Hawser
import HawserNIO
import NIOCore
import NIOPosix
import NIOWorld
import Synchronization
import TestPKI
import Testing
import TrustEngine

/// Evidence that a verdict wants while the handshake waits.
@Suite struct FetchingTests {
    static let group = MultiThreadedEventLoopGroup.singleton
    static let world = World()
    static let host = "a.nio.example"

    /// How a handshake ends whose certificate names a CRL on this server; `revoked` says what is in
    /// it.
    static func handshake(
        revoked: Bool, network: String
    ) async throws -> (result: Result<JudgedHandshake, HawserTLSError>, asked: Int) {
        let lists = ListServer()
        let crls = try await PlainHTTPServer(group: group) { _ in
            .init("200 OK", ["Content-Type: application/pkix-crl"], body: lists.list)
        }
        let leaf = world.issuing.issueLeaf(dns: [host]) {
            $0.extensions.append(
                .crlDistributionPoints(["http://127.0.0.1:\(crls.port)/issuing.crl"]))
        }
        lists.list = world.issuing.revocationList(revoked ? [leaf] : [])
        let store = try world.store(
            rules: World.rule(
                "a", host: host,
                fields: [
                    "revocation: { preset: require, scope: leaf, sources: [crl], network: \(network) }"
                ]))
        var permissions = FetchPermissions()
        permissions.networks = [try #require(AddressRange("127.0.0.0/8"))]
        permissions.ports = [crls.port]
        var settings = HandshakeSettings.atTestTime
        settings.fetcher = try EvidenceFetcher(permissions: permissions)
        let server = try await LoopbackServer(
            .server([leaf, world.issuing.certificate]), group: group)
        let client = try HawserClientTLS(store: store, settings: settings)
        let result: Result<JudgedHandshake, HawserTLSError>
        do {
            let connection = try await client.connect(
                ClientBootstrap(group: group), host: host, port: 443, address: server.address
            ).get()
            try await connection.channel.close()
            result = .success(connection.handshake)
        } catch let error as HawserTLSError {
            result = .failure(error)
        }
        try await server.stop()
        let asked = crls.seen.count
        try await crls.stop()
        return (result, asked)
    }

    @Test func whatTheRuleLetsFetchIsWaitedFor() async throws {
        let (result, asked) = try await Self.handshake(revoked: false, network: "wait")
        #expect(asked == 1)
        // The request is the one that was judged, with what was fetched for it.
        #expect(try result.get().request.evidence.prepared.count == 1)
    }

    @Test func whatIsFetchedMayRefuse() async throws {
        let (result, asked) = try await Self.handshake(revoked: true, network: "wait")
        #expect(asked == 1)
        let failure = #expect(throws: HawserTLSError.self) { _ = try result.get() }
        #expect(failure?.violations.map(\.id) == ["revoked"])
    }

    @Test func whatTheRuleDoesNotLetFetchIsNotAskedFor() async throws {
        let (result, asked) = try await Self.handshake(revoked: false, network: "never")
        #expect(asked == 0)
        let failure = #expect(throws: HawserTLSError.self) { _ = try result.get() }
        #expect(failure?.violations.first?.id.hasPrefix("revocation") == true)
    }
}

/// The CRL that a server has, which is made after the server is known.
private final class ListServer: Sendable {
    private let octets = Mutex<[UInt8]>([])
    var list: [UInt8] {
        get { octets.withLock { $0 } }
        set { octets.withLock { $0 = newValue } }
    }
}
