/// A key that an entry of a pin set matches, with the ids that a reader knows it by.
package struct PinnedKey: Hashable, Sendable {
    package let match: KeyMatch
    package let position: PinPosition
    /// The id of the pin set.
    package let set: String
    /// The id of the entry. An entry that names a file can match several keys.
    package let entry: String
    /// Whether the entry is one of `backups`.
    package let isBackup: Bool

    static func all(of set: PinSetContents) -> [PinnedKey] {
        func keys(_ entries: [PinContents], isBackup: Bool) -> [PinnedKey] {
            entries.flatMap { entry in
                entry.matches.map {
                    PinnedKey(
                        match: $0, position: entry.position, set: set.id, entry: entry.id,
                        isBackup: isBackup)
                }
            }
        }
        return keys(set.keys, isBackup: false) + keys(set.backups, isBackup: true)
    }
}

/// The differences between the pin sets of a behaviour and of the other side.
package struct PinChange: Hashable, Sendable {
    /// One pin set that the two sides do not have alike. Sets of one id are the same set. At least
    /// one side has the set.
    package struct SetChange: Hashable, Sendable {
        package let here: PinDemand?
        package let there: PinDemand?
        package let relation: Relation
        /// The keys that this side matches, and that the other side does not match at all of these
        /// positions.
        package let added: [PinnedKey]
        /// The keys that the other side matches, and that this side does not match at all of these
        /// positions.
        package let removed: [PinnedKey]

        /// The id of the set.
        package var id: String { here?.id ?? there?.id ?? "" }

        fileprivate init(_ here: PinDemand?, _ there: PinDemand?) {
            func keys(of one: PinDemand?, without other: PinDemand?) -> [PinnedKey] {
                (one?.keys ?? []).filter { key in
                    !(other?.keys ?? []).contains {
                        $0.match == key.match && key.position.lies(in: $0.position)
                    }
                }
            }
            self.here = here
            self.there = there
            relation = PinOrder.relation([here].compactMap(\.self), [there].compactMap(\.self))
            added = keys(of: here, without: there)
            removed = keys(of: there, without: here)
        }
    }

    /// The sets that changed, in the order of their ids. A further set is a further demand: a path
    /// must meet all of them.
    package let sets: [SetChange]
    /// The number of entries of `backups` in all sets of this side, and of the other side.
    package let backupCount: Int
    package let othersBackupCount: Int
    /// Whether this side is weaker at most in the days on which enforcement ends. The difference is
    /// then an exception with a date.
    package let isDated: Bool

    init(_ here: [PinDemand], _ there: [PinDemand]) {
        let ids = Set((here + there).map(\.id)).sorted()
        sets = ids.compactMap { id in
            let (own, other) = (here.first { $0.id == id }, there.first { $0.id == id })
            return own == other ? nil : SetChange(own, other)
        }
        backupCount = here.reduce(0) { $0 + $1.backupCount }
        othersBackupCount = there.reduce(0) { $0 + $1.backupCount }
        isDated = PinOrder.relation(here.map(\.lasting), there.map(\.lasting)).isNoWeaker
    }
}

extension PinPosition {
    /// Whether another position includes every certificate position that this one stands for.
    fileprivate func lies(in other: PinPosition) -> Bool {
        self == other || other == .any
            || (other == .ca && (self == .intermediate || self == .anchor))
    }
}
