#if AsyncHTTPClient

/// When a source is asked again. The type is pure: the caller gives the random number.
public struct PollSchedule: Hashable, Sendable {
    /// The time between two requests while they succeed.
    public var interval: Duration
    /// The pause after the first failure. It doubles with each further failure.
    public var firstPause: Duration
    /// The longest pause after a failure. A `Retry-After` of the server is cut to it too.
    public var longestPause: Duration

    private var failures = 0

    /// A schedule. By default a minute between requests, and 2 seconds to 10 minutes after
    /// failures.
    public init(
        interval: Duration = .seconds(60), firstPause: Duration = .seconds(2),
        longestPause: Duration = .seconds(600)
    ) {
        self.interval = interval
        self.firstPause = firstPause
        self.longestPause = longestPause
    }

    /// The time to wait after an answer. A tenth of the interval is random, so that machines that
    /// were started together do not ask together. After a failure half of the pause is random.
    ///
    /// - Parameters:
    ///   - isGood: whether the source gave a table, or said that its table is not newer.
    ///   - retryAfter: the seconds that the server asked for. They can lengthen a pause and never
    ///     shorten it.
    ///   - chance: a random number from 0 up to but not including 1.
    mutating func pause(after isGood: Bool, retryAfter: Int64?, chance: Double) -> Duration {
        guard !isGood else {
            failures = 0
            return interval * (0.95 + 0.1 * chance)
        }
        // Thirty doublings are enough to pass any longest pause.
        let doubled = firstPause * Double(1 << min(failures, 30))
        failures += 1
        let pause = min(doubled, longestPause) * (0.5 + 0.5 * chance)
        guard let retryAfter, retryAfter > 0 else { return pause }
        return max(pause, min(.seconds(retryAfter), longestPause))
    }
}

#endif
