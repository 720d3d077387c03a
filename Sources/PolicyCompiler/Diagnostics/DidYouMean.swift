/// Finds the word that was probably meant.
package enum DidYouMean {
    /// The candidates within two edits of a word (insert, delete, replace, swap two neighbours).
    /// The nearest stand first, and equally near ones in alphabetical order. Empty if no candidate
    /// is within two edits. The edits must be fewer than half the characters of the word, since a
    /// short word is near everything. Case is ignored and `_` counts as `-`; if a candidate is
    /// equal then, it is the only one returned.
    package static func near(_ word: String, among candidates: [String]) -> [String] {
        let wanted = folded(word)
        guard !wanted.isEmpty, wanted.count <= longestWord else { return [] }
        var found: [(distance: Int, candidate: String)] = []
        for candidate in candidates {
            let bytes = folded(candidate)
            guard abs(bytes.count - wanted.count) <= mostEdits else { continue }
            let distance = distance(wanted, bytes)
            guard distance <= mostEdits, distance * 2 < max(wanted.count, bytes.count) else {
                continue
            }
            found.append((distance, candidate))
        }
        if found.contains(where: { $0.distance == 0 }) { found.removeAll { $0.distance > 0 } }
        return found.sorted { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }
            .map(\.candidate)
    }

    /// The candidate near a word, if exactly one is near (see `near`). Nil otherwise: if several
    /// are near, only the author knows which was meant.
    package static func only(for word: String, among candidates: [String]) -> String? {
        let near = near(word, among: candidates)
        return near.count == 1 ? near[0] : nil
    }

    /// `; did you mean `a` or `b`?`, to stand after a message about a word; an empty text if no
    /// candidate is near.
    package static func question(for word: String, among candidates: [String]) -> String {
        let near = near(word, among: candidates).prefix(mostNamed).map { "`\($0)`" }
        return near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
    }

    /// The optimal string alignment distance, in octets. Keeps three rows; O(a · b).
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
    /// The most candidates that a question names.
    private static let mostNamed = 3
    /// An id has at most 64 octets, so a word longer than that and two edits has no near candidate.
    private static let longestWord = 66
}
