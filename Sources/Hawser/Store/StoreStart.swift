import TrustEngine

/// Chooses the first table of a store: the source's table when it is good, and otherwise the table
/// that was last in force.
struct StoreStart {
    /// Why the source's table is not put in force.
    enum PassedOver {
        case refused(TableRefusal)
        case sourceFailed(SourceFailure)

        var failure: SourceFailure {
            switch self {
            case .refused(let refusal):
                return SourceFailure(code: refusal.code, context: refusal.context)
            case .sourceFailed(let failure): return failure
            }
        }
    }

    /// The table that is put in force.
    struct Chosen {
        let table: CheckedTable
        /// Where the table came from.
        let origin: String
        /// When a source last said that the table is the newest.
        let confirmed: UTCInstant
        /// Why the source's table is not used, when the kept table is put in force in its place.
        let passedOver: PassedOver?
    }

    /// Facts about the state directory that were found at the start.
    struct News {
        /// Reasons why files did not hold what was written there.
        var damage: [StateDirectoryError] = []
        /// How long the directory had belonged to this store; nil when the directory is not used.
        var age: PolicyStoreState.DirectoryAge?
    }

    let intake: TableIntake
    let chosen: Chosen
    /// Keeps the state; nil without a state directory. A folder that cannot be used now is tried
    /// again whenever something is to be kept.
    let keeper: StateKeeper?
    /// The entry of the table that is put in force; nil without `keeper`.
    let entry: StateRecord.Entry?
    /// Why the folder cannot be used, or could not be written.
    let failure: StateDirectoryError?
    /// Whether the folder proves the revision of the table, though the table could not be written.
    let isProved: Bool
    /// Why a table that is older than one that was in force may come into force over restarts. The
    /// reason holds as long as this process runs.
    let gap: StateDirectoryError?
    let news: News

    /// The `origin` of a kept table.
    static let keptOrigin = "last-known-good"

    init(
        source: Result<[UInt8], SourceFailure>?, origin: String, isFile: Bool,
        confirmed: UTCInstant?, _ configuration: PolicyStore.Configuration
    ) throws(PolicyStoreError) {
        let intake = TableIntake(configuration)
        self.intake = intake
        let isRequired = configuration.state.isDemand
        func expectSound(_ reason: StateDirectoryError?) throws(PolicyStoreError) {
            if isRequired, let reason { throw PolicyStoreError(unsound: reason) }
        }
        var opened = Opened(configuration)
        if configuration.trustedKeys == nil { try expectSound(.noKeys) }
        // Every turn but the first comes because another process has kept a newer table since the
        // turn before.
        while true {
            opened.look()
            try expectSound(opened.failure ?? opened.gap ?? opened.kept?.gap)
            let kept = opened.kept
            let chosen = try StoreStart.choose(
                source, origin, isFile: isFile, confirmed, kept, opened, intake, configuration)
            let doubt = kept?.doubt(about: RevisionFloor(chosen.table))
            try expectSound(doubt)
            guard let end = opened.keep(chosen) else { continue }
            try expectSound(end.failure)
            self.chosen = chosen
            news = News(damage: end.damage ?? kept?.damage.map(\.reason) ?? [], age: kept?.age)
            entry = end.entry
            failure = end.failure
            isProved = end.isProved
            keeper = opened.keeper
            gap = end.doubt ?? doubt ?? opened.gap
            return
        }
    }

