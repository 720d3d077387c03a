import Foundation
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// The state of a store says everything that its log says: each line is written in a scene of its
/// own, and each value of the line is found in the state.
@Suite struct StoreLogStateTests {
    /// Everything that a state says, in words.
    private static func words(_ state: PolicyStoreState) -> Set<String> {
        var words: Set<String> = [
            state.name, "\(state.epoch)", state.policyDigest.hex, state.fileDigest.hex,
            state.origin, "\(state.revision.map(String.init) ?? "none")",
        ]
        let instants = [
            state.loadedAt, state.confirmedAt, state.issuedAt, state.expiresAt, state.staleAfter,
        ]
        words.formUnion(instants.compactMap { $0?.description })
        func add(_ code: String?, _ reason: String?) {
            words.formUnion([code, reason].compactMap(\.self))
        }
        add(state.lastRefused?.origin, nil)
        add(state.lastRefused?.refusal.code.rawValue, state.lastRefused?.refusal.context)
        add(state.lastFailed?.origin, nil)
        add(state.lastFailed?.failure.code.rawValue, state.lastFailed?.failure.context)
        add(state.watching.reason?.code.rawValue, state.watching.reason?.context)
        if case .polled(let every, reason: _) = state.watching { add("\(every)", nil) }
        add(state.crliteFailure?.code, state.crliteFailure?.context)
        add(state.stateDirectory, nil)
        for reason in [state.stateDirectoryFailure, state.rollbackProtection.reason]
            + state.stateDirectoryDamage.map(Optional.some)
        {
            add(reason?.code.rawValue, reason?.context)
        }
        return words
    }

    private static let failure = SourceFailure(code: "http-status", context: "status 500")

    /// Makes a store write a line; returns the store, and whether its state says what the line says
    /// without values.
    private func write(
        _ line: StoreReport.Line, _ world: inout StoreStateWorld
    ) throws -> (PolicyStore, says: Bool) {
        switch line {
        case .installed: return (try world.store(7), true)
        case .startedFromKept:
            _ = try world.store(7)
            let store = try PolicyStore(table: nil, configuration: world.configuration)
            return (store, store.state.origin == StoreStart.keptOrigin)
        case .confirmed:
            let store = try world.store(7)
            store.confirm()
            return (store, store.state.counts.confirmed == 1)
        case .notConfirmed:
            world.configuration.staleness = .warn(after: .seconds(60))
            let store = try world.store(7)
            world.world.clock.advance(61)
            store.tellIfStale()
            return (store, store.state.isStale && store.state.issuedAt == nil)
        case .notSignedAgain:
            world.configuration.staleness = .warn(after: .seconds(60))
            let now = world.world.clock.now()
            let signed = try SignedPolicy.signed(
                PolicyTable(decoding: world.world.accepting, crypto: crypto), revision: 7,
                terms: TableTerms(issued: now, expires: now.advanced(bySeconds: 3_600)),
                by: [SignedPolicy.ann])
            let store = try PolicyStore(
                table: signed.encoded, configuration: world.configuration)
            world.world.clock.advance(61)
            store.tellIfStale()
            let state = store.state
            return (store, state.isStale && state.expiresAt == now.advanced(bySeconds: 3_600))
        case .refused:
            let store = try world.store(7)
            store.offer(Array("no table".utf8), origin: "a mirror")
            return (store, store.state.counts.refused == 1)
        case .sourceFailed:
            let store = try world.store(7)
            store.sourceFailed(Self.failure, origin: "a mirror")
            return (store, store.state.counts.sourceFailed == 1)
        case .watched:
            let store = try world.store(7)
            store.note(.notified)
            return (store, store.state.watching == .notified)
        case .polled:
            let store = try world.store(7)
            store.note(.polled(every: .seconds(1), reason: Self.failure))
            return (store, true)
        case .unwatched:
            let store = try world.store(7)
            store.note(.unwatched(reason: Self.failure))
            return (store, store.state.watching == .unwatched(reason: Self.failure))
        case .notKept:
            try world.folder.write("state", "a file")
            let store = try world.store(7)
            return (store, store.state.stateDirectoryFailure != nil)
        case .damaged:
            _ = try world.store(7)
            try world.change(StoreStateWorld.recordFile) { $0[$0.count / 2] ^= 1 }
            let store = try world.store(7)
            return (store, !store.state.stateDirectoryDamage.isEmpty)
        case .firstStart:
            let store = try world.store(7)
            return (store, store.state.stateDirectoryAge == .first)
        case .resumed:
            let before = try world.store(7)
            world.configuration.stateDirectory = nil
            let store = try PolicyStore(
                after: PolicyStore.Predecessor(
                    table: before.tableInForce, epoch: 3, confirmedAt: before.state.confirmedAt),
                file: nil, configuration: world.configuration, watching: .onRequest)
            return (store, store.state.epoch == 3)
        case .protected:
            let store = try world.store(7)
            return (store, store.state.rollbackProtection == .on)
        case .protectedAgainstMistakes:
            world.configuration.trustedKeys = nil
            let store = try world.store(7)
            return (store, store.state.rollbackProtection == .againstMistakes)
        case .unprotected:
            world.configuration.stateDirectory = nil
            let store = try world.store(7)
            return (store, store.state.rollbackProtection.code == "off")
        case .filtersReady:
            try world.folder.write("filters/index.bin", FilterIndexRecipe([]).octets)
            for (name, mode) in [("filters", 0o755), ("filters/index.bin", 0o644)] {
                try FileManager.default.setAttributes(
                    [.posixPermissions: mode], ofItemAtPath: world.folder.at(name))
            }
            let folder = CRLiteFolder(world.folder.at("filters"))
            world.configuration.crlite = SuppliedFilters(folder)
            let store = try world.store(7)
            return (store, store.state.crliteFailure == nil)
        case .filtersFailed:
            world.configuration.crlite = SuppliedFilters(CRLiteFolder(world.folder.at("none")))
            let store = try world.store(7)
            return (store, store.state.crliteFailure != nil)
        }
    }

    @Test(arguments: StoreReport.Line.allCases)
    func theStateSaysWhatTheLogSays(_ line: StoreReport.Line) throws {
        var world = try StoreStateWorld()
        let logged = LogLines()
        world.configuration.logger = logged.logger
        let (store, says) = try write(line, &world)
        #expect(says)
        let entry = try #require(
            logged.entries.last { $0.message.hasPrefix(line.rawValue) }, "nobody wrote it")
        let words = Self.words(store.state)
        for (key, value) in entry.values {
            #expect(words.contains(value), "\(key)=\(value)")
        }
    }
}
