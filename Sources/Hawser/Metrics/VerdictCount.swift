import Rendering
import Synchronization
package import TrustEngine

/// Counts the verdicts of a store. Each thread counts at a place of its own, so that threads do not
/// wait for one another's memory. Rejects are counted by rule and violation too; only a reject by a
/// rule takes a lock for that.
package final class VerdictCount: Sendable {
    private final class Place: Sendable {
        let accepted = Atomic<UInt64>(0)
        let rejected = Atomic<UInt64>(0)
        /// Of `rejected`, those by no rule.
        let withoutRule = Atomic<UInt64>(0)
        /// Two places lie at least 128 octets apart, which is two cache lines.
        private let rest = InlineArray<13, UInt64>(repeating: 0)
    }

    /// Makes a count of nothing.
    package init() {}

    private struct Rejects: Sendable {
        var labels = RejectLabels()
        var counts: [RejectLabels.Series: UInt64] = [:]
    }

    private let places = (0..<16).map { _ in Place() }
    private let rejects = Monitor(Rejects())

    /// Counts a verdict that a table gave on a host and a port.
    package func count(
        _ verdict: Verdict, host: String, port: UInt16, by table: PolicyTable
    ) {
        let place = places[ThreadPlace.index(among: places.count)]
        guard !verdict.isAccept else {
            place.accepted.wrappingAdd(1, ordering: .relaxed)
            return
        }
        place.rejected.wrappingAdd(1, ordering: .relaxed)
        guard !verdict.isWithoutRule else {
            place.withoutRule.wrappingAdd(1, ordering: .relaxed)
            return
        }
        let rule = table.ruleID(decidingFor: host, port: port)
        rejects.withLock { rejects in
            guard let series = rejects.labels.series(verdict, rule: rule) else { return }
            rejects.counts[series, default: 0] += 1
        }
    }

    /// Accepts so far.
    package var accepted: UInt64 { places.reduce(0) { $0 &+ $1.accepted.load(ordering: .relaxed) } }
    /// Rejects so far.
    package var rejected: UInt64 { places.reduce(0) { $0 &+ $1.rejected.load(ordering: .relaxed) } }

    /// Rejects so far by their labels. Their sum is `rejected`.
    package var rejectedBySeries: [RejectLabels.Series: UInt64] {
        var counts = rejects.withLock { $0.counts }
        let withoutRule = places.reduce(0) { $0 &+ $1.withoutRule.load(ordering: .relaxed) }
        if withoutRule > 0 { counts[RejectLabels.withoutRule, default: 0] += withoutRule }
        return counts
    }
}
