/// Positions in a list of certificates, by the hash of the subject's comparison form. The keys are
/// hashes already, so they are sorted and searched, and not hashed once more.
package struct SubjectIndex: Sendable {
    /// The hashes in ascending order; of equal hashes the lower position comes first.
    private let hashes: [UInt64]
    /// The position of each hash.
    private let positions: [Int]

    /// Positions of certificates whose subjects have these hashes. Cost: n log n.
    package init(_ subjectHashes: [UInt64]) {
        let order = subjectHashes.indices.sorted {
            (subjectHashes[$0], $0) < (subjectHashes[$1], $1)
        }
        hashes = order.map { subjectHashes[$0] }
        positions = order
    }

    /// The positions of a hash, ascending. Cost: the logarithm of the list's length.
    package subscript(hash: UInt64) -> ArraySlice<Int> {
        let all = hashes.span
        var low = 0
        var high = all.count
        while low < high {
            let middle = (low &+ high) &>> 1
            if all[middle] < hash { low = middle &+ 1 } else { high = middle }
        }
        var end = low
        while end < all.count, all[end] == hash { end &+= 1 }
        return positions[low..<end]
    }
}
