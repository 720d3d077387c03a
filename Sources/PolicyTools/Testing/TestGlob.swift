/// A pattern of names of cases: `*` stands for any characters, `?` for one.
package struct TestGlob: Hashable, Sendable {
    package let text: String
    private let pattern: [Unicode.Scalar]

    package init(_ text: String) {
        self.text = text
        pattern = Array(text.unicodeScalars)
    }

    /// Whether the whole name matches. O(name · pattern).
    package func matches(_ name: String) -> Bool {
        let name = Array(name.unicodeScalars)
        var (at, next) = (0, 0)
        // Where the last `*` stands, and how much of the name it has taken.
        var star: (pattern: Int, name: Int)?
        while at < name.count {
            if next < pattern.count, pattern[next] == "*" {
                star = (next, at)
                next += 1
            } else if next < pattern.count, pattern[next] == "?" || pattern[next] == name[at] {
                at += 1
                next += 1
            } else if let last = star {
                star = (last.pattern, last.name + 1)
                at = last.name + 1
                next = last.pattern + 1
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == "*" }
    }
}
