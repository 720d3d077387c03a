package import PolicyCompiler
import Rendering
package import TrustEngine

/// The findings about when allowances end.
extension Allowances {
    /// Seconds of the longest time for which an allowance may hold.
    package static var longest: Int64 { ExceptionTerm.longest }

    /// The allowances that no longer hold at an instant (HW607), and those that hold for too long
    /// (HW608).
    package func findings(at time: UTCInstant) -> [Diagnostic] {
        entries.compactMap { allowance in
            guard allowance.isInForce(at: time) else { return ended(allowance) }
            return tooLong(allowance, at: time)
        }
    }

    private func ended(_ allowance: Allowance) -> Diagnostic {
        Diagnostic(
            .allowanceEnded,
            "allowance `\(allowance.id)` ended on \(Words.day(allowance.until)) and lets "
                + "nothing through any more",
            at: Diagnostic.Label(allowance.untilPlace),
            help: [
                "delete it; if the risk is taken again, write it anew with who takes it and until when"
            ], notes: [allowance.background])
    }

    private func tooLong(_ allowance: Allowance, at time: UTCInstant) -> Diagnostic? {
        let limit = time.advanced(bySeconds: ExceptionTerm.longest)
        guard allowance.until > limit else { return nil }
        let seconds = allowance.until.secondsSinceEpoch - time.secondsSinceEpoch
        // The last day that ends within the limit.
        let last = Words.day(limit.advanced(bySeconds: -86_399))
        return Diagnostic(
            .allowanceTooLong,
            "allowance `\(allowance.id)` lasts until \(Words.day(allowance.until)), for "
                + "\(DateSentences.days(seconds)) from now; 180 is the most",
            at: Diagnostic.Label(allowance.untilPlace),
            help: ["write an `until` of \(last) at the latest, and decide again then"],
            notes: [allowance.background],
            fix: FixIt(
                title: "let it end on \(last)", safety: .needsReview,
                edits: [FixIt.Edit(allowance.untilPlace, last)]))
    }
}
