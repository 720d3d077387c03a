// Generated from grammar/diagnostics.yaml by `swift run generate-tables`. Do not edit.

/// A code of the diagnostic catalogue.
package enum DiagnosticCode: String, Hashable, Sendable, CaseIterable {
    case syntaxError = "HW001"

    /// The severity of every diagnostic with this code.
    package var severity: Diagnostic.Severity {
        switch self {
        case .syntaxError: return .error
        }
    }
}
