import CHawserABI
import Rendering
import TrustEngine

/// A verdict that C holds a handle of.
final class HeldVerdict: Sendable {
    let verdict: Verdict
    /// The verdict in numbers.
    let outcome: hawser_outcome
    /// The host as the request wrote it, for sentences.
    private let host: String
    /// The JSON of `hawser_explain`; nil for a verdict of `hawser_evaluate`.
    private let explanation: String?

    init(_ verdict: Verdict, outcome: hawser_outcome, host: String, explanation: String?) {
        self.verdict = verdict
        self.outcome = outcome
        self.host = host
        self.explanation = explanation
    }

    private var acceptance: Acceptance? {
        if case .accept(let acceptance) = verdict.outcome { return acceptance }
        return nil
    }

    /// The text that C asks for by number. Text of certificates and hosts is escaped.
    func text(_ which: UInt32, _ index: Int) throws(CallFailure) -> String {
        // The writer of the explanation has escaped its text.
        if Int(which) == HAWSER_TEXT_EXPLANATION {
            guard index == 0, let explanation else { throw outOfRange(which, index) }
            return explanation
        }
        return TerminalEscape.escape(try raw(which, index))
    }

    private func raw(_ which: UInt32, _ index: Int) throws(CallFailure) -> String {
        switch Int(which) {
        case HAWSER_TEXT_VIOLATION:
            return ViolationSentences.headline(try item(verdict.violations, which, index))
        case HAWSER_TEXT_VIOLATION_ID:
            return try item(verdict.violations, which, index).id
        case HAWSER_TEXT_VIOLATION_CHECK:
            return try item(verdict.violations, which, index).check.rawValue
        case HAWSER_TEXT_VIOLATION_FOR_USER:
            let violation = try item(verdict.violations, which, index)
            return ViolationSentences.forEndUser(violation, host: host)
        case HAWSER_TEXT_REPORTED:
            return ViolationSentences.headline(try reported(which, index).violation)
        case HAWSER_TEXT_REPORTED_ID:
            return try reported(which, index).violation.id
        case HAWSER_TEXT_REPORTED_REASON:
            switch try reported(which, index).reason {
            case .waived: return "waived"
            case .reportOnly: return "report-only"
            }
        case HAWSER_TEXT_NOTICE:
            return CheckSentences.notice(try item(acceptance?.notices ?? [], which, index))
        case HAWSER_TEXT_NOTICE_ID:
            return try item(acceptance?.notices ?? [], which, index).id
        case HAWSER_TEXT_WANTED_SOURCE:
            return try item(verdict.wanted, which, index).source.name
        case HAWSER_TEXT_WANTED_URL:
            return try item(verdict.wanted, which, index).url
        case HAWSER_TEXT_PATH_SUBJECT:
            return try item(acceptance?.path ?? [], which, index).subject
        default:
            throw .value("which", which, allowed: "the HAWSER_TEXT_* of verdicts")
        }
    }

    private func reported(_ which: UInt32, _ index: Int) throws(CallFailure) -> Reported {
        try item(acceptance?.reported ?? [], which, index)
    }

    private func item<Item>(
        _ items: [Item], _ which: UInt32, _ index: Int
    ) throws(CallFailure) -> Item {
        guard items.indices.contains(index) else { throw outOfRange(which, index) }
        return items[index]
    }

    private func outOfRange(_ which: UInt32, _ index: Int) -> CallFailure {
        CallFailure(HAWSER_E_RANGE, "no-such-text", "there is no text \(which) at \(index)")
    }
}

extension hawser_outcome {
    /// A reject, for a request that was not judged.
    static var undecided: hawser_outcome {
        var outcome = hawser_outcome()
        outcome.size = MemoryLayout<hawser_outcome>.size
        outcome.result = Int32(HAWSER_E_INTERNAL)
        return outcome
    }

    /// A verdict in numbers.
    init(_ verdict: Verdict, epoch: UInt64, time: UTCInstant) {
        self = .undecided
        switch verdict.outcome {
        case .accept(let acceptance):
            result = Int32(HAWSER_OK)
            reported_count = UInt32(clamping: acceptance.reported.count)
            notice_count = UInt32(clamping: acceptance.notices.count)
            path_count = UInt32(clamping: acceptance.path.count)
        case .reject(let violations):
            result = Int32(HAWSER_REJECT)
            violation_count = UInt32(clamping: violations.count)
        }
        wanted_count = UInt32(clamping: verdict.wanted.count)
        self.epoch = epoch
        self.time = time.secondsSinceEpoch
        verdict.policyDigest.copy(into: &policy_digest)
        if let digest = verdict.systemStoreDigest {
            has_system_store = 1
            digest.copy(into: &system_store_digest)
        }
        if let digest = verdict.logListDigest {
            has_log_list = 1
            digest.copy(into: &log_list_digest)
        }
    }
}

extension Digest {
    /// Copies the octets of a SHA-256 into a field of a struct.
    func copy<Field>(into field: inout Field) {
        unsafe withUnsafeMutableBytes(of: &field) { buffer in
            for place in 0..<min(buffer.count, algorithm.byteCount) {
                unsafe buffer[place] = byte(at: place)
            }
        }
    }
}
