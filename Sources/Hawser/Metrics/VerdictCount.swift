import Synchronization
package import TrustEngine

/// Counts the verdicts of a store. Each thread counts at a place of its own, so that threads do not
/// wait for one another's memory.
package final class VerdictCount: Sendable {
    private final class Place: Sendable {
        let accepted = Atomic<UInt64>(0)
        let rejected = Atomic<UInt64>(0)
        /// Two places lie at least 128 octets apart, which is two cache lines.
        private let rest = InlineArray<14, UInt64>(repeating: 0)
    }

    /// Makes a count of nothing.
    package init() {}

    private let places = (0..<16).map { _ in Place() }

    /// Counts a verdict.
    package func count(_ verdict: Verdict) {
        let place = places[ThreadPlace.index(among: places.count)]
        if verdict.isAccept {
            place.accepted.wrappingAdd(1, ordering: .relaxed)
        } else {
            place.rejected.wrappingAdd(1, ordering: .relaxed)
        }
    }

    /// Accepts so far.
    package var accepted: UInt64 { places.reduce(0) { $0 &+ $1.accepted.load(ordering: .relaxed) } }
    /// Rejects so far.
    package var rejected: UInt64 { places.reduce(0) { $0 &+ $1.rejected.load(ordering: .relaxed) } }
}
