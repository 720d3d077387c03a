import JSONSchemaSupport
import Synchronization
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// A candidate beside the policy in force.
@Suite struct ShadowTests {
    /// A comparison, with the policy in force that it is compared with.
    private struct Compared {
        let active: PolicySnapshot
        let shadow: ShadowComparison

        func judge(_ request: TrustRequest) -> Decision {
            active.judge(request, recording: DecisionRecording(shadow: shadow))
        }

        var counters: ShadowCounters { shadow.counters }
    }

    private static func policy(_ fields: String...) throws -> PolicySnapshot {
        PolicySnapshot(try DecisionWorld.engine(fields))
    }

    @Test func theActiveVerdictCountsAndEveryDisagreementIsTold() throws {
        let lax = try Self.policy()
        let pinned = try Self.policy("pins: [nobody]")
        let brief = try Self.policy("validity: { maximum-lifetime: 1d }")
        let watched = try Self.policy(
            "pins: [nobody]", "report-only: { pins: { until: 2026-12-31 } }")
        let rows: [(PolicySnapshot, PolicySnapshot, ShadowLevel, ShadowDisagreement.Kind?)] = [
            (lax, lax, .reported, nil),
            (lax, pinned, .verdict, .stricter),
            (pinned, lax, .verdict, .weaker),
            (pinned, brief, .verdict, nil),
            (pinned, brief, .violations, .violations),
            (lax, watched, .violations, nil),
            (lax, watched, .reported, .reported),
        ]
        let request = DecisionWorld.request("pinned")
        let schema = try DecisionWorld.schema("trace")
        for (active, candidate, level, kind) in rows {
            let told = Collected<ShadowDisagreement>()
            let store = Compared(
                active: active,
                shadow: ShadowComparison(
                    candidate: candidate, configuration: .init(level: level), sink: told.sink))
            #expect(store.judge(request).verdict == active.engine.evaluate(request))
            DecisionRecording(shadow: store.shadow).record(active.judge(request))
            #expect(told.values.map(\.kind) == (kind.map { [$0, $0] } ?? []))
            #expect(store.counters.compared == 2)
            #expect(store.counters.agreements == (kind == nil ? 2 : 0))
            for disagreement in told.values {
                #expect(disagreement.active == active.engine.explain(request))
                #expect(disagreement.candidate == candidate.engine.explain(request))
                let document = try JSONDocument(text: disagreement.json)
                for side in ["active", "candidate"] {
                    #expect(schema.violations(of: try #require(document[side])) == [])
                }
            }
        }
    }

    @Test func withoutACandidateTheActivePolicyGoesOn() throws {
        let pinned = try Self.policy("pins: [nobody]")
        let store = Compared(active: pinned, shadow: ShadowComparison(candidate: nil))
        #expect(!store.judge(DecisionWorld.request("pinned")).isAccept)
        #expect(store.judge(DecisionWorld.request("api")).isAccept)
        #expect(store.counters.withoutCandidate == 2 && store.counters.compared == 0)
        #expect(!PromotionGate(minimumCompared: 0).admits(store.counters))
    }

    @Test func disagreementsAreToldUpToALimitAndAllCounted() throws {
        let told = Collected<ShadowDisagreement>()
        let store = Compared(
            active: try Self.policy(),
            shadow: ShadowComparison(
                candidate: try Self.policy("pins: [nobody]"),
                configuration: .init(perMinute: 3), sink: told.sink))
        for _ in 0..<10 { _ = store.judge(DecisionWorld.request("pinned")) }
        #expect(told.values.count == 3)
        #expect(store.counters.disagreements == [.stricter: 10])
        #expect(store.counters.overLimit == 7)
    }

    @Test func aShareIsCompared() throws {
        let store = Compared(
            active: try Self.policy(),
            shadow: ShadowComparison(
                candidate: try Self.policy(), configuration: .init(comparesOneIn: 4)))
        for second in 0..<200 {
            _ = store.judge(DecisionWorld.request("api", secondsLater: Int64(second)))
        }
        #expect((25...80).contains(store.counters.compared))
        #expect(store.counters.compared + store.counters.passedOver == 200)
    }

    @Test func theComparisonRunsWhereItIsHandedTo() throws {
        let waiting = Mutex<[@Sendable () -> Void]>([])
        let store = Compared(
            active: try Self.policy(),
            shadow: ShadowComparison(
                candidate: try Self.policy("pins: [nobody]"),
                configuration: .init(schedule: { work in waiting.withLock { $0.append(work) } })))
        #expect(store.judge(DecisionWorld.request("pinned")).isAccept)
        #expect(store.counters.compared == 0)
        for work in waiting.withLock({ $0 }) { work() }
        #expect(store.counters.disagreements == [.stricter: 1])
    }

    @Test func countingBeginsAnewWithAnotherPolicy() throws {
        let world = try StoreWorld()
        let active = try PolicyStore(table: world.accepting, configuration: world.configuration)
        let candidate = try PolicyStore(
            table: world.rejecting, configuration: world.configuration)
        let shadow = ShadowComparison(candidate: candidate)
        func judge(_ request: TrustRequest) -> Decision {
            active.judge(request, recording: DecisionRecording(shadow: shadow))
        }
        #expect(judge(world.request).isAccept)
        let gate = PromotionGate(minimumCompared: 2)
        #expect(shadow.counters.disagreements == [.stricter: 1])
        candidate.offer(world.accepting, origin: "test")
        for _ in 0..<2 {
            #expect(!gate.admits(shadow.counters))
            #expect(judge(world.request).isAccept)
        }
        #expect(shadow.counters.disagreements == [:] && shadow.counters.agreements == 2)
        #expect(gate.admits(shadow.counters))
        active.offer(world.rejecting, origin: "test")
        #expect(!judge(world.request).isAccept)
        #expect(shadow.counters.disagreements == [.weaker: 1])
        #expect(!gate.admits(shadow.counters))
        let lenient = PromotionGate(minimumCompared: 1, allowed: [.weaker: 1])
        #expect(lenient.admits(shadow.counters))
        #expect(!PromotionGate(minimumCompared: 1, allowed: [.stricter: 9]).admits(shadow.counters))
    }
}
