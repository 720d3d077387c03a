/// Finds the entries of one pin set by a digest. A set of a thousand entries costs a path as much
/// as a set of one entry: the digests of the path's certificates, and one look-up for each.
struct PinIndex: Sendable {
    /// The forms of digests that the entries compare; at most six.
    let forms: [KeyMatch.Form]
    /// The indices of the entries that name a digest, in their order. Empty for a set that is short
    /// enough to be compared entry by entry.
    private let entries: [KeyMatch: [Int]]
    /// Whether the set is compared entry by entry.
    private let isShort: Bool

    /// Entries of a set that is still compared entry by entry.
    private static let mostCompared = 16

    /// Reads the entries of one pin set. Cost: linear in its key matches.
    init(_ set: PinSetRecord, of table: PolicyTable) {
        var forms: [KeyMatch.Form] = []
        var entries: [KeyMatch: [Int]] = [:]
        isShort = set.count <= PinIndex.mostCompared
        for entry in 0..<set.count {
            let pin = table.pin(set, entry)
            for number in 0..<Int(pin.matchCount) {
                let match = table.keyMatch(pin, number)
                if !forms.contains(match.form) { forms.append(match.form) }
                if !isShort, entries[match]?.last != entry {
                    entries[match, default: []].append(entry)
                }
            }
        }
        self.forms = forms
        self.entries = entries
    }

    /// Calls `body` with the index of each entry that names a digest, in the order of the entries.
    func forEachEntry(
        naming match: KeyMatch, of set: PinSetRecord, in table: PolicyTable, _ body: (Int) -> Void
    ) {
        guard isShort else {
            entries[match]?.forEach(body)
            return
        }
        for entry in 0..<set.count
        where table.pin(table.pin(set, entry), matches: match.digest, kind: match.kind) {
            body(entry)
        }
    }
}
