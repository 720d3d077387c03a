import EvidenceServer
import Foundation
import Synchronization
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// The evidence that a fetcher keeps, for how long, and when it asks again.
@Suite("kept evidence") struct FetchingCacheTests {
    private static let policy = "preset: require, network: wait, sources: [crl]"

    /// A world whose CRLs a closure makes, with the number of the fetch.
    private func scripted(
        policy: String = FetchingCacheTests.policy,
        _ make: @escaping @Sendable (FetchingWorld, Int) -> Result<[UInt8], FetchFailure>
    ) throws -> (world: FetchingWorld, transport: ScriptedTransport) {
        let world = try FetchingWorld(policy: policy)
        let count = Mutex(0)
        let transport = ScriptedTransport { _, _ in
            let turn = count.withLock { count in
                count += 1
                return count
            }
            return make(world, turn)
        }
        return (world, transport)
    }

    private func word(_ world: FetchingWorld, _ fetcher: EvidenceFetcher) -> String {
        world.policy.judge(world.request, fetching: fetcher).word
    }

    @Test("until nextUpdate, and not a second longer")
    func validity() throws {
        let (world, transport) = try scripted { world, _ in
            .success(world.issuing.revocationList { $0.nextUpdate = .day(1) })
        }
        let fetcher = try world.fetcher(nil, transport: transport)
        #expect(word(world, fetcher) == "accept")
        world.clock.advance(86_399)
        #expect(word(world, fetcher) == "accept")
        #expect(transport.questions.count == 1)
        world.clock.advance(1)
        #expect(word(world, fetcher) == "accept")
        #expect(transport.questions.count == 2)
    }

