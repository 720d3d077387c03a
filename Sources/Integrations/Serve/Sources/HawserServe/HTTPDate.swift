#if Serve
import TrustEngine

/// The value of `Date` (RFC 9110 section 5.6.7).
enum HTTPDate {
    /// An instant as `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func text(_ instant: UTCInstant) -> String {
        // 2026-11-21T12:00:00Z
        let text = Array(instant.description.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        guard text.count == 20, let month = Int(part(5..<7)), (1...12).contains(month) else {
            return "Thu, 01 Jan 1970 00:00:00 GMT"
        }
        // 1970-01-01 was a Thursday.
        let days = instant.secondsSinceEpoch / 86_400
        let day = weekdays[Int(((days % 7) + 7) % 7)]
        return "\(day), \(part(8..<10)) \(months[month - 1]) \(part(0..<4)) \(part(11..<19)) GMT"
    }

    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
#endif
