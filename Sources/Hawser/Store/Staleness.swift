import TrustEngine

/// The action of a store on a table that its sources have stopped confirming.
///
/// The time counts from when the table was issued, where its envelope says so (`TableTerms`).
/// Otherwise it counts from the last answer of a source: a table that the program offered, or a
/// call of `confirm`. A file that has not changed is not an answer. So the time of a table without
/// terms, from a file, counts from when the store first saw its octets; a state directory keeps
/// that moment over restarts.
///
/// Time is told by the machine's steady clock from the moment on at which the store measured the
/// table's age, so a wall clock that is set forward or back changes no age. The end that a table's
/// own terms state is an instant of the wall clock, and it wins over everything here.
public enum Staleness: Hashable, Sendable {
    /// The table is enforced until another table is put in force, or until its own terms end.
    case never
    /// When the table was not confirmed for this time, the log and the metrics report it, and every
    /// accept has the notice `table-stale`.
    case warn(after: Duration)
    /// When the table was not confirmed for this time, every request is rejected with
    /// `table-stale`. This is for programs that must not trust a server that a newer policy may
    /// refuse.
    case reject(after: Duration)
}

/// How old the table in force is, and until when it is fresh.
struct TableAge: Sendable {
    /// The machine's clocks, read at one moment.
    struct Reading: Sendable {
        let wall: UTCInstant
        /// The time of a clock that is never set. It counts while the machine sleeps.
        let steady: Duration

        init(_ configuration: PolicyStore.Configuration) {
            wall = configuration.clock()
            steady = configuration.steadyClock()
        }

        /// The seconds by which the wall clock was set since another reading: forward, or back
        /// where the number is negative. A difference of some seconds is not a jump, because each
        /// clock is read in whole seconds.
        func jump(since other: Reading) -> Int64 {
            let told = wall.secondsSinceEpoch - other.wall.secondsSinceEpoch
            let passed = (steady - other.steady).components.seconds
            let (jump, overflow) = told.subtractingReportingOverflow(passed)
            return overflow || abs(jump) <= TableAge.coarsest ? 0 : jump
        }
    }

    /// When a source last said that the table is the newest.
    let confirmed: UTCInstant
    /// The terms that the table states; nil when it states none.
    let terms: TableTerms?
    /// When the age was measured.
    private let measured: Reading
    private let configuration: PolicyStore.Configuration

    /// Measures the age of a table now.
    init(
        confirmed: UTCInstant, terms: TableTerms?, _ configuration: PolicyStore.Configuration
    ) {
        self.confirmed = confirmed
        self.terms = terms
        self.configuration = configuration
        measured = Reading(configuration)
    }

    /// The age after a source has said that the table is the newest. A table that says when it was
    /// issued is as old as before: a mirror that serves nothing else says the same of it.
    func confirmedNow() -> TableAge {
        guard terms == nil else { return self }
        return TableAge(confirmed: configuration.clock(), terms: nil, configuration)
    }

    /// Whether the freshness depends on how the wall clock was set.
    var isCounted: Bool { configuration.staleness != .never }

    /// Until when the table is fresh, as of this moment; nil when it never becomes stale.
    func freshness() -> TableFreshness? {
        let time: Duration
        let whenStale: TableFreshness.WhenStale
        switch configuration.staleness {
        case .never:
            return terms?.freshness
        case .warn(let after): (time, whenStale) = (after, .notice)
        case .reject(let after): (time, whenStale) = (after, .reject)
        }
        let base = terms?.issued ?? confirmed
        let jump = Reading(configuration).jump(since: measured)
        return TableFreshness(
            confirmed: base,
            until: base.advanced(bySeconds: time.components.seconds).advanced(bySeconds: jump),
            whenStale: whenStale, basis: terms == nil ? .confirmed : .issued,
            expires: terms?.expires)
    }

    /// The most seconds by which two clocks differ that are read one after the other, each in whole
    /// seconds.
    private static let coarsest: Int64 = 2
}
