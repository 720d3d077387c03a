import TrustEngine

/// How many of something may leave in a span of time, told by the times of the requests themselves:
/// nothing here reads a clock.
struct EmissionLimit: Sendable {
    /// How many, in each minute.
    let perMinute: Int

    private var start: UTCInstant?
    private var count = 0

    init(perMinute: Int) { self.perMinute = max(0, perMinute) }

    /// Whether one more may leave. A time from before the present minute counts as of it, unless
    /// the clock went back by more than that: then a new minute begins.
    mutating func admits(at time: UTCInstant) -> Bool {
        if let start, EmissionLimit.isWithinAMinute(start, time) {
            guard count < perMinute else { return false }
        } else {
            start = time
            count = 0
            guard perMinute > 0 else { return false }
        }
        count += 1
        return true
    }

    private static func isWithinAMinute(_ start: UTCInstant, _ time: UTCInstant) -> Bool {
        let (gap, overflow) = time.secondsSinceEpoch.subtractingReportingOverflow(
            start.secondsSinceEpoch)
        return !overflow && (-59...59).contains(gap)
    }
}
