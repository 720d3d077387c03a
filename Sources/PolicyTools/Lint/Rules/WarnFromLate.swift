import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW415: `warn-from` of a pin set comes after its `enforce-until`, so that the notice
    /// `pin-ageing` never comes before enforcement ends.
    static let warnFromLate = LintRule(.warnFromLate) { context in
        context.bound.pinSets.compactMap { set in
            guard let warning = set.warnFrom, let end = set.enforceUntil,
                warning.value > end.value
            else { return nil }
            return Diagnostic(
                .warnFromLate,
                "`\(set.id.value)` warns from \(Words.day(warning.value)) on, after its "
                    + "`enforce-until` of \(Words.day(end.value)): no notice comes before "
                    + "that day",
                at: Diagnostic.Label(warning.span),
                labels: [Diagnostic.Label(end.span, "the last day that is planned for")],
                help: ["write a `warn-from` before \(Words.day(end.value))"])
        }
    }
}
