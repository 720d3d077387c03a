/// One message about policy text, with the parts that rustc's messages have. Diagnostics are
/// collected, never thrown.
package struct Diagnostic: Hashable, Sendable {
    /// How serious a diagnostic is.
    package enum Severity: String, Hashable, Sendable, Comparable {
        case info, warning, error
        package static func < (left: Severity, right: Severity) -> Bool {
            left.rank < right.rank
        }
        private var rank: Int {
            switch self {
            case .info: return 0
            case .warning: return 1
            case .error: return 2
            }
        }
    }

    /// A span with the words that stand beside its underline.
    package struct Label: Hashable, Sendable {
        package var span: SourceSpan
        /// Lower case, no full stop. May be empty for the primary span.
        package var text: String
        package init(_ span: SourceSpan, _ text: String = "") {
            self.span = span
            self.text = text
        }
    }

    /// The stable code from the catalogue (`grammar/diagnostics.yaml`), such as `HW402`.
    package var code: DiagnosticCode
    package var severity: Severity
    /// The mistake, then the remedy. Lower case, no full stop, user text in backticks.
    package var message: String
    /// The span that is wrong, with its words.
    package var primary: Label
    /// At most three further spans.
    package var labels: [Label]
    /// What to do, one line each. Commands are in backticks.
    package var help: [String]
    /// Background, such as the section of the language.
    package var notes: [String]
    package var fix: FixIt?

    /// Creates a diagnostic with the severity that the catalogue gives its code.
    package init(
        _ code: DiagnosticCode, _ message: String, at primary: Label, labels: [Label] = [],
        help: [String] = [], notes: [String] = [], fix: FixIt? = nil
    ) {
        self.code = code
        self.severity = code.severity
        self.message = message
        self.primary = primary
        self.labels = labels
        self.help = help
        self.notes = notes
        self.fix = fix
    }
}

/// An edit that removes the cause of a diagnostic.
package struct FixIt: Hashable, Sendable {
    /// Whether a person must check the edit.
    package enum Safety: String, Hashable, Sendable {
        /// The edit does not change the meaning of the policy.
        case safe
        /// A person must check the edit.
        case needsReview = "needs-review"
    }
    /// Replaces the bytes of a span. An empty span inserts text.
    package struct Edit: Hashable, Sendable {
        package var span: SourceSpan
        package var replacement: String
        package init(_ span: SourceSpan, _ replacement: String) {
            self.span = span
            self.replacement = replacement
        }
    }
    /// What must be known for the edit to be correct.
    package enum Basis: Hashable, Sendable {
        /// The text that the edit changes. Nothing else matters.
        case text
        /// The whole unit: for example, that nothing uses a definition. The edit is not offered
        /// while a part of the unit could not be read.
        case unit
        /// The whole unit, and which pattern decides which hosts. The edit changes the second, so
        /// another edit of this kind must be found again after it.
        case hosts
    }
    package var title: String
    package var safety: Safety
    package var basis: Basis
    package var edits: [Edit]
    /// The patterns, in canonical form, whose hosts another rule decides after the edit, and those
    /// that decide no host. The finding has compared what becomes of these hosts, and the title
    /// says it. No edit makes other hosts weaker: `LintFixes` compares them.
    package var moves: [String]
    /// What a person may choose instead, after reading the deleted text; nil without an
    /// alternative.
    package var further: Further?

    /// Edits that delete more than a safe fix may.
    package struct Further: Hashable, Sendable {
        package var title: String
        package var edits: [Edit]
        package init(title: String, edits: [Edit]) {
            self.title = title
            self.edits = edits
        }
    }

    /// The fix that `--fix-unsafe` applies.
    package var furthest: FixIt {
        guard let further else { return self }
        return FixIt(
            title: further.title, safety: .needsReview, basis: basis, edits: further.edits,
            moves: moves)
    }

    package init(
        title: String, safety: Safety, basis: Basis = .text, edits: [Edit], moves: [String] = [],
        further: Further? = nil
    ) {
        self.title = title
        self.safety = safety
        self.basis = basis
        self.edits = edits
        self.moves = moves
        self.further = further
    }
}
