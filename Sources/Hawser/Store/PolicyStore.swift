// A store has one table in force at a time. Sources offer bytes. A good table replaces the table in
// force in one step. A bad table changes nothing except the store's `state`.
//
// One file because every function here reads or writes state that the locks guard. Waiting:
//
// - Readers wait for nobody (`SnapshotCell`).
// - Offers are judged one after the other, under `writing`. So the comparison with the table in
//   force is made once for each offer.
// - `state` has its own lock, which is held only while the state is copied or changed.
// - Observers are called outside every lock and may call back.
// - Other processes take the lock of a state directory too. The store takes this lock under
//   `writing` and gives up after some seconds. So an offer may wait for it; a reader never does.
//
// The locks are monitors, because the thread sanitizer does not see into `Mutex`.

public import TrustEngine

/// The policy of a running program. The store loads a table and replaces it when a source offers a
/// newer good table. A table that is refused never replaces the table in force.
public final class PolicyStore: Sendable {
    /// An event in the life of a store.
    public enum Event: Sendable {
        /// A table was put in force.
        case installed(PolicySnapshot)
        /// A source says that the table in force is the newest.
        case confirmed
        /// A table was refused.
        case refused(TableRefusal)
        /// A source had no table to hand over.
        case sourceFailed(SourceFailure)
    }

    /// The registration of an observer. The observer is told of events until `cancel`.
    public struct Observation: Sendable {
        fileprivate let id: UInt64
        fileprivate weak let store: PolicyStore?

        /// Ends the observation. A call to the observer that has begun is not interrupted.
        public func cancel() { store?.observers.withLock { $0.bodies[id] = nil } }
    }

    private struct Observers: Sendable {
        var next: UInt64 = 0
        var bodies: [UInt64: @Sendable (Event) -> Void] = [:]
    }

    /// The values that offers are compared with.
    private struct Current: Sendable {
        var meaning: EngineMeaning
        /// The table in force.
        var table: RevisionFloor
        /// The floor for offers: the revision of the table in force, or of a newer table that
        /// another process has kept.
        var floor: RevisionFloor
        var signatures: [TableSignature]
        var terms: TableTerms?
        var epoch: UInt64
        /// The entry of the table in force in the state directory; nil without a state directory.
        var entry: StateRecord.Entry?
        /// Whether the state directory holds the table in force.
        var isKept = false
        /// Whether the state directory has ever held a table of this store, or its revision.
        var wasKept = false

        init(_ table: CheckedTable, epoch: UInt64) {
            meaning = table.meaning
            self.table = RevisionFloor(table)
            floor = self.table
            signatures = table.signatures
            terms = table.terms
            self.epoch = epoch
        }
    }

    /// The outcome of asking a source for its table.
    public enum ReloadOutcome: Sendable {
        /// The source handed over a table. The store's answer to that offer.
        case offered(OfferOutcome)
        /// The source had no table.
        case sourceFailed(SourceFailure)
    }

    /// The settings that the program chose.
    public let configuration: Configuration
    private let intake: TableIntake
    private let keeper: StateKeeper?
    private let report: StoreReport
    private let cell: SnapshotCell<PolicySnapshot>
    private let writing: Monitor<Current>
    private let guardedState: Monitor<PolicyStoreState>
    private let observers = Monitor(Observers())
    private let file = Monitor<FileSource?>(nil)

    /// Makes a store from the bytes of a table. Sources offer other tables later.
    ///
    /// With a state directory, the store starts with the table that was last in force when the
    /// bytes are refused or nil.
    ///
    /// - Throws: when no table can be put in force, and when `Configuration.state` requires state
    ///   that the state directory does not prove.
    public convenience init(
        table bytes: [UInt8]?, configuration: Configuration = Configuration(),
        origin: String = "program"
    ) throws(PolicyStoreError) {
        try self.init(
            source: bytes.map { .success($0) }, origin, isFile: false, configuration)
    }

