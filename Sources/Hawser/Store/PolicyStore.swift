// A store has one table in force at a time. Sources offer bytes; a good table takes the place of
// the one before in one step, and a bad one changes nothing but what the store says of itself.
//
// Who waits for whom: readers wait for nobody (`SnapshotCell`). Offers are judged one after the
// other, under `writing`, so that "newer than what is in force" is decided once. `state` has a lock
// of its own, which is held for as long as it takes to copy it. Observers are called outside every
// lock and may call back. The lock of a state directory, which other processes take too, is taken
// under `writing` and given up on after some seconds: an offer may wait for it, and no reader ever
// does. The locks are monitors, because the thread sanitizer sees into those and not into `Mutex`.

public import TrustEngine

/// The policy of a running program: loaded, replaced when a source has a newer table, and never by
/// a worse one.
public final class PolicyStore: Sendable {
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
        /// The table in force.
        var table: RevisionFloor
        /// What offers are held to: the table in force, or a newer one that another process has
        /// kept.
        var floor: RevisionFloor
        var signatures: [TableSignature]
        var epoch: UInt64
        /// What the state directory is told of the table in force; nil without one.
        var entry: StateRecord.Entry?
        /// Whether the state directory has it.
        var isKept = false
        /// Whether the state directory ever had a table of this store.
        var wasKept = false

        init(_ table: CheckedTable, epoch: UInt64) {
            meaning = table.meaning
            self.table = RevisionFloor(table)
            floor = self.table
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
    private let keeper: StateKeeper?
    private let report: StoreReport
    private let cell: SnapshotCell<PolicySnapshot>
    private let writing: Monitor<Current>
    private let guardedState: Monitor<PolicyStoreState>
    private let observers = Monitor(Observers())
    private let file = Monitor<FileSource?>(nil)

    /// A store of the table in these bytes; sources offer others later. With a state directory,
    /// what was last in force is taken where the bytes are refused, or nil.
    ///
    /// - Throws: when neither can be put in force: there is nothing to enforce; and where state is
    ///   required that the state directory does not prove (`Configuration.state`).
    public convenience init(
        table bytes: [UInt8]?, configuration: Configuration = Configuration(),
        origin: String = "program"
    ) throws(PolicyStoreError) {
        try self.init(source: bytes.map { .success($0) }, origin, configuration)
    }

    /// A store of the table in a file, which is watched: another table there is put in force, or
    /// refused, as soon as it is noticed. With a state directory, what was last in force is taken
    /// where the file cannot be read or its table is refused.
    ///
    /// - Throws: when neither can be put in force: there is nothing to enforce; and where state is
    ///   required that the state directory does not prove (`Configuration.state`).
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
        let table = start.chosen.table
        let now = configuration.clock()
        self.configuration = configuration
        self.intake = start.intake
        self.keeper = start.keeper
        self.report = StoreReport(configuration)
        cell = SnapshotCell(
            PolicySnapshot(
                engine: table.engine,
                freshness: configuration.staleness.freshness(confirmed: start.chosen.confirmed),
                epoch: 1, revision: table.revision, loadedAt: now, stricter: .none))
        var current = Current(table, epoch: 1)
        current.entry = start.entry
        current.isKept = start.failure == nil
        current.wasKept = current.isKept
        writing = Monitor(current)
        var state = PolicyStoreState(
            name: configuration.name, revision: table.revision,
            policyDigest: table.engine.table.policyDigest,
            fileDigest: table.engine.table.fileDigest, epoch: 1, origin: start.chosen.origin,
            loadedAt: now, confirmedAt: start.chosen.confirmed,
            isSigned: configuration.trustedKeys != nil, rollbackGap: start.gap)
        state.counts.installed = 1
        state.stateDirectoryFailure = start.failure
        guardedState = Monitor(state)
        tell(start, origin, state)
        tellIfStale()
    }

