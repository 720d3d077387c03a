/// A pin set as a demand. Two sets are compared by the keys that their entries can match, not by
/// how the sets are written. Equal values have equal demands; the ids of entries, and which entries
/// are backups, are not compared.
package struct PinDemand: Hashable, Sendable {
    /// The effect of a mismatch after the last second of enforcement.
    package enum Afterwards: Int, Hashable, Sendable {
        case absent = 0
        case reported = 1
    }

    /// The instant from which a mismatch does not reject, and its effect from then on.
    package struct End: Hashable, Sendable {
        /// The last second of enforcement.
        package let last: UTCInstant
        package let afterwards: Afterwards
    }

    struct Entry: Hashable, Sendable {
        let matches: Set<KeyMatch>
        let position: PinPosition
        /// DER of the certificates that can end a path, where the pinned keys are the anchors.
        let certificates: Set<[UInt8]>
    }

    let entries: [Entry]
    /// The keys that the entries match, for readers.
    package let keys: [PinnedKey]
    /// The number of entries that must match.
    package let match: Int
    /// The end of enforcement; nil where a mismatch always rejects. The day from which a notice is
    /// given is left out, because a notice rejects no path.
    package let end: End?
    /// The id of the set, for readers.
    package let id: String
    /// Whether the contents of the set are not at hand. Then the set implies only a set of the same
    /// id.
    let isOpaque: Bool

    private init(
        entries: [Entry], keys: [PinnedKey], match: Int, end: End?, id: String, isOpaque: Bool
    ) {
        self.entries = entries
        self.keys = keys
        self.match = match
        self.end = end
        self.id = id
        self.isOpaque = isOpaque
    }

    /// The demand of a pin set.
    package init(_ set: PinSetContents) {
        self.init(
            entries: (set.keys + set.backups).map {
                Entry(
                    matches: Set($0.matches), position: $0.position,
                    certificates: Set($0.certificates))
            }, keys: PinnedKey.all(of: set), match: set.match, end: PinDemand.end(set),
            id: set.id, isOpaque: false)
    }

    /// The demand of a set whose contents are not at hand.
    package init(named id: String) {
        self.init(entries: [], keys: [], match: 1, end: nil, id: id, isOpaque: true)
    }

    package static func == (left: PinDemand, right: PinDemand) -> Bool {
        left.id == right.id && left.entries == right.entries && left.match == right.match
            && left.end == right.end && left.isOpaque == right.isOpaque
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(entries)
        hasher.combine(match)
        hasher.combine(end)
    }

    /// The number of entries of `backups`.
    package var backupCount: Int { Set(keys.filter(\.isBackup).map(\.entry)).count }

    private static func end(_ set: PinSetContents) -> End? {
        guard let last = set.enforceUntil else { return nil }
        switch set.onExpiry {
        case .fail: return nil
        case .report: return End(last: last, afterwards: .reported)
        case .unpinned: return End(last: last, afterwards: .absent)
        }
    }

    /// The demand as of an instant; nil where the set then demands nothing.
    func asOf(_ time: UTCInstant) -> PinDemand? {
        guard let end else { return self }
        if DatedTerm.isInForce(until: end.last, at: time) { return with(end: nil) }
        return end.afterwards == .absent
            ? nil : with(end: End(last: PinDemand.longAgo, afterwards: end.afterwards))
    }

    /// The same demand, enforced for ever.
    var lasting: PinDemand { with(end: nil) }

    private func with(end: End?) -> PinDemand {
        PinDemand(
            entries: entries, keys: keys, match: match, end: end, id: id, isOpaque: isOpaque)
    }

    /// Whether a mismatch is reported at every instant that is compared.
    var isOnlyReported: Bool { end?.last == PinDemand.longAgo }

    private static let longAgo = UTCInstant(secondsSinceEpoch: -62_167_219_200)

    // MARK: What implies what

    /// Whether another set lets every path pass that this set lets pass, on every day.
    package func implies(_ other: PinDemand) -> Bool {
        PinImplication.holds([self], other)
    }

    /// Whether a mismatch rejects as long as a mismatch of another set does, and whether it is
    /// reported as long.
    func lasts(asLongAs other: PinDemand) -> Bool {
        guard let end else { return true }
        guard let theirs = other.end else { return false }
        return theirs.last <= end.last && theirs.afterwards.rawValue <= end.afterwards.rawValue
    }
}