    /// The state that a store needs to go on where another store was, in a child of the process
    /// that has the other store.
    package struct Predecessor: Sendable {
        /// `PolicyStore.tableInForce`.
        package let table: [UInt8]
        /// The epoch in force. The new store counts on from it, so an epoch names one policy in
        /// both.
        package let epoch: UInt64
        /// When a source last said that the table is the newest. A fork does not make it fresher.
        package let confirmedAt: UTCInstant

        /// Makes the facts about a store.
        package init(table: [UInt8], epoch: UInt64, confirmedAt: UTCInstant) {
            self.table = table
            self.epoch = epoch
            self.confirmedAt = confirmedAt
        }
    }

    /// Makes a store that goes on where another one was: its table is in force first, whatever the
    /// file has. With a file that is watched, the file is then read before this returns, because
    /// the predecessor may have followed it meanwhile; a file that is bad or missing changes
    /// nothing. Connections of epochs before the predecessor's do not hold.
    ///
    /// - Throws: when the table cannot be put in force.
    package convenience init(
        after predecessor: Predecessor, file path: String?, configuration: Configuration,
        watching: FileWatching
    ) throws(PolicyStoreError) {
        try self.init(
            source: .success(predecessor.table), path ?? "program", isFile: false, file: path,
            configuration, after: predecessor)
        guard let path else { return }
        follow(path, watching, from: FileSource.FirstRead())
        if watching != .onRequest { reload() }
    }

    /// Makes a store from a table file and watches the file, as `watching` says. When the file has
    /// another table, the table is put in force or refused as soon as the change is noticed.
    ///
    /// With a state directory, the store starts with the table that was last in force when the file
    /// cannot be read or its table is refused.
    ///
    /// - Throws: when no table can be put in force, and when `Configuration.state` requires state
    ///   that the state directory does not prove.
    public convenience init(
        file path: String, configuration: Configuration = Configuration(),
        watching: FileWatching = .notified()
    ) throws(PolicyStoreError) {
        let first = FileSource.FirstRead(path)
        try self.init(source: first.result, path, isFile: true, file: path, configuration)
        follow(path, watching, from: first)
    }

    private func follow(
        _ path: String, _ watching: FileWatching, from first: FileSource.FirstRead
    ) {
        let source = FileSource(path: path, watching: watching, store: self, first: first)
        file.withLock { $0 = source }
        if !source.start() {
            let failure = SourceFailure(
                code: "not-watched",
                context: "`\(path)` is not watched: the system has no thread or descriptor left")
            note(.unwatched(reason: failure))
            sourceFailed(failure, origin: path)
        }
    }

    private init(
        source: Result<[UInt8], SourceFailure>?, _ origin: String, isFile: Bool,
        file: String? = nil, _ configuration: Configuration, after predecessor: Predecessor? = nil
    ) throws(PolicyStoreError) {
        let start = try StoreStart(
            source: source, origin: origin, isFile: isFile,
            confirmed: predecessor?.confirmedAt, configuration)
        let epoch = max(1, predecessor?.epoch ?? 1)
        let table = start.chosen.table
        let now = configuration.clock()
        self.configuration = configuration
        self.intake = start.intake
        self.keeper = start.keeper
        self.report = StoreReport(configuration)
        cell = SnapshotCell(
            PolicySnapshot(
                engine: table.engine,
                age: TableAge(
                    confirmed: start.chosen.confirmed, terms: table.terms, configuration),
                epoch: epoch, revision: table.revision, loadedAt: now,
                decisionMaker: DecisionMaker(
                    service: configuration.service, store: configuration.name),
                commandOptions: configuration.commandOptions(
                    file: start.chosen.origin == file ? file : nil),
                stricter: .none))
        var current = Current(table, epoch: epoch)
        current.entry = start.entry
        current.isKept = start.failure == nil
        current.wasKept = current.isKept || start.isProved
        writing = Monitor(current)
        var state = PolicyStoreState(
            name: configuration.name, revision: table.revision,
            policyDigest: table.engine.table.policyDigest,
            fileDigest: table.engine.table.fileDigest, epoch: epoch, origin: start.chosen.origin,
            loadedAt: now, confirmedAt: start.chosen.confirmed,
            stateDirectory: configuration.stateDirectory,
            isSigned: configuration.trustedKeys != nil, rollbackGap: start.gap)
        state.counts.installed = 1
        state.stateDirectoryFailure = start.failure
        state.floorGap = start.isProved ? nil : start.failure
        state.stateDirectoryAge = start.failure == nil || start.isProved ? start.news.age : nil
        for damage in start.news.damage { state.note(damage: damage) }
        guardedState = Monitor(state)
        if predecessor == nil { tell(start, origin, state) } else { report.resumed(state) }
        prepareFilters()
        tellIfStale()
    }

