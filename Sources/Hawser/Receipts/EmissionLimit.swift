import TrustEngine

/// Limits how many records leave in a minute. The times are the times of the requests; no clock is
/// read.
struct EmissionLimit: Sendable {
    /// Most records in each minute.
    let perMinute: Int

    private var start: UTCInstant?
    private var count = 0

    init(perMinute: Int) { self.perMinute = max(0, perMinute) }

    /// Whether one more record may leave. A time before the present minute counts as a part of it.
    /// When the times have gone back by a minute or more, a new minute begins.
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
