/// Finds keys that stand more than once in a map.
enum DuplicateKeys {
    /// A key that stood before. Both are indices into the map's members.
    struct Duplicate {
        var entry: Int
        var first: Int
    }

    /// The duplicates among members (key, value, key, value, …), in order. Keys of small maps are
    /// compared in pairs; keys of larger maps go through a hash. The hash is seeded anew in each
    /// process, so nobody can write a policy whose keys collide.
    static func find(
        _ members: [Int32], same: (Int32, Int32) -> Bool, hash: (Int32) -> Int
    ) -> [Duplicate] {
        members.count <= smallMap * 2
            ? findInSmall(members, same) : findInLarge(members, same, hash)
    }

    private static func findInSmall(
        _ members: [Int32], _ same: (Int32, Int32) -> Bool
    ) -> [Duplicate] {
        var found: [Duplicate] = []
        for entry in stride(from: 2, to: members.count, by: 2) {
            for first in stride(from: 0, to: entry, by: 2)
            where same(members[first], members[entry]) {
                found.append(Duplicate(entry: entry, first: first))
                break
            }
        }
        return found
    }

    private static func findInLarge(
        _ members: [Int32], _ same: (Int32, Int32) -> Bool, _ hash: (Int32) -> Int
    ) -> [Duplicate] {
        var found: [Duplicate] = []
        // Open addressing, at most half full. Each slot is the index of a key, or -1.
        var width = 64
        while width < members.count * 2 { width *= 2 }
        var slots = [Int32](repeating: -1, count: width)
        for entry in stride(from: 0, to: members.count, by: 2) {
            var slot = hash(members[entry]) & (width - 1)
            while slots[slot] >= 0, !same(members[Int(slots[slot])], members[entry]) {
                slot = (slot + 1) & (width - 1)
            }
            if slots[slot] >= 0 {
                found.append(Duplicate(entry: entry, first: Int(slots[slot])))
            } else {
                slots[slot] = Int32(entry)
            }
        }
        return found
    }

    /// The most entries of a small map.
    static let smallMap = 8
}
