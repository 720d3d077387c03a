import EvidenceServer
import Foundation
import Synchronization
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// Evidence over loopback, and what becomes of it.
@Suite("fetching evidence") struct FetchingTests {
    private static let crlType = "application/pkix-crl"
    private static let responseType = "application/ocsp-response"

    /// A server that answers for a world which names the server: the world is made first, by its
    /// port.
    private final class Stage: Sendable {
        let server: EvidenceServer
        private let script: Script

        init() {
            let script = Script()
            self.script = script
            self.server = EvidenceServer { script.reply(to: $0) }
        }

        func play(_ replies: @escaping @Sendable (EvidenceServer.Request) -> EvidenceServer.Reply) {
            script.replies.withLock { $0 = replies }
        }
    }

    private final class Script: Sendable {
        let replies = Mutex<@Sendable (EvidenceServer.Request) -> EvidenceServer.Reply>({ _ in
            .status(404)
        })
        func reply(to request: EvidenceServer.Request) -> EvidenceServer.Reply {
            replies.withLock { $0 }(request)
        }
    }

    private func stage(
        policy: String = "preset: require, network: wait, sources: [crl, ocsp]", urls: Int = 1,
        _ script:
            @escaping @Sendable (FetchingWorld, EvidenceServer.Request) -> EvidenceServer.Reply
    ) throws -> (world: FetchingWorld, server: EvidenceServer) {
        let stage = Stage()
        let world = try FetchingWorld(server: stage.server.url(""), policy: policy, urls: urls)
        stage.play { script(world, $0) }
        return (world, stage.server)
    }

    // MARK: Fetched evidence

    @Test("a CRL is fetched, accepts, and is not fetched again")
    func list() throws {
        let (world, server) = try stage { world, _ in
            .answer(world.issuing.revocationList(), type: Self.crlType)
        }
        let fetcher = try world.fetcher(server)
        let first = world.policy.judge(world.request, fetching: fetcher)
        #expect(first.word == "accept")
        #expect(first.outcomes == ["fetched"])
        #expect(first.request.evidence.prepared.count == 1)
        #expect(world.engine.evaluate(first.request) == first.verdict)
        let second = world.policy.judge(world.request, fetching: fetcher)
        #expect(second.word == "accept" && second.outcomes == ["kept"])
        #expect(server.requests.map(\.path) == ["/leaf.crl"])
        #expect(server.requests.first?.fields == ["Host: 127.0.0.1:\(server.port)"])
        #expect(server.isQuiet())
    }

    @Test("what a CRL or a response revokes rejects")
    func revoked() throws {
        let (world, server) = try stage { world, request in
            request.path == "/leaf.crl"
                ? .answer(world.issuing.revocationList([world.leaf]), type: Self.crlType)
                : .status(500)
        }
        let fetched = try world.policy.judge(world.request, fetching: world.fetcher(server))
        #expect(fetched.word == "revoked")
    }

    @Test("OCSP goes into a short URL, and is posted where that would be long")
    func responses() throws {
        for (prefix, method) in [("", "GET"), (String(repeating: "x", count: 200), "POST")] {
            let stage = Stage()
            let world = try FetchingWorld(
                server: stage.server.url("/\(prefix)"),
                policy: "preset: require, network: wait, sources: [ocsp]")
            stage.play { _ in
                .answer(world.issuing.ocspResponse(for: world.leaf), type: Self.responseType)
            }
            let fetched = try world.policy.judge(
                world.request, fetching: world.fetcher(stage.server))
            #expect(fetched.word == "accept")
            #expect(stage.server.requests.map(\.method) == [method])
            let expected = OCSPRequest(
                about: try world.leaf.parsed(), issuer: try world.issuing.certificate.parsed(),
                crypto: crypto)
            if method == "POST" {
                #expect(stage.server.requests.first?.body == expected?.der)
            } else {
                let path = try #require(stage.server.requests.first?.path)
                let text = path.split(separator: "/").last?.removingPercentEncoding ?? ""
                #expect(Data(base64Encoded: text).map { Array($0) } == expected?.der)
            }
        }
    }

