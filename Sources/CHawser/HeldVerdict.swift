import CHawserABI
import Hawser
import Rendering
import TrustEngine

/// A verdict that one snapshot led to, and that C may hold a handle of.
final class HeldVerdict: Sendable {
    let verdict: Verdict
    /// The verdict in numbers.
    let outcome: hawser_outcome
    /// The host as the request wrote it, for sentences.
    private let host: String
    /// The violations in the order in which they are printed.
    private let violations: [Violation]
    /// Nil for a verdict of `hawser_evaluate`.
    private let explained: Explained?
    /// The parts that the words about a reject are made of; nil for an accept, so that a connection
    /// that lasts keeps no table alive.
    private let rejected: Decision?
    /// The words about a reject, once somebody asked for them.
    private let said = Monitor<RejectError?>(nil)
    /// Attempts to fetch evidence, in order.
    private let attempts: [FetchAttempt]
    /// Records that were asked for, since a caller asks for the length first; nil without an
    /// explanation.
    private let made: Monitor<[Int: String]>?

    /// Judges a request. With a fetcher, evidence that is wanted is fetched, and the request is
    /// judged again.
    ///
    /// - Parameter note: called with the decision.
    init(
        _ asked: borrowing CheckedRequest, by snapshot: PolicySnapshot, _ fetcher: HeldFetcher?,
        explains: Bool, note: (Decision) -> Void
    ) {
        let whole = asked.whole
        let decision: Decision
        if explains {
            decision = HeldVerdict.explained(whole, by: snapshot, fetcher)
            explained = Explained(decision: decision, assumptions: asked.assumptions)
            made = Monitor([:])
        } else {
            decision = fetcher?.judge(whole, by: snapshot) ?? snapshot.judge(whole)
            explained = nil
            made = nil
        }
        verdict = decision.verdict
        outcome = hawser_outcome(
            verdict, epoch: snapshot.epoch, time: decision.request.time)
        host = decision.request.host
        violations = verdict.printedViolations(host: host)
        rejected = verdict.isAccept ? nil : decision
        attempts = decision.attempts
        note(decision)
    }

    /// Judges a request and explains the verdict; the explanation's verdict counts.
    private static func explained(
        _ request: TrustRequest, by snapshot: PolicySnapshot, _ fetcher: HeldFetcher?
    ) -> Decision {
        guard let fetched = fetcher?.judge(request, by: snapshot) else {
            let engine = snapshot.engine
            let (explanation, asked) = engine.explainRecording(request)
            return Decision(explanation, of: asked, by: snapshot, engine: engine)
        }
        return Decision(
            fetched.explain(), of: fetched.request, by: snapshot, engine: fetched.engine,
            attempts: fetched.attempts)
    }

    /// The words about a reject; nil for an accept. Made when somebody asks for them, since they
    /// cost an explanation.
    var reject: RejectError? {
        guard let rejected else { return nil }
        return said.withLock { said in
            if let said { return said }
            said =
                explained.map { RejectError($0.decision) } ?? RejectError(judged: rejected)
            return said
        }
    }

    /// The id of the decision. An accept that is not explained has no record.
    private var id: DecisionID? {
        explained?.decision.id ?? reject?.id
    }

    private var acceptance: Acceptance? { verdict.acceptance }

    /// The text that C asks for by number. Text of certificates and hosts is escaped.
    func text(_ which: UInt32, _ index: Int) throws(CallFailure) -> String {
        // The writers of JSON have escaped their text.
        if let write = HeldVerdict.records[Int(which)] {
            guard index == 0, let explained, let made else { throw outOfRange(which, index) }
            return made.withLock { made in
                let text = made[Int(which)] ?? write(explained)
                made[Int(which)] = text
                return text
            }
        }
        return TerminalEscape.escape(try raw(which, index))
    }

    /// The texts that are made from an explanation, by the number of the text.
    private static let records: [Int: @Sendable (Explained) -> String] = [
        HAWSER_TEXT_EXPLANATION: { $0.json },
        HAWSER_TEXT_RECEIPT: { $0.receipt(.digests) },
        HAWSER_TEXT_RECEIPT_WITH_INPUTS: {
            $0.receipt(.selfContained(atMost: CInput.limitOctets))
        },
        HAWSER_TEXT_REPORT: { $0.report },
    ]