    @Test("what is over `maximum-age` is fetched anew, and not more often than every few minutes")
    func maximumAge() throws {
        let (world, transport) = try scripted(
            policy: "preset: require, network: wait, sources: [crl], maximum-age: 11d"
        ) { world, turn in
            .success(
                world.issuing.revocationList { list in
                    if turn == 3 { list.thisUpdate = .day(1) }
                })
        }
        let fetcher = try world.fetcher(nil, transport: transport)
        #expect(word(world, fetcher) == "accept")
        // Two days later the CRL that is kept is too old for the rule, and the server has no other
        // yet.
        var later = world
        later.request.time = .day(2)
        world.clock.advance(2 * 86_400)
        for _ in 0..<3 { #expect(word(later, fetcher) == "revocation-undetermined") }
        #expect(transport.questions.count == 2)
        world.clock.advance(fetcher.limits.retry.components.seconds)
        let fetched = world.policy.judge(later.request, fetching: fetcher)
        #expect(fetched.word == "accept" && fetched.outcomes == ["kept", "fetched"])
        #expect(transport.questions.count == 3)
    }

    @Test("a folder keeps evidence between fetchers; what is damaged there is fetched again")
    func folder() throws {
        let (world, transport) = try scripted { world, _ in
            .success(world.issuing.revocationList())
        }
        let folder = try TemporaryFolder()
        func fetcher() throws -> EvidenceFetcher {
            try world.fetcher(nil, folder: folder.at("kept"), transport: transport)
        }
        #expect(word(world, try fetcher()) == "accept")
        let first = try world.policy.judge(world.request, fetching: fetcher())
        #expect(first.word == "accept" && first.outcomes == ["kept"])
        #expect(transport.questions.count == 1)
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.at("kept")).first)
        let whole = try Data(contentsOf: URL(filePath: folder.at("kept/\(name)")))
        var asked = 1
        for place in [0, 20, 52, 60, 100, whole.count - 1] {
            var bytes = Array(whole)
            bytes[place] ^= 1
            try folder.write("kept/\(name)", bytes)
            #expect(word(world, try fetcher()) == "accept")
            asked += 1
            #expect(transport.questions.count == asked, "octet \(place)")
        }
        for bytes in [[], Array(whole.prefix(90)), Array(whole) + [0]] {
            try folder.write("kept/\(name)", bytes)
            #expect(word(world, try fetcher()) == "accept")
            asked += 1
            #expect(transport.questions.count == asked)
        }
        // A link is not followed, and replaced.
        try FileManager.default.removeItem(atPath: folder.at("kept/\(name)"))
        try folder.write("elsewhere", Array(whole))
        try folder.link("kept/\(name)", to: folder.at("elsewhere"))
        #expect(word(world, try fetcher()) == "accept")
        #expect(transport.questions.count == asked + 1)
        #expect(try Data(contentsOf: URL(filePath: folder.at("elsewhere"))) == whole)
        // Over its time: fetched again.
        world.clock.advance(21 * 86_400)
        _ = word(world, try fetcher())
        #expect(transport.questions.count == asked + 2)
    }

    @Test("a folder holds no more than it may")
    func folderLimit() throws {
        let folder = try TemporaryFolder()
        let store = try EvidenceFolder(path: folder.at("kept"), limit: 1_000, crypto: crypto)
        func key(_ number: UInt8) throws -> Digest {
            try #require(Digest(.sha256, bytes: [UInt8](repeating: number, count: 32)))
        }
        let octets = [UInt8](repeating: 7, count: 300)
        let time = Scenario.judgedAt
        for number in 0..<4 { try store.write(octets, for: key(UInt8(number)), fetched: time) }
        #expect(try store.read(key(0), limit: 300) == nil)
        #expect(try store.read(key(1), limit: 300) == nil)
        for number in 2..<4 {
            #expect(try store.read(key(UInt8(number)), limit: 300)?.octets == octets)
        }
        try store.write([UInt8](repeating: 7, count: 1_000), for: key(9), fetched: time)
        #expect(try store.read(key(9), limit: 2_000) == nil)
        // A later run counts the existing files.
        let second = try EvidenceFolder(path: folder.at("kept"), limit: 1_000, crypto: crypto)
        try second.write(octets, for: key(5), fetched: time)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.at("kept")).count == 2)
    }

    @Test("pauses double, end, and are forgotten with a success")
    func pauses() throws {
        let (world, transport) = try scripted { world, turn in
            turn <= 3 ? .failure(.status(503)) : .success(world.issuing.revocationList())
        }
        let fetcher = try world.fetcher(nil, transport: transport)
        for (turn, pause) in [(1, Int64(30)), (2, 60), (3, 120)] {
            #expect(word(world, fetcher) == "revocation-undetermined")
            #expect(transport.questions.count == turn)
            world.clock.advance(pause - 1)
            #expect(
                world.policy.judge(world.request, fetching: fetcher).outcomes
                    == ["backed-off"])
            #expect(transport.questions.count == turn)
            world.clock.advance(1)
        }
        #expect(word(world, fetcher) == "accept")
        #expect(transport.questions.count == 4)
    }

    @Test("a host that does not answer is left alone for every certificate")
    func hosts() throws {
        let world = try FetchingWorld(
            server: "http://crl.fetch.example",
            policy: "preset: require, network: wait, sources: [crl, ocsp]")
        let transport = ScriptedTransport { _, _ in .failure(.connectFailed("refused")) }
        let fetcher = try world.fetcher(nil, transport: transport)
        let fetched = world.policy.judge(world.request, fetching: fetcher)
        #expect(fetched.outcomes == ["connect-failed", "backed-off"])
        #expect(transport.questions.count == 1)
    }

    @Test("many who want one piece ask once")
    func deduplication() throws {
        let (world, transport) = try scripted { world, _ in
            .success(world.issuing.revocationList())
        }
        let fetcher = try world.fetcher(nil, transport: transport)
        let words = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            let word = world.policy.judge(world.request, fetching: fetcher).word
            words.withLock { $0.append(word) }
        }
        #expect(words.withLock { $0 } == [String](repeating: "accept", count: 16))
        #expect(transport.questions.count == 1)
    }

    @Test("memory holds no more than it may, and the longest unused goes first")
    func memory() throws {
        let world = try FetchingWorld()
        var limits = FetchLimits()
        let octets = world.issuing.revocationList()
        let evidence = try PreparedEvidence(
            crl: octets, signers: [world.issuing.certificate.parsed()], crypto: crypto)
        func need(_ number: Int) throws -> EvidenceNeed {
            try world.need("http://crl.example/\(number)")
        }
        limits.memoryOctets = 8_000
        var cache = EvidenceCache(limits)
        let now = Scenario.judgedAt
        func isKept(_ number: Int) throws -> Bool {
            cache.evidence(try need(number).key, at: now) != nil
        }
        for number in 0..<8 {
            cache.keep(KeptEvidence(evidence, for: try need(number), fetched: now, limits))
            #expect(try isKept(0), "\(number)")
        }
        #expect(cache.count >= 2 && cache.count < 5)
        #expect(try isKept(7))
        #expect(try !isKept(1))
    }

    @Test("exchanges with one host, and all together, have a bound")
    func bounds() throws {
        let world = try FetchingWorld()
        var limits = FetchLimits()
        limits.exchangesPerHost = 2
        limits.exchanges = 3
        var cache = EvidenceCache(limits)
        func need(_ host: String, _ number: Int) throws -> EvidenceNeed {
            try world.need("http://\(host)/\(number)")
        }
        func begin(_ need: EvidenceNeed) -> Bool { cache.begin(need) }
        let first = try need("a.example", 1)
        #expect(begin(first))
        #expect(!begin(first))
        #expect(try begin(need("a.example", 2)))
        #expect(try !begin(need("a.example", 3)))
        #expect(try begin(need("b.example", 1)))
        #expect(try !begin(need("c.example", 1)))
        cache.end(first)
        #expect(try begin(need("c.example", 1)))
        #expect(try !begin(need("a.example", 3)))
    }

    // MARK: Names

    @Test("every address of a name is vetted, and one of them is the one connected to")
    func names() throws {
        let server = EvidenceServer(always: .status(404))
        let lookups = Mutex(0)
        func transport(_ addresses: [String], allowed: String) throws -> HTTPTransport {
            let found = try addresses.map { try #require(IPAddress(text: $0)) }
            return HTTPTransport(
                vetting: AddressVetting(allowed: [try #require(AddressRange(allowed))]),
                resolution: NameResolution { _ in
                    lookups.withLock { $0 += 1 }
                    return .success(found)
                })
        }
        func outcome(_ transport: HTTPTransport) throws -> FetchFailure? {
            let url = try EvidenceURL(
                "http://crl.example:\(server.port)/", ports: [server.port])
            do throws(FetchFailure) {
                _ = try transport.answer(
                    to: EvidenceQuestion(url: url, ocspRequest: nil), maximumOctets: 1_000,
                    by: Deadline(in: .seconds(30)))
                return nil
            } catch {
                return error
            }
        }
        let loopback = "127.0.0.1/32"
        #expect(try outcome(transport(["127.0.0.1"], allowed: loopback)) == .status(404))
        #expect(server.requests.first?.fields == ["Host: crl.example:\(server.port)"])
        for addresses in [
            ["127.0.0.1", "10.0.0.1"], ["10.0.0.1", "127.0.0.1"], ["::1"], ["127.0.0.2"],
            ["127.0.0.1", "::ffff:127.0.0.2"],
        ] {
            let failure = try outcome(transport(addresses, allowed: loopback))
            #expect(failure?.code == .addressRefused, "\(addresses)")
        }
        #expect(try outcome(transport([], allowed: loopback))?.code == .nameUnknown)
        #expect(server.accepted == 1)
        // Each fetch looks the name up once: what was vetted is what was connected to.
        #expect(lookups.withLock { $0 } == 7)
    }

    @Test("a resolver that hangs is left behind")
    func slowResolver() throws {
        let release = DispatchSemaphore(value: 0)
        let resolution = NameResolution { _ in
            release.wait()
            return .success([])
        }
        for _ in 0..<16 {
            #expect(throws: FetchFailure.timedOut) {
                _ = try resolution.addresses(of: "a.example", by: Deadline(in: .milliseconds(2)))
            }
        }
        #expect(throws: FetchFailure.busy) {
            _ = try resolution.addresses(of: "a.example", by: Deadline(in: .seconds(30)))
        }
        for _ in 0..<16 { release.signal() }
    }
}
