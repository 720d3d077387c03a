internal import TrustEngine

/// Lines and columns of ascending offsets in one file, in one pass over its bytes: a file that is one
/// long line costs no more than any other.
struct LocationWalk {
    let file: SourceFile
    private var line = 0
    private var offset = 0
    /// Characters between the start of the line and `offset`.
    private var characters = 0

    init(_ file: SourceFile) {
        self.file = file
    }

    /// The place of an offset; an offset before the last one starts the walk anew at its line.
    mutating func location(of target: Int) -> Provenance.Location {
        let wanted = file.lines.line(of: target)
        if wanted != line || target < offset {
            line = wanted
            offset = file.lines.starts[wanted]
            characters = 0
        }
        while offset < min(target, file.bytes.count) {
            // Continuation bytes of UTF-8 belong to the character before them.
            if file.bytes[offset] & 0xC0 != 0x80 { characters += 1 }
            offset += 1
        }
        return Provenance.Location(file: file.path, line: line + 1, column: characters + 1)
    }
}
