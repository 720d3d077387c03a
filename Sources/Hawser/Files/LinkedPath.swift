/// A path beneath a root that is looked up name by name. The names of a symbolic link's target take
/// the place of its own, as in path_resolution(7). A name cannot lead above the root. Folders of a
/// machine and trees of a version control system are walked alike.
///
/// The caller takes `next`, looks the name up in the folder `place`, and then calls `enter` for a
/// folder or `follow` for a link. The last name may be anything else.
package struct LinkedPath {
    /// The path as it was given, for messages.
    let path: String
    /// The names of the folders from the root to the present one. None of them is a link.
    package private(set) var place: [String] = []
    /// Whether a link was followed.
    package var hasLinks: Bool { links > 0 }
    /// The names that are not looked up yet, the next one last.
    private var rest: [String]
    private var links = 0
    private let depth: Int

    /// The links that Linux follows in one path (path_resolution(7)).
    private static let mostLinks = 40
    /// The octets of the longest target of a link that is followed: PATH_MAX of Linux.
    package static let longestTarget = 4_096

    /// Begins at the root. It throws for a path that is not one beneath a root.
    package init(_ path: String, _ limits: RootFolder.Limits) throws(FileReadError) {
        self.path = path
        rest = try limits.names(of: path).reversed()
        depth = limits.depth
    }

    /// Whether the name that `next` gave is the last one.
    package var isAtEnd: Bool { rest.isEmpty }

    /// The next name to be looked up in the folder `place`; nil at the end. `leave` is called
    /// whenever the walk goes up to the folder above.
    package mutating func next(leave: () -> Void = {}) throws(FileReadError) -> String? {
        while let name = rest.popLast() {
            guard name == ".." else { return name }
            guard place.popLast() != nil else { throw .leadsOut(path) }
            leave()
        }
        return nil
    }

    /// The path from the root of a name in the present folder.
    package func inside(_ name: String) -> String {
        (place + [name]).joined(separator: "/")
    }

    /// Goes into a folder that the last name was.
    package mutating func enter(_ folder: String) throws(FileReadError) {
        guard place.count < depth else {
            throw FileReadError(
                code: .tooLarge,
                context: "`\(path)` leads to folders that are nested more than \(depth) deep")
        }
        place.append(folder)
    }

    /// Goes on with the names of a link's target. It throws `leavesRoot` for a target from the root
    /// of the machine.
    package mutating func follow(_ target: String) throws(FileReadError) {
        links += 1
        guard links <= LinkedPath.mostLinks else {
            throw FileReadError(
                code: .notRegular,
                context: "`\(path)` leads through more than \(LinkedPath.mostLinks) symbolic links")
        }
        guard !target.hasPrefix("/"), !target.utf8.contains(0) else { throw .leadsOut(path) }
        let names = target.split(separator: "/").filter { $0 != "." }.map(String.init)
        guard rest.count + names.count <= LinkedPath.longestTarget else { throw .leadsOut(path) }
        rest += names.reversed()
    }
}

extension FileReadError {
    /// A path beneath a root leads out of it by a symbolic link.
    static func leadsOut(_ path: String) -> FileReadError {
        FileReadError(
            code: .leavesRoot,
            context: "`\(path)` leads out of the unit by a symbolic link")
    }

    /// A path leads by a symbolic link to a place where nothing is.
    package static func leadsNowhere(_ path: String, _ place: String) -> FileReadError {
        FileReadError(
            code: .notFound,
            context: "`\(path)` leads by a symbolic link to `\(place)`, which is not there")
    }

    /// A link has another target than before.
    static func linkChanged(_ link: String) -> FileReadError {
        FileReadError(
            code: .unreadable,
            context: "the symbolic link `\(link)` changed while the unit was read; read it again")
    }
}
