package import CoreMetrics

/// Keeps the metrics that a store reports, until a reader asks for them.
package final class MetricsLedger: MetricsFactory, Sendable {
    /// A metric and the values of its dimensions.
    package struct Series: Hashable, Sendable {
        /// A name and a value.
        package struct Dimension: Hashable, Sendable {
            package let name: String
            package let value: String
        }

        package let label: String
        package let dimensions: [Dimension]
    }

    /// The value of a metric.
    package enum Value: Sendable {
        case count(Int64)
        case gauge(Double)
    }

    private let kept = Monitor<[Series: Value]>([:])

    /// Makes an empty ledger.
    package init() {}

    /// Every metric that was reported.
    package var values: [Series: Value] { kept.withLock { $0 } }

    private final class Entry: CounterHandler, RecorderHandler, Sendable {
        private let ledger: MetricsLedger
        private let series: Series

        init(_ ledger: MetricsLedger, _ label: String, _ dimensions: [(String, String)]) {
            self.ledger = ledger
            series = Series(
                label: label,
                dimensions: dimensions.map { Series.Dimension(name: $0.0, value: $0.1) })
        }

        func increment(by amount: Int64) {
            ledger.kept.withLock { kept in
                guard case .count(let count)? = kept[series] else {
                    kept[series] = .count(amount)
                    return
                }
                kept[series] = .count(count &+ amount)
            }
        }

        func reset() { ledger.kept.withLock { $0[series] = .count(0) } }

        func record(_ value: Int64) { record(Double(value)) }

        func record(_ value: Double) { ledger.kept.withLock { $0[series] = .gauge(value) } }
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        Entry(self, label, dimensions)
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler { Entry(self, label, dimensions) }

    /// A store measures no times.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        NOOPMetricsHandler.instance
    }

    // Counts stay.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}
