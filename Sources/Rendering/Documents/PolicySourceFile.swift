/// A file of a policy, or of its tests, whose lines a document cites.
package struct PolicySourceFile: Sendable {
    /// The path from the folder in which the page is read.
    package let path: String
    let lines: [String]

    package init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
