import Rendering

/// The numbers of stores and of the parts around them, each family once.
package struct MetricsText {
    /// How the text is written.
    package enum Format {
        /// The text format of Prometheus, version 0.0.4.
        case prometheus
        /// OpenMetrics 1.0.
        case openMetrics
    }

    /// A family of metrics: one name, many sets of labels.
    private struct Family {
        var isCounter: Bool
        /// Labels as they are written, and the value.
        var samples: [String: Double] = [:]
    }

    private var families: [String: Family] = [:]

    /// Makes a text without numbers.
    package init() {}

    /// Adds what a store counted, with the verdicts that its program made. Counters of stores with
    /// the same name are added up.
    package mutating func add(
        _ store: PolicyStore, _ metrics: MetricsLedger, _ verdicts: VerdictCount
    ) {
        for (series, value) in metrics.values {
            let labels = series.dimensions.map { ($0.name, $0.value) }
            switch value {
            case .count(let count): add(counter: series.label, labels, Double(count))
            case .gauge(let value): add(gauge: series.label, labels, value)
            }
        }
        let state = store.state
        let name = ("store", state.name)
        // A table becomes stale without an event.
        add(gauge: "hawser_store_stale", [name], state.isStale ? 1 : 0)
        for (verdict, count) in [("accept", verdicts.accepted), ("reject", verdicts.rejected)] {
            add(counter: "hawser_store_verdicts", [name, ("verdict", verdict)], Double(count))
        }
        for (series, count) in verdicts.rejectedBySeries {
            add(
                counter: "hawser_store_rejects",
                [name, ("rule", series.rule), ("violation", series.violation)], Double(count))
        }
    }

    /// Adds to a counter; its name is given without `_total`.
    package mutating func add(
        counter label: String, _ labels: [(String, String)], _ value: Double
    ) {
        // The format wants counters to end so.
        families["\(label)_total", default: Family(isCounter: true)]
            .samples[MetricsText.written(labels), default: 0] += value
    }

    /// Sets a gauge.
    package mutating func add(
        gauge label: String, _ labels: [(String, String)], _ value: Double
    ) {
        families[label, default: Family(isCounter: false)]
            .samples[MetricsText.written(labels)] = value
    }

    /// The text, in the order of names and labels.
    package func text(_ format: Format) -> String {
        var text = ""
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            let title: String
            switch format {
            case .prometheus: title = name
            // The name of a counter's family is without the ending of its samples.
            case .openMetrics: title = family.isCounter ? String(name.dropLast(6)) : name
            }
            if let help = MetricsText.help[name] { text += "# HELP \(title) \(help)\n" }
            text += "# TYPE \(title) \(family.isCounter ? "counter" : "gauge")\n"
            for (labels, value) in family.samples.sorted(by: { $0.key < $1.key }) {
                text += "\(name)\(labels) \(MetricsText.written(value))\n"
            }
        }
        switch format {
        case .prometheus: return text
        case .openMetrics: return text + "# EOF\n"
        }
    }

    /// Instants and numbers of events are whole numbers, and are written so.
    private static func written(_ value: Double) -> String {
        Int64(exactly: value).map { String($0) } ?? "\(value)"
    }

    private static func written(_ labels: [(String, String)]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",") + "}"
    }

    /// The value of a label. Control and invisible characters are shown, as in every text for
    /// people. Then the backslash and the quote are escaped, as the format wants it; no line end
    /// is left.
    private static func escaped(_ text: String) -> String {
        TerminalEscape.escape(text).unicodeScalars.reduce(into: "") { escaped, scalar in
            if scalar == "\\" || scalar == "\"" { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
    }

    /// The help of each family, in one line.
    static let help = [
        "hawser_store_events_total": "Events of a store, by kind and stable reason.",
        "hawser_store_verdicts_total": "Verdicts of a store.",
        "hawser_store_rejects_total":
            "Rejects of a store, by rule and first violation; rules beyond the first "
            + "\(RejectLabels.mostRules) are `other`.",
        "hawser_store_epoch": "Epoch in force.",
        "hawser_store_revision": "Revision of the table in force.",
        "hawser_store_loaded_seconds": "When the table was put in force, seconds since 1970.",
        "hawser_store_confirmed_seconds":
            "When a source last said that the table is the newest, seconds since 1970.",
        "hawser_store_stale": "1 when the table in force is stale.",
        "hawser_store_notified": "1 when the system gives notices about the store's file.",
        "hawser_store_rollback_protection":
            "1 when an older table is refused over restarts too.",
        "hawser_store_crlite": "1 when the CRLite filters can be asked.",
        "hawser_shadow_comparisons_total":
            "Requests on which a candidate was compared, by outcome; begins again when either "
            + "policy changes.",
        "hawser_serve_requests_total": "Requests that were answered, by endpoint and status.",
        "hawser_serve_refused_connections_total": "Connections that were refused, by reason.",
        "hawser_serve_connections": "Connections that are open.",
        "hawser_serve_draining": "1 while the server stops and takes no new connection.",
    ]
}
