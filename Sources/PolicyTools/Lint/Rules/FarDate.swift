import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW606: a date lies more than 50 years after the time of linting. Most often its year has a
    /// typing error; in either case nobody is asked again before it comes. Dates in the past are
    /// not judged: a window may begin at any of them, and an end that has passed has findings of
    /// its own.
    static let farDate = LintRule(.farDate, isErrorWhenStrict: true) { context in
        context.bound.dates.compactMap { date in
            guard FarDate.isFar(date.firstSecond, context) else { return nil }
            let seconds = date.firstSecond.secondsSinceEpoch - context.time.secondsSinceEpoch
            return Diagnostic(
                .farDate,
                "`\(date.path)` is \(Words.day(date.firstSecond)), "
                    + "\(seconds / FarDate.year) years from now: nobody decides again before that day",
                at: Diagnostic.Label(date.span),
                help: ["check the year; write a day on which somebody decides again"])
        }
    }
}

/// Which dates are too far away to be meant.
enum FarDate {
    /// The lifetime of a root certificate is 25 to 30 years; nothing in a policy outlives two.
    static let years: Int64 = 50
    /// Seconds of a year of the Gregorian calendar, on average.
    static let year: Int64 = 31_556_952

    static func isFar(_ instant: UTCInstant, _ context: LintContext) -> Bool {
        instant > context.time.advanced(bySeconds: years * year)
    }
}
