import PolicyCompiler
import Rendering
import TrustEngine

/// Writes a forecast as a calendar (RFC 5545): an event of no length for each change. The same
/// change keeps its UID, so that a calendar that is read again replaces its events.
enum ForecastCalendar {
    static func render(_ report: ForecastReport) -> String {
        var lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0",
            "PRODID:-//hawser//forecast \(escape(report.version))//EN",
            "CALSCALE:GREGORIAN", "METHOD:PUBLISH",
        ]
        switch report.outcome {
        case .notAsked(let failure):
            lines.append("X-WR-CALDESC:\(escape(ForecastSentences.notAsked(failure)))")
        case .foreseen(let forecast):
            lines.append("X-WR-CALNAME:\(escape("hawser forecast of \(forecast.name)"))")
            for (change, identity) in zip(forecast.changes, forecast.identities) {
                lines += event(change, identity, forecast)
            }
        }
        lines.append("END:VCALENDAR")
        return lines.map { folded($0) + "\r\n" }.joined()
    }

    private static func event(
        _ change: Forecast.Change, _ identity: String, _ forecast: Forecast
    ) -> [String] {
        var words = ForecastSentences.lines(change)
        if let origin = change.origin { words.append("place: \(origin.text)") }
        let summary = "\(ForecastSentences.effect(change.effect)): \(change.subject)"
        return [
            "BEGIN:VEVENT", "UID:\(identity)@hawser",
            "DTSTAMP:\(time(forecast.since))", "DTSTART:\(time(change.instant))",
            "SUMMARY:\(escape(summary))",
            // The words are lines of one text. A line end is `\n` here.
            "DESCRIPTION:\(words.map(escape).joined(separator: "\\n"))",
            "CATEGORIES:\(change.effect.rawValue),\(change.kind.rawValue)",
            "TRANSP:TRANSPARENT", "END:VEVENT",
        ]
    }

    /// An instant in UTC (RFC 5545 section 3.3.5, form 2): `20270301T000000Z`.
    private static func time(_ instant: UTCInstant) -> String {
        instant.description.filter { $0 != "-" && $0 != ":" }
    }

    /// The only way by which text reaches the calendar (RFC 5545 section 3.3.11). Characters that a
    /// reader obeys or hides are written out first.
    private static func escape(_ text: String) -> String {
        var shown = ""
        for scalar in TerminalEscape.escape(text).unicodeScalars {
            switch scalar {
            case "\\", ";", ",": shown += "\\" + String(scalar)
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    /// A line of at most 75 octets, which goes on behind a blank (section 3.1). No scalar is cut.
    private static func folded(_ line: String) -> String {
        var text = ""
        var octets = 0
        for scalar in line.unicodeScalars {
            let width = UTF8.width(scalar)
            if octets + width > 75 {
                text += "\r\n "
                octets = 1
            }
            text.unicodeScalars.append(scalar)
            octets += width
        }
        return text
    }
}
