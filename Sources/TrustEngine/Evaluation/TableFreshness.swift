/// How long a table may decide after its source last confirmed it as the newest table. A program
/// sets this value when it would rather refuse connections than enforce a policy that may have been
/// replaced long ago.
public struct TableFreshness: Hashable, Sendable {
    /// What the engine does when the table is stale.
    public enum WhenStale: String, Hashable, Sendable {
        /// Every request is rejected with `table-stale`.
        case reject
        /// The outcome stays as it is, and an accept carries the notice `table-stale`.
        case notice
    }

    /// When the source last confirmed the table as the newest.
    public let confirmed: UTCInstant
    /// The last second at which the table is fresh.
    public let until: UTCInstant
    /// What the engine does when the table is stale.
    public let whenStale: WhenStale

    /// Makes the freshness of a table that was confirmed at `confirmed` and is fresh for `seconds`
    /// seconds.
    public init(confirmed: UTCInstant, seconds: Int64, whenStale: WhenStale) {
        self.confirmed = confirmed
        self.until = confirmed.advanced(bySeconds: seconds)
        self.whenStale = whenStale
    }

    /// Whether the table is stale at an instant. Clock skew does not apply, as it applies to no
    /// date of a policy.
    public func isStale(at time: UTCInstant) -> Bool {
        !DatedTerm.isInForce(until: until, at: time)
    }

    /// Judges the table's freshness at an instant.
    func judge(at time: UTCInstant) -> (outcome: CheckStep.Outcome, notices: [Notice]) {
        guard isStale(at: time) else { return (.passed(nil), []) }
        switch whenStale {
        case .reject:
            return (.failed([.tableStale(confirmed: confirmed, until: until, time: time)]), [])
        case .notice: return (.passed(nil), [.tableStale(confirmed: confirmed, until: until)])
        }
    }
}
