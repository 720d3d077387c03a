/// Puts the messages of the argument parser into the words of every other message: lower case,
/// `error:`, words of the command line in backticks, no full stop.
enum ParserVoice {
    /// Only the message, which the parser ends with a full stop or with none.
    static func sentence(_ message: String) -> String {
        let first = message.prefix { $0 != "\n" }
        var text = lowercased(String(first))
            .replacing(". Did you mean", with: "; did you mean")
            .replacing(". Please provide one of ", with: "; it takes one of ")
        if text.hasSuffix(".") { text.removeLast() }
        return quoted(text)
    }

    /// The whole text on standard error, line by line: the message, the help of the argument that
    /// is wrong, the usage, and where more is written.
    static func lines(_ text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return lines.map { line in
            for (theirs, ours) in [
                ("Error: ", "error: "), ("Help: ", "help: "), ("Usage: ", "usage: "),
            ]
            where line.hasPrefix(theirs) {
                let rest = String(line.dropFirst(theirs.count))
                return ours + (ours == "error: " ? sentence(rest) : trimmed(rest))
            }
            let more = "  See '"
            guard line.hasPrefix(more), let end = line.dropFirst(more.count).firstIndex(of: "'")
            else { return line }
            return "  `\(line.dropFirst(more.count)[..<end])` says more"
        }
    }

    private static func trimmed(_ text: String) -> String { String(text.drop { $0 == " " }) }

    /// The text with a small first letter, unless its first word has other capitals.
    private static func lowercased(_ text: String) -> String {
        let word = text.prefix { $0 != " " }
        guard word.dropFirst().allSatisfy({ !$0.isUppercase }) else { return text }
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// The text with backticks for the quotation marks of the parser. An apostrophe stands inside a
    /// word, and a quotation mark does not.
    private static func quoted(_ text: String) -> String {
        let letters = Array(text)
        func isWord(_ index: Int) -> Bool {
            letters.indices.contains(index) && (letters[index].isLetter || letters[index].isNumber)
        }
        return String(
            letters.indices.map { index in
                letters[index] == "'" && !(isWord(index - 1) && isWord(index + 1))
                    ? "`" : letters[index]
            })
    }
}
