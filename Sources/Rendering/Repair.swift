/// One change that would change a verdict: what to do, and the lines to write.
package struct Repair: Hashable, Sendable {
    /// What to do, lower case, no full stop.
    package let text: String
    /// Lines of policy to write; empty where there are none.
    package let snippet: [String]

    package init(_ text: String, snippet: [String] = []) {
        self.text = text
        self.snippet = snippet
    }
}
