// Sentences about a verdict for a service: the words of `hawser explain`, without the command.

import Rendering
public import TrustEngine

extension Violation {
    /// The violation in words, with both sides of the comparison, as in the first lines of `hawser
    /// explain`: one line, lower case, no full stop, safe for logs and terminals. Names in it come
    /// from the peer.
    public var sentence: String { TerminalEscape.escape(headline) }
}

extension Explanation {
    /// The form of a rendered explanation.
    public enum Form: Hashable, Sendable {
        /// For people: one screen of text, as `hawser explain` prints it.
        case text
        /// For people: every step, as `hawser explain --trace` prints it.
        case everything
        /// For programs: JSON as `grammar/trace.schema.json` describes it.
        case json
    }

    /// The explanation as `hawser explain` prints it, without colour. It names lines of the policy
    /// when the table holds them.
    ///
    /// - Parameters:
    ///   - form: the form of the text.
    ///   - assumptions: the caller's assumptions about the request, in its own words, one sentence
    ///     each.
    public func rendered(as form: Form, assumptions: [String] = []) -> String {
        switch form {
        case .json:
            return TraceJSON.render(self, assumptions: assumptions)
        case .text, .everything:
            return ExplainDocument.text(
                self,
                ExplainDocument.Options(
                    detail: form == .text ? .screen : .everything, assumptions: assumptions))
        }
    }
}
