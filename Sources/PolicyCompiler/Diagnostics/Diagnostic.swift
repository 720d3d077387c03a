/// One message on policy text, in rustc's anatomy. Collected, never thrown.
package struct Diagnostic: Hashable, Sendable {
    /// How bad it is.
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

    /// A place with the words that stand beside its underline.
    package struct Label: Hashable, Sendable {
        package var span: SourceSpan
        /// Lower case, no full stop; may be empty for the primary place.
        package var text: String
        package init(_ span: SourceSpan, _ text: String = "") {
            self.span = span
            self.text = text
        }
    }

    /// A stable code of the catalogue (`grammar/diagnostics.yaml`), such as `HW402`.
    package var code: DiagnosticCode
    package var severity: Severity
    /// What is wrong, then what would be right; lower case, no full stop, user text in backticks.
    package var message: String
    package var primary: Label
    /// At most three further places.
    package var labels: [Label]
    /// What to do, each a line; commands in backticks.
    package var help: [String]
    /// Background, such as the section of the language.
    package var notes: [String]
    package var fix: FixIt?

    /// A diagnostic with the severity that the catalogue gives its code.
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

/// An edit that mends a diagnostic.
package struct FixIt: Hashable, Sendable {
    package enum Safety: String, Hashable, Sendable {
        /// The meaning of the policy stays as it was.
        case safe
        /// A person must look at it.
        case needsReview = "needs-review"
    }
    package struct Edit: Hashable, Sendable {
        package var span: SourceSpan
        package var replacement: String
        package init(_ span: SourceSpan, _ replacement: String) {
            self.span = span
            self.replacement = replacement
        }
    }
    /// What must be known for the edit to be right.
    package enum Basis: Hashable, Sendable {
        /// The text that it changes says all.
        case text
        /// The whole unit: that nothing uses a thing, or that nothing else says otherwise. While a part of
        /// the unit could not be read there is no such fix.
        case unit
        /// The whole unit, and which pattern decides which hosts. Such an edit changes that, so it says
        /// nothing of a unit that another one has changed.
        case hosts
    }
    package var title: String
    package var safety: Safety
    package var basis: Basis
    package var edits: [Edit]
    package init(title: String, safety: Safety, basis: Basis = .text, edits: [Edit]) {
        self.title = title
        self.safety = safety
        self.basis = basis
        self.edits = edits
    }
}
