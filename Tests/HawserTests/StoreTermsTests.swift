import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// Tables that say when they were issued and until when they may be used, and clocks that are set.
@Suite struct StoreTermsTests {
    /// A store that ann's tables are offered to, and a request that is judged when the clock says.
    private struct Ageing {
        var world: StoreStateWorld
        var clock: TestClock { world.world.clock }

        init(_ staleness: Staleness = .never) throws {
            world = try StoreStateWorld()
            world.configuration.staleness = staleness
            // A time of the day that is not the first second.
            clock.advance(100)
        }

        /// Terms that begin `issued` seconds from now and end `expires` seconds from now.
        func terms(issued: Int64 = 0, expires: Int64? = nil) -> TableTerms? {
            TableTerms(
                issued: clock.now().advanced(bySeconds: issued),
                expires: expires.map { clock.now().advanced(bySeconds: $0) })
        }

        func table(
            _ revision: UInt64, _ terms: TableTerms?, by keys: [TestKey] = [SignedPolicy.ann]
        ) throws -> [UInt8] {
            try SignedPolicy.signed(
                PolicyTable(decoding: world.world.accepting, crypto: crypto), revision: revision,
                terms: terms, by: keys
            ).encoded
        }

        func store(_ revision: UInt64, _ terms: TableTerms?) throws -> PolicyStore {
            try PolicyStore(
                table: table(revision, terms), configuration: world.configuration)
        }

        func verdict(_ store: PolicyStore) -> [String] {
            var request = world.world.request
            request.time = clock.now()
            let verdict = store.judge(request).verdict
            guard case .accept(let acceptance) = verdict.outcome else {
                return verdict.violations.map(\.id)
            }
            return ["accept"] + acceptance.notices.map(\.id)
        }
    }

    private func code(_ offer: PolicyStore.OfferOutcome) -> String {
        switch offer {
        case .installed: return "installed"
        case .unchanged: return "unchanged"
        case .refused(let refusal): return refusal.code.rawValue
        }
    }

    // MARK: The end

