import Dispatch
import Hawser
import Synchronization
import TestPKI
import Testing
import TrustEngine

/// Recorder, reporter and candidate beside one store, from many threads, while its table is
/// replaced.
@Suite struct ConcurrentDecisionsTests {
    @Test func nothingIsLostAndEachReceiptIsOfThePolicyThatDecided() throws {
        let world = try StoreWorld()
        let store = try PolicyStore(table: world.accepting, configuration: world.configuration)
        let candidate = try PolicyStore(
            table: world.accepting, configuration: world.configuration)
        let accepting = store.snapshot.engine.table.policyDigest
        let receipts = Collected<DecisionReceipt>()
        let recorder = ReceiptRecorder(
            sampling: ReceiptSampling(acceptsOneIn: 1, rejectsPerMinute: .max),
            sink: receipts.sink)
        let reporter = ViolationReporter { _ in }
        let shadow = ShadowComparison(candidate: candidate)
        let recording = DecisionRecording(receipts: recorder, reports: reporter, shadow: shadow)
        let strange = Mutex(0)
        let rounds = 40
        let threads = 8
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for round in 0..<rounds {
                if thread == 0 {
                    store.offer(
                        round % 2 == 0 ? world.rejecting : world.accepting, origin: "test")
                }
                let decision = store.judge(world.request, recording: recording)
                let policy = decision.policy.engine.table.policyDigest
                if decision.isAccept != (policy == accepting) { strange.withLock { $0 += 1 } }
            }
        }
        #expect(strange.withLock { $0 } == 0)
        let written = receipts.values
        #expect(written.count == rounds * threads)
        for receipt in written {
            #expect(receipt.isAccept == (receipt.table.policyDigest == accepting))
        }
        let rejects = written.filter { !$0.isAccept }.count
        let counters = reporter.counters
        #expect(counters.reported == (rejects == 0 ? 0 : 1))
        #expect(counters.reported + counters.repeated + counters.overLimit == UInt64(rejects))
        #expect(shadow.counters.passedOver == 0 && shadow.counters.withoutCandidate == 0)
    }
}
