import CHawserABI
import Hawser
import Rendering

/// The text format of Prometheus, version 0.0.4: the numbers of stores, each family once.
struct MetricsText {
    /// A family of metrics: one name, many sets of labels.
    private struct Family {
        var isCounter: Bool
        /// Labels as they are written, and the value.
        var samples: [String: Double] = [:]
    }

    private var families: [String: Family] = [:]

    /// Adds what a store counted. Counters of stores with the same name are added up.
    mutating func add(_ store: ServedPolicy) {
        for (series, value) in store.metrics.values {
            let labels = series.dimensions.map { ($0.name, $0.value) }
            switch value {
            case .count(let count): add(counter: series.label, labels, Double(count))
            case .gauge(let value): add(gauge: series.label, labels, value)
            }
        }
        let state = store.policy.state
        let name = ("store", state.name)
        // A table becomes stale without an event.
        add(gauge: "hawser_store_stale", [name], state.isStale ? 1 : 0)
        for (verdict, count) in [
            ("accept", store.verdicts.accepted), ("reject", store.verdicts.rejected),
        ] {
            add(counter: "hawser_store_verdicts", [name, ("verdict", verdict)], Double(count))
        }
        guard let shadow = store.shadow else { return }
        let counts = shadow.counts
        for (outcome, count) in [
            ("agreement", counts.agreements), ("stricter", counts.stricter),
            ("weaker", counts.weaker), ("violations", counts.violations),
            ("reported", counts.reported),
        ] {
            add(
                counter: "hawser_shadow_comparisons",
                [name, ("candidate", shadow.candidateName), ("outcome", outcome)], Double(count))
        }
    }

    private mutating func add(counter label: String, _ labels: [(String, String)], _ value: Double)
    {
        // The format wants counters to end so.
        families["\(label)_total", default: Family(isCounter: true)]
            .samples[MetricsText.written(labels), default: 0] += value
    }

    private mutating func add(gauge label: String, _ labels: [(String, String)], _ value: Double) {
        families[label, default: Family(isCounter: false)]
            .samples[MetricsText.written(labels)] = value
    }

    /// The text, in the order of names and labels.
    var text: String {
        var text = ""
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            if let help = MetricsText.help[name] { text += "# HELP \(name) \(help)\n" }
            text += "# TYPE \(name) \(family.isCounter ? "counter" : "gauge")\n"
            for (labels, value) in family.samples.sorted(by: { $0.key < $1.key }) {
                text += "\(name)\(labels) \(MetricsText.written(value))\n"
            }
        }
        return text
    }

    /// Instants and numbers of events are whole numbers, and are written so.
    private static func written(_ value: Double) -> String {
        Int64(exactly: value).map { String($0) } ?? "\(value)"
    }

    private static func written(_ labels: [(String, String)]) -> String {
        "{" + labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",") + "}"
    }

    /// The value of a label. Control and invisible characters are shown, as in every text of the
    /// interface. Then the backslash and the quote are escaped, as the format wants it; no line end
    /// is left.
    private static func escaped(_ text: String) -> String {
        TerminalEscape.escape(text).unicodeScalars.reduce(into: "") { escaped, scalar in
            if scalar == "\\" || scalar == "\"" { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
    }

    /// What each family is, in one line.
    static let help = [
        "hawser_store_events_total": "Events of a store, by kind and stable reason.",
        "hawser_store_verdicts_total": "Verdicts of a store.",
        "hawser_store_epoch": "Epoch in force.",
        "hawser_store_revision": "Revision of the table in force.",
        "hawser_store_loaded_seconds": "When the table was put in force, seconds since 1970.",
        "hawser_store_confirmed_seconds":
            "When a source last said that the table is the newest, seconds since 1970.",
        "hawser_store_stale": "1 when the table in force is stale.",
        "hawser_store_notified": "1 when the system gives notices about the store's file.",
        "hawser_store_rollback_protection":
            "1 when an older table is refused over restarts too.",
        "hawser_shadow_comparisons_total":
            "Requests on which a candidate was compared, by outcome; begins again when either "
            + "policy changes.",
    ]
}
