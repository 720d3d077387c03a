import TrustEngine

/// The hosts that each of the last epochs made stricter. With it a session or a pooled connection
/// of an earlier epoch is kept where no policy since then judges its host more strictly, so that a
/// new policy is not an error in every pool.
struct EpochHistory: Sendable {
    private struct Step: Sendable {
        /// The epoch that began with the step.
        let epoch: UInt64
        /// The hosts that its table may judge more strictly than the table before it.
        let stricter: StricterHosts
    }

    /// INVARIANT (ascending by epoch, without a gap).
    private var steps: [Step] = []

    /// Adds the epoch of a table that was put in force. A table with the same meaning begins none.
    func adding(epoch: UInt64, _ stricter: StricterHosts) -> EpochHistory {
        guard steps.last?.epoch != epoch else { return self }
        var history = self
        history.steps.append(Step(epoch: epoch, stricter: stricter))
        var patterns = 0
        let kept = history.steps.reversed().prefix { step in
            patterns += step.stricter.patterns.count
            return patterns <= EpochHistory.mostPatterns
        }
        history.steps = kept.prefix(EpochHistory.mostSteps).reversed()
        return history
    }

    /// Whether what `epoch` accepted for a host, the epoch `now` with its table would accept too.
    /// False for epochs that are too long ago to be known.
    func holds(
        _ epoch: UInt64, now: UInt64, _ table: PolicyTable, host: CanonicalHost, port: UInt16
    ) -> Bool {
        guard epoch > 0, epoch < now else { return epoch == now }
        let since = steps.filter { $0.epoch > epoch && $0.epoch <= now }
        guard since.count == Int(clamping: now - epoch) else { return false }
        // The tables of earlier steps are gone, so nothing says which of their patterns decided.
        return !since.contains { step in
            step.stricter.mayContain(host, port: port, of: step.epoch == now ? table : nil)
        }
    }

    /// Sessions live for hours at most. So many reloads in that time are not usual.
    private static let mostSteps = 64
    /// The patterns of all steps together, some megabytes.
    private static let mostPatterns = 100_000
}
