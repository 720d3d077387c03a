/// A file of a policy, or of its tests, whose lines a document cites.
package struct PolicySourceFile: Sendable {
    /// The path from the folder in which the page is read.
    package let path: String
    let text: String

    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }
}
