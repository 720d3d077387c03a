import CoreMetrics
import Hawser

/// Keeps the metrics that a store reports, until C asks for them.
final class MetricsLedger: MetricsFactory, Sendable {
    /// A metric and the values of its dimensions.
    struct Series: Hashable, Sendable {
        /// A name and a value.
        struct Dimension: Hashable, Sendable {
            let name: String
            let value: String
        }

        let label: String
        let dimensions: [Dimension]
    }

    /// What is known of a metric.
    enum Value: Sendable {
        case count(Int64)
        case gauge(Double)
    }

    private let kept = Monitor<[Series: Value]>([:])

    /// Every metric that was reported.
    var values: [Series: Value] { kept.withLock { $0 } }

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

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        Entry(self, label, dimensions)
    }

    func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler { Entry(self, label, dimensions) }

    /// A store measures no times.
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        NOOPMetricsHandler.instance
    }

    // What was counted stays.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
