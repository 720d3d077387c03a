/// A file of a policy, or of its tests, whose lines a document cites.
package struct PolicySourceFile: Sendable {
    /// The path from the folder in which the page is read.
    package let path: String
    private let text: String

    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }

    /// The lines that locations count: each line feed ends one, and a carriage return before it
    /// belongs to the line's end. To Swift both are one character, so the scalars are split.
    /// Complexity: the length of the text, each time.
    var lines: [String] {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().map { index, line in
            String(index + 1 < lines.count && line.last == "\r" ? line.dropLast() : line)
        }
    }
}
