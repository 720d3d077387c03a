/// Whether pin sets that must all be met imply another set.
///
/// A set is met when at least `match` of its entries are matched, by at least `match` distinct keys
/// (`PinCheck`). So it implies another set if every choice of `match` of its entries, by whatever
/// key at whatever position each entry is matched, matches enough entries of the other set, by
/// enough keys. How keys are spread over entries does not matter, nor do the ids of entries.
struct PinImplication {
    /// The parts of a path at which an entry can be matched. Every position is a union of these.
    /// The one certificate of a path can be both an end entity and an anchor. It then matches every
    /// entry that it would match as one of them, so this case needs no part.
    private struct Parts: OptionSet, Hashable {
        let rawValue: UInt8

        static let endEntity = Parts(rawValue: 1)
        static let intermediate = Parts(rawValue: 2)
        static let anchor = Parts(rawValue: 4)
        static let all: [Parts] = [.endEntity, .intermediate, .anchor]

        init(rawValue: UInt8) { self.rawValue = rawValue }

        init(_ position: PinPosition) {
            switch position {
            case .any: self = [.endEntity, .intermediate, .anchor]
            case .leaf: self = .endEntity
            case .intermediate: self = .intermediate
            case .anchor: self = .anchor
            case .ca: self = [.intermediate, .anchor]
            }
        }
    }

    /// A set, by what its entries match in the other set.
    private struct Choices {
        let match: Int
        /// For each entry, and each way in which it can be matched, the entries of the other set
        /// that are matched in this way too. Each way once.
        let ways: [Set<Set<Int>>]
        /// The number of keys that can match this set and no entry of the other set.
        let lostKeys: Int
        /// Whether each key of the set matches at most one entry.
        let isDisjoint: Bool

        init(_ set: PinDemand, _ other: [KeyMatch: [(entry: Int, parts: Parts)]]) {
            match = set.match
            var lost: Set<KeyMatch> = []
            ways = set.entries.map { entry in
                var ways: Set<Set<Int>> = []
                for match in entry.matches {
                    let found = other[match] ?? []
                    for part in Parts.all where Parts(entry.position).contains(part) {
                        let matched = Set(found.filter { $0.parts.contains(part) }.map(\.entry))
                        if matched.isEmpty { lost.insert(match) }
                        ways.insert(matched)
                    }
                }
                return ways
            }
            lostKeys = lost.count
            isDisjoint = set.isDisjoint
        }

        /// The number of entries that can be matched and match no more of the other set than the
        /// given entries.
        func count(within entries: Set<Int>) -> Int {
            ways.count { $0.contains { $0.isSubset(of: entries) } }
        }

        /// The most entries that can be matched within any `size` entries of the other set, or a
        /// larger number.
        func bound(within size: Int) -> Int {
            var counts: [Int: Int] = [:]
            var lost = 0
            for ways in ways {
                if ways.contains([]) {
                    lost += 1
                } else {
                    for entry in Set(ways.flatMap(\.self)) { counts[entry, default: 0] += 1 }
                }
            }
            return lost + counts.values.sorted(by: >).prefix(size).reduce(0, +)
        }
    }

    /// Whether every path that meets all given sets meets another set, on every day.
    static func holds(_ sets: [PinDemand], _ other: PinDemand) -> Bool {
        let lasting = sets.filter { $0.lasts(asLongAs: other) }
        guard !other.isOpaque else {
            return lasting.contains { $0.isOpaque && $0.id == other.id }
        }
        let own = lasting.filter { !$0.isOpaque }
        if own.contains(where: { $0.match == other.match && $0.entries == other.entries }) {
            return true
        }
        var index: [KeyMatch: [(entry: Int, parts: Parts)]] = [:]
        for (number, entry) in other.entries.enumerated() {
            for match in entry.matches {
                index[match, default: []].append((number, Parts(entry.position)))
            }
        }
        let choices = own.map { Choices($0, index) }
        return matchesEntries(choices, other) && matchesKeys(choices, other)
    }

    /// Whether enough entries of the other set are matched. They are not if some entries of the
    /// other set, one fewer than are needed, leave each set enough entries to choose.
    private static func matchesEntries(_ sets: [Choices], _ other: PinDemand) -> Bool {
        let size = other.match - 1
        if sets.contains(where: { $0.bound(within: size) < $0.match }) { return true }
        let used = Set(sets.flatMap(\.ways).flatMap(\.self).flatMap(\.self)).sorted()
        guard size > 0, !used.isEmpty else { return false }
        var combinations = Combinations(of: used, size: min(size, used.count))
        var steps = 0
        while let entries = combinations.next() {
            steps += 1
            guard steps <= PinImplication.mostCombinations else { return false }
            if sets.allSatisfy({ $0.count(within: entries) >= $0.match }) { return false }
        }
        return true
    }

    /// Whether enough keys match entries of the other set, where enough entries are matched. One
    /// key can match several entries. Each condition suffices.
    private static func matchesKeys(_ sets: [Choices], _ other: PinDemand) -> Bool {
        other.match == 1 || other.isDisjoint
            || sets.contains {
                let lost = $0.isDisjoint ? $0.count(within: []) : $0.lostKeys
                return $0.match - lost >= other.match
            }
    }

    /// The most choices of entries that are looked at. Sets in use have a handful of entries. A set
    /// with more choices is implied only where a bound on them says so.
    private static let mostCombinations = 4_096
}

extension PinDemand {
    /// Whether each key matches at most one entry. Only digests of keys by one algorithm decide
    /// this. The digests of two encodings of one key look like the digests of two keys.
    fileprivate var isDisjoint: Bool {
        var seen: Set<KeyMatch> = []
        let matches = entries.flatMap(\.matches)
        return Set(matches.map(\.digest.algorithm)).count <= 1
            && matches.allSatisfy { $0.kind == .spki && seen.insert($0).inserted }
    }
}

/// The choices of a number of elements, each once.
private struct Combinations {
    private let elements: [Int]
    private var chosen: [Int]?

    init(of elements: [Int], size: Int) {
        self.elements = elements
        chosen = Array(0..<size)
    }

    mutating func next() -> Set<Int>? {
        guard var indices = chosen else { return nil }
        let found = Set(indices.map { elements[$0] })
        var last = indices.count - 1
        while last >= 0, indices[last] == elements.count - indices.count + last { last -= 1 }
        if last < 0 {
            chosen = nil
        } else {
            indices[last] += 1
            for next in last + 1..<indices.count { indices[next] = indices[next - 1] + 1 }
            chosen = indices
        }
        return found
    }
}
