// What a service says of a verdict: the words of `hawser explain`, without the command.

import Rendering
public import TrustEngine

extension Violation {
    /// What is wrong, with both sides of the comparison, as the first lines of `hawser explain` say
    /// it: one line, lower case, no full stop, safe for logs and terminals. Names in it are the
    /// peer's own.
    public var sentence: String { TerminalEscape.escape(ViolationSentences.headline(self)) }
}

extension Explanation {
    /// How an explanation is written.
    public enum Form: Hashable, Sendable {
        /// For people, within a screen, as `hawser explain` prints it.
        case text
        /// For people, every step, as `hawser explain --trace` prints it.
        case everything
        /// For programs: the shape of `grammar/trace.schema.json`.
        case json
    }

    /// The explanation as the command prints it, without colour. It cites lines of the policy where
    /// the table that judged was compiled with them.
    ///
    /// - Parameters:
    ///   - form: for whom.
    ///   - assumptions: what the caller assumed of the request, in its own words, one sentence
    ///     each.
    public func rendered(as form: Form, assumptions: [String] = []) -> String {
        switch form {
        case .json:
            return TraceJSON.render(self, assumptions: assumptions)
        case .text, .everything:
            return TraceText.render(
                self,
                options: TraceText.Options(
                    detail: form == .text ? .screen : .everything, colour: .plain,
                    assumptions: assumptions))
        }
    }
}
