/// A pin set as a demand, by what its entries can match: a set is not compared by how it is
/// written.
package struct PinDemand: Hashable, Sendable {
    /// What a mismatch does after the last day of enforcement.
    enum Afterwards: Int, Hashable, Sendable {
        case absent = 0
        case reported = 1
    }

    /// When a mismatch ceases to reject, and what it does then.
    struct End: Hashable, Sendable {
        /// The last second of enforcement.
        let last: UTCInstant
        let afterwards: Afterwards
    }

    struct Entry: Hashable, Sendable {
        let matches: Set<KeyMatch>
        let position: PinPosition
        /// DER of the certificates that can end a path where the pinned keys are the anchors.
        let certificates: Set<[UInt8]>
    }

    let entries: [Entry]
    let match: Int
    /// Nil where a mismatch always rejects. The day from which on a notice is given rejects nobody.
    let end: End?
    /// For readers.
    package let id: String
    /// Whether the contents are not at hand; then the set implies itself alone, by its id.
    private let isOpaque: Bool

    private init(
        entries: [Entry], match: Int, end: End?, id: String, isOpaque: Bool
    ) {
        self.entries = entries
        self.match = match
        self.end = end
        self.id = id
        self.isOpaque = isOpaque
    }

    /// What a pin set demands.
    package init(_ set: PinSetContents) {
        self.init(
            entries: (set.keys + set.backups).map {
                Entry(
                    matches: Set($0.matches), position: $0.position,
                    certificates: Set($0.certificates))
            }, match: set.match, end: PinDemand.end(set), id: set.id, isOpaque: false)
    }

    /// A set whose contents are not at hand.
    package init(named id: String) {
        self.init(entries: [], match: 1, end: nil, id: id, isOpaque: true)
    }

    private static func end(_ set: PinSetContents) -> End? {
        guard let last = set.enforceUntil else { return nil }
        switch set.onExpiry {
        case .fail: return nil
        case .report: return End(last: last, afterwards: .reported)
        case .unpinned: return End(last: last, afterwards: .absent)
        }
    }

    /// Nil where it demands nothing any more.
    func asOf(_ time: UTCInstant) -> PinDemand? {
        guard let end else { return self }
        if DatedTerm.isInForce(until: end.last, at: time) { return with(end: nil) }
        return end.afterwards == .absent
            ? nil : with(end: End(last: PinDemand.longAgo, afterwards: end.afterwards))
    }

    /// The same as if it were enforced for ever.
    fileprivate var lasting: PinDemand { with(end: nil) }

    private func with(end: End?) -> PinDemand {
        PinDemand(entries: entries, match: match, end: end, id: id, isOpaque: isOpaque)
    }

    private static let longAgo = UTCInstant(secondsSinceEpoch: -62_167_219_200)

    // MARK: What implies what

    /// Whether every path that this set lets pass another one lets pass, on every day.
    package func implies(_ other: PinDemand) -> Bool {
        guard isOpaque == other.isOpaque, !isOpaque || id == other.id, lasts(asLongAs: other)
        else { return false }
        if isOpaque || (match == other.match && Set(entries) == Set(other.entries)) { return true }
        guard entries.count <= PinDemand.mostEntries, other.entries.count <= PinDemand.mostEntries
        else { return false }
        // Of each entry those of the other set that match whatever it matches.
        let images = entries.map { own in
            other.entries.indices.filter { own.implies(other.entries[$0]) }
        }
        // One entry without an image takes one matched key away, where it can match no more than
        // one.
        let lost = entries.indices.filter { images[$0].isEmpty }
        if other.match == 1, lost.count < match { return true }
        let pairs = PinDemand.pairs(images, among: other.entries.count)
        let alone = entries.indices.filter { !pairs.contains($0) }
        guard alone.allSatisfy({ entries[$0].matches.count <= 1 }) else { return false }
        return match - alone.count >= other.match
    }

    /// Entries of a set beyond which only equal sets are compared; a set in use has a handful.
    private static let mostEntries = 64

    /// A largest choice of entries that have an image of their own each (Kuhn's algorithm): their
    /// indices.
    private static func pairs(_ images: [[Int]], among count: Int) -> Set<Int> {
        var owner = [Int?](repeating: nil, count: count)
        for start in images.indices {
            // Each entry on the way with the image that it would take.
            var taken = [Int?](repeating: nil, count: count)
            var queue = [start]
            var free: Int?
            while free == nil, let entry = queue.popLast() {
                for image in images[entry] where taken[image] == nil {
                    taken[image] = entry
                    guard let holder = owner[image] else {
                        free = image
                        break
                    }
                    queue.append(holder)
                }
            }
            while let image = free, let entry = taken[image] {
                free = owner.firstIndex(of: entry)
                owner[image] = entry
                if entry == start { free = nil }
            }
        }
        return Set(owner.compactMap { $0 })
    }

    private func lasts(asLongAs other: PinDemand) -> Bool {
        guard let end else { return true }
        guard let theirs = other.end else { return false }
        return theirs.last <= end.last && theirs.afterwards.rawValue <= end.afterwards.rawValue
    }
}

extension PinDemand.Entry {
    /// Whether another entry matches, wherever this one does, the same certificate.
    fileprivate func implies(_ other: PinDemand.Entry) -> Bool {
        matches.isSubset(of: other.matches) && position.lies(in: other.position)
    }
}

extension PinPosition {
    /// Whether every place that this stands for is one of another's.
    fileprivate func lies(in other: PinPosition) -> Bool {
        self == other || other == .any
            || (other == .ca && (self == .intermediate || self == .anchor))
    }
}

/// The order of pins: a conjunction of sets, of which each of the other side's must follow from one
/// here.
enum PinOrder {
    static func relation(_ here: [PinDemand], _ there: [PinDemand]) -> Relation {
        func implies(_ own: [PinDemand], _ other: [PinDemand]) -> Bool {
            other.allSatisfy { theirs in own.contains { $0.implies(theirs) } }
        }
        return Relation(isNoWeaker: implies(here, there), isNoStricter: implies(there, here))
    }

    static func compare(_ here: BehaviourBody, _ there: BehaviourBody) -> [FieldComparison] {
        guard here.pins != there.pins else { return [] }
        func names(_ body: BehaviourBody) -> FieldComparison.Value { .words(body.pins.map(\.id)) }
        // Where the sides differ only in the days on which sets cease to reject, the difference is
        // an exception with a date.
        let lasting = relation(here.pins.map(\.lasting), there.pins.map(\.lasting))
        return [
            FieldComparison(
                "pins", relation(here.pins, there.pins), names(here), names(there),
                remark: lasting.isNoWeaker ? .exception : .none)
        ]
    }
}
