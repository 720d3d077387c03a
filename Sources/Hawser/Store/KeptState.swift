// Finds out what a state directory proves, from the files that were read in it.
//
// The floor is the newest revision that was in force and that somebody vouches for.
//
// With trusted keys, enough of them must have signed the envelope that states the revision. So
// damage never makes a floor. A table whose signing key has lost trust does not keep out the tables
// of the next key. Otherwise an attacker with a stolen key could give a table the highest possible
// revision and keep out every later table.
//
// Without trusted keys, a revision is only the table's own statement. The record's digest then
// finds damage, and nothing finds a false statement.
//
//     record     table                      floor                          not known
//     whole      named by the record        that table's, if vouched for   no
//     whole      another, gone, unreadable  the newest in the record       no: table damaged
//     damaged    vouched for by keys        that table's                   no: record damaged
//     damaged    gone, or not vouched for   none                           yes
//     not there  there, no mark             that table's, if vouched for   yes, if it is not
//     not there  gone, a mark               none                           yes: wiped
//     not there  not there, no mark         none                           no: the first start
//
// Without trusted keys nobody vouches for a table. The store then believes a table that the record
// names, and a table in a folder without record and mark. It believes no other table.

import TrustEngine

/// The facts that a state directory proves.
struct KeptState: Sendable {
    /// A file that does not hold what was written. The file is set aside before another file takes
    /// its place.
    struct Damage: Hashable, Sendable {
        /// The file's name in the folder; nil when the file is gone, and nothing is left to set
        /// aside by name.
        let file: String?
        let reason: StateDirectoryError
    }

    /// How long the folder has belonged to a store.
    private(set) var age = PolicyStoreState.DirectoryAge.named
    /// The floor for offered tables; nil when nothing is proved, or no revision was stated.
    private(set) var floor: RevisionFloor?
    /// The newest table that a whole record names and that the keys trusted now have not signed. It
    /// may be newer than `floor`. It does not refuse a table; it makes a doubt, which is reported.
    private(set) var unsigned: RevisionFloor?
    /// The table that the file holds, proved or not; nil when the file cannot be read.
    private(set) var table: StateDirectory.Kept?
    /// Why the kept table may not be put in force; nil when it may.
    private(set) var tableProblem: StateDirectoryError?
    /// The record's entry for the table in the file; nil when the record does not name the table.
    private(set) var entry: StateRecord.Entry?
    /// The entry of the table in the file when it is vouched for: by trusted keys, or without
    /// trusted keys by the record. Nil when it is not vouched for.
    private(set) var vouched: StateRecord.Entry?
    private(set) var damage: [Damage] = []
    /// Why it is not known which revision was in force; nil when it is known.
    private(set) var gap: StateDirectoryError?

    private let path: String
    private let keys: TrustedKeys?

    /// Finds out what the files prove that were read in the folder at `path`.
    init(_ found: StateDirectory.Found, trustedKeys: TrustedKeys?, path: String) {
        self.path = path
        keys = trustedKeys
        switch found.table {
        case .there(let kept): table = kept
        case .absent: tableProblem = .gone(place(StateDirectory.name), stillKnown: nil)
        case .unreadable(let error): tableProblem = error
        }
        switch found.record {
        case .there(let record): read(record, found)
        case .absent where found.mark == nil && found.table.isAbsent: age = .first
        case .absent where found.mark == nil:
            age = .unnamed
            readAlone(found)
        case .absent: readAlone(found)
        case .unreadable(let error):
            readAlone(found, error)
            let reason =
                error.code == .damaged
                ? .damaged(place(StateDirectory.recordName), stillKnown: floor) : error
            damage.append(Damage(file: StateDirectory.recordName, reason: reason))
        }
    }

    /// Why it is not certain that a table may take the place of the table that was in force; nil
    /// when it is certain. This function does not compare the table with `floor`.
    func doubt(about table: RevisionFloor) -> StateDirectoryError? {
        if let gap { return gap }
        guard let newest = unsigned?.revision else { return nil }
        do throws(TableRefusal) {
            try unsigned?.admit(table)
            return nil
        } catch {
            return .notSigned(
                place(StateDirectory.name), newest: newest, offered: table.revision)
        }
    }