    /// Chooses the table to put in force. `confirmed` is when a source last said that its table is
    /// the newest; nil says that it does so now.
    private static func choose(
        _ source: Result<[UInt8], SourceFailure>?, _ origin: String, isFile: Bool,
        _ confirmed: UTCInstant?, _ kept: KeptState?, _ opened: Opened, _ intake: TableIntake,
        _ configuration: PolicyStore.Configuration
    ) throws(PolicyStoreError) -> Chosen {
        var passedOver: PassedOver?
        switch source {
        case .success(let bytes)?:
            do throws(TableRefusal) {
                let now = configuration.clock()
                // A file that still holds the kept table says nothing new of it.
                let isKnown = isFile && kept?.table?.bytes == bytes && kept?.tableProblem == nil
                let first = confirmed ?? (isKnown ? kept?.table?.confirmed : nil)
                return Chosen(
                    table: try intake.check(bytes, kept?.floor), origin: origin,
                    confirmed: min(first ?? now, now), passedOver: nil)
            } catch {
                passedOver = .refused(error)
            }
        case .failure(let failure)?: passedOver = .sourceFailed(failure)
        case nil: break
        }
        let reason = opened.failure ?? (kept?.age == .first ? nil : kept?.tableProblem)
        var refusal: TableRefusal?
        if let table = kept?.table {
            do throws(TableRefusal) {
                let checked = try intake.check(table.bytes, kept?.floor)
                if kept?.tableProblem == nil {
                    // A clock that was set back must not make a table fresher than now.
                    return Chosen(
                        table: checked, origin: keptOrigin,
                        confirmed: min(table.confirmed, configuration.clock()),
                        passedOver: passedOver)
                }
            } catch {
                refusal = error
            }
        }
        throw PolicyStoreError(
            source: passedOver?.failure,
            lastKnownGood: refusal.map { SourceFailure(code: $0.code, context: $0.context) }
                ?? reason.map { SourceFailure(code: $0.code.rawValue, context: $0.context) })
    }

    /// The state directory, as far as it can be used.
    private struct Opened {
        /// Nil without a state directory.
        let keeper: StateKeeper?
        /// Whether the folder can be read at least.
        private var isReadable = false
        private(set) var kept: KeptState?
        /// Why the folder cannot be used or written.
        private(set) var failure: StateDirectoryError?
        /// Why the folder gives less protection than it should, whatever is kept in it.
        private(set) var gap: StateDirectoryError?
        private let need: StateNeed

        init(_ configuration: PolicyStore.Configuration) {
            need = configuration.state
            keeper = configuration.stateDirectory.map { StateKeeper($0, configuration) }
            guard let keeper else {
                gap = .notConfigured
                return
            }
            do throws(StateDirectoryError) {
                gap = try keeper.exchange()
                isReadable = true
            } catch {
                failure = error
            }
        }

        /// The outcome of keeping the first table.
        struct End {
            let entry: StateRecord.Entry?
            let failure: StateDirectoryError?
            /// Whether the revision is proved in spite of `failure`.
            let isProved: Bool
            /// The damaged files; nil when nothing was written.
            let damage: [StateDirectoryError]?
            /// Why it was not known, at the time of the write, which table had been in force.
            let doubt: StateDirectoryError?

            init(
                _ entry: StateRecord.Entry?, failure: StateDirectoryError?, isProved: Bool = false,
                damage: [StateDirectoryError]? = nil, doubt: StateDirectoryError? = nil
            ) {
                self.entry = entry
                self.failure = failure
                self.isProved = isProved
                self.damage = damage
                self.doubt = doubt
            }
        }

        /// Keeps the first table. Returns nil when another process has kept a newer table since the
        /// look.
        func keep(_ chosen: Chosen) -> End? {
            guard let keeper else { return End(nil, failure: failure) }
            let entry = StateRecord.Entry(chosen.table)
            // After a wait for the lock has failed, the store does not wait again.
            if let failure { return End(entry, failure: failure) }
            do throws(StateDirectoryError) {
                let outcome = try keeper.keep(entry, confirmed: chosen.confirmed, .start(need)) {
                    chosen.table.bytes
                }
                switch outcome {
                case .older: return nil
                case .kept(let damage, let doubt):
                    return End(entry, failure: nil, damage: damage, doubt: doubt)
                case .proved(let failure, let damage, let doubt):
                    return End(
                        entry, failure: failure, isProved: true, damage: damage, doubt: doubt)
                case .failed(let failure, proved: _): return End(entry, failure: failure)
                }
            } catch {
                return End(entry, failure: error)
            }
        }

        /// Reads the state that is kept.
        mutating func look() {
            guard let keeper, isReadable else { return }
            failure = nil
            do throws(StateDirectoryError) {
                kept = try keeper.state()
                return
            } catch {
                failure = error
            }
            // A folder that cannot be locked or written may still be read, unless it belongs to
            // another store.
            do throws(StateDirectoryError) {
                kept = try keeper.stateUnlocked()
            } catch {
                isReadable = false
                failure = error
            }
        }
    }
}
