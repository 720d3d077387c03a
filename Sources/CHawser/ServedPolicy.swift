import CHawserABI
import Hawser
import Synchronization
import TrustEngine

/// A store that C holds a handle of.
final class ServedPolicy: Sendable {
    /// What a candidate is compared for; ends with the store.
    private struct Shadowing: Sendable {
        var shadow: HeldShadow?
        var isClosed = false
    }

    let policy: PolicyStore
    /// The folder of CRLite filters, as the program named it; nil without one.
    let filterFolder: String?
    /// The metrics that the store reports.
    let metrics: MetricsLedger
    /// The verdicts of the store.
    let verdicts = VerdictCount()
    /// Descriptors that wake the program at each new epoch.
    let epochs = EpochSignals()
    private let shadowing = Monitor(Shadowing())
    /// Whether there is a shadow, so that a verdict without one takes no lock for it.
    private let hasShadow = Atomic<Bool>(false)
    private let callbacks: CallbackGate
    /// Whether the store follows a file, or reads it when it is asked to.
    private let hasFile: Bool
    /// Whether a verdict may ask checks of the program.
    private let hasChecks: Bool

    /// Opens a store on a table in memory. Nil asks for the table that the state directory keeps.
    convenience init(table: [UInt8]?, _ options: StoreOptions) throws(CallFailure) {
        guard table != nil || options.configuration.stateDirectory != nil else {
            throw .null("table")
        }
        let policy: PolicyStore
        do throws(PolicyStoreError) {
            policy = try PolicyStore(table: table, configuration: options.configuration)
        } catch {
            throw CallFailure(error)
        }
        self.init(policy, options)
    }

    /// Opens a store on a table file.
    convenience init(path: String, _ options: StoreOptions) throws(CallFailure) {
        let policy: PolicyStore
        do throws(PolicyStoreError) {
            policy = try PolicyStore(
                file: path, configuration: options.configuration, watching: options.watching)
        } catch {
            throw CallFailure(error)
        }
        self.init(policy, options)
    }

    /// Opens a store that goes on where another one was, with a file to follow or none.
    convenience init(
        after predecessor: PolicyStore.Predecessor, path: String?, _ options: StoreOptions
    ) throws(CallFailure) {
        let policy: PolicyStore
        do throws(PolicyStoreError) {
            policy = try PolicyStore(
                after: predecessor, file: path, configuration: options.configuration,
                watching: options.watching)
        } catch {
            throw CallFailure(error)
        }
        self.init(policy, options)
    }

    private init(_ policy: PolicyStore, _ options: StoreOptions) {
        self.policy = policy
        filterFolder = options.filterFolder
        hasFile = policy.hasFile
        metrics = options.metrics
        callbacks = options.callbacks
        hasChecks = !options.configuration.checks.isEmpty
        let epochs = epochs
        policy.onChange { epochs.tell($0.epoch) }
    }

    /// The snapshot in force.
    var snapshot: PolicySnapshot { policy.snapshot }

    /// Makes a verdict with the snapshot in force, counts it, and compares it with the shadow's.
    /// Where the verdict may ask checks of the program, closing the store waits for it, and the
    /// result is nil once the store is closed.
    func judge(
        _ asked: borrowing CheckedRequest, _ fetcher: HeldFetcher?, explains: Bool
    ) -> HeldVerdict? {
        guard hasChecks else { return judged(asked, fetcher, explains: explains) }
        return callbacks.pass { judged(asked, fetcher, explains: explains) }
    }

    /// Judges for a caller who keeps nothing of what the verdict was made of: writes the verdict in
    /// numbers into `sink` and returns it with the snapshot that judged. Nil where `judge` has more
    /// to do: checks of the program are asked, or a candidate is compared.
    func decide(
        _ asked: borrowing CheckedRequest, into sink: CheckedStruct<hawser_outcome>?
    ) -> (verdict: Verdict, snapshot: PolicySnapshot)? {
        guard !hasChecks, !hasShadow.load(ordering: .acquiring) else { return nil }
        let snapshot = policy.snapshot
        let verdict = EngineLoader.keepingErrorQueue { mark in
            snapshot.engine.evaluate(asked.head) {
                // The engine calls libcrypto only from here on.
                mark()
                return asked.whole
            }
        }
        let head = asked.head
        verdicts.count(verdict, host: head.host, port: head.port, by: snapshot.engine.table)
        sink?.write(hawser_outcome(verdict, epoch: snapshot.epoch, time: head.time))
        return (verdict, snapshot)
    }

