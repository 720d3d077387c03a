/// Quotes words so that a POSIX shell reads the same words.
package enum ShellWords {
    /// A command line that can be pasted into a shell.
    package static func line(_ words: [String]) -> String {
        words.map(quoted).joined(separator: " ")
    }

    private static func quoted(_ word: String) -> String {
        guard word.isEmpty || !word.utf8.allSatisfy(isPlain) else { return word }
        // By scalars: an apostrophe and a combining mark after it are one `Character`.
        return "'"
            + word.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
            .map { String($0) }.joined(separator: "'\\''") + "'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return true
        default: return "@%+=:,./-_".utf8.contains(byte)
        }
    }
}
