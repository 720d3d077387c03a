import TrustEngine

/// What becomes of a table that no source confirms any more.
public enum Staleness: Hashable, Sendable {
    /// Nothing: it is enforced until another one comes.
    case never
    /// Once it was not confirmed for so long, the log and the metrics say so, and accepts have the
    /// notice `table-stale`.
    case warn(after: Duration)
    /// Once it was not confirmed for so long, every request rejects with `table-stale`: for
    /// programs that must not trust whom a newer policy may refuse.
    case reject(after: Duration)

    /// Until when a table is fresh that was confirmed at an instant; nil where it is never stale.
    func freshness(confirmed: UTCInstant) -> TableFreshness? {
        switch self {
        case .never: return nil
        case .warn(let time):
            return TableFreshness(
                confirmed: confirmed, seconds: time.components.seconds, whenStale: .notice)
        case .reject(let time):
            return TableFreshness(
                confirmed: confirmed, seconds: time.components.seconds, whenStale: .reject)
        }
    }
}