    /// Whatever the program says of staleness, and however often the table is confirmed.
    @Test(arguments: [
        Staleness.never, .warn(after: .seconds(86_400)), .reject(after: .seconds(86_400)),
    ])
    func aTableIsRejectedOnceItsTermsHaveEnded(staleness: Staleness) throws {
        let ageing = try Ageing(staleness)
        let store = try ageing.store(1, ageing.terms(expires: 3_600))
        ageing.clock.advance(3_600)
        store.confirm()
        #expect(ageing.verdict(store) == ["accept"])
        #expect(!store.state.isStale)
        ageing.clock.advance(1)
        store.confirm()
        #expect(ageing.verdict(store) == ["table-stale"])
        #expect(store.state.isStale)
        #expect(store.state.staleAfter == ageing.clock.now().advanced(bySeconds: -1))
        // The same table with later terms, and a newer one.
        #expect(
            code(store.offer(try ageing.table(1, ageing.terms(expires: 60)), origin: "test"))
                == "unchanged")
        #expect(ageing.verdict(store) == ["accept"])
    }

    /// First the program's own limit, which only warns, and then the end.
    @Test func aWarningComesBeforeTheEnd() throws {
        let ageing = try Ageing(.warn(after: .seconds(60)))
        let store = try ageing.store(1, ageing.terms(expires: 3_600))
        ageing.clock.advance(61)
        #expect(ageing.verdict(store) == ["accept", "table-stale"])
        ageing.clock.advance(3_540)
        #expect(ageing.verdict(store) == ["table-stale"])
    }

    @Test func aTableWhoseTermsHaveEndedIsRefused() throws {
        let ageing = try Ageing()
        let store = try ageing.store(1, ageing.terms())
        let ended = try ageing.table(2, ageing.terms(issued: -50, expires: -1))
        guard case .refused(let refusal) = store.offer(ended, origin: "test") else {
            Issue.record("it was put in force")
            return
        }
        #expect(refusal.code == "table-expired")
        #expect(
            refusal.context
                == "its terms ended at 2026-06-01T00:01:39Z: sign it anew, or a newer one")
        #expect(ageing.verdict(store) == ["accept"])
        #expect(throws: PolicyStoreError.self) {
            var configuration = ageing.world.configuration
            configuration.stateDirectory = nil
            _ = try PolicyStore(table: ended, configuration: configuration)
        }
    }

    /// A table that is kept for a restart keeps its end and all its signatures.
    @Test func aRestartKnowsTheEnd() throws {
        let ageing = try Ageing()
        let terms = ageing.terms(expires: 3_600)
        do { _ = try ageing.store(1, terms) }
        let store = try PolicyStore(table: nil, configuration: ageing.world.configuration)
        #expect(store.state.staleAfter == terms?.expires)
        ageing.clock.advance(3_601)
        #expect(ageing.verdict(store) == ["table-stale"])
        let failure = #expect(throws: PolicyStoreError.self) {
            _ = try PolicyStore(table: nil, configuration: ageing.world.configuration)
        }
        #expect(failure?.lastKnownGood?.code == "table-expired")
    }

    /// A signature covers the terms, so an entry of the record proves its revision only with them.
    @Test(arguments: [3_600, nil] as [Int64?])
    func theRecordRepeatsTheTerms(expires: Int64?) throws {
        let ageing = try Ageing()
        _ = try ageing.store(7, ageing.terms(expires: expires))
        ageing.world.remove(StoreStateWorld.tableFile)
        #expect(try ageing.world.kept().floor?.revision == 7)
    }

    /// Without trusted keys a table with terms may have no signature.
    @Test func laterTermsOfATableWithoutSignaturesCount() throws {
        var ageing = try Ageing()
        ageing.world.configuration.trustedKeys = nil
        let store = try PolicyStore(
            table: ageing.table(1, ageing.terms(expires: 60), by: []),
            configuration: ageing.world.configuration)
        let later = try ageing.table(1, ageing.terms(expires: 3_600), by: [])
        #expect(code(store.offer(later, origin: "test")) == "unchanged")
        #expect(try ageing.world.octets(StoreStateWorld.tableFile) == later)
        ageing.clock.advance(61)
        #expect(ageing.verdict(store) == ["accept"])
        let older = try ageing.table(1, ageing.terms(issued: -62, expires: 7_200), by: [])
        #expect(code(store.offer(older, origin: "test")) == "unchanged")
        #expect(try ageing.world.octets(StoreStateWorld.tableFile) == later)
    }

    // MARK: The issue

    /// No source can make a table with dates fresher, so the advice is to issue it again. Without
    /// dates it is to look at the source.
    @Test func theAdviceOnAStaleTableIsToIssueItAgain() throws {
        var ageing = try Ageing(.reject(after: .seconds(3_600)))
        ageing.world.configuration.stateDirectory = nil
        let settled = ageing
        func advice(_ terms: TableTerms?) throws -> String {
            let ageing = settled
            let store = try PolicyStore(
                table: ageing.table(1, terms), configuration: ageing.world.configuration)
            ageing.clock.advance(3_601)
            var request = ageing.world.world.request
            request.time = ageing.clock.now()
            let explanation = store.explain(request)
            #expect(explanation.verdict.violations.map(\.id) == ["table-stale"])
            return explanation.rendered(as: .text)
        }
        for expires in [nil, 1_800] as [Int64?] {
            let signed = try advice(ageing.terms(expires: expires))
            let words = signed.split { " \n│├└".contains($0) }.joined(separator: " ")
            #expect(words.contains("`hawser compile UNIT --revision 2"), "\(signed)")
            #expect(words.contains("--expires") == (expires != nil))
            #expect(words.contains("whoever signs the table has not issued it again in time"))
            #expect(words.contains("have the holder of key `sha256:"), "\(signed)")
            #expect(words.contains(expires == nil ? "this program uses it until" : "is good until"))
            #expect(!signed.contains("see why the source of the table"))
        }
        let bare = try advice(nil)
        #expect(bare.contains("see why the source of the table does not confirm it"))
        #expect(!bare.contains("hawser compile"))
    }

    /// A mirror that serves one table for ever says nothing new of it.
    @Test func aFrozenMirrorMakesNothingFresher() throws {
        let ageing = try Ageing(.reject(after: .seconds(3_600)))
        let terms = ageing.terms()
        let store = try ageing.store(1, terms)
        for _ in 0..<60 {
            ageing.clock.advance(60)
            #expect(ageing.verdict(store) == ["accept"])
            #expect(code(store.offer(try ageing.table(1, terms), origin: "mirror")) == "unchanged")
            store.confirm()
        }
        ageing.clock.advance(1)
        for _ in 0..<3 {
            #expect(ageing.verdict(store) == ["table-stale"])
            _ = store.offer(try ageing.table(1, terms), origin: "mirror")
            store.confirm()
            ageing.clock.advance(3_600)
        }
        // Signed once more: it is the newest still.
        let renewed = try ageing.table(1, ageing.terms())
        #expect(code(store.offer(renewed, origin: "mirror")) == "unchanged")
        #expect(ageing.verdict(store) == ["accept"])
        // And an earlier signature over the same table takes nothing back.
        _ = store.offer(try ageing.table(1, terms), origin: "mirror")
        #expect(ageing.verdict(store) == ["accept"])
        _ = store.offer(try ageing.table(1, nil), origin: "mirror")
        ageing.clock.advance(3_601)
        store.confirm()
        #expect(ageing.verdict(store) == ["table-stale"])
        #expect(
            try SignedTable(decoding: ageing.world.octets(StoreStateWorld.tableFile)).encoded
                == renewed)
    }

    /// A table that is hours old when it comes is as old as it says.
    @Test func aTableIsAsOldAsItSays() throws {
        let ageing = try Ageing(.reject(after: .seconds(3_600)))
        let store = try ageing.store(1, ageing.terms(issued: -3_601))
        #expect(ageing.verdict(store) == ["table-stale"])
    }

    // MARK: A file

    @Test func aBareTableInAFileCountsFromWhenItWasFirstSeen() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("hawser.table", world.accepting)
        var configuration = world.configuration
        configuration.staleness = .reject(after: .seconds(3_600))
        configuration.stateDirectory = folder.at("state")
        func store() throws -> PolicyStore {
            try PolicyStore(
                file: folder.at("hawser.table"), configuration: configuration,
                watching: .onRequest)
        }
        do {
            let first = try store()
            world.clock.advance(3_000)
            first.reload()
            #expect(!first.state.isStale)
        }
        // A restart with the same file.
        let second = try store()
        #expect(second.state.origin == folder.at("hawser.table"))
        #expect(!second.state.isStale)
        world.clock.advance(601)
        second.reload()
        #expect(second.state.isStale)
        let third = try store()
        #expect(third.state.isStale)
        try folder.write("hawser.table", try world.table(StoreWorld.policy("owner: us")))
        third.reload()
        #expect(!third.state.isStale)
    }

    // MARK: Clocks that are set

    @Test(arguments: [7_200, -7_200] as [Int64])
    func aWallClockThatIsSetChangesNoAge(by seconds: Int64) throws {
        for terms in [false, true] {
            let ageing = try Ageing(.reject(after: .seconds(3_600)))
            let store = try ageing.store(1, terms ? ageing.terms() : nil)
            ageing.clock.advance(1_800)
            ageing.clock.set(seconds)
            #expect(ageing.verdict(store) == ["accept"])
            #expect(!store.state.isStale)
            ageing.clock.advance(1_800)
            #expect(ageing.verdict(store) == ["accept"])
            ageing.clock.advance(1)
            #expect(ageing.verdict(store) == ["table-stale"])
            #expect(store.state.isStale)
            ageing.clock.set(-seconds)
            #expect(ageing.verdict(store) == ["table-stale"])
            if !terms {
                store.confirm()
                #expect(ageing.verdict(store) == ["accept"])
            }
        }
    }

    /// The end that is signed is an instant of the wall clock.
    @Test func aWallClockThatIsSetMovesNoEnd() throws {
        let ageing = try Ageing(.reject(after: .seconds(86_400)))
        let store = try ageing.store(1, ageing.terms(expires: 3_600))
        ageing.clock.set(3_601)
        #expect(ageing.verdict(store) == ["table-stale"])
        ageing.clock.set(-3_601)
        #expect(ageing.verdict(store) == ["accept"])
    }
}
