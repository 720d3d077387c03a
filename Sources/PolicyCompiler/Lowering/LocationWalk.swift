/// Finds the lines and columns of ascending offsets in one pass over a file's bytes. A file that is
/// one long line costs no more than another file.
struct LocationWalk {
    let file: SourceFile
    private var line = 0
    private var offset = 0
    /// The number of characters between the start of the line and `offset`.
    private var characters = 0

    init(_ file: SourceFile) {
        self.file = file
    }

    /// The line and column of an offset, from 1. If the offset is before the last one, the walk
    /// starts again at the offset's line.
    mutating func position(of target: Int) -> (line: Int, column: Int) {
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
        return (line + 1, characters + 1)
    }
}
