import Rendering
import TrustEngine

/// Writes a forecast as OpenMetrics 1.0: a sample for each change, whose value is its instant, so
/// that `value - time() < 30 * 86400` alerts. Prometheus' older text format reads it too.
enum ForecastMetrics {
    static func render(_ report: ForecastReport) -> String {
        var lines: [String] = []
        switch report.outcome {
        case .notAsked:
            lines = family("hawser_forecast_asked", "Whether the policy could be asked.")
            lines.append("hawser_forecast_asked 0")
        case .foreseen(let forecast):
            lines = family("hawser_forecast_asked", "Whether the policy could be asked.")
            lines.append("hawser_forecast_asked 1")
            lines += family(
                "hawser_forecast_from_timestamp_seconds", "The instant from which on was looked.",
                unit: "seconds")
            lines.append(
                "hawser_forecast_from_timestamp_seconds \(forecast.since.secondsSinceEpoch)")
            lines += family(
                "hawser_forecast_until_timestamp_seconds", "The last instant that was looked at.",
                unit: "seconds")
            lines.append(
                "hawser_forecast_until_timestamp_seconds \(forecast.until.secondsSinceEpoch)")
            lines += family("hawser_forecast_changes", "How many instants change something.")
            for effect in Forecast.Effect.allCases {
                lines.append(
                    "hawser_forecast_changes{effect=\"\(effect.rawValue)\"} "
                        + "\(forecast.count(effect))")
            }
            lines += family(
                "hawser_forecast_change_timestamp_seconds",
                "The instant at which something changes.", unit: "seconds")
            // Two changes with the same labels are one sample.
            var seen: Set<String> = []
            for change in forecast.changes {
                let labels = labels(change)
                guard seen.insert(labels).inserted else { continue }
                lines.append(
                    "hawser_forecast_change_timestamp_seconds{\(labels)} "
                        + "\(change.instant.secondsSinceEpoch)")
            }
        }
        return lines.map { $0 + "\n" }.joined() + "# EOF\n"
    }

    private static func family(_ name: String, _ help: String, unit: String? = nil) -> [String] {
        ["# TYPE \(name) gauge"] + (unit.map { ["# UNIT \(name) \($0)"] } ?? [])
            + ["# HELP \(name) \(help)"]
    }

    private static func labels(_ change: Forecast.Change) -> String {
        let rule = change.rules.first?.id
        let labels: [(String, String?)] = [
            ("kind", change.kind.rawValue), ("effect", change.effect.rawValue),
            ("subject", change.subject), ("reason", change.sentence),
            ("rule", change.rules.count == 1 ? rule.map { $0.isEmpty ? "default" : $0 } : nil),
            ("owner", change.owner), ("place", change.origin?.location?.description),
            ("at", change.instant.description),
        ]
        return labels.compactMap { name, value in
            value.map { "\(name)=\"\(escape($0))\"" }
        }.joined(separator: ",")
    }

    /// The only way by which text reaches a label: a backslash, a quote and a line end are escaped
    /// (OpenMetrics 1.0, section "Escaping"), and what a terminal obeys is written out first.
    private static func escape(_ text: String) -> String {
        var shown = ""
        for scalar in TerminalEscape.escape(text).unicodeScalars {
            switch scalar {
            case "\\", "\"": shown += "\\" + String(scalar)
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
