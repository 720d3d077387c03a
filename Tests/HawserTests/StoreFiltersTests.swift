import EvidenceServer
import Foundation
import Rendering
import Synchronization
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// A store whose engines ask a folder of CRLite filters: the folder as it is, as it is replaced
/// while verdicts are made, and as it must not be.
@Suite("a store with CRLite filters")
struct StoreFiltersTests {
    private struct World {
        let site = FilteredSite()
        let cache: FilterCache
        let lines = LogLines()
        let totals = MetricTotals()
        let table: [UInt8]
        let request: TrustRequest

        init() throws {
            cache = try FilterCache()
            table = try StoreWorld.compile(site.policy, files: ["root.pem": site.root.pem])
            request = TrustRequest(
                host: site.host, port: 443, presentedChain: [site.leaf.der],
                time: Scenario.judgedAt, tls: .observed(TLSParameters(version: .tls13)))
        }

        /// A store that asks the folder.
        func store(_ renewal: CRLiteFolder.Renewal = .inBackground) throws -> PolicyStore {
            try store(SuppliedFilters(CRLiteFolder(cache.path, renewal: renewal)))
        }

        func store(_ filters: SuppliedFilters?) throws -> PolicyStore {
            var configuration = PolicyStore.Configuration()
            configuration.name = "edge"
            configuration.logger = lines.logger
            configuration.metrics = totals
            configuration.crlite = filters
            return try PolicyStore(table: table, configuration: configuration)
        }

        /// Puts a filter and its index in the folder.
        func write(isRevoked: Bool, as name: String = "full.filter") throws {
            try cache.write([(name, site.filter(isRevoked: isRevoked))])
        }

        /// The ids of the violations; none of an accept.
        func violations(_ store: PolicyStore) -> [String] {
            store.judge(request).violations.map(\.id)
        }
    }

    private static let undetermined = ["revocation-undetermined"]

    @Test("a good certificate is accepted, a revoked one refused, with file and digest")
    func decides() throws {
        let world = try World()
        try world.write(isRevoked: false)
        let store = try world.store()
        #expect(world.violations(store) == [])
        #expect(store.state.crliteFailure == nil)
        #expect(world.totals["hawser_store_crlite edge"] == 1)
        try world.write(isRevoked: true)
        #expect(store.state.crliteFailure == nil)
        #expect(world.violations(store) == ["revoked"])
        let explanation = TraceJSON.render(store.explain(world.request))
        let octets = try world.site.filter(isRevoked: true).octets(version: 4)
        #expect(explanation.contains("full.filter"))
        #expect(explanation.contains(crypto.digest(.sha256, of: octets.span).hex))
    }

