import Rendering
import TrustEngine

/// Sentences about dates of a policy that draw near. The linter and `forecast` both say them.
enum DateSentences {
    /// The name of a waiver, with the rule that has it.
    static func waiver(_ check: String, of owner: String) -> String {
        "waiver `\(check)` of `\(owner)`"
    }

    /// The name of an entry of `report-only`, with the rule or the profile that has it.
    static func reportOnly(_ check: String, of owner: String) -> String {
        "report-only `\(check)` of `\(owner)`"
    }

    /// What an exception lets through, and until when.
    static func exception(_ name: String, _ effect: String, until last: UTCInstant) -> String {
        "\(name) \(effect) until \(Words.day(last))"
    }

    /// Until when a pin set is enforced, and what a mismatch does after that.
    static func pins(
        _ id: String, until last: UTCInstant, _ onExpiry: PinSetContents.OnExpiry,
        at now: UTCInstant
    ) -> String {
        "`\(id)` is enforced until \(Words.day(last)), \(fromNow(last, now)); "
            + "after it \(afterEnforcement(onExpiry))"
    }

    /// What a mismatch does after the end of a pin set's enforcement.
    static func afterEnforcement(_ onExpiry: PinSetContents.OnExpiry) -> String {
        switch onExpiry {
        case .fail:
            return "a key that is not pinned is still rejected, and the next renewal may bring one"
        case .report: return "any key is accepted, and one that is not pinned only reported"
        case .unpinned: return "any key is accepted, as if nothing were pinned"
        }
    }

    /// When the certificate of an anchor ends.
    static func anchor(_ subject: String, until last: UTCInstant, at now: UTCInstant) -> String {
        "`\(subject)` ends on \(Words.day(last)), \(fromNow(last, now)), "
            + "and no path can end at it after that"
    }

    /// How far an instant is away: `30 days from now`.
    static func fromNow(_ instant: UTCInstant, _ now: UTCInstant) -> String {
        "\(days(instant.secondsSinceEpoch - now.secondsSinceEpoch)) from now"
    }

    /// The whole days in a number of seconds.
    static func days(_ seconds: Int64) -> String {
        let days = seconds / 86_400
        return days == 0 ? "less than a day" : Words.count(Int(days), "day")
    }
}
