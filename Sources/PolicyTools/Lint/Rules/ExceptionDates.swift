import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW513: a waiver or an entry of `report-only` is in force and ends within 180 days. It lists
    /// the exceptions of today.
    static let exceptionInForce = LintRule(.exceptionInForce) { context in
        PolicyException.all(context).compactMap { exception in
            guard DatedTerm.isInForce(until: exception.until, at: context.time),
                exception.until <= context.time.advanced(bySeconds: ExceptionTerm.longest)
            else { return nil }
            return Diagnostic(
                .exceptionInForce,
                DateSentences.exception(exception.name, exception.effect, until: exception.until),
                at: Diagnostic.Label(exception.key), notes: exception.background)
        }
    }

    /// HW605: a waiver or an entry of `report-only` ends in more than 180 days. The language
    /// accepts any end, but an end that is too far away does not end the exception.
    static let exceptionTooLong = LintRule(.exceptionTooLong, isErrorWhenStrict: true) { context in
        let limit = context.time.advanced(bySeconds: ExceptionTerm.longest)
        return PolicyException.all(context).compactMap { exception in
            // HW606 reports an end that nobody can have meant.
            guard exception.until > limit, !FarDate.isFar(exception.until, context) else {
                return nil
            }
            let seconds = exception.until.secondsSinceEpoch - context.time.secondsSinceEpoch
            // The last day that ends within the limit.
            let last = Words.day(limit.advanced(bySeconds: -86_399))
            return Diagnostic(
                .exceptionTooLong,
                DateSentences.exception(exception.name, exception.effect, until: exception.until)
                    + ", for \(DateSentences.days(seconds)) from now; 180 is the most",
                at: Diagnostic.Label(exception.key),
                help: [
                    "write an `until` of \(last) at the latest, and decide again then; or say why not: "
                        + "`# hawser:ignore HW605 -- REASON`"
                ], notes: exception.background,
                fix: context.value(of: "until", under: exception.key).map { until in
                    FixIt(
                        title: "let it end on \(last)", safety: .needsReview,
                        edits: [FixIt.Edit(until.span, last)])
                })
        }
    }

    /// HW603: the end of a waiver, or of an entry of `report-only`, has passed. The rule is judged
    /// as if the exception were not written, but a reader may think that it is in force.
    static let exceptionEnded = LintRule(.exceptionEnded) { context in
        PolicyException.all(context).compactMap { exception in
            guard !DatedTerm.isInForce(until: exception.until, at: context.time) else { return nil }
            let covered = exception.covered.first {
                $0.until.map { DatedTerm.isInForce(until: $0, at: context.time) } ?? true
            }
            let help =
                covered == nil
                ? "delete it; if the risk is taken again, write it anew with who takes it and until "
                    + "when"
                : "where it is deleted, what a profile reports holds in its place and lets it through "
                    + "again: end that one first"
            return Diagnostic(
                .exceptionEnded,
                "\(exception.name) ended on \(Words.day(exception.until)) and lets nothing "
                    + "through any more",
                at: Diagnostic.Label(exception.key),
                labels: covered.map { [Diagnostic.Label($0.key, "this would hold instead")] } ?? [],
                help: [help], notes: exception.background,
                fix: covered == nil
                    ? context.removal(
                        of: exception.key, "delete what has ended", .needsReview, .unit) : nil)
        }
    }
}