    @Test("a folder that is not there is said, and nothing passes until it is there")
    func missing() throws {
        let world = try World()
        try world.cache.remove()
        let store = try world.store()
        #expect(store.state.crliteFailure?.code == "not-found")
        #expect(
            world.lines.all("error: the CRLite filters cannot be asked").count == 1,
            "\(world.lines.all)")
        #expect(world.totals["hawser_store_crlite edge"] == 0)
        #expect(world.totals["hawser_store_events edge crlite-failed not-found"] == 1)
        #expect(world.violations(store) == Self.undetermined)
        #expect(
            TraceJSON.render(store.explain(world.request)).contains("\"unreachable\""))
        try world.cache.makeFolder()
        try world.write(isRevoked: false)
        #expect(world.violations(store) == [])
        #expect(store.state.crliteFailure == nil)
        #expect(world.lines.all("notice: the CRLite filters can be asked").count == 1)
        #expect(world.totals["hawser_store_crlite edge"] == 1)
    }

    @Test("without the setting a rule that asks filters finds none, and the store says nothing")
    func unset() throws {
        let world = try World()
        try world.write(isRevoked: false)
        let store = try world.store(nil)
        #expect(world.violations(store) == Self.undetermined)
        #expect(store.state.crliteFailure == nil)
        #expect(world.totals["hawser_store_crlite edge"] == nil)
    }

    @Test("a folder or a file that another user may write is not asked")
    func foreign() throws {
        let world = try World()
        try world.write(isRevoked: false)
        try world.cache.setMode(0o775)
        let store = try world.store()
        #expect(store.state.crliteFailure?.code == "foreign")
        #expect(world.violations(store) == Self.undetermined)
        try world.cache.setMode(0o755)
        #expect(world.violations(store) == [])
        let filter = try world.site.filter(isRevoked: false)
        try world.cache.write("full.filter", filter.octets(version: 4), mode: 0o646)
        try world.cache.write(
            "index.bin", FilterIndexRecipe(of: [("full.filter", filter)]).octets)
        #expect(store.state.crliteFailure?.code == "foreign")
        #expect(store.state.crliteFailure?.context.contains("every user may write") == true)
        #expect(world.violations(store) == Self.undetermined)
    }

    @Test(
        "a folder of another user is not asked",
        .enabled(if: geteuid() == 0, "only root gives a folder away"))
    func owner() throws {
        let world = try World()
        try world.write(isRevoked: false)
        #expect(chown(world.cache.path, 65_534, 65_534) == 0)
        let store = try world.store()
        #expect(store.state.crliteFailure?.context.contains("user 65534, who owns it,") == true)
        #expect(world.violations(store) == Self.undetermined)
    }

    @Test("a damaged filter is refused; another filter that says revoked decides all the same")
    func damaged() throws {
        let world = try World()
        let good = try world.site.filter(isRevoked: false)
        let revoked = try world.site.filter(isRevoked: true)
        try world.cache.write([("full.filter", good), ("delta.filter", good)])
        try world.cache.write("delta.filter", good.octets(version: 4).dropLast())
        let store = try world.store()
        #expect(store.state.crliteFailure?.code == "truncated")
        #expect(world.violations(store) == Self.undetermined)
        try world.cache.write([("full.filter", revoked), ("delta.filter", good)])
        try world.cache.write("delta.filter", [4, 0])
        #expect(store.state.crliteFailure?.code == "truncated")
        #expect(world.violations(store) == ["revoked"])
    }

    @Test("filters are opened with the store: a file that is removed later answers on")
    func opened() throws {
        let world = try World()
        try world.write(isRevoked: false)
        let store = try world.store()
        try world.cache.remove("full.filter")
        #expect(world.violations(store) == [])
    }

    @Test("the verdict after a new index is made by one index, and the next state by the new one")
    func replaced() throws {
        let world = try World()
        try world.write(isRevoked: false, as: "one.filter")
        let store = try world.store()
        for turn in 1...20 {
            try world.write(isRevoked: turn % 2 == 1, as: "filter-\(turn).filter")
            // The old filter goes, as `upki fetch` lets it go.
            try? world.cache.remove("filter-\(turn - 1).filter")
            let between = world.violations(store)
            #expect(between == [] || between == ["revoked"])
            #expect(store.state.crliteFailure == nil)
            #expect(world.violations(store) == (turn % 2 == 1 ? ["revoked"] : []))
        }
    }

    @Test("without a thread the first verdict after a new index is made by the new one")
    func atQuestion() throws {
        let world = try World()
        try world.write(isRevoked: false)
        let store = try world.store(.atQuestion)
        for turn in 1...10 {
            try world.write(isRevoked: turn % 2 == 1)
            #expect(world.violations(store) == (turn % 2 == 1 ? ["revoked"] : []))
        }
    }

    @Test("a new index that cannot be read: the former filters say revoked, and never good")
    func damagedIndex() throws {
        let world = try World()
        for isRevoked in [false, true] {
            try world.write(isRevoked: isRevoked)
            let store = try world.store()
            try world.cache.write("index.bin", Array("upkiidx1".utf8))
            #expect(store.state.crliteFailure?.code == "truncated")
            #expect(world.violations(store) == (isRevoked ? ["revoked"] : Self.undetermined))
            try world.write(isRevoked: false)
            #expect(world.violations(store) == [])
            #expect(store.state.crliteFailure == nil)
        }
    }

    @Test("the time at which a manifest says that filters were copied makes no filter younger")
    func manifest() throws {
        let world = try World()
        let old = try world.site.filter(isRevoked: false, until: .at("2026-05-20"))
        try world.cache.write([("full.filter", old)])
        let copied = Scenario.judgedAt.secondsSinceEpoch
        try world.cache.write(
            "manifest.json",
            Array(#"{"generated_at": \#(copied), "comment": "", "files": []}"#.utf8))
        let store = try world.store()
        #expect(world.violations(store) == Self.undetermined)
        #expect(TraceJSON.render(store.explain(world.request)).contains("\"stale\""))
    }

    @Test("a folder that is exchanged behind a link is opened anew")
    func exchanged() throws {
        let world = try World()
        try world.write(isRevoked: false)
        let other = try World()
        try other.write(isRevoked: true)
        let folder = try TemporaryFolder()
        try folder.link("now", to: world.cache.path)
        let store = try world.store(SuppliedFilters(CRLiteFolder(folder.at("now"))))
        #expect(world.violations(store) == [])
        try folder.link("next", to: other.cache.path)
        #expect(rename(folder.at("next"), folder.at("now")) == 0)
        #expect(store.state.crliteFailure == nil)
        #expect(world.violations(store) == ["revoked"])
    }

    @Test("another table asks the same filters")
    func reloaded() throws {
        let world = try World()
        try world.write(isRevoked: true)
        let store = try world.store()
        let other = try StoreWorld.compile(
            world.site.policy.replacingOccurrences(
                of: "hosts: [", with: "hosts: [\"other.filtered.example\", "),
            files: ["root.pem": world.site.root.pem])
        guard case .installed = store.offer(other, origin: "test") else {
            Issue.record("the table was refused")
            return
        }
        #expect(world.violations(store) == ["revoked"])
        try world.write(isRevoked: false)
        #expect(store.state.crliteFailure == nil)
        #expect(world.violations(store) == [])
    }

    @Test("the store's look at its file prepares the filters")
    func looked() throws {
        let world = try World()
        let folder = try TemporaryFolder()
        try folder.write("table", world.table)
        var configuration = PolicyStore.Configuration()
        configuration.logger = world.lines.logger
        configuration.crlite = SuppliedFilters(CRLiteFolder(world.cache.path))
        let store = try PolicyStore(
            file: folder.at("table"), configuration: configuration, watching: .onRequest)
        #expect(world.lines.all("error: the CRLite filters cannot be asked").count == 1)
        try world.write(isRevoked: false)
        store.reload()
        #expect(world.lines.all("notice: the CRLite filters can be asked").count == 1)
        // Nothing is opened for the verdict.
        try world.cache.remove("full.filter")
        #expect(store.judge(world.request).isAccept)
    }

    /// Other providers have nothing to prepare, or say what they lack.
    private final class Provider: RevocationFilters {
        func reply(to question: RevocationFilterQuestion) -> RevocationFilterReply {
            RevocationFilterReply(
                status: .missing(FilterFault(code: "none", context: "no filter")), deciding: nil,
                asked: 0, newest: nil, index: nil, work: 0)
        }
    }

    @Test("a provider of the program's needs no preparation")
    func provider() throws {
        let world = try World()
        let store = try world.store(SuppliedFilters(Provider()))
        #expect(store.state.crliteFailure == nil)
        #expect(world.violations(store) == Self.undetermined)
    }

    @Test("verdicts of threads while the index is replaced: good or revoked, and nothing else")
    func threads() throws {
        let world = try World()
        try world.write(isRevoked: false)
        let store = try world.store()
        let end = Atomic<Bool>(false)
        let others = Mutex<[String]>([])
        let threads = 4
        let running = Monitor(threads)
        for _ in 0..<threads {
            let isStarted = BackgroundThread.start {
                while !end.load(ordering: .relaxed) {
                    let found = world.violations(store)
                    if found != [], found != ["revoked"] { others.withLock { $0 += found } }
                }
                running.withLock { $0 -= 1 }
            }
            #expect(isStarted)
        }
        for turn in 1...100 {
            try world.write(isRevoked: turn % 2 == 1, as: "filter-\(turn).filter")
            if turn % 3 == 0 { #expect(store.state.crliteFailure == nil) }
        }
        end.store(true, ordering: .relaxed)
        running.wait { $0 == 0 ? () : nil }
        #expect(others.withLock { $0 } == [])
        #expect(store.state.crliteFailure == nil)
        #expect(world.violations(store) == [])
    }
}
