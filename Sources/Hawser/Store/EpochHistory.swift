import TrustEngine

/// The hosts that each of the last epochs made stricter. With it a session or a pooled connection
/// of an earlier epoch is kept where no policy since then judges its host more strictly, so that a
/// new policy is not an error in every pool.
struct EpochHistory: Sendable {
    private struct Step: Sendable {
        /// The epoch that it ended.
        let before: UInt64
        /// The epoch that it led to.
        let epoch: UInt64
        /// The hosts that its table may judge more strictly than the table before it; of steps that
        /// were joined, the hosts of each.
        let stricter: StricterHosts
    }

    /// INVARIANT (each begins with the epoch that the one before it led to).
    private var steps: [Step] = []
    /// The patterns that are kept, of all steps together.
    private let mostPatterns: Int

    /// Makes a history without epochs. By default it keeps some megabytes of patterns.
    init(mostPatterns: Int = 100_000) { self.mostPatterns = mostPatterns }

    /// Adds the epoch of a table that was put in force. A table with the same meaning begins none.
    ///
    /// The oldest steps are joined, so that memory stays bounded and a connection of long ago is
    /// kept still where no table since then was stricter for its host. A connection of an epoch in
    /// the middle of joined steps answers for all of them.
    func adding(epoch: UInt64, _ stricter: StricterHosts) -> EpochHistory {
        guard steps.last?.epoch != epoch else { return self }
        var steps = steps
        steps.append(
            Step(before: steps.last?.epoch ?? epoch - 1, epoch: epoch, stricter: stricter))
        if steps.count > EpochHistory.mostSteps {
            let (first, second) = (steps[0], steps[1])
            steps[1] = Step(
                before: first.before, epoch: second.epoch,
                stricter: first.stricter.union(second.stricter))
            steps.removeFirst()
        }
        var patterns = 0
        let kept = steps.reversed().prefix { step in
            patterns += step.stricter.patterns.count
            return patterns <= mostPatterns
        }
        var history = self
        history.steps = kept.reversed()
        return history
    }

    /// Whether what `epoch` accepted for a host, the epoch `now` with its table would accept too.
    /// False for epochs that are too long ago to be known.
    func holds(
        _ epoch: UInt64, now: UInt64, _ table: PolicyTable, host: CanonicalHost, port: UInt16
    ) -> Bool {
        guard epoch > 0, epoch < now else { return epoch == now }
        let since = steps.filter { $0.epoch > epoch && $0.epoch <= now }
        guard let first = since.first, first.before <= epoch, since.last?.epoch == now else {
            return false
        }
        // The tables of earlier steps are gone, so nothing says which of their patterns decided.
        return !since.contains { step in
            let isLast = step.before == now - 1 && step.epoch == now
            return step.stricter.mayContain(host, port: port, of: isLast ? table : nil)
        }
    }

    /// Sessions live for hours at most. More reloads than these in that time are not usual.
    private static let mostSteps = 64
}
