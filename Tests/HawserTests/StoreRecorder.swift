import Testing

@testable import Hawser

/// What a store has told, for tests that wait until something has happened.
final class StoreRecorder: Sendable {
    private let told = Monitor<[PolicyStore.Event]>([])

    init(_ store: PolicyStore) {
        store.onEvent { [told] event in told.withLock { $0.append(event) } }
    }

    /// Words for what was told so far: `installed 2`, `refused truncated`.
    var words: [String] { told.withLock { $0.map(\.words) } }

    /// Waits until all of these were told, in this order, whatever else was told between them. The
    /// limit is there for a store that never tells.
    func expect(_ wanted: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        expect(wanted, sourceLocation: sourceLocation)
    }

    /// The same for a list.
    func expect(_ wanted: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        let isMet = told.wait(until: Deadline(in: .seconds(60))) { events -> Bool? in
            var left = wanted[...]
            for event in events where left.first == event.words { left.removeFirst() }
            return left.isEmpty ? true : nil
        }
        #expect(
            isMet == true, "told \(words), where \(wanted) was wanted",
            sourceLocation: sourceLocation)
    }
}

extension PolicyStore.Event {
    fileprivate var words: String {
        switch self {
        case .installed(let snapshot): return "installed \(snapshot.epoch)"
        case .confirmed: return "confirmed"
        case .refused(let refusal): return "refused \(refusal.code)"
        case .sourceFailed(let failure): return "failed \(failure.code)"
        }
    }
}
