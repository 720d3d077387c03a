import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// Tables that are never put in force, each with its reason, while the table before goes on
/// deciding.
@Suite struct StoreRefusalTests {
    /// A table that would reject what the one in force accepts, numbered and signed.
    private static func numbered(
        _ table: [UInt8], _ revision: UInt64, by keys: [TestKey] = []
    ) throws -> [UInt8] {
        try SignedPolicy.signed(
            PolicyTable(decoding: table, crypto: crypto), revision: revision, by: keys
        ).encoded
    }

    /// What a store with revision 7 of the accepting table says to an offer, told as on a page.
    private func refusal(
        of offered: (StoreWorld) throws -> [UInt8],
        _ change: (inout PolicyStore.Configuration) throws -> Void = { _ in }
    ) throws -> String {
        let world = try StoreWorld()
        var configuration = world.configuration
        try change(&configuration)
        let store = try PolicyStore(
            table: Self.numbered(world.accepting, 7, by: [SignedPolicy.ann]),
            configuration: configuration)
        let before = store.snapshot
        world.clock.advance(60)
        guard case .refused(let refusal) = store.offer(try offered(world), origin: "test") else {
            return "not refused"
        }
        // The old table still decides, and the store says why.
        #expect(store.snapshot === before)
        #expect(store.judge(world.request).isAccept)
        #expect(
            store.state.lastRefused
                == PolicyStoreState.Refused(at: world.clock.now(), origin: "test", refusal: refusal)
        )
        #expect(store.state.counts.refused == 1)
        #expect(store.state.counts.installed == 1)
        #expect(store.state.confirmedAt == before.loadedAt)
        return "\(refusal.code): \(refusal.context)"
    }

    @Test func aCorruptTable() throws {
        let told = try refusal { world in
            var bytes = try Self.numbered(world.rejecting, 8)
            bytes[bytes.count - 40] ^= 1
            return bytes
        }
        #expect(told == "altered: the bytes are not those that were sealed")
    }

    @Test func aTableThatIsCutOff() throws {
        let told = try refusal { Array(try Self.numbered($0.rejecting, 8).dropLast(100)) }
        #expect(told.hasPrefix("truncated: "))
        let half = try refusal { world in
            let bytes = try Self.numbered(world.rejecting, 8)
            return Array(bytes.prefix(bytes.count / 2))
        }
        #expect(half.hasPrefix("truncated: "))
        #expect(try refusal { _ in [] }.hasPrefix("truncated: "))
    }

    @Test func somethingElse() throws {
        #expect(
            try refusal { _ in Array("hawser: 1\n".utf8) }
                == "not-a-table: it does not begin as a policy table does")
    }

    @Test func anUnsignedTableWhereKeysAreConfigured() throws {
        let keys: (inout PolicyStore.Configuration) throws -> Void = {
            $0.trustedKeys = try SignedPolicy.trusted([SignedPolicy.ann])
        }
        #expect(try refusal(of: { $0.rejecting }, keys).hasPrefix("unsigned: "))
        #expect(
            try refusal(of: { try Self.numbered($0.rejecting, 8) }, keys).hasPrefix("unsigned: "))
        #expect(
            try refusal(
                of: { try Self.numbered($0.rejecting, 8, by: [SignedPolicy.eve]) }, keys
            ).hasPrefix("not-enough-signatures: "))
    }

    @Test func anOlderTable() throws {
        #expect(
            try refusal { try Self.numbered($0.rejecting, 6) }
                == "older-revision: revision 6, where revision 7 was in force: sign a table with a "
                + "higher revision to go back to what it says")
        // The very table in force, under an older number.
        #expect(
            try refusal { try Self.numbered($0.accepting, 6) }.hasPrefix("older-revision: "))
        #expect(
            try refusal { $0.rejecting }
                == "older-revision: it states no revision, where revision 7 was in force: give it a "
                + "higher one")
    }

    @Test func anotherTableOfTheRevisionInForce() throws {
        #expect(
            try refusal { try Self.numbered($0.rejecting, 7) }
                == "same-revision-other-content: revision 7 is in force with other content: one "
                + "revision is one table")
    }

    @Test func aTableWithWaiversWhereNoneAreAllowed() throws {
        #expect(
            try refusal(
                of: { try Self.numbered($0.table(StoreWorld.policy(StoreWorld.waiver)), 8) },
                { $0.allowWaivers = false })
                == "waivers-not-allowed: it has waivers in `api`, and this program loads no table "
                + "that has any")
    }

    @Test func aTableThatNamesACheckWhichIsNotRegistered() throws {
        #expect(
            try refusal {
                try Self.numbered($0.table(StoreWorld.policy("checks: [ours]")), 8)
            }.hasPrefix("check-not-registered: "))
    }

    // MARK: Revisions

    @Test func aHigherRevisionIsPutInForce() throws {
        let world = try StoreWorld()
        let store = try PolicyStore(
            table: Self.numbered(world.accepting, 7), configuration: world.configuration)
        #expect(store.snapshot.revision == 7)
        guard
            case .installed(let snapshot) = store.offer(
                try Self.numbered(world.rejecting, 8), origin: "test")
        else {
            Issue.record("it was not put in force")
            return
        }
        #expect(snapshot.revision == 8)
        #expect(snapshot.epoch == 2)
        #expect(store.state.revision == 8)
    }

    /// Going back to what a policy said takes a higher number, and is the same meaning once more.
    @Test func aHigherRevisionOfTheSamePolicyKeepsTheEpoch() throws {
        let world = try StoreWorld()
        let store = try PolicyStore(
            table: Self.numbered(world.accepting, 7), configuration: world.configuration)
        guard
            case .installed(let snapshot) = store.offer(
                try Self.numbered(world.accepting, 9), origin: "test")
        else {
            Issue.record("it was not put in force")
            return
        }
        #expect(snapshot.revision == 9)
        #expect(snapshot.epoch == 1)
        guard case .refused = store.offer(try Self.numbered(world.accepting, 8), origin: "test")
        else {
            Issue.record("an older one was put in force")
            return
        }
    }

    @Test func aTableWithoutRevisionGivesWayToOneThatHasSome() throws {
        let world = try StoreWorld()
        let store = try PolicyStore(table: world.accepting, configuration: world.configuration)
        guard
            case .installed = store.offer(try Self.numbered(world.accepting, 0), origin: "test")
        else {
            Issue.record("it was not put in force")
            return
        }
        #expect(store.snapshot.revision == 0)
        guard case .refused(let refusal) = store.offer(world.accepting, origin: "test") else {
            Issue.record("the bare one came back")
            return
        }
        #expect(refusal.code == "older-revision")
    }

    @Test func theFloorOutlivesTheProcess() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        var state = world.configuration
        state.stateDirectory = folder.at("state")
        state.trustedKeys = try SignedPolicy.trusted([SignedPolicy.ann])
        _ = try PolicyStore(
            table: Self.numbered(world.accepting, 7, by: [SignedPolicy.ann]), configuration: state)
        let older = try Self.numbered(world.rejecting, 6, by: [SignedPolicy.ann])
        let store = try PolicyStore(table: older, configuration: state)
        #expect(store.judge(world.request).isAccept)
        #expect(store.state.lastRefused?.refusal.code == "older-revision")
    }

    /// Keys are changed by signing the table in force with the next key too: the kept table has
    /// both signatures.
    @Test func aTableThatIsSignedOnceMoreIsKeptWithBothSignatures() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        var state = world.configuration
        state.stateDirectory = folder.at("state")
        state.trustedKeys = try SignedPolicy.trusted([SignedPolicy.ann])
        let store = try PolicyStore(
            table: Self.numbered(world.accepting, 7, by: [SignedPolicy.ann]), configuration: state)
        let both = [SignedPolicy.ann, SignedPolicy.bob]
        guard
            case .unchanged = store.offer(
                try Self.numbered(world.accepting, 7, by: both), origin: "test")
        else {
            Issue.record("it is the same table")
            return
        }
        state.trustedKeys = try SignedPolicy.trusted([SignedPolicy.bob])
        #expect(
            try PolicyStore(table: nil, configuration: state).judge(world.request).isAccept)
    }
}
