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

    /// The explanation as the command prints it, without colour.
    ///
    /// - Parameters:
    ///   - form: for whom.
    ///   - table: the table that the engine was made of; where it has provenance, policy lines are
    ///     cited.
    ///   - assumptions: what the caller assumed of the request, in its own words, one sentence
    ///     each.
    public func rendered(
        as form: Form, table: PolicyTable, assumptions: [String] = []
    ) -> String {
        let provenance = table.provenance()
        switch form {
        case .json:
            return TraceJSON.render(
                self, provenance: provenance, table: table, assumptions: assumptions)
        case .text, .everything:
            return TraceText.render(
                self, provenance: provenance, table: table,
                options: TraceText.Options(
                    detail: form == .text ? .screen : .everything, colour: .plain,
                    assumptions: assumptions))
        }
    }
}
