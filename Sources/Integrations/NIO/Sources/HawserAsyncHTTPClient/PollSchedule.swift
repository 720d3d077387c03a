/// When a source is asked again. Pure: what is random comes from the caller.
public struct PollSchedule: Hashable, Sendable {
    /// Between two questions while all is well.
    public var interval: Duration
    /// After the first failure; doubles with each further one.
    public var firstPause: Duration
    /// At most after a failure, and at most of what a server asks for in `Retry-After`.
    public var longestPause: Duration

    private var failures = 0

    /// A schedule: every minute, after failures 2 seconds to 10 minutes, unless said otherwise.
    public init(
        interval: Duration = .seconds(60), firstPause: Duration = .seconds(2),
        longestPause: Duration = .seconds(600)
    ) {
        self.interval = interval
        self.firstPause = firstPause
        self.longestPause = longestPause
    }

    /// The time to wait after an answer. A tenth of the interval is left to chance, so that a fleet
    /// that was started together does not ask together; after a failure half of the pause is.
    ///
    /// - Parameters:
    ///   - isGood: whether there was a table, or word that there is no newer one.
    ///   - retryAfter: what the server asked for, seconds; it lengthens a pause and never shortens
    ///     it.
    ///   - chance: 0 up to but not including 1.
    mutating func pause(after isGood: Bool, retryAfter: Int64?, chance: Double) -> Duration {
        guard !isGood else {
            failures = 0
            return interval * (0.95 + 0.1 * chance)
        }
        // Thirty doublings of anything are more than the longest pause.
        let doubled = firstPause * Double(1 << min(failures, 30))
        failures += 1
        let pause = min(doubled, longestPause) * (0.5 + 0.5 * chance)
        guard let retryAfter, retryAfter > 0 else { return pause }
        return max(pause, min(.seconds(retryAfter), longestPause))
    }
}
