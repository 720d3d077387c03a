/// A pattern of names as shells write it: `*` for any characters, also none, and `?` for one.
struct NameGlob {
    /// The pattern as it was given.
    let text: String
    private let parts: [Unicode.Scalar]

    init(_ text: String) {
        self.text = text
        parts = Array(text.unicodeScalars)
    }

    /// Whether a name matches as a whole. Cost: the product of both lengths at most.
    func matches(_ name: String) -> Bool {
        let scalars = Array(name.unicodeScalars)
        var (at, part) = (0, 0)
        // Where the last `*` stands, and how much of the name it has taken.
        var star: (part: Int, at: Int)?
        while at < scalars.count {
            if part < parts.count, parts[part] == "*" {
                star = (part, at)
                part += 1
            } else if part < parts.count, parts[part] == "?" || parts[part] == scalars[at] {
                at += 1
                part += 1
            } else if let last = star {
                star = (last.part, last.at + 1)
                (part, at) = (last.part + 1, last.at + 1)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == "*" }
    }
}
