import CHawser
import CHawserABI
import EvidenceServer
import Foundation
import TestPKI
import Testing
import TrustEngine

/// Evidence that the library fetches for C, over loopback.
@Suite struct FetchTests {
    /// A chain whose end entity names a CRL at a server, and the store of a rule that wants it.
    private struct World {
        let server: EvidenceServer
        let store: hawser_store
        let chain: [[UInt8]]

        init(
            network: String = "wait",
            _ reply: @escaping @Sendable (Authority) -> EvidenceServer.Reply
        ) throws {
            let root = Scenario().root("C Fetch Root", key: .p256("c fetch root"))
            let issuing = root.issueCA(
                "C Fetch Issuing", key: .p256("c fetch issuing"), pathLength: 0)
            server = EvidenceServer { _ in reply(issuing) }
            let url = server.url("/leaf.crl")
            let leaf = issuing.issueLeaf(dns: ["api.fetch.example"]) {
                $0.extensions.append(.crlDistributionPoints([url]))
            }
            chain = [leaf.der, issuing.der]
            let pem = root.pem.split(separator: "\n").map { "      \($0)\n" }.joined()
            store = CalledAsC.open(
                try PolicyWorld.compile(
                    "hawser: 1\ndefault: deny\nanchors:\n  root:\n    pem: |\n\(pem)rules:\n  api:\n"
                        + "    hosts: [api.fetch.example]\n    anchors: [root]\n    revocation: "
                        + "{ scope: leaf, preset: require, network: \(network), sources: [crl] }\n")
            )
        }

        /// A fetcher that may ask loopback at the server's port.
        func fetcher(
            _ networks: [String] = ["127.0.0.0/8"],
            _ change: (inout hawser_fetcher_options) -> Void = { _ in }
        ) -> hawser_fetcher {
            var fetcher = hawser_fetcher()
            let names = networks.map { strdup($0) }
            defer { for name in names { free(name) } }
            let pointers = names.map { UnsafePointer($0) }
            pointers.withUnsafeBufferPointer { networks in
                withUnsafePointer(to: UInt32(server.port)) { port in
                    var options = hawser_fetcher_options()
                    options.size = MemoryLayout<hawser_fetcher_options>.size
                    options.networks = networks.baseAddress
                    options.network_count = networks.count
                    options.ports = port
                    options.port_count = 1
                    change(&options)
                    _ = hawser_fetcher_open(&options, &fetcher, nil)
                }
            }
            return fetcher
        }

        func withRequest<R>(_ body: (inout hawser_request) throws -> R) rethrows -> R {
            let host = Array("api.fetch.example".utf8)
            return try chain[0].withUnsafeBytes { leaf in
                try chain[1].withUnsafeBytes { issuing in
                    try host.withUnsafeBytes { host in
                        let items = [leaf, issuing].map {
                            hawser_bytes(data: $0.baseAddress, length: $0.count)
                        }
                        return try items.withUnsafeBufferPointer { items in
                            var request = hawser_request()
                            request.size = MemoryLayout<hawser_request>.size
                            request.host = hawser_bytes(
                                data: host.baseAddress, length: host.count)
                            request.port = 443
                            request.time = Scenario.judgedAt.secondsSinceEpoch
                            request.tls = UInt32(HAWSER_TLS_OBSERVED)
                            request.tls_version = 0x0304
                            request.chain = items.baseAddress
                            request.chain_count = items.count
                            return try body(&request)
                        }
                    }
                }
            }
        }

        /// What a verdict came to, and how each attempt ended.
        func judge(_ fetcher: hawser_fetcher, explains: Bool = false) -> String {
            var verdict = hawser_verdict()
            let result = withRequest { request in
                explains
                    ? hawser_explain_fetching(store, fetcher, &request, nil, &verdict, nil)
                    : hawser_evaluate_fetching(store, fetcher, &request, nil, &verdict, nil)
            }
            defer { _ = hawser_verdict_free(verdict) }
            var outcomes: [String] = []
            while let outcome = CalledAsC.text(
                ofVerdict: verdict, HAWSER_TEXT_FETCH_OUTCOME, outcomes.count)
            {
                let url = CalledAsC.text(ofVerdict: verdict, HAWSER_TEXT_FETCH_URL, outcomes.count)
                #expect(url == server.url("/leaf.crl"))
                let message = CalledAsC.text(
                    ofVerdict: verdict, HAWSER_TEXT_FETCH_MESSAGE, outcomes.count)
                #expect((message ?? "").isEmpty == ["kept", "fetched"].contains(outcome))
                outcomes.append(outcome)
            }
            if explains {
                let receipt = CalledAsC.text(ofVerdict: verdict, HAWSER_TEXT_RECEIPT) ?? ""
                #expect(receipt.contains("prepared-crl") == outcomes.contains { $0 == "kept" })
            }
            return ([String(cString: hawser_result_name(result))] + outcomes)
                .joined(separator: " ")
        }
    }

    private static let type = "application/pkix-crl"

    @Test func whatIsWantedIsFetchedOnceAndKept() throws {
        let world = try World { .answer($0.revocationList(), type: Self.type) }
        defer { _ = hawser_store_close(world.store) }
        let fetcher = world.fetcher()
        defer { _ = hawser_fetcher_close(fetcher) }
        world.withRequest { request in
            // Without fetching the rule rejects.
            let result = hawser_evaluate(world.store, &request, nil, nil, nil)
            #expect(result == Int32(HAWSER_REJECT))
        }
        #expect(world.judge(fetcher) == "HAWSER_OK fetched")
        #expect(world.judge(fetcher, explains: true) == "HAWSER_OK kept")
        #expect(world.server.requests.count == 1)
        let state = CalledAsC.state(world.store)
        #expect(state.accepted == 2 && state.rejected == 1)
    }

