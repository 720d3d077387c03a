import Synchronization
import TrustEngine

/// Backends that take turns: one is asked until `turn` is called, and then the next. So one engine
/// judges with an empty memory again and again.
final class BackendsInTurn: ForwardingBackend {
    private let backends: [any CryptoBackend]
    private let index = Atomic<Int>(0)

    /// Takes at least one backend.
    init(_ backends: [any CryptoBackend]) { self.backends = backends }

    /// Lets the next backend answer; the last one goes on.
    func turn() {
        let now = index.load(ordering: .relaxed)
        index.store(min(now + 1, backends.count - 1), ordering: .relaxed)
    }

    var backend: any CryptoBackend { backends[index.load(ordering: .relaxed)] }
}