    private func raw(_ which: UInt32, _ index: Int) throws(CallFailure) -> String {
        switch Int(which) {
        case HAWSER_TEXT_VIOLATION:
            return try item(violations, which, index).headline
        case HAWSER_TEXT_VIOLATION_ID:
            return try item(violations, which, index).id
        case HAWSER_TEXT_VIOLATION_CHECK:
            return try item(violations, which, index).check.rawValue
        case HAWSER_TEXT_VIOLATION_FOR_USER:
            let violation = try item(violations, which, index)
            return violation.forEndUser(Situation(host: host))
        case HAWSER_TEXT_REPORTED:
            return try reported(which, index).violation.headline
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
        case HAWSER_TEXT_FETCH_URL: return try item(attempts, which, index).wanted.url
        case HAWSER_TEXT_FETCH_OUTCOME:
            switch try item(attempts, which, index).outcome {
            case .kept: return "kept"
            case .fetched: return "fetched"
            case .failed(let failure): return failure.code.rawValue
            }
        case HAWSER_TEXT_FETCH_MESSAGE:
            guard case .failed(let failure) = try item(attempts, which, index).outcome else {
                return ""
            }
            return failure.context
        case HAWSER_TEXT_REJECT_LINE, HAWSER_TEXT_REJECT_REASONS, HAWSER_TEXT_REJECT_RULE,
            HAWSER_TEXT_REJECT_OWNER, HAWSER_TEXT_REJECT_SIDE, HAWSER_TEXT_REJECT_COMMAND,
            HAWSER_TEXT_DECISION_ID:
            guard index == 0, let word = word(which) else { throw outOfRange(which, index) }
            return word
        default:
            throw .value("which", which, allowed: "the HAWSER_TEXT_* of verdicts")
        }
    }

    /// A text about a reject, or the id; nil where there is none.
    private func word(_ which: UInt32) -> String? {
        switch Int(which) {
        case HAWSER_TEXT_REJECT_LINE: return reject?.description
        case HAWSER_TEXT_REJECT_REASONS: return reject?.reasons
        case HAWSER_TEXT_REJECT_RULE: return reject?.rule
        case HAWSER_TEXT_REJECT_OWNER: return reject?.owner
        case HAWSER_TEXT_REJECT_SIDE: return reject?.side.rawValue
        case HAWSER_TEXT_REJECT_COMMAND: return reject?.command
        case HAWSER_TEXT_DECISION_ID: return id?.text
        default: return nil
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
    /// The outcome of a request that was not judged.
    static var undecided: hawser_outcome {
        var outcome = hawser_outcome()
        outcome.size = MemoryLayout<hawser_outcome>.size
        outcome.decision = UInt32(HAWSER_DECISION_UNDECIDED)
        return outcome
    }

    /// Makes the caller's outcome undecided, whatever its size says and wherever it stands. A call
    /// that is refused before it may look at the struct leaves no accept of an earlier call there.
    @inline(__always)
    static func undecide(_ outcome: UnsafeMutablePointer<hawser_outcome>?) {
        guard let outcome = unsafe outcome else { return }
        unsafe UnsafeMutableRawPointer(outcome).storeBytes(
            of: UInt32(HAWSER_DECISION_UNDECIDED), toByteOffset: Int(HAWSER_OUTCOME_DECISION),
            as: UInt32.self)
    }

    /// A verdict in numbers.
    init(_ verdict: Verdict, epoch: UInt64, time: UTCInstant) {
        self = .undecided
        if let acceptance = verdict.acceptance {
            decision = UInt32(HAWSER_DECISION_ACCEPT)
            reported_count = UInt32(clamping: acceptance.reported.count)
            notice_count = UInt32(clamping: acceptance.notices.count)
            path_count = UInt32(clamping: acceptance.path.count)
        } else {
            decision = UInt32(HAWSER_DECISION_REJECT)
            violation_count = UInt32(clamping: verdict.violationCount)
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
            for index in 0..<min(buffer.count, algorithm.byteCount) / 8 {
                unsafe buffer.storeBytes(
                    of: word(index).bigEndian, toByteOffset: index * 8, as: UInt64.self)
            }
        }
    }
}

extension RejectError {
    /// Puts a reject into words that has no explanation yet; nil for an accept. This makes the
    /// explanation, with two exceptions. Where the table names checks, the program's functions are
    /// asked once for each verdict and may be gone by now. In a child after `fork`, another thread
    /// of the parent may have held a lock of Swift's runtime; nobody opens it in the child, and an
    /// explanation uses more types, and so more of these locks, than a verdict.
    init?(judged decision: Decision) {
        guard decision.engine.table.checkNames.isEmpty, Forks.count == 0 else {
            self.init(unexplained: decision)
            return
        }
        self.init(decision)
    }
}

/// A decision that is explained, and the values that its records are made of.
private struct Explained: Sendable {
    let decision: Decision
    /// The values that the caller assumed.
    let assumptions: [String]

    /// What `hawser explain --format json` prints, without the members that the command adds.
    var json: String { TraceJSON.render(decision.explain(), assumptions: assumptions) }

    /// The receipt: one line of JSON.
    func receipt(_ inputs: DecisionReceipt.InputDetail) -> String {
        DecisionReceipt(decision, inputs: inputs).json
    }

    /// The report for the owners of the policy: one line of JSON.
    var report: String { ViolationReport(decision).json }
}
