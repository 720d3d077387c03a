// A store has one table in force at a time. Sources offer bytes; a good table takes the place of the one before
// in one step, and a bad one changes nothing but what the store says of itself.
//
// Who waits for whom: readers wait for nobody (`SnapshotCell`). Offers are judged one after the other, under
// `writing`, so that "newer than what is in force" is decided once. `state` has a lock of its own, which is
// held for as long as it takes to copy it. Observers are called outside every lock and may call back.
// The locks are monitors, because the thread sanitizer sees into those and not into `Mutex`.

public import CoreMetrics
import Glibc
public import Logging
public import TrustEngine

/// The policy of a running program: loaded, replaced when a source has a newer table, and never by a worse one.
public final class PolicyStore: Sendable {
    /// What a program decides once for a store.
    public struct Configuration: Sendable {
        /// What the store is called in logs and metrics.
        public var name = "default"
        /// Who must have signed a table. Nil leaves it to whoever may write where tables come from.
        public var trustedKeys: TrustedKeys?
        /// Whether a table that has waivers is put in force. Where not, one with any waiver is refused, over or
        /// not: whether it is over is a matter of the clock.
        public var allowWaivers = true
        /// The checks that the program registers, by the names that policies use under `checks`.
        public var checks: [String: CustomCheck] = [:]
        /// A log_list.json of a later day than the one that a table has compiled in (`EngineInputs.logList`).
        public var logList: [UInt8]?
        /// What becomes of a table that no source confirms any more.
        public var staleness = Staleness.never
        /// What the program has against an engine that is good otherwise: lower case, no full stop; nil where
        /// it has nothing. Asked last, before the table is put in force.
        public var admission: (@Sendable (Engine) -> String?)?
        /// A folder in which the table in force is kept, so that a restart without the source still enforces.
        /// It is made with mode 0700; one that belongs to another user, or that anyone else may use, is not
        /// used. A folder that fails is told of in `state` and in the log, and takes nothing from what is in
        /// force. Nil keeps nothing.
        public var stateDirectory: String?
        /// Called while the state directory is written; tests end the process there.
        package var atStateStep: @Sendable (StateDirectory.Step) -> Void = { _ in }
        /// Where the store says what it does.
        public var logger = Logger(label: "hawser.store")
        /// What makes the store's counters and gauges; nil for the process's own, `MetricsSystem.factory`.
        ///
        /// All have the dimension `store`. `hawser_store_events` counts what happened, by `event` (`installed`,
        /// `confirmed`, `stale`, `refused`, `source-failed`, `state-directory-failed`) and `reason`, the stable
        /// name of why, or `none`. `hawser_store_epoch`, `hawser_store_revision`, `hawser_store_loaded_seconds`
        /// and `hawser_store_confirmed_seconds` (seconds since 1970) say what is in force, `hawser_store_stale`
        /// (0 or 1) whether it was last seen to be stale.
        public var metrics: (any MetricsFactory)?
        /// What tells the time; the machine's clock unless said otherwise.
        public var clock: @Sendable () -> UTCInstant = {
            UTCInstant(secondsSinceEpoch: Int64(time(nil)))
        }

        /// The defaults.
        public init() {}
    }

    /// What happened to a store.
    public enum Event: Sendable {
        /// A table was put in force.
        case installed(PolicySnapshot)
        /// A source says that what is in force is the newest.
        case confirmed
        /// A table was refused.
        case refused(TableRefusal)
        /// A source had nothing to hand over.
        case sourceFailed(SourceFailure)
    }

    /// Somebody who is told what happens, until `cancel`.
    public struct Observation: Sendable {
        fileprivate let id: UInt64
        fileprivate weak let store: PolicyStore?

        /// Ends it. A call that is under way comes to its end.
        public func cancel() { store?.observers.withLock { $0.bodies[id] = nil } }
    }

    private struct Observers: Sendable {
        var next: UInt64 = 0
        var bodies: [UInt64: @Sendable (Event) -> Void] = [:]
    }

    /// What offers are compared with.
    private struct Current: Sendable {
        var meaning: EngineMeaning
        var floor: RevisionFloor
        var signatures: [TableSignature]
        var epoch: UInt64

        init(_ table: CheckedTable, epoch: UInt64) {
            meaning = table.meaning
            floor = RevisionFloor(table)
            signatures = table.signatures
            self.epoch = epoch
        }
    }

    /// What became of asking a source for its table.
    public enum Reload: Sendable {
        /// It handed one over.
        case offered(Offer)
        /// It had none.
        case sourceFailed(SourceFailure)
    }

    /// What the program decided.
    public let configuration: Configuration
    private let intake: TableIntake
    private let directory: StateDirectory?
    private let report: StoreReport
    private let cell: SnapshotCell<PolicySnapshot>
    private let writing: Monitor<Current>
    private let guardedState: Monitor<PolicyStoreState>
    private let observers = Monitor(Observers())
    private let file = Monitor<FileSource?>(nil)

