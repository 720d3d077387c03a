import CoreMetrics
import Logging
import Synchronization

@testable import Hawser

/// Remembers the lines of the log.
final class LogLines: Sendable {
    struct Entry: Sendable {
        let level: Logger.Level
        let message: String
        let values: [String: String]

        /// One line: `error: message key=value key=value`.
        var line: String {
            let words = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return "\(level): \(message) \(words.joined(separator: " "))"
        }
    }

    private let logged = Mutex<[Entry]>([])

    var entries: [Entry] { logged.withLock { $0 } }

    /// The entries, a line each.
    var all: [String] { entries.map(\.line) }

    /// The lines that begin so.
    func all(_ beginning: String) -> [String] { all.filter { $0.hasPrefix(beginning) } }

    /// A logger that writes here.
    var logger: Logger { Logger(label: "test") { _ in Handler(self) } }

    private struct Handler: LogHandler {
        let lines: LogLines
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        init(_ lines: LogLines) { self.lines = lines }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            let entry = Entry(
                level: event.level, message: "\(event.message)",
                values: all.mapValues { "\($0)" })
            lines.logged.withLock { $0.append(entry) }
        }
    }
}

/// Remembers totals by label and the values of the dimensions: `hawser_store_epoch edge`.
final class MetricTotals: MetricsFactory {
    private let totals = Mutex<[String: Double]>([:])

    private final class Handler: CounterHandler, RecorderHandler {
        let key: String
        let totals: MetricTotals

        init(_ key: String, _ totals: MetricTotals) {
            self.key = key
            self.totals = totals
        }

        func increment(by amount: Int64) {
            totals.totals.withLock { $0[key, default: 0] += Double(amount) }
        }
        func reset() {}
        func record(_ value: Int64) { record(Double(value)) }
        func record(_ value: Double) { totals.totals.withLock { $0[key] = value } }
    }

    subscript(key: String) -> Double? { totals.withLock { $0[key] } }

    private func handler(_ label: String, _ dimensions: [(String, String)]) -> Handler {
        Handler(([label] + dimensions.map(\.1)).joined(separator: " "), self)
    }
    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        handler(label, dimensions)
    }
    func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler { handler(label, dimensions) }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        NOOPMetricsHandler.instance
    }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
