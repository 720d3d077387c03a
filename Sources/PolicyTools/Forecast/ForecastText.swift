import Rendering
import TrustEngine

/// Writes a forecast as text, by month: what follows on each day, why, for which hosts, who
/// answers for it and where it is written. The last line counts.
enum ForecastText {
    static func render(_ report: ForecastReport) -> String {
        let lines: [String]
        switch report.outcome {
        case .notAsked(let failure): lines = [ForecastSentences.notAsked(failure)]
        case .foreseen(let forecast): lines = self.lines(forecast)
        }
        return lines.map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    private static func lines(_ forecast: Forecast) -> [String] {
        var lines = [ForecastSentences.headline(forecast)]
        var month = ""
        for change in forecast.changes {
            let own = ForecastSentences.month(change.instant)
            if own != month { lines += ["", own] }
            month = own
            lines += self.lines(change)
        }
        if !forecast.unjudged.isEmpty {
            lines += ["", "not judged"] + forecast.unjudged.map { "  \($0)" }
        }
        lines += ["", ForecastSentences.totals(forecast)]
        if let failing = ForecastSentences.failing(forecast) { lines.append(failing) }
        return lines
    }

    private static func lines(_ change: Forecast.Change) -> [String] {
        let head =
            "  \(ForecastSentences.instant(change.instant))  "
            + "\(ForecastSentences.effect(change.effect)): \(change.sentence)"
        var rows = change.details.map { ("", $0) }
        if let verdict = change.verdict {
            rows += [("before", verdict.before), ("then", verdict.after)]
        }
        if !change.rules.isEmpty {
            rows.append(
                (change.rules.count == 1 ? "rule" : "rules", ForecastSentences.rules(change)))
        }
        if !change.hosts.isEmpty { rows.append(("hosts", ForecastSentences.hosts(change))) }
        if let owner = change.owner { rows.append(("owner", owner)) }
        if let origin = change.origin { rows.append(("place", origin.text)) }
        return [head]
            + rows.map { word, text in
                "      \(word)\(String(repeating: " ", count: max(1, 8 - word.count)))\(text)"
            }
    }
}