    /// Reports how the store started: the table in force, the table that was passed over, and the
    /// condition of the state directory.
    private func tell(_ start: StoreStart, _ origin: String, _ state: PolicyStoreState) {
        report.installed(state)
        switch start.chosen.passedOver {
        case .refused(let refusal)?: note(refusal, origin, .start)
        case .sourceFailed(let failure)?: note(failure, origin, .start)
        case nil: break
        }
        if let age = state.stateDirectoryAge {
            report.found(age, configuration.stateDirectory ?? "")
        }
        for damage in start.news.damage { report.damaged(damage) }
        if let failure = start.failure { report.failed(failure) }
        report.protection(state.rollbackProtection)
        if start.chosen.origin == StoreStart.keptOrigin { report.startedFromKept(state) }
    }

    deinit { close() }

    /// Stops watching the file. The table in force stays in force.
    public func close() {
        let source = file.withLock { source in
            defer { source = nil }
            return source
        }
        source?.stop()
    }

    /// Reads the store's file now, on this thread, and offers its table. Returns nil when the store
    /// has no file or is closed, and when an observer calls `reload` while this thread tells it of
    /// a reading.
    @discardableResult
    public func reload() -> ReloadOutcome? { file.withLock { $0 }?.lookNow() }

    // MARK: Reading

    /// The policy in force. The call never waits, whatever is being loaded.
    public var snapshot: PolicySnapshot { cell.load() }

    /// The table in force as it was offered, in its signed envelope where it had one. The call
    /// waits while an offer is judged.
    package var tableInForce: [UInt8] {
        writing.withLock { current in encoded(snapshot, current.signatures, current.terms) }
    }

    private func encoded(
        _ snapshot: PolicySnapshot, _ signatures: [TableSignature], _ terms: TableTerms?
    ) -> [UInt8] {
        let table = snapshot.engine.table.bytes
        guard let revision = snapshot.revision,
            let signed = try? SignedTable(
                table: table, revision: revision, terms: terms, signatures: signatures)
        else { return table }
        return signed.encoded
    }

    /// Whether the store has a file that `reload` reads. False once it is closed.
    package var hasFile: Bool { file.withLock { $0 != nil } }

    /// The verdict of the policy in force on a request, with the trace that leads to the verdict.
    public func explain(_ request: TrustRequest) -> Explanation { snapshot.explain(request) }

    /// The condition of the store at this moment. The call prepares the CRLite filters, which takes
    /// some milliseconds when they have changed.
    public var state: PolicyStoreState {
        prepareFilters()
        var state = guardedState.withLock { $0 }
        let age = snapshot.age
        let freshness = age?.freshness()
        state.issuedAt = age?.terms?.issued
        state.expiresAt = age?.terms?.expires
        state.staleAfter = freshness?.until
        state.isStale = freshness?.isStale(at: configuration.clock()) ?? false
        return state
    }

    // MARK: What sources say

    /// Offers a table. The store puts the table in force or says why it refuses the table. The call
    /// may wait some seconds for the lock of the state directory.
    ///
    /// - Parameters:
    ///   - bytes: the table, compiled or in its signed envelope.
    ///   - origin: where the table comes from, for logs and `state`.
    @discardableResult
    public func offer(_ bytes: [UInt8], origin: String) -> OfferOutcome {
        offer(bytes, origin: origin, as: .answer)
    }

    /// Where an offered table comes from.
    enum Provider {
        /// The program, which has it from its source now.
        case answer
        /// A file, which may hold it since long ago.
        case file
    }

