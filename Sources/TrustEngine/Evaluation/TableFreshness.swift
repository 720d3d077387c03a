/// How long a table may decide after its source last said that it is the newest: what a program sets that
/// would rather refuse connections than enforce a policy that may long have been another.
public struct TableFreshness: Hashable, Sendable {
    /// What happens afterwards.
    public enum WhenStale: String, Hashable, Sendable {
        /// Every request rejects with `table-stale`.
        case reject
        /// Verdicts stay as they are, and an accept has the notice `table-stale`.
        case notice
    }

    /// When the source last said so.
    public let confirmed: UTCInstant
    /// The last second at which the table is fresh.
    public let until: UTCInstant
    /// What happens afterwards.
    public let whenStale: WhenStale

    /// A table confirmed at an instant, that is fresh for so many seconds, and what happens afterwards.
    public init(confirmed: UTCInstant, seconds: Int64, whenStale: WhenStale) {
        self.confirmed = confirmed
        self.until = confirmed.advanced(bySeconds: seconds)
        self.whenStale = whenStale
    }

    /// Whether the table is stale at an instant. No clock skew applies, as to every date of a policy.
    public func isStale(at time: UTCInstant) -> Bool {
        !DatedTerm.isInForce(until: until, at: time)
    }

    /// What the check comes to at an instant.
    func judge(at time: UTCInstant) -> (outcome: CheckStep.Outcome, notices: [Notice]) {
        guard isStale(at: time) else { return (.passed(nil), []) }
        switch whenStale {
        case .reject:
            return (.failed([.tableStale(confirmed: confirmed, until: until, time: time)]), [])
        case .notice: return (.passed(nil), [.tableStale(confirmed: confirmed, until: until)])
        }
    }
}
