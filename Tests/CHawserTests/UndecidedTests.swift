import CHawser
import CHawserABI
import Testing

/// An outcome that holds the accept of an earlier call, in a call that fails: the accept is gone.
@Suite struct UndecidedTests {
    private let world: PolicyWorld

    init() throws { world = try PolicyWorld() }

    /// An outcome with the accept of an earlier call.
    private func accepted() -> hawser_outcome {
        var outcome = hawser_outcome()
        outcome.size = MemoryLayout<hawser_outcome>.size
        outcome.decision = UInt32(HAWSER_DECISION_ACCEPT)
        return outcome
    }

    @Test func zeroIsUndecided() {
        #expect(hawser_outcome().decision == UInt32(HAWSER_DECISION_UNDECIDED))
        #expect(HAWSER_DECISION_UNDECIDED == 0)
        // Results and decisions differ: a function never returns the number of an accept.
        #expect(HAWSER_DECISION_ACCEPT != HAWSER_OK && HAWSER_DECISION_ACCEPT != HAWSER_REJECT)
    }

    @Test(arguments: [0, 8, MemoryLayout<hawser_outcome>.size - 1, 4097, Int.max, -1])
    func anOutcomeOfNoVersionsSize(size: Int) throws {
        let store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        try world.withRequest("good") { request in
            for judge in [hawser_evaluate, hawser_explain] {
                var outcome = accepted()
                outcome.size = size
                var verdict = hawser_verdict()
                let result = judge(store, &request, &outcome, &verdict, nil)
                #expect(result == Int32(HAWSER_E_ARGUMENT))
                #expect(outcome.decision == UInt32(HAWSER_DECISION_UNDECIDED))
            }
            var verdict = hawser_verdict()
            #expect(hawser_evaluate(store, &request, nil, &verdict, nil) == Int32(HAWSER_OK))
            var outcome = accepted()
            outcome.size = size
            #expect(hawser_verdict_outcome(verdict, &outcome) == Int32(HAWSER_E_ARGUMENT))
            #expect(outcome.decision == UInt32(HAWSER_DECISION_UNDECIDED))
            #expect(hawser_verdict_free(verdict) == Int32(HAWSER_OK))
        }
    }

    /// The error is looked at before the outcome.
    @Test func anErrorOfNoVersionsSize() throws {
        let store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        try world.withRequest("good") { request in
            var outcome = accepted()
            var error = hawser_error()
            let result = hawser_evaluate(store, &request, &outcome, nil, &error)
            #expect(result == Int32(HAWSER_E_ARGUMENT))
            #expect(outcome.decision == UInt32(HAWSER_DECISION_UNDECIDED))
        }
    }

    @Test func bothDecisionsAreReached() throws {
        let store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        for (name, result, decision) in [
            ("good", HAWSER_OK, HAWSER_DECISION_ACCEPT),
            ("wrong-name", HAWSER_REJECT, HAWSER_DECISION_REJECT),
        ] {
            try world.withRequest(name) { request in
                var outcome = accepted()
                #expect(hawser_evaluate(store, &request, &outcome, nil, nil) == Int32(result))
                #expect(outcome.decision == UInt32(decision))
            }
        }
    }
}
