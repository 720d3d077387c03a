import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// A table that no source confirms any more, by the clock of the test.
@Suite struct StoreStalenessTests {
    /// A store and a request that is judged when the clock says.
    private struct Ageing {
        let world: StoreWorld
        let store: PolicyStore

        init(_ staleness: Staleness, state: String? = nil) throws {
            world = try StoreWorld()
            var configuration = world.configuration
            configuration.staleness = staleness
            configuration.stateDirectory = state
            store = try PolicyStore(table: world.accepting, configuration: configuration)
        }

        /// `accept`, with notices, or the ids of the violations, after so many seconds.
        func verdict(after seconds: Int64 = 0) -> [String] {
            world.clock.advance(seconds)
            var request = world.request
            request.time = world.clock.now()
            let verdict = store.judge(request).verdict
            guard case .accept(let acceptance) = verdict.outcome else {
                return verdict.violations.map(\.id)
            }
            return ["accept"] + acceptance.notices.map(\.id)
        }
    }

    @Test func aStoreThatSaysNothingOfItIsNeverStale() throws {
        let ageing = try Ageing(.never)
        #expect(ageing.verdict(after: 86_400) == ["accept"])
        #expect(ageing.store.state.staleAfter == nil)
        #expect(!ageing.store.state.isStale)
    }

    @Test func aStaleTableRejectsUntilItIsConfirmed() throws {
        let ageing = try Ageing(.reject(after: .seconds(3_600)))
        #expect(ageing.verdict(after: 3_600) == ["accept"])
        #expect(!ageing.store.state.isStale)
        #expect(ageing.verdict(after: 1) == ["table-stale"])
        #expect(ageing.store.state.isStale)
        let epoch = ageing.store.snapshot.epoch
        ageing.store.confirm()
        #expect(ageing.verdict() == ["accept"])
        #expect(!ageing.store.state.isStale)
        #expect(ageing.store.snapshot.epoch == epoch)
        #expect(ageing.verdict(after: 3_601) == ["table-stale"])
        // The same table offered once more is as good as a confirmation.
        ageing.store.offer(ageing.world.accepting, origin: "test")
        #expect(ageing.verdict() == ["accept"])
    }

    @Test func whereItOnlyWarnsAnAcceptSaysSo() throws {
        let ageing = try Ageing(.warn(after: .seconds(3_600)))
        #expect(ageing.verdict(after: 3_600) == ["accept"])
        #expect(ageing.verdict(after: 1) == ["accept", "table-stale"])
        #expect(ageing.store.state.isStale)
    }

    /// Neither a bad table nor a source that fails makes the one in force any fresher.
    @Test func whatIsRefusedConfirmsNothing() throws {
        let ageing = try Ageing(.reject(after: .seconds(3_600)))
        #expect(ageing.verdict(after: 3_000) == ["accept"])
        ageing.store.offer(Array("no table".utf8), origin: "test")
        ageing.store.sourceFailed(
            SourceFailure(code: "http-status", context: "status 500"), origin: "test")
        #expect(ageing.verdict(after: 601) == ["table-stale"])
    }

    @Test func aRestartMakesNothingFresher() throws {
        let folder = try TemporaryFolder()
        let staleness = Staleness.reject(after: .seconds(3_600))
        let before = try Ageing(staleness, state: folder.at("state"))
        before.world.clock.advance(3_601)
        var configuration = before.world.configuration
        configuration.staleness = staleness
        configuration.stateDirectory = folder.at("state")
        let store = try PolicyStore(table: nil, configuration: configuration)
        var request = before.world.request
        request.time = before.world.clock.now()
        #expect(store.judge(request).violations.map(\.id) == ["table-stale"])
        store.confirm()
        #expect(store.judge(request).isAccept)
    }

    @Test func theTraceNamesBothDates() throws {
        let ageing = try Ageing(.reject(after: .seconds(3_600)))
        ageing.world.clock.advance(3_601)
        var request = ageing.world.request
        request.time = ageing.world.clock.now()
        let explanation = ageing.store.explain(request)
        #expect(explanation.trace.replayedVerdict() == explanation.verdict)
        #expect(
            explanation.verdict.violations.map(\.sentence) == [
                "the policy table was last known as the newest at 2026-06-01T00:00:00Z and was to "
                    + "be used until 2026-06-01T01:00:00Z"
            ])
    }

    @Test func whoeverIsOnCallReadsWhatToDo() throws {
        let ageing = try Ageing(.reject(after: .seconds(3_600)))
        ageing.world.clock.advance(3_601)
        var request = ageing.world.request
        request.time = ageing.world.clock.now()
        let page = ageing.store.explain(request).rendered(as: .text)
        let lines = page.split(separator: "\n").map(String.init)
        #expect(
            Array(lines.prefix(2)) == [
                "reject api.store.example:443 at 2026-06-01T01:00:01Z by rule `api`: table-stale",
                "  the policy in use is too old, so nothing is trusted by it any more",
            ])
        #expect(lines.contains { $0.hasPrefix("├ side    this machine: it holds an old policy") })
        // Long lines are wrapped.
        let words = page.split { " \n│├└".contains($0) }.joined(separator: " ")
        #expect(
            words.contains(
                "FAILED freshness: the policy table was last known as the newest at "
                    + "2026-06-01T00:00:00Z and was to be used until 2026-06-01T01:00:00Z the "
                    + "program's own limit"))
        #expect(
            words.contains(
                "see why the source of the table does not confirm it: the program's log and "
                    + "the state of its policy store name the last failure"))
        let everything = ageing.store.explain(request).rendered(as: .everything)
            .split { " \n│├└".contains($0) }.joined(separator: " ")
        #expect(
            everything.contains(
                ", confirmed 2026-06-01T00:00:00Z, fresh until 2026-06-01T01:00:00Z, then reject"))
    }

    // MARK: Stricter hosts

    @Test func aSnapshotNamesTheHostsThatBecameStricter() throws {
        let world = try StoreWorld()
        let store = try PolicyStore(table: world.accepting, configuration: world.configuration)
        #expect(store.snapshot.stricter == .none)
        guard case .installed(let strict) = store.offer(world.rejecting, origin: "test") else {
            Issue.record("it was not put in force")
            return
        }
        #expect(strict.stricter.patterns == [StoreWorld.host])
        #expect(!strict.stricter.includesDefault)
        guard case .installed(let loose) = store.offer(world.accepting, origin: "test") else {
            Issue.record("it was not put in force")
            return
        }
        #expect(loose.stricter == .none)
    }
}