    /// Offers a table that the program or a file has. Observers are not told of a file that holds
    /// the table in force. A refusal that is `known` is neither reported nor told again.
    func offer(
        _ bytes: [UInt8], origin: String, as provider: Provider, known: TableRefusal? = nil
    ) -> OfferOutcome {
        let result = writing.withLock { current in
            judge(bytes, origin, provider, known: known, &current)
        }
        switch (result, provider) {
        case (.installed(let snapshot), _): tell(.installed(snapshot))
        case (.unchanged, .answer): tell(.confirmed)
        case (.unchanged, .file): break
        case (.refused(let refusal), _): if refusal != known { tell(.refused(refusal)) }
        }
        return result
    }

    /// Tries again to keep the table in force, when it could not be kept. Returns whether it is
    /// kept. Sources call this function at every look.
    func keepAgain() -> Bool {
        let (isKept, refusal) = writing.withLock { current -> (Bool, TableRefusal?) in
            guard keeper != nil, !current.isKept else { return (true, nil) }
            let state = guardedState.withLock { $0 }
            let refusal = keepConfirmed(&current, at: state.confirmedAt)
            guard let refusal, refusal != state.lastRefused?.refusal else {
                return (current.isKept, nil)
            }
            note(refusal, state.origin)
            return (false, refusal)
        }
        if let refusal { tell(.refused(refusal)) }
        return isKept
    }

    /// Reports that the table in force is the newest table that the source has.
    ///
    /// Where another process that shares the state directory has kept a newer table, the source is
    /// behind. Then nothing is confirmed, and observers are told of a refusal.
    public func confirm() {
        let refusal = writing.withLock { current in
            confirm(&current, guardedState.withLock { $0.origin }, .answer)
        }
        tell(refusal.map { .refused($0) } ?? .confirmed)
    }

    /// Reports that a source has no table to hand over.
    public func sourceFailed(_ failure: SourceFailure, origin: String) {
        note(failure, origin)
        tell(.sourceFailed(failure))
    }

    private func judge(
        _ bytes: [UInt8], _ origin: String, _ provider: Provider, known: TableRefusal?,
        _ current: inout Current
    ) -> OfferOutcome {
        let table: CheckedTable
        do throws(TableRefusal) {
            table = try intake.check(bytes, current.floor)
        } catch {
            note(error, origin)
            return .refused(error)
        }
        if RevisionFloor(table) == current.table, table.meaning == current.meaning {
            // Keys are changed by signing the table in force again. A restart may demand the
            // signatures of the new keys. Terms are changed in the same way, and never back. A
            // table without signatures may have terms, too.
            if table.signatures != current.signatures || table.terms != current.terms,
                !table.isIssued(before: current.terms)
            {
                current.signatures = table.signatures
                current.entry = keeper.map { _ in StateRecord.Entry(table) }
                current.isKept = false
                if table.terms != current.terms {
                    current.terms = table.terms
                    let confirmed = guardedState.withLock { $0.confirmedAt }
                    cell.store(
                        snapshot.with(
                            TableAge(confirmed: confirmed, terms: table.terms, configuration)))
                }
            }
            return confirm(&current, origin, provider).map { .refused($0) } ?? .unchanged
        }
        let entry = keeper.map { _ in StateRecord.Entry(table) }
        let isKept: Bool
        switch keep(entry, confirmed: configuration.clock(), &current, bytes: { table.bytes }) {
        case .older(let refusal):
            note(refusal, origin)
            return .refused(refusal)
        case .kept: isKept = true
        case .proved: isKept = false
        case .failed(let failure, let proved):
            if configuration.state == .required {
                let refusal = TableRefusal.notRecorded(failure)
                noteDirectory(
                    failure: failure, gap: proved == current.table ? nil : failure,
                    isReported: false)
                if refusal != known { note(refusal, origin) }
                return .refused(refusal)
            }
            noteDirectory(failure: failure, gap: failure)
            isKept = false
        }
        let snapshot = install(table, origin, provider, &current)
        current.entry = entry
        current.isKept = isKept
        return .installed(snapshot)
    }