    // MARK: Parts

    /// Reads a whole record.
    private mutating func read(_ record: StateRecord, _ found: StateDirectory.Found) {
        if let table, let named = record.entries.first(where: { $0.octets == table.octets }) {
            entry = named
            if missing(from: named) == nil { vouched = named }
            take([named])
            return
        }
        take(record.entries)
        // Somebody who signs put the table there: by hand, or with a version without records.
        if takeVouchedTable() { return }
        switch found.table {
        case .absent:
            note(.gone(place(StateDirectory.name), stillKnown: floor), file: nil)
        case .unreadable(let error): note(error, file: StateDirectory.name)
        case .there:
            note(
                .damaged(place(StateDirectory.name), stillKnown: floor), file: StateDirectory.name)
        }
    }

    /// Reads the table when the record is absent or cannot be read. `reason` says why it cannot be
    /// read; nil when it is absent.
    private mutating func readAlone(
        _ found: StateDirectory.Found, _ reason: StateDirectoryError? = nil
    ) {
        if takeVouchedTable() { return }
        guard let table else {
            if found.table.isAbsent {
                gap = reason.map { .unproved(path, $0.context) } ?? .wiped(path)
            } else if let tableProblem {
                note(tableProblem, file: StateDirectory.name)
                gap = tableProblem
            }
            return
        }
        let name = place(StateDirectory.name)
        guard let claimed = StateRecord.Entry(claimedBy: table.bytes, octets: table.octets) else {
            note(.damaged(name, stillKnown: nil), file: StateDirectory.name)
            gap = .unproved(name, "it is not what was written there")
            return
        }
        if keys != nil {
            // A bare table sets no floor, so no floor is lost with it.
            guard let reason = missing(from: claimed), claimed.revision != nil else { return }
            gap = .notSigned(name, reason.context)
        } else if age == .unnamed {
            take([claimed])
        } else {
            gap = .unproved(
                path, "`\(place(StateDirectory.recordName))` is lost, and no key is trusted")
        }
    }

    /// Takes the floor from the table in the file when trusted keys vouch for the table. Returns
    /// false when they do not.
    private mutating func takeVouchedTable() -> Bool {
        guard keys != nil, let table,
            let claimed = StateRecord.Entry(claimedBy: table.bytes, octets: table.octets),
            missing(from: claimed) == nil
        else { return false }
        vouched = claimed
        take([claimed])
        return true
    }

    /// Raises the floor to the newest of these entries, which were in force.
    private mutating func take(_ entries: [StateRecord.Entry]) {
        for entry in entries {
            if missing(from: entry) == nil {
                floor = RevisionFloor.newer(floor, RevisionFloor(entry))
            } else {
                unsigned = RevisionFloor.newer(unsigned, RevisionFloor(entry))
            }
        }
    }

    /// Why trusted keys do not vouch for an entry; nil when they do, and when no keys are trusted.
    private func missing(from entry: StateRecord.Entry) -> TableSignatureError? {
        guard let keys else { return nil }
        do throws(TableSignatureError) {
            _ = try keys.signers(
                of: entry.signatures, revision: entry.revision, terms: entry.terms,
                seal: entry.fileDigest)
            return nil
        } catch {
            return error
        }
    }

    private mutating func note(_ reason: StateDirectoryError, file: String?) {
        damage.append(Damage(file: file, reason: reason))
        tableProblem = reason
    }

    private func place(_ name: String) -> String { "\(path)/\(name)" }
}

extension RevisionFloor {
    /// The newer of two floors. A floor with a revision is newer than a floor without one.
    fileprivate static func newer(_ left: RevisionFloor?, _ right: RevisionFloor) -> RevisionFloor {
        guard let left, let revision = left.revision else { return right }
        guard let other = right.revision, other > revision else { return left }
        return right
    }
}