    /// A store of the table in these bytes; sources offer others later. With a state directory, what was last
    /// in force is taken where the bytes are refused, or nil.
    ///
    /// - Throws: when neither can be put in force: there is nothing to enforce.
    public convenience init(
        table bytes: [UInt8]?, configuration: Configuration = Configuration(),
        origin: String = "program"
    ) throws(PolicyStoreError) {
        try self.init(source: bytes.map { .success($0) }, origin, configuration)
    }

    /// A store of the table in a file, which is watched: another table there is put in force, or refused,
    /// as soon as it is noticed. With a state directory, what was last in force is taken where the file cannot
    /// be read or its table is refused.
    ///
    /// - Throws: when neither can be put in force: there is nothing to enforce.
    public convenience init(
        file path: String, configuration: Configuration = Configuration(),
        watching: FileWatching = .notified()
    ) throws(PolicyStoreError) {
        let first = FileSource.FirstRead(path)
        try self.init(source: first.result, path, configuration)
        let source = FileSource(path: path, watching: watching, store: self, first: first)
        file.withLock { $0 = source }
        if !source.start() {
            sourceFailed(
                SourceFailure(
                    code: "not-watched",
                    context: "`\(path)` is not watched: the system has no thread or descriptor left"
                ),
                origin: path)
        }
    }

    private init(
        source: Result<[UInt8], SourceFailure>?, _ origin: String, _ configuration: Configuration
    ) throws(PolicyStoreError) {
        let start = try StoreStart(source: source, origin: origin, configuration)
        let table = start.table
        let now = configuration.clock()
        self.configuration = configuration
        self.intake = start.intake
        self.directory = start.directory
        self.report = StoreReport(configuration)
        cell = SnapshotCell(
            PolicySnapshot(
                engine: table.engine,
                freshness: configuration.staleness.freshness(confirmed: start.confirmed), epoch: 1,
                revision: table.revision, loadedAt: now, stricter: .none))
        writing = Monitor(Current(table, epoch: 1))
        var state = PolicyStoreState(
            name: configuration.name, revision: table.revision,
            policyDigest: table.engine.table.policyDigest,
            fileDigest: table.engine.table.fileDigest, epoch: 1, origin: start.origin,
            loadedAt: now, confirmedAt: start.confirmed)
        state.counts.installed = 1
        state.stateDirectoryFailure = start.directoryError
        guardedState = Monitor(state)
        report.installed(state)
        switch start.passedOver {
        case .refused(let refusal)?: note(refusal, origin)
        case .sourceFailed(let failure)?: note(failure, origin)
        case nil: break
        }
        if start.origin == StoreStart.keptOrigin { report.startedFromKept(state) }
        if let error = start.directoryError { report.failed(error) }
        keep(table, start)
        tellIfStale()
    }

    deinit { close() }

    /// Ends the watching of a file. What is in force stays in force.
    public func close() {
        let source = file.withLock { source in
            defer { source = nil }
            return source
        }
        source?.stop()
    }

    /// Reads the file of the store now and offers what it holds, on this thread; nil for a store that has no
    /// file or is closed, and for an observer that is being told of such a reading.
    @discardableResult
    public func reload() -> Reload? { file.withLock { $0 }?.lookNow() }

    // MARK: Reading

    /// What is in force. Waits for nobody, whatever is being loaded.
    public var snapshot: PolicySnapshot { cell.load() }

    /// The verdict on a request by what is in force.
    public func evaluate(_ request: TrustRequest) -> Verdict { snapshot.evaluate(request) }

    /// The verdict on a request by what is in force, and the trace that it follows from.
    public func explain(_ request: TrustRequest) -> Explanation { snapshot.explain(request) }

    /// What the store can say of itself.
    public var state: PolicyStoreState {
        var state = guardedState.withLock { $0 }
        let freshness = configuration.staleness.freshness(confirmed: state.confirmedAt)
        state.staleAfter = freshness?.until
        state.isStale = freshness?.isStale(at: configuration.clock()) ?? false
        return state
    }

    // MARK: What sources say

    /// Offers a table: it is put in force when nothing can be said against it, and refused otherwise.
    ///
    /// `origin` says where it comes from, for logs and `state`.
    @discardableResult
    public func offer(_ bytes: [UInt8], origin: String) -> Offer {
        let result = writing.withLock { current in judge(bytes, origin, &current) }
        switch result {
        case .installed(let snapshot): tell(.installed(snapshot))
        case .unchanged: tell(.confirmed)
        case .refused(let refusal): tell(.refused(refusal))
        }
        return result
    }

    /// A source says that what is in force is the newest it has.
    public func confirm() {
        writing.withLock { _ in noteConfirmed() }
        tell(.confirmed)
    }

    /// A source says that it has nothing to hand over.
    public func sourceFailed(_ failure: SourceFailure, origin: String) {
        note(failure, origin)
        tell(.sourceFailed(failure))
    }

