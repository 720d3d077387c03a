/// Paths as messages show them: from the current folder.
enum RelativePath {
    /// The relative path from one folder to another. Both are absolute.
    static func path(of target: String, from here: String) -> String {
        let (target, here) = (target.split(separator: "/"), here.split(separator: "/"))
        let shared = zip(target, here).prefix { $0 == $1 }.count
        let up = [Substring](repeating: "..", count: here.count - shared)
        return (up + target[shared...]).joined(separator: "/")
    }
}
