/// Why a question about policies has no answer. An answer that is missing is never told as "no
/// changes" or "all proved".
package struct AnswerFailure: Error, Hashable, Sendable {
    /// What was found. Lower case, no full stop.
    package let context: String
    /// Whether it is a fault of hawser: a witness that does not reproduce.
    package let isOurs: Bool

    package init(_ context: String, isOurs: Bool = false) {
        self.context = context
        self.isOurs = isOurs
    }
}
