/// One thing that would change a verdict: what to do, and what to write.
package struct Repair: Hashable, Sendable {
    /// What to do, lower case, no full stop.
    package let text: String
    /// Lines of policy to write, or nothing.
    package let snippet: [String]

    package init(_ text: String, snippet: [String] = []) {
        self.text = text
        self.snippet = snippet
    }
}
