import PolicyCompiler

/// The place at which an author is about to write. The text there is mostly not whole, so a
/// placeholder takes the place of the word under the cursor, and the parser says where that stands.
struct CompletionPlace {
    /// The names on the way to the map that wants a key, or to the value that wants a word.
    let names: [String]
    /// Whether a key is wanted.
    let isKey: Bool
    /// The keys that the map has already.
    let present: Set<String>
    /// The octets of the word under the cursor, which a completion replaces.
    let word: Range<Int>
    /// Whether the word stands in quotes.
    let isQuoted: Bool

    private static let placeholder = "hawser-placeholder"

    /// The places that a cursor may mean: of a key, and of a value.
    static func all(in octets: [UInt8], at offset: Int, path: String) -> [CompletionPlace] {
        let word = word(in: octets, around: offset)
        let isQuoted =
            word.lowerBound > 0
            && [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(octets[word.lowerBound - 1])
        var places: [CompletionPlace] = []
        // A key is followed by a colon already where an author changes it.
        let rest = octets[word.upperBound...].drop { $0 == UInt8(ascii: " ") }
        let isFollowed = rest.first == UInt8(ascii: ":")
        for isKey in [true, false] where !(isKey && isQuoted) && !(isFollowed && !isKey) {
            let new = placeholder + (isKey && !isFollowed ? ": x" : "")
            var text = Array(octets[..<word.lowerBound])
            text += new.utf8
            text += octets[word.upperBound...]
            let tree = SyntaxParser.parse(SourceFile(path: path, bytes: text), fileIndex: 0)
            guard let found = tree.path(at: word.lowerBound), found.node.text == placeholder,
                found.isKey == isKey
            else { continue }
            let keys = isKey ? found.holder.entries.map(\.key.text) : []
            places.append(
                CompletionPlace(
                    names: isKey ? Array(found.names.dropLast()) : found.names, isKey: isKey,
                    present: Set(keys).subtracting([placeholder]), word: word, isQuoted: isQuoted))
        }
        return places
    }

    /// The word around an offset. Blanks, brackets, commas, quotes and comments end it, and so does
    /// the colon behind a key.
    private static func word(in octets: [UInt8], around offset: Int) -> Range<Int> {
        let ends = Set(" \t\r\n,[]{}\"'#".utf8)
        var (start, end) = (offset, offset)
        while start > 0, !ends.contains(octets[start - 1]) { start -= 1 }
        while end < octets.count, !ends.contains(octets[end]) { end += 1 }
        if end > start, octets[end - 1] == UInt8(ascii: ":"), end > offset { end -= 1 }
        return start..<max(start, end)
    }
}
