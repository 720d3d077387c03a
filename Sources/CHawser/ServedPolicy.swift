import CHawserABI
import Hawser
import TrustEngine

/// A store that C holds a handle of.
final class ServedPolicy: Sendable {
    private let policy: PolicyStore
    /// The file that the store was opened on; nil for a table in memory.
    private let path: String?
    private let callbacks: CallbackGate
    /// Whether a verdict may ask checks of the program.
    private let hasChecks: Bool

    /// Opens a store on a table in memory. Nil asks for the table that the state directory keeps.
    init(table: [UInt8]?, _ options: StoreOptions) throws(CallFailure) {
        guard table != nil || options.configuration.stateDirectory != nil else {
            throw .null("table")
        }
        do throws(PolicyStoreError) {
            policy = try PolicyStore(table: table, configuration: options.configuration)
        } catch {
            throw CallFailure(error)
        }
        path = nil
        callbacks = options.callbacks
        hasChecks = !options.configuration.checks.isEmpty
    }

    /// Opens a store on a table file.
    init(path: String, _ options: StoreOptions) throws(CallFailure) {
        do throws(PolicyStoreError) {
            policy = try PolicyStore(
                file: path, configuration: options.configuration, watching: options.watching)
        } catch {
            throw CallFailure(error)
        }
        self.path = path
        callbacks = options.callbacks
        hasChecks = !options.configuration.checks.isEmpty
    }

    /// The snapshot in force.
    var snapshot: PolicySnapshot { policy.snapshot }

    /// Makes a verdict with the snapshot in force. Where the verdict may ask checks of the program,
    /// closing the store waits for it, and the result is nil once the store is closed.
    func judge<Answer>(_ body: (PolicySnapshot) -> Answer) -> Answer? {
        guard hasChecks else { return body(policy.snapshot) }
        return callbacks.pass { body(policy.snapshot) }
    }

    /// Puts a table in force, or throws why the store refuses it.
    func reload(_ table: [UInt8]) throws(CallFailure) {
        try judge(policy.offer(table, origin: "program"))
    }

    /// Reads the file again.
    func reloadFile() throws(CallFailure) {
        guard path != nil else {
            throw CallFailure(
                HAWSER_E_ARGUMENT, "no-file", "the store was opened on octets, not on a file")
        }
        switch policy.reload() {
        case .offered(let offer)?: try judge(offer)
        case .sourceFailed(let failure)?:
            throw CallFailure(HAWSER_E_FILE, failure.code, failure.context)
        // Another thread closed the store after this thread had looked up its handle.
        case nil: throw CallFailure(HAWSER_E_MISUSE, "not-an-object", "the store is closed")
        }
    }

    private func judge(_ offer: Offer) throws(CallFailure) {
        guard case .refused(let refusal) = offer else { return }
        throw CallFailure(HAWSER_E_TABLE, refusal.code, refusal.context)
    }

    /// Notes that the table in force is still the newest.
    func confirm() { policy.confirm() }

    /// Stops the store's own work, and waits until no function of the program runs.
    func close() {
        policy.close()
        callbacks.shut()
    }

    /// The state of the store, in numbers.
    func state() -> hawser_snapshot {
        let state = policy.state
        let snapshot = policy.snapshot
        var numbers = hawser_snapshot()
        numbers.epoch = snapshot.epoch
        if let revision = snapshot.revision {
            numbers.has_revision = 1
            numbers.revision = revision
        }
        numbers.loaded_at = snapshot.loadedAt.secondsSinceEpoch
        numbers.confirmed_at = state.confirmedAt.secondsSinceEpoch
        numbers.is_stale = state.isStale ? 1 : 0
        numbers.stricter_count = UInt32(clamping: snapshot.stricter.patterns.count)
        numbers.stricter_default = snapshot.stricter.includesDefault ? 1 : 0
        switch state.rollbackProtection {
        case .off: numbers.rollback_protection = UInt32(HAWSER_ROLLBACK_OFF)
        case .on: numbers.rollback_protection = UInt32(HAWSER_ROLLBACK_ON)
        case .againstMistakes:
            numbers.rollback_protection = UInt32(HAWSER_ROLLBACK_AGAINST_MISTAKES)
        }
        numbers.refusals = state.counts.refused
        numbers.source_failures = state.counts.sourceFailed
        snapshot.engine.table.policyDigest.copy(into: &numbers.policy_digest)
        snapshot.engine.table.fileDigest.copy(into: &numbers.file_digest)
        if let digest = snapshot.engine.systemStoreDigest {
            numbers.has_system_store = 1
            digest.copy(into: &numbers.system_store_digest)
        }
        return numbers
    }

    /// A text about the snapshot in force, or about the last refusal.
    func text(_ which: UInt32, _ index: Int) throws(CallFailure) -> String {
        if Int(which) == HAWSER_TEXT_STRICTER_HOST {
            let patterns = policy.snapshot.stricter.patterns
            guard patterns.indices.contains(index) else {
                throw CallFailure(
                    HAWSER_E_RANGE, "no-such-text", "there are \(patterns.count) patterns")
            }
            return patterns[index]
        }
        let state = policy.state
        let last = ServedPolicy.later(state.lastRefused, state.lastFailed)
        let off = state.rollbackProtection.reason
        let text: String?
        switch Int(which) {
        case HAWSER_TEXT_REFUSAL_REASON: text = last?.reason
        case HAWSER_TEXT_REFUSAL_MESSAGE: text = last?.message
        case HAWSER_TEXT_REFUSAL_ORIGIN: text = last?.origin
        case HAWSER_TEXT_ROLLBACK_REASON: text = off?.code.rawValue
        case HAWSER_TEXT_ROLLBACK_MESSAGE: text = off?.context
        default: throw .value("which", which, allowed: "the HAWSER_TEXT_* of stores")
        }
        guard index == 0, let text else {
            throw CallFailure(
                HAWSER_E_RANGE, "no-such-text", "nothing happened that it would tell of")
        }
        return text
    }

    /// The later of two events: a table was refused, or the source had no table.
    private static func later(
        _ refused: PolicyStoreState.Refused?, _ failed: PolicyStoreState.Failed?
    ) -> (reason: String, message: String, origin: String)? {
        if let refused, refused.at >= failed?.at ?? refused.at {
            return (refused.refusal.code, refused.refusal.context, refused.origin)
        }
        return failed.map { ($0.failure.code, $0.failure.context, $0.origin) }
    }
}

extension CallFailure {
    /// Why no store could be opened. Where no table is kept, the source's failure is the reason.
    fileprivate init(_ error: PolicyStoreError) {
        if let unsound = error.unsound {
            self.init(HAWSER_E_FILE, unsound.code.rawValue, error.context)
        } else if let source = error.source, error.lastKnownGood == nil {
            let isOfFile = FileReadError.Code(rawValue: source.code) != nil
            self.init(isOfFile ? HAWSER_E_FILE : HAWSER_E_TABLE, source.code, source.context)
        } else {
            self.init(HAWSER_E_TABLE, error.code, error.context)
        }
    }
}
