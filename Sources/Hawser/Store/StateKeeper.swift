import TrustEngine

/// Reads, compares and writes the state of one store in its state directory, under the directory's
/// lock.
struct StateKeeper: Sendable {
    /// The outcome of keeping a table.
    enum Outcome {
        /// The table is kept. `damage` lists the damaged files; `doubt` says why it is not known
        /// which table had been in force.
        case kept(damage: [StateDirectoryError], doubt: StateDirectoryError?)
        /// The record proves the table's revision, so no older table comes back. The table could
        /// not be written, for the reason `failure`.
        case proved(
            failure: StateDirectoryError, damage: [StateDirectoryError],
            doubt: StateDirectoryError?)
        /// Nothing of the table is kept. The directory still proves the floor `proved`.
        case failed(StateDirectoryError, proved: RevisionFloor?)
        /// Another process has kept a newer table, which sets the floor `than`.
        case older(TableRefusal, than: RevisionFloor)
    }

    /// The outcome of a confirmation.
    enum Confirmation {
        case noted
        /// The directory does not hold the table. It must be kept again.
        case lost
        /// Another process has kept a newer table, which sets the floor `than`.
        case older(TableRefusal, than: RevisionFloor)
    }

    /// When a table is kept.
    enum Occasion {
        /// When the store is made. A kept table that may be newer and is not proved is set aside;
        /// when state is required, it is a failure.
        case start(StateNeed)
        /// Later. A kept table that may be newer and is not proved is from another process. It is
        /// not touched, and the new table is not kept. `isKnown` says that this store has kept a
        /// table here before. `lacksTable` says that the table's file could not be written then, so
        /// it is not expected to be there.
        case running(isKnown: Bool, lacksTable: Bool)

        /// Whether the table is put in force though its file cannot be written.
        fileprivate var goesOn: Bool {
            switch self {
            case .start(let need): return !need.isDemand
            case .running: return true
            }
        }
    }

    /// The folder that was opened last; nil when no folder could be opened yet.
    private let opened = Monitor<StateDirectory?>(nil)
    private let path: String
    private let store: String
    private let configuration: PolicyStore.Configuration
    private var trustedKeys: TrustedKeys? { configuration.trustedKeys }

    /// Makes a keeper for the folder at a path. Nothing is opened yet.
    init(_ path: String, _ configuration: PolicyStore.Configuration) {
        self.path = path
        self.configuration = configuration
        store = configuration.name
    }

    /// The folder that the path leads to now. A folder that was removed and made again, that
    /// another volume has covered, or that could not be used before, is opened anew.
    private func directory() throws(StateDirectoryError) -> StateDirectory {
        let before = opened.withLock { $0 }
        if let before, before.isAtItsPath { return before }
        let now = try StateDirectory(
            path: path, absence: configuration.state.isDemand ? .refused : .made,
            patience: configuration.stateLockPatience, atStep: configuration.atStateStep)
        opened.withLock { $0 = now }
        return now
    }

    /// Why another user may take the folder away; nil when no other user may.
    func exchange() throws(StateDirectoryError) -> StateDirectoryError? { try directory().exchange }

    /// The state that the directory proves, read under its lock. The call takes as long as reading
    /// the table.
    func state() throws(StateDirectoryError) -> KeptState {
        let directory = try directory()
        return try directory.locked { () throws(StateDirectoryError) in
            // Another store's folder is left as it is.
            let state = try look(in: directory).state
            directory.removeLeftovers()
            return state
        }
    }

    /// The state that the directory proves, read without the lock. This is for a directory that
    /// cannot be locked. A store may start by the answer and must not write by it.
    func stateUnlocked() throws(StateDirectoryError) -> KeptState {
        try look(in: directory()).state
    }

    /// Keeps a table in place of the kept table, unless the kept table is newer. After a failure
    /// the kept table stays, unless the record proves that a newer one is in force.
    ///
    /// - Throws: when nothing was written.
    func keep(
        _ entry: StateRecord.Entry, confirmed: UTCInstant, _ occasion: Occasion,
        bytes: () -> [UInt8]
    ) throws(StateDirectoryError) -> Outcome {
        let directory = try directory()
        return try directory.locked { () throws(StateDirectoryError) in
            let (found, state) = try look(in: directory)
            directory.removeLeftovers()
            if let floor = state.floor, let refusal = floor.refusal(of: entry) {
                return .older(refusal, than: floor)
            }
            var damage = state.damage
            var doubt = state.doubt(about: RevisionFloor(entry))
            switch occasion {
            case .start(.wanted): break
            case .start(.required), .start(.requiredAtStart): if let doubt { throw doubt }
            case .running(let isKnown, let lacksTable):
                if let doubt, state.gap == nil { throw doubt }
                if isKnown, state.age == .first {
                    let wiped = StateDirectoryError.wiped(directory.path)
                    damage.append(KeptState.Damage(file: nil, reason: wiped))
                    doubt = wiped
                } else if lacksTable {
                    damage.removeAll { $0.file != StateDirectory.recordName }
                }
            }
            // A table that another process has kept with more signatures is not replaced by the
            // same table with fewer.
            let fuller = state.vouched.flatMap { $0.covers(entry) ? $0 : nil }
            let isThere = fuller != nil || state.table?.octets == entry.octets
            let before = isThere ? nil : state.entry
            let record = StateRecord(
                store: store, entries: [fuller ?? entry] + [before].compactMap(\.self))
            do throws(StateDirectoryError) {
                for file in toSetAside(found, damage, hasDoubt: doubt != nil, isThere: isThere) {
                    try directory.setAside(file)
                }
                if found.record != .there(record) { try directory.write(record) }
                if found.mark != store { try directory.mark(store) }
            } catch {
                return .failed(error, proved: state.floor)
            }
            directory.keepSpare()
            func write() throws(StateDirectoryError) {
                if isThere {
                    try directory.date(confirmed)
                } else {
                    try directory.write(table: bytes(), confirmed: confirmed)
                }
            }
            let reasons = damage.map(\.reason)
            doubt = doubt ?? directory.exchange
            do throws(StateDirectoryError) {
                try write()
                return .kept(damage: reasons, doubt: doubt)
            } catch {
                guard occasion.goesOn else { return .failed(error, proved: state.floor) }
                switch settle(record, state, error, isThere: isThere, in: directory, write) {
                case .kept: return .kept(damage: reasons, doubt: doubt)
                case .proved: return .proved(failure: error, damage: reasons, doubt: doubt)
                case .neither: return .failed(error, proved: state.floor)
                }
            }
        }
    }

