import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// The reports of a store in the log and in metrics.
@Suite struct StoreReportTests {
    private struct Told {
        let world: StoreWorld
        let lines = LogLines()
        let totals = MetricTotals()
        var configuration: PolicyStore.Configuration

        init() throws {
            world = try StoreWorld()
            configuration = world.configuration
            configuration.name = "edge"
            configuration.logger = lines.logger
            configuration.metrics = totals
        }
    }

    /// Every kind of refusal with the words that it has in the log.
    private static let refused: [(String, @Sendable (StoreWorld) throws -> [UInt8])] = [
        ("not-a-table", { _ in Array("no table".utf8) }),
        ("truncated", { Array(try numbered($0.rejecting, 8).dropLast()) }),
        (
            "altered",
            {
                var bytes = try numbered($0.rejecting, 8)
                bytes[bytes.count - 40] ^= 1
                return bytes
            }
        ),
        ("unsigned", { $0.rejecting }),
        ("older-revision", { try numbered($0.rejecting, 6) }),
        ("same-revision-other-content", { try numbered($0.rejecting, 7) }),
        (
            "waivers-not-allowed",
            { try numbered($0.table(StoreWorld.policy(StoreWorld.waiver)), 8) }
        ),
        ("not-admitted", { try numbered($0.table("hawser: 1\ndefault: deny\n# other\n"), 9) }),
    ]

    private static func numbered(_ table: [UInt8], _ revision: UInt64) throws -> [UInt8] {
        try SignedPolicy.signed(
            PolicyTable(decoding: table, crypto: crypto), revision: revision,
            by: [SignedPolicy.ann]
        ).encoded
    }

    @Test func everyRefusalIsInTheLogTheMetricsAndTheState() throws {
        for (code, offered) in Self.refused {
            var told = try Told()
            told.configuration.trustedKeys = try SignedPolicy.trusted([SignedPolicy.ann])
            told.configuration.allowWaivers = false
            told.configuration.admission = {
                $0.table.ruleCount == 0 ? .refused(reason: "it has no rule") : .admitted
            }
            let store = try PolicyStore(
                table: Self.numbered(told.world.accepting, 7), configuration: told.configuration)
            guard
                case .refused(let refusal) = store.offer(try offered(told.world), origin: "here")
            else {
                Issue.record("\(code) was not refused")
                continue
            }
            #expect(refusal.code.rawValue == code)
            #expect(store.state.lastRefused?.refusal == refusal)
            #expect(told.totals["hawser_store_events edge refused \(code)"] == 1)
            #expect(
                told.lines.all.last
                    == "error: policy table refused; the one before stays in force "
                    + "code=\(code) origin=here reason=\(refusal.context) store=edge")
            #expect(store.judge(told.world.request).isAccept)
        }
    }

    @Test func whatIsPutInForceIsTold() throws {
        let told = try Told()
        let store = try PolicyStore(
            table: Self.numbered(told.world.accepting, 7), configuration: told.configuration)
        store.offer(try Self.numbered(told.world.rejecting, 8), origin: "here\u{1B}[2J")
        store.confirm()
        #expect(told.totals["hawser_store_events edge installed none"] == 2)
        #expect(told.totals["hawser_store_events edge confirmed none"] == 1)
        #expect(told.totals["hawser_store_epoch edge"] == 2)
        #expect(told.totals["hawser_store_revision edge"] == 8)
        let line = try #require(told.lines.all.dropLast().last)
        #expect(line.hasPrefix("notice: policy table put in force epoch=2 file="))
        #expect(line.contains(" revision=8 store=edge"))
        // What a source calls itself may be a stranger's text.
        #expect(!line.contains("\u{1B}"))
    }

    @Test func aStartFromWhatWasKeptIsTold() throws {
        var told = try Told()
        let folder = try TemporaryFolder()
        told.configuration.stateDirectory = folder.at("state")
        _ = try PolicyStore(table: told.world.accepting, configuration: told.configuration)
        _ = try PolicyStore(
            file: folder.at("none"), configuration: told.configuration, watching: .onRequest)
        #expect(told.totals["hawser_store_events edge source-failed not-found"] == 1)
        #expect(
            told.lines.all.last
                == "warning: the source has no usable table: the last-known-good one is enforced "
                + "confirmed=\(told.world.clock.now()) store=edge")
    }

    @Test func aTableThatBecomesStaleIsToldOnce() throws {
        var told = try Told()
        told.configuration.staleness = .warn(after: .seconds(3_600))
        let store = try PolicyStore(table: told.world.accepting, configuration: told.configuration)
        told.world.clock.advance(3_601)
        let failure = SourceFailure(code: "http-status", context: "status 500")
        store.sourceFailed(failure, origin: "test")
        store.sourceFailed(failure, origin: "test")
        #expect(told.totals["hawser_store_events edge stale none"] == 1)
        #expect(told.totals["hawser_store_stale edge"] == 1)
        #expect(
            told.lines.all.filter { $0.hasPrefix("error: the policy table is stale") } == [
                "error: the policy table is stale: no source confirms it any more "
                    + "confirmed=2026-06-01T00:00:00Z stale-after=2026-06-01T01:00:00Z store=edge"
            ])
        store.confirm()
        #expect(told.totals["hawser_store_stale edge"] == 0)
        told.world.clock.advance(3_601)
        store.sourceFailed(failure, origin: "test")
        #expect(told.totals["hawser_store_events edge stale none"] == 2)
    }

    @Test func aStateDirectoryThatFailsIsTold() throws {
        var told = try Told()
        let folder = try TemporaryFolder()
        try folder.write("state", "a file")
        told.configuration.stateDirectory = folder.at("state")
        _ = try PolicyStore(table: told.world.accepting, configuration: told.configuration)
        #expect(
            told.totals[
                "hawser_store_events edge state-directory-failed state-directory-unreadable"]
                == 1)
        #expect(
            told.lines.all(
                "error: the policy table in force is not kept: a restart without the source will "
                    + "not have it code=state-directory-unreadable"
            ).count == 1)
        #expect(told.totals["hawser_store_rollback_protection edge"] == 0)
        #expect(
            told.totals[
                "hawser_store_events edge rollback-protection-off state-directory-unreadable"]
                == 1)
        #expect(
            told.lines.all.last
                == "error: rollback protection is off: over a restart an older policy table may "
                + "come back into force code=state-directory-unreadable reason=`"
                + folder.at("state") + "` is not a folder: name one for this store alone store=edge"
        )
    }
}
