import TrustEngine

/// What a store does with a table that no source confirms any more.
public enum Staleness: Hashable, Sendable {
    /// The table is enforced until another table is put in force.
    case never
    /// When the table was not confirmed for this time, the log and the metrics report it, and every
    /// accept has the notice `table-stale`.
    case warn(after: Duration)
    /// When the table was not confirmed for this time, every request is rejected with
    /// `table-stale`. This is for programs that must not trust a server that a newer policy may
    /// refuse.
    case reject(after: Duration)

    /// How long a table is fresh that was confirmed at an instant; nil when it never becomes stale.
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