    @Test func placesThatAreNotPublicAreNotAsked() throws {
        let world = try World { .answer($0.revocationList(), type: Self.type) }
        defer { _ = hawser_store_close(world.store) }
        let fetcher = world.fetcher([])
        defer { _ = hawser_fetcher_close(fetcher) }
        #expect(world.judge(fetcher) == "HAWSER_REJECT address-refused")
        #expect(world.server.requests.isEmpty)
    }

    @Test func aServerThatHangsIsWaitedForUntilTheTimeout() throws {
        let world = try World { _ in .hang }
        defer { _ = hawser_store_close(world.store) }
        let fetcher = world.fetcher { $0.timeout = 200 }
        // Closing the fetcher does not disturb who waits.
        #expect(world.judge(fetcher) == "HAWSER_REJECT timed-out")
        #expect(hawser_fetcher_close(fetcher) == Int32(HAWSER_OK))
    }

    @Test func theRuleDecidesUnlessAPersonAsked() throws {
        let world = try World(network: "prefetch") {
            .answer($0.revocationList(), type: Self.type)
        }
        defer { _ = hawser_store_close(world.store) }
        let service = world.fetcher()
        let person = world.fetcher { $0.flags = UInt32(HAWSER_FETCH_AS_ASKED) }
        defer { for fetcher in [service, person] { _ = hawser_fetcher_close(fetcher) } }
        #expect(world.judge(service) == "HAWSER_REJECT")
        #expect(world.server.requests.isEmpty)
        #expect(world.judge(person) == "HAWSER_OK fetched")
        var (fetched, failed): (UInt32, UInt32) = (9, 9)
        #expect(
            hawser_fetcher_prefetch(service, 10, &fetched, &failed, nil) == Int32(HAWSER_OK))
        #expect(fetched == 1 && failed == 0)
        #expect(world.judge(service) == "HAWSER_OK kept")
    }

    @Test func aFolderKeepsEvidenceForTheNextFetcher() throws {
        let world = try World { .answer($0.revocationList(), type: Self.type) }
        defer { _ = hawser_store_close(world.store) }
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        folder.path.withCString { path in
            let first = world.fetcher { $0.folder = path }
            #expect(world.judge(first) == "HAWSER_OK fetched")
            #expect(hawser_fetcher_close(first) == Int32(HAWSER_OK))
        }
        var isFolder: ObjCBool = false
        #expect(FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder))
        #expect(isFolder.boolValue)
    }

    @Test func argumentsThatCannotBe() throws {
        let world = try World { _ in .close }
        defer { _ = hawser_store_close(world.store) }
        var error = hawser_error.ready
        for (word, change) in [
            ("value-not-allowed", { $0.flags = 2 }), ("value-not-allowed", { $0.reserved = 1 }),
            ("value-not-allowed", { $0.timeout = -1 }),
            ("value-not-allowed", { $0.timeout = 600_001 }),
            ("value-not-allowed", { $0.exchange_timeout = .max }),
            ("struct-size", { $0.size = 9 }), ("null-pointer", { $0.network_count = 1 }),
            ("null-pointer", { $0.port_count = 1 }), ("too-large", { $0.port_count = -1 }),
        ] as [(String, (inout hawser_fetcher_options) -> Void)] {
            var options = hawser_fetcher_options()
            options.size = MemoryLayout<hawser_fetcher_options>.size
            change(&options)
            var fetcher = hawser_fetcher(number: 5)
            #expect(hawser_fetcher_open(&options, &fetcher, &error) < 0)
            #expect(error.word == word && fetcher.number == 0)
        }
        #expect(world.fetcher(["10.0.0.1/8"]).number == 0)
        for (port, isTaken) in [
            (0, false), (1, true), (65_535, true), (65_536, false), (.max, false),
        ] as [(UInt32, Bool)] {
            let fetcher = withUnsafePointer(to: port) { port in world.fetcher { $0.ports = port } }
            #expect((fetcher.number != 0) == isTaken, "\(port)")
            #expect(hawser_fetcher_close(fetcher) == Int32(HAWSER_OK))
        }
        #expect(hawser_fetcher_open(nil, nil, &error) == Int32(HAWSER_E_ARGUMENT))
        let fetcher = world.fetcher()
        world.withRequest { request in
            let store = world.store.number
            let pairs = [
                (store, 0), (store, store), (fetcher.number, fetcher.number),
            ].map { (hawser_store(number: $0.0), hawser_fetcher(number: $0.1)) }
            for (store, fetcher) in pairs {
                var outcome = hawser_outcome()
                outcome.size = MemoryLayout<hawser_outcome>.size
                let result = hawser_evaluate_fetching(
                    store, fetcher, &request, &outcome, nil, &error)
                #expect(
                    result == Int32(HAWSER_E_MISUSE)
                        && outcome.decision == UInt32(HAWSER_DECISION_UNDECIDED))
            }
            let result = hawser_explain_fetching(world.store, fetcher, &request, nil, nil, &error)
            #expect(result == Int32(HAWSER_E_ARGUMENT) && error.word == "null-pointer")
        }
        #expect(
            hawser_fetcher_close(hawser_fetcher(number: world.store.number))
                == Int32(HAWSER_E_MISUSE))
        #expect(hawser_fetcher_close(fetcher) == Int32(HAWSER_OK))
        #expect(hawser_fetcher_close(fetcher) == Int32(HAWSER_E_MISUSE))
        #expect(hawser_fetcher_close(hawser_fetcher()) == Int32(HAWSER_OK))
        #expect(
            hawser_fetcher_prefetch(fetcher, 1, nil, nil, &error) == Int32(HAWSER_E_MISUSE))
    }
}
