#if NIO

public import Hawser
public import TrustEngine

/// Why a connection was refused, or why there was no verdict. Connect futures fail with this error.
/// Writes that wait for the handshake fail with it. It goes through the pipeline in place of
/// NIOSSL's own error.
public struct HawserTLSError: CodedError {
    /// The reason's stable name.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The verdict is a reject; `verdict` holds the violations.
        case rejected
        /// The handshake ended and nobody was judged: a resumed session, or no certificate.
        case notJudged = "not-judged"
        /// The handshake took longer than the settings permit.
        case timedOut = "timed-out"
        /// The connection ended before the handshake did.
        case closed
        /// The rule has demands that this integration cannot meet, and the program refuses such
        /// rules.
        case demandsUnmet = "demands-unmet"
        /// The TLS library refuses the configuration that was derived from the rule.
        case configuration
    }

    /// The reason.
    public let code: Code
    /// The requested host, as the program wrote it.
    public let host: String
    /// The requested port.
    public let port: UInt16
    /// Id of the rule that decides; empty for the body of `default`, nil where no rule decides.
    public let ruleID: String?
    /// The epoch of the table that was used.
    public let epoch: UInt64
    /// The verdict, where there is one.
    public let verdict: Verdict?
    /// The request that the verdict answers; nil without a verdict. Together with the engine it
    /// gives a trace (`explain`) and a receipt.
    public let request: TrustRequest?
    /// The reject with its side, its owner, the id of the decision and the command to run next; nil
    /// without a verdict.
    public let reject: RejectError?
    /// What was found, where no verdict says it.
    private let found: String?

    init(
        _ code: Code, host: String, port: UInt16, ruleID: String?, epoch: UInt64,
        verdict: Verdict? = nil, request: TrustRequest? = nil, reject: RejectError? = nil,
        context: String? = nil
    ) {
        self.code = code
        self.host = host
        self.port = port
        self.ruleID = ruleID
        self.epoch = epoch
        self.verdict = verdict
        self.request = request
        self.reject = reject
        found = context
    }

    /// The violations of a reject, in the order in which `hawser explain` prints them; empty
    /// without a verdict.
    public var violations: [Violation] { reject?.violations ?? verdict?.violations ?? [] }

    /// One line for each violation, in the words of `hawser explain`. Without violations, one line
    /// that says what happened. Text of certificates is escaped.
    public var sentences: [String] {
        violations.isEmpty
            ? [found ?? HawserTLSError.words(code)] : violations.map { $0.sentence }
    }

    /// The sentences, in one line.
    public var context: String { sentences.joined(separator: "; ") }

    /// The error of a reject. The request is explained for it.
    init(rejected decision: Decision, ruleID: String?, settings: HandshakeSettings) {
        let request = decision.request
        self.init(
            .rejected, host: request.host, port: request.port, ruleID: ruleID,
            epoch: decision.policy.epoch, verdict: decision.verdict, request: request,
            reject: settings.recording.reject(decision))
    }

    /// The decision that this error is about; nil without a verdict. The snapshot gave it.
    func decision(by snapshot: PolicySnapshot) -> Decision? {
        guard let verdict, let request else { return nil }
        return Decision(verdict, of: request, by: snapshot)
    }

    private static func words(_ code: Code) -> String {
        switch code {
        case .rejected: return "the connection was refused"
        case .notJudged: return "the handshake ended without a certificate to judge"
        case .timedOut: return "the handshake took too long"
        case .closed: return "the connection ended before the handshake did"
        case .demandsUnmet: return "the rule demands what this integration cannot give"
        case .configuration: return "TLS cannot be configured as the rule demands"
        }
    }
}

extension HawserTLSError {
    /// One line for a log. For a reject, the line of `RejectError` with the epoch.
    public var description: String {
        if let reject { return "\(reject) epoch=\(epoch)" }
        let rule = ruleID.map { $0.isEmpty ? ", `default`" : ", rule `\($0)`" } ?? ""
        return "\(code.rawValue): \(SafeText.line(host)):\(port)\(rule), epoch \(epoch): "
            + context
    }
}

#endif
