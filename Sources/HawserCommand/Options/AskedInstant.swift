import TrustEngine

/// The value of `--at`.
enum AskedInstant {
    /// Reads an instant; the present one where none is given.
    static func read(_ text: String?) throws(CommandFailure) -> UTCInstant {
        guard let text else { return StandardStreams.now() }
        guard let time = UTCInstant(text: text) else {
            throw .couldNotAsk(
                "`--at \(text)` is not an instant; write 2026-11-21 or 2026-11-21T12:00:00Z, in UTC"
            )
        }
        return time
    }
}
