/// Hashes names and labels by their octets. The hash of a `Substring` computes the canonical form
/// of Unicode each time, and a hasher that gets single octets takes several times as long.
enum OctetHash {
    /// Adds the octets of a text to a hasher: eight at a time and then their number, so that two
    /// different texts never feed the hasher the same values.
    static func combine(_ text: Substring, into hasher: inout Hasher) {
        var word: UInt64 = 0
        var count = 0
        for octet in text.utf8 {
            word = word << 8 | UInt64(octet)
            count += 1
            if count % 8 == 0 { hasher.combine(word) }
        }
        hasher.combine(word)
        hasher.combine(count)
    }
}
