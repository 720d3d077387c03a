import CHawserABI
import Foundation
import Hawser
import Testing

@testable import CHawser

/// A candidate that is judged beside a store, as C asks for it.
@Suite struct ShadowTests {
    /// What the function was told.
    private final class Told: Sendable {
        struct State: Sendable {
            var lines: [(kind: String, json: String)] = []
            var isHeld = false
            var inside = 0
        }
        let state = Monitor(State())
        var context: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

        static let function: hawser_disagreement_function = { context, kind, json in
            guard let context, let kind, let json else { return }
            let told = Unmanaged<Told>.fromOpaque(context).takeUnretainedValue()
            let line = (kind: String(cString: kind), json: String(cString: json))
            told.state.withLock { state in
                state.lines.append(line)
                state.inside += 1
            }
            _ = told.state.wait(until: Deadline(in: .seconds(60))) { $0.isHeld ? nil : true }
            told.state.withLock { $0.inside -= 1 }
        }
    }

    private let world: PolicyWorld
    private let denying: [UInt8]
    private let ok = Int32(HAWSER_OK)

    init() throws {
        world = try PolicyWorld()
        denying = try PolicyWorld.compile("hawser: 1\ndefault: deny\n")
    }

    private func options(
        _ told: Told? = nil, _ change: (inout hawser_shadow_options) -> Void = { _ in }
    ) -> hawser_shadow_options {
        var options = hawser_shadow_options()
        options.size = MemoryLayout<hawser_shadow_options>.size
        if let told {
            options.function = Told.function
            options.context = told.context
        }
        change(&options)
        return options
    }

    private func counts(_ store: hawser_store) -> hawser_shadow_counts? {
        var counts = hawser_shadow_counts()
        counts.size = MemoryLayout<hawser_shadow_counts>.size
        return hawser_store_shadow_counts(store, &counts, nil) == ok ? counts : nil
    }

    private func judge(_ store: hawser_store, _ name: String = "good") throws -> Int32 {
        try world.withRequest(name) { hawser_evaluate(store, &$0, nil, nil, nil) }
    }

