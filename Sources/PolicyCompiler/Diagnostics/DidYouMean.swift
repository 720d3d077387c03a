/// Finds the word that was probably meant.
package enum DidYouMean {
    /// The candidate within two edits of a word (insert, delete, replace, swap of neighbours), the
    /// nearest first and among equals the first in alphabetical order; nil when none is so near, or
    /// when a word is too short for two edits to mean anything (the edits must be fewer than half
    /// its characters). Case is folded before comparing, `_` counts as `-`.
    package static func suggestion(for word: String, among candidates: [String]) -> String? {
        let wanted = folded(word)
        guard !wanted.isEmpty, wanted.count <= longestWord else { return nil }
        var best: (distance: Int, candidate: String)?
        for candidate in candidates {
            let bytes = folded(candidate)
            guard abs(bytes.count - wanted.count) <= mostEdits else { continue }
            let distance = distance(wanted, bytes)
            guard distance <= mostEdits, distance * 2 < max(wanted.count, bytes.count) else {
                continue
            }
            if let best, (best.distance, best.candidate) <= (distance, candidate) { continue }
            best = (distance, candidate)
        }
        return best?.candidate
    }

    /// Optimal string alignment distance over octets: three rows, O(a · b).
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
        var beforePrevious = [Int](repeating: 0, count: right.count + 1)
        var previous = Array(0...right.count)
        var current = previous
        for i in 1...left.count {
            current[0] = i
            for j in 1...right.count {
                let replaced = previous[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1)
                var cost = min(previous[j] + 1, current[j - 1] + 1, replaced)
                if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
                    cost = min(cost, beforePrevious[j - 2] + 1)
                }
                current[j] = cost
            }
            (beforePrevious, previous, current) = (previous, current, beforePrevious)
        }
        return previous[right.count]
    }

    private static func folded(_ word: String) -> [UInt8] {
        word.utf8.map { byte in
            switch byte {
            case 0x41...0x5A: return byte | 0x20
            case 0x5F: return 0x2D
            default: return byte
            }
        }
    }

    private static let mostEdits = 2
    /// An id has at most 64 octets; anything longer than that and two edits has no neighbour.
    private static let longestWord = 66
}
