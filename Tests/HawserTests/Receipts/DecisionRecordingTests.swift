import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// What a store's decision leaves in the recorders that it is given, and what that costs.
@Suite struct DecisionRecordingTests {
    /// All recorders at once, with what each of them wrote.
    private struct Recorders {
        let receipts = Collected<DecisionReceipt>()
        let reports = Collected<ViolationReport>()
        let disagreements = Collected<ShadowDisagreement>()
        let recording: DecisionRecording

        init(_ sampling: ReceiptSampling, candidate: PolicySnapshot) {
            recording = DecisionRecording(
                receipts: ReceiptRecorder(sampling: sampling, sink: receipts.sink),
                reports: ViolationReporter(sink: reports.sink),
                shadow: ShadowComparison(candidate: candidate, sink: disagreements.sink))
        }
    }

    /// The check of the rule is asked once for each evaluation by the policy in force.
    @Test(arguments: [(ReceiptSampling(acceptsOneIn: 0), 2), (ReceiptSampling(acceptsOneIn: 1), 1)])
    func allRecordersShareOneExplanation(_ sampling: ReceiptSampling, evaluations: Int) throws {
        let calls = Monitor(0)
        let refusing = CustomCheck { _ in
            calls.withLock { $0 += 1 }
            return .fail(reason: "never")
        }
        let policy = PolicySnapshot(
            try DecisionWorld.engine(["checks: [refusing]"], checks: ["refusing": refusing]))
        let recorders = Recorders(
            sampling, candidate: PolicySnapshot(try DecisionWorld.engine([])))
        let request = DecisionWorld.request("pinned")
        let decision = policy.judge(request, recording: recorders.recording)
        #expect(decision.violations.map(\.id) == ["check-failed"])
        #expect(calls.withLock { $0 } == evaluations)
        #expect(recorders.receipts.values.map(\.id) == [decision.id])
        #expect(recorders.reports.values.map(\.id) == [decision.id])
        #expect(recorders.disagreements.values.map(\.id) == [decision.id])
    }

    @Test func withoutRecordersARequestIsEvaluatedOnce() throws {
        let calls = Monitor(0)
        let counted = CustomCheck { _ in
            calls.withLock { $0 += 1 }
            return .pass
        }
        let policy = PolicySnapshot(
            try DecisionWorld.engine(["checks: [counted]"], checks: ["counted": counted]))
        let decision = policy.judge(DecisionWorld.request("pinned"))
        #expect(decision.isAccept && decision.attempts.isEmpty)
        #expect(calls.withLock { $0 } == 1)
        #expect(decision.explain().verdict == decision.verdict)
    }

    /// Judges by the function that blocks, for tests that are asynchronous.
    private func judgeWaiting(
        _ request: TrustRequest, by store: PolicyStore, _ fetcher: EvidenceFetcher,
        _ recording: DecisionRecording
    ) -> Decision {
        store.judge(request, fetching: fetcher, recording: recording)
    }

    /// Fetching takes several evaluations. Only the last one is a decision.
    @Test(arguments: [true, false])
    func fetchedEvidenceIsInTheOneReceipt(waits: Bool) async throws {
        let world = try FetchingWorld(policy: "preset: require, network: wait, sources: [crl]")
        let store = try PolicyStore(table: world.engine.table.bytes)
        let list = world.issuing.revocationList()
        let fetcher = try world.fetcher(
            nil, transport: ScriptedTransport { _, _ in .success(list) })
        let recorders = Recorders(
            ReceiptSampling(acceptsOneIn: 1), candidate: PolicySnapshot(world.engine))
        let decision =
            waits
            ? judgeWaiting(world.request, by: store, fetcher, recorders.recording)
            : await store.judge(
                world.request, fetching: fetcher, recording: recorders.recording)
        #expect(decision.isAccept && decision.outcomes == ["fetched"])
        let receipt = try #require(recorders.receipts.values.first)
        #expect(recorders.receipts.values.count == 1)
        #expect(receipt.isAccept && receipt.evidence?.map(\.kind) == [.preparedList])
        #expect(recorders.recording.shadow?.counters.agreements == 1)
        #expect(recorders.reports.values.isEmpty && recorders.disagreements.values.isEmpty)
        // Without evidence the request is refused, and that is another decision.
        let bare = store.judge(world.request, recording: recorders.recording)
        #expect(!bare.isAccept)
        #expect(recorders.receipts.values.map(\.isAccept) == [true, false])
        #expect(recorders.reports.values.count == 1)
    }
}