    private func judge(_ bytes: [UInt8], _ origin: String, _ current: inout Current) -> Offer {
        let table: CheckedTable
        do throws(TableRefusal) {
            table = try intake.check(bytes, current.floor)
        } catch {
            note(error, origin)
            return .refused(error)
        }
        if RevisionFloor(table) == current.floor, table.meaning == current.meaning {
            // Keys are changed by signing what is in force once more: a restart may ask for the new ones.
            if table.signatures != current.signatures {
                current.signatures = table.signatures
                keep(table.bytes, confirmed: configuration.clock())
            }
            noteConfirmed()
            return .unchanged
        }
        return .installed(install(table, origin, &current))
    }

    private func install(
        _ table: CheckedTable, _ origin: String, _ current: inout Current
    ) -> PolicySnapshot {
        current = Current(
            table, epoch: table.meaning == current.meaning ? current.epoch : current.epoch + 1)
        let now = configuration.clock()
        let installed = PolicySnapshot(
            engine: table.engine, freshness: configuration.staleness.freshness(confirmed: now),
            epoch: current.epoch, revision: table.revision, loadedAt: now,
            stricter: StricterHosts(from: snapshot.engine, to: table.engine))
        cell.store(installed)
        guardedState.withLock { state in
            state.revision = table.revision
            state.policyDigest = table.engine.table.policyDigest
            state.fileDigest = table.engine.table.fileDigest
            state.epoch = installed.epoch
            state.origin = origin
            state.loadedAt = now
            state.confirmedAt = now
            state.isToldStale = false
            state.lastRefused = nil
            state.lastFailed = nil
            state.counts.installed += 1
        }
        report.installed(state)
        keep(table.bytes, confirmed: now)
        return installed
    }

    /// INVARIANT (under `writing`): nobody else puts a snapshot in force meanwhile.
    private func noteConfirmed() {
        let now = configuration.clock()
        if configuration.staleness != .never {
            cell.store(snapshot.confirmed(configuration.staleness.freshness(confirmed: now)))
        }
        guardedState.withLock { state in
            state.confirmedAt = now
            state.isToldStale = false
            state.lastRefused = nil
            state.lastFailed = nil
            state.counts.confirmed += 1
        }
        report.confirmed(state)
        keepConfirmed(at: now)
    }

    private func note(_ refusal: TableRefusal, _ origin: String) {
        let now = configuration.clock()
        guardedState.withLock { state in
            state.counts.refused += 1
            state.lastRefused = PolicyStoreState.Refused(at: now, origin: origin, refusal: refusal)
        }
        report.refused(refusal, origin)
        tellIfStale()
    }

    private func note(_ failure: SourceFailure, _ origin: String) {
        let now = configuration.clock()
        guardedState.withLock { state in
            state.counts.sourceFailed += 1
            state.lastFailed = PolicyStoreState.Failed(at: now, origin: origin, failure: failure)
        }
        report.failed(failure, origin)
        tellIfStale()
    }

    /// Says that the table has become stale, once until it is confirmed. Sources call it when they look.
    func tellIfStale() {
        let state = state
        guard state.isStale else { return }
        let isNews = guardedState.withLock { state in
            defer { state.isToldStale = true }
            return !state.isToldStale
        }
        if isNews { report.stale(state) }
    }

    // MARK: What is kept for the next start

    /// Keeps the table of the start, unless it is the one that is kept.
    private func keep(_ table: CheckedTable, _ start: StoreStart) {
        if start.isKept { return keepConfirmed(at: start.confirmed) }
        keep(table.bytes, confirmed: start.confirmed)
    }

    /// Keeps a table. A disk that fails takes nothing from what is in force.
    private func keep(_ bytes: [UInt8], confirmed: UTCInstant) {
        writeState { directory throws(StateDirectoryError) in
            try directory.keep(bytes, confirmed: confirmed)
        }
    }

    private func keepConfirmed(at time: UTCInstant) {
        writeState { directory throws(StateDirectoryError) in
            try directory.confirm(at: time)
        }
    }

    private func writeState(_ body: (StateDirectory) throws(StateDirectoryError) -> Void) {
        guard let directory else { return }
        var failure: StateDirectoryError?
        do throws(StateDirectoryError) {
            try body(directory)
        } catch {
            failure = error
        }
        guardedState.withLock { $0.stateDirectoryFailure = failure }
        if let failure { report.failed(failure) }
    }

    // MARK: Who is told

    /// Tells `body` of every table that is put in force from now on, on the thread that offered it and outside
    /// every lock. Two offers at a time may be told in either order: `snapshot` is what counts.
    @discardableResult
    public func onChange(_ body: @escaping @Sendable (PolicySnapshot) -> Void) -> Observation {
        onEvent { event in
            if case .installed(let snapshot) = event { body(snapshot) }
        }
    }

    /// Tells `body` of everything that happens from now on, as `onChange` does.
    @discardableResult
    public func onEvent(_ body: @escaping @Sendable (Event) -> Void) -> Observation {
        observers.withLock { observers in
            observers.next += 1
            observers.bodies[observers.next] = body
            return Observation(id: observers.next, store: self)
        }
    }

    private func tell(_ event: Event) {
        let bodies = observers.withLock { $0.bodies.sorted { $0.key < $1.key }.map(\.value) }
        for body in bodies { body(event) }
    }
}
