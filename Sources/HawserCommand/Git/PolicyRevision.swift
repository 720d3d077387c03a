/// A policy in a git repository, as a command line names it: `git:REV[:PATH]`, or
/// `git:INDEX[:PATH]` for what the next commit would hold.
struct PolicyRevision: Hashable, Sendable {
    /// Where in the repository.
    enum Place: Hashable, Sendable {
        /// A commit, by any name that `git rev-parse` reads: a branch, a tag, `HEAD~2`, an id.
        case commit(String)
        /// The index: what a `pre-commit` hook is about to let through.
        case index
    }

    let place: Place
    /// The unit's folder, or a file, from the repository's top; `""` is the top. Nil stands for
    /// the unit's own path.
    let path: String?

    init(place: Place, path: String? = nil) {
        self.place = place
        self.path = path
    }

    /// What every such name begins with.
    static let prefix = "git:"
    /// The word for the index. A branch of this name is `refs/heads/INDEX`.
    static let index = "INDEX"

    /// Whether an argument names a revision. A file with a name of this form is `./git:NAME`.
    static func isOne(_ text: String) -> Bool { text.hasPrefix(prefix) }

    /// Reads `git:REV[:PATH]`. A colon between braces belongs to REV: `main@{2026-11-01 09:00}`.
    /// It throws `badRevision` and `badPath`.
    static func parse(_ text: String) throws(NotCompared) -> PolicyRevision {
        guard isOne(text) else {
            throw NotCompared(.badRevision, "`\(text)` does not begin with `\(prefix)`")
        }
        let rest = text.dropFirst(prefix.count)
        var depth = 0
        var colon: Substring.Index?
        for index in rest.indices where colon == nil {
            switch rest[index] {
            case "{": depth += 1
            case "}": depth -= 1
            case ":" where depth <= 0: colon = index
            // Any other character is part of the name.
            default: break
            }
        }
        let name = String(rest[..<(colon ?? rest.endIndex)])
        let path = try colon.map { colon throws(NotCompared) in
            try Self.path(String(rest[rest.index(after: colon)...]))
        }
        if name == index { return PolicyRevision(place: .index, path: path) }
        try check(name)
        return PolicyRevision(place: .commit(name), path: path)
    }

    /// Refuses names that git would not read as the name of a commit.
    static func check(_ name: String) throws(NotCompared) {
        guard !name.isEmpty else {
            throw NotCompared(
                .badRevision,
                "`\(prefix)` wants a revision: `git:main`, `git:HEAD~1:policies`, `git:INDEX`")
        }
        guard !name.hasPrefix("-"), !name.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw NotCompared(
                .badRevision,
                "`\(name)` is not a revision: a name has no control character and does not begin "
                    + "with `-`")
        }
    }

    /// A path from the repository's top, without a `/` at its end.
    static func path(_ text: String) throws(NotCompared) -> String {
        let path = text.hasSuffix("/") ? String(text.dropLast()) : text
        if path.isEmpty && !text.hasPrefix("/") { return "" }
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !names.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
            throw NotCompared(
                .badPath,
                "`\(text)` is not a path from the repository's top: write it without `/` in front, "
                    + "`.` and `..`, as in `git:main:policies/payments`")
        }
        guard !text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
            throw NotCompared(.badPath, "a path with a line break is not looked up: `\(text)`")
        }
        return path
    }
}
