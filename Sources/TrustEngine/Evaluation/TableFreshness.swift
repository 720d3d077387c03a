/// Two limits on the use of a table: how long it may decide after its source last confirmed it as
/// the newest table, and until when its signers allow its use at all. A program sets the first
/// limit to refuse connections rather than enforce a policy that may have been replaced long ago.
public struct TableFreshness: Hashable, Sendable {
    /// The action of the engine when the table is stale.
    public enum WhenStale: String, Hashable, Sendable {
        /// Every request is rejected with `table-stale`.
        case reject
        /// The outcome stays as it is, and an accept carries the notice `table-stale`.
        case notice
    }

    /// The instant from which the age of a table counts.
    public enum Basis: String, Hashable, Sendable, CaseIterable {
        /// The last confirmation of the table's source.
        case confirmed
        /// The issue of the table, which its signed terms state. A source cannot make the table
        /// fresher: it must be signed again.
        case issued
    }

    /// When the table was last known to be the newest: when it was issued, where it says so, and
    /// otherwise when its source last confirmed it.
    public let confirmed: UTCInstant
    /// The kind of the instant `confirmed`.
    public let basis: Basis
    /// The last second at which the table is fresh.
    public let until: UTCInstant
    /// The last second at which the table may be used, by its signed terms: later than `until`, or
    /// nil. From then on every request is rejected with `table-stale`, whatever `whenStale` says.
    public let expires: UTCInstant?
    /// The action of the engine when the table is stale.
    public let whenStale: WhenStale

    /// Makes the freshness of a table that was confirmed at `confirmed` and is fresh for a time.
    public init(confirmed: UTCInstant, freshFor time: Duration, whenStale: WhenStale) {
        self.init(
            confirmed: confirmed, until: confirmed.advanced(by: time),
            whenStale: whenStale, basis: .confirmed, expires: nil)
    }

    /// Makes the freshness of a table that is fresh until an instant, and may be used until its
    /// terms end. Terms that end first end the freshness too, and the table is rejected then.
    package init(
        confirmed: UTCInstant, until: UTCInstant, whenStale: WhenStale, basis: Basis,
        expires: UTCInstant?
    ) {
        self.confirmed = confirmed
        self.basis = basis
        if let expires, expires <= until {
            self.until = expires
            self.whenStale = .reject
            self.expires = nil
        } else {
            self.until = until
            self.whenStale = whenStale
            // A table that is rejected from `until` on needs no later end.
            self.expires = whenStale == .reject ? nil : expires
        }
    }

    /// Whether the table is stale at an instant. Clock skew does not apply, as it applies to no
    /// date of a policy.
    public func isStale(at time: UTCInstant) -> Bool {
        !DatedTerm.isInForce(until: until, at: time)
    }

    /// Whether every request is rejected at an instant.
    package func rejects(at time: UTCInstant) -> Bool {
        if case .failed = judge(at: time).outcome { return true }
        return false
    }

    /// Judges the table's freshness at an instant.
    func judge(at time: UTCInstant) -> (outcome: CheckStep.Outcome, notices: [Notice]) {
        guard isStale(at: time) else { return (.passed(nil), []) }
        func stale(_ until: UTCInstant) -> CheckStep.Outcome {
            .failed([.tableStale(confirmed: confirmed, until: until, time: time, basis: basis)])
        }
        if let expires, !DatedTerm.isInForce(until: expires, at: time) {
            return (stale(expires), [])
        }
        switch whenStale {
        case .reject: return (stale(until), [])
        case .notice: return (.passed(nil), [.tableStale(confirmed: confirmed, until: until)])
        }
    }
}

extension TableTerms {
    /// Until when the table may be used, where nothing else makes it stale; nil without an end.
    package var freshness: TableFreshness? {
        expires.map {
            TableFreshness(
                confirmed: issued, until: $0, whenStale: .reject, basis: .issued, expires: nil)
        }
    }
}
