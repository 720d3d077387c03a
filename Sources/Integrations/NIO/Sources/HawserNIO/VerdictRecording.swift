#if NIO

public import Hawser
import Logging
import Synchronization
import TrustEngine

/// What a service keeps of its verdicts: receipts, reports of violations, and a line of log for
/// each refused connection. A service configures it once and gives the same `HandshakeSettings` to
/// each client, server and hook:
///
///     var settings = HandshakeSettings()
///     settings.recording = VerdictRecording { index.append($0.json) }
///     let client = try HawserHTTPClient(store: store, settings: settings)
///     let queue = try HawserClientTLS(store: store, settings: settings)
///
/// The limits hold for all of them together. The verdict of a connection does not depend on its
/// record.
public final class VerdictRecording: Sendable {
    /// The limits and the omissions of all that is recorded.
    public struct Configuration: Sendable {
        /// The fields that receipts, reports and lines leave out. It replaces the redaction of
        /// `reports`.
        public var redaction = Redaction()
        /// Which decisions get a receipt, and how many in a minute. A decision that gets one is
        /// evaluated a second time, by the same table, to be explained.
        public var sampling = ReceiptSampling()
        /// What a receipt holds of its inputs.
        public var inputs = DecisionReceipt.InputDetail.digests
        /// The file that the sink appends receipts to, on this machine. The command in the lines of
        /// log then replays the receipt of the reject, where receipts hold their inputs (`inputs`)
        /// and every reject gets one (`sampling`); otherwise it prints the rule of the host.
        public var receiptFile: String?
        /// Which violations are reported, how often, and how many in a minute.
        public var reports = ViolationReporter.Configuration()
        /// Most lines of log about refused connections in a minute. The next line says how many
        /// were left out.
        public var linesPerMinute = 60
        /// Compares the decisions with a candidate policy; nil for no comparison. Disagreements go
        /// to the sink of the comparison.
        public var shadow: ShadowComparison?

        /// Makes a configuration with the default values.
        public init() {}
    }

    /// One thing that was recorded.
    public enum Record: Hashable, Sendable {
        /// The receipt of a decision.
        case receipt(DecisionReceipt)
        /// The report of violations.
        case report(ViolationReport)

        /// The record as one line of JSON, without a line end. Its `schema` says which of the two
        /// it is.
        public var json: String {
            switch self {
            case .receipt(let receipt): return receipt.json
            case .report(let report): return report.json
            }
        }
    }

    private let configuration: Configuration
    private let recorders: DecisionRecording
    private let lines: Mutex<Lines>

    /// Makes a recording.
    ///
    /// - Parameters:
    ///   - configuration: the limits and the omissions.
    ///   - sink: gets every receipt and every report, on the event loop of the connection. It must
    ///     not wait. Nil for only lines of log.
    public init(
        _ configuration: Configuration = Configuration(),
        sink: (@Sendable (Record) -> Void)? = nil
    ) {
        self.configuration = configuration
        self.lines = Mutex(Lines(perMinute: configuration.linesPerMinute))
        guard let sink else {
            self.recorders = DecisionRecording(shadow: configuration.shadow)
            return
        }
        var reports = configuration.reports
        reports.redaction = configuration.redaction
        self.recorders = DecisionRecording(
            receipts: ReceiptRecorder(
                sampling: configuration.sampling, inputs: configuration.inputs,
                redaction: configuration.redaction
            ) { sink(.receipt($0)) },
            reports: ViolationReporter(reports) { sink(.report($0)) },
            shadow: configuration.shadow)
    }

    /// How many receipts were written so far; nil without a sink.
    public var receiptCounters: ReceiptRecorder.Counters? { recorders.receipts?.counters }

    /// How many reports were made so far; nil without a sink.
    public var reportCounters: ViolationReporter.Counters? { recorders.reports?.counters }

    /// A reject with the facts that a reader of a log needs; nil for an accept. It has the id of
    /// the decision's records.
    func reject(_ decision: Decision) -> RejectError? {
        RejectError(decision, receipts: receiptFile, redaction: configuration.redaction)
    }

    /// The file with the receipt of each reject; nil where a receipt may be missing or cannot be
    /// replayed by itself.
    private var receiptFile: String? {
        guard recorders.receipts != nil, configuration.sampling.rejectsOneIn == 1,
            case .selfContained = configuration.inputs
        else { return nil }
        return configuration.receiptFile
    }

    /// Records a decision.
    func record(_ handshake: JudgedHandshake, _ decision: Decision, to logger: Logger) {
        if let refusal = handshake.refusal { log(refusal, of: handshake, decision, to: logger) }
        recorders.record(decision)
    }

    private func log(
        _ refusal: HawserTLSError, of handshake: JudgedHandshake, _ decision: Decision,
        to logger: Logger
    ) {
        let time = handshake.request.time
        guard let leftOut = lines.withLock({ $0.admits(at: time) }) else { return }
        var metadata: Logger.Metadata = [
            "code": "\(refusal.code.rawValue)", "epoch": "\(handshake.epoch)",
            "violations": .array(handshake.verdict.violations.map { "\($0.id)" }),
        ]
        let decisionMaker = decision.policy.decisionMaker
        if let service = decisionMaker.service { metadata["service"] = "\(SafeText.line(service))" }
        if let store = decisionMaker.store { metadata["store"] = "\(SafeText.line(store))" }
        if let rule = handshake.ruleID { metadata["rule"] = "\(rule)" }
        if leftOut > 0 { metadata["left-out"] = "\(leftOut)" }
        let redaction = configuration.redaction
        let reject = refusal.reject ?? reject(decision)
        for word in reject?.words ?? [] where isTold(word, redaction) {
            metadata[word.name] = "\(word.value)"
        }
        if redaction.port == .kept { metadata["port"] = "\(handshake.port)" }
        if case .kept = redaction.host {
            metadata["host"] = "\(SafeText.line(handshake.host))"
            // A sentence may quote the host and the certificates.
            if redaction.chain == .kept {
                metadata["reason"] = "\(refusal.sentences.joined(separator: "; "))"
            }
        }
        logger.warning("a connection was refused", metadata: metadata)
    }

    /// Whether a word of the line may be told. The command names the host, unless it replays a
    /// receipt; a line has the rule whatever is redacted.
    private func isTold(_ word: RejectError.Word, _ redaction: Redaction) -> Bool {
        guard word.name == "next", receiptFile == nil else { return true }
        if case .kept = redaction.host { return redaction.port == .kept }
        return false
    }

    /// The lines of the present minute, by the times of the requests.
    private struct Lines {
        let perMinute: Int
        private var minute: Int64?
        private var count = 0
        private var leftOut: UInt64 = 0

        init(perMinute: Int) { self.perMinute = perMinute }

        /// The number of lines that were left out before this one; nil where this line is left out
        /// too.
        mutating func admits(at time: UTCInstant) -> UInt64? {
            let present = time.secondsSinceEpoch / 60
            if minute != present { (minute, count) = (present, 0) }
            guard count < perMinute else {
                leftOut += 1
                return nil
            }
            count += 1
            defer { leftOut = 0 }
            return leftOut
        }
    }
}

#endif
