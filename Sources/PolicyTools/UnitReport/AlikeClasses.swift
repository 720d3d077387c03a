import TrustEngine

/// The classes of a report in groups: neighbours in the tree whose rules say the same are one
/// group, so that a reader sees the 180 rules of 180 services once.
struct AlikeClasses {
    /// What the classes of a group have in common, which is everything but their hosts, the ids of
    /// their rules and the lines that these stand in.
    private struct Likeness: Hashable {
        let outer: Int?
        let demands: Int
        let owner: String?
        let note: String?
        let exceptions: [Int]
        let comparison: UnitReport.Comparison?
    }

    /// The numbers of the classes of each group, from 1. A class that is like no other is a group
    /// of its own. The groups are in the order of their first classes.
    let groups: [[Int]]

    init(_ classes: [UnitReport.HostEntry]) {
        let parents = Set(classes.compactMap(\.outer))
        var members: [Likeness: [Int]] = [:]
        for (index, entry) in classes.enumerated() {
            guard let likeness = AlikeClasses.likeness(index + 1, entry, parents) else { continue }
            members[likeness, default: []].append(index + 1)
        }
        var groups: [[Int]] = []
        for (index, entry) in classes.enumerated() {
            let number = index + 1
            guard let likeness = AlikeClasses.likeness(number, entry, parents),
                let alike = members[likeness], alike.count >= AlikeClasses.fewest
            else {
                groups.append([number])
                continue
            }
            guard alike.first == number else { continue }
            for start in stride(from: 0, to: alike.count, by: AlikeClasses.most) {
                groups.append(Array(alike[start..<min(start + AlikeClasses.most, alike.count)]))
            }
        }
        self.groups = groups
    }

    /// Nil for a class that stands by itself: other classes lie inside it, or it excepts patterns.
    private static func likeness(
        _ number: Int, _ entry: UnitReport.HostEntry, _ parents: Set<Int>
    ) -> Likeness? {
        guard entry.pattern != nil, !parents.contains(number), entry.hosts.exceptions.isEmpty,
            entry.hosts.omitted == 0
        else { return nil }
        return Likeness(
            outer: entry.outer, demands: entry.demands, owner: entry.rule.owner, note: entry.note,
            exceptions: entry.exceptions, comparison: entry.comparison)
    }

    /// Fewer classes are shown one by one: a reader sees at once that they are alike.
    private static let fewest = 8
    /// More classes are several groups, so that a page can be split between them.
    private static let most = 2_000
}
