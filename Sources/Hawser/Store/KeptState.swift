// What a state directory proves, from what was read of it.
//
// The floor is the newest revision that was in force and that somebody vouches for. Where keys are
// trusted, enough of them must have signed the envelope that states it: so no damage makes a floor,
// and a table by a key that is not trusted any more does not keep the tables of the next key out
// (as an attacker with a stolen key would have it, who numbers one table as high as numbers go).
// Without keys a revision is what the last table said of itself; the record's own digest then finds
// damage, and nothing finds a lie.
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
// Without keys nobody vouches: a table that the record names, or that stands in a folder without
// record and mark, is taken at its word, and no other.

import TrustEngine

/// What a state directory proves.
struct KeptState: Sendable {
    /// A file that is not as it was written: it is set aside before another takes its place.
    struct Damage: Hashable, Sendable {
        /// Its name in the folder; nil where it is gone and nothing is there to be set aside.
        let file: String?
        let reason: StateDirectoryError
    }

    /// How long the folder has been somebody's.
    enum Age: Hashable, Sendable {
        /// Nothing was ever kept in it.
        case first
        /// A table is kept in it and no name: what was written before folders had names.
        case unnamed
        case named
    }

    private(set) var age = Age.named
    /// What offered tables are held to; nil where nothing is proved, or no revision was stated.
    private(set) var floor: RevisionFloor?
    /// What was in force by a whole record and is not signed by the keys of now: newer than
    /// `floor`, and no reason to refuse a table, but one to say so.
    private(set) var unsigned: RevisionFloor?
    /// What the file of the table holds, proved or not; nil where it cannot be read.
    private(set) var table: StateDirectory.Kept?
    /// Why the table may not be put in force whatever it holds; nil where it may.
    private(set) var tableProblem: StateDirectoryError?
    /// What the record says of the table in the file; nil where it does not name it.
    private(set) var entry: StateRecord.Entry?
    /// The same where it is vouched for, by the record without keys; nil where it is not.
    private(set) var vouched: StateRecord.Entry?
    private(set) var damage: [Damage] = []
    /// Why it is not known which revision was in force; nil where it is.
    private(set) var gap: StateDirectoryError?

    private let path: String
    private let keys: TrustedKeys?

    /// What follows from what was read of the folder at `path`.
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

    /// Whether a table may take its place, as far as it is known what was in force; why not, or why
    /// it is not known. That it is below what trusted keys vouch for is `floor`'s to say.
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

    /// A record that is whole.
    private mutating func read(_ record: StateRecord, _ found: StateDirectory.Found) {
        if let table, let named = record.entries.first(where: { $0.octets == table.octets }) {
            entry = named
            if missing(from: named) == nil { vouched = named }
            take([named])
            return
        }
        take(record.entries)
        // Put there by somebody who signs: by hand, or by a version without records.
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

    /// A table without a record that would name it, or with one that cannot be read, for this
    /// reason.
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
            // A bare table sets no floor, so none is lost with it.
            guard let reason = missing(from: claimed), claimed.revision != nil else { return }
            gap = .notSigned(name, reason.context)
        } else if age == .unnamed {
            take([claimed])
        } else {
            gap = .unproved(
                path, "`\(place(StateDirectory.recordName))` is lost, and no key is trusted")
        }
    }

    /// Takes the table in the file at its word where trusted keys vouch for it; false where not.
    private mutating func takeVouchedTable() -> Bool {
        guard keys != nil, let table,
            let claimed = StateRecord.Entry(claimedBy: table.bytes, octets: table.octets),
            missing(from: claimed) == nil
        else { return false }
        vouched = claimed
        take([claimed])
        return true
    }

    /// Raises the floor to the newest of tables that were in force.
    private mutating func take(_ entries: [StateRecord.Entry]) {
        for entry in entries {
            if missing(from: entry) == nil {
                floor = RevisionFloor.newer(floor, RevisionFloor(entry))
            } else {
                unsigned = RevisionFloor.newer(unsigned, RevisionFloor(entry))
            }
        }
    }

    /// What trusted keys miss in a table; nil where they vouch for it, and where none are trusted.
    private func missing(from entry: StateRecord.Entry) -> TableSignatureError? {
        guard let keys else { return nil }
        do throws(TableSignatureError) {
            _ = try keys.signers(
                of: entry.signatures, revision: entry.revision, seal: entry.fileDigest)
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
    /// The newer of two floors; one that states a revision is newer than one that states none.
    fileprivate static func newer(_ left: RevisionFloor?, _ right: RevisionFloor) -> RevisionFloor {
        guard let left, let revision = left.revision else { return right }
        guard let other = right.revision, other > revision else { return left }
        return right
    }
}