    @Test(
        "a responder that takes no GET is asked by POST, once, and no other failure is asked twice")
    func postingAfterGetting() throws {
        for (status, methods) in [(405, ["GET", "POST"]), (400, ["GET", "POST"]), (500, ["GET"])] {
            let (world, server) = try stage(
                policy: "preset: require, network: wait, sources: [ocsp]"
            ) { world, request in
                request.method == "GET"
                    ? .status(status)
                    : .answer(world.issuing.ocspResponse(for: world.leaf), type: Self.responseType)
            }
            let fetched = try world.policy.judge(world.request, fetching: world.fetcher(server))
            #expect(fetched.verdict.isAccept == (methods.count == 2))
            #expect(server.requests.map(\.method) == methods)
        }
    }

    @Test("a response by a delegate, and one about another certificate")
    func delegates() throws {
        let (world, server) = try stage(
            policy: "preset: require, network: wait, sources: [ocsp]"
        ) { world, _ in
            let delegate = world.issuing.issueResponder("Delegate", key: .p256("fetch delegate"))
            return .answer(
                world.issuing.ocspResponse(for: world.leaf, by: delegate), type: Self.responseType)
        }
        let fetcher = try world.fetcher(server)
        #expect(world.policy.judge(world.request, fetching: fetcher).word == "accept")
        #expect(fetcher.cache.withLock { $0.count } == 1)
        let other = world.issuing.issueLeaf(dns: ["other.fetch.example"])
        let (second, secondServer) = try stage(
            policy: "preset: require, network: wait, sources: [ocsp]"
        ) { world, _ in
            .answer(world.issuing.ocspResponse(for: other), type: Self.responseType)
        }
        let fetched = try second.policy.judge(
            second.request, fetching: second.fetcher(secondServer))
        #expect(fetched.word == "revocation-undetermined")
    }

    @Test("the second source is asked where the first is of no use, and no third")
    func sources() throws {
        let (world, server) = try stage(urls: 3) { world, request in
            switch request.path {
            case "/leaf.crl": return .status(404)
            case "/leaf1.crl": return .answer(world.issuing.revocationList(), type: Self.crlType)
            default: return .status(500)
            }
        }
        let fetched = try world.policy.judge(world.request, fetching: world.fetcher(server))
        #expect(fetched.word == "accept")
        #expect(server.requests.map(\.path) == ["/leaf.crl", "/leaf1.crl"])
        let (bad, badServer) = try stage(urls: 3) { _, _ in .status(404) }
        let failed = try bad.policy.judge(bad.request, fetching: bad.fetcher(badServer))
        #expect(failed.word == "revocation-undetermined")
        #expect(badServer.requests.count == 2)
    }

    // MARK: What a rule says

    @Test("nothing is fetched for a chain that does not verify")
    func unverified() throws {
        let (world, server) = try stage { world, _ in
            .answer(world.issuing.revocationList(), type: Self.crlType)
        }
        let stranger = FetchingWorld.pki.root("Stranger", key: .p256("fetch stranger"))
        let forged = stranger.issueLeaf(dns: [FetchingWorld.host]) { recipe in
            recipe.extensions.append(.crlDistributionPoints([server.url("/forged.crl")]))
        }
        var damaged = world.leaf.der
        damaged[damaged.count - 1] ^= 1
        var requests: [TrustRequest] = []
        for chain in [
            [forged.der, stranger.der], [forged.der, world.issuing.der], [world.leaf.der],
            [damaged, world.issuing.der],
        ] {
            var request = world.request
            request.presentedChain = chain
            requests.append(request)
        }
        var expired = world.request
        expired.time = .at("2027-06-01")
        var misnamed = world.request
        misnamed.host = "other.example"
        for request in requests + [expired, misnamed] {
            for consent in [FetchPermissions.Consent.policy, .caller] {
                let fetcher = try world.fetcher(server, consent: consent)
                let fetched = world.policy.judge(request, fetching: fetcher)
                #expect(!fetched.verdict.isAccept)
                #expect(fetched.attempts.isEmpty)
            }
        }
        #expect(server.accepted == 0)
    }