    /// Says how the store began: what is in force, what was not put in force, and what became of
    /// the state.
    private func tell(_ start: StoreStart, _ origin: String, _ state: PolicyStoreState) {
        report.installed(state)
        switch start.chosen.passedOver {
        case .refused(let refusal)?: note(refusal, origin)
        case .sourceFailed(let failure)?: note(failure, origin)
        case nil: break
        }
        if start.failure == nil, let age = start.news.age {
            report.found(age, configuration.stateDirectory ?? "")
        }
        for damage in start.news.damage { report.damaged(damage) }
        if let failure = start.failure { report.failed(failure) }
        report.protection(state.rollbackProtection)
        if start.chosen.origin == StoreStart.keptOrigin { report.startedFromKept(state) }
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

    /// Reads the file of the store now and offers what it holds, on this thread; nil for a store
    /// that has no file or is closed, and for an observer that is being told of such a reading.
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

    /// Offers a table: it is put in force when nothing can be said against it, and refused
    /// otherwise.
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

    /// A source says that what is in force is the newest it has. Where another process that shares
    /// the state directory has kept a newer table, the source is behind: nothing is confirmed, and
    /// that is told as a refusal.
    public func confirm() {
        let refusal = writing.withLock { current in
            confirm(&current, guardedState.withLock { $0.origin })
        }
        tell(refusal.map { .refused($0) } ?? .confirmed)
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
        if RevisionFloor(table) == current.table, table.meaning == current.meaning {
            // Keys are changed by signing what is in force once more: a restart may ask for the new
            // ones.
            if table.signatures != current.signatures {
                current.signatures = table.signatures
                current.entry = keeper.map { _ in StateRecord.Entry(table) }
                current.isKept = false
            }
            return confirm(&current, origin).map { .refused($0) } ?? .unchanged
        }
        let entry = keeper.map { _ in StateRecord.Entry(table) }
        let isKept: Bool
        switch keep(entry, &current, bytes: { table.bytes }) {
        case .older(let refusal):
            note(refusal, origin)
            return .refused(refusal)
        case .kept: isKept = true
        case .failed: isKept = false
        }
        let snapshot = install(table, origin, &current)
        current.entry = entry
        current.isKept = isKept
        return .installed(snapshot)
    }

    private func install(
        _ table: CheckedTable, _ origin: String, _ current: inout Current
    ) -> PolicySnapshot {
        let wasKept = current.wasKept
        current = Current(
            table, epoch: table.meaning == current.meaning ? current.epoch : current.epoch + 1)
        current.wasKept = wasKept
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
        return installed
    }

    /// What is in force is confirmed, here and for the next start; why not, where it is not the
    /// newest.
    private func confirm(_ current: inout Current, _ origin: String) -> TableRefusal? {
        if let refusal = keepConfirmed(&current) {
            note(refusal, origin)
            return refusal
        }
        noteConfirmed()
        return nil
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

    /// Says that the table has become stale, once until it is confirmed. Sources call it when they
    /// look.
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

    private enum Keeping {
        /// It is kept, or there is nothing to keep it in.
        case kept
        /// The state directory failed; that is told. It takes nothing from what is put in force.
        case failed
        /// Another process has kept a newer one.
        case older(TableRefusal)
    }

    /// Keeps a table that is put in force now, or is in force and not kept. INVARIANT (under
    /// `writing`).
    private func keep(
        _ entry: StateRecord.Entry?, _ current: inout Current, bytes: () -> [UInt8]
    ) -> Keeping {
        guard let keeper, let entry else { return .kept }
        do throws(StateDirectoryError) {
            let outcome = try keeper.keep(
                entry, confirmed: configuration.clock(), .running(isKnown: current.wasKept),
                bytes: bytes)
            switch outcome {
            case .older(let refusal, let floor):
                current.floor = floor
                return .older(refusal)
            case .kept(let damage, let doubt):
                current.wasKept = true
                for damage in damage { report.damaged(damage) }
                noteDirectory(failure: nil, doubt: doubt)
                return .kept
            }
        } catch {
            noteDirectory(failure: error)
            return .failed
        }
    }

    /// Notes for the next start that a source has confirmed what is in force; why not, where
    /// another process has kept a newer table. What is gone from the directory is kept anew.
    private func keepConfirmed(_ current: inout Current) -> TableRefusal? {
        guard let keeper, let entry = current.entry else { return nil }
        if current.isKept {
            do throws(StateDirectoryError) {
                switch try keeper.confirm(entry, at: configuration.clock()) {
                case .noted:
                    noteDirectory(failure: nil)
                    return nil
                case .older(let refusal, let floor):
                    current.floor = floor
                    return refusal
                case .lost: break
                }
            } catch {
                noteDirectory(failure: error)
                return nil
            }
        }
        let table = snapshot.engine.table.bytes
        let kept = keep(entry, &current) {
            guard let revision = entry.revision,
                let signed = try? SignedTable(
                    table: table, revision: revision, signatures: entry.signatures)
            else { return table }
            return signed.encoded
        }
        switch kept {
        case .kept: current.isKept = true
        case .failed: break
        case .older(let refusal): return refusal
        }
        return nil
    }

    /// Notes how it went with the state directory, and says what is new of that.
    private func noteDirectory(failure: StateDirectoryError?, doubt: StateDirectoryError? = nil) {
        let (before, after) = guardedState.withLock { state in
            let before = state
            state.stateDirectoryFailure = failure
            if let doubt { state.rollbackGap = state.rollbackGap ?? doubt }
            return (before, state)
        }
        if let failure, failure != before.stateDirectoryFailure { report.failed(failure) }
        if after.rollbackProtection != before.rollbackProtection {
            report.protection(after.rollbackProtection)
        }
    }

    // MARK: Who is told

    /// Tells `body` of every table that is put in force from now on, on the thread that offered it
    /// and outside every lock. Two offers at a time may be told in either order: `snapshot` is what
    /// counts.
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