    /// The kept state after the record of a table was written and its file could not be.
    private enum Settled {
        case kept
        /// The record proves the table's revision.
        case proved
        case neither
    }

    /// Makes the record prove the revision of its first table, whose file could not be written: a
    /// record that names only a table which is not in the folder sets the floor by itself. The
    /// table in the folder is then too old for every start, so on a full disk it makes room for the
    /// new one.
    private func settle(
        _ record: StateRecord, _ state: KeptState, _ failure: StateDirectoryError, isThere: Bool,
        in directory: StateDirectory, _ write: () throws(StateDirectoryError) -> Void
    ) -> Settled {
        let floor = RevisionFloor(record.entries[0])
        let kept = state.vouched.map { RevisionFloor($0) }
        // The folder has this table, or the same one with other signatures.
        if isThere || kept == floor { return .proved }
        guard floor.revision != nil else { return .neither }
        do throws(StateDirectoryError) {
            if record.entries.count > 1 { try directory.write(record.cut()) }
        } catch {
            return .neither
        }
        guard failure.isOfFullDisk, directory.removeTable() else { return .proved }
        do throws(StateDirectoryError) {
            try write()
            directory.keepSpare()
            return .kept
        } catch {
            directory.keepSpare()
            return .proved
        }
    }

    /// Notes that a source has confirmed the table that this store kept last.
    func confirm(
        _ entry: StateRecord.Entry, at time: UTCInstant
    ) throws(StateDirectoryError) -> Confirmation {
        let directory = try directory()
        return try directory.locked { () throws(StateDirectoryError) in
            let found = directory.findRecord()
            try expectOwn(found, in: directory)
            guard case .there(let record) = found.record else { return .lost }
            let state = KeptState(found, trustedKeys: trustedKeys, path: directory.path)
            if let floor = state.floor, let refusal = floor.refusal(of: entry) {
                return .older(refusal, than: floor)
            }
            guard let first = record.entries.first,
                first == entry || state.floor == RevisionFloor(entry) && first.covers(entry)
            else { return .lost }
            do throws(StateDirectoryError) {
                try directory.date(time)
                directory.keepSpare()
                return .noted
            } catch {
                // Keeping the table again will report the failure.
                return .lost
            }
        }
    }

    // MARK: Parts

    private func look(in directory: StateDirectory) throws(StateDirectoryError) -> (
        found: StateDirectory.Found, state: KeptState
    ) {
        let found = directory.find()
        try expectOwn(found, in: directory)
        return (found, KeptState(found, trustedKeys: trustedKeys, path: directory.path))
    }

    private func expectOwn(
        _ found: StateDirectory.Found, in directory: StateDirectory
    ) throws(StateDirectoryError) {
        guard let owner = found.owner, owner != store else { return }
        throw .otherStore(directory.path, of: owner, not: store)
    }

    /// The files that the next write must not destroy: damaged files, and a table that may be
    /// newer.
    private func toSetAside(
        _ found: StateDirectory.Found, _ damage: [KeptState.Damage], hasDoubt: Bool, isThere: Bool
    ) -> [String] {
        var files = damage.compactMap(\.file)
        if hasDoubt, !found.table.isAbsent, !files.contains(StateDirectory.name) {
            files.append(StateDirectory.name)
        }
        return files.filter { !isThere || $0 != StateDirectory.name }
    }
}

extension StateRecord.Entry {
    /// Whether a table has the revision, the content, the terms and every signature of another
    /// table.
    fileprivate func covers(_ other: StateRecord.Entry) -> Bool {
        RevisionFloor(self) == RevisionFloor(other) && terms == other.terms
            && Set(signatures).isSuperset(of: other.signatures)
    }
}

extension RevisionFloor {
    /// Why a table may not follow the floor; nil when it may.
    fileprivate func refusal(of entry: StateRecord.Entry) -> TableRefusal? {
        do throws(TableRefusal) {
            try admit(RevisionFloor(entry))
            return nil
        } catch {
            return error
        }
    }
}