    @Test("`never` fetches nothing, unless the caller asks; `prefetch` only in the background")
    func networks() throws {
        let (world, server) = try stage(
            policy: "preset: require, network: never, sources: [crl]"
        ) { world, _ in .answer(world.issuing.revocationList(), type: Self.crlType) }
        let fetcher = try world.fetcher(server)
        #expect(
            world.policy.judge(world.request, fetching: fetcher).word
                == "revocation-undetermined")
        #expect(fetcher.prefetch() == (0, 0))
        #expect(server.accepted == 0)
        let asking = try world.fetcher(server, consent: .caller)
        let asked = world.policy.judge(world.request, fetching: asking)
        #expect(asked.word == "accept" && server.accepted == 1)
        // Kept evidence does not serve a rule that says `never`.
        #expect(
            world.policy.judge(world.request, fetching: fetcher).word
                == "revocation-undetermined")

        let (ahead, aheadServer) = try stage(
            policy: "preset: require, network: prefetch, sources: [crl]"
        ) { world, _ in .answer(world.issuing.revocationList(), type: Self.crlType) }
        let background = try ahead.fetcher(aheadServer)
        for _ in 0..<3 {
            #expect(
                ahead.policy.judge(ahead.request, fetching: background).word
                    == "revocation-undetermined")
        }
        #expect(aheadServer.accepted == 0)
        #expect(background.prefetch() == (1, 0))
        #expect(background.prefetch() == (0, 0))
        #expect(ahead.policy.judge(ahead.request, fetching: background).word == "accept")
        // A day later it is fetched anew before it ends.
        ahead.clock.advance(86_400)
        #expect(background.prefetch() == (1, 0))
        #expect(aheadServer.accepted == 2)
    }

    // MARK: Faults

    private static let faults: [(name: String, reply: EvidenceServer.Reply, ends: String)] = [
        ("not found", .status(404), "http-status"),
        ("our fault, it says", .status(500), "http-status"),
        ("a redirect to itself", .status(302, fields: ["Location: /leaf.crl"]), "http-status"),
        (
            "a redirect elsewhere", .status(301, fields: ["Location: http://127.0.0.1:1/"]),
            "http-status"
        ),
        ("a permanent redirect", .status(308, fields: ["Location: /x"]), "http-status"),
        ("closed at once", .close, "cut-short"),
        ("no HTTP", .raw(Array("SSH-2.0-server\r\n\r\n".utf8)), "malformed"),
        ("a page", .answer(Array("<html></html>".utf8), type: "text/html"), "malformed"),
        ("an empty body", .answer([], type: crlType), "cut-short"),
        (
            "DER that is no CRL", .answer([0x30, 0x03, 0x02, 0x01, 0x05], type: crlType),
            "malformed"
        ),
        ("cut short", .cut([0x30, 0x82, 0x01, 0x00], after: 4), "cut-short"),
        ("in chunks", .chunked([0x30, 0x03, 0x02, 0x01, 0x05]), "malformed"),
        ("without end", .endless, "too-large"),
        ("dripping", .drip, "timed-out"),
        ("hanging", .hang, "timed-out"),
    ]

    @Test("every fault: a verdict as the rule says, in bounded time, and no connection left")
    func everyFault() throws {
        for (name, reply, ends) in Self.faults {
            for (preset, word) in [
                ("require", "revocation-undetermined"), ("best-effort", "accept"),
            ] {
                let (world, server) = try stage(
                    policy: "preset: \(preset), network: wait, sources: [crl]"
                ) { _, _ in reply }
                let fetcher = try world.fetcher(server) {
                    // A busy machine may take long to accept, and only two faults wait for the end.
                    $0.timePerExchange =
                        ends == "timed-out" ? .milliseconds(500) : .seconds(30)
                    $0.crlOctets = 100_000
                }
                let fetched = world.policy.judge(world.request, fetching: fetcher)
                #expect(fetched.word == word, "\(name), \(preset)")
                #expect(fetched.outcomes == [ends], "\(name)")
                // It is not asked again at once.
                let again = world.policy.judge(world.request, fetching: fetcher)
                #expect(again.word == word && again.outcomes == ["backed-off"], "\(name)")
                #expect(server.hasAccepted(1), "\(name)")
                #expect(server.isQuiet(), "\(name)")
                #expect(fetcher.cache.withLock { $0.askedCount } == 0)
            }
        }
    }

    @Test("evidence that is wrong: it is judged, kept shortly, and never written to the folder")
    func wrongEvidence() throws {
        let stranger = FetchingWorld.pki.root("Fetch Issuing", key: .p256("fetch impostor"))
        let wrong: [(name: String, make: @Sendable (FetchingWorld) -> [UInt8])] = [
            ("another's signature", { _ in stranger.revocationList() }),
            ("a damaged signature", { $0.issuing.revocationList { $0.damage = .flippedBit } }),
            ("of yesterday", { $0.issuing.revocationList { $0.nextUpdate = .day(-1) } }),
            ("of tomorrow", { $0.issuing.revocationList { $0.thisUpdate = .day(1) } }),
        ]
        for (name, make) in wrong {
            let (world, server) = try stage(
                policy: "preset: require, network: wait, sources: [crl]"
            ) { world, _ in .answer(make(world), type: Self.crlType) }
            let folder = try TemporaryFolder()
            let fetcher = try world.fetcher(server, folder: folder.at("kept"))
            for _ in 0..<2 {
                let fetched = world.policy.judge(world.request, fetching: fetcher)
                #expect(fetched.word == "revocation-undetermined", "\(name)")
            }
            #expect(server.accepted == 1, "\(name)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.at("kept")) == [],
                "\(name)")
            world.clock.advance(fetcher.limits.retry.components.seconds)
            _ = world.policy.judge(world.request, fetching: fetcher)
            #expect(server.accepted == 2, "\(name)")
        }
    }

    @Test("an OCSP responder's error, and its wrong media type, are failures")
    func responderErrors() throws {
        for (body, type, ends) in [
            ([0x30, 0x03, 0x0A, 0x01, 0x03] as [UInt8], Self.responseType, "useless"),
            ([0x30, 0x03, 0x0A, 0x01, 0x03], "text/plain", "wrong-type"),
        ] {
            let (world, server) = try stage(
                policy: "preset: require, network: wait, sources: [ocsp]"
            ) { _, _ in .answer(body, type: type) }
            let fetched = try world.policy.judge(world.request, fetching: world.fetcher(server))
            #expect(fetched.word == "revocation-undetermined" && fetched.outcomes == [ends])
        }
    }

    @Test("the time of a request is the time of all its exchanges")
    func requestTime() throws {
        let (world, server) = try stage(urls: 2) { _, _ in .hang }
        let fetcher = try world.fetcher(server) {
            $0.timePerExchange = .seconds(600)
            $0.timePerRequest = .milliseconds(60)
        }
        let fetched = world.policy.judge(world.request, fetching: fetcher)
        #expect(fetched.word == "revocation-undetermined")
        #expect(fetched.outcomes == ["timed-out", "timed-out"])
        #expect(server.isQuiet())
        // The exchange was given less than its time, so nothing is held against the host.
        #expect(
            world.policy.judge(world.request, fetching: fetcher).outcomes.first
                == "timed-out")
    }

    @Test("an asynchronous caller gets the same, and blocks nobody where all is kept")
    func asynchronously() async throws {
        let (world, server) = try stage { world, _ in
            .answer(world.issuing.revocationList(), type: Self.crlType)
        }
        let fetcher = try world.fetcher(server) { $0.waiting = 1 }
        let first = await world.policy.judge(world.request, fetching: fetcher)
        #expect(first.word == "accept" && first.outcomes == ["fetched"])
        let second = await world.policy.judge(world.request, fetching: fetcher)
        #expect(second.word == "accept" && second.outcomes == ["kept"])
        #expect(server.accepted == 1)
        #expect(fetcher.waiting.withLock { $0 } == 0)
        let none = try world.fetcher(server) { $0.waiting = 0 }
        let refused = await world.policy.judge(world.request, fetching: none)
        #expect(refused.word == "revocation-undetermined" && refused.attempts.isEmpty)
        #expect(server.accepted == 1)
    }

    @Test("a soak under every fault leaves nothing behind")
    func soak() throws {
        let count = Mutex(0)
        let (world, server) = try stage(
            policy: "preset: require, network: wait, sources: [crl]"
        ) { world, _ in
            let turn = count.withLock { count in
                count += 1
                return count
            }
            let quick = Self.faults.filter { $0.ends != "timed-out" }
            guard turn % 4 != 0 else {
                return .answer(world.issuing.revocationList(), type: Self.crlType)
            }
            return quick[turn % quick.count].reply
        }
        let fetcher = try world.fetcher(server) { $0.crlOctets = 100_000 }
        var words: [String: Int] = [:]
        for _ in 0..<(Sample.isWhole ? 10_000 : 200) {
            words[world.policy.judge(world.request, fetching: fetcher).word, default: 0] += 1
            // Past every pause, and past the time of what was kept.
            world.clock.advance(21 * 86_400)
        }
        #expect(words.keys.sorted() == ["accept", "revocation-undetermined"])
        #expect(server.isQuiet())
        #expect(fetcher.cache.withLock { $0.askedCount } == 0)
    }
}