    private func judged(
        _ asked: borrowing CheckedRequest, _ fetcher: HeldFetcher?, explains: Bool
    ) -> HeldVerdict {
        let snapshot = policy.snapshot
        return HeldVerdict(asked, by: snapshot, fetcher, explains: explains) { decision in
            let request = decision.request
            verdicts.count(
                decision.verdict, host: request.host, port: request.port,
                by: decision.engine.table)
            guard hasShadow.load(ordering: .acquiring) else { return }
            shadow?.compare(decision)
        }
    }

    /// Runs `body`, which may ask checks of this store. Once the store is closed, `body` is not run
    /// and the result is nil; closing waits for `body`.
    func whileOpen<Result>(_ body: () -> Result) -> Result? { callbacks.pass(body) }

    /// The shadow; nil when there is none.
    var shadow: HeldShadow? { shadowing.withLock { $0.shadow } }

    /// Compares a candidate in place of the one before, or no candidate. Waits until no function of
    /// the program runs for the one before.
    func compare(with candidate: ServedPolicy?, _ options: ShadowOptions) throws(CallFailure) {
        let next = candidate.map { HeldShadow(candidate: $0, options) }
        let (before, isClosed) = shadowing.withLock { shadowing in
            guard !shadowing.isClosed else { return (next, true) }
            defer { shadowing.shadow = next }
            hasShadow.store(next != nil, ordering: .releasing)
            return (shadowing.shadow, false)
        }
        before?.end()
        // Another thread closed the store after this thread had looked up its handle.
        if isClosed {
            throw CallFailure(HAWSER_E_MISUSE, "not-an-object", "the store is closed")
        }
    }

    /// Puts a table in force, or throws why the store refuses it.
    func reload(_ table: [UInt8]) throws(CallFailure) {
        try judge(policy.offer(table, origin: "program"))
    }

    /// Reads the file again.
    func reloadFile() throws(CallFailure) {
        guard hasFile else {
            throw CallFailure(
                HAWSER_E_ARGUMENT, "no-file", "the store was opened on octets, not on a file")
        }
        switch policy.reload() {
        case .offered(let offer)?: try judge(offer)
        case .sourceFailed(let failure)?:
            throw CallFailure(HAWSER_E_FILE, failure.code.rawValue, failure.context)
        // Another thread closed the store after this thread had looked up its handle.
        case nil: throw CallFailure(HAWSER_E_MISUSE, "not-an-object", "the store is closed")
        }
    }

    private func judge(_ offer: PolicyStore.OfferOutcome) throws(CallFailure) {
        guard case .refused(let refusal) = offer else { return }
        throw CallFailure(HAWSER_E_TABLE, refusal.code.rawValue, refusal.context)
    }

    /// Notes that the table in force is still the newest.
    func confirm() { policy.confirm() }

    /// Stops the store's own work, and waits until no function of the program runs.
    func close() {
        policy.close()
        epochs.close()
        let shadow = shadowing.withLock { shadowing in
            defer { shadowing.shadow = nil }
            shadowing.isClosed = true
            hasShadow.store(false, ordering: .releasing)
            return shadowing.shadow
        }
        shadow?.end()
        callbacks.shut()
    }

    /// The snapshot in force, in numbers.
    func numbers() -> hawser_snapshot {
        let state = policy.state
        let snapshot = policy.snapshot
        var numbers = hawser_snapshot()
        numbers.epoch = snapshot.epoch
        if let revision = snapshot.revision {
            numbers.has_revision = 1
            numbers.revision = revision
        }
        numbers.loaded_at = (snapshot.loadedAt ?? state.loadedAt).secondsSinceEpoch
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
}

extension CallFailure {
    /// Why no store could be opened. Where no table is kept, the source's failure is the reason.
    fileprivate init(_ error: PolicyStoreError) {
        if let unsound = error.unsound {
            self.init(HAWSER_E_FILE, unsound.code.rawValue, error.context)
        } else if let source = error.source, error.lastKnownGood == nil {
            let isOfFile = FileReadError.Code(rawValue: source.code.rawValue) != nil
            self.init(
                isOfFile ? HAWSER_E_FILE : HAWSER_E_TABLE, source.code.rawValue, source.context)
        } else {
            self.init(HAWSER_E_TABLE, error.code.rawValue, error.context)
        }
    }
}