    private func install(
        _ table: CheckedTable, _ origin: String, _ provider: Provider, _ current: inout Current
    ) -> PolicySnapshot {
        let wasKept = current.wasKept
        current = Current(
            table, epoch: table.meaning == current.meaning ? current.epoch : current.epoch + 1)
        current.wasKept = wasKept
        let now = configuration.clock()
        let stricter = StricterHosts(from: snapshot.engine, to: table.engine)
        let installed = PolicySnapshot(
            engine: table.engine,
            age: TableAge(confirmed: now, terms: table.terms, configuration),
            epoch: current.epoch, revision: table.revision, loadedAt: now,
            decisionMaker: snapshot.decisionMaker,
            commandOptions: configuration.commandOptions(file: provider == .file ? origin : nil),
            stricter: stricter,
            history: current.epoch == snapshot.epoch
                ? snapshot.history : snapshot.history.adding(epoch: current.epoch, stricter))
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

    /// Confirms the table in force, here and in the state directory. A file confirms nothing, but
    /// it holds no bad table. Returns the reason when the table is not the newest.
    private func confirm(
        _ current: inout Current, _ origin: String, _ provider: Provider
    ) -> TableRefusal? {
        let time: UTCInstant
        switch provider {
        case .answer: time = configuration.clock()
        case .file: time = guardedState.withLock { $0.confirmedAt }
        }
        if let refusal = keepConfirmed(&current, at: time) {
            note(refusal, origin)
            return refusal
        }
        switch provider {
        case .answer: noteConfirmed()
        case .file:
            guardedState.withLock { state in
                state.lastRefused = nil
                state.lastFailed = nil
            }
        }
        return nil
    }

    /// INVARIANT (under `writing`): no other thread puts a snapshot in force during the call.
    private func noteConfirmed() {
        let now = configuration.clock()
        if configuration.staleness != .never {
            let snapshot = snapshot
            if let age = snapshot.age { cell.store(snapshot.with(age.confirmedNow())) }
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

    private func note(
        _ refusal: TableRefusal, _ origin: String, _ moment: StoreReport.Moment = .running
    ) {
        let now = configuration.clock()
        guardedState.withLock { state in
            state.counts.refused += 1
            state.lastRefused = PolicyStoreState.Refused(at: now, origin: origin, refusal: refusal)
        }
        report.refused(refusal, origin, moment)
        tellIfStale()
    }

    private func note(
        _ failure: SourceFailure, _ origin: String, _ moment: StoreReport.Moment = .running
    ) {
        let now = configuration.clock()
        guardedState.withLock { state in
            state.counts.sourceFailed += 1
            state.lastFailed = PolicyStoreState.Failed(at: now, origin: origin, failure: failure)
        }
        report.failed(failure, origin, moment)
        tellIfStale()
    }

    /// Notes how changes of the file are noticed, and reports a change of that.
    func note(_ watching: PolicyStoreState.Watching) {
        let isNews = guardedState.withLock { state in
            defer { state.watching = watching }
            return state.watching != watching
        }
        if isNews { report.watching(watching) }
    }

    /// Reports that the table has become stale, once for each confirmation. Sources call this
    /// function at every look.
    func tellIfStale() {
        let state = state
        guard state.isStale else { return }
        let isNews = guardedState.withLock { state in
            defer { state.isToldStale = true }
            return !state.isToldStale
        }
        if isNews { report.stale(state) }
    }

    /// Prepares the CRLite filters, and reports a change of whether they can be asked. Sources call
    /// this function at every look.
    func prepareFilters() {
        guard let filters = configuration.crlite else { return }
        let failure = filters.filters.prepare()
        let (isFirst, before) = guardedState.withLock { state in
            defer {
                state.crliteFailure = failure
                state.isToldOfFilters = true
            }
            return (!state.isToldOfFilters, state.crliteFailure)
        }
        if isFirst || failure != before { report.filters(failure, isFirst: isFirst) }
    }

    // MARK: State for the next start

    private enum Keeping {
        /// The table is kept, or the store has no state directory.
        case kept
        /// The state directory proves the revision and does not hold the table. The failure was
        /// reported.
        case proved
        /// The state directory failed. It may still prove a floor.
        case failed(StateDirectoryError, proved: RevisionFloor?)
        /// Another process has kept a newer table.
        case older(TableRefusal)
    }

    /// Keeps a table that is put in force now, or that is in force and not kept. INVARIANT (under
    /// `writing`).
    private func keep(
        _ entry: StateRecord.Entry?, confirmed: UTCInstant, _ current: inout Current,
        bytes: () -> [UInt8]
    ) -> Keeping {
        guard let keeper, let entry else { return .kept }
        do throws(StateDirectoryError) {
            let outcome = try keeper.keep(
                entry, confirmed: confirmed,
                .running(
                    isKnown: current.wasKept, lacksTable: current.wasKept && !current.isKept),
                bytes: bytes)
            switch outcome {
            case .older(let refusal, let floor):
                current.floor = floor
                return .older(refusal)
            case .kept(let damage, let doubt):
                current.wasKept = true
                note(damage)
                noteDirectory(failure: nil, gap: nil, doubt: doubt)
                return .kept
            case .proved(let failure, let damage, let doubt):
                current.wasKept = true
                note(damage)
                noteDirectory(failure: failure, gap: nil, doubt: doubt)
                return .proved
            case .failed(let failure, let proved): return .failed(failure, proved: proved)
            }
        } catch {
            return .failed(error, proved: nil)
        }
    }

    private func note(_ damage: [StateDirectoryError]) {
        for damage in damage {
            guardedState.withLock { $0.note(damage: damage) }
            report.damaged(damage)
        }
    }

    /// Notes for the next start that a source has confirmed the table in force. Returns the reason
    /// when another process has kept a newer table. A table that is gone from the directory is kept
    /// anew.
    private func keepConfirmed(_ current: inout Current, at time: UTCInstant) -> TableRefusal? {
        guard let keeper, let entry = current.entry else { return nil }
        if current.isKept {
            do throws(StateDirectoryError) {
                switch try keeper.confirm(entry, at: time) {
                case .noted:
                    noteDirectory(failure: nil, gap: nil)
                    return nil
                case .older(let refusal, let floor):
                    current.floor = floor
                    return refusal
                case .lost: break
                }
            } catch {
                noteDirectory(failure: error, gap: error)
                return nil
            }
        }
        let snapshot = snapshot
        let kept = keep(entry, confirmed: time, &current) {
            encoded(snapshot, entry.signatures, entry.terms)
        }
        switch kept {
        case .kept: current.isKept = true
        case .proved: break
        case .failed(let failure, let proved):
            noteDirectory(failure: failure, gap: proved == current.table ? nil : failure)
        case .older(let refusal): return refusal
        }
        return nil
    }

    /// Notes the outcome of a use of the state directory, and reports a change. `gap` says why the
    /// directory does not prove the revision in force. A failure that is the reason of a refusal is
    /// reported with the refusal.
    private func noteDirectory(
        failure: StateDirectoryError?, gap: StateDirectoryError?,
        doubt: StateDirectoryError? = nil, isReported: Bool = true
    ) {
        let (before, after) = guardedState.withLock { state in
            let before = state
            state.stateDirectoryFailure = failure
            state.floorGap = gap
            if let doubt { state.rollbackGap = state.rollbackGap ?? doubt }
            return (before, state)
        }
        if let failure, isReported, failure != before.stateDirectoryFailure {
            report.failed(failure)
        }
        if after.rollbackProtection != before.rollbackProtection {
            report.protection(after.rollbackProtection)
        }
    }

    // MARK: Observers

    /// Calls `body` with every snapshot that is put in force from now on, on the thread that
    /// offered its table and outside every lock. When two tables are offered at the same time, the
    /// calls may come in either order; `snapshot` is the one in force.
    @discardableResult
    public func onChange(_ body: @escaping @Sendable (PolicySnapshot) -> Void) -> Observation {
        onEvent { event in
            if case .installed(let snapshot) = event { body(snapshot) }
        }
    }

    /// Calls `body` with every event from now on, under the same terms as `onChange`.
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