    @Test func disagreementsAreToldAndCounted() throws {
        let (store, candidate) = (CalledAsC.open(world.table), CalledAsC.open(denying))
        defer { for store in [store, candidate] { _ = hawser_store_close(store) } }
        let told = Told()
        var options = options(told)
        #expect(hawser_store_shadow(store, candidate, &options, nil) == ok)
        #expect(try judge(store) == ok)
        #expect(try judge(store, "wrong-name") == Int32(HAWSER_REJECT))
        let lines = told.state.withLock { $0.lines }
        #expect(lines.map(\.kind) == ["stricter", "violations"])
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(lines[0].json.utf8)) as? [String: Any])
        #expect(json["schema"] as? String == "hawser/disagreement/1")
        #expect((json["active"] as? [String: Any])?["verdict"] as? String == "accept")
        #expect((json["candidate"] as? [String: Any])?["verdict"] as? String == "reject")
        var found = try #require(counts(store))
        #expect(found.stricter == 1 && found.violations == 1 && found.agreements == 0)
        #expect(found.has_compared == 1)
        #expect(
            CalledAsC.metrics([store])?.contains(
                "hawser_shadow_comparisons_total{store=\"default\",candidate=\"default\","
                    + "outcome=\"stricter\"} 1\n") == true)
        // A candidate that says the same agrees, and begins anew.
        #expect(
            hawser_store_reload(candidate, world.table, world.table.count, nil) == ok)
        #expect(try judge(store) == ok)
        found = try #require(counts(store))
        #expect(found.agreements == 1 && found.stricter == 0)
        #expect(told.state.withLock { $0.lines.count } == 2)
    }

    @Test func whatIsNotComparedIsCounted() throws {
        let (store, candidate) = (CalledAsC.open(world.table), CalledAsC.open(denying))
        defer { _ = hawser_store_close(store) }
        let told = Told()
        var limited = options(told) { $0.per_minute = 1 }
        #expect(hawser_store_shadow(store, candidate, &limited, nil) == ok)
        for _ in 0..<3 { #expect(try judge(store) == ok) }
        #expect(counts(store)?.over_limit == 2)
        #expect(told.state.withLock { $0.lines.count } == 1)
        var rare = options(told) { $0.one_in = .max }
        #expect(hawser_store_shadow(store, candidate, &rare, nil) == ok)
        #expect(try judge(store) == ok)
        #expect(counts(store)?.passed_over == 1)
        #expect(hawser_store_shadow(store, candidate, nil, nil) == ok)
        #expect(hawser_store_close(candidate) == ok)
        #expect(try judge(store) == ok)
        #expect(counts(store)?.without_candidate == 1)
        #expect(hawser_store_shadow(store, hawser_store(), nil, nil) == ok)
        #expect(counts(store) == nil)
        #expect(try judge(store) == ok)
    }

    /// Ending the shadow, and closing the store, wait for the function that runs.
    @Test(arguments: [true, false]) func endingWaits(byClosing: Bool) throws {
        let (store, candidate) = (CalledAsC.open(world.table), CalledAsC.open(denying))
        defer { _ = hawser_store_close(candidate) }
        let told = Told()
        told.state.withLock { $0.isHeld = true }
        var options = options(told)
        #expect(hawser_store_shadow(store, candidate, &options, nil) == ok)
        let (world, done) = (world, Monitor<[Int32]>([]))
        #expect(
            BackgroundThread.start {
                let result = try? world.withRequest("good") {
                    hawser_evaluate(store, &$0, nil, nil, nil)
                }
                done.withLock { $0.append(result ?? -99) }
            })
        let limit = Deadline(in: .seconds(60))
        #expect(told.state.wait(until: limit) { $0.inside == 1 ? true : nil } == true)
        let ended = Monitor<[Int]>([])
        #expect(
            BackgroundThread.start {
                _ =
                    byClosing
                    ? hawser_store_close(store)
                    : hawser_store_shadow(store, hawser_store(), nil, nil)
                let inside = told.state.withLock { $0.inside }
                ended.withLock { $0.append(inside) }
            })
        let early = ended.wait(until: Deadline(in: .milliseconds(200))) { $0.first }
        #expect(early == nil, "it returned while the function ran")
        told.state.withLock { $0.isHeld = false }
        #expect(ended.wait(until: limit) { $0.first } == 0)
        #expect(done.wait(until: limit) { $0.first } == ok)
        if !byClosing { _ = hawser_store_close(store) }
    }

    /// A thread has looked the store up when another thread closes it.
    @Test func aStoreThatIsClosedMeanwhileTakesNoCandidate() throws {
        let (store, candidate) = (CalledAsC.open(world.table), CalledAsC.open(denying))
        defer { _ = hawser_store_close(candidate) }
        let served = try #require(Handles.stores.object(store))
        let other = try #require(Handles.stores.object(candidate))
        #expect(hawser_store_close(store) == ok)
        do throws(CallFailure) {
            try served.compare(with: other, try ShadowOptions(nil))
            Issue.record("the candidate is taken")
        } catch {
            #expect(error.result == HAWSER_E_MISUSE)
            #expect(error.reason == "not-an-object")
        }
        #expect(served.shadow == nil)
    }

    @Test func argumentsThatCannotBe() {
        let (store, candidate) = (CalledAsC.open(world.table), CalledAsC.open(denying))
        defer { for store in [store, candidate] { _ = hawser_store_close(store) } }
        var error = hawser_error.ready
        #expect(hawser_store_shadow(store, store, nil, &error) == Int32(HAWSER_E_ARGUMENT))
        #expect(error.word == "own-shadow")
        #expect(
            hawser_store_shadow(store, hawser_store(number: 99), nil, &error)
                == Int32(HAWSER_E_MISUSE))
        #expect(
            hawser_store_shadow(hawser_store(number: 99), candidate, nil, &error)
                == Int32(HAWSER_E_MISUSE))
        for (word, change) in [
            ("value-not-allowed", { $0.level = 3 }), ("value-not-allowed", { $0.reserved = 1 }),
            ("struct-size", { $0.size = 8 }), ("too-large", { $0.seed.length = 257 }),
            ("null-pointer", { $0.seed.length = 4 }),
        ] as [(String, (inout hawser_shadow_options) -> Void)] {
            var options = options(nil, change)
            #expect(
                hawser_store_shadow(store, candidate, &options, &error) < 0, "\(word)")
            #expect(error.word == word)
        }
        var found = hawser_shadow_counts()
        found.size = MemoryLayout<hawser_shadow_counts>.size
        #expect(
            hawser_store_shadow_counts(store, &found, &error) == Int32(HAWSER_E_RANGE))
        #expect(hawser_store_shadow_counts(store, nil, &error) == Int32(HAWSER_E_ARGUMENT))
    }
}
