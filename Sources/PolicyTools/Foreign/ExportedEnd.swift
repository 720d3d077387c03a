import Rendering
import TrustEngine

/// The end of pins in formats that know days and no instants, and in which pins bind nothing after
/// their end.
enum ExportedEnd {
    /// Seconds of a day.
    static let day = 86_400 as Int64

    /// Days from 1970-01-01 to the year 10000, which no format can write.
    private static let mostDays = 2_932_897 as Int64

    /// The end of a set whose pins bind nothing after it; nil for other sets.
    static func instant(of set: PinSetContents) -> UTCInstant? {
        set.onExpiry == .fail ? nil : set.enforceUntil
    }

    /// A day as `YYYY-MM-DD`, by its number from 1970-01-01 on; nil before 1970-01-02 and from the
    /// year 10000 on.
    static func text(_ number: Int64) -> String? {
        guard number > 0, number < mostDays else { return nil }
        return Words.day(UTCInstant(secondsSinceEpoch: number * day))
    }
}
