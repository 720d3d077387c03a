public import Hawser
public import HawserNIO
public import Logging
import Synchronization

/// Keeps all that is recorded of verdicts, and the warnings of the log.
public final class Recorded: Sendable {
    private struct Contents {
        var receipts: [DecisionReceipt] = []
        var reports: [ViolationReport] = []
        var verdicts: [JudgedHandshake] = []
        var lines: [(message: String, metadata: Logger.Metadata)] = []
    }

    private let contents = Mutex(Contents())

    /// Nothing yet.
    public init() {}

    /// The receipts.
    public var receipts: [DecisionReceipt] { contents.withLock { $0.receipts } }
    /// The reports.
    public var reports: [ViolationReport] { contents.withLock { $0.reports } }
    /// What `onVerdict` was called with.
    public var verdicts: [JudgedHandshake] { contents.withLock { $0.verdicts } }
    /// The warnings.
    public var lines: [(message: String, metadata: Logger.Metadata)] {
        contents.withLock { $0.lines }
    }
    /// The lines about refused connections.
    public var refusals: [Logger.Metadata] {
        lines.filter { $0.message == "a connection was refused" }.map(\.metadata)
    }

    /// Settings that judge at the tests' instant and keep everything here.
    public func settings(
        _ configuration: VerdictRecording.Configuration = VerdictRecording.Configuration()
    ) -> HandshakeSettings {
        var settings = HandshakeSettings(clock: { World.judgedAt })
        settings.recording = VerdictRecording(configuration) { record in
            self.contents.withLock { contents in
                switch record {
                case .receipt(let receipt): contents.receipts.append(receipt)
                case .report(let report): contents.reports.append(report)
                }
            }
        }
        settings.onVerdict = { handshake, _ in
            self.contents.withLock { $0.verdicts.append(handshake) }
        }
        settings.logger = logger
        return settings
    }

    /// A log whose warnings are kept here.
    public var logger: Logger {
        Logger(label: "test") { _ in Handler(recorded: self) }
    }

    private struct Handler: LogHandler {
        let recorded: Recorded
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let line = (message: "\(event.message)", metadata: event.metadata ?? [:])
            recorded.contents.withLock { $0.lines.append(line) }
        }
    }
}
